//! The line between a process and the store: slow, broken, cut, or dead in the middle. Everything a network and a
//! disk can do to a caller, and nothing that a store must never do (for that, see `planted`). Next: `planted`.

use std::future::Future;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use turnwise::store::{
    Abandoned, Changes, Claim, Claimed, Committed, Deleted, Delivery, Held, Listing, Loaded, Owner, Position, Recorded,
    SigningKey, Store, StoreError, Summary, TakenUp, Turn,
};
use turnwise_core::{ConversationId, InputKey, Sequence, Timestamp};

use crate::process::Process;
use crate::world::World;

/// One process's way to the store.
pub(crate) struct Line {
    process: Arc<Process>,
    world: Arc<World>,
}

/// What happens to one call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Well,
    /// It never reaches the store, and the caller is told.
    FailsBefore,
    /// It is done, but the caller is told that it failed.
    FailsAfter,
    /// The process dies before it reaches the store.
    DiesBefore,
    /// It is done, and the process dies without hearing of it.
    DiesAfter,
}

impl Line {
    pub(crate) fn new(process: Arc<Process>, world: Arc<World>) -> Self {
        Self { process, world }
    }

    fn fate(&self) -> Fate {
        if !self.world.has_faults() {
            return Fate::Well;
        }
        self.world.store_chance.weighted(&[
            (self.world.calm, Fate::Well),
            (12, Fate::FailsBefore),
            (12, Fate::FailsAfter),
            (6, Fate::DiesBefore),
            (6, Fate::DiesAfter),
        ])
    }

    /// Mostly a few milliseconds, sometimes long, rarely longer than a lease holds.
    async fn delay(&self) {
        if !self.world.has_faults() {
            return;
        }
        let chance = &self.world.store_chance;
        let milliseconds =
            chance.weighted(&[(60, 0), (30, chance.below(8)), (8, chance.below(300)), (1, chance.below(8_000))]);
        if milliseconds > 0 {
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
        }
    }

    async fn call<T>(&self, what: &str, call: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let (number, watch) = (self.process.number, &self.world.watch);
        self.process.alive().await;
        self.delay().await;
        self.process.alive().await;
        let fate = self.fate();
        match fate {
            Fate::FailsBefore => {
                watch.fault(|| format!("{what} of process {number} fails"));
                return Err(StoreError::Busy(PathBuf::from("simulated")));
            }
            Fate::DiesBefore => self.die(what, "before").await,
            Fate::Well | Fate::FailsAfter | Fate::DiesAfter => {}
        }
        let done = call.await;
        watch.look().await;
        match fate {
            Fate::FailsAfter => {
                watch.fault(|| format!("{what} of process {number} is done, but it is told that it failed"));
                return Err(StoreError::Busy(PathBuf::from("simulated")));
            }
            Fate::DiesAfter => self.die(what, "after").await,
            Fate::Well | Fate::FailsBefore | Fate::DiesBefore => {}
        }
        self.delay().await;
        self.process.alive().await;
        done
    }

    async fn die(&self, what: &str, when: &str) {
        self.world.watch.fault(|| format!("process {} dies {when} its {what}", self.process.number));
        self.process.die();
        self.process.alive().await;
    }
}

#[async_trait]
impl Store for Line {
    async fn commit(&self, turn: Turn) -> Result<Committed, StoreError> {
        self.call("commit", self.world.store.commit(turn)).await
    }
    async fn load(&self, id: &ConversationId) -> Result<Option<Loaded>, StoreError> {
        self.call("load", self.world.store.load(id)).await
    }
    async fn events_after(&self, id: &ConversationId, after: Sequence) -> Result<Vec<Recorded>, StoreError> {
        self.call("read", self.world.store.events_after(id, after)).await
    }
    async fn conversations(&self, wanted: &Listing) -> Result<Vec<Summary>, StoreError> {
        self.call("list", self.world.store.conversations(wanted)).await
    }
    async fn ids(&self, after: Option<&ConversationId>) -> Result<Vec<ConversationId>, StoreError> {
        self.call("list", self.world.store.ids(after)).await
    }
    async fn abandoned(&self, now: Timestamp, after: Option<&ConversationId>) -> Result<Vec<Abandoned>, StoreError> {
        self.call("list", self.world.store.abandoned(now, after)).await
    }
    async fn quiet_since(&self, before: Timestamp) -> Result<Vec<Summary>, StoreError> {
        self.call("list", self.world.store.quiet_since(before)).await
    }
    async fn missing(&self, ids: Vec<ConversationId>) -> Result<Vec<ConversationId>, StoreError> {
        self.call("list", self.world.store.missing(ids)).await
    }
    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        self.call("claim", self.world.store.claim(claim)).await
    }
    async fn keep(&self, delivery: Delivery) -> Result<(), StoreError> {
        self.call("keep", self.world.store.keep(delivery)).await
    }
    async fn forget_delivery(&self, channel: &str, key: &InputKey) -> Result<(), StoreError> {
        self.call("keep", self.world.store.forget_delivery(channel, key)).await
    }
    async fn take_up(&self, channel: &str) -> Result<TakenUp, StoreError> {
        self.call("keep", self.world.store.take_up(channel)).await
    }
    async fn renew(&self, owner: &Owner, until: Timestamp) -> Result<Vec<Held>, StoreError> {
        self.call("renewal", self.world.store.renew(owner, until)).await
    }
    async fn release(&self, owner: &Owner) -> Result<(), StoreError> {
        self.call("release", self.world.store.release(owner)).await
    }
    async fn delete(&self, id: &ConversationId, now: Timestamp) -> Result<Deleted, StoreError> {
        self.call("deletion", self.world.store.delete(id, now)).await
    }
    async fn changes(&self, after: Position) -> Result<Changes, StoreError> {
        self.call("look", self.world.store.changes(after)).await
    }
    async fn position(&self) -> Result<Position, StoreError> {
        self.call("look", self.world.store.position()).await
    }
    async fn signing_key(&self) -> Result<SigningKey, StoreError> {
        self.call("look", self.world.store.signing_key()).await
    }
}
