//! Two processes on one store: work is done once, and each sees what the other does.

use turnwise_core::{Event, Phase, RunEvent, RunStatus, StepId, StepState};

use super::*;
use crate::store::Recorded;

async fn executing(world: &World, steps: &str) -> Session {
    let session = world.open().await;
    say(&session, steps).await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    session
}

#[tokio::test(start_paused = true)]
async fn a_step_that_another_process_runs_is_left_to_it() {
    let one = World::new();
    let session = executing(&one, "plan hold").await;
    one.peer.held(1).await;
    let other = one.another();
    let watching = other.open().await;
    assert_eq!(watching.conversation().phase(), Phase::Executing);
    // Long past the first lease by the machine's time: heartbeats have renewed it.
    for _ in 0..10 {
        one.clock.advance(2_000);
        tokio::time::advance(Duration::from_secs(2)).await;
        tokio::task::yield_now().await;
    }
    one.peer.gate.add_permits(1);
    when(&session, |state| state.phase() == Phase::Idle).await;
    let seen = when(&watching, |state| state.phase() == Phase::Idle).await;
    assert_eq!(seen.run().unwrap().status(), RunStatus::Completed);
    assert_eq!(other.peer.asked(), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_turn_of_another_process_is_seen_and_a_stale_state_is_no_obstacle() {
    let one = World::new();
    let session = one.open().await;
    say(&session, "hello").await;
    let other = one.another();
    let watching = other.open().await;
    let before = watching.conversation().sequence();
    let mut feed = watching.events(before);
    let said = say(&session, "hello again").await;
    assert_eq!(feed.next().await.unwrap().sequence, said.first);
    // Both speak without having seen each other: both get through, one after the other.
    let person = ada();
    let (left, right) = tokio::join!(
        session.say(&person, "left", Session::new_key()),
        watching.say(&person, "right", Session::new_key())
    );
    assert_ne!(left.unwrap().first, right.unwrap().first);
}

#[tokio::test(start_paused = true)]
async fn a_stop_in_one_window_cancels_the_step_in_the_other() {
    let one = World::new();
    let session = executing(&one, "plan hold").await;
    one.peer.held(1).await;
    let other = one.another();
    other.open().await.stop(&ada(), Session::new_key()).await.unwrap();
    when(&session, |state| state.phase() == Phase::Idle).await;
    one.driver.shared.tasks.close();
    one.driver.shared.tasks.wait().await;
    assert_eq!(one.peer.asked().last().unwrap(), "cancelled hold");
}

#[tokio::test(start_paused = true)]
async fn work_given_back_at_shutdown_goes_on_at_once_elsewhere() {
    let one = World::new();
    let session = executing(&one, "plan hold").await;
    one.peer.held(1).await;
    let at_shutdown = session.conversation().sequence();
    let other = one.another();
    one.driver.shutdown().await.unwrap();
    drop(session);
    assert_eq!(one.peer.asked().last().unwrap(), "cancelled hold");
    let stored = other.store.events_after(&ConversationId::new("c"), at_shutdown).await.unwrap();
    assert_eq!(stored, Vec::new(), "cancelling for a shutdown is not reported");
    let session = other.open().await;
    other.peer.held(1).await;
    other.peer.gate.add_permits(1);
    let end = when(&session, |state| state.phase() == Phase::Idle).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
}

#[tokio::test(start_paused = true)]
async fn a_once_only_step_of_a_dead_process_is_looked_up_and_not_run_again() {
    let one = World::new();
    let session = executing(&one, "plan once").await;
    one.peer.held(1).await;
    let clock = one.clock.clone();
    let other = one.another();
    drop((session, one));
    clock.advance(limits::LEASE_MS + 1);
    let session = other.open().await;
    let end = when(&session, |state| state.phase() == Phase::Idle).await;
    assert_eq!(end.run().unwrap().state(StepId::new(1)), Some(StepState::Done));
    assert_eq!(other.peer.asked(), ["look up once#1"]);
}

#[tokio::test(start_paused = true)]
async fn an_open_window_takes_over_when_the_other_process_dies() {
    let one = World::new();
    let session = executing(&one, "plan hold").await;
    one.peer.held(1).await;
    let other = one.another();
    let watching = other.open().await;
    let clock = one.clock.clone();
    // The process ends without a word; the window that watches notices at its next heartbeat.
    drop((session, one));
    clock.advance(limits::LEASE_MS + 1);
    other.peer.gate.add_permits(1);
    let end = when(&watching, |state| state.phase() == Phase::Idle).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
    assert_eq!(other.peer.asked(), ["run hold#2"]);
}

#[tokio::test(start_paused = true)]
async fn a_process_that_stalled_past_its_lease_gives_its_work_up() {
    let one = World::new();
    let session = executing(&one, "plan hold").await;
    one.peer.held(1).await;
    let other = one.another();
    one.clock.advance(limits::LEASE_MS + 1);
    // Opening takes the expired lease; the first process learns of it at its heartbeat, and its report would be
    // refused.
    let taken = other.open().await;
    other.peer.gate.add_permits(1);
    let end = when(&taken, |state| state.phase() == Phase::Idle).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
    // Whatever the first process still brings is dropped: the step counts once, with the outcome of the second.
    one.peer.gate.add_permits(1);
    when(&session, |state| state.sequence() >= end.sequence()).await;
    one.driver.shared.tasks.close();
    one.driver.shared.tasks.wait().await;
    let history = session.history().await.unwrap();
    let completed = |one: &&Recorded| matches!(one.event, Event::Run(RunEvent::StepCompleted { .. }));
    assert_eq!(history.iter().filter(completed).count(), 1);
    assert_eq!(other.peer.asked(), ["run hold#2"]);
}

/// Two processes take inputs for one conversation at the same time: each input counts once, in one order that both see,
/// and what is decided is done by one of them.
#[tokio::test(start_paused = true)]
async fn two_workers_one_conversation_single_writer() {
    let one = World::new();
    let other = one.another();
    let (left, right) = (one.open().await, other.open().await);
    let talk = |session: Session, name: &'static str| async move {
        for number in 0..10 {
            say(&session, &format!("{name} {number}")).await;
        }
    };
    tokio::join!(talk(left.clone(), "left"), talk(right.clone(), "right"));
    say(&left, "plan a").await;
    let reference = |state: &Arc<Conversation>| state.question().map(turnwise_core::Pending::reference);
    let waiting = when(&right, |state| reference(state).is_some()).await;
    let approve = |session: Session| async move {
        let verdict = turnwise_core::Verdict::Approve;
        session
            .decide(&ada(), reference(&waiting).unwrap(), verdict, Session::new_key())
            .await
            .unwrap()
            .receipt
            .unwrap()
    };
    let approve_other = approve.clone();
    let (first, second) = tokio::join!(approve(left.clone()), approve_other(right.clone()));
    let applied = [first.outcome, second.outcome].iter().filter(|one| **one == turnwise_core::Outcome::Applied).count();
    assert_eq!(applied, 1, "{first:?} {second:?}");
    when(&left, |state| state.phase() == Phase::Idle && !state.is_busy()).await;
    let history = right.history().await.unwrap();
    let numbers: Vec<u64> = history.iter().map(|one| one.sequence.number()).collect();
    assert_eq!(numbers, (1..=history.len() as u64).collect::<Vec<_>>(), "one log without a gap or a fork");
    let messages = history.iter().filter(|one| matches!(one.event, Event::MessageReceived { .. })).count();
    assert_eq!(messages, 23);
    let runs = |world: &World| world.peer.asked().iter().filter(|asked| asked.starts_with("run ")).count();
    assert_eq!(runs(&one) + runs(&other), 1);
}
