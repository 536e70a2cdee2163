//! What goes to a server and comes from it, as far as this program needs it. What else an answer holds is passed by, so
//! that a server may say more. Next: `calls`.

use serde::{Deserialize, Serialize};
use turnwise_core::patch::Patch;
use turnwise_core::{Event, Seen, Sequence, Verdict};

use crate::driver::Recorded;

/// What the server is.
#[derive(Debug, Deserialize)]
pub(super) struct Server {
    pub(super) product: String,
    pub(super) version: String,
    pub(super) log: u32,
}

/// An assistant.
#[derive(Debug, Deserialize)]
pub(super) struct Assistant {
    pub(super) name: String,
    pub(super) greeting: Vec<String>,
    pub(super) pausable: bool,
}

/// A conversation in a list.
#[derive(Debug, Deserialize)]
pub(super) struct Listed {
    pub(super) id: String,
}

/// Where a conversation stands.
#[derive(Debug, Deserialize)]
pub(super) struct Standing {
    pub(super) id: String,
    pub(super) assistant: String,
    pub(super) sequence: u64,
    pub(super) phase: String,
    pub(super) mode: String,
    pub(super) busy: bool,
    pub(super) pending: Vec<Waiting>,
}

/// An open question.
#[derive(Debug, Deserialize)]
pub(super) struct Waiting {
    pub(super) id: String,
    pub(super) version: u32,
    pub(super) reference: String,
}

/// What became of an input.
#[derive(Debug, Deserialize)]
pub(super) struct Outcome {
    pub(super) last: u64,
}

/// A page of the log.
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    pub(super) events: Vec<Entry>,
}

/// An event of the log.
#[derive(Debug, Deserialize)]
pub(super) struct Entry {
    sequence: u64,
    event: Event,
}

/// A problem (RFC 9457).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Problem {
    pub(super) code: String,
    pub(super) detail: String,
    pub(super) hint: String,
    pub(super) retry_after_seconds: Option<u64>,
}

/// A message.
#[derive(Debug, Serialize)]
pub(super) struct Message {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seen: Option<SeenWire>,
}

/// What stood before the person.
#[derive(Debug, Serialize)]
pub(super) struct SeenWire {
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    question_version: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan_version: Option<u32>,
}

/// A decision.
#[derive(Debug, Serialize)]
pub(super) struct Decision {
    pub(super) reference: String,
    pub(super) verdict: VerdictWire,
}

/// The ways to answer.
#[derive(Debug, Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum VerdictWire {
    Approve {
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    Reject {
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Change {
        change: String,
    },
    Patch {
        patches: Vec<Patch>,
    },
    Cancel,
    Choose {
        number: usize,
    },
    Say {
        text: String,
    },
    Resume,
    Retry,
    Replan,
    Abandon,
}

impl From<Seen> for SeenWire {
    fn from(seen: Seen) -> Self {
        Self {
            question: seen.question.map(|question| question.pending.to_string()),
            question_version: seen.question.map(|question| question.ui_version),
            plan: seen.plan.map(|plan| plan.plan.to_string()),
            plan_version: seen.plan.map(|plan| plan.version),
        }
    }
}

impl From<Entry> for Recorded {
    fn from(entry: Entry) -> Self {
        Self { sequence: Sequence::new(entry.sequence), event: entry.event }
    }
}

impl From<Verdict> for VerdictWire {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Approve => Self::Approve { note: None },
            Verdict::ApproveNoting { note } => Self::Approve { note: Some(note) },
            Verdict::Reject => Self::Reject { reason: None },
            Verdict::RejectBecause { reason } => Self::Reject { reason: Some(reason) },
            Verdict::Change { change } => Self::Change { change },
            Verdict::Edit { patches } => Self::Patch { patches },
            Verdict::Cancel => Self::Cancel,
            Verdict::Choose { number } => Self::Choose { number },
            Verdict::Say { text } => Self::Say { text },
            Verdict::Resume => Self::Resume,
            Verdict::Retry => Self::Retry,
            Verdict::Replan => Self::Replan,
            Verdict::Abandon => Self::Abandon,
        }
    }
}
