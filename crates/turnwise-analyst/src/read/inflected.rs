//! Yes/no columns by another form of their name: "canceled" and "cancellations" of `cancelled`, "stornierte" of
//! `storniert`, "inactive" of `is_active`, "failed" of `succeeded`. Next: `flag`, for what such a word does.

use super::super::catalogue::{Catalogue, bare};
use super::super::form::{Candidate, Thing};
use super::super::lexicon::lexicon;
use super::super::words;

/// The yes/no columns that an unknown word speaks of, and whether it denies them.
pub fn inflected(catalogue: &Catalogue, word: &str) -> Option<(Vec<Candidate>, bool)> {
    let plain = named_by(catalogue, |name| is_form(name, word));
    if !plain.is_empty() {
        return Some((plain, false));
    }
    let rest = ["un", "non", "in", "nicht"].iter().find_map(|before| word.strip_prefix(before));
    let denied = rest.filter(|rest| rest.len() > 3).map(|rest| named_by(catalogue, |name| is_form(name, rest)));
    if let Some(denied) = denied.filter(|denied| !denied.is_empty()) {
        return Some((denied, true));
    }
    let same = named_by(catalogue, |name| lexicon().is_opposite(name, word) == Some(false));
    if !same.is_empty() {
        return Some((same, false));
    }
    let opposite = named_by(catalogue, |name| lexicon().is_opposite(name, word) == Some(true));
    (!opposite.is_empty()).then_some((opposite, true))
}

fn named_by(catalogue: &Catalogue, fits: impl Fn(&str) -> bool) -> Vec<Candidate> {
    let named = catalogue.flags().filter(|(column, _)| match bare(&catalogue.column(*column).stems) {
        [single] => fits(single),
        _ => false,
    });
    named.map(|(column, _)| Candidate { thing: Thing::Column(column), score: INFLECTED }).collect()
}

/// Whether two words are forms of one: without some of their endings they are the same.
fn is_form(name: &str, word: &str) -> bool {
    let others = roots(word);
    roots(name).iter().any(|root| others.contains(root))
}

/// A word with and without the endings of English and German forms, and umlauts however they are typed.
fn roots(word: &str) -> Vec<String> {
    let plain = words::fold(word).replace("ae", "a").replace("oe", "o").replace("ue", "u");
    let endings = ["", "ations", "ation", "ings", "ing", "ers", "ed", "en", "em", "er", "es", "e", "s", "d"];
    let cut = endings.iter().filter_map(|ending| plain.strip_suffix(ending)).map(undoubled);
    cut.filter(|root| root.len() >= ROOT_MIN).collect()
}

/// "cancell", as "cancelled" leaves it, is "cancel".
fn undoubled(root: &str) -> String {
    let mut letters: Vec<char> = root.chars().collect();
    if let [.., one, other] = letters.as_slice()
        && one == other
    {
        letters.pop();
    }
    letters.into_iter().collect()
}

/// Fit of another form of a name.
const INFLECTED: u32 = 90;
/// Letters that two forms of a word must share.
const ROOT_MIN: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_are_told_from_other_words() {
        for (name, word) in [
            ("cancelled", "canceled"),
            ("cancelled", "cancellations"),
            ("refunded", "refund"),
            ("storniert", "stornierten"),
            ("gekuehlt", "gekühlte"),
            ("active", "activ"),
            ("freelance", "freelancers"),
        ] {
            assert!(is_form(name, word), "{name} {word}");
        }
        for (name, word) in [("paid", "pay"), ("premium", "press"), ("locker", "loaned"), ("damaged", "dated")] {
            assert!(!is_form(name, word), "{name} {word}");
        }
    }
}
