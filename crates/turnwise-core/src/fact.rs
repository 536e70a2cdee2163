//! Facts: named pieces of knowledge with their provenance (CF-30). A fact never changes; a newer resolution of the same
//! name supersedes it. Next: `provenance` for the chain down to sources.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Confidence, FactId, FactName, PlanId, Sequence, Table, Timestamp};

/// Where a value came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A query over data.
    Data,
    /// Configuration.
    Configuration,
    /// A document.
    Document,
    /// Calculated from other facts.
    Derived,
    /// A model's inference.
    Model,
    /// Told by the person.
    Person,
}

/// The value of a fact: a scalar is a one-by-one table, a row a one-row table, a statement text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactValue {
    /// Rows as they came from data.
    Table(Table),
    /// A statement.
    Text(String),
}

/// A source of data as it was when a value was read from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceStamp {
    /// The source's name as the person knows it: a file name, a table.
    pub name: String,
    /// Content hash, or size and modification time where hashing was not affordable; says which by its prefix.
    pub fingerprint: String,
}

/// A fact as a step resolved it, before the conversation gave it an id.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NewFact {
    /// Its name; plans ask for it by this name.
    pub name: FactName,
    /// Its value.
    pub value: FactValue,
    /// Where it came from.
    pub source: SourceKind,
    /// How sure it is.
    pub confidence: Confidence,
    /// The facts it was derived from.
    pub derived_from: Vec<FactName>,
    /// The exact query or calculation, where there was one.
    pub query: Option<String>,
    /// What was read, as it was at that time.
    pub stamps: Vec<SourceStamp>,
    /// What was taken for granted on the way, one sentence each.
    pub assumptions: Vec<String>,
}

/// A fact held by a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// This resolution of the name.
    pub id: FactId,
    /// What the step said.
    pub body: NewFact,
    /// The plan whose run resolved it; its later versions may reuse it by name.
    pub plan: PlanId,
    /// When it was resolved.
    pub resolved_at: Timestamp,
    /// The event that recorded it.
    pub recorded: Sequence,
}

impl Fact {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &FactName {
        &self.body.name
    }

    /// Its value in one line, cut to `width` characters.
    #[must_use]
    pub fn in_short(&self, width: usize) -> String {
        let text = match &self.body.value {
            FactValue::Text(text) => text.clone(),
            FactValue::Table(table) => match table.scalar() {
                Some(cell) => cell.to_string(),
                None => format!("{} rows × {} columns", table.total_rows, table.columns.len()),
            },
        };
        crate::text::clip(&text, width)
    }
}

impl fmt::Display for SourceKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Data => "data query",
            Self::Configuration => "configuration",
            Self::Document => "document",
            Self::Derived => "derived",
            Self::Model => "model inference",
            Self::Person => "told by you",
        })
    }
}
