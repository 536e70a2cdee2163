//! Facts: named pieces of knowledge with their provenance (CF-30). A fact never changes; a newer resolution of the same
//! name supersedes it. Next: `fact_store` for how they are held, `provenance` for the chain down to sources.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Confidence, FactId, FactName, MessageId, PlanId, Sequence, Table, Timestamp};

/// What a fact is good for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// What work found out.
    #[default]
    Value,
    /// What was settled: "use gross revenue".
    Decision,
    /// What must hold, or what a word is to mean: "revenue means order total without tax".
    Constraint,
    /// What is taken for granted until somebody says otherwise.
    Assumption,
    /// A remark worth keeping.
    Note,
}

/// How far a fact reaches, the narrowest first. Each scope has its own limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One step of a run.
    Step,
    /// One conversation with its runs.
    #[default]
    Session,
    /// One thread of messages.
    Thread,
    /// A large piece of work over many threads.
    Epic,
    /// Everybody who talks in one place.
    Channel,
    /// One project.
    Project,
    /// One person, wherever they talk.
    Person,
}

/// What a fact is, beside its value: kind, reach and time. A value found by work in this session says nothing here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Standing {
    /// What it is good for.
    pub kind: FactKind,
    /// How far it reaches.
    pub scope: Scope,
    /// What a statement is about, in the person's words: the word that is defined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// The digest of the whole value, taken before rows were left out; says which digest by its prefix.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// It holds from this time on; from the time it was recorded when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_from: Option<Timestamp>,
    /// It holds until this time, which is excluded; for good when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_to: Option<Timestamp>,
}

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

/// A file as a step left it. Whoever hands the file out later can tell by the fingerprint whether it still is what this
/// step wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenFile {
    /// The file as the plan calls it.
    pub name: String,
    /// Its length after the step.
    pub bytes: u64,
    /// The digest of its whole content after the step; says which digest by its prefix.
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
    /// Its kind, reach and time.
    #[serde(default, skip_serializing_if = "Standing::is_plain")]
    pub standing: Standing,
    /// The file that the step wrote, where it wrote one. Logs of before do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<WrittenFile>,
}

impl NewFact {
    /// A certain fact that rests on nothing else: no query, no sources, no assumptions, of the plain standing.
    #[must_use]
    pub fn new(name: FactName, value: FactValue, source: SourceKind) -> Self {
        Self {
            name,
            value,
            source,
            confidence: Confidence::CERTAIN,
            derived_from: Vec::new(),
            query: None,
            stamps: Vec::new(),
            assumptions: Vec::new(),
            standing: Standing::default(),
            written: None,
        }
    }
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
    /// The message in which the person said it; none for what work found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub said_in: Option<MessageId>,
    /// The approval of the run that found it. Statements it rests on count as they were then, whatever was said while
    /// the run went on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approved: Option<Sequence>,
}

impl Standing {
    /// Whether it says no more than that a value was found in this session.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }
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

    /// What it is good for.
    #[must_use]
    pub fn kind(&self) -> FactKind {
        self.body.standing.kind
    }

    /// How far it reaches.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.body.standing.scope
    }

    /// Whether it was stated, rather than found by work.
    #[must_use]
    pub fn is_statement(&self) -> bool {
        self.kind() != FactKind::Value
    }

    /// Up to which event what the person stated went into it.
    #[must_use]
    pub fn as_of(&self) -> Sequence {
        self.approved.unwrap_or(self.recorded)
    }

    /// Whether it holds at `now`.
    #[must_use]
    pub fn holds_at(&self, now: Timestamp) -> bool {
        let standing = &self.body.standing;
        standing.valid_from.is_none_or(|from| from <= now) && standing.valid_to.is_none_or(|to| now < to)
    }

    /// How many rows its value has; none for a statement.
    #[must_use]
    pub fn rows(&self) -> Option<u64> {
        match &self.body.value {
            FactValue::Table(table) => Some(table.total_rows),
            FactValue::Text(_) => None,
        }
    }
}

impl FactKind {
    /// The kinds, with the words people use for them.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Value, "value"),
        (Self::Decision, "decision"),
        (Self::Constraint, "constraint"),
        (Self::Assumption, "assumption"),
        (Self::Note, "note"),
    ];

    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Decision => "decision",
            Self::Constraint => "constraint",
            Self::Assumption => "assumption",
            Self::Note => "note",
        }
    }
}

impl Scope {
    /// The scopes, with the words people use for them.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Step, "step"),
        (Self::Session, "session"),
        (Self::Thread, "thread"),
        (Self::Epic, "epic"),
        (Self::Channel, "channel"),
        (Self::Project, "project"),
        (Self::Person, "person"),
    ];

    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::Session => "session",
            Self::Thread => "thread",
            Self::Epic => "epic",
            Self::Channel => "channel",
            Self::Project => "project",
            Self::Person => "person",
        }
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
