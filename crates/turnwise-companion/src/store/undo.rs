//! Undoing: each change of a person is kept with what takes it back, and “undo” takes back the last one. What others
//! did since is not theirs to undo, and what cannot be undone stands in the row as well, so that nothing older is
//! undone in its place. Next: `since`, which tells what others changed.

use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::PersonId;

use super::project::{Project, ProjectId, of_person};
use super::since::{Since, Thing};
use super::{Change, Group, NoteState, SeedField, SeedValue, Store, StoreError, read, word_of, written};

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
    /// A group that was dropped is there again.
    GroupAgain {
        /// The group.
        group: Group,
        /// The numbers of the notes that were in it.
        notes: Vec<i64>,
    },
    /// It cannot be undone.
    Never {
        /// What was done.
        did: Did,
        /// To what, by its name.
        name: String,
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

/// What was done that cannot be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Did {
    /// A project was begun.
    Began,
    /// A project came from a folder.
    Brought,
    /// A project was deleted.
    Deleted,
    /// A project was left to the others.
    Left,
    /// Somebody was invited.
    Invited,
    /// An invitation was taken back.
    Withdrew,
    /// The person joined a project.
    Joined,
    /// The person turned an invitation down.
    Declined,
    /// A project was written to a folder.
    Wrote,
}

/// What came of undoing the last change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undone {
    /// In which project; none where it was about no project of theirs.
    pub project: Option<Project>,
    /// What; where others changed some of it since, only the rest.
    pub change: Undo,
    /// What was forgotten about the person.
    pub forgotten: Option<String>,
    /// Whether something was undone at all.
    pub is_done: bool,
    /// What was left as it is, because it is not any more as the change had left it.
    pub since: Option<Since>,
}

/// A change that is kept with what takes it back.
struct Kept {
    row: i64,
    project: Option<ProjectId>,
    change: Undo,
    /// How it left what it changed; absent where that was kept by an earlier version.
    left: Option<Vec<(Thing, String)>>,
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
        Ok(touched(&read(&change, "change that can be undone")?))
    }

    /// The note of a project that the person told or changed last, whatever they did since.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn told_last(&self, person: &PersonId, id: &ProjectId) -> Result<Option<i64>, StoreError> {
        let connection = self.lock();
        let all = "SELECT change FROM undoing WHERE person = ?1 AND project = ?2 ORDER BY id DESC";
        let mut statement = connection.prepare_cached(all)?;
        let mut rows = statement.query(params![person.as_str(), id.as_str()])?;
        while let Some(row) = rows.next()? {
            let change: Undo = read(&row.get::<_, String>(0)?, "change that can be undone")?;
            if let Some(number) = touched(&change) {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }
}

/// The note that a change told or changed.
fn touched(change: &Undo) -> Option<i64> {
    match change {
        Undo::TakeBack { number } | Undo::Text { number, .. } => Some(*number),
        _ => None,
    }
}

impl Change<'_> {
    /// Keeps what takes the change at hand back.
    pub(super) fn undoable(&self, project: Option<&ProjectId>, undo: &Undo) -> Result<(), StoreError> {
        let left = project.map(|id| self.standing(id, undo)).transpose()?;
        let left = left.map(|left| written(&left));
        self.transaction.execute(
            "INSERT INTO undoing (person, project, change, at, left) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![self.person.as_str(), project.map(ProjectId::as_str), written(undo), self.now_ms, left],
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

    /// What the person did last, to what is called `name`, cannot be undone.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn never_undone(&self, did: Did, name: &str) -> Result<(), StoreError> {
        self.undoable(None, &Undo::Never { did, name: name.to_owned() })
    }

    /// A project came from a folder, which is not undone piece by piece.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`](super::Store::project).
    pub fn brought(&self, id: &ProjectId) -> Result<(), StoreError> {
        self.settle(id)?;
        let name = self.project(id)?.name;
        self.undoable(Some(id), &Undo::Never { did: Did::Brought, name })
    }

    /// Takes the person's last change back; none where there is none.
    ///
    /// # Errors
    /// When it cannot be taken back.
    pub fn undo(&self) -> Result<Option<Undone>, StoreError> {
        let last = "SELECT id, project, change, left FROM undoing WHERE person = ?1 ORDER BY id DESC LIMIT 1";
        let columns = |row: &Row<'_>| {
            let project: Option<String> = row.get(1)?;
            Ok((row.get(0)?, project.map(ProjectId::new), row.get::<_, String>(2)?, row.get::<_, Option<String>>(3)?))
        };
        loop {
            let found = self.transaction.query_row(last, [self.person.as_str()], columns).optional()?;
            let Some((row, project, change, left)) = found else { return Ok(None) };
            self.transaction.execute("DELETE FROM undoing WHERE id = ?1", [row])?;
            let left = left.map(|left| read(&left, "state that a change left")).transpose()?;
            let change = read(&change, "change that can be undone")?;
            // What was done in a project that is gone for the person is none of theirs any more.
            if let Some(undone) = self.undone(Kept { row, project, change, left })? {
                return Ok(Some(undone));
            }
        }
    }

    fn undone(&self, kept: Kept) -> Result<Option<Undone>, StoreError> {
        let Kept { row, project, change, left } = kept;
        let Some(id) = project else { return self.personal_undone(change) };
        let project = match of_person(&self.transaction, self.person, &id) {
            Err(StoreError::NotFound) => return Ok(None),
            project => project?,
        };
        let since = self.since(&id, row, &change, left)?;
        let free = since.as_ref().map_or(Some(change.clone()), |since| change.clone().without(since));
        let forgotten = None;
        let Some(change) = free else {
            return Ok(Some(Undone { project: Some(project), change, forgotten, is_done: false, since }));
        };
        self.touch(&id)?;
        let is_done = self.taken_back(&id, &change)?;
        let since = match since {
            None => self.kept_group(&id, row, &change)?,
            since => since,
        };
        // It may be called something else now.
        let project = Some(of_person(&self.transaction, self.person, &id)?);
        Ok(Some(Undone { project, change, forgotten, is_done, since }))
    }

    /// A group that the change had made and that stays, because others put notes into it.
    fn kept_group(&self, id: &ProjectId, row: i64, change: &Undo) -> Result<Option<Since>, StoreError> {
        let Undo::Groups { made: Some(made), .. } = change else { return Ok(None) };
        let notes: Vec<Thing> = self.numbers_in(id, made)?.into_iter().map(Thing::Note).collect();
        if notes.is_empty() {
            return Ok(None);
        }
        let by = self.changed_by(id, row, &notes)?;
        Ok(Some(Since { things: vec![Thing::Group(made.clone())], by }))
    }

    /// Takes one change of a project back; gives whether something came of it.
    fn taken_back(&self, id: &ProjectId, change: &Undo) -> Result<bool, StoreError> {
        match change {
            Undo::TakeBack { number } => {
                let from = [NoteState::Held, NoteState::Committed];
                return Ok(!self.stand(id, Some(&[*number]), &from, NoteState::Retracted)?.is_empty());
            }
            Undo::MoveBack { notes } => {
                for (number, state) in notes {
                    let back = "UPDATE notes SET state = ?3 WHERE project = ?1 AND number = ?2";
                    self.transaction.execute(back, params![id.as_str(), number, word_of(state)])?;
                }
            }
            Undo::Text { number, before } => return Ok(self.write_note(id, *number, before)?.is_some()),
            Undo::Groups { notes, made } => {
                for (number, label) in notes {
                    self.put_in_group(id, *number, label.as_deref())?;
                }
                // A group that others put notes into stays.
                if let Some(made) = made.as_deref()
                    && self.numbers_in(id, made)?.is_empty()
                {
                    self.remove_group(id, made)?;
                }
            }
            Undo::GroupAgain { group, notes } => self.restore_group(id, group, notes)?,
            Undo::Seed { field, before } => self.write_seed(id, *field, before.as_ref())?,
            Undo::Name { before } => self.write_name(id, before)?,
            Undo::Finalized => return self.reopen(id),
            Undo::Specification { name, before } => self.write_specification(id, name, before.as_deref())?,
            Undo::Artefact { name, version } => return self.remove_artefact(id, name, *version),
            Undo::Personal { .. } | Undo::PersonalAgain { .. } | Undo::Never { .. } => return Ok(false),
        }
        Ok(true)
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

    /// What is of no project: what was told of oneself is forgotten or there again.
    fn personal_undone(&self, change: Undo) -> Result<Option<Undone>, StoreError> {
        if let Undo::PersonalAgain { row, text, created_ms, expires_ms } = &change {
            self.transaction.execute(
                "INSERT INTO personal (person, text, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)",
                params![self.person.as_str(), text, created_ms, expires_ms],
            )?;
            self.follow_personal(*row, self.transaction.last_insert_rowid())?;
            return Ok(Some(Undone { project: None, change, forgotten: None, is_done: true, since: None }));
        }
        if let Undo::Never { .. } = change {
            return Ok(Some(Undone { project: None, change, forgotten: None, is_done: false, since: None }));
        }
        let Undo::Personal { row } = change else { return Ok(None) };
        let text = "DELETE FROM personal WHERE id = ?1 AND person = ?2 RETURNING text";
        let forgotten: Option<String> =
            self.transaction.query_row(text, params![row, self.person.as_str()], |row| row.get(0)).optional()?;
        let done = |text| Undone { project: None, change, forgotten: Some(text), is_done: true, since: None };
        Ok(forgotten.map(done))
    }
}

/// Changes of a person that can be undone, one after the other.
const UNDOABLE_MAX: i64 = 200;
