//! Performing: the assistant is asked, watched over, and what it says comes back as an input. Whatever happens in
//! there (a panic, too long a silence) ends as an outcome that says so; only work that was cancelled ends without
//! one. Next: `cell` for when this is allowed to begin.

use std::collections::BTreeSet;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;
use turnwise_core::{
    AnswerOutcome, DraftOutcome, Effect, EffectClass, Input, InputBody, InputKey, LookUp, Origin, PendingId, Report,
    RequestId, RunId, StepId, StepOutcome, Timestamp, text,
};

use super::asked::{self, Watcher};
use super::cell::Cell;
use super::lease::Lease;
use super::traced::{self, Trace};
use super::{DriverError, limits};
use crate::store::{Fence, Reported};
use crate::telemetry::Fault;
use turnwise_assistant::Assistant;
use turnwise_model::{Watch, watched};

/// How work that was watched over ended.
enum Ended<T> {
    Finished(T),
    Panicked(String),
    TooLate,
    /// It was stopped, overtaken or taken away: nobody waits for its outcome.
    Cancelled,
}

impl<T> Ended<T> {
    /// Why there is no outcome, if there is none.
    fn fault(&self) -> Option<Fault> {
        match self {
            Self::Finished(_) => None,
            Self::Panicked(_) => Some(Fault::Panic),
            Self::TooLate => Some(Fault::Timeout),
            Self::Cancelled => Some(Fault::Cancelled),
        }
    }
}

/// One attempt at a step of a run.
#[derive(Clone, Copy)]
struct Attempt {
    run: RunId,
    step: StepId,
    attempt: u32,
}

/// Performs one piece of work and reports its outcome, unless its lease runs out before: another process may begin it
/// from then on.
pub(super) async fn carry_out(
    cell: Arc<Cell>,
    work: Reported,
    cancel: CancellationToken,
    lease: Arc<Lease>,
    trace: Trace,
) {
    let (watch, mut calls) = Watcher::over(&cell);
    let message = cell.latest().message_of(work.effect);
    let report = {
        let mut performed = std::pin::pin!(perform(&cell, work, &cancel, &lease, &trace, watch));
        let mut lapsed = std::pin::pin!(end_with(&cell, &lease, &cancel));
        loop {
            tokio::select! {
                biased;
                report = &mut performed => break report,
                Some(call) = calls.recv() => asked::record(&cell, message, call, &trace).await,
                // Cancelled like anything else that nobody waits for; the work itself still gets to tidy up.
                () = &mut lapsed => break None,
            }
        }
    };
    asked::rest(&cell, message, &mut calls, &trace).await;
    match report {
        Some(report) => deliver(&cell, report, work, &cancel, &trace).await,
        // If it is outstanding all the same, it is claimed anew at the next heartbeat.
        None => cell.give_up(&BTreeSet::from([(work.effect, work.fence)])).await,
    }
}

/// Cancels the work once its lease has run out, and then waits for ever: the work itself says when it has ended.
async fn end_with(cell: &Cell, lease: &Lease, cancel: &CancellationToken) {
    lease.lapsed(&*cell.shared.clock).await;
    cancel.cancel();
    std::future::pending().await
}

async fn perform(
    cell: &Arc<Cell>,
    work: Reported,
    cancel: &CancellationToken,
    lease: &Lease,
    trace: &Trace,
    watch: Arc<dyn Watch>,
) -> Option<Report> {
    match work.effect {
        // Somebody held this step before: it may have begun, and core says what that means for it.
        Effect::StartStep { run, step, attempt } if work.fence > Fence::FIRST => {
            Some(Report::StepLost { run, step, attempt })
        }
        Effect::DraftPlan { request } => draft(cell, request, cancel, trace, watch).await,
        Effect::AnswerQuestion { request } => answer(cell, request, cancel, trace, watch).await,
        Effect::Hear { pending } => hear(cell, pending, cancel, watch).await,
        Effect::StartStep { run, step, attempt } => {
            run_step(cell, Attempt { run, step, attempt }, cancel, lease, trace, watch).await
        }
        Effect::LookUpStep { run, step, attempt } => look_up(cell, Attempt { run, step, attempt }, cancel, trace).await,
        Effect::WakeAt { at, run, step, attempt } => {
            wait_until(cell, at, cancel).await.then_some(Report::Woke { run, step, attempt })
        }
        // By a clock that went back it is not time yet; the wait is then claimed anew at the next heartbeat.
        Effect::ExpireAt { at, pending } => {
            (wait_until(cell, at, cancel).await && cell.shared.now() >= at).then_some(Report::TimedOut { pending })
        }
        // These two are seen in the state: a stopped run is no longer outstanding, and `left()` says that the person
        // left.
        Effect::StopRun { .. } | Effect::CloseSurface => None,
    }
}

async fn draft(
    cell: &Arc<Cell>,
    request: RequestId,
    cancel: &CancellationToken,
    trace: &Trace,
    watch: Arc<dyn Watch>,
) -> Option<Report> {
    let task = cell.lock().await.conversation.task(request)?;
    let span = traced::plan(cell, trace, &task);
    let assistant = Arc::clone(&cell.assistant);
    let work = watched(watch, async move { assistant.draft(task).await });
    let ended = watch_quietly(work, limits::DRAFT_SECONDS_MAX, cancel).await;
    traced::note(span.as_ref(), ended.fault());
    let impossible = |explanation: String| DraftOutcome::Impossible { explanation, suggestions: Vec::new() };
    let outcome = match ended {
        Ended::Finished(outcome) => as_declared(&*cell.assistant, outcome),
        Ended::Panicked(panic) => impossible(format!("Drafting the plan broke down ({panic}). Nothing was executed.")),
        Ended::TooLate => impossible(format!(
            "No plan came within {}. Try a smaller question.",
            text::count(limits::DRAFT_SECONDS_MAX as usize, "second")
        )),
        Ended::Cancelled => return None,
    };
    Some(Report::Drafted { request, outcome })
}

/// A draft says what its steps do to the world; the tools know better. The graver of the two counts.
fn as_declared(assistant: &dyn Assistant, mut outcome: DraftOutcome) -> DraftOutcome {
    if let DraftOutcome::Ready { plan, .. } = &mut outcome {
        for step in &mut plan.steps {
            step.effect = match (step.effect, assistant.effect_of(&step.tool)) {
                (EffectClass::OnceOnly, _) | (_, Some(EffectClass::OnceOnly)) => EffectClass::OnceOnly,
                (EffectClass::Idempotent, _) | (_, Some(EffectClass::Idempotent)) => EffectClass::Idempotent,
                (EffectClass::Reversible, _) | (_, Some(EffectClass::Reversible)) => EffectClass::Reversible,
                (EffectClass::Pure, Some(EffectClass::Pure) | None) => EffectClass::Pure,
            };
        }
    }
    outcome
}

async fn answer(
    cell: &Arc<Cell>,
    request: RequestId,
    cancel: &CancellationToken,
    trace: &Trace,
    watch: Arc<dyn Watch>,
) -> Option<Report> {
    let question = cell.lock().await.conversation.question_task(request)?;
    let span = traced::answer(cell, trace);
    let assistant = Arc::clone(&cell.assistant);
    let work = watched(watch, async move { assistant.answer(question).await });
    let ended = watch_quietly(work, limits::DRAFT_SECONDS_MAX, cancel).await;
    traced::note(span.as_ref(), ended.fault());
    let outcome = match ended {
        Ended::Finished(outcome) => outcome,
        Ended::Panicked(panic) => AnswerOutcome::Unknown { explanation: format!("Answering broke down ({panic}).") },
        Ended::TooLate => AnswerOutcome::Unknown {
            explanation: format!(
                "No answer came within {}.",
                text::count(limits::DRAFT_SECONDS_MAX as usize, "second")
            ),
        },
        Ended::Cancelled => return None,
    };
    Some(Report::Answered { request, outcome })
}

async fn hear(
    cell: &Arc<Cell>,
    pending: PendingId,
    cancel: &CancellationToken,
    watch: Arc<dyn Watch>,
) -> Option<Report> {
    let hearing = cell.lock().await.conversation.hearing_task(pending)?;
    let assistant = Arc::clone(&cell.assistant);
    let work = watched(watch, async move { assistant.hear(hearing).await });
    let heard = match watch_quietly(work, limits::HEARING_SECONDS_MAX, cancel).await {
        Ended::Finished(heard) => heard,
        // The person was asked anyway.
        Ended::Panicked(_) | Ended::TooLate => None,
        Ended::Cancelled => return None,
    };
    Some(Report::Heard { pending, heard })
}

/// Runs one attempt at a step, if the conversation as it is now permits it.
async fn run_step(
    cell: &Arc<Cell>,
    Attempt { run, step, attempt }: Attempt,
    cancel: &CancellationToken,
    lease: &Lease,
    trace: &Trace,
    watch: Arc<dyn Watch>,
) -> Option<Report> {
    let inside = cell.lock().await;
    // No permit: the run was stopped or has moved on since this was asked for. Nothing starts, and nobody waits.
    let (task, permit) = inside.conversation.step_task(run, step, attempt).ok()?;
    // The lock may have been long in coming.
    if cancel.is_cancelled() || lease.has_lapsed(cell.shared.now()) {
        return None;
    }
    let (seconds, class) = (task.work.timeout_seconds, task.work.effect);
    let span = traced::step(cell, trace, traced::EXECUTE, &task);
    let give_up = cancel.child_token();
    let (assistant, token) = (Arc::clone(&cell.assistant), give_up.clone());
    let work = async move {
        let mut work = assistant.run_step(task, permit, token);
        // The lock is let go only after the first poll: from the permit to the first instruction no stop can slip in.
        let first = poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await;
        drop(inside);
        match first {
            Poll::Ready(outcome) => outcome,
            Poll::Pending => work.await,
        }
    };
    let ended = watch_over(watched(watch, work), seconds, cancel, &give_up).await;
    let fault = if let Ended::Finished(outcome) = &ended { traced::fault_of(outcome) } else { ended.fault() };
    traced::note(span.as_ref(), fault);
    let outcome = match ended {
        Ended::Finished(outcome) => outcome,
        Ended::Panicked(panic) => broke_down(class, format!("the step broke down ({panic})")),
        Ended::TooLate => {
            let limit = text::count(seconds as usize, "second");
            too_late(class, format!("it took longer than its limit of {limit}"))
        }
        Ended::Cancelled => return None,
    };
    Some(Report::StepEnded { run, step, attempt, outcome })
}

/// Breaking down again is likely, so a step is not tried again by itself. Of one that must not run twice nobody knows
/// how far it got.
fn broke_down(class: EffectClass, error: String) -> StepOutcome {
    match class {
        EffectClass::Pure | EffectClass::Idempotent | EffectClass::Reversible => StepOutcome::Failed { error },
        EffectClass::OnceOnly => StepOutcome::Unknown { reason: error },
    }
}

fn too_late(class: EffectClass, error: String) -> StepOutcome {
    match class {
        EffectClass::Pure | EffectClass::Idempotent | EffectClass::Reversible => StepOutcome::Transient { error },
        EffectClass::OnceOnly => StepOutcome::Unknown { reason: error },
    }
}

async fn look_up(
    cell: &Arc<Cell>,
    Attempt { run, step, attempt }: Attempt,
    cancel: &CancellationToken,
    trace: &Trace,
) -> Option<Report> {
    let task = cell.lock().await.conversation.look_up_task(run, step, attempt)?;
    let span = traced::step(cell, trace, "look_up", &task);
    let (assistant, seconds) = (Arc::clone(&cell.assistant), task.work.timeout_seconds);
    let ended = watch_quietly(async move { assistant.look_up(task).await }, seconds, cancel).await;
    traced::note(span.as_ref(), ended.fault());
    let found = match ended {
        Ended::Finished(found) => found,
        Ended::Panicked(panic) => LookUp::CannotTell { reason: format!("looking it up broke down ({panic})") },
        Ended::TooLate => LookUp::CannotTell { reason: "looking it up took too long".to_owned() },
        Ended::Cancelled => return None,
    };
    Some(Report::LookedUp { run, step, attempt, found })
}

/// As [`watch_over`], for work that is given up by dropping it. Being too late is an outcome that is reported, so it
/// must not cancel the reporting.
async fn watch_quietly<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
    seconds: u32,
    cancel: &CancellationToken,
) -> Ended<T> {
    watch_over(work, seconds, cancel, &cancel.child_token()).await
}

/// Runs `work` as a task of its own, so that a panic in it ends nothing else. `cancel` says that nobody waits any
/// more; `give_up` is what the work itself listens to.
async fn watch_over<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
    seconds: u32,
    cancel: &CancellationToken,
    give_up: &CancellationToken,
) -> Ended<T> {
    let mut task = tokio::spawn(work);
    let limit = Duration::from_secs(u64::from(seconds));
    let ended = tokio::select! {
        biased;
        () = cancel.cancelled() => Ended::Cancelled,
        joined = tokio::time::timeout(limit, &mut task) => match joined {
            Ok(Ok(value)) => return Ended::Finished(value),
            Ok(Err(ended)) => return Ended::Panicked(panic_text(ended)),
            Err(_) => Ended::TooLate,
        },
    };
    give_up.cancel();
    let grace = Duration::from_millis(limits::CANCEL_GRACE_MS);
    // Whatever it says now is not asked for any more; it only gets the chance to tidy up.
    let _ = tokio::time::timeout(grace, &mut task).await;
    task.abort();
    ended
}

/// Whether the time came, rather than the end of the wait for it.
async fn wait_until(cell: &Arc<Cell>, at: Timestamp, cancel: &CancellationToken) -> bool {
    let wait = at.as_millis().saturating_sub(cell.shared.now().as_millis());
    let wait = Duration::from_millis(u64::try_from(wait).unwrap_or(0));
    tokio::select! {
        biased;
        () = cancel.cancelled() => false,
        () = tokio::time::sleep(wait) => true,
    }
}

/// Brings a report in as an input. A store that fails is tried again until it works: giving up would lose the work.
async fn deliver(cell: &Arc<Cell>, report: Report, work: Reported, cancel: &CancellationToken, trace: &Trace) {
    let key = report_key(&report);
    let input = Input { key, content_key: None, origin: Origin::default(), body: InputBody::Report(report) };
    let mut pause = limits::REPORT_RETRY_MS;
    let mut had_trouble = false;
    while !cancel.is_cancelled() {
        let error = match report_once(cell, &input, work, trace).await {
            // Taken over is no trouble: the other process brings the outcome.
            Ok(()) | Err(DriverError::TakenOver) => {
                if had_trouble {
                    cell.shared.clear_trouble();
                }
                return;
            }
            Err(error) => error,
        };
        let may_pass = error.may_pass();
        cell.shared.note_trouble(error);
        had_trouble = true;
        if !may_pass {
            // The report is lost, so the work counts as nobody's: it stays outstanding, and what takes it up next (the
            // heartbeat, or the next start) goes by what the step declares. Kept in flight, nobody ever would.
            cell.give_up(&BTreeSet::from([(work.effect, work.fence)])).await;
            return;
        }
        tokio::select! {
            biased;
            () = cancel.cancelled() => {}
            () = tokio::time::sleep(Duration::from_millis(pause)) => {}
        }
        pause = (pause * 2).min(limits::REPORT_RETRY_MS_MAX);
    }
}

/// One attempt at bringing a report in, as a task of its own: a panic while deciding is an error like any other.
async fn report_once(cell: &Arc<Cell>, input: &Input, work: Reported, trace: &Trace) -> Result<(), DriverError> {
    let (own, input, trace) = (Arc::clone(cell), input.clone(), trace.clone());
    let turn = cell.shared.tasks.spawn(async move { own.turn(&input, Some(work), &trace).await });
    match turn.await {
        Ok(result) => result.map(drop),
        Err(ended) => Err(DriverError::Panicked(panic_text(ended))),
    }
}

/// The same work reports under the same key, whoever did it, so that one outcome of it counts.
pub(super) fn report_key(report: &Report) -> InputKey {
    InputKey::new(match report {
        Report::Drafted { request, .. } => format!("report:draft:{request}"),
        Report::Answered { request, .. } => format!("report:answer:{request}"),
        Report::StepEnded { run, step, attempt, .. } => format!("report:step:{run}:{}:{attempt}", step.number()),
        Report::StepLost { run, step, attempt } => format!("report:lost:{run}:{}:{attempt}", step.number()),
        Report::LookedUp { run, step, attempt, .. } => {
            format!("report:looked_up:{run}:{}:{attempt}", step.number())
        }
        Report::Woke { run, step, attempt } => format!("report:woke:{run}:{}:{attempt}", step.number()),
        Report::TimedOut { pending } => format!("report:timed_out:{pending}"),
        Report::Heard { pending, .. } => format!("report:heard:{pending}"),
        // Each call is one of its own, also where the same is asked twice.
        Report::ModelAsked { call } => format!("report:model:{}:{}", call.task, uuid::Uuid::now_v7()),
        Report::Recovered => "report:recovered".to_owned(),
    })
}

/// What a task that ended by a panic said.
pub(super) fn panic_text(ended: JoinError) -> String {
    let Ok(payload) = ended.try_into_panic() else { return "it was aborted".to_owned() };
    match (payload.downcast_ref::<&str>(), payload.downcast_ref::<String>()) {
        (Some(said), _) => (*said).to_owned(),
        (None, Some(said)) => said.clone(),
        (None, None) => "a panic without words".to_owned(),
    }
}
