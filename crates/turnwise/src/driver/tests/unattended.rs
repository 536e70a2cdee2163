//! Work of conversations that nobody has open, taken up by a process that looks after such work.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use async_trait::async_trait;
use turnwise_core::{Phase, RunStatus};

use super::*;

/// Where the assistants of a process come from: there is one, unless its data is gone.
struct Known {
    peer: Arc<Peer>,
    is_gone: AtomicBool,
    asked: AtomicUsize,
    told: Mutex<Vec<String>>,
    news: watch::Sender<usize>,
}

impl Known {
    fn new(peer: &Arc<Peer>) -> Arc<Self> {
        let news = watch::Sender::new(0);
        let (is_gone, asked, told) = (AtomicBool::new(false), AtomicUsize::new(0), Mutex::default());
        Arc::new(Self { peer: peer.clone(), is_gone, asked, told, news })
    }

    fn told(&self) -> Vec<String> {
        self.told.lock().unwrap().clone()
    }

    /// Waits until so many conversations were told to be left alone.
    async fn has_told(&self, count: usize) {
        self.news.subscribe().wait_for(|told| *told >= count).await.unwrap();
    }
}

#[async_trait]
impl Assistants for Known {
    async fn of(&self, begun: &Begun) -> Result<Arc<dyn Assistant>, String> {
        assert_eq!(begun.assistant.as_str(), "peer");
        self.asked.fetch_add(1, SeqCst);
        if self.is_gone.load(SeqCst) { Err("its data is gone".to_owned()) } else { Ok(self.peer.clone()) }
    }

    fn left_alone(&self, conversation: &ConversationId, why: &str) {
        self.told.lock().unwrap().push(format!("{conversation}: {why}"));
        self.news.send_modify(|told| *told += 1);
    }
}

/// A process that ended in the middle of a step, and a moment at which its claim on it has run out.
async fn left_in_the_middle() -> World {
    let first = World::new();
    let session = first.open().await;
    say(&session, "plan hold b").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    first.peer.held(1).await;
    let next = first.another();
    drop((session, first));
    next.clock.advance(limits::LEASE_MS + 1);
    next
}

/// Lets so many beats go by.
async fn beats(count: u64) {
    for _ in 0..count {
        tokio::time::advance(Duration::from_millis(limits::HEARTBEAT_MS)).await;
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn work_left_by_a_process_that_ended_is_done_though_nobody_opens_the_conversation() {
    let world = left_in_the_middle().await;
    world.driver.look_after(Known::new(&world.peer));
    world.peer.held(1).await;
    world.peer.gate.add_permits(1);
    // Opened only now, to see how it ended: nothing of it waits for that.
    let session = world.open().await;
    let end = when(&session, |state| state.phase() == Phase::Idle && !state.is_busy()).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
    assert_eq!(world.peer.asked(), ["run hold#2", "run b#1"], "nothing is done twice");
}

#[tokio::test(start_paused = true)]
async fn work_that_another_process_holds_is_left_to_it() {
    let first = World::new();
    let session = first.open().await;
    say(&session, "plan hold").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    first.peer.held(1).await;
    let second = first.another();
    let known = Known::new(&second.peer);
    second.driver.look_after(known.clone());
    beats(3).await;
    assert_eq!(known.asked.load(SeqCst), 0);
    first.peer.gate.add_permits(1);
    when(&session, |state| state.phase() == Phase::Idle && !state.is_busy()).await;
    assert_eq!(second.peer.asked(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn of_two_processes_that_find_the_same_work_one_does_it() {
    let one = left_in_the_middle().await;
    let other = one.another();
    one.driver.look_after(Known::new(&one.peer));
    other.driver.look_after(Known::new(&other.peer));
    let began = async |world: &World| world.peer.held(1).await;
    tokio::select! {
        () = began(&one) => {}
        () = began(&other) => {}
    }
    one.peer.gate.add_permits(1);
    other.peer.gate.add_permits(1);
    let session = one.open().await;
    when(&session, |state| state.phase() == Phase::Idle && !state.is_busy()).await;
    let mut asked = [one.peer.asked(), other.peer.asked()].concat();
    asked.sort();
    assert_eq!(asked, ["run b#1", "run hold#2"]);
}

#[tokio::test(start_paused = true)]
async fn a_conversation_whose_data_is_gone_is_told_once_and_goes_on_when_it_is_back() {
    let world = left_in_the_middle().await;
    let known = Known::new(&world.peer);
    known.is_gone.store(true, SeqCst);
    world.driver.look_after(known.clone());
    known.has_told(1).await;
    beats(5).await;
    assert_eq!(known.told(), ["c: its data is gone"]);
    assert_eq!(known.asked.load(SeqCst), 1, "what failed is not tried again with every beat");
    world.clock.advance(limits::LEFT_AGAIN_MS);
    beats(2).await;
    assert_eq!((known.told().len(), known.asked.load(SeqCst)), (1, 2), "tried again, and told no second time");
    known.is_gone.store(false, SeqCst);
    world.clock.advance(limits::LEFT_AGAIN_MS);
    world.peer.held(1).await;
}

/// What ends every process that takes it up must not end the next one, too.
#[tokio::test(start_paused = true)]
async fn work_that_never_comes_to_an_end_waits_for_a_person() {
    let mut world = World::new();
    let session = world.open().await;
    say(&session, "plan never").await;
    drop(session);
    for _ in 0..limits::UNATTENDED_CLAIMS_MAX {
        let next = world.another();
        drop(std::mem::replace(&mut world, next));
        world.clock.advance(limits::LEASE_MS + 1);
        let known = Known::new(&world.peer);
        world.driver.look_after(known.clone());
        beats(1).await;
        assert_eq!(world.peer.asked(), ["draft plan never"]);
        assert_eq!(known.told(), Vec::<String>::new());
    }
    let next = world.another();
    drop(std::mem::replace(&mut world, next));
    world.clock.advance(limits::LEASE_MS + 1);
    let known = Known::new(&world.peer);
    world.driver.look_after(known.clone());
    known.has_told(1).await;
    assert!(known.told()[0].contains("again and again"), "{:?}", known.told());
    assert_eq!(world.peer.asked(), Vec::<String>::new());
    let session = world.open().await;
    say(&session, "stop").await;
    assert_eq!(session.conversation().phase(), Phase::Idle);
}
