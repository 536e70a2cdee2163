//! Appending: only behind the end that was looked at before, under the file's lock, in one write that is flushed before
//! it counts. Whether it happened can be told afterwards from the same three things: the end looked at, the rows, and
//! the file. Next: `save`.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use turnwise_core::{StepOutcome, StepTask, Table, WrittenFile, text};

use super::rows::Format;
use super::state::State;
use super::{Written, argument, failed, rows_of, table_of, target};
use crate::steps;
use turnwise_assistant::{Room, digest, quoted};

/// What is found where an attempt at appending would have written.
pub enum Found {
    /// The file ends where it ended before.
    Nothing,
    /// Exactly the rows; what was done.
    Rows(Written),
    /// Something else, which is described.
    Other(String),
}

/// What is to be appended, and behind what.
struct Work<'a> {
    /// The file as people call it.
    name: &'a str,
    path: PathBuf,
    format: Format,
    table: &'a Table,
    before: State,
}

impl<'a> Work<'a> {
    fn of(room: &Room, task: &'a StepTask) -> Result<Self, String> {
        let name = task.work.arguments.get(steps::FILE).ok_or_else(|| format!("{} has no file.", task.work.id))?;
        let format = Format::of(Path::new(name)).ok_or_else(|| format!("“{name}” has no format that is written."))?;
        let looked_at = task.work.needs.get(1).and_then(|name| table_of(task, name)).and_then(State::of_fact);
        let before = looked_at.ok_or_else(|| format!("It is not known how “{name}” ended, so nothing is appended."))?;
        Ok(Self { name, path: room.place(name)?, format, table: rows_of(task)?, before })
    }

    /// What was done, once the rows are there: everything up to their end, whatever may come behind it.
    fn done(&self, file: &mut File, rows: &[u8]) -> Result<Written, String> {
        let count = text::count(self.table.rows.len(), "row");
        let bytes = self.before.bytes + rows.len() as u64;
        let digested = file.seek(SeekFrom::Start(0)).and_then(|_| digest::of_reader(file.take(bytes)));
        let fingerprint = digested.map_err(|error| target::unreadable(self.name, &error))?;
        let file = WrittenFile { name: self.name.to_owned(), bytes, fingerprint };
        Ok(Written { said: format!("{count} appended to {}.", quoted(self.name)), file })
    }

    /// The exact bytes to be written behind what was there.
    fn bytes(&self, file: &mut File) -> Result<Vec<u8>, String> {
        if self.before.bytes == 0 {
            return self.format.whole(self.table);
        }
        let mut bytes = Vec::new();
        // A last line without its end must not run into the first row.
        if !ends_its_line(file, self.before.bytes).map_err(|error| target::unreadable(self.name, &error))? {
            bytes.push(b'\n');
        }
        bytes.extend(self.format.rows(self.table)?);
        Ok(bytes)
    }

    /// What the file holds behind the end that was looked at.
    fn found(&self, file: &mut File) -> Result<Found, String> {
        let unreadable = |error: io::Error| target::unreadable(self.name, &error);
        let length = file.metadata().map_err(unreadable)?.len();
        let shown = quoted(self.name);
        if length < self.before.bytes || State::up_to(file, self.before.bytes).map_err(unreadable)? != self.before {
            return Ok(Found::Other(format!("{shown} was rewritten since it was looked at")));
        }
        if length == self.before.bytes {
            return Ok(Found::Nothing);
        }
        let bytes = self.bytes(file)?;
        let mut there = Vec::new();
        file.seek(SeekFrom::Start(self.before.bytes)).map_err(unreadable)?;
        Read::by_ref(file).take(bytes.len() as u64).read_to_end(&mut there).map_err(unreadable)?;
        Ok(if there == bytes {
            Found::Rows(self.done(file, &bytes)?)
        } else if bytes.starts_with(&there) {
            Found::Other(format!("only a part of the rows is at the end of {shown}"))
        } else {
            Found::Other(format!("something else was appended to {shown} since it was looked at"))
        })
    }
}

/// Appends the rows; what was done.
pub fn append(room: &Room, task: &StepTask, stop: &dyn Fn() -> bool) -> Result<Written, StepOutcome> {
    let name = argument(task, steps::FILE)?;
    let work = Work::of(room, task).map_err(failed)?;
    target::check(&work.path, name).map_err(failed)?;
    room.make().map_err(|error| failed(target::unmade(&error)))?;
    let opened = OpenOptions::new().read(true).append(true).create(true).open(&work.path);
    let mut file = opened.map_err(|error| failed(unwritable(name, &error)))?;
    lock(&file, name)?;
    match work.found(&mut file).map_err(failed)? {
        Found::Nothing => {}
        // An earlier attempt of which nobody heard again; in a first attempt the same rows are somebody else's.
        Found::Rows(done) if task.attempt > 1 => return Ok(done),
        Found::Rows(_) => {
            let shown = quoted(name);
            return Err(changed(format!("the same rows were appended to {shown} since it was looked at")));
        }
        Found::Other(what) => return Err(changed(what)),
    }
    check_columns(&work, &mut file).map_err(failed)?;
    let bytes = work.bytes(&mut file).map_err(failed)?;
    if stop() {
        return Err(StepOutcome::Cancelled);
    }
    if let Err(error) = file.write_all(&bytes).and_then(|()| file.sync_data()) {
        return Err(taken_back(&work, &file, &error));
    }
    // The rows are there; only what the file holds now cannot be told.
    work.done(&mut file, &bytes).map_err(|reason| StepOutcome::Unknown { reason })
}

/// Whether an earlier attempt appended.
pub fn look_up(room: &Room, task: &StepTask) -> Result<Found, String> {
    let work = Work::of(room, task)?;
    match File::open(&work.path) {
        Ok(mut file) => work.found(&mut file),
        Err(error) if error.kind() == io::ErrorKind::NotFound && work.before.bytes == 0 => Ok(Found::Nothing),
        Err(error) => Err(target::unreadable(work.name, &error)),
    }
}

fn changed(what: String) -> StepOutcome {
    failed(format!(
        "{what}, so nothing was appended. Say replan and then “the same again”: the end of the file is looked at anew."
    ))
}

fn unwritable(path: &str, error: &io::Error) -> String {
    format!("{} cannot be written ({error}). Nothing was appended.", quoted(path))
}

fn lock(file: &File, path: &str) -> Result<(), StepOutcome> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let error = format!("another program holds {}; nothing was appended yet", quoted(path));
            Err(StepOutcome::Transient { error })
        }
        // Some file systems have no locks. The check of the end still holds, only not against the same moment.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(failed(unwritable(path, &error))),
    }
}

/// A write that failed in its middle is taken back; where that fails too, nobody knows what the file holds.
fn taken_back(work: &Work<'_>, file: &File, error: &io::Error) -> StepOutcome {
    match file.set_len(work.before.bytes).and_then(|()| file.sync_data()) {
        Ok(()) => failed(unwritable(work.name, error)),
        Err(second) => {
            StepOutcome::Unknown { reason: format!("writing {} broke off ({error}; then {second})", quoted(work.name)) }
        }
    }
}

/// Rows under other columns' names would be worthless: the file must have these.
fn check_columns(work: &Work<'_>, file: &mut File) -> Result<(), String> {
    let unreadable = |error: io::Error| target::unreadable(work.name, &error);
    let mut start = Vec::new();
    file.seek(SeekFrom::Start(0)).map_err(unreadable)?;
    Read::by_ref(file).take(HEADER_BYTES_MAX.min(work.before.bytes)).read_to_end(&mut start).map_err(unreadable)?;
    match work.format.columns(&start) {
        Some(columns) if columns != work.format.names(&work.table.columns) => Err(format!(
            "{} has the columns {}, but the result has {}: nothing was appended. Name another file, or save it as one.",
            quoted(work.name),
            columns.join(", "),
            work.table.columns.join(", ")
        )),
        Some(_) | None => Ok(()),
    }
}

fn ends_its_line(file: &mut File, length: u64) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::Start(length.saturating_sub(1)))?;
    file.read_exact(&mut last)?;
    Ok(last == [b'\n'])
}

/// Columns' names fit in this; a longer first line is no header.
const HEADER_BYTES_MAX: u64 = 64 * 1024;
