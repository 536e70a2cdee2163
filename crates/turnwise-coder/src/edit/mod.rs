//! Edits: how files are to change, from a search-and-replace block to a proposal that is applied whole or not at all
//! and can be taken back. Nothing here writes to a file of the workspace before [`apply`] is called, and that is
//! called with a permit alone. Next: `proposal` for what is approved, `journal` for what a crash leaves.

mod act;
mod apply;
mod block;
mod choice;
mod hunk;
mod journal;
mod proposal;
mod undo;

use turnwise_assistant::place::{FilePath, PlaceError};

use crate::workspace::WorkspaceError;

pub use apply::{Applied, apply};
pub use block::{Draft, Edit};
pub use choice::{Choice, Upheld};
pub use hunk::HunkChange;
pub use journal::{ChangeId, FileChange, Operation, Record, Recovered, UNDO_MAX, recover};
pub use proposal::{FileProposal, Proposal};
pub use undo::{Undone, applied, is_undone, last_applied, undo, undo_proposal};

/// Why files were not changed. All of them are as they were; the one exception says so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A file is not as it was when the proposal was made.
    #[error("stale_context: “{0}” changed since this was proposed, so nothing was written; ask again for a fresh diff")]
    StaleContext(FilePath),
    /// A block or diff does not fit the file.
    #[error("hunk_mismatch: {reason} in “{path}”, so nothing was written")]
    HunkMismatch {
        /// The file.
        path: FilePath,
        /// What does not fit.
        reason: String,
    },
    /// It cannot be applied as it was proposed.
    #[error("apply_failed: {0}; nothing was written")]
    ApplyFailed(String),
    /// The disk says no.
    #[error("io_error: {0}; every file is as it was")]
    Io(String),
    /// The disk said no, and then again when the old files were to be put back.
    #[error(
        "io_error: {0}; the old files could not be put back yet, which is tried again before anything else is done"
    )]
    Unfinished(String),
    /// It was stopped before it began.
    #[error("stopped before anything was written")]
    Stopped,
    /// There is nothing that could be taken back.
    #[error("no change of this assistant is left to be taken back here")]
    NothingToUndo,
}

impl From<PlaceError> for EditError {
    fn from(error: PlaceError) -> Self {
        WorkspaceError::from(error).into()
    }
}

impl From<WorkspaceError> for EditError {
    fn from(error: WorkspaceError) -> Self {
        Self::ApplyFailed(error.to_string())
    }
}
