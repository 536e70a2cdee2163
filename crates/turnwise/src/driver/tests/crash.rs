//! A process that ends at any moment: the next one goes on to the same end.

use std::collections::BTreeMap;

use async_trait::async_trait;
use tokio::sync::Notify;
use turnwise_core::{FactValue, Flow, InputKey, Phase, Policy, Receipt, RunStatus, Sequence};

use super::*;
use crate::store::{
    Abandoned, Changes, Claim, Claimed, Committed, Deleted, Delivery, Held, Listing, Loaded, Owner, Position, Recorded,
    SigningKey, SqliteStore, StoreError, Summary, TakenUp, Turn,
};

/// A store that does something after a number of commits.
pub(super) struct Dying {
    store: Arc<dyn Store>,
    left: std::sync::atomic::AtomicUsize,
    then: Then,
    died: Notify,
    /// A load that is held says so here…
    pub(super) loading: Notify,
    /// …and goes on with this.
    pub(super) go_on: Notify,
}

#[derive(Clone, Copy, PartialEq)]
enum Then {
    /// Its process ends: the last commit is stored, but nobody hears of it.
    Dies,
    /// It does not store the last one, says that it never will, and works again.
    RefusesOnce,
    /// Every commit is stored a while before anyone hears of it.
    Lingers,
    /// Nothing, but the conversation `slow` is not loaded before a test lets it.
    LoadsSlowly,
}

impl Dying {
    fn new(store: Arc<dyn Store>, commits: usize) -> Self {
        let (died, loading, go_on) = (Notify::new(), Notify::new(), Notify::new());
        Self { store, left: commits.into(), then: Then::Dies, died, loading, go_on }
    }

    pub(super) fn loading_slowly(store: Arc<dyn Store>) -> Self {
        Self { then: Then::LoadsSlowly, ..Self::new(store, usize::MAX) }
    }
}

#[async_trait]
impl Store for Dying {
    async fn commit(&self, turn: Turn) -> Result<Committed, StoreError> {
        use std::sync::atomic::Ordering::SeqCst;
        if self.then == Then::Lingers {
            let committed = self.store.commit(turn).await;
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            return committed;
        }
        let left = self.left.load(SeqCst);
        if left == 0 {
            return std::future::pending().await;
        }
        if left == 1 && self.then == Then::RefusesOnce {
            self.left.store(usize::MAX, SeqCst);
            return Err(StoreError::Closed);
        }
        let committed = self.store.commit(turn).await;
        self.left.store(left - 1, SeqCst);
        if left == 1 {
            self.died.notify_one();
            return std::future::pending().await;
        }
        committed
    }
    async fn load(&self, id: &ConversationId) -> Result<Option<Loaded>, StoreError> {
        if self.then == Then::LoadsSlowly && id.as_str() == "slow" {
            self.loading.notify_one();
            self.go_on.notified().await;
        }
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

    async fn missing(&self, ids: Vec<ConversationId>) -> Result<Vec<ConversationId>, StoreError> {
        self.store.missing(ids).await
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        self.store.claim(claim).await
    }
    /// Dead processes renew nothing.
    async fn renew(&self, owner: &Owner, until: Timestamp) -> Result<Vec<Held>, StoreError> {
        match self.then {
            Then::Dies => std::future::pending().await,
            Then::RefusesOnce | Then::Lingers | Then::LoadsSlowly => self.store.renew(owner, until).await,
        }
    }
    async fn release(&self, _: &Owner) -> Result<(), StoreError> {
        std::future::pending().await
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
    async fn keep(&self, delivery: Delivery) -> Result<(), StoreError> {
        self.store.keep(delivery).await
    }
    async fn forget_delivery(&self, channel: &str, key: &InputKey) -> Result<(), StoreError> {
        self.store.forget_delivery(channel, key).await
    }
    async fn take_up(&self, channel: &str) -> Result<TakenUp, StoreError> {
        self.store.take_up(channel).await
    }
    async fn signing_key(&self) -> Result<SigningKey, StoreError> {
        self.store.signing_key().await
    }
}

/// What matters of an end, apart from how often something was tried.
#[derive(Debug, PartialEq)]
struct End {
    phase: Phase,
    status: Option<RunStatus>,
    facts: BTreeMap<String, FactValue>,
    receipts: Vec<Receipt>,
    pending: usize,
}

fn end(state: &Arc<Conversation>) -> End {
    let facts = state.facts().iter();
    End {
        phase: state.phase(),
        status: state.run().map(turnwise_core::Run::status),
        facts: facts.map(|(name, fact)| (name.to_string(), fact.body.value.clone())).collect(),
        // When they were given differs: a crash takes time.
        receipts: state.receipts().map(|receipt| Receipt { by: None, ..receipt.clone() }).collect(),
        pending: state.pending().len(),
    }
}

/// What the person does, and when: the same keys each time, as a surface that was not told resends them.
async fn converse(session: &Session) -> Arc<Conversation> {
    let says = |key: &'static str, text: &'static str| async move {
        session.say(&ada(), text, InputKey::new(key)).await.unwrap()
    };
    says("1", "plan a! b! tricky c").await;
    when(session, |state| state.phase() == Phase::AwaitingApproval || state.run().is_some()).await;
    says("2", "yes").await;
    let ended = |state: &Arc<Conversation>| state.run().is_some_and(|run| run.status() == RunStatus::Completed);
    when(session, ended).await;
    says("3", "what was it?").await;
    when(session, |state| !state.is_busy() && state.receipts().count() == 3).await
}

async fn every_crash_ends_the_same(open: impl Fn() -> (Arc<dyn Store>, Option<tempfile::TempDir>)) {
    let clock = || Arc::new(ManualClock::at(Timestamp::from_millis(1_000)));
    let (store, _keep) = open();
    let calm = World::over(store, clock());
    let expected = end(&converse(&calm.open().await).await);
    assert_eq!(expected.status, Some(RunStatus::Completed));
    for commits in 1.. {
        let (store, _keep) = open();
        let clock = clock();
        let dying = Arc::new(Dying::new(store.clone(), commits));
        let first = World::over(dying.clone(), clock.clone());
        let session = first.open().await;
        let survived = tokio::select! {
            biased;
            () = dying.died.notified() => false,
            last = converse(&session) => {
                assert_eq!(end(&last), expected);
                true
            }
        };
        drop((session, first));
        if survived {
            assert!(commits > 10, "there were commits to die after");
            return;
        }
        clock.advance(limits::LEASE_MS + 1);
        let second = World::over(store, clock);
        let reached = end(&converse(&second.open().await).await);
        assert_eq!(reached, expected, "after a crash behind commit {commits}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_crash_after_any_commit_ends_the_same_in_memory() {
    every_crash_ends_the_same(|| (Arc::new(MemoryStore::new()), None)).await;
}

#[tokio::test]
async fn a_crash_after_any_commit_ends_the_same_on_disk() {
    every_crash_ends_the_same(|| {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("turnwise.db")).unwrap();
        (Arc::new(store), Some(folder))
    })
    .await;
}

/// The approval is durable, and the process dies before anyone hears of it and before the step it allows begins: the
/// surface sends it again, it counts once, and the step is run by the next process.
#[tokio::test(start_paused = true)]
async fn crash_between_accept_and_first_write_not_lost() {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(Timestamp::from_millis(1_000))));
    let dying = Arc::new(Dying::new(store.clone(), 3));
    let first = World::over(dying.clone(), clock.clone());
    let session = first.open().await;
    say(&session, "plan a").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    let (person, approval) = (ada(), || InputKey::new("approval"));
    tokio::select! {
        biased;
        () = dying.died.notified() => {}
        heard = session.say(&person, "yes", approval()) => panic!("nobody hears of it: {heard:?}"),
    }
    assert_eq!(first.peer.asked(), ["draft plan a"], "the step had not begun");
    drop((session, first));
    clock.advance(limits::LEASE_MS + 1);
    let second = World::over(store, clock);
    let session = second.open().await;
    let again = session.say(&person, "yes", approval()).await.unwrap();
    assert!(again.duplicate, "the approval was accepted before the crash");
    let end = when(&session, |state| state.phase() == Phase::Idle && !state.is_busy()).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
    assert_eq!(second.peer.asked(), ["run a#2"], "it may have begun, so the first attempt counts as lost");
}

/// Twelve tickets to create, after a dry run of all of them: even where everything is configured to run unasked, so
/// many effects wait for a person; nothing is created when the dry run fails; and after a crash behind the seventh,
/// whose outcome nobody heard, each has been created exactly once.
#[tokio::test(start_paused = true)]
async fn twelve_tickets_latch_dry_run_then_resume_after_crash() {
    let tickets: Vec<String> = (1..=12).map(|number| format!("o{number}")).collect();
    let peer = || {
        let policy = Policy {
            flow: Flow { plan_approval: false, ..Flow::default() },
            slots: 1,
            backoff_ms: 1,
            ..Policy::default()
        };
        Arc::new(Peer { policy, ..Peer::default() })
    };
    let world = |store, clock| World { peer: peer(), ..World::over(store, clock) };
    let created = |world: &World| -> Vec<String> {
        let asked = world.peer.asked();
        asked.iter().filter_map(|asked| asked.strip_prefix("run o")).map(|run| format!("o{run}")).collect()
    };
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(Timestamp::from_millis(1_000))));
    let first = world(store.clone(), clock.clone());
    let session = first.open().await;

    say(&session, &format!("plan panicking-dry-run {}", tickets.join(" "))).await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    let failed = when(&session, |state| state.phase() == Phase::Failed).await;
    assert_eq!(failed.run().unwrap().finished().count(), 0);
    say(&session, "stop").await;
    assert_eq!(created(&first), Vec::<String>::new(), "a dry run that fails creates nothing");

    say(&session, &format!("plan dry-run {}", tickets.join(" "))).await;
    let asked = when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    assert_eq!(asked.plan().unwrap().steps().len(), 13, "what would be created is shown, and waits");
    first.peer.gate.add_permits(6);
    say(&session, "yes").await;
    first.peer.held(7).await;
    assert_eq!(created(&first).len(), 7);
    // The seventh had its effect; the process ends before anyone hears of it.
    drop((session, first));
    clock.advance(limits::LEASE_MS + 1);

    let second = world(store, clock);
    second.peer.gate.add_permits(12);
    let session = second.open().await;
    let end = when(&session, |state| state.phase() == Phase::Idle && !state.is_busy()).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
    assert_eq!(end.run().unwrap().finished().count(), 13);
    assert_eq!(second.peer.asked()[0], "look up o7#1", "what is not known is looked up, not repeated");
    assert_eq!(created(&second), ["o8#1", "o9#1", "o10#1", "o11#1", "o12#1"]);
}

/// What is stored and not yet published is no news yet: who hears an event finds it in the state, so that whoever waits
/// for the work behind it to settle never waits for a change that they have heard of already.
#[tokio::test(start_paused = true)]
async fn nobody_hears_of_an_event_before_the_state_has_it() {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(Timestamp::from_millis(1_000))));
    let world = World::over(Arc::new(Dying { then: Then::Lingers, ..Dying::new(store, usize::MAX) }), clock);
    let session = world.open().await;
    let mut feed = session.events(Sequence::new(0));
    say(&session, "hello").await;
    let heard = async {
        loop {
            let heard = feed.next().await.unwrap().sequence;
            assert!(session.conversation().sequence() >= heard, "{heard} was heard before the state had it");
            if heard.number() > 6 {
                return;
            }
        }
    };
    tokio::join!(say(&session, "hello again"), heard);
}

/// A report that cannot be stored for good is lost with its attempt; the work is not, and what the step declares says
/// how it goes on.
#[tokio::test(start_paused = true)]
async fn work_whose_report_is_refused_for_good_is_taken_up_again() {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(ManualClock::at(Timestamp::from_millis(1_000))));
    let refusing = Arc::new(Dying { then: Then::RefusesOnce, ..Dying::new(store, 4) });
    let world = World::over(refusing, clock);
    let session = world.open().await;
    say(&session, "plan a").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    let mut trouble = world.driver.trouble();
    say(&session, "yes").await;
    trouble.wait_for(Option::is_some).await.unwrap();
    let end = when(&session, |state| state.phase() == Phase::Idle && !state.is_busy()).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
    assert_eq!(world.peer.asked(), ["draft plan a", "run a#1", "run a#2"]);
}
