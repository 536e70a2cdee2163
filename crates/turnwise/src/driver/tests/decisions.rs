//! Decisions by references that come from outside: signed, single, bound to one version, and the same for everyone who
//! looks, whenever they begin to look.

use turnwise_core::{
    ApprovalMode, DecisionRef, Event, Flow, Pending, PendingKind, PersonId, Phase, Policy, Resolution, RunEvent, Seen,
    Verdict,
};

use super::*;
use crate::store::{Recorded, SqliteStore};

async fn waiting(session: &Session) -> Pending {
    when(session, |state| state.phase() == Phase::AwaitingApproval).await.question().unwrap().clone()
}

async fn planned(world: &World) -> (Session, Pending) {
    let session = world.open().await;
    say(&session, "plan count").await;
    let pending = waiting(&session).await;
    (session, pending)
}

fn count(history: &[Recorded], wanted: impl Fn(&Event) -> bool) -> usize {
    history.iter().filter(|recorded| wanted(&recorded.event)).count()
}

fn is_approval(event: &Event) -> bool {
    matches!(event, Event::Run(RunEvent::Approved { .. }))
}

#[tokio::test(start_paused = true)]
async fn approve_clicked_twice_concurrently_runs_once() {
    let one = World::new();
    let (session, pending) = planned(&one).await;
    let reference = session.reference(&pending).await.unwrap();
    let other = one.another();
    let elsewhere = other.open().await.on("page");
    let (anna, ben) = (PersonId::new("anna"), PersonId::new("ben"));
    let (left, right) = tokio::join!(
        session.decide_by(&anna, &reference, Verdict::Approve, Session::new_key()),
        elsewhere.decide_by(&ben, &reference, Verdict::Approve, Session::new_key()),
    );
    let told = [left.unwrap(), right.unwrap()].map(|result| result.receipt.unwrap().detail);
    let second = told.iter().find(|detail| detail.starts_with("This question was already approved by")).unwrap();
    let first = told.iter().find(|detail| detail.starts_with("Approved:")).unwrap();
    assert_ne!(first, second);
    when(&session, |state| state.phase() == Phase::Idle).await;
    when(&elsewhere, |state| state.phase() == Phase::Idle).await;
    assert_eq!(count(&session.history().await.unwrap(), is_approval), 1);
    let runs = [one.peer.asked(), other.peer.asked()].concat();
    assert_eq!(runs.iter().filter(|asked| asked.starts_with("run ")).count(), 1, "{runs:?}");
    // A replay long after is told the first result, too.
    let again = session.decide_by(&anna, &reference, Verdict::Approve, Session::new_key()).await.unwrap();
    assert!(again.receipt.unwrap().detail.starts_with("This question was already approved by"));
    assert_eq!(count(&session.history().await.unwrap(), is_approval), 1);
}

#[tokio::test(start_paused = true)]
async fn restart_with_pending_then_click_works() {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_000)));
    let store = || Arc::new(SqliteStore::open(&folder.path().join("t.db")).unwrap());
    let before = World::over(store(), clock.clone());
    let (session, pending) = planned(&before).await;
    let on_the_button = session.reference(&pending).await.unwrap().to_string();
    drop(session);
    before.driver.shutdown().await.unwrap();
    drop(before.store);
    let after = World::over(store(), clock);
    let session = after.open().await;
    let reference = on_the_button.parse().unwrap();
    session.decide_by(&ada(), &reference, Verdict::Approve, Session::new_key()).await.unwrap();
    when(&session, |state| state.phase() == Phase::Idle).await;
    assert_eq!(after.peer.asked(), ["run count#1"]);
}

#[tokio::test(start_paused = true)]
async fn same_pending_ids_after_reload() {
    let one = World::new();
    let (session, pending) = planned(&one).await;
    let reference = session.reference(&pending).await.unwrap();
    let asked = session.conversation().asked(&pending);
    one.clock.advance(60_000);
    let other = one.another();
    let again = other.open().await;
    let reloaded = again.conversation().question().unwrap().clone();
    assert_eq!(reloaded, pending);
    assert_eq!(again.reference(&reloaded).await.unwrap().to_string(), reference.to_string());
    assert_eq!(again.conversation().asked(&reloaded), asked);
}

#[tokio::test(start_paused = true)]
async fn late_joiner_sees_pending() {
    let one = World::new();
    let (session, pending) = planned(&one).await;
    say(&session, "what is that?").await;
    when(&session, |state| !state.is_busy()).await;
    let other = one.another();
    let late = other.open().await.on("page");
    let state = late.conversation();
    let seen = state.question().unwrap();
    assert_eq!((seen.id, seen.ui_version, &seen.kind), (pending.id, pending.ui_version, &pending.kind));
    let (words, card) = state.asked(seen).unwrap();
    assert_eq!(words, "Plan: plan count");
    assert!(matches!(card, Some(turnwise_core::Card::Plan(plan)) if plan.reference == Some(pending.reference())));
    // And can decide on it, after which everyone sees who did.
    let reference = late.reference(seen).await.unwrap();
    late.decide_by(&PersonId::new("ben"), &reference, Verdict::Reject, Session::new_key()).await.unwrap();
    let state = when(&session, |state| state.resolved(pending.id).is_some()).await;
    let by = state.resolved(pending.id).unwrap().by.clone().unwrap();
    assert_eq!((by.person.as_str(), by.surface.unwrap().name.as_str()), ("ben", "page"));
}

#[tokio::test(start_paused = true)]
async fn signed_reference_tampered_refused() {
    let one = World::new();
    let (session, pending) = planned(&one).await;
    let reference = session.reference(&pending).await.unwrap();
    let before = session.conversation().sequence();
    let text = reference.to_string();
    let mut refused = 0;
    for at in "tw1.".len()..text.len() {
        let other = if text.as_bytes()[at] == b'a' { "b" } else { "a" };
        let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        let Ok(changed) = changed.parse::<Reference>() else {
            refused += 1;
            continue;
        };
        let decided = session.decide_by(&ada(), &changed, Verdict::Approve, Session::new_key()).await;
        assert!(matches!(decided, Err(DriverError::Forged)), "changed at {at}: {decided:?}");
        refused += 1;
    }
    assert_eq!(refused, text.len() - "tw1.".len());
    // A key of another store signs nothing here, and a reference to another conversation decides nothing in this one.
    let elsewhere = World::new();
    let (foreign, its) = planned(&elsewhere).await;
    let foreign = foreign.reference(&its).await.unwrap();
    let decided = session.decide_by(&ada(), &foreign, Verdict::Approve, Session::new_key()).await;
    assert!(matches!(decided, Err(DriverError::Forged)), "{decided:?}");
    let other = one.driver.open(ConversationId::new("d"), one.peer.clone()).await.unwrap();
    say(&other, "plan count").await;
    let its = waiting(&other).await;
    let its = other.reference(&its).await.unwrap();
    let decided = session.decide_by(&ada(), &its, Verdict::Approve, Session::new_key()).await;
    assert!(matches!(decided, Err(DriverError::Forged)), "{decided:?}");
    assert_eq!(session.conversation().sequence(), before, "nothing was taken in");
}

#[tokio::test(start_paused = true)]
async fn a_reference_to_what_has_ended_is_told_from_a_forged_one() {
    let one = World::new();
    let (session, pending) = planned(&one).await;
    let reference = session.reference(&pending).await.unwrap();
    say(&session, "drop step 9").await;
    session.decide(&ada(), pending.reference(), Verdict::Reject, Session::new_key()).await.unwrap();
    let stale = session.decide_by(&ada(), &reference, Verdict::Approve, Session::new_key()).await.unwrap();
    let detail = stale.receipt.unwrap().detail;
    assert!(detail.starts_with("This question was already rejected by ada at"), "{detail}");
    let last = reference.to_string().pop().unwrap();
    let forged = reference.to_string().replace(last, if last == 'q' { "r" } else { "q" });
    if let Ok(forged) = forged.parse::<Reference>() {
        let decided = session.decide_by(&ada(), &forged, Verdict::Approve, Session::new_key()).await;
        assert!(matches!(decided, Err(DriverError::Forged)), "{decided:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_plan_that_was_given_an_end_expires_by_itself() {
    let policy = Policy { approval_seconds_max: Some(60), ..Policy::default() };
    let one = World { peer: Arc::new(Peer { policy, ..Peer::default() }), ..World::new() };
    let (session, pending) = planned(&one).await;
    assert!(!session.conversation().is_busy(), "waiting for the end is no work");
    one.clock.advance(60_000);
    let state = when(&session, |state| state.phase() == Phase::Idle).await;
    let ended = state.resolved(pending.id).unwrap();
    assert_eq!((ended.resolution, &ended.by), (Resolution::Expired, &None));
    let late = session.decide(&ada(), pending.reference(), Verdict::Approve, Session::new_key()).await.unwrap();
    assert_eq!(late.receipt.unwrap().detail, "This question has expired; nothing was executed.");
    assert_eq!(count(&session.history().await.unwrap(), is_approval), 0);
}

#[tokio::test(start_paused = true)]
async fn words_sent_before_the_plan_was_shown_do_not_approve_it() {
    let one = World::new();
    let (session, pending) = planned(&one).await;
    let seen = Seen { question: None, plan: None };
    let said = session.say_about(&ada(), "yes", seen, Session::new_key()).await.unwrap();
    assert_eq!(said.receipt.unwrap().detail, "That was said before this question was asked.");
    assert_eq!(session.conversation().phase(), Phase::AwaitingApproval);
    let other = DecisionRef { ui_version: pending.ui_version + 1, ..pending.reference() };
    let seen = Seen { question: Some(other), plan: None };
    session.say_about(&ada(), "yes", seen, Session::new_key()).await.unwrap();
    assert_eq!(session.conversation().phase(), Phase::AwaitingApproval);
    let seen = Seen::at(&session.conversation(), session.conversation().sequence());
    session.say_about(&ada(), "yes", seen, Session::new_key()).await.unwrap();
    when(&session, |state| state.phase() == Phase::Idle).await;
}

#[tokio::test(start_paused = true)]
async fn a_run_waits_where_it_was_asked_about_whoever_approves_it() {
    let policy =
        Policy { flow: Flow { approval_mode: ApprovalMode::BeforeStep, ..Flow::default() }, ..Policy::default() };
    let one = World { peer: Arc::new(Peer { policy, ..Peer::default() }), ..World::new() };
    let (session, pending) = planned(&one).await;
    let reference = session.reference(&pending).await.unwrap();
    // Started without that setting.
    let other = one.another();
    let elsewhere = other.open().await;
    elsewhere.decide_by(&ada(), &reference, Verdict::Approve, Session::new_key()).await.unwrap();
    let state = elsewhere.conversation();
    let question = state.question().unwrap();
    assert!(matches!(question.kind, PendingKind::Paused { .. }), "{question:?}");
    assert_eq!(other.peer.asked(), Vec::<String>::new());
    elsewhere.decide(&ada(), question.reference(), Verdict::Resume, Session::new_key()).await.unwrap();
    when(&elsewhere, |state| state.phase() == Phase::Idle).await;
}
