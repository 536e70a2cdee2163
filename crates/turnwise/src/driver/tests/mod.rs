//! The driver with real stores and the real core. The assistant is a scripted peer: it does what its words say, waits
//! where a test holds it, and counts what it was asked.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod crash;
mod decisions;
mod opening;
mod peer;
mod replicas;
mod turns;
mod unattended;

use std::sync::Arc;

use tokio::sync::watch;
use turnwise_core::{Conversation, ConversationId, PersonId, Timestamp};

use super::*;
use crate::store::{MemoryStore, Store};
use peer::Peer;

/// Everything one process has.
struct World {
    store: Arc<dyn Store>,
    clock: Arc<ManualClock>,
    peer: Arc<Peer>,
    driver: Driver,
}

impl World {
    fn new() -> Self {
        Self::over(Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(Timestamp::from_millis(1_000))))
    }

    fn over(store: Arc<dyn Store>, clock: Arc<ManualClock>) -> Self {
        let driver = Driver::new(store.clone(), clock.clone());
        Self { store, clock, peer: Arc::new(Peer::default()), driver }
    }

    /// Another process on the same store.
    fn another(&self) -> Self {
        Self::over(self.store.clone(), self.clock.clone())
    }

    async fn open(&self) -> Session {
        self.driver.open(ConversationId::new("c"), self.peer.clone()).await.unwrap()
    }
}

fn ada() -> PersonId {
    PersonId::new("ada")
}

async fn say(session: &Session, text: &str) -> TurnResult {
    session.say(&ada(), text, Session::new_key()).await.unwrap()
}

/// The conversation once it is as `wanted`.
async fn when(session: &Session, wanted: impl FnMut(&Arc<Conversation>) -> bool) -> Arc<Conversation> {
    let mut state: watch::Receiver<Arc<Conversation>> = session.state();
    let state = state.wait_for(wanted).await.unwrap();
    Arc::clone(&state)
}
