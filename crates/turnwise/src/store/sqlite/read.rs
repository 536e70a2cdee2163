//! What the reader does: load a conversation, read on in its log, and look for what is new. It has a connection of its
//! own, so that reading never waits for a commit. Next: `list` for lists, `write`.

use rusqlite::{Connection, OptionalExtension, params};
use turnwise_core::{Conversation, ConversationId, Sequence};

use super::worker::SqlError;
use super::write::{MADE_BY, conversation, stored};
use crate::store::{Changes, Loaded, Position, Recorded, StoreError, limits};

/// The latest snapshot and the events after it, both of one moment.
pub(super) fn load(connection: &Connection, id: &ConversationId) -> Result<Option<Loaded>, SqlError> {
    let moment = connection.unchecked_transaction()?;
    let Some((number, _)) = conversation(&moment, id)? else { return Ok(None) };
    let body: Option<String> = moment
        .prepare_cached("SELECT body FROM snapshots WHERE conversation = ?1 AND made_by = ?2")?
        .query_row(params![number, MADE_BY], |row| row.get(0))
        .optional()?;
    // A snapshot only saves time: one that cannot be read is left aside, and the log, which is whole, folded instead.
    let snapshot: Option<Conversation> = body.and_then(|body| serde_json::from_str(&body).ok());
    let after = snapshot.as_ref().map_or(Sequence::new(0), Conversation::sequence);
    let events = log(&moment, id, number, after, usize::MAX)?;
    moment.finish()?;
    Ok(Some(Loaded { snapshot, events }))
}

/// A page of the log after `after`.
pub(super) fn events_after(
    connection: &Connection,
    id: &ConversationId,
    after: Sequence,
) -> Result<Vec<Recorded>, SqlError> {
    let Some((number, _)) = conversation(connection, id)? else { return Ok(Vec::new()) };
    log(connection, id, number, after, limits::EVENTS_PAGE)
}

/// Those of `ids` that are not there.
pub(super) fn missing(connection: &Connection, ids: Vec<ConversationId>) -> Result<Vec<ConversationId>, SqlError> {
    let mut missing = Vec::new();
    for id in ids {
        if conversation(connection, &id)?.is_none() {
            missing.push(id);
        }
    }
    Ok(missing)
}

/// What grew after `after`.
pub(super) fn changes(connection: &Connection, after: Position) -> Result<Changes, SqlError> {
    let mut grown = connection.prepare_cached(
        "SELECT c.id, max(e.sequence), max(e.position) FROM events e JOIN conversations c ON c.number = e.conversation
         WHERE e.position > ?1 GROUP BY e.conversation",
    )?;
    let mut rows = grown.query(params![stored(after.number())])?;
    let mut changes = Changes { upto: after, grown: Vec::new() };
    while let Some(row) = rows.next()? {
        let last = Sequence::new(row.get::<_, i64>(1)?.unsigned_abs());
        changes.grown.push((ConversationId::new(row.get::<_, String>(0)?), last));
        changes.upto = changes.upto.max(Position::new(row.get::<_, i64>(2)?.unsigned_abs()));
    }
    Ok(changes)
}

/// Where the store stands.
pub(super) fn position(connection: &Connection) -> Result<Position, SqlError> {
    let last: Option<i64> =
        connection.prepare_cached("SELECT max(position) FROM events")?.query_row([], |row| row.get(0))?;
    Ok(Position::new(last.unwrap_or_default().unsigned_abs()))
}

fn log(
    connection: &Connection,
    id: &ConversationId,
    number: i64,
    after: Sequence,
    most: usize,
) -> Result<Vec<Recorded>, SqlError> {
    let mut read = connection.prepare_cached(
        "SELECT sequence, body FROM events WHERE conversation = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3",
    )?;
    let most = stored(u64::try_from(most).unwrap_or(u64::MAX));
    let mut rows = read.query(params![number, stored(after.number()), most])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let sequence = Sequence::new(row.get::<_, i64>(0)?.unsigned_abs());
        let body = row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?;
        let event = serde_json::from_str(body).map_err(|error| damaged(id, sequence, &error))?;
        events.push(Recorded { sequence, event });
    }
    Ok(events)
}

pub(super) fn damaged(id: &ConversationId, sequence: Sequence, reason: &dyn std::fmt::Display) -> StoreError {
    StoreError::Damaged { conversation: id.clone(), sequence, reason: reason.to_string() }
}
