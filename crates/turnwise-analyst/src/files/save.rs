//! Saving: the whole file, written beside its place, flushed, and put there at once. Whoever looks sees the old file or
//! the new one and never a half. What the plan did not say would be replaced is not. Next: `append`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use turnwise_core::{StepOutcome, StepTask, WrittenFile, text};

use super::rows::Format;
use super::state::State;
use super::{Written, argument, failed, rows_of, target};
use crate::steps;
use turnwise_assistant::{Room, digest, quoted};

/// Saves the rows; what was done.
pub fn save(room: &Room, task: &StepTask, stop: &dyn Fn() -> bool) -> Result<Written, StepOutcome> {
    let (name, replaces) = (argument(task, steps::FILE)?, argument(task, steps::REPLACES)?);
    let path = room.place(name).map_err(failed)?;
    let table = rows_of(task).map_err(failed)?;
    let format = Format::of(&path).ok_or_else(|| failed(format!("“{name}” has no format that is written.")))?;
    let bytes = format.whole(table).map_err(failed)?;
    let said = format!("{} saved as {}.", text::count(table.rows.len(), "row"), quoted(name));
    let file = WrittenFile { name: name.to_owned(), bytes: bytes.len() as u64, fingerprint: digest::of_bytes(&bytes) };
    let done = Written { said, file };
    target::check(&path, name).map_err(failed)?;
    if is_there_already(&path, name, &bytes, replaces)? {
        return Ok(done);
    }
    room.make().map_err(|error| failed(target::unmade(&error)))?;
    let beside = beside(&path);
    let written = write(&beside, &path, &bytes).and_then(|()| {
        if stop() {
            return Ok(false);
        }
        put(&beside, &path, replaces == NOTHING)?;
        Ok(true)
    });
    match written {
        Ok(true) => Ok(done),
        Ok(false) => {
            clear(&beside);
            Err(StepOutcome::Cancelled)
        }
        Err(error) => {
            clear(&beside);
            Err(failed(format!("{} cannot be written ({error}). Nothing was changed.", quoted(name))))
        }
    }
}

/// Whether an attempt of which nobody heard again wrote the file before. What else is there must be what the plan said
/// would be replaced.
fn is_there_already(path: &Path, name: &str, bytes: &[u8], replaces: &str) -> Result<bool, StepOutcome> {
    let unreadable = |error: io::Error| failed(target::unreadable(name, &error));
    match std::fs::read(path) {
        Ok(there) if there == bytes => Ok(true),
        Ok(_) if State::of(path).map_err(unreadable)?.in_words() != replaces => Err(failed(format!(
            "{} is not as it was when the plan was made, so it was not replaced. Ask again, and the plan says what \
             would be replaced.",
            quoted(name)
        ))),
        Ok(_) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(unreadable(error)),
    }
}

fn write(beside: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(beside)?;
    file.write_all(bytes)?;
    if let Ok(found) = path.metadata() {
        file.set_permissions(found.permissions())?;
    }
    file.sync_all()
}

/// Puts the written file in its place. Where the plan said that nothing is replaced, a file that came meanwhile stops
/// it.
fn put(beside: &Path, path: &Path, is_new: bool) -> io::Result<()> {
    if is_new {
        match std::fs::hard_link(beside, path) {
            Ok(()) => clear(beside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
            // A file system without links: the look a moment ago has to do.
            Err(_) => std::fs::rename(beside, path)?,
        }
    } else {
        std::fs::rename(beside, path)?;
    }
    match path.parent() {
        Some(folder) => File::open(folder).and_then(|folder| folder.sync_all()),
        None => Ok(()),
    }
}

/// A name of its own for each attempt; hidden, because nobody should meet it.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", uuid::Uuid::now_v7()))
}

/// What is left beside the file does no harm, so it is not told when it cannot be removed.
fn clear(beside: &Path) {
    let _ = std::fs::remove_file(beside);
}

/// What a plan says of a file that is not there.
pub const NOTHING: &str = "nothing";
