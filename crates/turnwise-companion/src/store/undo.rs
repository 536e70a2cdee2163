//! Undoing: each change of a person is kept with what takes it back, and “undo” takes back the last one that stands.
//! What others did is not theirs to undo. Next: `turn`.

use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::PersonId;

use super::project::{Project, ProjectId, of_person};
use super::{Change, NoteState, SeedField, SeedValue, Store, StoreError, read, word_of, written};

/// What takes a change back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Undo {
    /// A note that was made is taken back.
    TakeBack {
        /// Its number.
        number: i64,
    },
    /// Notes stand where they stood.
    MoveBack {
        /// Their numbers, each with where it stood.
        notes: Vec<(i64, NoteState)>,
    },
    /// A note says what it said.
    Text {
        /// Its number.
        number: i64,
        /// What it said.
        before: String,
    },
    /// Notes are in the groups they were in.
    Groups {
        /// Their numbers, each with the label of its group.
        notes: Vec<(i64, Option<String>)>,
        /// A group that was made and goes again.
        made: Option<String>,
    },
    /// Something about the person is forgotten.
    Personal {
        /// Its row.
        row: i64,
    },
    /// Something about the person that was forgotten is kept again.
    PersonalAgain {
        /// The row it had, which what takes its telling back still names.
        row: i64,
        /// What.
        text: String,
        /// When it was told, in milliseconds.
        created_ms: i64,
        /// From when on it does not count any more.
        expires_ms: Option<i64>,
    },
    /// A field of a seed is as it was.
    Seed {
        /// The field.
        field: SeedField,
        /// What was said of it.
        before: Option<SeedValue>,
    },
    /// A project is called what it was called.
    Name {
        /// Its name before.
        before: String,
    },
    /// The setup of a project is open again.
    Finalized,
    /// A specification says what it said, or is gone where it was new.
    Specification {
        /// Its name.
        name: String,
        /// Its text before.
        before: Option<String>,
    },
    /// A version of an artefact is gone.
    Artefact {
        /// Its name.
        name: String,
        /// The version.
        version: i64,
    },
}

/// What was undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// In which project; none where it was about the person.
    pub project: Option<Project>,
    /// What.
    pub change: Undo,
    /// What was forgotten about the person.
    pub forgotten: Option<String>,
}

impl Store {
    /// The note of a project that the person's last change made or changed; none where that was another change.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn touched_last(&self, person: &PersonId, id: &ProjectId) -> Result<Option<i64>, StoreError> {
        let last = "SELECT project, change FROM undoing WHERE person = ?1 ORDER BY id DESC LIMIT 1";
        let columns = |row: &Row<'_>| Ok((row.get::<_, Option<String>>(0)?, row.get::<_, String>(1)?));
        let found = self.lock().query_row(last, [person.as_str()], columns).optional()?;
        let Some((_, change)) = found.filter(|(project, _)| project.as_deref() == Some(id.as_str())) else {
            return Ok(None);
        };
        Ok(match read(&change, "change that can be undone")? {
            Undo::TakeBack { number } | Undo::Text { number, .. } => Some(number),
            _ => None,
        })
    }
}

impl Change<'_> {
    /// Keeps what takes the change at hand back.
    pub(super) fn undoable(&self, project: Option<&ProjectId>, undo: &Undo) -> Result<(), StoreError> {
        self.transaction.execute(
            "INSERT INTO undoing (person, project, change, at) VALUES (?1, ?2, ?3, ?4)",
            params![self.person.as_str(), project.map(ProjectId::as_str), written(undo), self.now_ms],
        )?;
        self.transaction.execute(
            "DELETE FROM undoing WHERE person = ?1 AND id <= (SELECT id FROM undoing WHERE person = ?1
             ORDER BY id DESC LIMIT 1 OFFSET ?2)",
            params![self.person.as_str(), UNDOABLE_MAX],
        )?;
        Ok(())
    }

    /// What was done to a project up to here is not undone any more.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`](super::Store::project).
    pub fn settle(&self, id: &ProjectId) -> Result<(), StoreError> {
        self.touch(id)?;
        let ids = params![id.as_str(), self.person.as_str()];
        self.transaction.execute("DELETE FROM undoing WHERE project = ?1 AND person = ?2", ids)?;
        Ok(())
    }

    /// Takes the person's last change back that stands; none where there is none.
    ///
    /// # Errors
    /// When it cannot be taken back.
    pub fn undo(&self) -> Result<Option<Undone>, StoreError> {
        let last = "SELECT id, project, change FROM undoing WHERE person = ?1 ORDER BY id DESC LIMIT 1";
        let columns = |row: &Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, Option<String>>(1)?, row.get(2)?));
        loop {
            let found: Option<(i64, Option<String>, String)> =
                self.transaction.query_row(last, [self.person.as_str()], columns).optional()?;
            let Some((row, project, change)) = found else { return Ok(None) };
            self.transaction.execute("DELETE FROM undoing WHERE id = ?1", [row])?;
            let change: Undo = read(&change, "change that can be undone")?;
            let project = project.map(ProjectId::new);
            // What was done meanwhile by others may leave nothing to undo; then it is the change before that is meant.
            if let Some(undone) = self.undone(project.as_ref(), change)? {
                return Ok(Some(undone));
            }
        }
    }

    fn undone(&self, id: Option<&ProjectId>, change: Undo) -> Result<Option<Undone>, StoreError> {
        let Some(id) = id else { return self.personal_undone(change) };
        let project = match of_person(&self.transaction, self.person, id) {
            Err(StoreError::NotFound) => return Ok(None),
            project => project?,
        };
        self.touch(id)?;
        let did = match &change {
            Undo::TakeBack { number } => {
                let from = [NoteState::Held, NoteState::Committed];
                !self.stand(id, Some(&[*number]), &from, NoteState::Retracted)?.is_empty()
            }
            Undo::MoveBack { notes } => {
                for (number, state) in notes {
                    let back = "UPDATE notes SET state = ?3 WHERE project = ?1 AND number = ?2";
                    self.transaction.execute(back, params![id.as_str(), number, word_of(state)])?;
                }
                true
            }
            Undo::Text { number, before } => self.write_note(id, *number, before)?.is_some(),
            Undo::Groups { notes, made } => {
                for (number, label) in notes {
                    self.put_in_group(id, *number, label.as_deref())?;
                }
                if let Some(made) = made {
                    self.remove_group(id, made)?;
                }
                true
            }
            Undo::Seed { field, before } => {
                self.write_seed(id, *field, before.as_ref())?;
                true
            }
            Undo::Name { before } => {
                self.write_name(id, before)?;
                true
            }
            Undo::Finalized => self.reopen(id)?,
            Undo::Specification { name, before } => {
                self.write_specification(id, name, before.as_deref())?;
                true
            }
            Undo::Artefact { name, version } => self.remove_artefact(id, name, *version)?,
            Undo::Personal { .. } | Undo::PersonalAgain { .. } => false,
        };
        // It may be called something else now.
        let project = if did { of_person(&self.transaction, self.person, id)? } else { project };
        Ok(did.then_some(Undone { project: Some(project), change, forgotten: None }))
    }

    /// What takes the telling of something back finds it in its new row: the old one may be another's by now. Rows are
    /// given again, so that only the latest that names it is meant.
    fn follow_personal(&self, before: i64, now: i64) -> Result<(), StoreError> {
        self.transaction.execute(
            "UPDATE undoing SET change = ?3 WHERE id = (SELECT max(id) FROM undoing WHERE person = ?1 AND change = ?2)",
            params![
                self.person.as_str(),
                written(&Undo::Personal { row: before }),
                written(&Undo::Personal { row: now })
            ],
        )?;
        Ok(())
    }

    /// What was told of oneself, which is of no project, is forgotten or there again.
    fn personal_undone(&self, change: Undo) -> Result<Option<Undone>, StoreError> {
        if let Undo::PersonalAgain { row, text, created_ms, expires_ms } = &change {
            self.transaction.execute(
                "INSERT INTO personal (person, text, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
                params![self.person.as_str(), text, created_ms, expires_ms],
            )?;
            self.follow_personal(*row, self.transaction.last_insert_rowid())?;
            return Ok(Some(Undone { project: None, change, forgotten: None }));
        }
        let Undo::Personal { row } = change else { return Ok(None) };
        let text = "DELETE FROM personal WHERE id = ?1 AND person = ?2 RETURNING text";
        let forgotten: Option<String> =
            self.transaction.query_row(text, params![row, self.person.as_str()], |row| row.get(0)).optional()?;
        Ok(forgotten.map(|text| Undone { project: None, change, forgotten: Some(text) }))
    }
}

/// Changes of a person that can be undone, one after the other.
const UNDOABLE_MAX: i64 = 200;
