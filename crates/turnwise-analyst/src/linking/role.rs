//! The part a word has in its question, as far as it says of what kind the thing is that it stands for: what is counted
//! is rows or a number of each, what is averaged is a number, what stands behind "by" tells groups apart. Next:
//! `features`.

use crate::asked::{Place, Term};
use crate::lexicon::{Role as Said, Signal, lexicon};
use crate::words::{self, Word, WordKind};

/// The part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Modifier,
    Said,
    Condition,
    Group,
    Gathered,
    /// "how many people", "number of people".
    Counted,
    /// "more than 30 degrees": it says what the number before it is of.
    Measured,
    /// "which people", or at the beginning.
    Sought,
    Other,
}

/// All parts, in the order of their features.
pub const ROLES: [Role; 9] = [
    Role::Modifier,
    Role::Said,
    Role::Condition,
    Role::Group,
    Role::Gathered,
    Role::Counted,
    Role::Measured,
    Role::Sought,
    Role::Other,
];

impl Role {
    /// As it is called among the weights.
    pub fn name(self) -> &'static str {
        match self {
            Self::Modifier => "modifier",
            Self::Said => "said",
            Self::Condition => "condition",
            Self::Group => "group",
            Self::Gathered => "gathered",
            Self::Counted => "counted",
            Self::Measured => "measured",
            Self::Sought => "sought",
            Self::Other => "other",
        }
    }
}

/// The part of `term` in `text`.
pub fn of(text: &str, term: &Term) -> Role {
    let before = match text.find(&term.words) {
        Some(at) => words::split(&text[..at]),
        None => Vec::new(),
    };
    if before.last().is_some_and(|word| matches!(word.kind, WordKind::Number(_))) {
        return Role::Measured;
    }
    match term.place {
        Place::Modifier => Role::Modifier,
        Place::Said => Role::Said,
        Place::Condition => Role::Condition,
        Place::Group => Role::Group,
        Place::Gathered => Role::Gathered,
        Place::Thing => match last_role(&before) {
            Some(Said::Count) => Role::Counted,
            Some(Said::Wh | Said::Who) => Role::Sought,
            None if before.is_empty() => Role::Sought,
            _ => Role::Other,
        },
    }
}

/// What the phrase right before a word does.
fn last_role(before: &[Word]) -> Option<Said> {
    const PHRASE_WORDS_MAX: usize = 3;
    (1..=PHRASE_WORDS_MAX.min(before.len())).rev().find_map(|length| {
        let own = &before[before.len() - length..];
        let phrase = own.iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ");
        match lexicon().signal(&phrase) {
            Some(Signal::Role(role)) => Some(role),
            Some(Signal::Superlative(..) | Signal::Comparative(..)) | None => None,
        }
    })
}
