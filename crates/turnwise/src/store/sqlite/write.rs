//! What the writer does in a transaction: store a turn, claim work, renew and give back leases. One thread writes,
//! so that several turns can share one flush. Next: `read`.

use rusqlite::{Connection, OptionalExtension, params};
use turnwise_core::{ConversationId, Effect, Event, Sequence, Timestamp};

use super::worker::SqlError;
use crate::store::{Claim, Claimed, Committed, Deleted, Fence, Held, Owner, Reported, StoreError, Turn, TurnResult};

/// The version of the program that reads a snapshot again; any other folds the log instead.
pub(super) const MADE_BY: &str = env!("CARGO_PKG_VERSION");

/// A turn in the form it is stored in. Encoded by the caller, so that the writer thread only writes.
pub(super) struct Encoded {
    turn: Turn,
    events: Vec<String>,
    snapshot: Option<String>,
    result: String,
    finished: Vec<String>,
    started: Vec<String>,
    members: String,
}

impl Encoded {
    pub(super) fn new(turn: Turn) -> Result<Self, StoreError> {
        Ok(Self {
            events: turn.events.iter().map(encode).collect::<Result<_, _>>()?,
            snapshot: turn.snapshot.then(|| encode(turn.state.as_ref())).transpose()?,
            result: encode(&turn.result)?,
            finished: turn.finished.iter().map(encode).collect::<Result<_, _>>()?,
            started: turn.started.iter().map(encode).collect::<Result<_, _>>()?,
            members: encode(turn.state.members())?,
            turn,
        })
    }

    /// Stores the turn, or says why not. Seen before comes first: a second delivery gets the first result even when the
    /// conversation has long moved on.
    pub(super) fn commit(&self, connection: &Connection) -> Result<Committed, SqlError> {
        let found = conversation(connection, &self.turn.conversation)?;
        let Some((number, last)) = found else {
            if self.turn.expected.number() != 0 {
                return Ok(Committed::Conflict);
            }
            let number = self.insert_conversation(connection)?;
            self.insert(connection, number)?;
            return Ok(Committed::Stored);
        };
        if let Some(result) = self.first_result(connection, number)? {
            return Ok(Committed::Duplicate(result.repeated()));
        }
        if last != self.turn.expected {
            return Ok(Committed::Conflict);
        }
        if self.is_fenced(connection, number)? {
            return Ok(Committed::Fenced);
        }
        self.update_conversation(connection, number)?;
        self.insert(connection, number)?;
        Ok(Committed::Stored)
    }

    fn first_result(&self, connection: &Connection, number: i64) -> Result<Option<TurnResult>, SqlError> {
        let mut find = connection.prepare_cached("SELECT result FROM inputs WHERE conversation = ?1 AND key = ?2")?;
        for key in &self.turn.keys {
            let found: Option<String> = find.query_row(params![number, key.as_str()], |row| row.get(0)).optional()?;
            if let Some(result) = found {
                return Ok(Some(serde_json::from_str(&result).map_err(StoreError::Encoding)?));
            }
        }
        Ok(None)
    }

    fn is_fenced(&self, connection: &Connection, number: i64) -> Result<bool, SqlError> {
        let Some(reported) = self.turn.reported else { return Ok(false) };
        let mut find =
            connection.prepare_cached("SELECT owner, fence FROM outbox WHERE conversation = ?1 AND effect = ?2")?;
        let holder: Option<(Option<String>, i64)> = find
            .query_row(params![number, encode(&reported.effect)?], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        Ok(holder.is_some_and(|(owner, fence)| {
            owner.as_deref() != Some(self.turn.owner.as_str()) || fence != stored(reported.fence.number())
        }))
    }

    fn insert_conversation(&self, connection: &Connection) -> Result<i64, SqlError> {
        let state = &self.turn.state;
        connection
            .prepare_cached(
                "INSERT INTO conversations (id, assistant, title, phase, sequence, active_at, members, questions)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )?
            .execute(params![
                self.turn.conversation.as_str(),
                state.assistant().as_str(),
                self.turn.renamed().or_else(|| self.turn.title()),
                state.phase().to_string(),
                stored(self.turn.last().number()),
                self.turn.at.as_millis(),
                self.members,
                stored(state.pending().len() as u64),
            ])?;
        Ok(connection.last_insert_rowid())
    }

    fn update_conversation(&self, connection: &Connection, number: i64) -> Result<(), SqlError> {
        connection
            .prepare_cached(
                "UPDATE conversations SET title = coalesce(?8, title, ?2), phase = ?3, sequence = ?4, active_at = ?5,
                        members = ?6, questions = ?7
                 WHERE number = ?1",
            )?
            .execute(params![
                number,
                self.turn.title(),
                self.turn.state.phase().to_string(),
                stored(self.turn.last().number()),
                self.turn.at.as_millis(),
                self.members,
                stored(self.turn.state.pending().len() as u64),
                self.turn.renamed(),
            ])?;
        Ok(())
    }

    fn insert(&self, connection: &Connection, number: i64) -> Result<(), SqlError> {
        let turn = &self.turn;
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO participants (person, conversation) SELECT value, ?1 FROM json_each(?2)",
            )?
            .execute(params![number, self.members])?;
        if turn.events.iter().any(|event| matches!(event, Event::MemberLeft { .. })) {
            connection.execute(
                "DELETE FROM participants WHERE conversation = ?1 AND person NOT IN (SELECT value FROM json_each(?2))",
                params![number, self.members],
            )?;
        }
        let mut event =
            connection.prepare_cached("INSERT INTO events (conversation, sequence, body) VALUES (?1, ?2, ?3)")?;
        for (sequence, body) in (turn.expected.number() + 1..).zip(&self.events) {
            event.execute(params![number, stored(sequence), body])?;
        }
        if let Some(snapshot) = &self.snapshot {
            connection
                .prepare_cached(
                    "INSERT OR REPLACE INTO snapshots (conversation, sequence, made_by, body) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![number, stored(turn.last().number()), MADE_BY, snapshot])?;
        }
        let mut input = connection
            .prepare_cached("INSERT OR REPLACE INTO inputs (conversation, key, result, at) VALUES (?1, ?2, ?3, ?4)")?;
        for key in &turn.keys {
            input.execute(params![number, key.as_str(), self.result, turn.at.as_millis()])?;
        }
        let mut over = connection.prepare_cached("DELETE FROM outbox WHERE conversation = ?1 AND effect = ?2")?;
        for effect in &self.finished {
            over.execute(params![number, effect])?;
        }
        for effect in &self.started {
            hold(connection, number, effect, &turn.owner, turn.until, Fence::FIRST)?;
        }
        Ok(())
    }
}

/// Grants what is free of the claimed work.
pub(super) fn claim(connection: &Connection, claim: &Claim) -> Result<Claimed, SqlError> {
    let Some((number, last)) = conversation(connection, &claim.conversation)? else { return Ok(Claimed::Conflict) };
    if last != claim.expected {
        return Ok(Claimed::Conflict);
    }
    let mut find =
        connection.prepare_cached("SELECT owner, until, fence FROM outbox WHERE conversation = ?1 AND effect = ?2")?;
    let mut granted = Vec::new();
    for effect in &claim.effects {
        let key = encode(effect)?;
        let held: Option<(Option<String>, i64, i64)> =
            find.query_row(params![number, key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()?;
        let fence = match held {
            None => Fence::FIRST,
            Some((owner, until, fence)) => {
                let is_own = owner.as_deref() == Some(claim.owner.as_str());
                if owner.is_some() && !is_own && until > claim.now.as_millis() {
                    continue;
                }
                Fence::new(fence.unsigned_abs() + 1)
            }
        };
        hold(connection, number, &key, &claim.owner, claim.until, fence)?;
        granted.push(Reported { effect: *effect, fence });
    }
    Ok(Claimed::Granted(granted))
}

/// Extends all leases of `owner`, and says which those are.
pub(super) fn renew(connection: &Connection, owner: &Owner, until: Timestamp) -> Result<Vec<Held>, SqlError> {
    let mut renew = connection.prepare_cached(
        "UPDATE outbox SET until = ?2 WHERE owner = ?1
         RETURNING (SELECT id FROM conversations WHERE number = conversation), effect, fence",
    )?;
    let mut rows = renew.query(params![owner.as_str(), until.as_millis()])?;
    let mut held = Vec::new();
    while let Some(row) = rows.next()? {
        let effect: String = row.get(1)?;
        held.push(Held {
            conversation: ConversationId::new(row.get::<_, String>(0)?),
            effect: serde_json::from_str::<Effect>(&effect).map_err(StoreError::Encoding)?,
            fence: Fence::new(row.get::<_, i64>(2)?.unsigned_abs()),
        });
    }
    Ok(held)
}

/// Gives all leases of `owner` back.
pub(super) fn release(connection: &Connection, owner: &Owner) -> Result<(), SqlError> {
    connection.prepare_cached("UPDATE outbox SET owner = NULL WHERE owner = ?1")?.execute(params![owner.as_str()])?;
    Ok(())
}

/// Forgets a conversation with everything that belongs to it, unless work of it is held under a lease that runs.
pub(super) fn delete(connection: &Connection, id: &ConversationId, now: Timestamp) -> Result<Deleted, SqlError> {
    let Some((number, _)) = conversation(connection, id)? else { return Ok(Deleted::NotThere) };
    let held: i64 = connection.query_row(
        "SELECT count(*) FROM outbox WHERE conversation = ?1 AND owner IS NOT NULL AND until > ?2",
        params![number, now.as_millis()],
        |row| row.get(0),
    )?;
    if held > 0 {
        return Ok(Deleted::Busy);
    }
    for table in ["events", "snapshots", "inputs", "outbox", "participants"] {
        connection.execute(&format!("DELETE FROM {table} WHERE conversation = ?1"), params![number])?;
    }
    connection.execute("DELETE FROM conversations WHERE number = ?1", params![number])?;
    Ok(Deleted::Gone)
}

/// The number and last event of a conversation.
pub(super) fn conversation(
    connection: &Connection,
    id: &ConversationId,
) -> Result<Option<(i64, Sequence)>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT number, sequence FROM conversations WHERE id = ?1")?
        .query_row(params![id.as_str()], |row| Ok((row.get(0)?, Sequence::new(row.get::<_, i64>(1)?.unsigned_abs()))))
        .optional()
}

/// SQLite counts in `i64`; our counters start at 0 and never come near its end.
pub(super) fn stored(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn hold(
    connection: &Connection,
    number: i64,
    effect: &str,
    owner: &Owner,
    until: Timestamp,
    fence: Fence,
) -> Result<(), SqlError> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO outbox (conversation, effect, owner, until, fence) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![number, effect, owner.as_str(), until.as_millis(), stored(fence.number())])?;
    Ok(())
}

fn encode<T: serde::Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(StoreError::Encoding)
}
