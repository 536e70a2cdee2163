//! The journal: what is being changed and what was. Each change has a folder of its own with the files as they were
//! and a record, and the name of the record is its state; every move from one state to the next is one rename. A
//! process that dies on the way leaves a record that says so, and whoever comes next puts the old files back.
//!
//! ```text
//! nothing ── applying.json ── applied.json ── undoing.json ── undone.json
//!               │ crash                          │ crash
//!               └── old files, no record         └── old files, undone.json
//! ```
//!
//! Next: `apply` and `undo` for the moves.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turnwise_assistant::place::{FilePath, OwnFolder};

use super::act::{Act, perform};
use super::{EditError, Proposal};
use crate::workspace::{Digest, Workspace};

/// Changes that can be taken back, one after the other.
pub const UNDO_MAX: usize = 50;

/// A change of the workspace, numbered in the order in which they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChangeId(u64);

/// The piece of work a change was made by: the same for every attempt at it, so that one whose outcome nobody heard of
/// is found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Operation(String);

/// What a change did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// By which work.
    pub operation: Operation,
    /// What it was, in words.
    pub title: String,
    /// Its files.
    pub files: Vec<FileChange>,
    /// Folders that were made for it, from the outermost on.
    pub folders: Vec<FilePath>,
}

/// What a change did to one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// The file.
    pub path: FilePath,
    /// Its digest before; none where it was not there.
    pub before: Option<Digest>,
    /// Its digest after.
    pub after: Digest,
}

/// Where a change stands: the name of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Files are being put in place.
    Applying,
    /// All are.
    Applied,
    /// The old files are being put back.
    Undoing,
    /// All are.
    Undone,
}

/// What was found unfinished and was put right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// What the change was.
    pub title: String,
    /// Files that were changed by somebody else meanwhile and were left as they are.
    pub left_alone: Vec<FilePath>,
}

/// The changes of a workspace, held by this process alone.
pub(super) struct Journal<'a> {
    pub(super) workspace: &'a Workspace,
    folder: PathBuf,
    /// Held until the journal is dropped; the system lets go of it when a process dies.
    _lock: File,
}

impl ChangeId {
    /// The change of this number.
    #[must_use]
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }
}

impl Operation {
    /// The work of this name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }
}

impl State {
    const ALL: [Self; 4] = [Self::Applying, Self::Applied, Self::Undoing, Self::Undone];

    fn file(self) -> &'static str {
        match self {
            Self::Applying => "applying.json",
            Self::Applied => "applied.json",
            Self::Undoing => "undoing.json",
            Self::Undone => "undone.json",
        }
    }
}

/// A file of ours could not be read or written.
pub(super) fn io_error(error: &io::Error) -> EditError {
    EditError::Io(error.to_string())
}

/// Puts right what a process that died left unfinished, and says what.
///
/// # Errors
/// When the journal cannot be read or the old files cannot be put back.
pub fn recover(workspace: &Workspace) -> Result<Vec<Recovered>, EditError> {
    if !workspace.root().join(OwnFolder::NAME).is_dir() {
        return Ok(Vec::new());
    }
    Journal::open(workspace).map(|(_, recovered)| recovered)
}

/// The changes in one state, the oldest first, read without holding the journal.
pub(super) fn listed(workspace: &Workspace, wanted: State) -> Vec<(ChangeId, Record)> {
    let folder = workspace.root().join(OwnFolder::NAME).join(CHANGES);
    let mut found: Vec<(ChangeId, Record)> = ids(&folder)
        .into_iter()
        .filter_map(|id| {
            let bytes = std::fs::read(folder.join(name_of(id)).join(wanted.file())).ok()?;
            Some((id, serde_json::from_slice(&bytes).ok()?))
        })
        .collect();
    found.sort_by_key(|(id, _)| *id);
    found
}

impl<'a> Journal<'a> {
    /// Waits for the journal, and puts right what is unfinished in it.
    pub(super) fn open(workspace: &'a Workspace) -> Result<(Self, Vec<Recovered>), EditError> {
        let own = workspace.root().join(OwnFolder::NAME);
        let folder = own.join(CHANGES);
        let made = || -> io::Result<File> {
            if own.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
                return Err(io::Error::other(format!("{} is not a folder", OwnFolder::NAME)));
            }
            std::fs::create_dir_all(&folder)?;
            // A repository can hold a link of this name, and then it is not ours.
            if folder.symlink_metadata()?.file_type().is_symlink() {
                return Err(io::Error::other(format!("{}/{CHANGES} is a link", OwnFolder::NAME)));
            }
            let ignoring = own.join(".gitignore");
            if !ignoring.exists() {
                std::fs::write(ignoring, "*\n")?;
            }
            let lock = File::options().write(true).create(true).truncate(false).open(own.join("lock"))?;
            match lock.try_lock() {
                Ok(()) => Ok(lock),
                // Somebody else is in the middle of a change, which takes moments.
                Err(TryLockError::WouldBlock) => lock.lock().map(|()| lock),
                Err(TryLockError::Error(error)) => Err(error),
            }
        };
        let lock = made().map_err(|error| io_error(&error))?;
        let journal = Self { workspace, folder, _lock: lock };
        let recovered = journal.recover_now()?;
        Ok((journal, recovered))
    }

    /// The journal as a process holds it that dies before it puts anything right.
    #[cfg(test)]
    pub(super) fn unlooked(workspace: &'a Workspace) -> Self {
        let own = workspace.root().join(OwnFolder::NAME);
        #[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
        let lock = File::open(own.join("lock")).unwrap();
        Self { workspace, folder: own.join(CHANGES), _lock: lock }
    }

    /// The folder of a change.
    pub(super) fn of(&self, id: ChangeId) -> PathBuf {
        self.folder.join(name_of(id))
    }

    /// The number of the next change.
    pub(super) fn next(&self) -> ChangeId {
        ChangeId(ids(&self.folder).last().map_or(1, |last| last.0 + 1))
    }

    /// The move of a record from one state to the next.
    pub(super) fn moved(&self, id: ChangeId, from: State, to: State) -> Act {
        Act::Rename { from: self.of(id).join(from.file()), to: self.of(id).join(to.file()) }
    }

    /// What it takes to have a record in a state for the first time, or with another content.
    pub(super) fn recorded(&self, id: ChangeId, record: &Record, state: State) -> Result<[Act; 2], EditError> {
        let bytes = serde_json::to_vec_pretty(record).map_err(|error| EditError::ApplyFailed(error.to_string()))?;
        let beside = self.of(id).join("record.new");
        let to = self.of(id).join(state.file());
        Ok([Act::Write { to: beside.clone(), bytes, rights_of: None }, Act::Rename { from: beside, to }])
    }

    /// Where the old content of a change's `at`th file is kept.
    pub(super) fn old(&self, id: ChangeId, at: usize) -> PathBuf {
        self.of(id).join(format!("old-{at}"))
    }

    /// Where what is about to be put in place lies.
    pub(super) fn staged(&self, id: ChangeId, at: usize) -> PathBuf {
        self.of(id).join(format!("new-{at}"))
    }

    /// Forgets what is beyond the limit, the oldest first.
    pub(super) fn forget_oldest(&self) {
        for state in [State::Applied, State::Undone] {
            let all = listed(self.workspace, state);
            for (id, _) in &all[..all.len().saturating_sub(UNDO_MAX)] {
                // Next time, then: a change that stays listed does no harm.
                let _ = Act::RemoveTree(self.of(*id)).perform();
            }
        }
    }

    /// Puts right what is unfinished, this process's own work included.
    pub(super) fn recover_now(&self) -> Result<Vec<Recovered>, EditError> {
        let mut recovered = Vec::new();
        for id in ids(&self.folder).into_iter().rev() {
            let folder = self.of(id);
            let state = State::ALL.into_iter().find(|state| folder.join(state.file()).is_file());
            let (last, state) = match state {
                // It was given up before it began, or while it was forgotten.
                None => (vec![Act::RemoveTree(folder)], None),
                Some(State::Applying) => (vec![Act::RemoveTree(folder)], state),
                Some(State::Undoing) => (vec![self.moved(id, State::Undoing, State::Undone)], state),
                Some(State::Applied | State::Undone) => continue,
            };
            if let Some(state) = state {
                let record = self.record(id, state)?;
                let (acts, left_alone) = self.put_back(id, &record)?;
                perform(&acts).map_err(|error| io_error(&error))?;
                recovered.push(Recovered { title: record.title, left_alone });
            }
            perform(&last).map_err(|error| io_error(&error))?;
        }
        Ok(recovered)
    }

    fn record(&self, id: ChangeId, state: State) -> Result<Record, EditError> {
        let path = self.of(id).join(state.file());
        let unreadable = |reason: String| EditError::Io(format!("{} cannot be read ({reason})", path.display()));
        let bytes = std::fs::read(&path).map_err(|error| unreadable(error.to_string()))?;
        serde_json::from_slice(&bytes).map_err(|error| unreadable(error.to_string()))
    }

    /// What puts the old files back, and the files that are neither old nor new and so not ours to touch.
    pub(super) fn put_back(&self, id: ChangeId, record: &Record) -> Result<(Vec<Act>, Vec<FilePath>), EditError> {
        let (mut acts, mut left_alone) = (Vec::new(), Vec::new());
        for (at, file) in record.files.iter().enumerate().rev() {
            let place = self.workspace.place(&file.path)?;
            let now = self.workspace.digest(&file.path)?;
            if now == file.before {
                continue;
            }
            if now.as_ref() != Some(&file.after) {
                left_alone.push(file.path.clone());
                continue;
            }
            if file.before.is_none() {
                acts.push(Act::Remove(place));
                continue;
            }
            let bytes = std::fs::read(self.old(id, at)).map_err(|error| io_error(&error))?;
            let from = self.staged(id, at);
            acts.push(Act::Write { to: from.clone(), bytes, rights_of: Some(self.old(id, at)) });
            acts.push(Act::Rename { from, to: place });
        }
        for folder in record.folders.iter().rev() {
            acts.push(Act::RemoveFolder(self.workspace.place(folder)?));
        }
        Ok((acts, left_alone))
    }
}

impl Record {
    /// The record of a proposal that is about to be applied.
    pub(super) fn of(proposal: &Proposal, title: &str, operation: &Operation, folders: Vec<FilePath>) -> Self {
        let file = |file: &super::proposal::FileProposal| {
            Some(FileChange { path: file.path.clone(), before: file.before.clone(), after: file.after.clone()? })
        };
        let files = proposal.files.iter().filter_map(file).collect();
        Self { operation: operation.clone(), title: title.to_owned(), files, folders }
    }
}

/// Where changes are kept, below our folder.
const CHANGES: &str = "changes";

fn name_of(id: ChangeId) -> String {
    format!("{:06}", id.0)
}

/// The changes that have a folder, in order.
fn ids(folder: &Path) -> Vec<ChangeId> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut ids: Vec<ChangeId> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok().map(ChangeId)).collect();
    ids.sort();
    ids
}
