//! Applying: all files of a proposal, or none. What was read is compared, copies are laid by, and only then one file
//! after the other is put in its place; whatever goes wrong on the way, the old files come back. Next: `undo`.

use std::collections::BTreeSet;

use turnwise_assistant::place::FilePath;

use super::act::{Act, perform};
use super::journal::{ChangeId, Journal, Operation, Record, State, io_error, listed};
use super::{EditError, Proposal};
use crate::workspace::{Text, Workspace, WorkspaceError};

/// A proposal that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The change, by which it can be taken back.
    pub change: ChangeId,
    /// The files.
    pub files: Vec<FilePath>,
}

/// A file as it is and as it will be.
struct Changed {
    now: Option<Text>,
    after: String,
}

/// Applies `proposal`. Asked again for the same work, it finds that it was done. `stop` is asked as the last thing
/// before the first file is changed.
///
/// # Errors
/// When a file changed since, the diff does not fit, or the disk says no; then every file is as it was.
pub fn apply(
    workspace: &Workspace,
    proposal: &Proposal,
    title: &str,
    operation: &Operation,
    stop: &dyn Fn() -> bool,
) -> Result<Applied, EditError> {
    let (journal, _) = Journal::open(workspace)?;
    if let Some(applied) = applied_by(workspace, operation) {
        return Ok(applied);
    }
    let changed = changed(workspace, proposal)?;
    let change = journal.next();
    let record = Record::of(proposal, title, operation, new_folders(workspace, proposal)?);
    let (laying_by, placing) = acts(&journal, change, &record, &changed)?;
    let done = perform(&laying_by).and_then(|()| if stop() { Ok(false) } else { perform(&placing).map(|()| true) });
    match done {
        Ok(true) => {
            journal.forget_oldest();
            Ok(Applied { change, files: proposal.paths() })
        }
        Ok(false) => put_right(&journal, EditError::Stopped),
        Err(error) => put_right(&journal, io_error(&error)),
    }
}

/// The change that this work made, if it was made and stands.
pub(super) fn applied_by(workspace: &Workspace, operation: &Operation) -> Option<Applied> {
    let (change, record) = listed(workspace, State::Applied).into_iter().rfind(|(_, r)| r.operation == *operation)?;
    Some(Applied { change, files: record.files.into_iter().map(|file| file.path).collect() })
}

/// The old files come back, and then the reason is told.
pub(super) fn put_right<T>(journal: &Journal<'_>, reason: EditError) -> Result<T, EditError> {
    match journal.recover_now() {
        Ok(_) => Err(reason),
        Err(again) => Err(EditError::Unfinished(format!("{reason}, {again}"))),
    }
}

/// Each file as it is, which has to be as it was read, and as it will be.
fn changed(workspace: &Workspace, proposal: &Proposal) -> Result<Vec<Changed>, EditError> {
    if proposal.is_empty() {
        return Err(EditError::ApplyFailed("nothing is to be changed".to_owned()));
    }
    let mut seen = BTreeSet::new();
    let mut all = Vec::new();
    for file in &proposal.files {
        if !seen.insert(&file.path) || file.after.is_none() {
            return Err(EditError::ApplyFailed(format!(
                "the proposal names “{}” in a way that says nothing",
                file.path
            )));
        }
        let now = match workspace.read(&file.path) {
            Ok(text) => Some(text),
            Err(WorkspaceError::Missing(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let after = file.apply(now.as_ref())?;
        all.push(Changed { now, after });
    }
    Ok(all)
}

/// The folders that new files need, from the outermost on.
fn new_folders(workspace: &Workspace, proposal: &Proposal) -> Result<Vec<FilePath>, EditError> {
    let mut folders = BTreeSet::new();
    for file in &proposal.files {
        let name = file.path.as_str();
        for (at, _) in name.match_indices('/') {
            let folder = FilePath::new(&name[..at])?;
            if !workspace.place(&folder)?.exists() {
                folders.insert(folder);
            }
        }
    }
    Ok(folders.into_iter().collect())
}

/// What lays the old and new files by, and what puts the new ones in their places.
fn acts(
    journal: &Journal<'_>,
    change: ChangeId,
    record: &Record,
    changed: &[Changed],
) -> Result<(Vec<Act>, Vec<Act>), EditError> {
    let mut laying_by = vec![Act::Folder(journal.of(change))];
    let mut placing = Vec::new();
    for folder in &record.folders {
        placing.push(Act::Folder(journal.workspace.place(folder)?));
    }
    for (at, (file, changed)) in record.files.iter().zip(changed).enumerate() {
        let (place, staged) = (journal.workspace.place(&file.path)?, journal.staged(change, at));
        let rights_of = Some(place.clone());
        if let Some(now) = &changed.now {
            let bytes = now.content.clone().into_bytes();
            laying_by.push(Act::Write { to: journal.old(change, at), bytes, rights_of: rights_of.clone() });
        }
        let bytes = changed.after.clone().into_bytes();
        laying_by.push(Act::Write { to: staged.clone(), bytes, rights_of });
        placing.push(match changed.now {
            Some(_) => Act::Rename { from: staged, to: place },
            None => Act::Place { from: staged, to: place },
        });
    }
    laying_by.extend(journal.recorded(change, record, State::Applying)?);
    placing.push(journal.moved(change, State::Applying, State::Applied));
    Ok((laying_by, placing))
}

#[cfg(test)]
mod tests;
