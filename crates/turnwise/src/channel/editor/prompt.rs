//! Prompts: a message of an editor and what comes of it. A prompt is over when nothing is awaited any more and all of
//! it was told; a plan that waits for a yes then is asked about with a request for permission. Only the option that was
//! offered for a yes is one: a request that is cancelled, an unknown option and an error decide nothing. Next:
//! `thread`.

use std::sync::Arc;

use turnwise_acp::schema::{
    CLIENT_METHOD_NAMES, PermissionOption, PermissionOptionKind, RequestPermissionOutcome, RequestPermissionRequest,
    RequestPermissionResponse, StopReason, ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields,
};
use turnwise_acp::{PeerError, schema::Error};
use turnwise_core::{Conversation, Pending, PendingKind, PersonId, Seen, Verdict};

use super::said::{self, Heard};
use super::shown::{contents, kind_of_plan, locations, plan_call};
use super::thread::{Thread, UnderWay, lock};
use crate::driver::{DriverError, Reference, Session};

/// How long what an editor said before its answer may take to be heard.
const GIVING_UP: std::time::Duration = std::time::Duration::from_millis(300);

/// What a permission came to.
enum Decided {
    /// Something was decided, here or elsewhere.
    Yes,
    /// Nothing was: the question waits on.
    No,
    /// The editor gave the prompt up.
    Cancelled,
}

/// Says what was heard, and waits for what comes of it.
pub(super) async fn run(
    thread: &Arc<Thread>,
    person: &PersonId,
    heard: Heard,
    under_way: &UnderWay,
) -> Result<StopReason, Error> {
    if under_way.cancelled.is_cancelled() {
        return Ok(StopReason::Cancelled);
    }
    let state = thread.session.conversation();
    let session = thread.session.among(heard.around);
    let words = in_mode(thread, &session, &state, heard.text);
    DriverError::check_length(&words).map_err(refused)?;
    let seen = Seen::at(&state, *thread.told.borrow());
    session.say_about(person, &words, seen, Session::new_key()).await.map_err(refused)?;
    let mut failures = 0;
    loop {
        if let Some(stopped) = settled(thread, person, under_way).await? {
            return Ok(stopped);
        }
        let Some(pending) = waiting(&thread.session.conversation()) else { return Ok(StopReason::EndTurn) };
        if matches!(pending.kind, PendingKind::Failure { .. }) {
            // An editor that allows whatever is asked would try again for ever.
            failures += 1;
            if failures > FAILURES_ASKED_MAX {
                return Ok(StopReason::EndTurn);
            }
        }
        // One prompt at a time asks; another that waits for the same finds it decided.
        let asking = thread.asking.lock().await;
        if waiting(&thread.session.conversation()).is_none_or(|now| now.reference() != pending.reference()) {
            continue;
        }
        match permission(thread, person, &pending, under_way).await? {
            Decided::Yes => drop(asking),
            Decided::No => return Ok(StopReason::EndTurn),
            Decided::Cancelled => return stop(thread, person).await,
        }
    }
}

/// What is said, as the mode has it. An answer to a question is no task, and a command says itself what it is. In the
/// mode of questions nothing that is said may change anything, whatever waits.
fn in_mode(thread: &Thread, session: &Session, state: &Conversation, text: String) -> String {
    let mode = lock(&thread.mode).clone();
    let answers = state.question().is_some() && !session.is_task_of_its_own(&text);
    match mode.filter(|mode| !text.starts_with('/') && (mode == ASK || !answers)) {
        Some(command) => format!("{command} {text}"),
        None => text,
    }
}

/// The plan that waits for a yes, or the run that waits or failed (BH-10), if it is what is asked now.
fn waiting(state: &Conversation) -> Option<Pending> {
    let is_asked = |open: &&Pending| !ways(open).is_empty() && !open.quiet;
    state.question().filter(is_asked).cloned()
}

/// What can be decided on a question with one press: the word of each, its name, and whether it is a yes.
fn ways(pending: &Pending) -> Vec<(&'static str, &'static str, PermissionOptionKind)> {
    use PermissionOptionKind::{AllowOnce, RejectOnce};
    match pending.kind {
        PendingKind::Approval { .. } => vec![(APPROVE, "Approve", AllowOnce), (REJECT, "Reject", RejectOnce)],
        PendingKind::Paused { .. } => vec![(RESUME, "Resume", AllowOnce), (REJECT, "Abort", RejectOnce)],
        PendingKind::Failure { .. } => {
            let fix = pending.is_fixable.then_some((FIX, "Propose fix", AllowOnce));
            let again = (RETRY, "Resume: try again", AllowOnce);
            [again].into_iter().chain(fix).chain([(ABANDON, "Abort", RejectOnce)]).collect()
        }
        _ => Vec::new(),
    }
}

/// What a press decides.
fn verdict(way: &str) -> Option<Verdict> {
    Some(match way {
        APPROVE => Verdict::Approve,
        REJECT => Verdict::Reject,
        RESUME => Verdict::Resume,
        RETRY => Verdict::Retry,
        ABANDON => Verdict::Abandon,
        // A fix is the fourth choice of a run that failed.
        FIX => Verdict::Choose { number: 4 },
        _ => return None,
    })
}

/// Waits until nothing is awaited and all was told. Where the editor gave up, the work is stopped first.
async fn settled(thread: &Arc<Thread>, person: &PersonId, under_way: &UnderWay) -> Result<Option<StopReason>, Error> {
    tokio::select! {
        biased;
        quiet = quiet(thread) => quiet.map(|()| None),
        () = under_way.cancelled.cancelled() => stop(thread, person).await.map(Some),
    }
}

async fn quiet(thread: &Arc<Thread>) -> Result<(), Error> {
    let mut state = thread.session.state();
    let gone = || refused(DriverError::ShutDown);
    let until = state.wait_for(|state| !state.is_busy()).await.map_err(|_| gone())?.sequence();
    thread.told.subscribe().wait_for(|told| *told >= until).await.map_err(|_| gone())?;
    Ok(())
}

/// Stops what runs or waits, and tells all of it.
async fn stop(thread: &Arc<Thread>, person: &PersonId) -> Result<StopReason, Error> {
    thread.session.stop(person, Session::new_key()).await.map_err(refused)?;
    quiet(thread).await?;
    Ok(StopReason::Cancelled)
}

/// Asks for a permission, and decides by its answer. A decision elsewhere takes the request back.
async fn permission(
    thread: &Arc<Thread>,
    person: &PersonId,
    pending: &Pending,
    under_way: &UnderWay,
) -> Result<Decided, Error> {
    let state = thread.session.conversation();
    let Some(plan) = state.plan() else { return Ok(Decided::No) };
    let reference = thread.session.reference(pending).await.map_err(refused)?;
    let fields = ToolCallUpdateFields::new()
        .title(plan.draft().title.clone())
        .kind(kind_of_plan(plan))
        .status(ToolCallStatus::Pending)
        .content(contents(plan.steps(), &thread.folder))
        .locations(locations(plan.steps(), &thread.folder));
    let option = |(way, name, kind)| PermissionOption::new(format!("{way}:{reference}"), name, kind);
    let options = ways(pending).into_iter().map(option).collect();
    let request =
        RequestPermissionRequest::new(thread.id.clone(), ToolCallUpdate::new(plan_call(plan), fields), options);
    let mut latest = thread.session.state();
    let is_over =
        |state: &Arc<Conversation>| state.pending().iter().all(|open| open.reference() != pending.reference());
    let answered: Result<RequestPermissionResponse, PeerError> = tokio::select! {
        biased;
        () = under_way.cancelled.cancelled() => return Ok(Decided::Cancelled),
        _ = latest.wait_for(is_over) => return Ok(Decided::Yes),
        answered = thread.peer.request(CLIENT_METHOD_NAMES.session_request_permission, &request) => answered,
    };
    let chosen = match answered {
        Ok(RequestPermissionResponse { outcome: RequestPermissionOutcome::Selected(selected), .. }) => {
            selected.option_id
        }
        Ok(_) => {
            // An editor that gives the prompt up says so first, but an answer finds its way sooner.
            if tokio::time::timeout(GIVING_UP, under_way.cancelled.cancelled()).await.is_ok() {
                return Ok(Decided::Cancelled);
            }
            thread.update(said::message(&undecided(pending)));
            return Ok(Decided::No);
        }
        Err(error) => {
            thread.update(said::message(&format!("Not decided, and nothing was done: {error}. {}", words(pending))));
            return Ok(Decided::No);
        }
    };
    decide(thread, person, (pending, &reference), &chosen.0).await
}

/// Nothing was decided on what waits.
fn undecided(pending: &Pending) -> String {
    let what = if matches!(pending.kind, PendingKind::Approval { .. }) { "plan" } else { "run" };
    format!("Not decided: the {what} waits, and nothing was done. {}", words(pending))
}

/// The words by which it can be decided on.
fn words(pending: &Pending) -> &'static str {
    match pending.kind {
        PendingKind::Paused { .. } => "Say resume, abort, or what to change.",
        PendingKind::Failure { .. } => "Say resume, replan, or abort.",
        _ => "Say yes, no, or what to change.",
    }
}

/// Takes the chosen option as a decision, if it is one of those that were offered.
async fn decide(
    thread: &Thread,
    person: &PersonId,
    (pending, offered): (&Pending, &Reference),
    chosen: &str,
) -> Result<Decided, Error> {
    let way = chosen.split_once(':').filter(|(_, reference)| *reference == offered.to_string()).map(|(way, _)| way);
    let is_offered = |way: &&str| ways(pending).iter().any(|(known, ..)| known == way);
    let Some(verdict) = way.filter(is_offered).and_then(verdict) else {
        thread.update(said::message("That is none of the options that were offered, so nothing was decided."));
        return Ok(Decided::No);
    };
    thread.session.decide_by(person, offered, verdict, Session::new_key()).await.map_err(refused)?;
    Ok(Decided::Yes)
}

/// What went wrong, as the editor is told it.
pub(super) fn refused(error: impl Into<turnwise_assistant::Failure>) -> Error {
    let failure: turnwise_assistant::Failure = error.into();
    Error::new(i32::from(Error::internal_error().code), failure.to_string())
}

/// The command that only asks.
const ASK: &str = "/ask";
const APPROVE: &str = "approve";
const REJECT: &str = "reject";
const RESUME: &str = "resume";
const RETRY: &str = "retry";
const ABANDON: &str = "abandon";
const FIX: &str = "fix";
/// Failures that one prompt asks about; a later one waits for words.
const FAILURES_ASKED_MAX: usize = 1;
