//! Receipts: what became of a person's input. Every message and action ends in exactly one. Next: `decide`.

use serde::{Deserialize, Serialize};

use crate::{Decider, MessageId};

/// What became of one input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The input it is for.
    pub message: MessageId,
    /// What became of it.
    pub outcome: Outcome,
    /// One sentence for the person.
    pub detail: String,
    /// Whose input it was; absent in logs of before this was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Decider>,
}

/// The kinds of outcome, least consequential first: a message with several requests gets the greatest of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Not done, and why is said.
    Refused,
    /// Answered, or being answered.
    Answered,
    /// Something has to be asked first.
    Asked,
    /// Merged into the task at hand.
    Merged,
    /// Will be taken up later.
    Queued,
    /// Taken up.
    Applied,
}

impl Outcome {
    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Answered => "answered",
            Self::Asked => "asked back",
            Self::Merged => "merged",
            Self::Queued => "queued",
            Self::Applied => "applied",
        }
    }
}
