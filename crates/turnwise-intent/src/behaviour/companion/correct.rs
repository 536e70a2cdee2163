//! Corrections: “no wait, the keel bolts are not fine”, “make that Tuesday”, “sorry, the third drainpipe”. What stands
//! behind the opening is what holds, as a whole or in place of a word of its kind. Next: `orders`, for notes that are
//! named.

use std::sync::LazyLock;

use turnwise_core::numerals::{number_of, ordinal_of};

use super::mood::lead_length;
use crate::behaviour::patterns;
use crate::pattern::Pattern;
use crate::words::{Word, Words};

/// What opens a correction.
static OPENINGS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(no|oh|ok|ah|hm|oops|sorry|argh)? (wait|hang on|hold on) (no|sorry|actually)?",
        "(no|oh|ok|ah|hm|oops|wait)? (sorry|actually|correction|i mean|i meant|i meant to say|scratch that)",
        "(no|oh|ok|sorry|wait|actually)? (make|call) (that|it)",
        "(no|oh|ok|sorry|wait)? on second thought",
        "(no|oh|ok|sorry|wait)? (that|it) is not (right|true|correct)",
        "(no|oh|ok|sorry|wait)? that (is|was) wrong",
    ])
});

/// Words of a thing that comes to what is there: then nothing is corrected.
const ADDS: [&str; 4] = ["too", "also", "as", "another"];

/// Words that end an opening and may begin what is told as well: “wait until it is dry”, “hang on to the receipts”.
const TAKING_MORE: [&str; 4] = ["wait", "on", "mean", "meant"];

/// What follows them there.
const TAKEN: [&str; 5] = ["for", "until", "till", "to", "with"];

/// Words up to the verb of what a contrast is about.
const SUBJECT_WORDS: usize = 7;

/// Words of each side of a contrast.
const CONTRAST_WORDS: usize = 4;

/// A word of which there are only a few, so that one stands for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A day of the week.
    Weekday,
    /// A month.
    Month,
    /// A place in a row: “third”, “3rd”.
    Place,
    /// A number, in digits or as a word, with what hangs on it: “22k”, “8:30”.
    Number,
}

/// What a correction says, without its opening; none where the message opens like none.
#[must_use]
pub fn correction(text: &str) -> Option<String> {
    let words = Words::of(text).all;
    let longest = |from: usize| OPENINGS.iter().filter_map(|opening| opening.longest_prefix(&words[from..])).max();
    // One may open behind another: “sorry, I meant Anna”.
    let mut opening = 0;
    while let Some(more) = longest(opening).filter(|more| *more > 0 && opening + more < words.len()) {
        opening += more;
    }
    if opening == 0 {
        opening = longest(0).unwrap_or_default();
    }
    // “no” alone opens one where a pause follows.
    let is_no = words.first().is_some_and(|first| first.text == "no" && first.pause_after);
    let opening = Some(opening.max(usize::from(is_no))).filter(|most| *most > 0)?;
    let adds = words[opening..].iter().any(|word| ADDS.contains(&word.text.as_str()));
    let goes_on = |last: &Word, first: &Word| {
        !last.pause_after && TAKING_MORE.contains(&last.text.as_str()) && TAKEN.contains(&first.text.as_str())
    };
    let first = words.get(opening).filter(|first| !adds && !goes_on(&words[opening - 1], first))?;
    Some(text.get(first.start..)?.trim().trim_end_matches(['.', '!', ';', ',']).to_owned())
}

/// What does not hold and what does instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// Of what; empty where it is only pointed at: “it”.
    pub subject: String,
    /// What does not hold.
    pub old: String,
    /// What does.
    pub new: String,
}

/// What does not hold and what does instead: “it isn't 4711, it's 4712”, “not Monday but Sunday”, “the paint isn't red,
/// it's blue”.
#[must_use]
pub fn contrast(text: &str) -> Option<Contrast> {
    let all = Words::of(text).all;
    let says = |at: usize, any: &[&str]| all.get(at).is_some_and(|word| any.contains(&word.text.as_str()));
    let lead = lead_length(&all);
    let points = says(lead, &["it", "that"]) && says(lead + 1, &["is", "was"]);
    let named = (lead + 1..all.len().min(lead + SUBJECT_WORDS))
        .find(|at| says(*at, &["is", "was", "are", "were"]) && says(*at + 1, &["not"]));
    let (subject, of) = match (points, named) {
        (true, _) => (lead + 2, None),
        (false, Some(at)) if !says(lead, &["it", "that"]) => (at + 1, Some((lead, at - 1))),
        (false, _) => (lead, None),
    };
    let old = subject + 1;
    // What stands between the pause, or “but”, and the end is what holds.
    let end = (old..all.len()).find(|at| says(at + 1, &["but"]) || all[*at].pause_after)?;
    let mut new = end + 1 + usize::from(says(end + 1, &["but"]));
    if says(new, &["it", "that", "they"]) && says(new + 1, &["is", "was", "are"]) {
        new += 2;
    }
    let is_short = end < old + CONTRAST_WORDS && all.len() <= new + CONTRAST_WORDS;
    if !says(subject, &["not"]) || !is_short || new >= all.len() {
        return None;
    }
    let cut = |from: usize, to: usize| text.get(all[from].start..all[to].end).map(str::to_owned);
    let subject = of.and_then(|(from, to)| cut(from, to)).unwrap_or_default();
    Some(Contrast { subject, old: cut(old, end)?, new: cut(new, all.len() - 1)? })
}

/// Of what kind a word is, where it is of one.
#[must_use]
pub fn kind(word: &str) -> Option<Kind> {
    if WEEKDAYS.contains(&word.strip_suffix('s').unwrap_or(word)) {
        return Some(Kind::Weekday);
    }
    if MONTHS.contains(&word) {
        return Some(Kind::Month);
    }
    if word == "last" || ordinal_of(word).is_some() {
        return Some(Kind::Place);
    }
    let is_number = number_of(word).is_some()
        || MORE_NUMBERS.contains(&word)
        || word.starts_with(|first: char| first.is_ascii_digit());
    is_number.then_some(Kind::Number)
}

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Numbers above those that are counted by.
const MORE_NUMBERS: [&str; 11] =
    ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "dozen"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_the_opening_holds() {
        for (said, holds) in [
            ("no wait, the keel bolts are not fine", Some("the keel bolts are not fine")),
            ("make that Tuesday at 8 for the plumber.", Some("Tuesday at 8 for the plumber")),
            ("Sorry, the third drainpipe", Some("the third drainpipe")),
            ("actually the fuel stop is Cherbourg now", Some("the fuel stop is Cherbourg now")),
            ("actually, Wednesdays work too", None),
            ("no, 85 an hour", Some("85 an hour")),
            ("no jargon", None),
            ("the plumber comes on Monday", None),
            ("Sorry, I meant Anna", Some("Anna")),
            ("No, wait. Thursday.", Some("Thursday")),
            ("sorry", None),
            ("wait until the glue is dry", None),
            ("Hang on to the receipts", None),
            ("I mean to paint the fence", None),
            ("no wait, to the left", Some("to the left")),
        ] {
            assert_eq!(correction(said).as_deref(), holds, "{said}");
        }
    }

    #[test]
    fn what_does_not_hold_stands_beside_what_does() {
        for (said, subject, old, new) in [
            ("it isn't 4711, it's 4712", "", "4711", "4712"),
            ("not Monday but Sunday", "", "Monday", "Sunday"),
            ("no, not the red gate, the green one", "", "the red gate", "the green one"),
            ("the paint isn't red, it's blue", "the paint", "red", "blue"),
            ("No, the gates are not red but green.", "the gates", "red", "green"),
        ] {
            let (subject, old, new) = (subject.to_owned(), old.to_owned(), new.to_owned());
            assert_eq!(contrast(said), Some(Contrast { subject, old, new }), "{said}");
        }
        for said in ["the gate is not red", "not now", "Monday, not Sunday"] {
            assert_eq!(contrast(said), None, "{said}");
        }
    }

    #[test]
    fn a_word_of_a_kind_stands_for_another_of_it() {
        for (word, of) in [
            ("tuesday", Some(Kind::Weekday)),
            ("mondays", Some(Kind::Weekday)),
            ("may", Some(Kind::Month)),
            ("third", Some(Kind::Place)),
            ("14th", Some(Kind::Place)),
            ("22k", Some(Kind::Number)),
            ("eight", Some(Kind::Number)),
            ("plumber", None),
        ] {
            assert_eq!(kind(word), of, "{word}");
        }
    }
}
