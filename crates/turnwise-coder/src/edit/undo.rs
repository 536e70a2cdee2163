//! Undoing: the last change of this assistant that stands is taken back, as long as its files are as it left them. It
//! is shown as a diff and approved like any other change. Next: `journal` for what is kept of a change.

use turnwise_assistant::place::{FilePath, OwnFolder};

use super::act::perform;
use super::apply::{applied_by, put_right};
use super::journal::{ChangeId, Journal, Operation, State, io_error, listed};
use super::proposal::{FileProposal, diff};
use super::{Applied, EditError, Proposal};
use crate::workspace::Workspace;

/// A change that was taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// What it was.
    pub title: String,
    /// Its files.
    pub files: Vec<FilePath>,
}

/// The last change that stands, with what it was and its files.
#[must_use]
pub fn last_applied(workspace: &Workspace) -> Option<(ChangeId, String, Vec<FilePath>)> {
    let (id, record) = listed(workspace, State::Applied).pop()?;
    Some((id, record.title, record.files.into_iter().map(|file| file.path).collect()))
}

/// The change that a piece of work made, if it stands.
#[must_use]
pub fn applied(workspace: &Workspace, operation: &Operation) -> Option<Applied> {
    applied_by(workspace, operation)
}

/// Whether a change was taken back.
#[must_use]
pub fn is_undone(workspace: &Workspace, change: ChangeId) -> bool {
    listed(workspace, State::Undone).iter().any(|(id, _)| *id == change)
}

/// What taking back `change` would do.
///
/// # Errors
/// When it is not the last that stands, or a file is not as it left it.
pub fn undo_proposal(workspace: &Workspace, change: ChangeId) -> Result<Proposal, EditError> {
    let (id, record) = listed(workspace, State::Applied).pop().ok_or(EditError::NothingToUndo)?;
    if id != change {
        return Err(EditError::ApplyFailed("another change was made since, and goes first".to_owned()));
    }
    let folder = workspace.root().join(OwnFolder::NAME).join("changes").join(format!("{:06}", id.number()));
    let mut files = Vec::new();
    for (at, file) in record.files.iter().enumerate() {
        let stale = || EditError::StaleContext(file.path.clone());
        let now = workspace.read(&file.path).map_err(|_| stale())?;
        if now.digest != file.after {
            return Err(stale());
        }
        let old = match &file.before {
            None => String::new(),
            Some(_) => std::fs::read_to_string(folder.join(format!("old-{at}"))).map_err(|error| io_error(&error))?,
        };
        files.push(FileProposal {
            path: file.path.clone(),
            before: Some(file.after.clone()),
            after: file.before.clone(),
            diff: diff(&now.content, &old),
        });
    }
    Ok(Proposal { files })
}

/// Takes back `change`. Asked again, it finds that it was done. `stop` is asked as the last thing before it begins.
///
/// # Errors
/// When it is not the last that stands, a file is not as it left it, or the disk says no.
pub fn undo(workspace: &Workspace, change: ChangeId, stop: &dyn Fn() -> bool) -> Result<Undone, EditError> {
    let (journal, _) = Journal::open(workspace)?;
    let told = |record: super::Record| Undone {
        title: record.title,
        files: record.files.into_iter().map(|file| file.path).collect(),
    };
    if let Some((_, record)) = listed(workspace, State::Undone).into_iter().find(|(id, _)| *id == change) {
        return Ok(told(record));
    }
    undo_proposal(workspace, change)?;
    let (_, record) = listed(workspace, State::Applied).pop().ok_or(EditError::NothingToUndo)?;
    if stop() {
        return Err(EditError::Stopped);
    }
    let (putting_back, _) = journal.put_back(change, &record)?;
    let mut acts = vec![journal.moved(change, State::Applied, State::Undoing)];
    acts.extend(putting_back);
    acts.push(journal.moved(change, State::Undoing, State::Undone));
    match perform(&acts) {
        Ok(()) => {
            journal.forget_oldest();
            Ok(told(record))
        }
        // What was begun is finished: half of it is no state to leave files in.
        Err(error) => match journal.recover_now() {
            Ok(_) => Ok(told(record)),
            Err(_) => put_right(&journal, io_error(&error)),
        },
    }
}
