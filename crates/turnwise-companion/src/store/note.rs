//! Notes: what a person told about a project, each with a number of its own there. One is made waiting, and saved when
//! the person says so (CP-07); one for a while is gone after it. What a person told about themselves is kept apart,
//! with them and with no project. Next: `group`.

use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::PersonId;

use super::project::{ProjectId, of_person};
use super::{Change, Store, StoreError, Undo, word, word_of};

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
    /// Who told it.
    pub by: PersonId,
    /// Whether that was somebody else than who looks at it.
    pub is_others: bool,
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

/// Which notes are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only those that stand here; without it those that count.
    pub state: Option<NoteState>,
    /// Only those of the group with this label.
    pub group: Option<String>,
    /// Only those with a smaller number.
    pub before: Option<i64>,
}

/// A note that comes from elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Brought<'a> {
    /// Its number there, which it keeps where that is free.
    pub number: Option<i64>,
    /// What it says.
    pub text: &'a str,
    /// Where it stands.
    pub state: NoteState,
    /// When it was told, in milliseconds; now where nobody knows.
    pub created_ms: Option<i64>,
    /// From when on it does not count any more.
    pub expires_ms: Option<i64>,
}

/// Something a person told about themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Personal {
    /// What.
    pub text: String,
}

impl Store {
    /// The notes of a project that are wanted at `now_ms`, newest first, at most `most`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn notes(
        &self,
        person: &PersonId,
        id: &ProjectId,
        wanted: &Wanted,
        now_ms: i64,
        most: usize,
    ) -> Result<Vec<Note>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let which = match wanted.state {
            None => "state <> 'retracted'",
            Some(NoteState::Held) => "state = 'held'",
            Some(NoteState::Committed) => "state = 'committed'",
            Some(NoteState::Retracted) => "state = 'retracted'",
        };
        let query = format!(
            "SELECT {COLUMNS} FROM notes WHERE project = ?1 AND {which} AND (expires_at IS NULL OR expires_at > ?2)
             AND (?3 IS NULL OR lower(grouped) = lower(?3)) AND (?4 IS NULL OR number < ?4)
             ORDER BY number DESC LIMIT ?5"
        );
        let mut statement = connection.prepare_cached(&query)?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = statement.query_map(params![id.as_str(), now_ms, wanted.group, wanted.before, most], columns)?;
        rows.map(|row| note(row?, person)).collect()
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
        let Some(wanted) = any_of(words) else { return Ok(Vec::new()) };
        let query = format!(
            "SELECT {COLUMNS} FROM note_words JOIN notes ON notes.id = note_words.rowid
             WHERE note_words MATCH ?1 AND project = ?2 AND {COUNTS} ORDER BY rank, number DESC LIMIT ?4"
        );
        let mut statement = connection.prepare_cached(&query)?;
        let rows = statement.query_map(params![wanted, id.as_str(), now_ms, FOUND_MAX], columns)?;
        rows.map(|row| note(row?, person)).collect()
    }

    /// The texts that a note had before, oldest first.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn earlier_texts(&self, person: &PersonId, id: &ProjectId, number: i64) -> Result<Vec<String>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = "SELECT text FROM note_texts WHERE project = ?1 AND number = ?2 ORDER BY at LIMIT ?3";
        let mut statement = connection.prepare_cached(all)?;
        let rows = statement.query_map(params![id.as_str(), number, TEXTS_MAX], |row| row.get(0))?;
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
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::Refused`] where it is empty or too long.
    pub fn add_note(&self, id: &ProjectId, text: &str, lifetime: Lifetime) -> Result<Note, StoreError> {
        self.touch(id)?;
        let (state, text) = (NoteState::Held, checked(text)?);
        let (created_ms, expires_ms) = (Some(self.now_ms), lifetime.end());
        let number = self.insert_note(id, &Brought { number: None, text: &text, state, created_ms, expires_ms })?;
        self.undoable(Some(id), &Undo::TakeBack { number })?;
        let by = self.person.clone();
        Ok(Note { number, text, state, created_ms: self.now_ms, expires_ms, group: None, by, is_others: false })
    }

    /// Keeps a note that comes from elsewhere, as it was there; gives its number.
    ///
    /// # Errors
    /// As for [`Change::add_note`].
    pub fn bring_note(&self, id: &ProjectId, note: &Brought<'_>) -> Result<i64, StoreError> {
        self.touch(id)?;
        let text = checked(note.text)?;
        self.insert_note(id, &Brought { text: &text, ..*note })
    }

    fn insert_note(&self, id: &ProjectId, note: &Brought<'_>) -> Result<i64, StoreError> {
        let last = "SELECT coalesce(max(number), 0) FROM notes WHERE project = ?1";
        let last: i64 = self.transaction.query_row(last, [id.as_str()], |row| row.get(0))?;
        let number = note.number.filter(|number| *number > last).unwrap_or(last + 1);
        self.transaction.execute(
            "INSERT INTO notes (project, number, text, state, person, by, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                id.as_str(),
                number,
                note.text,
                word_of(&note.state),
                self.person.as_str(),
                WRITER,
                note.created_ms.unwrap_or(self.now_ms),
                note.expires_ms
            ],
        )?;
        let row = self.transaction.last_insert_rowid();
        self.transaction.execute("INSERT INTO note_words (rowid, text) VALUES (?1, ?2)", params![row, note.text])?;
        self.transaction.execute("INSERT INTO meanings_wanted (note) VALUES (?1)", [row])?;
        Ok(number)
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
        let moved = self.stand(id, numbers, from, to)?;
        if !moved.is_empty() {
            self.undoable(Some(id), &Undo::MoveBack { notes: moved.clone() })?;
        }
        let mut numbers: Vec<i64> = moved.into_iter().map(|(number, _)| number).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The same without a way back; gives the numbers, each with where the note stood.
    pub(super) fn stand(
        &self,
        id: &ProjectId,
        numbers: Option<&[i64]>,
        from: &[NoteState],
        to: NoteState,
    ) -> Result<Vec<(i64, NoteState)>, StoreError> {
        let all = "SELECT number FROM notes WHERE project = ?1 AND state = ?2
                   AND (expires_at IS NULL OR expires_at > ?3)";
        let mut moved = Vec::new();
        for state in from {
            let mut statement = self.transaction.prepare_cached(all)?;
            let values = params![id.as_str(), word_of(state), self.now_ms];
            let found: Vec<i64> = statement.query_map(values, |row| row.get(0))?.collect::<Result<_, _>>()?;
            let is_meant = |number: &i64| numbers.is_none_or(|numbers| numbers.contains(number));
            moved.extend(found.into_iter().filter(is_meant).map(|number| (number, *state)));
        }
        for (number, _) in &moved {
            let put = "UPDATE notes SET state = ?3 WHERE project = ?1 AND number = ?2";
            self.transaction.prepare_cached(put)?.execute(params![id.as_str(), number, word_of(&to)])?;
        }
        Ok(moved)
    }

    /// Where a note stands; none where there is no such note.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn note_state(&self, id: &ProjectId, number: i64) -> Result<Option<NoteState>, StoreError> {
        of_person(&self.transaction, self.person, id)?;
        let one = "SELECT state FROM notes WHERE project = ?1 AND number = ?2
                   AND (expires_at IS NULL OR expires_at > ?3)";
        let values = params![id.as_str(), number, self.now_ms];
        let state: Option<String> = self.transaction.query_row(one, values, |row| row.get(0)).optional()?;
        state.map(|state| word(state, "state of a note")).transpose()
    }

    /// A note says `text` from now on, and what it said is kept with it; gives what it said.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::NoSuch`] where there is no such note;
    /// [`StoreError::Refused`] where the text is empty or too long.
    pub fn edit_note(&self, id: &ProjectId, number: i64, text: &str) -> Result<String, StoreError> {
        self.touch(id)?;
        let text = checked(text)?;
        let before = self.write_note(id, number, &text)?.ok_or(StoreError::NoSuch("note"))?;
        if before != text {
            self.undoable(Some(id), &Undo::Text { number, before: before.clone() })?;
        }
        Ok(before)
    }

    /// The same without a way back; none where there is no such note.
    pub(super) fn write_note(&self, id: &ProjectId, number: i64, text: &str) -> Result<Option<String>, StoreError> {
        let one = "SELECT id, text FROM notes WHERE project = ?1 AND number = ?2 AND state <> 'retracted'
                   AND (expires_at IS NULL OR expires_at > ?3)";
        let row = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
        let values = params![id.as_str(), number, self.now_ms];
        let Some((row, before)) = self.transaction.query_row(one, values, row).optional()? else { return Ok(None) };
        if before == text {
            return Ok(Some(before));
        }
        self.transaction.execute(
            "INSERT INTO note_texts (project, number, at, text)
             SELECT ?1, ?2, coalesce(max(at), 0) + 1, ?3 FROM note_texts WHERE project = ?1 AND number = ?2",
            params![id.as_str(), number, before],
        )?;
        self.transaction.execute("UPDATE notes SET text = ?2 WHERE id = ?1", params![row, text])?;
        self.transaction.execute("UPDATE note_words SET text = ?2 WHERE rowid = ?1", params![row, text])?;
        self.transaction.execute("DELETE FROM note_meanings WHERE note = ?1", [row])?;
        self.transaction.execute("INSERT OR IGNORE INTO meanings_wanted (note) VALUES (?1)", [row])?;
        Ok(Some(before))
    }

    /// Keeps what the person told about themselves.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn add_personal(&self, text: &str, lifetime: Lifetime) -> Result<(), StoreError> {
        let text = checked(text)?;
        self.transaction.execute(
            "INSERT INTO personal (person, text, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
            params![self.person.as_str(), text, self.now_ms, lifetime.end()],
        )?;
        self.undoable(None, &Undo::Personal { row: self.transaction.last_insert_rowid() })
    }

    /// Forgets what the person told about themselves in these words.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn forget_personal(&self, text: &str) -> Result<(), StoreError> {
        let gone = "DELETE FROM personal WHERE person = ?1 AND text = ?2 RETURNING id, created_at, expires_at";
        let again = |row: &Row<'_>| {
            let (created_ms, expires_ms) = (row.get(1)?, row.get(2)?);
            Ok(Undo::PersonalAgain { row: row.get(0)?, text: text.to_owned(), created_ms, expires_ms })
        };
        let mut statement = self.transaction.prepare_cached(gone)?;
        let found: Vec<Undo> =
            statement.query_map(params![self.person.as_str(), text], again)?.collect::<Result<_, _>>()?;
        for again in found {
            self.undoable(None, &again)?;
        }
        Ok(())
    }
}

/// The text of a note as it is kept.
fn checked(text: &str) -> Result<String, StoreError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(StoreError::refused("There is nothing in that note."));
    }
    if text.len() > TEXT_BYTES_MAX {
        let told = format!("That is longer than {} kB; keep it as an artefact instead.", TEXT_BYTES_MAX / 1024);
        return Err(StoreError::refused(told));
    }
    Ok(text.to_owned())
}

/// What to look for so that any of `words` is found; nothing without words. Quoted, so that no word is taken for a sign
/// of the language of searches.
pub(super) fn any_of(words: &[String]) -> Option<String> {
    let quoted = |word: &String| format!("\"{}\"", word.replace(['"', '\0'], ""));
    (!words.is_empty()).then(|| words.iter().take(WORDS_MAX).map(quoted).collect::<Vec<_>>().join(" OR "))
}

pub(super) const COLUMNS: &str = "number, notes.text, state, created_at, expires_at, grouped, person";
/// Which notes count: those that were not taken back and whose time is not over.
const COUNTS: &str = "state <> 'retracted' AND (expires_at IS NULL OR expires_at > ?3)";

/// A note as its row has it.
pub(super) struct Columns(i64, String, String, i64, Option<i64>, Option<String>, String);

pub(super) fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok(Columns(row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?))
}

pub(super) fn note(columns: Columns, person: &PersonId) -> Result<Note, StoreError> {
    let Columns(number, text, state, created_ms, expires_ms, group, by) = columns;
    let (state, by) = (word(state, "state of a note")?, PersonId::new(by));
    Ok(Note { number, text, state, created_ms, expires_ms, group, is_others: by != *person, by })
}

/// Who made a note on the person's behalf.
const WRITER: &str = "companion";
/// Bytes of a note.
pub(super) const TEXT_BYTES_MAX: usize = 16 * 1024;
/// Notes that a search gives.
const FOUND_MAX: i64 = 10;
/// Words that are looked for at once.
const WORDS_MAX: usize = 32;
/// Earlier texts of a note that are given.
const TEXTS_MAX: i64 = 100;
/// Things about a person that are looked at.
const PERSONAL_MAX: i64 = 200;
