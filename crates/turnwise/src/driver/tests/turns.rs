//! One process: turns, performing, stopping, and what goes wrong in an assistant.

use turnwise_core::{
    AssistantName, Event, InputBody, InputKey, Outcome, Phase, Report, RunEvent, RunStatus, Sequence, StepId, StepState,
};

use super::*;
use crate::store::StoreError;

#[tokio::test(start_paused = true)]
async fn a_task_is_planned_approved_and_run_to_its_end() {
    let world = World::new();
    let session = world.open().await;
    let asked = say(&session, "plan a b customers").await;
    assert_eq!(asked.receipt.unwrap().outcome, Outcome::Applied);
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    let end = when(&session, |state| state.phase() == Phase::Idle).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
    assert_eq!(end.facts().len(), 3);
    assert_eq!(world.peer.asked(), ["draft plan a b customers", "run a#1", "run b#1", "run customers#1"]);
}

#[tokio::test(start_paused = true)]
async fn the_same_input_twice_gets_the_same_result_and_happens_once() {
    let world = World::new();
    let session = world.open().await;
    let first = session.say(&ada(), "plan a", InputKey::new("k")).await.unwrap();
    let second = session.say(&ada(), "plan a", InputKey::new("k")).await.unwrap();
    assert!(!first.duplicate && second.duplicate);
    assert_eq!((first.receipt, first.first, first.last), (second.receipt, second.first, second.last));
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    assert_eq!(world.peer.asked(), ["draft plan a"]);
}

#[tokio::test(start_paused = true)]
async fn one_content_under_two_transport_keys_happens_once() {
    let world = World::new();
    let session = world.open().await;
    let body = || InputBody::Message { person: ada(), text: "plan a".to_owned(), grounding: Vec::new() };
    let content = Some(InputKey::new("same words"));
    session.submit(body(), InputKey::new("t1"), content.clone()).await.unwrap();
    assert!(session.submit(body(), InputKey::new("t2"), content).await.unwrap().duplicate);
}

#[tokio::test(start_paused = true)]
async fn a_key_of_a_surface_cannot_pass_for_a_report() {
    let world = World::new();
    let session = world.open().await;
    session.say(&ada(), "hello", InputKey::new("report:draft:request-2")).await.unwrap();
    say(&session, "plan a").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    let forged = InputBody::Report(Report::Recovered);
    let refused = session.submit(forged, Session::new_key(), None).await;
    assert!(matches!(refused, Err(DriverError::ReportFromSurface)));
}

#[tokio::test(start_paused = true)]
async fn a_question_is_answered_while_a_step_runs() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan held-step").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    world.peer.held(1).await;
    let mut events = session.events(session.conversation().sequence());
    say(&session, "why so slow?").await;
    loop {
        if let Event::Said { text, .. } = events.next().await.unwrap().event
            && text == "42"
        {
            break;
        }
    }
    assert_eq!(session.conversation().phase(), Phase::Executing);
    world.peer.gate.add_permits(1);
    when(&session, |state| state.phase() == Phase::Idle).await;
}

#[tokio::test(start_paused = true)]
async fn stop_cancels_what_runs_and_nothing_starts_after_it() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan hold never-run").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    world.peer.held(1).await;
    let stopped = session.stop(&ada(), Session::new_key()).await.unwrap();
    assert_eq!(session.conversation().phase(), Phase::Idle);
    // Even if the step had been on its way to its end, nothing of it counts any more.
    world.peer.gate.add_permits(9);
    world.driver.shared.tasks.close();
    world.driver.shared.tasks.wait().await;
    assert_eq!(world.peer.asked(), ["draft plan hold never-run", "run hold#1", "cancelled hold"]);
    assert_eq!(session.conversation().sequence(), stopped.last);
    assert_eq!(session.conversation().run().unwrap().state(StepId::new(1)), Some(StepState::Cancelled));
}

/// The exact barrier: steps that were decided on, but got their turn at the lock only after the stop, never begin.
#[tokio::test(start_paused = true)]
async fn steps_that_were_about_to_start_when_stop_came_never_begin() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan a! b! c!").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    // On one thread the steps' tasks cannot be polled before both turns are through: the stop waits at the lock first.
    let (person, key) = (ada(), Session::new_key());
    let (approved, stopped) = tokio::join!(session.say(&person, "yes", Session::new_key()), session.stop(&person, key));
    let (approved, stopped) = (approved.unwrap(), stopped.unwrap());
    assert_eq!(stopped.first, Sequence::new(approved.last.number() + 1));
    world.driver.shared.tasks.close();
    world.driver.shared.tasks.wait().await;
    assert_eq!(world.peer.asked(), ["draft plan a! b! c!"]);
    let started = session.history().await.unwrap();
    let started = started.iter().filter(|one| matches!(one.event, Event::Run(RunEvent::StepStarted { .. }))).count();
    assert_eq!(started, 3, "they had been decided on");
}

#[tokio::test(start_paused = true)]
async fn a_draft_that_was_overtaken_is_given_up() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan held").await;
    world.peer.held(1).await;
    say(&session, "plan b").await;
    let state = when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    assert_eq!(state.plan().unwrap().draft().problem, "plan b");
    world.peer.gate.add_permits(1);
    world.driver.shared.tasks.close();
    world.driver.shared.tasks.wait().await;
    assert_eq!(session.conversation().sequence(), state.sequence());
}

#[tokio::test(start_paused = true)]
async fn a_transient_failure_is_tried_again_after_its_pause() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan tricky").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    let end = when(&session, |state| state.phase() == Phase::Idle).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
    assert_eq!(world.peer.asked(), ["draft plan tricky", "run tricky#1", "run tricky#2"]);
}

#[tokio::test(start_paused = true)]
async fn a_step_that_takes_too_long_fails_with_its_limit() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan slow").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    let end = when(&session, |state| state.phase() == Phase::Failed).await;
    let error = end.run().unwrap().error(StepId::new(1)).unwrap().to_owned();
    assert_eq!(error, "it took longer than its limit of 30 seconds");
    assert_eq!(world.peer.asked().len(), 3, "it was tried twice: {:?}", world.peer.asked());
}

#[tokio::test(start_paused = true)]
async fn a_draft_that_never_comes_ends_with_its_limit() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan never").await;
    when(&session, |state| state.phase() == Phase::Idle && state.sequence() > Sequence::new(5)).await;
    let history = session.history().await.unwrap();
    let said = "No plan came within 120 seconds. Try a smaller question.";
    assert!(history.iter().any(|one| matches!(&one.event, Event::Said { text, .. } if text == said)), "{history:?}");
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_an_assistant_ends_the_work_and_not_the_conversation() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan panics").await;
    let state = when(&session, |state| state.phase() == Phase::Idle && state.sequence() > Sequence::new(5)).await;
    let said = session.history().await.unwrap();
    assert!(said.iter().any(|one| matches!(&one.event, Event::Said { text, .. } if text.contains("no plan for you"))));
    say(&session, "plan pop").await;
    when(&session, |now| now.phase() == Phase::AwaitingApproval && now.sequence() > state.sequence()).await;
    say(&session, "yes").await;
    let end = when(&session, |state| state.phase() == Phase::Failed).await;
    let error = end.run().unwrap().error(StepId::new(1)).unwrap().to_owned();
    assert_eq!(error, "the step broke down (the tool exploded)");
}

#[tokio::test(start_paused = true)]
async fn a_panic_while_deciding_stores_nothing_and_the_next_input_works() {
    let world = World::new();
    let session = world.open().await;
    let failed = session.say(&ada(), "panic now", Session::new_key()).await;
    assert!(matches!(&failed, Err(DriverError::Panicked(said)) if said == "a reader that breaks down"), "{failed:?}");
    assert_eq!(world.store.load(session.id()).await.unwrap().map(|loaded| loaded.events.len()), None);
    assert_eq!(say(&session, "hello").await.first, Sequence::new(1));
}

#[tokio::test(start_paused = true)]
async fn an_event_feed_gives_every_event_once_and_in_order() {
    let world = World::new();
    let session = world.open().await;
    let mut feed = session.events(Sequence::new(0));
    say(&session, "plan a b").await;
    when(&session, |state| state.phase() == Phase::AwaitingApproval).await;
    say(&session, "yes").await;
    let end = when(&session, |state| state.phase() == Phase::Idle).await;
    let mut seen = Vec::new();
    while seen.len() < usize::try_from(end.sequence().number()).unwrap() {
        seen.push(feed.next().await.unwrap());
    }
    assert_eq!(seen, session.history().await.unwrap());
    let places: Vec<u64> = seen.iter().map(|recorded| recorded.sequence.number()).collect();
    assert_eq!(places, (1..=end.sequence().number()).collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn after_shutdown_nothing_is_taken_in_and_feeds_end() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "hello").await;
    when(&session, |state| !state.is_busy()).await;
    let mut feed = session.events(session.conversation().sequence());
    world.driver.shutdown().await.unwrap();
    let refused = session.say(&ada(), "still there?", Session::new_key()).await;
    assert!(matches!(refused, Err(DriverError::ShutDown)));
    assert!(matches!(feed.next().await, Err(DriverError::ShutDown)));
}

#[tokio::test(start_paused = true)]
async fn a_conversation_stays_with_its_assistant() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "hello").await;
    let other = Arc::new(Peer { name: AssistantName::new("other"), ..Peer::default() });
    // While it is open, and after it was closed and is read from the store.
    let open = world.driver.open(session.id().clone(), other.clone()).await.err().unwrap();
    assert!(matches!(open, DriverError::OtherAssistant { .. }));
    let id = session.id().clone();
    when(&session, |state| !state.is_busy()).await;
    drop(session);
    let told = world.another().driver.open(id, other).await.err().unwrap().to_string();
    assert_eq!(told, "conversation c is with the assistant `peer`, not with `other`");
}

#[tokio::test(start_paused = true)]
async fn a_damaged_log_refuses_to_open() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan a").await;
    let mut loaded = world.store.load(session.id()).await.unwrap().unwrap();
    loaded.events.remove(1);
    let folded = loaded.fold(session.id(), &world.peer.name);
    assert!(matches!(folded, Err(StoreError::Damaged { sequence, .. }) if sequence == Sequence::new(3)));
}

/// Drafting is what is in flight while a person changes the mode: what comes of the draft that was asked for in the
/// other mode is not used, and it is drafted anew. (Reading a message is not in flight: it is part of the turn.)
#[tokio::test(start_paused = true)]
async fn mode_changed_while_classifier_in_flight_discards() {
    let world = World::new();
    let session = world.open().await;
    say(&session, "plan held").await;
    world.peer.held(1).await;
    let body = InputBody::SetMode { person: ada(), mode: turnwise_core::Mode::Proof };
    session.submit(body, Session::new_key(), None).await.unwrap();
    world.peer.held(2).await;
    world.peer.gate.add_permits(9);
    let state = when(&session, |state| state.phase() == Phase::AwaitingApproval && !state.is_busy()).await;
    assert_eq!((state.mode(), state.plan().unwrap().version()), (turnwise_core::Mode::Proof, 1));
    assert_eq!(world.peer.asked(), ["draft plan held", "draft plan held"]);
    let drafted = |event: &Event| matches!(event, Event::Planning(turnwise_core::PlanningEvent::PlanDrafted { .. }));
    let history = session.history().await.unwrap();
    assert_eq!(history.iter().filter(|one| drafted(&one.event)).count(), 1);
}

/// A plan has one approval; a person may reject a single step of it. What is left has no effects, so where that runs
/// without asking it does, and the step that was taken out never runs.
#[tokio::test(start_paused = true)]
async fn reject_one_keeps_auto_approved_siblings() {
    let mut world = World::new();
    let policy = turnwise_core::Policy {
        flow: turnwise_core::Flow { plan_approval: false, ..turnwise_core::Flow::default() },
        ..turnwise_core::Policy::default()
    };
    world.peer = Arc::new(Peer { policy, ..Peer::default() });
    let session = world.open().await;
    say(&session, "plan a! b! once!").await;
    let waiting = when(&session, |state| state.phase() == Phase::AwaitingApproval && !state.is_busy()).await;
    assert!(waiting.run().is_none(), "one step must not run twice, so the plan is asked about");
    say(&session, "reject step 3").await;
    let end = when(&session, |state| state.phase() == Phase::Idle && !state.is_busy()).await;
    assert_eq!(end.run().unwrap().status(), RunStatus::Completed);
    assert_eq!(world.peer.asked(), ["draft plan a! b! once!", "run a!#1", "run b!#1"]);
    let why = |event: &Event| match event {
        Event::Said { text, .. } => text.starts_with("Runs without asking: it changes nothing"),
        _ => false,
    };
    assert!(session.history().await.unwrap().iter().any(|one| why(&one.event)), "and it is said why");
}
