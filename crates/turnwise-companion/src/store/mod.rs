//! What the companion keeps: projects with their members, seed, notes, documents and jobs, what is known of a person,
//! and the turns of each person, in one SQLite file. Every question names the person who asks, and what they are no
//! member of is not there for them (CP-13).
//!
//! Whatever changes something is done under an [`Operation`] in one transaction with its outcome: done a second time it
//! changes nothing and gives the first outcome again, so an attempt whose process died can simply be made once more.
//! Next: `project`, `member`, `note`, `group`, `document`,
//! `job`, `turn`, `undo`.

mod attention;
mod context;
mod document;
mod group;
mod job;
mod meaning;
mod member;
mod note;
mod own;
mod project;
mod schema;
mod since;
mod turn;
mod undo;

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use turnwise_core::PersonId;

pub use document::{Artefact, Document, NewArtefact, Passage, Specification};
pub use group::Group;
pub use job::{Job, JobState, Progress};
pub use member::Invitation;
pub use note::{Brought, Lifetime, Note, NoteState, Personal, Wanted};
pub use project::{Counts, Project, ProjectId, ProjectState, Readiness, Seed, SeedField, SeedValue};
pub use since::{Since, Thing};
pub use turn::{Around, Focus, NewTurn, Role, Turn};
pub use undo::{Did, Undo, Undone};

/// The store. Copies share the one file.
#[derive(Clone, Debug)]
pub struct Store {
    connection: Arc<Mutex<Connection>>,
    at_work: Arc<meaning::AtWork>,
    attention: Arc<attention::Attention>,
    meanings: Arc<meaning::Meanings>,
    contexts: Arc<context::Contexts>,
}

/// Why something cannot be read or kept.
#[derive(Debug, Error)]
pub enum StoreError {
    /// There is no such project, or the person is no member of it: they cannot tell which.
    #[error("not found")]
    NotFound,
    /// The file was written by a newer version.
    #[error("the projects are kept in format {found}, and this version knows up to {known}")]
    Newer {
        /// The file's format.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// It cannot be, and why, as a sentence for the person.
    #[error("{0}")]
    Refused(String),
    /// The project has none of these.
    #[error("there is no such {0}")]
    NoSuch(&'static str),
    /// No folder was named.
    #[error("name the folder, as in “import project ./farmguard”.")]
    Unnamed,
    /// The folder cannot be used.
    #[error("{0}")]
    Folder(#[from] std::io::Error),
    /// The database says no.
    #[error("the projects cannot be read or kept: {0}")]
    Database(#[from] rusqlite::Error),
    /// What is kept means nothing to this version.
    #[error("what is kept as {what} cannot be read: {value}")]
    Damaged {
        /// What it should be.
        what: &'static str,
        /// What is there.
        value: String,
    },
}

impl StoreError {
    pub(crate) fn refused(told: impl Into<String>) -> Self {
        Self::Refused(told.into())
    }
}

/// What makes two attempts at one change the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation(String);

impl Operation {
    /// By its key.
    #[must_use]
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A change under way: what it writes is there whole or not at all.
pub struct Change<'a> {
    transaction: Transaction<'a>,
    person: &'a PersonId,
    operation: &'a Operation,
    now_ms: i64,
}

impl Store {
    /// The store in `folder`, which is made where it is not there; in memory without one.
    ///
    /// # Errors
    /// When the folder or the file cannot be used.
    pub fn open(folder: Option<&Path>) -> Result<Self, StoreError> {
        let connection = match folder {
            None => Connection::open_in_memory()?,
            Some(folder) => {
                make_private(folder)?;
                Connection::open(folder.join(FILE))?
            }
        };
        schema::prepare(&connection)?;
        meaning::renew(&connection)?;
        let connection = Arc::new(Mutex::new(connection));
        let (at_work, attention, meanings, contexts) = Default::default();
        Ok(Self { connection, at_work, attention, meanings, contexts })
    }

    /// Does `change` once for `operation`, and gives its outcome; the second time, the first outcome.
    ///
    /// # Errors
    /// When the change fails; nothing of it is kept then.
    pub fn once<T, F>(&self, person: &PersonId, operation: &Operation, now_ms: i64, change: F) -> Result<T, StoreError>
    where
        T: Serialize + for<'de> Deserialize<'de>,
        F: FnOnce(&Change<'_>) -> Result<T, StoreError>,
    {
        let mut connection = self.lock();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if let Some(outcome) = outcome_of(&transaction, person, operation)? {
            return read(&outcome, "outcome");
        }
        let under_way = Change { transaction, person, operation, now_ms };
        let outcome = change(&under_way)?;
        let Change { transaction, .. } = under_way;
        transaction.execute(
            "INSERT INTO done (operation, person, outcome, at) VALUES (?1, ?2, ?3, ?4)",
            params![operation.key(), person.as_str(), written(&outcome), now_ms],
        )?;
        transaction.commit()?;
        Ok(outcome)
    }

    /// What came of `operation`, if it was done.
    ///
    /// # Errors
    /// When that cannot be read.
    pub fn outcome<T: for<'de> Deserialize<'de>>(
        &self,
        person: &PersonId,
        operation: &Operation,
    ) -> Result<Option<T>, StoreError> {
        let found = outcome_of(&self.lock(), person, operation)?;
        found.map(|outcome| read(&outcome, "outcome")).transpose()
    }

    /// Writes what may be lost where the power goes, and only then: nobody waits for the disk, and what is written
    /// after it takes it along.
    fn unhurried<T>(&self, write: impl FnOnce(&mut Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut unhurried = Unhurried(self.lock());
        unhurried.0.pragma_update(None, "synchronous", "NORMAL")?;
        write(&mut unhurried.0)
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A panic in the middle of a change rolled it back; what is there is whole.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that waits for the disk again once this is gone, however that comes about.
struct Unhurried<'a>(MutexGuard<'a, Connection>);

impl Drop for Unhurried<'_> {
    fn drop(&mut self) {
        // What was written is written: where this fails, so does the next change, and that tells it.
        let _ = self.0.pragma_update(None, "synchronous", "FULL");
    }
}

impl Change<'_> {
    /// Whose change it is.
    #[must_use]
    pub fn person(&self) -> &PersonId {
        self.person
    }

    /// When it is made, in milliseconds.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.now_ms
    }
}

fn outcome_of(
    connection: &Connection,
    person: &PersonId,
    operation: &Operation,
) -> Result<Option<String>, rusqlite::Error> {
    let found = "SELECT outcome FROM done WHERE operation = ?1 AND person = ?2";
    connection.query_row(found, params![operation.key(), person.as_str()], |row| row.get(0)).optional()
}

/// A value as it is kept.
fn written(value: &impl Serialize) -> String {
    // Texts, numbers and lists of them: there is nothing in them that could not be written.
    serde_json::to_string(value).unwrap_or_default()
}

/// A value that was kept.
fn read<T: for<'de> Deserialize<'de>>(text: &str, what: &'static str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Damaged { what, value: text.to_owned() })
}

/// A word that was kept, as the value it stands for.
fn word<T: for<'de> Deserialize<'de>>(text: String, what: &'static str) -> Result<T, StoreError> {
    serde_json::from_value(serde_json::Value::String(text.clone()))
        .map_err(|_| StoreError::Damaged { what, value: text })
}

/// The word a value is kept as.
fn word_of(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        _ => String::new(),
    }
}

/// Makes a folder that its owner alone can look into.
fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// The file in the assistant's folder.
const FILE: &str = "projects.sqlite";

#[cfg(test)]
mod tests;
