//! What keeps words from being consent, however much like a yes they are.
//!
//! The head of replies says how likely words are a yes; a veto says what in them might make it none. Both are asked,
//! and neither can outvote the other: a likelihood cannot tell "fine" from "fine if legal agrees" often enough, and a
//! list of words cannot tell a yes from praise. Words that stand in no yes that was learned from are a veto of their
//! own, so that a name, a number or an order somebody never thought of here is asked back. Harmless phrases are passed
//! over: "no changes, go ahead" says no to nothing. Next: `learned`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::phrases::{Phrases, longest, occurs};
use crate::pattern::Pattern;
use crate::pattern::sections_of;
use crate::words::{Word, Words};

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

struct Vetoes {
    harmless: Vec<Pattern>,
    named: Vec<(Veto, Vec<Pattern>)>,
}

static VETOES: LazyLock<Vetoes> = LazyLock::new(Vetoes::compile);

const NAMED: [(&str, Veto); 8] = [
    ("question", Veto::Question),
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
        Self {
            harmless: compiled("harmless"),
            named: NAMED.iter().map(|(name, veto)| (*veto, compiled(name))).collect(),
        }
    }
}

/// The first thing in `text` that keeps it from being consent; `known` are the words that stand in some yes.
pub(super) fn found(text: &str, words: &Words, known: &BTreeSet<String>) -> Option<Veto> {
    let asks = words.asks && longest(&VETOES.harmless, &words.all) == 0;
    if text.contains(['?', '\u{ff1f}', '\u{61f}']) || asks || Phrases::get().asks_to_explain(&words.all) {
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
    let weighty = weighty(&words.all);
    if weighty.iter().all(|words| Phrases::get().only_courtesy(words)) {
        return Some(Veto::Courtesy);
    }
    let stands = |patterns: &[Pattern]| weighty.iter().any(|words| occurs(patterns, words));
    let named = VETOES.named.iter().find(|(_, patterns)| stands(patterns)).map(|(veto, _)| *veto);
    named.or_else(|| (unheard(words, known) > 0).then_some(Veto::Unheard))
}

/// How many words stand in no yes that was learned from.
pub(super) fn unheard(words: &Words, known: &BTreeSet<String>) -> usize {
    weighty(&words.all).into_iter().flatten().filter(|word| !known.contains(&word.text)).count()
}

/// What is left of `words` without harmless phrases, piece by piece, so that no pattern reaches over a gap.
pub(super) fn weighty(words: &[Word]) -> Vec<&[Word]> {
    let mut pieces = Vec::new();
    let (mut begin, mut at) = (0, 0);
    while at < words.len() {
        let harmless = longest(&VETOES.harmless, &words[at..]);
        if harmless > 0 {
            pieces.push(&words[begin..at]);
            begin = at + harmless;
        }
        at += harmless.max(1);
    }
    pieces.push(&words[begin..]);
    pieces
}

/// Whether `word` alone rules something out, makes it depend on something or doubts it: it is never taken for a word
/// repeated. People and days are, because questions name them.
pub(super) fn is_sign(word: &Word) -> bool {
    let alone = std::slice::from_ref(word);
    let is_named = |veto: &Veto| matches!(veto, Veto::Time | Veto::Report);
    VETOES.named.iter().filter(|(veto, _)| !is_named(veto)).any(|(_, patterns)| occurs(patterns, alone))
}
