//! Projects, who belongs to them, and the seed a project grows from: six things that are asked about it (CP-06).
//! Next: `note`.

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use turnwise_core::{PersonId, text};

use super::{Change, Did, Store, StoreError, Undo, read, word, word_of, written};

pub use turnwise_assistant::projects::ProjectId;

/// The id of the project that an operation makes: the same for every attempt.
fn made_by(key: &str) -> ProjectId {
    let digest = Sha256::digest(key.as_bytes());
    ProjectId::new(digest.iter().take(ID_BYTES).map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// A project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// What it is called; of two of one name, the later has a number behind it.
    pub name: String,
    /// The name it was given, which another may have as well.
    pub given: String,
    /// Whether it is set up.
    pub state: ProjectState,
    /// Counts up with whatever changes what is told of it.
    pub revision: i64,
}

/// Whether a project is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProjectState {
    /// Its seed is being asked about.
    Drafting,
    /// It was finalized.
    Ready,
}

/// How far a seed is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Readiness {
    /// Something has to be said yet.
    Drafting,
    /// A person can look it over and finalize it.
    ReadyForReview,
}

/// One of the things that are asked about a project, in the order they are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeedField {
    /// What the work is.
    Work,
    /// Who will use it.
    Audience,
    /// How it should sound.
    Voice,
    /// What it has to keep to.
    Constraints,
    /// When it is a success.
    Success,
    /// Anything else.
    Additional,
}

/// What was said of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", content = "text", rename_all = "snake_case")]
pub enum SeedValue {
    /// This.
    Said(String),
    /// It was skipped.
    Skipped,
}

/// What was said of a project when it began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// By field, in order; fields that were not asked about yet are missing.
    pub values: Vec<(SeedField, SeedValue)>,
}

impl SeedField {
    /// All of them, as they are asked.
    pub const ALL: [Self; 6] =
        [Self::Work, Self::Audience, Self::Voice, Self::Constraints, Self::Success, Self::Additional];

    /// Its code, as programs read it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Work => "work",
            Self::Audience => "audience",
            Self::Voice => "voice",
            Self::Constraints => "constraints",
            Self::Success => "success",
            Self::Additional => "additional",
        }
    }

    /// The field of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.code() == code)
    }
}

impl Seed {
    /// What was said of a field.
    #[must_use]
    pub fn said(&self, field: SeedField) -> Option<&str> {
        self.values.iter().find_map(|(of, value)| match value {
            SeedValue::Said(text) if *of == field => Some(text.as_str()),
            SeedValue::Said(_) | SeedValue::Skipped => None,
        })
    }

    /// The first field that was neither said nor skipped.
    #[must_use]
    pub fn open(&self) -> Option<SeedField> {
        SeedField::ALL.into_iter().find(|field| !self.values.iter().any(|(of, _)| of == field))
    }

    /// How far it is: what the work is has to be said, the rest said or skipped.
    #[must_use]
    pub fn readiness(&self) -> Readiness {
        match self.open().is_none() && self.said(SeedField::Work).is_some() {
            true => Readiness::ReadyForReview,
            false => Readiness::Drafting,
        }
    }
}

/// How much is in a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Notes that count.
    pub notes: i64,
    /// Those of them that wait.
    pub waiting: i64,
    /// Those of them that were saved.
    pub saved: i64,
    /// Specifications.
    pub specifications: i64,
    /// Artefacts.
    pub artefacts: i64,
}

impl Store {
    /// The person's projects, by name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn projects(&self, person: &PersonId) -> Result<Vec<Project>, StoreError> {
        let connection = self.lock();
        let all = format!("{SEEN} ORDER BY name, created_at, id LIMIT ?2");
        let mut statement = connection.prepare_cached(&all)?;
        let rows = statement.query_map(params![person.as_str(), PROJECTS_MAX], columns)?;
        rows.map(|row| project(row?)).collect()
    }

    /// A project of the person.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where there is none or the person is no member.
    pub fn project(&self, person: &PersonId, id: &ProjectId) -> Result<Project, StoreError> {
        of_person(&self.lock(), person, id)
    }

    /// What was said of a project when it began.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn seed(&self, person: &PersonId, id: &ProjectId) -> Result<Seed, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        seed(&connection, id)
    }

    /// How much is in a project at `now_ms`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn counts(&self, person: &PersonId, id: &ProjectId, now_ms: i64) -> Result<Counts, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        // Those that last are counted as they come and go; those that end are few, and looked through.
        let all = "SELECT
                   coalesce((SELECT notes FROM note_counts WHERE project = ?1 AND state = 'held'), 0)
                   + (SELECT count(*) FROM notes WHERE project = ?1 AND state = 'held' AND expires_at > ?2),
                   coalesce((SELECT notes FROM note_counts WHERE project = ?1 AND state = 'committed'), 0)
                   + (SELECT count(*) FROM notes WHERE project = ?1 AND state = 'committed' AND expires_at > ?2),
                   (SELECT count(*) FROM specifications WHERE project = ?1),
                   (SELECT count(DISTINCT name) FROM artefacts WHERE project = ?1)";
        let mut statement = connection.prepare_cached(all)?;
        let counts = |row: &Row<'_>| {
            let (waiting, saved): (i64, i64) = (row.get(0)?, row.get(1)?);
            let (specifications, artefacts) = (row.get(2)?, row.get(3)?);
            Ok(Counts { notes: waiting + saved, waiting, saved, specifications, artefacts })
        };
        Ok(statement.query_row(params![id.as_str(), now_ms], counts)?)
    }
}

impl Change<'_> {
    /// Makes a project with the person as its member.
    ///
    /// # Errors
    /// When it cannot be kept, or the person has as many as anybody can have.
    pub fn create_project(&self, name: &str) -> Result<Project, StoreError> {
        let count = "SELECT count(*) FROM members WHERE person = ?1";
        let has: i64 = self.transaction.query_row(count, [self.person.as_str()], |row| row.get(0))?;
        if has >= PROJECTS_MAX {
            return Err(StoreError::refused(format!("You have {has} projects, and there is no room for more.")));
        }
        let id = made_by(&format!("{}\0{}", self.person.as_str(), self.operation.key()));
        self.transaction.execute(
            "INSERT INTO projects (id, name, state, created_at) VALUES (?1, ?2, ?3, ?4)",
            params![id.as_str(), text::clip(name, NAME_CHARACTERS_MAX), word_of(&ProjectState::Drafting), self.now_ms],
        )?;
        self.transaction.execute(
            "INSERT INTO members (project, person) VALUES (?1, ?2)",
            params![id.as_str(), self.person.as_str()],
        )?;
        let project = of_person(&self.transaction, self.person, &id)?;
        let name = project.name.clone();
        self.undoable(Some(&id), &Undo::Never { did: Did::Began, name })?;
        Ok(project)
    }

    /// Gives a project of the person another name; gives it as it is called now.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn rename_project(&self, id: &ProjectId, name: &str) -> Result<Project, StoreError> {
        let before = self.touch(id)?.given;
        if before != name {
            self.write_name(id, name)?;
            self.undoable(Some(id), &Undo::Name { before })?;
        }
        of_person(&self.transaction, self.person, id)
    }

    pub(super) fn write_name(&self, id: &ProjectId, name: &str) -> Result<(), StoreError> {
        let name = text::clip(name, NAME_CHARACTERS_MAX);
        self.transaction.execute("UPDATE projects SET name = ?2 WHERE id = ?1", params![id.as_str(), name])?;
        Ok(())
    }

    /// Keeps what was said of a field.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn set_seed(&self, id: &ProjectId, field: SeedField, value: &SeedValue) -> Result<Seed, StoreError> {
        self.touch(id)?;
        let before = seed(&self.transaction, id)?.values.into_iter().find(|(of, _)| *of == field);
        let before = before.map(|(_, value)| value);
        // What says the same again is no step to go back over.
        if before.as_ref() != Some(value) {
            self.write_seed(id, field, Some(value))?;
            self.undoable(Some(id), &Undo::Seed { field, before })?;
        }
        seed(&self.transaction, id)
    }

    pub(super) fn write_seed(
        &self,
        id: &ProjectId,
        field: SeedField,
        value: Option<&SeedValue>,
    ) -> Result<(), StoreError> {
        match value {
            Some(value) => self.transaction.execute(
                "INSERT INTO seed (project, field, value) VALUES (?1, ?2, ?3)
                 ON CONFLICT (project, field) DO UPDATE SET value = excluded.value",
                params![id.as_str(), word_of(&field), written(value)],
            )?,
            None => self
                .transaction
                .execute("DELETE FROM seed WHERE project = ?1 AND field = ?2", params![id.as_str(), word_of(&field)])?,
        };
        Ok(())
    }

    /// A project of the person, as it is within this change.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn project(&self, id: &ProjectId) -> Result<Project, StoreError> {
        of_person(&self.transaction, self.person, id)
    }

    /// What was said of a project, as it is within this change.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn seed(&self, id: &ProjectId) -> Result<Seed, StoreError> {
        of_person(&self.transaction, self.person, id)?;
        seed(&self.transaction, id)
    }

    /// Sets a project up, where its seed is ready; gives what it is now.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn finalize(&self, id: &ProjectId) -> Result<Project, StoreError> {
        let before = self.touch(id)?.state;
        if before == ProjectState::Drafting && seed(&self.transaction, id)?.readiness() == Readiness::ReadyForReview {
            self.write_state(id, ProjectState::Ready)?;
            self.undoable(Some(id), &Undo::Finalized)?;
        }
        of_person(&self.transaction, self.person, id)
    }

    /// The setup of a project is open again; whether it was closed.
    pub(super) fn reopen(&self, id: &ProjectId) -> Result<bool, StoreError> {
        let is_ready = of_person(&self.transaction, self.person, id)?.state == ProjectState::Ready;
        if is_ready {
            self.write_state(id, ProjectState::Drafting)?;
        }
        Ok(is_ready)
    }

    fn write_state(&self, id: &ProjectId, state: ProjectState) -> Result<(), StoreError> {
        let put = "UPDATE projects SET state = ?2 WHERE id = ?1";
        self.transaction.execute(put, params![id.as_str(), word_of(&state)])?;
        Ok(())
    }

    /// Notes that something of a project changed, and that it is the person's to change; gives it.
    pub(super) fn touch(&self, id: &ProjectId) -> Result<Project, StoreError> {
        let project = of_person(&self.transaction, self.person, id)?;
        self.transaction.execute("UPDATE projects SET revision = revision + 1 WHERE id = ?1", [id.as_str()])?;
        Ok(project)
    }
}

/// Projects as a person sees them: how many of the same name came before, of those they see, is counted with each.
const SEEN: &str = "SELECT id, name, state, revision, (
        SELECT count(*) FROM members AS other JOIN projects AS earlier ON earlier.id = other.project
        WHERE other.person = ?1 AND lower(earlier.name) = lower(projects.name)
        AND (earlier.created_at, earlier.id) < (projects.created_at, projects.id)
    ) FROM projects JOIN members ON members.project = id WHERE members.person = ?1";

/// A project as its row has it.
struct Columns(String, String, String, i64, i64);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok(Columns(row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
}

fn project(Columns(id, given, state, revision, before): Columns) -> Result<Project, StoreError> {
    let name = if before == 0 { given.clone() } else { format!("{given} ({})", before + 1) };
    Ok(Project { id: ProjectId::new(id), name, given, state: word(state, "state of a project")?, revision })
}

/// The one look at a project: through its members.
pub(super) fn of_person(connection: &Connection, person: &PersonId, id: &ProjectId) -> Result<Project, StoreError> {
    let mut statement = connection.prepare_cached(&format!("{SEEN} AND id = ?2"))?;
    let found = statement.query_row(params![person.as_str(), id.as_str()], columns).optional()?;
    found.map_or(Err(StoreError::NotFound), project)
}

/// What was said about a project, whoever asks: what is told of it goes through its members.
pub(super) fn seed(connection: &Connection, id: &ProjectId) -> Result<Seed, StoreError> {
    let mut statement = connection.prepare_cached("SELECT field, value FROM seed WHERE project = ?1")?;
    let rows = statement.query_map([id.as_str()], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut values = Vec::new();
    for row in rows {
        let (field, value) = row?;
        values.push((word(field, "field of a seed")?, read(&value, "value of a seed")?));
    }
    values.sort_by_key(|(field, _)| *field);
    Ok(Seed { values })
}

/// Bytes of a project's id: nobody comes upon one by trying.
const ID_BYTES: usize = 8;
/// Projects of a person.
const PROJECTS_MAX: i64 = 500;
/// Characters of a project's name.
const NAME_CHARACTERS_MAX: usize = 100;
