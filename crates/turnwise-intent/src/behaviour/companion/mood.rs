//! Whether words that sound like an order are one: what is forbidden (“don't finalize it yet”) and what is only asked
//! (“can I undo?”) changes nothing, whatever it is about. Next: `orders` for what an order carries.

use turnwise_core::later::put_off;

use super::correct::{Kind, kind};
use crate::words::{Word, Words};

/// How something is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mood {
    /// As an order, or as something told.
    Plain,
    /// As a question, or as one whether something may be done.
    Asked,
    /// As something not to do: what that is.
    Forbidden(String),
    /// As something to do later, or where something comes about: what that is.
    PutOff(String),
}

/// How `text` is said.
#[must_use]
pub fn mood(text: &str) -> Mood {
    let words = Words::of(text);
    let from = &words.all[lead_length(&words.all)..];
    if let Some(rest) = forbidden_order(text, from) {
        return Mood::Forbidden(rest);
    }
    if let Some(order) = order_put_off(text, from).filter(|_| !words.asks) {
        return Mood::PutOff(order);
    }
    let asks_leave = words.question_mark && FRAMES_OF_LEAVE.iter().any(|frame| begins(from, frame));
    if words.asks || asks_leave { Mood::Asked } else { Mood::Plain }
}

/// `text` without the yes, no or sound of starting anew before what it says: “no, the audience is locals”. The whole of
/// it where nothing else is said.
#[must_use]
pub fn without_lead(text: &str) -> &str {
    let words = Words::of(text).all;
    let lead = lead_length(&words);
    words.get(lead).and_then(|first| text.get(first.start..)).unwrap_or(text)
}

/// Whether somebody says that a setup is done, in words for being done and without taking any of it back.
#[must_use]
pub fn declares_done(text: &str) -> bool {
    let words = Words::of(text);
    let says = |all: &[&str]| words.all.iter().any(|word| all.contains(&word.text.as_str()));
    !words.asks && says(&DONE) && !says(&NOT_DONE)
}

/// Whether somebody who is asked wants to go one question back.
#[must_use]
pub fn steps_back(text: &str) -> bool {
    let words = Words::of(text);
    let said: Vec<&str> = words.core().iter().map(|word| word.text.as_str()).collect();
    STEPS_BACK.contains(&said.join(" ").as_str())
}

/// Words of yes, no or starting anew at the front; 0 where nothing else is said.
pub(super) fn lead_length(words: &[Word]) -> usize {
    let lead = words.iter().take_while(|word| LEADS.contains(&word.text.as_str())).count();
    if lead < words.len() { lead } else { 0 }
}

/// What is not to be done. What is not to be forgotten is to be kept.
fn forbidden_order(text: &str, words: &[Word]) -> Option<String> {
    let frame = FORBIDS.iter().find(|frame| begins(words, frame))?;
    let first = words.get(frame.len()).filter(|first| !["forget", "mind"].contains(&first.text.as_str()))?;
    text.get(first.start..).map(|rest| rest.trim().to_owned())
}

/// What is ordered for later: as an order is put off anywhere, or behind it a day that comes.
fn order_put_off(text: &str, words: &[Word]) -> Option<String> {
    let is_day = |word: &Word| matches!(kind(&word.text), Some(Kind::Weekday));
    let on_a_day = match words {
        [.., lead, day] => is_day(day) && ["on", "next", "this", "by"].contains(&lead.text.as_str()),
        _ => false,
    };
    let in_a_while = match words {
        [.., lead, count, unit] => {
            lead.text == "in"
                && matches!(kind(&count.text), Some(Kind::Number))
                && UNITS.contains(&unit.text.as_str().trim_end_matches('s'))
        }
        _ => false,
    };
    let behind = if in_a_while { 3 } else { 2 };
    let ends = words.get(words.len().checked_sub(behind)?).map(|first| first.start);
    let order = words.first().zip(ends).and_then(|(first, end)| text.get(first.start..end));
    let by_day = order.filter(|_| on_a_day || in_a_while).map(|order| order.trim().to_owned());
    by_day.or_else(|| put_off(text))
}

fn begins(words: &[Word], frame: &[&str]) -> bool {
    words.len() > frame.len() && words.iter().zip(frame).all(|(word, part)| !word.quoted && word.text == *part)
}

/// What forbids; the longest first.
const FORBIDS: [&[&str]; 6] = [
    &["i", "do", "not", "want", "you", "to"],
    &["i", "do", "not", "want", "to"],
    &["we", "should", "not"],
    &["you", "should", "not"],
    &["do", "not"],
    &["never"],
];

/// Spans of time that are waited for.
const UNITS: [&str; 6] = ["minute", "hour", "day", "week", "month", "year"];

/// What asks whether something may be done.
const FRAMES_OF_LEAVE: [&[&str]; 5] = [&["can", "i"], &["could", "i"], &["may", "i"], &["can", "we"], &["could", "we"]];

/// Words before what is said.
const LEADS: [&str; 21] = [
    "no",
    "nope",
    "yes",
    "yeah",
    "yep",
    "sure",
    "right",
    "ok",
    "oh",
    "oops",
    "ah",
    "well",
    "but",
    "and",
    "actually",
    "wait",
    "sorry",
    "correction",
    "hm",
    "hmm",
    "please",
];

/// Words for being done.
const DONE: [&str; 27] = [
    "finalize",
    "finalise",
    "finalized",
    "finalised",
    "finish",
    "finished",
    "complete",
    "completed",
    "done",
    "ready",
    "correct",
    "right",
    "good",
    "fine",
    "everything",
    "all",
    "official",
    "confirm",
    "confirmed",
    "approved",
    "seal",
    "lock",
    "wrap",
    "close",
    "live",
    "covers",
    "looks",
];

/// Words that take it back.
const NOT_DONE: [&str; 13] = [
    "not",
    "never",
    "no",
    "wrong",
    "incorrect",
    "missing",
    "yet",
    "until",
    "before",
    "unless",
    "show",
    "change",
    "how",
];

/// Ways to ask for the question before.
const STEPS_BACK: [&str; 9] = [
    "go back",
    "back",
    "step back",
    "go back one",
    "go back one step",
    "go back a step",
    "one step back",
    "go back one question",
    "previous question",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forbidden_or_asked_is_no_order() {
        let forbidden = |rest: &str| Mood::Forbidden(rest.to_owned());
        let later = |rest: &str| Mood::PutOff(rest.to_owned());
        for (said, how) in [
            ("don't finalize it", forbidden("finalize it")),
            ("no, do not save note 1", forbidden("save note 1")),
            ("please don't switch to Barn", forbidden("switch to Barn")),
            ("I don't want to delete the project", forbidden("delete the project")),
            ("is the setup complete?", Mood::Asked),
            ("how do I finalize?", Mood::Asked),
            ("delete note 1 if Ben agrees", later("delete note 1")),
            ("delete note 1 tomorrow", later("delete note 1")),
            ("if Ben agrees, delete note 1", later("delete note 1")),
            ("take back note 2 on Friday", later("take back note 2")),
            ("please delete note 1 in two weeks", later("delete note 1")),
            ("delete the second note", Mood::Plain),
            ("save note 2 once more", Mood::Plain),
            ("can I undo?", Mood::Asked),
            ("can you undo that?", Mood::Plain),
            ("do not forget that Anna signs", Mood::Plain),
            ("never mind", Mood::Plain),
            ("finalize it", Mood::Plain),
        ] {
            assert_eq!(mood(said), how, "{said}");
        }
    }

    #[test]
    fn a_setup_is_done_only_where_it_is_said_to_be() {
        for said in ["I'm done with the setup", "yes, this is ready, make it official", "all six fields are right"] {
            assert!(declares_done(said), "{said}");
        }
        for said in ["the setup is wrong", "show me the setup", "not ready yet", "is it complete?"] {
            assert!(!declares_done(said), "{said}");
        }
        assert_eq!(without_lead("no, the audience is locals"), "the audience is locals");
        assert_eq!(without_lead("yes, but call it Harbour"), "call it Harbour");
        assert_eq!(without_lead("no"), "no");
        assert!(steps_back("go back") && !steps_back("go back to the barn"));
    }
}
