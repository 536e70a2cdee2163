//! What is wrong with a draft before it exists: each finding says who minds and how much. A block has to be mended, a
//! warning is shown, a remark may help. Next: `talk::plan`, which shows them.

use turnwise_core::text;

use super::{Draft, Field, TicketKind};
use crate::review::Persona;
use crate::words::{says_any, words};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    /// It must not be created like this.
    Block,
    /// It may be, and somebody will be sorry.
    Warn,
    /// It could be better.
    Info,
}

/// Something about a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub gravity: Gravity,
    /// Who minds.
    pub persona: Persona,
    /// What it is, one sentence.
    pub told: String,
}

impl Finding {
    /// `WARN from product: …`.
    #[must_use]
    pub fn shown(&self) -> String {
        let gravity = match self.gravity {
            Gravity::Block => "BLOCK",
            Gravity::Warn => "WARN",
            Gravity::Info => "INFO",
        };
        format!("{gravity} from {}: {}", self.persona.name(), self.told)
    }
}

/// What is to be said about `draft`, the gravest first.
#[must_use]
pub fn judge(draft: &Draft) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut tell = |gravity, persona, told: String| found.push(Finding { gravity, persona, told });
    let whole = draft.shown();
    if let Some(secret) = secret_in(&whole) {
        let told = format!("“{secret}…” looks like a secret; take it out, a ticket is read by many.");
        tell(Gravity::Block, Persona::Security, told);
    }
    for criterion in draft.list(Field::AcceptanceCriteria) {
        let said = text::words(criterion);
        let has_number = criterion.chars().any(|letter| letter.is_ascii_digit());
        if let Some(vague) =
            words().vague.iter().find(|vague| says_any(&said, &[(*vague).clone()])).filter(|_| !has_number)
        {
            let told = format!("“{}” cannot be tested: what is “{vague}” here?", text::clip(criterion, QUOTED));
            tell(Gravity::Warn, Persona::Product, told);
        }
    }
    if draft.kind == TicketKind::Story && draft.list(Field::AcceptanceCriteria).is_empty() {
        let told = format!("“{}” has no acceptance criterion yet.", text::clip(&draft.title, QUOTED));
        tell(Gravity::Warn, Persona::Product, told);
    }
    if draft.kind == TicketKind::Bug && draft.list(Field::EvidenceLinks).is_empty() {
        tell(Gravity::Info, Persona::Architecture, "a link to a log or trace would help whoever fixes it.".to_owned());
    }
    found.sort_by_key(|finding| finding.gravity);
    found
}

/// The beginning of what looks like a secret.
fn secret_in(whole: &str) -> Option<String> {
    let looks = |token: &&str| {
        let begins = |start: &String| token.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
        let is_random = token.len() >= SECRET_LENGTH && token.chars().any(|letter| letter.is_ascii_digit());
        // A sentence begins with a capital, whatever the secret did.
        let is_known = |start: &String| begins(start) && is_random;
        words().secrets.iter().any(is_known) || token.starts_with("-----BEGIN")
    };
    let tokens = whole.split(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '=' | ':'));
    let found = tokens.into_iter().find(looks)?;
    Some(found.chars().take(SECRET_SHOWN).collect())
}

/// Shorter words that begin like a secret are words.
const SECRET_LENGTH: usize = 16;
/// Letters of a secret that are repeated to show which is meant.
const SECRET_SHOWN: usize = 5;
/// Characters of a draft that a finding quotes.
const QUOTED: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    fn found(draft: &Draft) -> Vec<String> {
        judge(draft).iter().map(Finding::shown).collect()
    }

    #[test]
    fn a_secret_blocks_and_vague_criteria_warn() {
        let mut draft = Draft { title: "Login".to_owned(), ..Draft::default() };
        draft.add(Field::Problem, "The token ghp_0123456789abcdefABCDEF is refused");
        draft.add(Field::AcceptanceCriteria, "It is fast");
        draft.add(Field::AcceptanceCriteria, "It answers in 200 ms, which is fast");
        let found = found(&draft);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("BLOCK from security: “ghp_0…”"), "{found:?}");
        assert_eq!(found[1], "WARN from product: “It is fast” cannot be tested: what is “fast” here?");
    }

    #[test]
    fn plain_words_are_no_secrets() {
        let mut draft = Draft { title: "sk-learn".to_owned(), ..Draft::default() };
        draft.add(Field::Problem, "sk- is a prefix, AKIA too");
        assert!(found(&draft).is_empty());
    }
}
