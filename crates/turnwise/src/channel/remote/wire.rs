//! What comes from a server, as far as this program needs it. What else an answer holds is passed by, so
//! that a server may say more. Next: `calls`; what goes there is `channel::wire`.

use serde::Deserialize;
use turnwise_core::{Event, Sequence};

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
    pub(super) commands: Vec<Command>,
    pub(super) pausable: bool,
}

/// A command of an assistant.
#[derive(Debug, Deserialize)]
pub(super) struct Command {
    pub(super) name: String,
    pub(super) help: String,
}

/// What a conversation is over.
#[derive(Debug, Deserialize)]
pub(super) struct Data {
    pub(super) tables: Vec<Table>,
}

/// A table of it.
#[derive(Debug, Deserialize)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<Column>,
}

/// A column of a table.
#[derive(Debug, Deserialize)]
pub(super) struct Column {
    pub(super) name: String,
}

/// A conversation in a list.
#[derive(Debug, Deserialize)]
pub(super) struct Listed {
    pub(super) id: String,
    pub(super) assistant: String,
    pub(super) title: Option<String>,
    pub(super) phase: String,
    /// RFC 3339.
    pub(super) active_at: String,
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

impl From<Entry> for Recorded {
    fn from(entry: Entry) -> Self {
        Self { sequence: Sequence::new(entry.sequence), event: entry.event }
    }
}
