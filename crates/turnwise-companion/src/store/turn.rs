//! Turns: what was said, person by person (CP-12), and what a conversation is about at the moment. An account of what
//! happened, kept under the key of the message it belongs to, so it is written once however often the work is done.
//! Next: `mod`.

use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};
use serde::{Deserialize, Serialize};
use turnwise_core::{ConversationId, PersonId};

use super::project::{ProjectId, seed};
use super::{Change, Readiness, SeedField, Store, StoreError, word, word_of};

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person.
    Operator,
    /// The companion.
    Companion,
}

/// Something said, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Who said it.
    pub role: Role,
    /// What was said.
    pub content: String,
    /// How the message was read; of the companion's turns alone.
    pub classified_intent: Option<String>,
    /// The project it was about.
    pub project: Option<ProjectId>,
    /// Its place among all turns.
    pub at: i64,
    /// When, in milliseconds.
    pub created_ms: i64,
}

/// A message and its reply, to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewTurn<'a> {
    /// The key of the message: the same for every attempt at answering it.
    pub key: &'a str,
    /// The project it was about.
    pub project: Option<&'a ProjectId>,
    /// What the person said; absent where that is kept already, because they were asked about it first.
    pub said: Option<&'a str>,
    /// What they were told.
    pub reply: &'a str,
    /// How it was read.
    pub intent: &'a str,
}

/// What a conversation is about for one person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// The project.
    pub project: Option<ProjectId>,
    /// The field of its seed that was asked about last and is open.
    pub asking: Option<SeedField>,
}

/// What is known around a message before it is known whose it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Around {
    /// Whether something about a project was asked and is open.
    pub is_asking: bool,
    /// Whether a project is being set up.
    pub is_setting_up: bool,
    /// Whether all about it is told and was just shown, so that a plain yes is one to that.
    pub is_summed_up: bool,
    /// Whether all about it is told, and it was the last that was talked about.
    pub is_ready: bool,
    /// Whether the project has an artefact; absent where the talk is about none.
    pub artefact_exists: Option<bool>,
}

impl Store {
    /// The latest turns of a person, newest first; of one project where one is named, and only those before the place
    /// `before`, if one is.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn turns(
        &self,
        person: &PersonId,
        project: Option<&ProjectId>,
        before: Option<i64>,
        most: usize,
    ) -> Result<Vec<Turn>, StoreError> {
        let connection = self.lock();
        let all = "SELECT role, content, classified_intent, project, id, created_at
                   FROM turns INDEXED BY turns_of_person_latest
                   WHERE person = ?1 AND (?2 IS NULL OR project = ?2) AND (?3 IS NULL OR id < ?3)
                   ORDER BY id DESC LIMIT ?4";
        let mut statement = connection.prepare_cached(all)?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let columns = |row: &Row<'_>| {
            let turn = Turn {
                role: Role::Operator,
                content: row.get(1)?,
                classified_intent: row.get(2)?,
                project: row.get::<_, Option<String>>(3)?.map(ProjectId::new),
                at: row.get(4)?,
                created_ms: row.get(5)?,
            };
            Ok((row.get::<_, String>(0)?, turn))
        };
        let values = params![person.as_str(), project.map(ProjectId::as_str), before, most];
        let rows = statement.query_map(values, columns)?;
        let turn = |(role, turn)| Ok(Turn { role: word(role, "role of a turn")?, ..turn });
        rows.map(|row| turn(row?)).collect()
    }

    /// Keeps a message and its reply. The conversation's own log has both and waits for the disk; this account does
    /// not.
    ///
    /// # Errors
    /// When they cannot be kept.
    pub fn record(&self, person: &PersonId, now_ms: i64, turn: NewTurn<'_>) -> Result<(), StoreError> {
        let said = turn.said.map(|said| (Role::Operator, said, None));
        let both = said.into_iter().chain([(Role::Companion, turn.reply, Some(turn.intent))]);
        self.unhurried(|connection| {
            let transaction = connection.transaction()?;
            for (role, content, intent) in both {
                let (project, role) = (turn.project.map(ProjectId::as_str), word_of(&role));
                transaction
                    .prepare_cached(
                        "INSERT INTO turns (key, person, project, role, content, classified_intent, created_at)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key, role) DO NOTHING",
                    )?
                    .execute(params![turn.key, person.as_str(), project, role, content, intent, now_ms])?;
            }
            Ok(transaction.commit()?)
        })
    }

    /// As which of these `intents` a message of the person about a project was read last; none where none was.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn last_intent(
        &self,
        person: &PersonId,
        project: &ProjectId,
        intents: &[&str],
    ) -> Result<Option<String>, StoreError> {
        let last = format!(
            "SELECT classified_intent FROM turns WHERE person = ? AND project = ? AND classified_intent IN ({})
             ORDER BY id DESC LIMIT 1",
            vec!["?"; intents.len()].join(", ")
        );
        let values = [person.as_str(), project.as_str()].into_iter().chain(intents.iter().copied());
        Ok(self.lock().query_row(&last, params_from_iter(values), |row| row.get(0)).optional()?)
    }

    /// What a conversation is about for a person.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn focus(&self, conversation: &ConversationId, person: &PersonId) -> Result<Focus, StoreError> {
        let one = "SELECT project, asking FROM focus WHERE conversation = ?1 AND person = ?2";
        let columns = |row: &Row<'_>| Ok((row.get::<_, Option<String>>(0)?, row.get::<_, Option<String>>(1)?));
        let ids = params![conversation.as_str(), person.as_str()];
        let found = self.lock().query_row(one, ids, columns).optional()?;
        let Some((project, asking)) = found else { return Ok(Focus::default()) };
        let asking = asking.map(|field| word(field, "field of a seed")).transpose()?;
        Ok(Focus { project: project.map(ProjectId::new), asking })
    }

    /// What a conversation is about, whoever takes part: all that is known before it is known who speaks. Replies to
    /// what was read as `sums_up` show what is told about a project once that is all.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn around(&self, conversation: &ConversationId, sums_up: &str) -> Result<Around, StoreError> {
        let all = "SELECT asking IS NOT NULL, EXISTS (SELECT 1 FROM projects WHERE id = focus.project AND state =
                   'drafting'), EXISTS (SELECT 1 FROM artefacts WHERE artefacts.project = focus.project), project,
                   person FROM focus WHERE conversation = ?1 AND project IS NOT NULL";
        let connection = self.lock();
        let mut statement = connection.prepare_cached(all)?;
        let rows = statement.query_map([conversation.as_str()], |row| {
            let (asking, set_up, artefact): (bool, bool, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok((asking, set_up, artefact, ProjectId::new(row.get::<_, String>(3)?), row.get::<_, String>(4)?))
        })?;
        let mut around = Around::default();
        for row in rows {
            let (is_asking, is_set_up, has_artefact, project, person) = row?;
            if is_set_up && seed(&connection, &project)?.readiness() == Readiness::ReadyForReview {
                let last = read_last(&connection, conversation, &person)?.filter(|(of, _)| *of == project);
                around.is_ready |= last.is_some();
                around.is_summed_up |= last.is_some_and(|(_, read)| read == sums_up);
            }
            around.is_asking |= is_asking;
            around.is_setting_up |= is_set_up;
            around.artefact_exists = Some(around.artefact_exists.unwrap_or(false) || has_artefact);
        }
        Ok(around)
    }
}

/// The project and the intent of what `person` said last in a conversation; none where it was about no project.
fn read_last(
    connection: &Connection,
    conversation: &ConversationId,
    person: &str,
) -> Result<Option<(ProjectId, String)>, StoreError> {
    // The keys of turns begin with their conversation.
    let last =
        "SELECT project, classified_intent FROM turns INDEXED BY turns_of_person_latest WHERE person = ?1 AND role = ?2
                AND substr(key, 1, length(?3) + 1) = ?3 || '/' ORDER BY id DESC LIMIT 1";
    let columns = |row: &Row<'_>| Ok((row.get::<_, Option<String>>(0)?, row.get::<_, Option<String>>(1)?));
    let values = params![person, word_of(&Role::Companion), conversation.as_str()];
    let read = connection.query_row(last, values, columns).optional()?;
    Ok(read.and_then(|(project, intent)| Some((ProjectId::new(project?), intent?))))
}

impl Change<'_> {
    /// From here on a conversation is about this, for the person.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn set_focus(&self, conversation: &ConversationId, focus: &Focus) -> Result<(), StoreError> {
        self.transaction.execute(
            "INSERT INTO focus (conversation, person, project, asking) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (conversation, person) DO UPDATE SET project = excluded.project, asking = excluded.asking",
            params![
                conversation.as_str(),
                self.person.as_str(),
                focus.project.as_ref().map(ProjectId::as_str),
                focus.asking.as_ref().map(word_of)
            ],
        )?;
        Ok(())
    }
}
