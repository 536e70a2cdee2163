//! Jobs: work on a project that takes its time, wherever it is done. Each says how far it is, so that “how is it going”
//! has an answer while nobody looks. Next: `turn`.

use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::{PersonId, text};

use super::project::{ProjectId, of_person};
use super::{Change, Store, StoreError, word, word_of};

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its number in the project, from 1.
    pub number: i64,
    /// What it does, in a few words.
    pub title: String,
    /// Where it stands.
    pub state: JobState,
    /// How far it is, where that is known.
    pub progress: Option<Progress>,
    /// What is to be known about it.
    pub remark: String,
    /// When that was, in milliseconds.
    pub changed_ms: i64,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// How much is done.
    pub done: i64,
    /// Of how much.
    pub whole: i64,
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
    /// The jobs of a project, those that changed last first.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn jobs(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<Job>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = "SELECT number, title, state, done, whole, remark, changed_at FROM jobs WHERE project = ?1
                   ORDER BY changed_at DESC, id DESC LIMIT ?2";
        let mut statement = connection.prepare_cached(all)?;
        let columns = |row: &Row<'_>| {
            let state: String = row.get(2)?;
            let (done, whole): (Option<i64>, Option<i64>) = (row.get(3)?, row.get(4)?);
            let progress = done.zip(whole).map(|(done, whole)| Progress { done, whole });
            let (number, title, remark, changed_ms) = (row.get(0)?, row.get(1)?, row.get(5)?, row.get(6)?);
            Ok((state, Job { number, title, state: JobState::Active, progress, remark, changed_ms }))
        };
        let rows = statement.query_map(params![id.as_str(), LISTED_MAX], columns)?;
        let job = |(state, job)| Ok(Job { state: word(state, "state of a job")?, ..job });
        rows.map(|row| job(row?)).collect()
    }
}

impl Change<'_> {
    /// Keeps a job as it stands now; gives its number.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn add_job(&self, id: &ProjectId, title: &str, state: JobState) -> Result<i64, StoreError> {
        self.touch(id)?;
        let title = text::clip(title, TITLE_CHARACTERS_MAX);
        let add = "INSERT INTO jobs (project, number, title, state, changed_at)
                   SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4 FROM jobs WHERE project = ?1 RETURNING number";
        let values = params![id.as_str(), title, word_of(&state), self.now_ms];
        Ok(self.transaction.query_row(add, values, |row| row.get(0))?)
    }

    /// Says where a job stands now.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::NoSuch`] where there is no such job;
    /// [`StoreError::Refused`] where what is said to be done is more than there is.
    pub fn move_job(
        &self,
        id: &ProjectId,
        number: i64,
        state: JobState,
        progress: Option<Progress>,
        remark: &str,
    ) -> Result<(), StoreError> {
        self.touch(id)?;
        if progress.is_some_and(|far| far.whole < 1 || !(0..=far.whole).contains(&far.done)) {
            return Err(StoreError::refused("What is done of a job is a number from 0 to the whole of it."));
        }
        let remark = text::clip(remark, REMARK_CHARACTERS_MAX);
        let moved = self.transaction.execute(
            "UPDATE jobs SET state = ?3, done = coalesce(?4, done), whole = coalesce(?5, whole), remark = ?6,
             changed_at = ?7 WHERE project = ?1 AND number = ?2",
            params![
                id.as_str(),
                number,
                word_of(&state),
                progress.map(|far| far.done),
                progress.map(|far| far.whole),
                remark,
                self.now_ms
            ],
        )?;
        if moved == 0 { Err(StoreError::NoSuch("job")) } else { Ok(()) }
    }
}

/// Jobs that are looked at.
const LISTED_MAX: i64 = 200;
/// Characters of a job's title.
const TITLE_CHARACTERS_MAX: usize = 200;
/// Characters of what is to be known about a job.
const REMARK_CHARACTERS_MAX: usize = 500;
