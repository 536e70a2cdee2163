//! Deliveries, written by the writer's connection: kept before they are read, gone once they were taken in. Next:
//! `write`.

use rusqlite::{Connection, params};
use turnwise_core::InputKey;

use super::worker::SqlError;
use crate::store::{Delivery, TakenUp, limits};

/// Keeps a delivery; what came under its key before stays as it is.
pub(super) fn keep(connection: &Connection, delivery: &Delivery) -> Result<(), SqlError> {
    connection
        .prepare_cached("INSERT OR IGNORE INTO deliveries (channel, key, content) VALUES (?1, ?2, ?3)")?
        .execute(params![delivery.channel, delivery.key.as_str(), delivery.content])?;
    Ok(())
}

/// Forgets a delivery.
pub(super) fn forget(connection: &Connection, channel: &str, key: &InputKey) -> Result<(), SqlError> {
    connection
        .prepare_cached("DELETE FROM deliveries WHERE channel = ?1 AND key = ?2")?
        .execute(params![channel, key.as_str()])?;
    Ok(())
}

/// What is kept of a channel, in the order it came; each that is not given up is counted as taken up once more.
pub(super) fn take_up(connection: &Connection, channel: &str) -> Result<TakenUp, SqlError> {
    let most = i64::from(limits::TAKEN_UP_MAX);
    let mut list = connection
        .prepare_cached("SELECT key, content, taken_up >= ?2 FROM deliveries WHERE channel = ?1 ORDER BY number")?;
    let rows = list.query_map(params![channel, most], |row| {
        let (key, content): (String, String) = (row.get(0)?, row.get(1)?);
        Ok((Delivery { channel: channel.to_owned(), key: InputKey::new(key), content }, row.get(2)?))
    })?;
    let mut taken = TakenUp::default();
    for row in rows {
        let (delivery, is_given_up) = row?;
        let kept = if is_given_up { &mut taken.given_up } else { &mut taken.deliveries };
        kept.push(delivery);
    }
    connection
        .prepare_cached("UPDATE deliveries SET taken_up = taken_up + 1 WHERE channel = ?1 AND taken_up < ?2")?
        .execute(params![channel, most])?;
    Ok(taken)
}
