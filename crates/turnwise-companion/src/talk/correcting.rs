//! Corrections of what was just told: the note that is meant says from then on what holds, instead of standing beside
//! its opposite. What is only named anew (“make that Tuesday”) takes the place of the word of its kind. Next: `draft`.

use turnwise_core::text;
use turnwise_intent::behaviour::companion::{Kind, correction, kind, knowledge_text};

use super::past::{alike, says_much};
use super::place::Place;
use crate::store::{Note, Project, StoreError, Wanted};

impl Place<'_> {
    /// The note of `project` that a message corrects, and what it says from now on.
    pub(super) fn corrected(&self, project: &Project, said: &str) -> Result<Option<(Note, String)>, StoreError> {
        let Some(holds) = correction(said).map(|holds| knowledge_text(&holds)) else { return Ok(None) };
        let mut notes = self.store.notes(&self.person, &project.id, &Wanted::default(), self.now_ms, LATEST)?;
        let older = self.store.search(&self.person, &project.id, &naming(&holds), self.now_ms)?;
        notes.extend(older);
        let fitting = notes.into_iter().filter_map(|note| {
            let (fits, text) = rewritten(&holds, &note.text)?;
            Some((fits, note, text))
        });
        // The best; of several the one told last.
        let best = fitting.max_by_key(|(fits, note, _)| (*fits, note.number));
        Ok(best.map(|(_, note, text)| (note, text)))
    }
}

/// What a note that says `told` says where `holds` corrects it, and how many words tell that it is meant.
fn rewritten(holds: &str, told: &str) -> Option<(usize, String)> {
    let (named, kept) = (naming(holds), naming(told));
    let shared = named.iter().filter(|word| kept.iter().any(|other| alike(word, other))).count();
    if let Some(text) = replaced_in_kind(holds, told).filter(|_| shared == named.len()) {
        return Some((shared + 1, text));
    }
    if let Some(text) = replaced_in_place(holds, told) {
        return Some((1, text));
    }
    let is_about_it = shared > 0 && shared * 2 >= kept.len();
    let says_something = text::words(holds).len() >= STATEMENT_WORDS;
    (is_about_it && says_something && holds != told).then(|| (shared, holds.to_owned()))
}

/// `told` with each word of a kind that `holds` has in the place of its like; none where they do not match one by one,
/// or nothing changes.
fn replaced_in_kind(holds: &str, told: &str) -> Option<String> {
    let (new, old) = (of_a_kind(holds), of_a_kind(told));
    let mut places: Vec<(usize, usize, &str)> = Vec::new();
    for wanted in [Kind::Weekday, Kind::Month, Kind::Place, Kind::Number] {
        let of = |all: &[(Kind, usize, usize)]| {
            all.iter().filter(|(kind, ..)| *kind == wanted).map(|(_, at, end)| (*at, *end)).collect::<Vec<_>>()
        };
        let (new, old) = (of(&new), of(&old));
        if new.is_empty() {
            continue;
        }
        if new.len() != old.len() {
            return None;
        }
        places.extend(old.into_iter().zip(new).map(|((at, end), (from, to))| (at, end, &holds[from..to])));
    }
    places.sort_unstable();
    let mut text = told.to_owned();
    for (at, end, new) in places.into_iter().rev() {
        text.replace_range(at..end, new);
    }
    (text != told).then_some(text)
}

/// `told` with what stands behind the same words as in `holds`, which begins with where something is: “on the right”
/// for “the tubs go on the left”; none where that is not told once.
fn replaced_in_place(holds: &str, told: &str) -> Option<String> {
    let new: Vec<&str> = holds.split_whitespace().collect();
    let old: Vec<&str> = told.split_whitespace().collect();
    let lead = new.iter().take_while(|word| !says_much(&word.to_lowercase()) || PLACING.contains(word)).count();
    if !new.first().is_some_and(|first| PLACING.contains(first)) || lead == new.len() || new.len() > lead + PLACE_WORDS
    {
        return None;
    }
    let mut begins = (0..old.len()).filter(|at| old[*at..].starts_with(&new[..lead]) && at + lead < old.len());
    let (at, None) = (begins.next()?, begins.next()) else { return None };
    let rest = old.get(at + new.len()..).unwrap_or_default();
    let text = [&old[..at], &new[..], rest].concat().join(" ");
    (text != told).then_some(text)
}

/// The words of a text that are of a kind, with where they stand.
fn of_a_kind(said: &str) -> Vec<(Kind, usize, usize)> {
    let mut found = Vec::new();
    let mut begun: Option<usize> = None;
    let letters: Vec<(usize, char)> = said.char_indices().chain([(said.len(), ' ')]).collect();
    for (index, (at, letter)) in letters.iter().enumerate() {
        let goes_on = matches!(letter, '.' | ',' | ':')
            && index > 0
            && letters[index - 1].1.is_ascii_digit()
            && letters.get(index + 1).is_some_and(|(_, next)| next.is_ascii_digit());
        match (letter.is_alphanumeric() || goes_on, begun) {
            (true, None) => begun = Some(*at),
            (false, Some(from)) => {
                let of = kind(&said[from..*at].to_lowercase());
                found.extend(of.map(|of| (of, from, *at)));
                begun = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    found
}

/// The words of a text that name something and are of no kind.
fn naming(said: &str) -> Vec<String> {
    let names = |word: &String| says_much(word) && kind(word).is_none() && !BESIDE.contains(&word.as_str());
    text::words(said).into_iter().filter(names).collect()
}

/// Words of a statement that name nothing.
const BESIDE: [&str; 12] = ["at", "not", "now", "only", "he", "she", "they", "be", "will", "also", "then", "instead"];
/// What begins with where something is.
const PLACING: [&str; 10] = ["on", "in", "at", "by", "behind", "under", "over", "with", "from", "to"];
/// Words of a place that is named anew.
const PLACE_WORDS: usize = 2;
/// Notes told last, of which one is meant where a correction names nothing.
const LATEST: usize = 20;
/// Words of something that can stand as a note.
const STATEMENT_WORDS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_rewrites_the_note_that_it_is_about_and_no_other() {
        for (holds, told, text) in [
            ("Tuesday at 8 for the plumber", "plumber comes Monday at 8", Some("plumber comes Tuesday at 8")),
            (
                "the third drainpipe",
                "the key hangs behind the second drainpipe",
                Some("the key hangs behind the third drainpipe"),
            ),
            ("15,200", "rewiring is 14,300 euros", Some("rewiring is 15,200 euros")),
            ("the fuel stop is Cherbourg", "fuel stop is in Brest", Some("the fuel stop is Cherbourg")),
            ("on the right", "the tubs go on the left", Some("the tubs go on the right")),
            ("on the right", "the mint has its own pot", None),
            ("the stove is green", "fuel stop is in Brest", None),
            ("Tuesday", "fuel stop is in Brest", None),
            ("the plumber", "plumber comes Monday at 8", None),
        ] {
            assert_eq!(rewritten(holds, told).map(|(_, text)| text).as_deref(), text, "{holds} of {told}");
        }
    }
}
