//! Gathering: which sentences of a talk state something that outlives it. It is found by words (`words.yaml`): what was
//! decided, what limits the work, what is taken for granted. Questions and orders state nothing. Next: `mod`.

use turnwise_core::text;
use turnwise_intent::behaviour::tickets::FactKind;

use crate::draft::{Field, sentences};
use crate::review::is_decision;
use crate::words::{says_any, words};

/// Something that a sentence states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What kind of statement it is.
    pub kind: FactKind,
    /// The sentence, without the mark at its end.
    pub text: String,
    /// How sure it is, in percent.
    pub confidence: u8,
}

/// What `said` states, sentence by sentence.
#[must_use]
pub fn statements(said: &str) -> Vec<Statement> {
    sentences(said).iter().filter_map(|sentence| stated(sentence)).collect()
}

fn stated(sentence: &str) -> Option<Statement> {
    if sentence.ends_with('?') {
        return None;
    }
    let spoken = text::words(sentence);
    let is_limit =
        || words().signs.iter().any(|sign| sign.field == Field::Constraints && says_any(&spoken, &sign.says));
    let (kind, sure) = if is_decision(&spoken) {
        (FactKind::Decision, SURE_DECIDED)
    } else if says_any(&spoken, &words().assumptions) {
        (FactKind::Assumption, SURE_ASSUMED)
    } else if is_limit() {
        (FactKind::Constraint, SURE_LIMITED)
    } else {
        return None;
    };
    let hedged = if says_any(&spoken, &words().hedges) { HEDGED_LESS } else { 0 };
    let text = text::clip(sentence.trim_end_matches(['.', '!']), STATEMENT_WIDTH);
    Some(Statement { kind, text, confidence: sure - hedged })
}

/// How sure a plain statement of each kind is, in percent.
const SURE_DECIDED: u8 = 90;
const SURE_LIMITED: u8 = 80;
const SURE_ASSUMED: u8 = 60;
/// How much less sure one is that somebody hedged.
const HEDGED_LESS: u8 = 30;
/// Characters of a statement: longer ones are talk.
const STATEMENT_WIDTH: usize = 240;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_state_by_their_words_and_questions_state_nothing() {
        let found = statements(
            "We decided on a canary rollout. It must not take more than an hour. We assume that SSO stays. Maybe we will \
             use Postgres. Should we agree to that decision? The export drops rows.",
        );
        let found: Vec<(FactKind, &str, u8)> =
            found.iter().map(|stated| (stated.kind, stated.text.as_str(), stated.confidence)).collect();
        assert_eq!(
            found,
            [
                (FactKind::Decision, "We decided on a canary rollout", 90),
                (FactKind::Constraint, "It must not take more than an hour", 80),
                (FactKind::Assumption, "We assume that SSO stays", 60),
                (FactKind::Decision, "Maybe we will use Postgres", 60),
            ]
        );
    }
}
