//! What each assistant does with a message, beyond its label: pure rules with a reason for everything they decide.
//!
//! `coder` selects a behaviour and its scope, `copilot` judges complexity and what is missing, `tickets` routes within
//! a thread, `companion` extracts what a note or download is about. Next: `classify`, which joins them with the reader.

pub mod coder;
pub mod companion;
pub mod copilot;
pub mod tickets;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::pattern::Pattern;
use crate::words::{Word, Words};

/// A question back to the person, with the ways on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Clarification {
    /// The question.
    pub question: String,
    /// What can be chosen; free text is always an answer too.
    pub options: Vec<Choice>,
}

/// One way on: what a person sees, and the code that comes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Choice {
    /// As shown.
    pub label: String,
    /// The code; fixed, whatever the label says.
    pub action: &'static str,
}

impl Choice {
    /// A choice.
    #[must_use]
    pub fn new(label: impl Into<String>, action: &'static str) -> Self {
        Self { label: label.into(), action }
    }
}

/// Whether `text` could be an order that is meant: it asks nothing, says no to nothing and weighs nothing.
#[must_use]
pub fn is_plain_order(text: &str) -> bool {
    let words = Words::of(text);
    !words.asks && !words.has_any(crate::language::NEGATORS) && !words.weighs_or_forbids()
}

/// Compiles patterns of this crate's own tables.
pub(crate) fn patterns(written: &[&str]) -> Vec<Pattern> {
    let compile = |pattern: &&str| {
        #[expect(clippy::expect_used, reason = "the tables are constants, and tests use every one")]
        Pattern::compile(pattern, &BTreeMap::new()).expect("BUG: a pattern of a constant table does not compile")
    };
    written.iter().map(compile).collect()
}

/// Whether one of `patterns` covers the whole utterance, with or without its polite frame.
pub(crate) fn matches_any(patterns: &[Pattern], words: &Words) -> bool {
    patterns.iter().any(|p| p.matches(words.core()).is_some() || p.matches(&words.all).is_some())
}

/// Whether `phrase` stands somewhere in `words`, unquoted and in one piece.
pub(crate) fn says(words: &[Word], phrase: &str) -> bool {
    let parts: Vec<&str> = phrase.split(' ').collect();
    words.windows(parts.len()).any(|window| window.iter().zip(&parts).all(|(w, p)| !w.quoted && w.text == *p))
}

/// The first of `phrases` that stands in `words`.
pub(crate) fn first_said<'p>(words: &[Word], phrases: &[&'p str]) -> Option<&'p str> {
    phrases.iter().copied().find(|phrase| says(words, phrase))
}
