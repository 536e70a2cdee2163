//! Stores: where conversations are kept. One trait, two stores (memory and SQLite), one contract suite for both.
//!
//! A turn is stored whole or not at all: its events, the result its input is answered with when it comes again, and the
//! work it asks for, in one transaction that checks that nobody else was faster. Next: `record` for what is stored,
//! `memory` for the semantics in the plainest form, `sqlite` for the durable one.

#[cfg(test)]
mod contract;
mod error;
mod key;
pub mod limits;
mod listing;
pub mod memory;
mod record;
pub mod sqlite;

use async_trait::async_trait;
use turnwise_core::{ConversationId, InputKey, Sequence, Timestamp};

pub use error::StoreError;
pub use key::SigningKey;
pub use listing::{Listing, Over, Place, Questions};
pub use memory::MemoryStore;
pub use record::{
    Abandoned, Changes, Claim, Claimed, Committed, Deleted, Delivery, Fence, Held, Loaded, Owner, Position, Recorded,
    Reported, Summary, TakenUp, Turn, TurnResult,
};
pub use sqlite::SqliteStore;

/// A store of conversations. Several drivers, in one process or many, may share one; the version check and the leases
/// keep them apart.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// Stores one turn, or says why not; durable when this returns.
    async fn commit(&self, turn: Turn) -> Result<Committed, StoreError>;

    /// Everything needed to rebuild a conversation; `None` when there is none of that id.
    async fn load(&self, id: &ConversationId) -> Result<Option<Loaded>, StoreError>;

    /// Events of a conversation after `after`, in order, at most [`limits::EVENTS_PAGE`]; ask again after the last one
    /// for more.
    async fn events_after(&self, id: &ConversationId, after: Sequence) -> Result<Vec<Recorded>, StoreError>;

    /// The conversations that are wanted, latest activity first, at most [`limits::LISTED_MAX`]; ask again after the
    /// place of the last one for more.
    async fn conversations(&self, wanted: &Listing) -> Result<Vec<Summary>, StoreError>;

    /// The ids of all conversations after `after`, in their own order, at most [`limits::IDS_PAGE`]: for looking for
    /// one by something that the store cannot look for. Unlike a list, it keeps its order while conversations go on.
    async fn ids(&self, after: Option<&ConversationId>) -> Result<Vec<ConversationId>, StoreError>;

    /// The conversations at rest that had no turn since `before`, longest ago first, at most [`limits::LISTED_MAX`].
    /// Something may wait in them all the same.
    async fn quiet_since(&self, before: Timestamp) -> Result<Vec<Summary>, StoreError>;

    /// Takes over work that nobody holds, whose holder has let its lease run out, or that the claimant itself holds (it
    /// asks for that only when it does not perform it). Nothing is granted when the
    /// conversation has moved past `claim.expected`: the claimant's picture of what is outstanding is then stale.
    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError>;

    /// Work that nobody holds at `now`, because it was given back or its lease has run out, by the ids of its
    /// conversations; of those after `after`, and at most [`limits::ABANDONED_PAGE`] pieces of it.
    async fn abandoned(&self, now: Timestamp, after: Option<&ConversationId>) -> Result<Vec<Abandoned>, StoreError>;

    /// Extends all leases of `owner` to `until` and says which work it still holds; what is missing was taken over.
    async fn renew(&self, owner: &Owner, until: Timestamp) -> Result<Vec<Held>, StoreError>;

    /// Gives all leases of `owner` back, so that others need not wait for them to run out.
    async fn release(&self, owner: &Owner) -> Result<(), StoreError>;

    /// Forgets a conversation, its log and its keys for good; not while its work is held under a lease that runs.
    async fn delete(&self, id: &ConversationId, now: Timestamp) -> Result<Deleted, StoreError>;

    /// Which of `ids` are not there any more, for noticing what other processes deleted.
    async fn missing(&self, ids: Vec<ConversationId>) -> Result<Vec<ConversationId>, StoreError>;

    /// The conversations that grew after `after`, for noticing turns of other processes.
    async fn changes(&self, after: Position) -> Result<Changes, StoreError>;

    /// Where the store stands now; [`Store::changes`] after it gives only what is new.
    async fn position(&self) -> Result<Position, StoreError>;

    /// Keeps what a channel was delivered until it is taken in; durable when this returns. What came under the same key
    /// before and is still kept stays as it is.
    async fn keep(&self, delivery: Delivery) -> Result<(), StoreError>;

    /// Forgets a delivery that was taken in.
    async fn forget_delivery(&self, channel: &str, key: &InputKey) -> Result<(), StoreError>;

    /// The deliveries of `channel` that are kept, in the order they came, for a process that begins. Another process
    /// may be taking them in: the keys of inputs see to it that it happens once. What was taken up
    /// [`limits::TAKEN_UP_MAX`] times is given up, because it may be what ends the process.
    async fn take_up(&self, channel: &str) -> Result<TakenUp, StoreError>;

    /// The key that references to this store's questions are signed with: the same for all who share the store, made on
    /// first use.
    async fn signing_key(&self) -> Result<SigningKey, StoreError>;
}
