//! What came of a project: specifications and artefacts. An artefact keeps its earlier versions, because somebody may
//! have one of them in hand; its content is bytes, and what of it is text is found by its words. Next: `job`.

use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use turnwise_core::{PersonId, text};

use super::note::any_of;
use super::project::{ProjectId, of_person};
use super::{Change, Store, StoreError, Undo};

/// A version of an artefact, without what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artefact {
    /// What it is called.
    pub name: String,
    /// What sort of document it is: `report`, `handbook`.
    pub kind: String,
    /// From 1.
    pub version: i64,
    /// Its media type.
    pub media: String,
    /// Its length in bytes.
    pub bytes: i64,
    /// Who brought it.
    pub by: PersonId,
    /// When, in milliseconds.
    pub created_ms: i64,
}

/// A version of an artefact with what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// What is known of it.
    pub artefact: Artefact,
    /// What is in it.
    pub content: Vec<u8>,
}

/// An artefact to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewArtefact<'a> {
    /// What it is called.
    pub name: &'a str,
    /// What sort of document it is.
    pub kind: &'a str,
    /// Its media type.
    pub media: &'a str,
    /// What is in it.
    pub content: &'a [u8],
}

/// A specification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Specification {
    /// What it is called.
    pub name: String,
    /// Its text.
    pub content: String,
    /// Counts its texts, from 1.
    pub version: i64,
    /// When it was written, in milliseconds.
    pub changed_ms: i64,
}

/// Where a document says something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Whether it is a specification, and no artefact.
    pub is_specification: bool,
    /// What the document is called.
    pub name: String,
    /// The words around what was looked for.
    pub text: String,
}

impl Store {
    /// The artefacts of a project in all versions, by name, the latest version of each first.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn artefacts(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<Artefact>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = format!(
            "SELECT {COLUMNS} FROM artefacts WHERE project = ?1 ORDER BY name, version DESC LIMIT {VERSIONS_LISTED_MAX}"
        );
        let mut statement = connection.prepare_cached(&all)?;
        let rows = statement.query_map([id.as_str()], artefact)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// A version of an artefact, the latest without a number.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::NoSuch`] where there is none such.
    pub fn document(
        &self,
        person: &PersonId,
        id: &ProjectId,
        name: &str,
        version: Option<i64>,
    ) -> Result<Document, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let one = format!(
            "SELECT {COLUMNS}, CAST(content AS BLOB) FROM artefacts WHERE project = ?1 AND lower(name) = lower(?2)
             AND (?3 IS NULL OR version = ?3) ORDER BY version DESC LIMIT 1"
        );
        let mut statement = connection.prepare_cached(&one)?;
        let document = |row: &Row<'_>| Ok(Document { artefact: artefact(row)?, content: row.get(7)? });
        let found = statement.query_row(params![id.as_str(), name, version], document).optional()?;
        found.ok_or(StoreError::NoSuch("artefact"))
    }

    /// The specifications of a project, by name.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn specifications(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<Specification>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = "SELECT name, content, version, changed_at FROM specifications WHERE project = ?1 ORDER BY name";
        let mut statement = connection.prepare_cached(all)?;
        let one = |row: &Row<'_>| {
            let (name, content) = (row.get(0)?, row.get(1)?);
            Ok(Specification { name, content, version: row.get(2)?, changed_ms: row.get(3)? })
        };
        let rows = statement.query_map([id.as_str()], one)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Where specifications and artefacts of a project hold any of `words`, best first.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn passages(&self, person: &PersonId, id: &ProjectId, words: &[String]) -> Result<Vec<Passage>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let Some(wanted) = any_of(words) else { return Ok(Vec::new()) };
        let all = "SELECT sort = 'specification', name, snippet(document_words, 3, '', '', '…', 16) FROM document_words
                   WHERE document_words MATCH ?1 AND project = ?2 ORDER BY rank LIMIT ?3";
        let mut statement = connection.prepare_cached(all)?;
        let one = |row: &Row<'_>| {
            let text: String = row.get(2)?;
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            Ok(Passage { is_specification: row.get(0)?, name: row.get(1)?, text })
        };
        let rows = statement.query_map(params![wanted, id.as_str(), PASSAGES_MAX], one)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Store {
    /// How the documents of a project begin, which says what they are about; the latest first.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`].
    pub fn beginnings(&self, person: &PersonId, id: &ProjectId) -> Result<Vec<Passage>, StoreError> {
        let connection = self.lock();
        of_person(&connection, person, id)?;
        let all = "SELECT sort = 'specification', name, substr(text, 1, ?2) FROM document_words
                   WHERE project = ?1 ORDER BY rowid DESC LIMIT ?3";
        let mut statement = connection.prepare_cached(all)?;
        let one = |row: &Row<'_>| {
            let text: String = row.get(2)?;
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            Ok(Passage { is_specification: row.get(0)?, name: row.get(1)?, text })
        };
        let rows = statement.query_map(params![id.as_str(), BEGINNING_CHARACTERS, BEGINNINGS_MAX], one)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

impl Change<'_> {
    /// Keeps an artefact, as a new version where something else is in it; gives the version.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::Refused`] where it has no name or is too long.
    pub fn add_artefact(&self, id: &ProjectId, new: &NewArtefact<'_>) -> Result<i64, StoreError> {
        self.touch(id)?;
        let name = name_of(new.name)?;
        if new.content.len() > CONTENT_BYTES_MAX {
            let told = format!("An artefact can have {} MB, and this is longer.", CONTENT_BYTES_MAX >> 20);
            return Err(StoreError::refused(told));
        }
        let last = "SELECT name, version, kind, CAST(content AS BLOB) = ?3 FROM artefacts
                    WHERE project = ?1 AND lower(name) = lower(?2) ORDER BY version DESC LIMIT 1";
        let columns = |row: &Row<'_>| Ok(((row.get(0)?, row.get(1)?), row.get(2)?, row.get(3)?));
        let values = params![id.as_str(), name, new.content];
        let last: Option<((String, i64), String, bool)> =
            self.transaction.query_row(last, values, columns).optional()?;
        let kind = text::clip(new.kind.trim(), KIND_CHARACTERS_MAX);
        let (name, version, kind) = match last {
            Some(((_, version), _, true)) => return Ok(version),
            Some(((name, version), before, false)) => (name, version + 1, if kind.is_empty() { before } else { kind }),
            None => (name, 1, if kind.is_empty() { "document".to_owned() } else { kind }),
        };
        if version > VERSIONS_MAX {
            return Err(StoreError::refused(format!(
                "“{name}” has {VERSIONS_MAX} versions, and there is no room for more."
            )));
        }
        self.transaction.execute(
            "INSERT INTO artefacts (project, name, kind, version, content, created_at, media, person)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![id.as_str(), name, kind, version, new.content, self.now_ms, new.media, self.person.as_str()],
        )?;
        self.find_by_words(id, ARTEFACT, &name, std::str::from_utf8(new.content).ok())?;
        self.undoable(Some(id), &Undo::Artefact { name, version })?;
        Ok(version)
    }

    /// A version of an artefact is gone; the one before it is the latest then. Gives whether it was there.
    pub(super) fn remove_artefact(&self, id: &ProjectId, name: &str, version: i64) -> Result<bool, StoreError> {
        let gone = "DELETE FROM artefacts WHERE project = ?1 AND name = ?2 AND version = ?3";
        let removed = self.transaction.execute(gone, params![id.as_str(), name, version])?;
        let last = "SELECT CAST(content AS BLOB) FROM artefacts WHERE project = ?1 AND name = ?2
                    ORDER BY version DESC LIMIT 1";
        let before: Option<Vec<u8>> =
            self.transaction.query_row(last, params![id.as_str(), name], |row| row.get(0)).optional()?;
        self.find_by_words(id, ARTEFACT, name, before.as_deref().and_then(|text| std::str::from_utf8(text).ok()))?;
        Ok(removed > 0)
    }

    /// Keeps a specification under its name; gives the count of its texts.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::Refused`] where it has no name or is too long.
    pub fn set_specification(&self, id: &ProjectId, name: &str, content: &str) -> Result<i64, StoreError> {
        self.touch(id)?;
        let name = name_of(name)?;
        if content.len() > CONTENT_BYTES_MAX {
            return Err(StoreError::refused("That is too long for a specification."));
        }
        let same = "SELECT name, content FROM specifications WHERE project = ?1 AND lower(name) = lower(?2)";
        let columns = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?));
        let known = self.transaction.query_row(same, params![id.as_str(), name], columns).optional()?;
        let (name, before) = known.map_or((name, None), |(name, before)| (name, Some(before)));
        if before.as_deref() != Some(content) {
            self.write_specification(id, &name, Some(content))?;
            self.undoable(Some(id), &Undo::Specification { name: name.clone(), before })?;
        }
        let version = "SELECT version FROM specifications WHERE project = ?1 AND name = ?2";
        Ok(self.transaction.query_row(version, params![id.as_str(), name], |row| row.get(0))?)
    }

    /// A specification is no more.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] as for [`Store::project`]; [`StoreError::NoSuch`] where there is none of that name.
    pub fn drop_specification(&self, id: &ProjectId, name: &str) -> Result<(), StoreError> {
        self.touch(id)?;
        let one = "SELECT content FROM specifications WHERE project = ?1 AND name = ?2";
        let before: Option<String> =
            self.transaction.query_row(one, params![id.as_str(), name], |row| row.get(0)).optional()?;
        let Some(before) = before else { return Err(StoreError::NoSuch("specification")) };
        self.write_specification(id, name, None)?;
        self.undoable(Some(id), &Undo::Specification { name: name.to_owned(), before: Some(before) })
    }

    pub(super) fn write_specification(
        &self,
        id: &ProjectId,
        name: &str,
        content: Option<&str>,
    ) -> Result<(), StoreError> {
        match content {
            Some(content) => self.transaction.execute(
                "INSERT INTO specifications (project, name, content, changed_at) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (project, name) DO UPDATE SET content = excluded.content, changed_at = excluded.changed_at,
                 version = version + 1",
                params![id.as_str(), name, content, self.now_ms],
            )?,
            None => self
                .transaction
                .execute("DELETE FROM specifications WHERE project = ?1 AND name = ?2", params![id.as_str(), name])?,
        };
        self.find_by_words(id, SPECIFICATION, name, content)
    }

    /// A document is found by the words of this text from now on; by none without a text.
    fn find_by_words(&self, id: &ProjectId, sort: &str, name: &str, text: Option<&str>) -> Result<(), StoreError> {
        let gone = "DELETE FROM document_words WHERE project = ?1 AND sort = ?2 AND name = ?3";
        self.transaction.execute(gone, params![id.as_str(), sort, name])?;
        if let Some(text) = text {
            self.transaction.execute(
                "INSERT INTO document_words (project, sort, name, text) VALUES (?1, ?2, ?3, ?4)",
                params![id.as_str(), sort, name, text],
            )?;
        }
        Ok(())
    }
}

fn artefact(row: &Row<'_>) -> rusqlite::Result<Artefact> {
    let (name, kind, version) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let by = PersonId::new(row.get::<_, String>(5)?);
    Ok(Artefact { name, kind, version, media: row.get(3)?, bytes: row.get(4)?, by, created_ms: row.get(6)? })
}

/// A name as it is kept: one line that is none too long.
fn name_of(name: &str) -> Result<String, StoreError> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = name.chars().filter(|letter| !letter.is_control()).collect();
    if name.is_empty() {
        return Err(StoreError::refused("It needs a name."));
    }
    Ok(text::clip(&name, NAME_CHARACTERS_MAX))
}

const COLUMNS: &str = "name, kind, version, media, length(CAST(content AS BLOB)), person, created_at";
const SPECIFICATION: &str = "specification";
const ARTEFACT: &str = "artefact";
/// Bytes of an artefact or a specification: a long report with pictures.
pub const CONTENT_BYTES_MAX: usize = 8 << 20;
/// Versions of one artefact.
const VERSIONS_MAX: i64 = 1_000;
/// Versions of artefacts that are listed.
const VERSIONS_LISTED_MAX: i64 = 2_000;
/// Characters of a document that say what it is about.
const BEGINNING_CHARACTERS: i64 = 240;
/// Documents whose beginning is looked at: working out what one means takes a few milliseconds.
const BEGINNINGS_MAX: i64 = 12;
/// Passages that a search gives.
const PASSAGES_MAX: i64 = 5;
/// Characters of a name.
const NAME_CHARACTERS_MAX: usize = 120;
/// Characters of what sort of document something is.
const KIND_CHARACTERS_MAX: usize = 40;
