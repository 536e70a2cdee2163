//! What a message wants taken back, forgotten or saved, where it says so by what it is about and not by a number:
//! “delete the note about the band”, “save the one about the keel”, “forget that I'm allergic to bees”. Next: `orders`.

use std::sync::LazyLock;

use super::mood::lead_length;
use crate::behaviour::{matches_any, patterns};
use crate::pattern::Pattern;
use crate::words::Words;

/// What takes back what was said just now, as a whole.
static TAKES_IT_BACK: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(no|oh|ok|actually|sorry|ah|wait)? never mind (that|it|this|then|about (it|that))?",
        "(no|oh|ok|actually|sorry|please|just|wait)? (scrap|scratch|strike|forget|drop|ignore|cancel) (it|that|this|that one|the last one|what i said|what i just said) (please|again)?",
        "(no|oh|ok|actually|sorry|please|just|wait)? (delete|remove|discard|retract) (it|that|this|that one|the last one) (please|again)?",
        "(no|oh|actually|sorry)? (i)? take (it|that|this) back (again)?",
        "(no|oh|actually|sorry)? (i)? take back (what i said|what i just said|that|it)",
    ])
});

/// What is said around it and takes nothing back by itself.
static AROUND_IT: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    patterns(&[
        "(no|oh|ok|actually|sorry|ah|wait|oops|hm|please|thanks) (no|wait|sorry)?",
        "(no|oh|sorry)? (that|it|this) (was|is) (wrong|a mistake|not right|not true|nonsense|not correct|not it)",
        "my (mistake|bad|fault)",
    ])
});

/// What stands before the topic of a note.
const OF_A_NOTE: [&str; 11] = [
    " note about ",
    " notes about ",
    " one about ",
    " ones about ",
    " note on ",
    " notes on ",
    " note saying ",
    " note that says ",
    " note which says ",
    " note where ",
    " note with ",
];

/// What saves.
const SAVES: [&str; 4] = ["save", "keep", "store", "confirm"];

/// Words that point at what was said and say nothing themselves.
const POINTING: [&str; 24] = [
    "it",
    "them",
    "em",
    "that",
    "this",
    "these",
    "those",
    "all",
    "of",
    "everything",
    "both",
    "so",
    "far",
    "then",
    "please",
    "too",
    "now",
    "i",
    "you",
    "told",
    "said",
    "the",
    "whole",
    "lot",
];

/// What stands before what is to be forgotten, at the beginning; the first that fits counts.
const FORGETS: [&str; 11] = [
    "forget what i said about ",
    "forget what i told you about ",
    "forget what you know about ",
    "forget the note about ",
    "forget everything about ",
    "forget that ",
    "forget about ",
    "please forget that ",
    "please forget about ",
    "please forget what i said about ",
    "forget the ",
];

/// What stands before a topic whatever it is called.
const ABOUT: &str = " about ";

/// What stands around a topic that is named with the note: “the band note”.
const AROUND_A_TOPIC: [(&str, &str); 2] = [(" the ", " note"), (" the ", " notes")];

/// What a note is called that is meant by its place or its state, and not by what it is about.
const OF_NO_TOPIC: [&str; 20] = [
    "last", "latest", "first", "newest", "oldest", "waiting", "new", "previous", "other", "same", "saved", "unsaved",
    "two", "three", "four", "five", "both", "all", "few", "wrong",
];

/// What is to be taken back or saved, as the person wrote it; `None` where the last thing is meant, or a number.
#[must_use]
pub fn taken_topic(text: &str) -> Option<String> {
    // Letters keep their places, so that what is found in lower case is cut out of what was written.
    let lower = text.to_ascii_lowercase();
    let begun = FORGETS.iter().find(|sign| lower.starts_with(**sign)).map(|sign| sign.len());
    let of_a_note = || OF_A_NOTE.iter().filter_map(|sign| lower.find(sign).map(|at| at + sign.len())).min();
    // “scratch that about the basil”, “drop the bit about the band”.
    let behind = || of_a_note().or_else(|| lower.find(ABOUT).map(|at| at + ABOUT.len()));
    let Some(begin) = begun.or_else(behind) else { return with_the_note(text.trim_end_matches(['.', '!', '?', ' '])) };
    let topic = text.get(begin..)?.trim().trim_end_matches(['.', '!', '?']).trim_matches(['"', '“', '”']);
    (!topic.is_empty()).then(|| topic.to_owned())
}

/// Whether something is to be saved that was said before: it is only pointed at.
#[must_use]
pub fn saves_what_was_said(text: &str) -> bool {
    let words = Words::of(text);
    let core = words.core();
    let core = &core[lead_length(core)..];
    let saves = core.first().is_some_and(|first| SAVES.contains(&first.text.as_str()));
    saves && core.len() > 1 && core[1..].iter().all(|word| POINTING.contains(&word.text.as_str()))
}

/// Whether a message only takes back what was said just now: “never mind”, “scrap that”, “that was wrong, delete it”.
#[must_use]
pub fn takes_it_back(text: &str) -> bool {
    let pieces: Vec<&str> = text.split([',', ';', '.', '!', '\n']).filter(|piece| !piece.trim().is_empty()).collect();
    let fits = |all: &[Pattern], piece: &str| matches_any(all, &Words::of(piece));
    let takes = |piece: &&str| fits(&TAKES_IT_BACK, piece);
    !text.contains('?')
        && pieces.iter().any(takes)
        && pieces.iter().all(|piece| takes(piece) || fits(&AROUND_IT, piece))
}

/// “the band” of “delete the band note”.
fn with_the_note(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let around = |(before, behind): &(&str, &str)| {
        let (begin, end) = (lower.find(before)? + before.len(), lower.strip_suffix(behind)?.len());
        text.get(begin..end).map(str::trim)
    };
    let topic = AROUND_A_TOPIC.iter().find_map(around)?;
    let says = |word: &str| !OF_NO_TOPIC.contains(&word) && word.parse::<u32>().is_err();
    topic.to_ascii_lowercase().split_whitespace().any(says).then(|| topic.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pointed_at_is_saved_and_what_is_told_is_not() {
        for said in ["great, save all of that", "please save everything so far", "save them then", "yes keep all that"]
        {
            assert!(saves_what_was_said(said), "{said}");
        }
        for said in ["save the date", "keep the gate shut", "save", "all of that"] {
            assert!(!saves_what_was_said(said), "{said}");
        }
    }

    #[test]
    fn what_was_said_just_now_is_taken_back_by_pointing_at_it() {
        for said in [
            "never mind",
            "scrap that",
            "I take that back",
            "that was wrong, delete it",
            "forget it",
            "Oh no, scratch that.",
        ] {
            assert!(takes_it_back(said), "{said}");
        }
        for said in
            ["that was wrong", "forget the mint", "never mind the gap", "scrap the old sail", "delete it?", "no"]
        {
            assert!(!takes_it_back(said), "{said}");
        }
    }

    #[test]
    fn what_is_taken_back_is_named_by_what_it_is_about() {
        for (said, topic) in [
            ("delete the note about the band", Some("the band")),
            ("Forget that I'm allergic to bees.", Some("I'm allergic to bees")),
            ("remove the note saying “soil is clay”", Some("soil is clay")),
            ("forget what I said about Rosa", Some("Rosa")),
            ("save the one about the keel", Some("the keel")),
            ("delete the mast note.", Some("mast")),
            ("forget the mint", Some("mint")),
            ("scratch that about the basil", Some("the basil")),
            ("drop the thing about the autopilot", Some("the autopilot")),
            ("delete the last two notes", None),
            ("save the waiting notes", None),
            ("delete the note", None),
            ("delete note 2", None),
            ("delete the last note", None),
            ("take it back", None),
        ] {
            assert_eq!(taken_topic(said).as_deref(), topic, "{said}");
        }
    }
}
