//! What came of a project: specifications, artefacts with their versions, and the jobs that make them. Next: `turn`.

use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::PersonId;

use super::project::{ProjectId, of_person};
use super::{Change, Store, StoreError, word, word_of};

/// An artefact in its latest version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artefact {
    /// What it is called.
    pub name: String,
    /// What sort of document it is: `report`, `handbook`.
    pub kind: String,
    /// From 1.
    pub version: i64,
    /// Its text.
    pub content: String,
}

/// A specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Specification {
    /// What it is called.
    pub name: String,
    /// Its text.
    pub content: String,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// What it does, in a few words.
    pub title: String,
    /// Where it stands.
    pub state: JobState,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// It runs.
    Active,
    /// It waits for a person.
    Attention,
    /// It is done.
    Finished,
}

impl Store {
    /// The artefacts of a project, each in its latest version, by name.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn artefacts(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<Artefact>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = "SELECT name, kind, max(version), content FROM artefacts WHERE project = ?1 GROUP BY name
                   ORDER BY name LIMIT ?2";
        let mut statement = connection.prepare_cached(all)?;
        let artefact = |row: &Row<'_>| {
            Ok(Artefact { name: row.get(0)?, kind: row.get(1)?, version: row.get(2)?, content: row.get(3)? })
        };
        let rows = statement.query_map(params![id.as_str(), LISTED_MAX], artefact)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The specifications of a project, by name.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn specifications(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<Specification>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = "SELECT name, content FROM specifications WHERE project = ?1 ORDER BY name LIMIT ?2";
        let mut statement = connection.prepare_cached(all)?;
        let one = |row: &Row<'_>| Ok(Specification { name: row.get(0)?, content: row.get(1)? });
        let rows = statement.query_map(params![id.as_str(), LISTED_MAX], one)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The jobs of a project, those that changed last first.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn jobs(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<Job>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = "SELECT title, state FROM jobs WHERE project = ?1 ORDER BY changed_at DESC, id DESC LIMIT ?2";
        let mut statement = connection.prepare_cached(all)?;
        let columns = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let rows = statement.query_map(params![id.as_str(), LISTED_MAX], columns)?;
        let job = |(title, state)| Ok(Job { title, state: word(state, "state of a job")? });
        rows.map(|row| job(row?)).collect()
    }
}

impl Change<'_> {
    /// Keeps an artefact, as a new version where its text is another; gives the version.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn add_artefact(&self, id: &ProjectId, name: &str, kind: &str, content: &str) -> Result<i64, StoreError> {
        self.touch(id)?;
        let last = "SELECT version, content FROM artefacts WHERE project = ?1 AND name = ?2
                    ORDER BY version DESC LIMIT 1";
        let columns = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
        let last = self.transaction.query_row(last, params![id.as_str(), name], columns).optional()?;
        let version = match last {
            Some((version, same)) if same == content => return Ok(version),
            last => last.map_or(1, |(version, _)| version + 1),
        };
        self.transaction.execute(
            "INSERT INTO artefacts (project, name, kind, version, content, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id.as_str(), name, kind, version, content, self.now_ms],
        )?;
        Ok(version)
    }

    /// Keeps a specification under its name.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn set_specification(&self, id: &ProjectId, name: &str, content: &str) -> Result<(), StoreError> {
        self.touch(id)?;
        self.transaction.execute(
            "INSERT INTO specifications (project, name, content, changed_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (project, name) DO UPDATE SET content = excluded.content, changed_at = excluded.changed_at",
            params![id.as_str(), name, content, self.now_ms],
        )?;
        Ok(())
    }

    /// Keeps a job as it stands now.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn add_job(&self, id: &ProjectId, title: &str, state: JobState) -> Result<(), StoreError> {
        self.touch(id)?;
        self.transaction.execute(
            "INSERT INTO jobs (project, title, state, changed_at) VALUES (?1, ?2, ?3, ?4)",
            params![id.as_str(), title, word_of(&state), self.now_ms],
        )?;
        Ok(())
    }
}

/// Documents and jobs that are looked at.
const LISTED_MAX: i64 = 200;
