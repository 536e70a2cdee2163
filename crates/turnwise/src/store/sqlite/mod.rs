//! The SQLite store: one file, one writer thread, one reader thread.
//!
//! An acknowledged turn is durable (`synchronous=FULL` in write-ahead mode). Turns that wait while the disk is flushed
//! share the next transaction and its flush, so many conversations cost little more than one. Several processes may use
//! one file; SQLite's lock and the version check keep them apart. Next: `write` for what a commit does, `open` for what
//! is checked before a file is touched.

pub mod care;
mod delivered;
mod list;
mod open;
mod read;
#[cfg(test)]
mod tests;
mod worker;
mod write;

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use rusqlite::Connection;
use turnwise_core::{ConversationId, InputKey, Sequence, Timestamp};

use super::{
    Abandoned, Changes, Claim, Claimed, Committed, Deleted, Delivery, Held, Listing, Loaded, Owner, Position, Recorded,
    SigningKey, Store, StoreError, Summary, TakenUp, Turn,
};
use worker::{SqlError, Worker};

/// A store in an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    /// The file itself, whatever name it was opened by: the key is kept beside it.
    file: PathBuf,
    writer: Worker,
    reader: Worker,
}

impl SqliteStore {
    /// Opens the file at `path`, creates it if there is none, and brings an older format up to date.
    ///
    /// # Errors
    /// [`StoreError`] when the file is from a newer version, of another program, damaged, or cannot be written to; it
    /// is then left as it was.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let writer = open::writer(path)?;
        let reader = open::reader(path)?;
        let file = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        Ok(Self { file, writer: Worker::writer(writer, path)?, reader: Worker::reader(reader, path)? })
    }

    async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, SqlError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.writer.run(work).await
    }

    async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, SqlError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.reader.run(work).await
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn commit(&self, turn: Turn) -> Result<Committed, StoreError> {
        let turn = write::Encoded::new(turn)?;
        self.write(move |connection| turn.commit(connection)).await
    }

    async fn load(&self, id: &ConversationId) -> Result<Option<Loaded>, StoreError> {
        let id = id.clone();
        self.read(move |connection| read::load(connection, &id)).await
    }

    async fn events_after(&self, id: &ConversationId, after: Sequence) -> Result<Vec<Recorded>, StoreError> {
        let id = id.clone();
        self.read(move |connection| read::events_after(connection, &id, after)).await
    }

    async fn conversations(&self, wanted: &Listing) -> Result<Vec<Summary>, StoreError> {
        let wanted = wanted.clone();
        self.read(move |connection| list::conversations(connection, &wanted)).await
    }

    async fn ids(&self, after: Option<&ConversationId>) -> Result<Vec<ConversationId>, StoreError> {
        let after = after.cloned();
        self.read(move |connection| list::ids(connection, after.as_ref())).await
    }

    async fn quiet_since(&self, before: Timestamp) -> Result<Vec<Summary>, StoreError> {
        self.read(move |connection| list::quiet_since(connection, before)).await
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        self.write(move |connection| write::claim(connection, &claim)).await
    }

    async fn abandoned(&self, now: Timestamp, after: Option<&ConversationId>) -> Result<Vec<Abandoned>, StoreError> {
        let after = after.cloned();
        self.read(move |connection| list::abandoned(connection, now, after.as_ref())).await
    }

    async fn renew(&self, owner: &Owner, until: Timestamp) -> Result<Vec<Held>, StoreError> {
        let owner = owner.clone();
        self.write(move |connection| write::renew(connection, &owner, until)).await
    }

    async fn release(&self, owner: &Owner) -> Result<(), StoreError> {
        let owner = owner.clone();
        self.write(move |connection| write::release(connection, &owner)).await
    }

    async fn delete(&self, id: &ConversationId, now: Timestamp) -> Result<Deleted, StoreError> {
        let id = id.clone();
        self.write(move |connection| write::delete(connection, &id, now)).await
    }

    async fn missing(&self, ids: Vec<ConversationId>) -> Result<Vec<ConversationId>, StoreError> {
        self.read(move |connection| read::missing(connection, ids)).await
    }

    async fn changes(&self, after: Position) -> Result<Changes, StoreError> {
        self.read(move |connection| read::changes(connection, after)).await
    }

    async fn position(&self) -> Result<Position, StoreError> {
        self.read(read::position).await
    }

    async fn keep(&self, delivery: Delivery) -> Result<(), StoreError> {
        self.write(move |connection| delivered::keep(connection, &delivery)).await
    }

    async fn forget_delivery(&self, channel: &str, key: &InputKey) -> Result<(), StoreError> {
        let (channel, key) = (channel.to_owned(), key.clone());
        self.write(move |connection| delivered::forget(connection, &channel, &key)).await
    }

    async fn take_up(&self, channel: &str) -> Result<TakenUp, StoreError> {
        let channel = channel.to_owned();
        self.write(move |connection| delivered::take_up(connection, &channel)).await
    }

    async fn signing_key(&self) -> Result<SigningKey, StoreError> {
        SigningKey::beside(&self.file)
    }
}
