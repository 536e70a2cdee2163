//! Who belongs to a project. Somebody who is invited is no member before they say so themselves: until then they see
//! the project's name and who invited them, and nothing else of it. Next: `note`.

use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::PersonId;

use super::project::{ProjectId, of_person};
use super::{Change, Did, Store, StoreError};

/// An invitation that waits for its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    /// To which project.
    pub project: ProjectId,
    /// What it is called.
    pub name: String,
    /// Who invited.
    pub by: PersonId,
}

impl Store {
    /// Who belongs to a project, by name.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn members(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<PersonId>, StoreError> {
        self.people(person, id, "SELECT person FROM members WHERE project = ?1 ORDER BY person")
    }

    /// Who is invited to a project, by name.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn invited(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<PersonId>, StoreError> {
        self.people(person, id, "SELECT person FROM invitations WHERE project = ?1 ORDER BY person")
    }

    fn people(&self, person: &PersonId, id: &ProjectId, all: &str) -> Result<Vec<PersonId>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let mut statement = connection.prepare_cached(all)?;
        let rows = statement.query_map([id.as_str()], |row| Ok(PersonId::new(row.get::<_, String>(0)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The invitations that wait for a person's answer, oldest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn invitations(&self, person: &PersonId) -> Result<Vec<Invitation>, StoreError> {
        let connection = self.lock();
        let all = "SELECT project, name, by FROM invitations JOIN projects ON id = project WHERE person = ?1
                   ORDER BY at, project";
        let mut statement = connection.prepare_cached(all)?;
        let one = |row: &Row<'_>| {
            let (project, by) = (ProjectId::new(row.get::<_, String>(0)?), PersonId::new(row.get::<_, String>(2)?));
            Ok(Invitation { project, name: row.get(1)?, by })
        };
        let rows = statement.query_map([person.as_str()], one)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Change<'_> {
    /// How many belong to a project, as it is within this change.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn members(&self, id: &ProjectId) -> Result<usize, StoreError> {
        let count = "SELECT count(*) FROM members WHERE project = ?1";
        let members: i64 = self.transaction.query_row(count, [id.as_str()], |row| row.get(0))?;
        Ok(usize::try_from(members).unwrap_or_default())
    }

    /// Invites somebody; gives whether that is new.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::Refused`] where they belong to it already, or
    /// too many do.
    pub fn invite(&self, id: &ProjectId, guest: &PersonId) -> Result<bool, StoreError> {
        let project = self.touch(id)?;
        let count = "SELECT count(*), coalesce(sum(person = ?2), 0) FROM members WHERE project = ?1";
        let ids = params![id.as_str(), guest.as_str()];
        let (members, is_member): (i64, i64) =
            self.transaction.query_row(count, ids, |row| Ok((row.get(0)?, row.get(1)?)))?;
        if is_member > 0 {
            return Err(StoreError::refused(format!("{guest} belongs to {} already.", project.name)));
        }
        if members >= MEMBERS_MAX {
            return Err(StoreError::refused(format!("{} has as many members as it can have.", project.name)));
        }
        let new = self.transaction.execute(
            "INSERT INTO invitations (project, person, by, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            params![id.as_str(), guest.as_str(), self.person.as_str(), self.now_ms],
        )?;
        if new > 0 {
            self.never_undone(Did::Invited, guest.as_str())?;
        }
        Ok(new > 0)
    }

    /// Takes an invitation back; gives whether there was one.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn withdraw(&self, id: &ProjectId, guest: &PersonId) -> Result<bool, StoreError> {
        self.touch(id)?;
        let was_there = self.uninvited(id, guest)?;
        if was_there {
            self.never_undone(Did::Withdrew, guest.as_str())?;
        }
        Ok(was_there)
    }

    /// The person joins a project they are invited to.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where they are not.
    pub fn join(&self, id: &ProjectId) -> Result<(), StoreError> {
        if !self.uninvited(id, self.person)? {
            return Err(StoreError::NotFound);
        }
        self.transaction.execute(
            "INSERT INTO members (project, person) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            params![id.as_str(), self.person.as_str()],
        )?;
        let name = self.touch(id)?.name;
        self.never_undone(Did::Joined, &name)
    }

    /// The person turns an invitation down.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where there is none.
    pub fn decline(&self, id: &ProjectId) -> Result<(), StoreError> {
        let named = "SELECT name FROM projects WHERE id = ?1";
        if !self.uninvited(id, self.person)? {
            return Err(StoreError::NotFound);
        }
        let name: String = self.transaction.query_row(named, [id.as_str()], |row| row.get(0))?;
        self.never_undone(Did::Declined, &name)
    }

    /// The person leaves a project; gives whether others stay. What the last one leaves is gone with all that is in it.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn leave(&self, id: &ProjectId) -> Result<bool, StoreError> {
        let name = self.project(id)?.name;
        let goes_on = self.let_go(id)?;
        self.never_undone(if goes_on { Did::Left } else { Did::Deleted }, &name)?;
        Ok(goes_on)
    }

    /// The same for a project of which nothing was said: nobody asks for it back.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn let_go(&self, id: &ProjectId) -> Result<bool, StoreError> {
        self.touch(id)?;
        let ids = params![id.as_str(), self.person.as_str()];
        self.transaction.execute("DELETE FROM members WHERE project = ?1 AND person = ?2", ids)?;
        // No conversation of theirs is about it any more, and nothing of it is undone by them.
        self.transaction.execute("DELETE FROM focus WHERE project = ?1 AND person = ?2", ids)?;
        self.transaction.execute("DELETE FROM undoing WHERE project = ?1 AND person = ?2", ids)?;
        let left: i64 =
            self.transaction
                .query_row("SELECT count(*) FROM members WHERE project = ?1", [id.as_str()], |row| row.get(0))?;
        if left == 0 {
            self.forget(id)?;
        }
        Ok(left > 0)
    }

    /// Forgets a project with all that is in it.
    fn forget(&self, id: &ProjectId) -> Result<(), StoreError> {
        for gone in FORGOTTEN {
            self.transaction.execute(gone, [id.as_str()])?;
        }
        Ok(())
    }

    fn uninvited(&self, id: &ProjectId, guest: &PersonId) -> Result<bool, rusqlite::Error> {
        let gone = "DELETE FROM invitations WHERE project = ?1 AND person = ?2";
        Ok(self.transaction.execute(gone, params![id.as_str(), guest.as_str()])? > 0)
    }
}

/// What goes with a project, what others refer to last. What was said about it stays with who said it (CP-12).
const FORGOTTEN: [&str; 16] = [
    "DELETE FROM note_words WHERE rowid IN (SELECT id FROM notes WHERE project = ?1)",
    "DELETE FROM note_meanings WHERE note IN (SELECT id FROM notes WHERE project = ?1)",
    "DELETE FROM meanings_wanted WHERE note IN (SELECT id FROM notes WHERE project = ?1)",
    "DELETE FROM note_texts WHERE project = ?1",
    "DELETE FROM notes WHERE project = ?1",
    "DELETE FROM note_counts WHERE project = ?1",
    "DELETE FROM groups WHERE project = ?1",
    "DELETE FROM document_words WHERE project = ?1",
    "DELETE FROM specifications WHERE project = ?1",
    "DELETE FROM artefacts WHERE project = ?1",
    "DELETE FROM jobs WHERE project = ?1",
    "DELETE FROM seed WHERE project = ?1",
    "DELETE FROM invitations WHERE project = ?1",
    "DELETE FROM undoing WHERE project = ?1",
    "DELETE FROM focus WHERE project = ?1",
    "DELETE FROM projects WHERE id = ?1",
];

/// Members of one project: a team, and no crowd that nobody looks over.
const MEMBERS_MAX: i64 = 100;
