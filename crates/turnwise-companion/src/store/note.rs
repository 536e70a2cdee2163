//! Notes: what a person told about a project, each with a number of its own there. One is made waiting, and saved when
//! the person says so (CP-07); one for a while is gone after it. What a person told about themselves is kept apart,
//! with them and with no project. Next: `document`.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::PersonId;

use super::project::{ProjectId, of_person};
use super::{Change, Store, StoreError, word, word_of};

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its number in the project, from 1.
    pub number: i64,
    /// What was told.
    pub text: String,
    /// Where it stands.
    pub state: NoteState,
    /// When it was made, in milliseconds.
    pub created_ms: i64,
    /// From when on it is not looked at any more.
    pub expires_ms: Option<i64>,
    /// The label of its group.
    pub group: Option<String>,
}

/// Where a note stands. People read "waiting", "saved" and "taken back".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteState {
    /// Made by the companion on the person's behalf.
    Held,
    /// The person stands by it.
    Committed,
    /// Taken back.
    Retracted,
}

/// How long a note counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "counts", content = "ms", rename_all = "snake_case")]
pub enum Lifetime {
    /// Until it is taken back.
    Lasting,
    /// Until then.
    Until(i64),
}

impl Lifetime {
    /// When it ends.
    #[must_use]
    pub fn end(self) -> Option<i64> {
        match self {
            Self::Lasting => None,
            Self::Until(end) => Some(end),
        }
    }
}

/// Notes that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// What they are called.
    pub label: String,
    /// What they say, in one or two sentences.
    pub summary: String,
    /// Why they are one group.
    pub rationale: String,
    /// How many there are.
    pub notes: i64,
}

/// Something a person told about themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Personal {
    /// What.
    pub text: String,
}

impl Store {
    /// The notes of a project that count at `now_ms`, newest first, at most `most`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn notes(&self, person: &PersonId, id: &ProjectId, now_ms: i64, most: usize) -> Result<Vec<Note>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        notes(&connection, id, now_ms, most)
    }

    /// The notes of a project that hold any of `words`, best first.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn search(
        &self,
        person: &PersonId,
        id: &ProjectId,
        words: &[String],
        now_ms: i64,
    ) -> Result<Vec<Note>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        // Quoted, so that no word is taken for a sign of the language of searches.
        let wanted: Vec<String> = words.iter().map(|word| format!("\"{}\"", word.replace('"', ""))).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let query = format!(
            "SELECT {COLUMNS} FROM note_words JOIN notes ON notes.id = note_words.rowid
             WHERE note_words MATCH ?1 AND project = ?2 AND {COUNTS} ORDER BY rank, number DESC LIMIT ?4"
        );
        let mut statement = connection.prepare_cached(&query)?;
        let wanted = wanted.join(" OR ");
        let rows = statement.query_map(params![wanted, id.as_str(), now_ms, FOUND_MAX], columns)?;
        rows.map(|row| note(row?)).collect()
    }

    /// The groups of a project's notes.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn groups(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<Group>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = "SELECT label, summary, rationale, (SELECT count(*) FROM notes WHERE notes.project = groups.project
                   AND grouped = label AND state <> 'retracted') FROM groups WHERE project = ?1 ORDER BY label";
        let mut statement = connection.prepare_cached(all)?;
        let group = |row: &Row<'_>| {
            Ok(Group { label: row.get(0)?, summary: row.get(1)?, rationale: row.get(2)?, notes: row.get(3)? })
        };
        let rows = statement.query_map([id.as_str()], group)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What a person told about themselves, newest first.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn personal(&self, person: &PersonId, now_ms: i64) -> Result<Vec<Personal>, StoreError> {
        let connection = self.lock();
        let all = "SELECT text FROM personal WHERE person = ?1 AND (expires_at IS NULL OR expires_at > ?2)
                   ORDER BY created_at DESC, id DESC LIMIT ?3";
        let mut statement = connection.prepare_cached(all)?;
        let told = |row: &Row<'_>| Ok(Personal { text: row.get(0)? });
        let rows = statement.query_map(params![person.as_str(), now_ms, PERSONAL_MAX], told)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Change<'_> {
    /// Makes a note, waiting.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn add_note(&self, id: &ProjectId, text: &str, lifetime: Lifetime) -> Result<Note, StoreError> {
        self.touch(id)?;
        let last = "SELECT coalesce(max(number), 0) FROM notes WHERE project = ?1";
        let number: i64 = self.transaction.query_row(last, [id.as_str()], |row| row.get::<_, i64>(0))? + 1;
        let state = NoteState::Held;
        self.transaction.execute(
            "INSERT INTO notes (project, number, text, state, person, by, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                id.as_str(),
                number,
                text,
                word_of(&state),
                self.person.as_str(),
                WRITER,
                self.now_ms,
                lifetime.end()
            ],
        )?;
        let row = self.transaction.last_insert_rowid();
        self.transaction.execute("INSERT INTO note_words (rowid, text) VALUES (?1, ?2)", params![row, text])?;
        let (text, created_ms, expires_ms) = (text.to_owned(), self.now_ms, lifetime.end());
        Ok(Note { number, text, state, created_ms, expires_ms, group: None })
    }

    /// Puts notes that are in `from` into `to`: those with `numbers`, or all of them without. Gives their numbers.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn move_notes(
        &self,
        id: &ProjectId,
        numbers: Option<&[i64]>,
        from: &[NoteState],
        to: NoteState,
    ) -> Result<Vec<i64>, StoreError> {
        self.touch(id)?;
        let mut moved = Vec::new();
        for note in notes(&self.transaction, id, self.now_ms, NOTES_MAX)? {
            let is_meant = numbers.is_none_or(|numbers| numbers.contains(&note.number));
            if is_meant && from.contains(&note.state) {
                self.transaction.execute(
                    "UPDATE notes SET state = ?3 WHERE project = ?1 AND number = ?2",
                    params![id.as_str(), note.number, word_of(&to)],
                )?;
                moved.push(note.number);
            }
        }
        moved.sort_unstable();
        Ok(moved)
    }

    /// Keeps a group of notes; the notes with `numbers` are in it from now on.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn set_group(
        &self,
        id: &ProjectId,
        label: &str,
        summary: &str,
        rationale: &str,
        numbers: &[i64],
    ) -> Result<(), StoreError> {
        self.touch(id)?;
        self.transaction.execute(
            "INSERT INTO groups (project, label, summary, rationale) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (project, label) DO UPDATE SET summary = excluded.summary, rationale = excluded.rationale",
            params![id.as_str(), label, summary, rationale],
        )?;
        for number in numbers {
            self.transaction.execute(
                "UPDATE notes SET grouped = ?3 WHERE project = ?1 AND number = ?2",
                params![id.as_str(), number, label],
            )?;
        }
        Ok(())
    }

    /// Keeps what the person told about themselves.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn add_personal(&self, text: &str, lifetime: Lifetime) -> Result<(), StoreError> {
        self.transaction.execute(
            "INSERT INTO personal (person, text, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
            params![self.person.as_str(), text, self.now_ms, lifetime.end()],
        )?;
        Ok(())
    }

    /// Forgets what the person told last about themselves, if that was after `since_ms`; gives it.
    ///
    /// # Errors
    /// When it cannot be taken back.
    pub fn take_back_personal(&self, since_ms: i64) -> Result<Option<String>, StoreError> {
        let latest = "SELECT id, text FROM personal WHERE person = ?1 AND created_at > ?2
                      AND (expires_at IS NULL OR expires_at > ?3) ORDER BY created_at DESC, id DESC LIMIT 1";
        let row = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
        let values = params![self.person.as_str(), since_ms, self.now_ms];
        let Some((id, text)) = self.transaction.query_row(latest, values, row).optional()? else { return Ok(None) };
        self.transaction.execute("DELETE FROM personal WHERE id = ?1", [id])?;
        Ok(Some(text))
    }
}

const COLUMNS: &str = "number, notes.text, state, created_at, expires_at, grouped";
/// Which notes count: those that were not taken back and whose time is not over.
const COUNTS: &str = "state <> 'retracted' AND (expires_at IS NULL OR expires_at > ?3)";

/// A note as its row has it.
struct Columns(i64, String, String, i64, Option<i64>, Option<String>);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok(Columns(row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
}

fn note(Columns(number, text, state, created_ms, expires_ms, group): Columns) -> Result<Note, StoreError> {
    Ok(Note { number, text, state: word(state, "state of a note")?, created_ms, expires_ms, group })
}

fn notes(connection: &Connection, id: &ProjectId, now_ms: i64, most: usize) -> Result<Vec<Note>, StoreError> {
    let query = format!("SELECT {COLUMNS} FROM notes WHERE project = ?1 AND {COUNTS} ORDER BY number DESC LIMIT ?2");
    let mut statement = connection.prepare_cached(&query)?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = statement.query_map(params![id.as_str(), most, now_ms], columns)?;
    rows.map(|row| note(row?)).collect()
}

/// Who made a note on the person's behalf.
const WRITER: &str = "companion";
/// Notes that one change looks at.
const NOTES_MAX: usize = 100_000;
/// Notes that a search gives.
const FOUND_MAX: i64 = 10;
/// Things about a person that are looked at.
const PERSONAL_MAX: i64 = 200;
