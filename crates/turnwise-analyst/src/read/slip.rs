//! A word that stands for nothing, and is a slip or two away from one that does: people mistype, and what they get is
//! said. Forms of a command are no slips of it. Next: `spot`.

use turnwise_intent::is_word;

use super::super::catalogue::Catalogue;
use super::super::form::Found;
use super::super::lexicon::{Role, Signal, lexicon};
use super::super::words::{self, Word};
use super::spot::{Spotted, joined, known};

/// Words everybody writes right, whatever in the data is spelt like them.
const PLAIN: [&str; 40] = [
    "still", "while", "those", "there", "where", "these", "about", "again", "other", "after", "under", "since",
    "until", "every", "being", "among", "along", "aside", "would", "could", "should", "their", "theirs", "whose",
    "never", "whether", "which", "through", "against", "between", "because", "however", "instead", "always", "almost",
    "another", "together", "already", "please", "without",
];

/// "returned" and "returns" are no slips of "return": they say something else.
fn is_form(word: &Word, other: &str) -> bool {
    let command = lexicon().signal(other) == Some(Signal::Role(Role::Command));
    let end = word.stem.strip_prefix(other.trim_end_matches('s'));
    (command && word.stem == other) || end.is_some_and(|end| matches!(end, "ed" | "d" | "ing" | "er"))
}

/// "agent" is no slip of "arent": what would deny the rest is never put in the place of another word.
fn denies(other: &str) -> bool {
    matches!(lexicon().signal(other), Some(Signal::Role(Role::Not)))
}

/// The one known word a slip or two away. Short words are left alone: too many are a slip apart.
pub fn spelling(catalogue: &Catalogue, word: &Word) -> Option<String> {
    let letters = word.stem.chars().count();
    if PLAIN.contains(&word.folded.as_str()) {
        return None;
    }
    let max = match letters {
        0..=4 => return None,
        5..=7 => 1,
        _ => 2,
    };
    let known = catalogue.names().vocabulary().chain(lexicon().vocabulary()).chain(catalogue.values().vocabulary());
    let mut best: Option<(usize, &str)> = None;
    let mut rival = false;
    for other in known {
        if other.chars().next() != word.stem.chars().next()
            || other.chars().count() < 4
            || is_form(word, other)
            || denies(other)
        {
            continue;
        }
        let Some(slips) = words::slips(&word.stem, other, max) else { continue };
        match best {
            Some((least, found)) if least == slips && found != other && words::singular(other) != found => rival = true,
            Some((least, _)) if least <= slips => {}
            _ => {
                best = Some((slips, other));
                rival = false;
            }
        }
    }
    best.filter(|_| !rival).map(|(_, other)| other.to_owned())
}

/// What a word is read as that is a slip of another one, with the sentence that says so.
pub fn corrected(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted, Option<String>)> {
    let typed = words.first()?;
    let meant = spelling(catalogue, typed)?;
    let mut corrected = words::split(&meant);
    corrected.extend(words.iter().skip(1).cloned());
    let (length, mut span) = known(catalogue, &corrected)?;
    // "Remote" with another letter is "remove": an order to change something is not guessed from another word.
    if span.signal == Some(Signal::Role(Role::Remove)) && !has_same_letters(&typed.folded, &meant) {
        return None;
    }
    // "Wound" is a word of its own and no slip of "would", which would pass it over.
    let says_nothing = matches!(span.signal, Some(Signal::Role(Role::Ignore | Role::Link)));
    if span.names.is_empty() && span.values.is_empty() && says_nothing && is_word(&typed.folded) {
        return None;
    }
    // "Margin" is no slip of somebody called Martin, unless it is written as a name is.
    let people = |found: &Found| catalogue.people().any(|people| found.table() == Some(people));
    let somebody = span.names.is_empty() && span.signal.is_none() && !span.values.is_empty();
    if somebody && !typed.is_capitalised() && span.values.iter().all(people) {
        return None;
    }
    span.text = corrected.get(..length).map_or_else(String::new, |own| joined(own, |word| &word.raw));
    Some((length, span, Some(format!("“{}” is read as “{meant}”.", typed.raw))))
}

/// Whether letters only changed places, or one was typed twice.
fn has_same_letters(one: &str, other: &str) -> bool {
    let letters = |word: &str| word.chars().collect::<std::collections::BTreeSet<char>>();
    letters(one) == letters(&other.to_lowercase())
}
