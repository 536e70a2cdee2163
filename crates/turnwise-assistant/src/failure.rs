//! The one error of the edge: what went wrong, who has to act, and what they can do. Surfaces show a [`Failure`] and
//! nothing else; its kind decides the exit code. Libraries below keep their own enums. Next: [`Failure`].

use std::error::Error;
use std::fmt;

use turnwise_model::{Blame, ModelError};

/// Who can do something about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// The person at the keyboard: a wrong argument, a file that is not there.
    Usage,
    /// Whoever runs this machine: a full disk, a missing right.
    Operator,
    /// Something we talk to: another process, a model, a server.
    Peer,
    /// Us: a defect of Turnwise.
    Defect,
}

/// Of `candidates` the one that was likely meant by `typed`, for hints.
#[must_use]
pub fn nearest_of<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    turnwise_intent::nearest(typed, candidates)
}

/// A failure as a person is told it.
#[derive(Debug)]
pub struct Failure {
    kind: FailureKind,
    message: String,
    hints: Vec<String>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

impl FailureKind {
    /// The exit code of a command that ends with it: 2 for usage, 1 for the rest.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Operator | Self::Peer | Self::Defect => 1,
        }
    }
}

impl Failure {
    /// A failure told in `message`, one sentence without a full stop.
    #[must_use]
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hints: Vec::new(), source: None }
    }

    /// With what can be done about it, one sentence.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// With the error it came from.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What happened.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Who can do something about it.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        self.kind
    }

    /// What can be done about it, most likely first.
    #[must_use]
    pub fn hints(&self) -> &[String] {
        &self.hints
    }
}

/// The message, then one line for each hint.
impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        for hint in &self.hints {
            write!(out, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        let kind = match error.blame() {
            Blame::Person => FailureKind::Usage,
            Blame::Operator => FailureKind::Operator,
            Blame::Provider => FailureKind::Peer,
            Blame::Us => FailureKind::Defect,
        };
        Self::new(kind, error.to_string()).hint(error.hint()).caused_by(error)
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}
