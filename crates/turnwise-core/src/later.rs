//! When a request is to be done, said around it: "after that, …", "… afterwards", "and then …". It is no part of what
//! the request is, and it says that another one stands before it. Next: `decide`, whose queue keeps what comes later.

use crate::brake::spans;
use crate::doubt::{Doubt, doubted};

/// What is ordered, in lower case, where it is put off or hangs on something: “later”, “tomorrow”, “when it is done”,
/// “if Ben agrees”.
#[must_use]
pub fn put_off(order: &str) -> Option<String> {
    doubted(order).filter(|found| found.how == Doubt::Later).map(|found| found.order)
}

/// The words of a task without those that say when: "after that, …", "… afterwards".
#[must_use]
pub fn without_time(words: &str) -> &str {
    let found = spans(words);
    let fits = |at: usize, phrase: &str| {
        let parts = phrase.split(' ').count();
        at + parts <= found.len() && phrase.split(' ').zip(&found[at..]).all(|(part, (word, _, _))| part == word)
    };
    let length = |phrase: &str| phrase.split(' ').count();
    let (mut first, mut end) = (0, found.len());
    while let Some(phrase) = BEFOREHAND.iter().filter(|phrase| fits(first, phrase)).max_by_key(|one| length(one)) {
        first += length(phrase);
    }
    while let Some(phrase) = BEHIND.iter().find(|phrase| end >= length(phrase) && fits(end - length(phrase), phrase)) {
        end -= length(phrase);
    }
    if first >= end {
        return words;
    }
    let (start, stop) = (found[first].1, if end == found.len() { words.len() } else { found[end - 1].2 });
    words[start..stop].trim()
}

/// What says before a task that it is to come later.
const BEFOREHAND: [&str; 27] = [
    "after that",
    "after this",
    "after it",
    "afterwards",
    "afterward",
    "then",
    "and then",
    "and",
    "next",
    "later",
    "and after that",
    "when that is done",
    "when this is done",
    "when it is done",
    "when it's done",
    "when that's done",
    "once that is done",
    "once this is done",
    "once it is done",
    "once it's done",
    "once that's done",
    "when done",
    "once done",
    "when you are done",
    "when you're done",
    "after the run",
    "when the run is over",
];
/// What says it behind.
const BEHIND: [&str; 12] = [
    "after that",
    "after this",
    "afterwards",
    "afterward",
    "next",
    "later",
    "when it is done",
    "when it's done",
    "when that is done",
    "once it is done",
    "when you are done",
    "after the run",
];
