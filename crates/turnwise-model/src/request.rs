//! What is asked of a model. A request says all that decides the answer, so that two equal requests may share one
//! recording. Next: `task`, which makes requests; `digest`, which names them.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Schema, limits};

/// The name of a task: what a model is asked to do, as `question`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskName(String);

/// The version of a task's template and schema: ours is a number; with a person's own files in it, the number and
/// their digest.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskVersion(String);

/// Who says a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Whoever asks, about how to answer.
    System,
    /// What is to be answered.
    User,
    /// An earlier answer of the model, in a repair.
    Assistant,
}

/// One message of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub text: String,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    /// What it is for.
    pub task: TaskName,
    /// Which version of it.
    pub version: TaskVersion,
    /// What is said, in order.
    pub messages: Vec<Message>,
    /// The form of the answer: JSON by this schema. Free text without one.
    pub schema: Option<Schema>,
    /// The longest answer wanted, in tokens.
    pub tokens_max: u32,
    /// How freely the model chooses its words; 0 is the same answer each time, as far as a provider can.
    pub temperature: f64,
    /// Texts at which the answer ends.
    pub stop: Vec<String>,
    /// How long the call may take, all attempts and waits together. Decides no answer, so no recording depends on it.
    pub time_max: Duration,
}

impl TaskName {
    /// The name `text`.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl TaskVersion {
    /// The version `text`.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// As it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskVersion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Message {
    /// What the system says.
    #[must_use]
    pub fn system(text: impl Into<String>) -> Self {
        Self { role: Role::System, text: text.into() }
    }

    /// What is to be answered.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into() }
    }

    /// What the model said before.
    #[must_use]
    pub fn assistant(text: impl Into<String>) -> Self {
        Self { role: Role::Assistant, text: text.into() }
    }
}

impl Request {
    /// A request of a task with these messages: free text, 512 tokens, temperature 0.
    #[must_use]
    pub fn new(task: TaskName, version: TaskVersion, messages: Vec<Message>) -> Self {
        Self {
            task,
            version,
            messages,
            schema: None,
            tokens_max: 512,
            temperature: 0.0,
            stop: Vec::new(),
            time_max: limits::CALL_TIME_MAX,
        }
    }

    /// The length of all that is sent, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let schema = self.schema.as_ref().map_or(0, |schema| schema.as_json().to_string().len());
        self.messages.iter().map(|message| message.text.len()).sum::<usize>() + schema
    }
}
