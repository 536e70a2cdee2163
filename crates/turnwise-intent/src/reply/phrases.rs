//! The phrases of the reply grammar, compiled from `phrases.txt`, and what can be asked of them.
//!
//! Adding a phrase there widens what counts as an answer; the tests under `tests/data/replies.jsonl` say what must
//! never count as a yes. Next: `reply`.

use std::sync::LazyLock;

use super::Assent;
use crate::pattern::{Pattern, sections_of};
use crate::words::Word;

/// The compiled grammar; each field is the section of its name.
pub(super) struct Phrases {
    yes: Vec<Pattern>,
    courtesy: Vec<Pattern>,
    notes: Vec<Pattern>,
    no: Vec<Pattern>,
    cancel: Vec<Pattern>,
    hold: Vec<Pattern>,
    no_yes: Vec<Pattern>,
    refusals: Vec<Pattern>,
    connectors: Vec<Pattern>,
    interjections: Vec<Pattern>,
    explain: Vec<Pattern>,
    suggestions: Vec<Pattern>,
    conditions: Vec<Pattern>,
    change_verbs: Vec<Pattern>,
    change_marks: Vec<Pattern>,
    change_after_yes: Vec<Pattern>,
    needs: Vec<Pattern>,
}

/// What a sentence opens with.
pub(super) struct Opening {
    pub words: usize,
    pub assent: Assent,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(Phrases::compile);

const AUXILIARIES: &[&str] =
    &["will", "is", "are", "do", "does", "did", "can", "could", "would", "should", "was", "were"];

impl Phrases {
    pub(super) fn get() -> &'static Self {
        &PHRASES
    }

    fn compile() -> Self {
        let sections = sections_of(include_str!("phrases.txt"));
        let section = |name: &str| -> Vec<Pattern> {
            #[expect(clippy::expect_used, reason = "the phrases are compiled in, and every reply test compiles them")]
            sections[name]
                .iter()
                .map(|phrase| {
                    Pattern::compile(phrase, &sections).expect("BUG: a phrase of the reply grammar is malformed")
                })
                .collect()
        };
        Self {
            yes: section("yes"),
            courtesy: section("courtesy"),
            notes: section("notes"),
            no: section("no"),
            cancel: section("cancel"),
            hold: section("hold"),
            no_yes: section("no_yes"),
            refusals: section("refusals"),
            connectors: section("connectors"),
            interjections: section("interjections"),
            explain: section("explain"),
            suggestions: section("suggestions"),
            conditions: section("conditions"),
            change_verbs: section("change_verbs"),
            change_marks: section("change_marks"),
            change_after_yes: section("change_after_yes"),
            needs: section("needs"),
        }
    }

    /// The words of assent and courtesy a sentence opens with, taken greedily, longest first.
    pub(super) fn opening(&self, words: &[Word]) -> Opening {
        let mut opening = Opening { words: 0, assent: Assent::Courtesy };
        loop {
            let rest = &words[opening.words..];
            // "good luck" behind a yes is a remark, not another "good".
            if opening.assent == Assent::Yes && self.is_note(rest) {
                return opening;
            }
            let (yes, courtesy) = (longest(&self.yes, rest), longest(&self.courtesy, rest));
            if yes.max(courtesy) == 0 {
                return opening;
            }
            if yes >= courtesy {
                opening.assent = Assent::Yes;
            }
            opening.words += yes.max(courtesy);
        }
    }

    pub(super) fn is_note(&self, words: &[Word]) -> bool {
        // A note may itself be courteous: "and please be quick, thanks".
        let start = courtesy_before(&self.courtesy, words);
        let note = longest(&self.notes, &words[start..]);
        note > 0 && self.only_courtesy(&words[start + note..])
    }

    pub(super) fn is_no(&self, words: &[Word]) -> bool {
        self.consists_of(&self.no, words)
    }

    pub(super) fn is_cancel(&self, words: &[Word]) -> bool {
        self.consists_of(&self.cancel, words)
    }

    pub(super) fn is_hold(&self, words: &[Word]) -> bool {
        self.consists_of(&self.hold, words)
    }

    pub(super) fn asks_to_explain(&self, words: &[Word]) -> bool {
        self.explain.iter().any(|pattern| pattern.matches(words).is_some())
    }

    /// "How about only Q4?" proposes, whatever its mark.
    pub(super) fn suggests(&self, words: &[Word]) -> bool {
        self.suggestions.iter().any(|pattern| pattern.matches(words).is_some())
    }

    pub(super) fn refusal(&self, words: &[Word]) -> usize {
        longest(&self.refusals, words)
    }

    pub(super) fn connector(&self, words: &[Word]) -> usize {
        longest(&self.connectors, words)
    }

    pub(super) fn is_no_yes(&self, words: &[Word]) -> bool {
        self.no_yes.iter().any(|pattern| pattern.matches(words).is_some())
    }

    pub(super) fn is_condition(&self, rest: &[Word]) -> bool {
        let after = &rest[self.connector(rest)..];
        // "when is it done" asks, "when it is done" sets a condition.
        let asks = |words: &[Word]| {
            opens_with(words, "when") && words.get(1).is_some_and(|next| AUXILIARIES.contains(&next.text.as_str()))
        };
        [rest, after].iter().any(|words| !asks(words) && longest(&self.conditions, words) > 0)
    }

    pub(super) fn gives_reason(&self, words: &[Word]) -> bool {
        ["because", "since", "as", "i", "that", "it", "this", "the", "there", "you", "we"]
            .iter()
            .any(|first| opens_with(words, first))
    }

    pub(super) fn without_interjections<'a>(&self, words: &'a [Word]) -> &'a [Word] {
        let mut rest = words;
        loop {
            let skipped = longest(&self.interjections, rest);
            if skipped == 0 || skipped >= rest.len() {
                return rest;
            }
            rest = &rest[skipped..];
        }
    }

    /// Whether `words`, which follow no yes, ask for another plan.
    pub(super) fn changes(&self, words: &[Word], polite_request: bool) -> bool {
        let opens_with_verb = longest(&self.change_verbs, words) > 0 && words.len() > 1;
        let asked_politely = polite_request && occurs(&self.change_verbs, words);
        let wished = occurs(&self.needs, words) && occurs(&self.change_verbs, words);
        opens_with_verb || asked_politely || wished || occurs(&self.change_marks, words)
    }

    /// Whether `rest`, which follows a yes, asks for something else than what was asked about.
    pub(super) fn changes_a_yes(&self, rest: &[Word]) -> bool {
        let first_changes = longest(&self.change_after_yes, rest) > 0;
        let restricted = rest.iter().any(|word| !word.quoted && matches!(word.text.as_str(), "but" | "except"));
        first_changes || restricted || self.changes(self.without_interjections(&rest[self.connector(rest)..]), false)
    }

    /// Whether `words` are phrases of `patterns` and courtesy from first to last, with at least one of the former.
    fn consists_of(&self, patterns: &[Pattern], words: &[Word]) -> bool {
        let mut at = 0;
        let mut found = false;
        while at < words.len() {
            let rest = &words[at..];
            let (own, courtesy) = (longest(patterns, rest), longest(&self.courtesy, rest));
            let taken = own.max(courtesy);
            if taken == 0 {
                return false;
            }
            found |= own >= courtesy;
            at += taken;
        }
        found
    }

    pub(super) fn only_courtesy(&self, words: &[Word]) -> bool {
        words.is_empty() || courtesy_before(&self.courtesy, words) == words.len()
    }
}

fn courtesy_before(courtesy: &[Pattern], words: &[Word]) -> usize {
    let mut at = 0;
    loop {
        let taken = longest(courtesy, &words[at..]);
        if taken == 0 {
            return at;
        }
        at += taken;
    }
}

pub(super) fn longest(patterns: &[Pattern], words: &[Word]) -> usize {
    patterns.iter().filter_map(|pattern| pattern.longest_prefix(words)).max().unwrap_or(0)
}

pub(super) fn occurs(patterns: &[Pattern], words: &[Word]) -> bool {
    (0..words.len()).any(|at| longest(patterns, &words[at..]) > 0)
}

fn opens_with(words: &[Word], phrase: &str) -> bool {
    let mut at = 0;
    phrase.split(' ').all(|part| {
        let fits = words.get(at).is_some_and(|word| !word.quoted && word.text == part);
        at += 1;
        fits
    })
}
