//! What can go wrong between a request and its answer, who can do something about it, and what. What a model says
//! wrongly is no error but input; see `schema`. Next: `guarded`, which tries again where that may help.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::{ModelName, TaskName};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    /// A name that names no model.
    #[error("“{name}” names no model: {told}")]
    Unnamed {
        /// What was written.
        name: String,
        /// What is wrong with it.
        told: String,
    },
    /// No key where one is needed.
    #[error("{model} needs a key, and {variable} is not set")]
    KeyMissing {
        /// The model.
        model: ModelName,
        /// The variable it is looked for in.
        variable: String,
    },
    /// A key that would be sent where others can read it.
    #[error("the key of {model} would go unprotected over http to {host}")]
    KeyInClear {
        /// The model.
        model: ModelName,
        /// Where it would go.
        host: String,
    },
    /// A file of a key that cannot be used.
    #[error("the key file {file} cannot be used: {told}")]
    KeyFile {
        /// The file.
        file: PathBuf,
        /// Why.
        told: String,
    },
    /// The provider does not take the key.
    #[error("{model} does not accept the key (HTTP {status})")]
    KeyRefused {
        /// The model.
        model: ModelName,
        /// What the provider answered.
        status: u16,
    },
    /// The provider has no such model, or nothing is at that address.
    #[error("{model} is not there: {told}")]
    NotFound {
        /// The model.
        model: ModelName,
        /// What the provider said.
        told: String,
    },
    /// The provider does not take the request.
    #[error("{model} does not take the request (HTTP {status}): {told}")]
    Rejected {
        /// The model.
        model: ModelName,
        /// What the provider answered.
        status: u16,
        /// What it said.
        told: String,
    },
    /// Too many requests for the provider.
    #[error("{model} takes no more requests for now")]
    Limited {
        /// The model.
        model: ModelName,
        /// When to come again, if it said.
        after: Option<Duration>,
    },
    /// The provider has troubles of its own.
    #[error("{model} failed (HTTP {status}): {told}")]
    Failed {
        /// The model.
        model: ModelName,
        /// What the provider answered.
        status: u16,
        /// What it said.
        told: String,
        /// When to come again, if it said.
        after: Option<Duration>,
    },
    /// Nobody answers at the address.
    #[error("{model} cannot be reached: {told}")]
    Unreachable {
        /// The model.
        model: ModelName,
        /// Why.
        told: String,
    },
    /// It took too long.
    #[error("{model} did not answer within {} s", .after.as_secs_f64())]
    TimedOut {
        /// The model.
        model: ModelName,
        /// The time it was given.
        after: Duration,
    },
    /// The answer ended before its end.
    #[error("the answer of {model} broke off after {bytes} bytes: {told}")]
    CutOff {
        /// The model.
        model: ModelName,
        /// How much had come.
        bytes: usize,
        /// Why.
        told: String,
    },
    /// What came is not what the protocol says.
    #[error("{model} sent what cannot be read: {told}")]
    Unreadable {
        /// The model.
        model: ModelName,
        /// What is wrong with it.
        told: String,
    },
    /// The answer does not end.
    #[error("the answer of {model} is longer than {bytes_max} bytes")]
    Endless {
        /// The model.
        model: ModelName,
        /// The limit.
        bytes_max: usize,
    },
    /// Whoever asked does not want it any more.
    #[error("the call of {model} was cancelled")]
    Cancelled {
        /// The model.
        model: ModelName,
    },
    /// A limit of tokens or cost would be passed.
    #[error("{what}: {wanted} more would pass the limit of {limit} ({used} used)")]
    OverBudget {
        /// Whose budget, and what of it: `tokens of this conversation`.
        what: &'static str,
        /// What the call may take.
        wanted: u64,
        /// The limit.
        limit: u64,
        /// What is used.
        used: u64,
    },
    /// There is no recording of the request.
    #[error("no recording of this request for the task {task}: {file} is not there")]
    NotRecorded {
        /// The task.
        task: TaskName,
        /// The file it would be in.
        file: PathBuf,
    },
    /// A recording or a script that cannot be read or written.
    #[error("{file} cannot be used: {told}")]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        told: String,
    },
    /// A script has no more turns.
    #[error("the script of {model} is at its end: turn {turn} was asked for")]
    ScriptEnded {
        /// The model.
        model: ModelName,
        /// Which turn would be next, from 1.
        turn: usize,
    },
    /// Something of ours that should not be.
    #[error("{told}")]
    Defect {
        /// What.
        told: String,
    },
}

/// Who can do something about an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blame {
    /// Whoever wrote the command or the message.
    Person,
    /// Whoever set up this machine: a key, a limit, a file.
    Operator,
    /// The model's provider or the network on the way.
    Provider,
    /// Us.
    Us,
}

/// Whether trying again may help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// The same request gives the same error.
    Never,
    /// After a while of our choice.
    Later,
    /// After the time the provider named.
    After(Duration),
}

impl ModelError {
    /// The error that an HTTP status is, with what was said beside it and when to come again.
    #[must_use]
    pub fn of_status(model: ModelName, status: u16, told: &str, after: Option<Duration>) -> Self {
        let told = told.to_owned();
        match status {
            401 | 403 => Self::KeyRefused { model, status },
            404 => Self::NotFound { model, told },
            429 => Self::Limited { model, after },
            408 | 500.. => Self::Failed { model, status, told, after },
            _ => Self::Rejected { model, status, told },
        }
    }

    /// Who can do something about it.
    #[must_use]
    pub fn blame(&self) -> Blame {
        match self {
            Self::Unnamed { .. } | Self::Cancelled { .. } => Blame::Person,
            Self::KeyMissing { .. }
            | Self::KeyInClear { .. }
            | Self::KeyFile { .. }
            | Self::KeyRefused { .. }
            | Self::NotFound { .. }
            | Self::OverBudget { .. }
            | Self::NotRecorded { .. }
            | Self::File { .. } => Blame::Operator,
            Self::Limited { .. }
            | Self::Failed { .. }
            | Self::Unreachable { .. }
            | Self::TimedOut { .. }
            | Self::CutOff { .. }
            | Self::Unreadable { .. }
            | Self::Endless { .. } => Blame::Provider,
            Self::Rejected { .. } | Self::ScriptEnded { .. } | Self::Defect { .. } => Blame::Us,
        }
    }

    /// Whether trying again may help.
    #[must_use]
    pub fn retry(&self) -> Retry {
        match self {
            Self::Limited { after, .. } | Self::Failed { after, .. } => after.map_or(Retry::Later, Retry::After),
            Self::Unreachable { .. } | Self::CutOff { .. } => Retry::Later,
            Self::Unnamed { .. }
            | Self::KeyMissing { .. }
            | Self::KeyInClear { .. }
            | Self::KeyFile { .. }
            | Self::KeyRefused { .. }
            | Self::NotFound { .. }
            | Self::Rejected { .. }
            | Self::TimedOut { .. }
            | Self::Unreadable { .. }
            | Self::Endless { .. }
            | Self::Cancelled { .. }
            | Self::OverBudget { .. }
            | Self::NotRecorded { .. }
            | Self::File { .. }
            | Self::ScriptEnded { .. }
            | Self::Defect { .. } => Retry::Never,
        }
    }

    /// What can be done about it, one sentence without a full stop.
    #[must_use]
    pub fn hint(&self) -> String {
        match self {
            Self::Unnamed { .. } => crate::name::FORMS.to_owned(),
            Self::KeyMissing { variable, .. } => {
                format!("set {variable}, or name a file that holds the key in {variable}_FILE")
            }
            Self::KeyInClear { .. } => "use https, or an address of this machine, or unset the key".to_owned(),
            Self::KeyFile { .. } => "the file holds the key alone, on one line, and is readable by you only".to_owned(),
            Self::KeyRefused { .. } => {
                "check the key with the provider; it may be expired or of another account".into()
            }
            Self::NotFound { .. } => "check the model's name and the address with the provider".to_owned(),
            Self::Rejected { .. } => "the model may lack what the task needs: try another, or report this".to_owned(),
            Self::Limited { .. } => "wait, or raise the limit with the provider".to_owned(),
            Self::Failed { .. } | Self::CutOff { .. } => "try again; if it stays, see the provider's status".to_owned(),
            Self::Unreachable { .. } => "check that the server runs and that the address is right".to_owned(),
            Self::TimedOut { .. } => "try again, or take a faster model".to_owned(),
            Self::Unreadable { .. } => "check that the address is that of a model server".to_owned(),
            Self::Endless { .. } => "take another model, or set a limit on its tokens".to_owned(),
            Self::Cancelled { .. } => "ask again if it is still wanted".to_owned(),
            Self::OverBudget { .. } => "begin a new conversation, or raise the limit in turnwise.yaml".to_owned(),
            Self::NotRecorded { .. } => "record it: run again with UPDATE=1 and a real model".to_owned(),
            Self::File { .. } => "mend or remove the file".to_owned(),
            Self::ScriptEnded { .. } => "give the script as many turns as there are calls".to_owned(),
            Self::Defect { .. } => "please report this".to_owned(),
        }
    }
}
