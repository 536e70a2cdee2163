//! Groups: notes that belong together under a label, with what they say and why they are one group. A note is in one
//! group at most. Next: `document`.

use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::{PersonId, text};

use super::project::{ProjectId, of_person};
use super::{Change, Store, StoreError, Undo};

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

impl Store {
    /// The groups of a project's notes at `now_ms`, by label.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn groups(&self, person: &PersonId, id: &ProjectId, now_ms: i64) -> Result<Vec<Group>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = "SELECT label, summary, rationale, (SELECT count(*) FROM notes WHERE notes.project = groups.project
                   AND grouped = label AND state <> 'retracted' AND (expires_at IS NULL OR expires_at > ?2))
                   FROM groups WHERE project = ?1 ORDER BY label";
        let mut statement = connection.prepare_cached(all)?;
        let rows = statement.query_map(params![id.as_str(), now_ms], group)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Change<'_> {
    /// Keeps a group of notes; the notes with `numbers` are in it from now on. Gives the numbers of those there are.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::Refused`] without a label.
    pub fn set_group(&self, id: &ProjectId, group: &Group, numbers: &[i64]) -> Result<Vec<i64>, StoreError> {
        self.touch(id)?;
        let label = text::clip(group.label.trim(), LABEL_CHARACTERS_MAX);
        if label.is_empty() {
            return Err(StoreError::refused("A group needs a label."));
        }
        // A label in other letters is the same group.
        let same = "SELECT label FROM groups WHERE project = ?1 AND lower(label) = lower(?2)";
        let known: Option<String> =
            self.transaction.query_row(same, params![id.as_str(), label], |row| row.get(0)).optional()?;
        let count = "SELECT count(*) FROM groups WHERE project = ?1";
        let groups: i64 = self.transaction.query_row(count, [id.as_str()], |row| row.get(0))?;
        if known.is_none() && groups >= GROUPS_MAX {
            return Err(StoreError::refused(format!("There are {groups} groups, and there is no room for more.")));
        }
        let made = known.is_none().then(|| label.clone());
        let label = known.unwrap_or(label);
        self.transaction.execute(
            "INSERT INTO groups (project, label, summary, rationale) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (project, label) DO UPDATE SET
             summary = CASE WHEN excluded.summary = '' THEN summary ELSE excluded.summary END,
             rationale = CASE WHEN excluded.rationale = '' THEN rationale ELSE excluded.rationale END",
            params![
                id.as_str(),
                label,
                text::clip(&group.summary, SUMMARY_CHARACTERS_MAX),
                text::clip(&group.rationale, SUMMARY_CHARACTERS_MAX)
            ],
        )?;
        let before = self.groups_of(id, numbers)?;
        for (number, _) in &before {
            self.put_in_group(id, *number, Some(&label))?;
        }
        let put = before.iter().map(|(number, _)| *number).collect();
        self.undoable(Some(id), &Undo::Groups { notes: before, made })?;
        Ok(put)
    }

    /// Puts one note into a group, which is made where it is not there.
    ///
    /// # Errors
    /// As for [`Change::set_group`].
    pub fn put_with(&self, id: &ProjectId, label: &str, number: i64) -> Result<(), StoreError> {
        let (label, summary, rationale) = (label.to_owned(), String::new(), String::new());
        self.set_group(id, &Group { label, summary, rationale, notes: 0 }, &[number]).map(drop)
    }

    /// Takes notes out of their groups; gives the numbers of those that were in one.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn ungroup(&self, id: &ProjectId, numbers: &[i64]) -> Result<Vec<i64>, StoreError> {
        self.touch(id)?;
        let mut before = self.groups_of(id, numbers)?;
        before.retain(|(_, label)| label.is_some());
        for (number, _) in &before {
            self.put_in_group(id, *number, None)?;
        }
        let out: Vec<i64> = before.iter().map(|(number, _)| *number).collect();
        if !out.is_empty() {
            self.undoable(Some(id), &Undo::Groups { notes: before, made: None })?;
        }
        Ok(out)
    }

    /// A group is no more; its notes stay.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::NoSuch`] where there is no such group.
    pub fn drop_group(&self, id: &ProjectId, label: &str) -> Result<(), StoreError> {
        self.touch(id)?;
        let one = "SELECT label, summary, rationale, 0 FROM groups WHERE project = ?1 AND label = ?2";
        let found = self.transaction.query_row(one, params![id.as_str(), label], group).optional()?;
        let group = found.ok_or(StoreError::NoSuch("group"))?;
        let notes = self.numbers_in(id, label)?;
        self.remove_group(id, label)?;
        self.undoable(Some(id), &Undo::GroupAgain { group, notes })
    }

    /// A group is there again, with those of `notes` that are in no other now.
    pub(super) fn restore_group(&self, id: &ProjectId, group: &Group, notes: &[i64]) -> Result<(), StoreError> {
        self.transaction.execute(
            "INSERT INTO groups (project, label, summary, rationale) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            params![id.as_str(), group.label, group.summary, group.rationale],
        )?;
        for number in notes {
            self.put_in_group(id, *number, Some(&group.label))?;
        }
        Ok(())
    }

    /// The numbers of the notes in a group, also of those that do not count any more.
    pub(super) fn numbers_in(&self, id: &ProjectId, label: &str) -> Result<Vec<i64>, StoreError> {
        let all = "SELECT number FROM notes WHERE project = ?1 AND grouped = ?2 ORDER BY number";
        let mut statement = self.transaction.prepare_cached(all)?;
        let rows = statement.query_map(params![id.as_str(), label], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    pub(super) fn remove_group(&self, id: &ProjectId, label: &str) -> Result<bool, StoreError> {
        let ids = params![id.as_str(), label];
        self.transaction.execute("UPDATE notes SET grouped = NULL WHERE project = ?1 AND grouped = ?2", ids)?;
        Ok(self.transaction.execute("DELETE FROM groups WHERE project = ?1 AND label = ?2", ids)? > 0)
    }

    pub(super) fn put_in_group(&self, id: &ProjectId, number: i64, label: Option<&str>) -> Result<(), StoreError> {
        let put = "UPDATE notes SET grouped = ?3 WHERE project = ?1 AND number = ?2";
        self.transaction.execute(put, params![id.as_str(), number, label])?;
        Ok(())
    }

    /// Those of the notes that there are, each with the label of its group.
    fn groups_of(&self, id: &ProjectId, numbers: &[i64]) -> Result<Vec<(i64, Option<String>)>, StoreError> {
        let one = "SELECT grouped FROM notes WHERE project = ?1 AND number = ?2 AND state <> 'retracted'
                   AND (expires_at IS NULL OR expires_at > ?3)";
        let mut found = Vec::new();
        for number in numbers {
            let values = params![id.as_str(), number, self.now_ms];
            let group = self.transaction.query_row(one, values, |row| row.get(0)).optional()?;
            found.extend(group.map(|group| (*number, group)));
        }
        Ok(found)
    }
}

fn group(row: &Row<'_>) -> rusqlite::Result<Group> {
    Ok(Group { label: row.get(0)?, summary: row.get(1)?, rationale: row.get(2)?, notes: row.get(3)? })
}

/// Groups of one project: so many that all their labels fit into what a model is told.
const GROUPS_MAX: i64 = 200;
/// Characters of a label.
const LABEL_CHARACTERS_MAX: usize = 60;
/// Characters of what the notes of a group say, and of why they are one.
const SUMMARY_CHARACTERS_MAX: usize = 600;
