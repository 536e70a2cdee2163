//! What can go wrong with a store. It is told so that whoever reads it knows what to do. Next: `failure` at the
//! edge.

use std::path::{Path, PathBuf};

use turnwise_core::{ConversationId, Sequence};

use turnwise_assistant::{Failure, FailureKind};

/// What went wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file was written by a newer version of this program.
    #[error("{} was made by a newer Turnwise (format {found}, this one knows {known})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format known here.
        known: i64,
    },
    /// The file is an SQLite database of another program.
    #[error("{} is a database of another program, not of Turnwise", .0.display())]
    Foreign(PathBuf),
    /// The file is no SQLite database, or is damaged or encrypted.
    #[error("{} is not a Turnwise database, or is damaged ({reason})", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        reason: String,
    },
    /// The file cannot be opened or created.
    #[error("cannot open or create {} ({reason})", path.display())]
    Unopenable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file or its folder cannot be written to.
    #[error("{} or its folder is read-only, so nothing can be kept", .0.display())]
    ReadOnly(PathBuf),
    /// The disk is full.
    #[error("the disk that holds {} is full; what you said last was not kept", .0.display())]
    Full(PathBuf),
    /// Another process holds the file for too long.
    #[error("another process has kept {} locked for too long", .0.display())]
    Busy(PathBuf),
    /// Reading or writing the file failed.
    #[error("reading or writing {} failed ({reason})", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        reason: String,
    },
    /// The key beside the file cannot be used.
    #[error("the key {} cannot be used ({reason})", path.display())]
    Key {
        /// The key.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The system has no randomness to give.
    #[error("the system gives no random numbers ({0})")]
    Randomness(String),
    /// A conversation's log does not fit together.
    #[error("the log of conversation {conversation} is damaged at event {sequence}: {reason}")]
    Damaged {
        /// The conversation.
        conversation: ConversationId,
        /// The first event that does not fit.
        sequence: Sequence,
        /// Why.
        reason: String,
    },
    /// A value could not be put into the form it is stored in.
    #[error("a record could not be written: {0}")]
    Encoding(serde_json::Error),
    /// The store was closed, or its thread has ended.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Who can do something about it.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        match self {
            Self::Newer { .. } | Self::Foreign(_) | Self::NotADatabase { .. } => FailureKind::Usage,
            Self::Unopenable { .. }
            | Self::ReadOnly(_)
            | Self::Full(_)
            | Self::Io { .. }
            | Self::Key { .. }
            | Self::Randomness(_)
            | Self::Damaged { .. } => FailureKind::Operator,
            Self::Busy(_) => FailureKind::Peer,
            Self::Encoding(_) | Self::Closed => FailureKind::Defect,
        }
    }

    /// What can be done about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Newer { .. } => Some("update turnwise, or use --db FILE for another database"),
            Self::Foreign(_) | Self::NotADatabase { .. } => {
                Some("use --db FILE for another database; this file was not changed")
            }
            Self::Unopenable { .. } => Some("check that the folder exists and is yours, or use --db FILE"),
            Self::ReadOnly(_) => {
                Some("make it writable, use --db FILE in another folder, or --ephemeral to keep nothing")
            }
            Self::Key { .. } => {
                Some("only you may read it (chmod 600); without the file a new key is made, and old references end")
            }
            Self::Randomness(_) => None,
            Self::Full(_) => Some("free some space and say it again; everything before it is kept"),
            Self::Busy(_) => Some("close other Turnwise windows or tools that use this file, then try again"),
            Self::Io { .. } => Some("check the disk; everything acknowledged before is kept"),
            Self::Damaged { .. } => {
                Some("start a new conversation; restore the file from a backup to get this one back")
            }
            Self::Encoding(_) | Self::Closed => None,
        }
    }

    /// What SQLite said about the file at `path`, as one of ours.
    #[must_use]
    pub fn from_sqlite(error: &rusqlite::Error, path: &Path) -> Self {
        use rusqlite::ErrorCode as Code;
        let path = path.to_owned();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(Code::NotADatabase | Code::DatabaseCorrupt) => Self::NotADatabase { path, reason },
            Some(Code::CannotOpen | Code::PermissionDenied) => Self::Unopenable { path, reason },
            Some(Code::ReadOnly) => Self::ReadOnly(path),
            Some(Code::DiskFull) => Self::Full(path),
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => Self::Busy(path),
            Some(_) | None => Self::Io { path, reason },
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let failure = Self::new(error.kind(), error.to_string());
        let failure = match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        };
        failure.caused_by(error)
    }
}
