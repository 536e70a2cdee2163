//! Orders over all notes but some: “save everything but note 2”, “delete all my notes except the one about the keel”.
//! What is left out stands last, so that an order that is read by what it names would do the opposite. Next: `taken`.

use super::mood::lead_length;
use crate::words::{Word, Words};

/// An order over all notes but some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllBut {
    /// What is done with the others.
    pub does: Does,
    /// What is meant at first, as it was written: “all my notes”, “notes 1-5”.
    pub of: String,
    /// What is left out, as it was written: “note 2”, “the one about the keel”.
    pub kept: String,
}

/// What is done with notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// They are saved.
    Saves,
    /// They are taken back.
    TakesBack,
}

/// The order of `text` over all notes but some, where it is one.
#[must_use]
pub fn all_but(text: &str) -> Option<AllBut> {
    let words = Words::of(text);
    if words.asks || words.all.iter().any(|word| word.quoted) {
        return None;
    }
    let all = &words.all[..words.core.end];
    let cut = |from: &Word, to: &Word| text.get(from.start..to.end).map(str::to_owned);
    let lead = lead_length(all);
    // “except for note 1, save all of them”.
    if let Some(length) = exception(&all[lead..]) {
        let kept = lead + length;
        let end = (kept..all.len()).find(|at| all[*at].pause_after)?;
        let (does, of) = does(all, end + 1)?;
        let is_all = all.len() > of && all[of..].iter().all(is_of_notes);
        return is_all
            .then(|| Some(AllBut { does, of: cut(&all[of], all.last()?)?, kept: cut(&all[kept], &all[end])? }))?;
    }
    let frame = all[lead..].iter().take_while(|word| POLITE.contains(&word.text.as_str())).count();
    let (does, of) = does(all, lead + frame)?;
    let (end, kept) = (of..all.len()).find_map(|at| Some((at, at + exception(&all[at..])?)))?;
    let (first, last) = (all.get(of)?, all.get(end.checked_sub(1)?)?);
    let named = all.get(kept)?;
    let names_some = all[kept..].iter().any(|word| !OF_NO_NOTE.contains(&word.text.as_str()));
    if end <= of || !names_some || !all[of..end].iter().all(is_of_notes) {
        return None;
    }
    Some(AllBut { does, of: cut(first, last)?, kept: cut(named, all.last()?)? })
}

/// Whether a word speaks of notes and names none by what it is about.
fn is_of_notes(word: &Word) -> bool {
    OF_NOTES.contains(&word.text.as_str()) || word.text.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether a message begins like an order about notes or a project, whatever else it says.
#[must_use]
pub fn begins_an_order(text: &str) -> bool {
    let all = Words::of(text).all;
    let lead = lead_length(&all);
    let at = lead + all[lead..].iter().take_while(|word| POLITE.contains(&word.text.as_str())).count();
    does(&all, at).is_some() || all.get(at).is_some_and(|verb| ORDERS.contains(&verb.text.as_str()))
}

/// What the verb at `at` does with notes, and where what it does it with begins.
fn does(words: &[Word], at: usize) -> Option<(Does, usize)> {
    let begins = |verb: &&[&str]| {
        words.get(at..at + verb.len()).is_some_and(|said| said.iter().zip(*verb).all(|(word, part)| word.text == *part))
    };
    let longest =
        |verbs: &[&'static [&'static str]]| verbs.iter().filter(|verb| begins(verb)).map(|verb| verb.len()).max();
    match (longest(&SAVES), longest(&TAKES_BACK)) {
        (Some(length), _) => Some((Does::Saves, at + length)),
        (None, Some(length)) => Some((Does::TakesBack, at + length)),
        (None, None) => None,
    }
}

/// How many words at the beginning leave out what follows them.
fn exception(words: &[Word]) -> Option<usize> {
    let begins = |phrase: &&[&str]| {
        words.len() > phrase.len() && words.iter().zip(*phrase).all(|(word, part)| word.text == *part)
    };
    EXCEPTIONS.iter().filter(|phrase| begins(phrase)).map(|phrase| phrase.len()).max()
}

/// What saves notes.
const SAVES: [&[&str]; 5] = [&["save"], &["keep"], &["store"], &["confirm"], &["commit"]];
/// What takes notes back.
const TAKES_BACK: [&[&str]; 16] = [
    &["delete"],
    &["remove"],
    &["drop"],
    &["discard"],
    &["retract"],
    &["withdraw"],
    &["erase"],
    &["scrap"],
    &["scratch"],
    &["forget"],
    &["take", "back"],
    &["get", "rid", "of"],
    &["throw", "out"],
    &["throw", "away"],
    &["clear"],
    &["bin"],
];
/// What begins other orders than those that save or take back.
const ORDERS: [&str; 18] = [
    "undo", "revert", "take", "finalize", "finalise", "finish", "leave", "quit", "invite", "share", "uninvite",
    "export", "rename", "call", "group", "ungroup", "join", "decline",
];
/// Words that ask for something before it is said.
const POLITE: [&str; 22] = [
    "i", "we", "would", "like", "want", "need", "you", "to", "can", "could", "will", "please", "let", "us", "just",
    "then", "so", "now", "go", "ahead", "and", "do",
];
/// Words that speak of notes and name none by what it is about.
const OF_NOTES: [&str; 26] = [
    "all",
    "everything",
    "every",
    "each",
    "note",
    "notes",
    "of",
    "the",
    "my",
    "our",
    "them",
    "it",
    "these",
    "those",
    "that",
    "this",
    "waiting",
    "new",
    "single",
    "one",
    "ones",
    "number",
    "numbers",
    "to",
    "and",
    "through",
];
/// What follows an exception that leaves no note out: “but not now”.
const OF_NO_NOTE: [&str; 6] = ["not", "now", "yet", "today", "only", "please"];
/// What leaves out what follows.
const EXCEPTIONS: [&[&str]; 22] = [
    &["except"],
    &["except", "for"],
    &["except", "the"],
    &["but"],
    &["but", "not"],
    &["but", "for"],
    &["apart", "from"],
    &["aside", "from"],
    &["other", "than"],
    &["save", "for"],
    &["besides"],
    &["without"],
    &["excluding"],
    &["excepting"],
    &["barring"],
    &["bar"],
    &["minus"],
    &["with", "the", "exception", "of"],
    &["with", "exception", "of"],
    &["only", "not"],
    &["just", "not"],
    &["and", "not"],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_told_from_what_is_meant() {
        for (said, does, of, kept) in [
            ("delete all notes except note 1", Does::TakesBack, "all notes", "note 1"),
            ("save everything but note 2", Does::Saves, "everything", "note 2"),
            ("save all but note 3", Does::Saves, "all", "note 3"),
            ("I'd like you to save all my notes except note 2", Does::Saves, "all my notes", "note 2"),
            ("please keep all of them apart from 2 and 4.", Does::Saves, "all of them", "2 and 4"),
            ("take back notes 1-5 but not 3", Does::TakesBack, "notes 1-5", "3"),
            ("get rid of everything other than the keel note", Does::TakesBack, "everything", "the keel note"),
            ("save all notes with the exception of the last one", Does::Saves, "all notes", "the last one"),
            ("except for note 1, save all of them", Does::Saves, "all of them", "note 1"),
            ("Save the notes, except for the one about the sail", Does::Saves, "the notes", "the one about the sail"),
        ] {
            let expected = AllBut { does, of: of.to_owned(), kept: kept.to_owned() };
            assert_eq!(all_but(said), Some(expected), "{said}");
        }
        for said in [
            "we save all the money except the deposit",
            "don't save all notes but note 2",
            "save note 2",
            "can you show everything but note 2?",
            "everybody comes except Ben",
            "keep the gate shut except on Sundays",
            "delete note 2, but not now",
            "save all notes but",
        ] {
            assert!(all_but(said).is_none(), "{said}: {:?}", all_but(said));
        }
    }
}
