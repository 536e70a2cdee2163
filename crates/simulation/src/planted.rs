//! Bugs planted on purpose, to see that the simulation finds them. None of them is a switch in the product: each is a
//! part that breaks a promise the rest relies on, put where the honest part stands. A store that does not check
//! versions is what a driver would be that did not ask for it; a surface that renames what was clicked is what a core
//! would be that took old clicks for new ones. Next: `tests/simulation.rs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use turnwise::store::{
    Abandoned, Changes, Claim, Claimed, Committed, Deleted, Delivery, Fence, Held, Listing, Loaded, MemoryStore, Owner,
    Position, Recorded, SigningKey, Store, StoreError, Summary, TakenUp, Turn,
};
use turnwise_core::{ConversationId, Effect, InputBody, InputKey, Sequence, Timestamp};

/// A bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planted {
    /// A turn is stored wherever the log ends by now, though it was decided on an older state.
    SkipVersionCheck,
    /// Steps begin while the turn that starts them is still on its way into the store.
    PerformBeforeCommit,
    /// Claims are not counted, so work that was taken over looks like work that nobody had, and every report counts.
    DropFence,
    /// A click on an old card counts as a click on the current one.
    AcceptOldUiVersion,
    /// Nothing is remembered of inputs that were here before.
    ForgetDedupe,
    /// What is sent again after its answer was lost comes under a key that nobody knows.
    ForgetDeliveryKey,
}

impl Planted {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::SkipVersionCheck,
        Self::PerformBeforeCommit,
        Self::DropFence,
        Self::AcceptOldUiVersion,
        Self::ForgetDedupe,
        Self::ForgetDeliveryKey,
    ];

    /// What the careless surface hands on.
    pub(crate) fn hand_on(self, body: InputBody, current: Option<turnwise_core::DecisionRef>) -> InputBody {
        match (self, body, current) {
            (Self::AcceptOldUiVersion, InputBody::Decide { person, verdict, .. }, Some(reference)) => {
                InputBody::Decide { person, reference, verdict }
            }
            (_, body, _) => body,
        }
    }
}

/// A store that breaks one promise.
pub(crate) struct Careless {
    store: Arc<MemoryStore>,
    bug: Planted,
    commits: AtomicU64,
}

impl Careless {
    pub(crate) fn new(store: Arc<MemoryStore>, bug: Planted) -> Self {
        Self { store, bug, commits: AtomicU64::new(0) }
    }

    /// Where the log ends: the store holds one conversation only.
    async fn last(&self) -> Result<Sequence, StoreError> {
        Ok(Sequence::new(self.store.position().await?.number()))
    }
}

#[async_trait]
impl Store for Careless {
    async fn commit(&self, mut turn: Turn) -> Result<Committed, StoreError> {
        match self.bug {
            Planted::SkipVersionCheck => turn.expected = self.last().await?,
            Planted::PerformBeforeCommit => {
                if turn.started.iter().any(|effect| matches!(effect, Effect::StartStep { .. })) {
                    let store = Arc::clone(&self.store);
                    tokio::spawn(async move {
                        tokio::time::sleep(Duration::from_millis(WRITE_BEHIND_MS)).await;
                        store.commit(turn).await
                    });
                    return Ok(Committed::Stored);
                }
            }
            Planted::DropFence => turn.reported = None,
            Planted::ForgetDedupe => {
                let number = self.commits.fetch_add(1, Ordering::Relaxed);
                turn.keys = vec![InputKey::new(format!("forgotten:{number}"))];
            }
            Planted::AcceptOldUiVersion | Planted::ForgetDeliveryKey => {}
        }
        self.store.commit(turn).await
    }
    async fn load(&self, id: &ConversationId) -> Result<Option<Loaded>, StoreError> {
        self.store.load(id).await
    }
    async fn events_after(&self, id: &ConversationId, after: Sequence) -> Result<Vec<Recorded>, StoreError> {
        self.store.events_after(id, after).await
    }
    async fn conversations(&self, wanted: &Listing) -> Result<Vec<Summary>, StoreError> {
        self.store.conversations(wanted).await
    }
    async fn ids(&self, after: Option<&ConversationId>) -> Result<Vec<ConversationId>, StoreError> {
        self.store.ids(after).await
    }
    async fn abandoned(&self, now: Timestamp, after: Option<&ConversationId>) -> Result<Vec<Abandoned>, StoreError> {
        self.store.abandoned(now, after).await
    }
    async fn quiet_since(&self, before: Timestamp) -> Result<Vec<Summary>, StoreError> {
        self.store.quiet_since(before).await
    }
    async fn keep(&self, delivery: Delivery) -> Result<(), StoreError> {
        self.store.keep(delivery).await
    }
    async fn forget_delivery(&self, channel: &str, key: &InputKey) -> Result<(), StoreError> {
        self.store.forget_delivery(channel, key).await
    }
    async fn take_up(&self, channel: &str) -> Result<TakenUp, StoreError> {
        self.store.take_up(channel).await
    }
    async fn missing(&self, ids: Vec<ConversationId>) -> Result<Vec<ConversationId>, StoreError> {
        self.store.missing(ids).await
    }
    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        let claimed = self.store.claim(claim).await?;
        Ok(match claimed {
            Claimed::Granted(mut granted) if self.bug == Planted::DropFence => {
                for work in &mut granted {
                    work.fence = Fence::FIRST;
                }
                Claimed::Granted(granted)
            }
            Claimed::Granted(granted) => Claimed::Granted(granted),
            Claimed::Conflict => Claimed::Conflict,
        })
    }
    async fn renew(&self, owner: &Owner, until: Timestamp) -> Result<Vec<Held>, StoreError> {
        let mut held = self.store.renew(owner, until).await?;
        if self.bug == Planted::DropFence {
            for work in &mut held {
                work.fence = Fence::FIRST;
            }
        }
        Ok(held)
    }
    async fn release(&self, owner: &Owner) -> Result<(), StoreError> {
        self.store.release(owner).await
    }
    async fn delete(&self, id: &ConversationId, now: Timestamp) -> Result<Deleted, StoreError> {
        self.store.delete(id, now).await
    }
    async fn changes(&self, after: Position) -> Result<Changes, StoreError> {
        self.store.changes(after).await
    }
    async fn position(&self) -> Result<Position, StoreError> {
        self.store.position().await
    }
    async fn signing_key(&self) -> Result<SigningKey, StoreError> {
        self.store.signing_key().await
    }
}

/// Milliseconds by which the write-behind store is behind.
const WRITE_BEHIND_MS: u64 = 50;
