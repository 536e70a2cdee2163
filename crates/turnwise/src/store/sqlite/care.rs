//! Care of a file of conversations: looking at it without changing it, and copying it whole while others use it. Next:
//! `open`.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use super::open::{check, connect, create_private, known_format, pragma};
use crate::store::StoreError;

/// What a file of conversations is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Its format.
    pub format: i64,
    /// The format of this version; opening an older file brings it up to date.
    pub known: i64,
    /// The conversations in it.
    pub conversations: u64,
    /// Its length.
    pub bytes: u64,
}

/// Looks at the file at `path` and everything in it.
///
/// # Errors
/// When it is not ours, of a newer version, damaged, or cannot be read.
pub fn examine(path: &Path) -> Result<Examined, StoreError> {
    let connection = look(path)?;
    let failed = |error: rusqlite::Error| StoreError::from_sqlite(&error, path);
    let told: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(failed)?;
    if told != "ok" {
        return Err(StoreError::NotADatabase { path: path.to_owned(), reason: told });
    }
    let format = pragma(&connection, "user_version").map_err(failed)?;
    let count = |connection: &Connection| {
        connection.query_row("SELECT count(*) FROM conversations", [], |row| row.get::<_, i64>(0))
    };
    let conversations = if format == 0 { 0 } else { count(&connection).map_err(failed)?.unsigned_abs() };
    let bytes = std::fs::metadata(path).map_or(0, |found| found.len());
    Ok(Examined { format, known: known_format(), conversations, bytes })
}

/// Copies the conversations at `from` to the new file `to`, as they stand at one moment, while others may write. The
/// copy can be read by its owner alone.
///
/// # Errors
/// When `from` is not whole, or `to` is there or cannot be written.
pub fn copy(from: &Path, to: &Path) -> Result<Examined, StoreError> {
    examine(from)?;
    if to.exists() {
        return Err(StoreError::Unopenable { path: to.to_owned(), reason: "it is there already".to_owned() });
    }
    create_private(to)?;
    let copied = copied(from, to);
    if copied.is_err() {
        // Half a copy is worse than none; that it cannot be taken away is told by the error before.
        let _ = std::fs::remove_file(to);
    }
    copied
}

fn copied(from: &Path, to: &Path) -> Result<Examined, StoreError> {
    let text = to.to_str().ok_or_else(|| StoreError::Unopenable {
        path: to.to_owned(),
        reason: "its name is no readable text".to_owned(),
    })?;
    let connection = look(from)?;
    connection.execute("VACUUM INTO ?1", [text]).map_err(|error| StoreError::from_sqlite(&error, to))?;
    examine(to)
}

/// Puts the copy at `from` in the place of `to`. What was there is kept beside it, under the name that is given back.
///
/// # Errors
/// When `from` is not whole, another process uses `to`, or a file cannot be written.
pub fn put_back(from: &Path, to: &Path, aside: &Path) -> Result<Option<PathBuf>, StoreError> {
    examine(from)?;
    let failed = |path: &Path, error: std::io::Error| StoreError::Unopenable {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let mut kept = None;
    if to.exists() {
        alone(to)?;
        std::fs::rename(to, aside).map_err(|error| failed(aside, error))?;
        kept = Some(aside.to_owned());
    }
    if let Err(error) = copy(from, to) {
        if kept.is_some() {
            std::fs::rename(aside, to).map_err(|error| failed(to, error))?;
        }
        return Err(error);
    }
    Ok(kept)
}

/// Makes sure that nobody else has the file open, and that all of it is in the one file.
fn alone(path: &Path) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::from_sqlite(&error, path);
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    check(&connection, path)?;
    // A connection that has the file open in write-ahead mode keeps it shared, so the mode cannot be left.
    let mode: String =
        connection.pragma_update_and_check(None, "journal_mode", "DELETE", |row| row.get(0)).map_err(failed)?;
    if mode == "delete" { Ok(()) } else { Err(StoreError::Busy(path.to_owned())) }
}

fn look(path: &Path) -> Result<Connection, StoreError> {
    if !path.exists() {
        return Err(StoreError::Unopenable { path: path.to_owned(), reason: "there is no such file".to_owned() });
    }
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    check(&connection, path)?;
    Ok(connection)
}
