//! Projects, who belongs to them, and the seed a project grows from: six things that are asked about it (CP-06).
//! Next: `note`.

use std::fmt;

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use turnwise_core::PersonId;

use super::{Change, Store, StoreError, read, word, word_of, written};

/// A project, as surfaces name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProjectId(String);

impl ProjectId {
    /// Wraps the text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// That of the project that an operation makes: the same for every attempt.
    fn made_by(key: &str) -> Self {
        let digest = Sha256::digest(key.as_bytes());
        Self(digest.iter().take(ID_BYTES).map(|byte| format!("{byte:02x}")).collect())
    }
}

impl fmt::Display for ProjectId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// What it is called.
    pub name: String,
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

impl Store {
    /// The person's projects, by name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn projects(&self, person: &PersonId) -> Result<Vec<Project>, StoreError> {
        let connection = self.lock();
        let all = "SELECT id, name, state, revision FROM projects JOIN members ON project = id WHERE person = ?1
                   ORDER BY name, id LIMIT ?2";
        let mut statement = connection.prepare_cached(all)?;
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
}

impl Change<'_> {
    /// Makes a project with the person as its member.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn create_project(&self, name: &str) -> Result<Project, StoreError> {
        let id = ProjectId::made_by(&format!("{}\0{}", self.person.as_str(), self.operation.key()));
        let state = ProjectState::Drafting;
        self.transaction.execute(
            "INSERT INTO projects (id, name, state, created_at) VALUES (?1, ?2, ?3, ?4)",
            params![id.as_str(), name, word_of(&state), self.now_ms],
        )?;
        self.transaction.execute(
            "INSERT INTO members (project, person) VALUES (?1, ?2)",
            params![id.as_str(), self.person.as_str()],
        )?;
        Ok(Project { id, name: name.to_owned(), state, revision: 0 })
    }

    /// Gives a project of the person another name.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn rename_project(&self, id: &ProjectId, name: &str) -> Result<(), StoreError> {
        self.touch(id)?;
        self.transaction.execute("UPDATE projects SET name = ?2 WHERE id = ?1", params![id.as_str(), name])?;
        Ok(())
    }

    /// Keeps what was said of a field.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn set_seed(&self, id: &ProjectId, field: SeedField, value: &SeedValue) -> Result<Seed, StoreError> {
        self.touch(id)?;
        self.transaction.execute(
            "INSERT INTO seed (project, field, value) VALUES (?1, ?2, ?3)
             ON CONFLICT (project, field) DO UPDATE SET value = excluded.value",
            params![id.as_str(), word_of(&field), written(value)],
        )?;
        seed(&self.transaction, id)
    }

    /// Sets a project up, where its seed is ready; gives what it is now.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn finalize(&self, id: &ProjectId) -> Result<Project, StoreError> {
        self.touch(id)?;
        if seed(&self.transaction, id)?.readiness() == Readiness::ReadyForReview {
            let ready = word_of(&ProjectState::Ready);
            self.transaction.execute("UPDATE projects SET state = ?2 WHERE id = ?1", params![id.as_str(), ready])?;
        }
        of_person(&self.transaction, self.person, id)
    }

    /// Notes that something of a project changed, and that it is the person's to change.
    pub(super) fn touch(&self, id: &ProjectId) -> Result<(), StoreError> {
        of_person(&self.transaction, self.person, id)?;
        self.transaction.execute("UPDATE projects SET revision = revision + 1 WHERE id = ?1", [id.as_str()])?;
        Ok(())
    }
}

type Columns = (String, String, String, i64);

fn columns(row: &Row<'_>) -> rusqlite::Result<Columns> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}

fn project((id, name, state, revision): Columns) -> Result<Project, StoreError> {
    Ok(Project { id: ProjectId(id), name, state: word(state, "state of a project")?, revision })
}

/// The one look at a project: through its members.
pub(super) fn of_person(connection: &Connection, person: &PersonId, id: &ProjectId) -> Result<Project, StoreError> {
    let one = "SELECT id, name, state, revision FROM projects JOIN members ON project = id
               WHERE person = ?1 AND id = ?2";
    let found = connection.query_row(one, params![person.as_str(), id.as_str()], columns).optional()?;
    found.map_or(Err(StoreError::NotFound), project)
}

fn seed(connection: &Connection, id: &ProjectId) -> Result<Seed, StoreError> {
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
/// Projects of a person that are looked at.
const PROJECTS_MAX: i64 = 500;
