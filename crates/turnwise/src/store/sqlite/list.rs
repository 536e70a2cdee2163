//! Lists, read by the reader's connection: conversations that fit what is wanted, ids, and work that nobody holds. Each
//! condition is part of the query, so that a page is cut only after all of them. Next: `read`.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params, params_from_iter};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use turnwise_core::{AssistantName, ConversationId, Effect, Phase, Sequence, Timestamp};

use super::read::damaged;
use super::worker::SqlError;
use super::write::stored;
use crate::store::{Abandoned, Fence, Listing, Questions, StoreError, Summary, limits};

const COLUMNS: &str = "SELECT id, assistant, title, phase, active_at, sequence, members FROM conversations";

/// The conversations that are wanted, latest activity first.
pub(super) fn conversations(connection: &Connection, wanted: &Listing) -> Result<Vec<Summary>, SqlError> {
    let (conditions, mut values) = conditions(wanted);
    values.push(Value::Integer(stored(limits::LISTED_MAX as u64)));
    let list = format!("{COLUMNS} WHERE {conditions} ORDER BY active_at DESC, id DESC LIMIT ?");
    summaries(connection, &list, values)
}

/// What is wanted as conditions, with the values they hold up, in order.
fn conditions(wanted: &Listing) -> (String, Vec<Value>) {
    let Listing { id, beginning, over, member, questions, after } = wanted;
    let (mut conditions, mut values) = (vec!["true".to_owned()], Vec::new());
    let text = |text: &str| Value::Text(text.to_owned());
    if let Some(id) = id {
        conditions.push("id = ?".to_owned());
        values.push(text(id.as_str()));
    }
    if let Some(beginning) = beginning {
        conditions.push("substr(id, 1, length(?)) = ?".to_owned());
        values.extend([text(beginning), text(beginning)]);
    }
    if !over.is_empty() {
        let each = vec!["(assistant = ? AND substr(id, length(id) - length(?) + 1) = ?)"; over.len()];
        conditions.push(format!("({})", each.join(" OR ")));
        values.extend(
            over.iter().flat_map(|over| [text(over.assistant.as_str()), text(&over.ending), text(&over.ending)]),
        );
    }
    if let Some(member) = member {
        conditions.push("number IN (SELECT conversation FROM participants WHERE person = ?)".to_owned());
        values.push(text(member.as_str()));
    }
    if *questions == Questions::Open {
        conditions.push("(questions IS NULL OR questions > 0)".to_owned());
    }
    if let Some(after) = after {
        conditions.push("(active_at, id) < (?, ?)".to_owned());
        values.extend([Value::Integer(after.active_at.as_millis()), text(after.id.as_str())]);
    }
    (conditions.join(" AND "), values)
}

/// The conversations at rest that had no turn since `before`, longest ago first.
pub(super) fn quiet_since(connection: &Connection, before: Timestamp) -> Result<Vec<Summary>, SqlError> {
    let list = format!("{COLUMNS} WHERE active_at < ? AND phase = 'idle' ORDER BY active_at, number LIMIT ?");
    let most = stored(limits::LISTED_MAX as u64);
    summaries(connection, &list, vec![Value::Integer(before.as_millis()), Value::Integer(most)])
}

/// A page of all ids after `after`.
pub(super) fn ids(connection: &Connection, after: Option<&ConversationId>) -> Result<Vec<ConversationId>, SqlError> {
    let mut list = connection.prepare_cached("SELECT id FROM conversations WHERE id > ?1 ORDER BY id LIMIT ?2")?;
    let most = stored(limits::IDS_PAGE as u64);
    let id = |row: &Row<'_>| row.get::<_, String>(0).map(ConversationId::new);
    let ids = list.query_map(params![after.map_or("", ConversationId::as_str), most], id)?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// A page of the work that nobody holds at `now`.
pub(super) fn abandoned(
    connection: &Connection,
    now: Timestamp,
    after: Option<&ConversationId>,
) -> Result<Vec<Abandoned>, SqlError> {
    let mut list = connection.prepare_cached(
        "SELECT c.id, o.effect, o.fence FROM outbox o JOIN conversations c ON c.number = o.conversation
         WHERE (o.owner IS NULL OR o.until <= ?1) AND c.id > ?2 ORDER BY c.id, o.effect LIMIT ?3",
    )?;
    let most = stored(limits::ABANDONED_PAGE as u64);
    let mut rows = list.query(params![now.as_millis(), after.map_or("", ConversationId::as_str), most])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let effect: String = row.get(1)?;
        found.push(Abandoned {
            conversation: ConversationId::new(row.get::<_, String>(0)?),
            effect: serde_json::from_str::<Effect>(&effect).map_err(StoreError::Encoding)?,
            fence: Fence::new(row.get::<_, i64>(2)?.unsigned_abs()),
        });
    }
    Ok(found)
}

fn summaries(connection: &Connection, list: &str, values: Vec<Value>) -> Result<Vec<Summary>, SqlError> {
    let mut list = connection.prepare_cached(list)?;
    let mut rows = list.query(params_from_iter(values))?;
    let mut summaries = Vec::new();
    while let Some(row) = rows.next()? {
        summaries.push(summary(row)?);
    }
    Ok(summaries)
}

fn summary(row: &Row<'_>) -> Result<Summary, SqlError> {
    let id = ConversationId::new(row.get::<_, String>(0)?);
    let phase: String = row.get(3)?;
    let sequence = Sequence::new(row.get::<_, i64>(5)?.unsigned_abs());
    let members = serde_json::from_str(row.get_ref(6)?.as_str().map_err(rusqlite::Error::from)?);
    let read: Result<Phase, serde::de::value::Error> = Phase::deserialize(phase.as_str().into_deserializer());
    Ok(Summary {
        assistant: AssistantName::new(row.get::<_, String>(1)?),
        title: row.get(2)?,
        phase: read.map_err(|error| damaged(&id, sequence, &error))?,
        active_at: Timestamp::from_millis(row.get(4)?),
        members: members.map_err(|error| damaged(&id, sequence, &error))?,
        id,
    })
}
