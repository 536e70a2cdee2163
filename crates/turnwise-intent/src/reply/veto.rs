//! What keeps words from being consent, however much like a yes they are.
//!
//! The head of replies says how likely words are a yes; a veto says what in them might make it none. Both are asked,
//! and neither can outvote the other: a likelihood cannot tell "fine" from "fine if legal agrees" often enough, and a
//! list of words cannot tell a yes from praise. Words that stand in no yes that was learned from are a veto of their
//! own, so that a name, a number or an order somebody never thought of here is asked back. Next: `learned`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::phrases::{Phrases, occurs, sections_of};
use crate::pattern::Pattern;
use crate::words::Words;

/// Why words are not taken for consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Veto {
    /// They ask something.
    Question,
    /// They quote somebody, or hold the place of an answer.
    Quotation,
    /// They depend on something.
    Condition,
    /// They want something different.
    Change,
    /// They say no to something.
    Negation,
    /// They tell of what others said, or of another time.
    Report,
    /// They are unsure or not meant.
    Hedge,
    /// They put it off.
    Time,
    /// They praise, which is no decision.
    Praise,
    /// They are nothing but courtesy.
    Courtesy,
    /// They have words that stand in no yes.
    Unheard,
}

impl Veto {
    /// Whether it leaves no doubt: a question is answered and a no is none, neither is asked back.
    #[must_use]
    pub fn is_plain(self) -> bool {
        match self {
            Self::Question | Self::Quotation | Self::Negation | Self::Courtesy => true,
            Self::Condition | Self::Change | Self::Report | Self::Hedge | Self::Time | Self::Praise | Self::Unheard => {
                false
            }
        }
    }
}

struct Vetoes(Vec<(Veto, Vec<Pattern>)>);

static VETOES: LazyLock<Vetoes> = LazyLock::new(Vetoes::compile);

const NAMED: [(&str, Veto); 7] = [
    ("condition", Veto::Condition),
    ("change", Veto::Change),
    ("negation", Veto::Negation),
    ("report", Veto::Report),
    ("hedge", Veto::Hedge),
    ("time", Veto::Time),
    ("praise", Veto::Praise),
];

impl Vetoes {
    fn compile() -> Self {
        let sections = sections_of(include_str!("../../data/replies/vetoes.txt"));
        let compiled = |name: &str| -> Vec<Pattern> {
            #[expect(clippy::expect_used, reason = "the vetoes are compiled in, and every reply test compiles them")]
            sections[name]
                .iter()
                .map(|phrase| Pattern::compile(phrase, &BTreeMap::new()).expect("BUG: a veto is malformed"))
                .collect()
        };
        Self(NAMED.iter().map(|(name, veto)| (*veto, compiled(name))).collect())
    }
}

/// The first thing in `text` that keeps it from being consent; `known` are the words that stand in some yes.
pub(super) fn found(text: &str, words: &Words, known: &BTreeSet<String>) -> Option<Veto> {
    if text.contains(['?', '\u{ff1f}', '\u{61f}']) || words.asks || Phrases::get().asks_to_explain(&words.all) {
        return Some(Veto::Question);
    }
    let is_quoted = words.all.iter().any(|word| word.quoted) || text.contains(['"', '`', '\u{201c}', '\u{ab}']);
    if is_quoted || text.contains(super::PLACEHOLDERS) || text.trim_start().starts_with('>') {
        return Some(Veto::Quotation);
    }
    if Phrases::get().is_no_yes(&words.all) {
        return Some(Veto::Hedge);
    }
    // Thanks and remarks decide nothing, however often they stand beside a yes.
    if Phrases::get().only_courtesy(&words.all) || Phrases::get().is_note(&words.all) {
        return Some(Veto::Courtesy);
    }
    let named = VETOES.0.iter().find(|(_, patterns)| occurs(patterns, &words.all)).map(|(veto, _)| *veto);
    named.or_else(|| (unheard(words, known) > 0).then_some(Veto::Unheard))
}

/// How many words stand in no yes that was learned from.
pub(super) fn unheard(words: &Words, known: &BTreeSet<String>) -> usize {
    words.all.iter().filter(|word| !known.contains(&word.text)).count()
}
