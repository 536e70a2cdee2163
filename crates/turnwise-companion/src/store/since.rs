//! What others changed since a change was made: it is kept with how it left what it changed, and what does not stand so
//! any more is not undone. Next: `turn`.

use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::PersonId;

use super::project::ProjectId;
use super::{Change, SeedField, StoreError, Undo, read, word_of, written};

/// Something of a project that a change changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", content = "of", rename_all = "snake_case")]
pub enum Thing {
    /// The note with this number.
    Note(i64),
    /// The group with this label.
    Group(String),
    /// A part of the setup.
    Seed(SeedField),
    /// What the project is called.
    Name,
    /// The specification of this name.
    Specification(String),
}

/// What others changed since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// What they changed.
    pub things: Vec<Thing>,
    /// Who; absent where that is not known any more.
    pub by: Option<PersonId>,
}

impl Undo {
    /// What it would change.
    fn things(&self) -> Vec<Thing> {
        let notes = |notes: &[i64]| notes.iter().copied().map(Thing::Note).collect::<Vec<_>>();
        match self {
            Self::TakeBack { number } | Self::Text { number, .. } => vec![Thing::Note(*number)],
            Self::MoveBack { notes } => notes.iter().map(|(number, _)| Thing::Note(*number)).collect(),
            Self::Groups { notes, .. } => notes.iter().map(|(number, _)| Thing::Note(*number)).collect(),
            Self::GroupAgain { group, notes: of } => {
                let mut things = notes(of);
                things.push(Thing::Group(group.label.clone()));
                things
            }
            Self::Seed { field, .. } => vec![Thing::Seed(*field)],
            Self::Name { .. } => vec![Thing::Name],
            Self::Specification { name, .. } => vec![Thing::Specification(name.clone())],
            Self::Finalized
            | Self::Artefact { .. }
            | Self::Personal { .. }
            | Self::PersonalAgain { .. }
            | Self::Never { .. } => Vec::new(),
        }
    }

    /// What is left of it where the things that others changed stay as they are; none where that is nothing.
    pub(super) fn without(self, since: &Since) -> Option<Self> {
        let is_free = |number: &i64| !since.things.contains(&Thing::Note(*number));
        match self {
            Self::MoveBack { mut notes } => {
                notes.retain(|(number, _)| is_free(number));
                (!notes.is_empty()).then_some(Self::MoveBack { notes })
            }
            Self::Groups { mut notes, made } => {
                notes.retain(|(number, _)| is_free(number));
                (!notes.is_empty()).then_some(Self::Groups { notes, made })
            }
            Self::GroupAgain { group, mut notes } => {
                notes.retain(is_free);
                let is_taken = since.things.contains(&Thing::Group(group.label.clone()));
                (!is_taken).then_some(Self::GroupAgain { group, notes })
            }
            _ => None,
        }
    }
}

/// A note as far as changes leave it: where it stands, what it says, in which group it is.
#[derive(Serialize)]
struct Left(String, String, Option<String>);

impl Change<'_> {
    /// How all that `undo` would change stands now.
    pub(super) fn standing(&self, id: &ProjectId, undo: &Undo) -> Result<Vec<(Thing, String)>, StoreError> {
        let stands = |thing: Thing| Ok((thing.clone(), self.stands(id, undo, &thing)?));
        undo.things().into_iter().map(stands).collect()
    }

    fn stands(&self, id: &ProjectId, undo: &Undo, thing: &Thing) -> Result<String, StoreError> {
        Ok(match thing {
            Thing::Note(number) => {
                let note = self.left(id, *number)?;
                match undo {
                    Undo::TakeBack { .. } => written(&note),
                    Undo::MoveBack { .. } => written(&note.map(|Left(state, ..)| state)),
                    Undo::Text { .. } => written(&note.map(|Left(_, text, _)| text)),
                    _ => written(&note.map(|Left(.., group)| group)),
                }
            }
            Thing::Group(label) => {
                let known = "SELECT label FROM groups WHERE project = ?1 AND lower(label) = lower(?2)";
                written(&self.one(known, id, label)?)
            }
            Thing::Seed(field) => {
                let said = "SELECT value FROM seed WHERE project = ?1 AND field = ?2";
                written(&self.one(said, id, &word_of(field))?)
            }
            Thing::Name => written(&self.project(id)?.given),
            Thing::Specification(name) => {
                let text = "SELECT content FROM specifications WHERE project = ?1 AND name = ?2";
                written(&self.one(text, id, name)?)
            }
        })
    }

    fn left(&self, id: &ProjectId, number: i64) -> Result<Option<Left>, StoreError> {
        let one = "SELECT state, text, grouped FROM notes WHERE project = ?1 AND number = ?2";
        let left = |row: &Row<'_>| Ok(Left(row.get(0)?, row.get(1)?, row.get(2)?));
        Ok(self.transaction.query_row(one, params![id.as_str(), number], left).optional()?)
    }

    fn one(&self, query: &str, id: &ProjectId, of: &str) -> Result<Option<String>, StoreError> {
        Ok(self.transaction.query_row(query, params![id.as_str(), of], |row| row.get(0)).optional()?)
    }

    /// What of a change does not stand any more as it was `left`, and who changed it after the `row` it is kept in;
    /// none where all of it does.
    pub(super) fn since(
        &self,
        id: &ProjectId,
        row: i64,
        change: &Undo,
        left: Option<Vec<(Thing, String)>>,
    ) -> Result<Option<Since>, StoreError> {
        let Some(left) = left else { return Ok(None) };
        let now = self.standing(id, change)?;
        let things: Vec<Thing> =
            now.into_iter().filter(|stands| !left.contains(stands)).map(|(thing, _)| thing).collect();
        if things.is_empty() {
            return Ok(None);
        }
        let by = self.changed_by(id, row, &things)?;
        Ok(Some(Since { things, by }))
    }

    /// Who of the others changed any of `things` last, after the change that is kept in `row`.
    pub(super) fn changed_by(
        &self,
        id: &ProjectId,
        row: i64,
        things: &[Thing],
    ) -> Result<Option<PersonId>, StoreError> {
        let later =
            "SELECT person, change FROM undoing WHERE project = ?1 AND id > ?2 AND person <> ?3 ORDER BY id DESC";
        let mut statement = self.transaction.prepare_cached(later)?;
        let mut rows = statement.query(params![id.as_str(), row, self.person.as_str()])?;
        while let Some(found) = rows.next()? {
            let change: Undo = read(&found.get::<_, String>(1)?, "change that can be undone")?;
            if change.things().iter().any(|thing| things.contains(thing)) {
                return Ok(Some(PersonId::new(found.get::<_, String>(0)?)));
            }
        }
        Ok(None)
    }
}
