//! A change of a run is planned first (CF-26): the run stays as it is until there is a plan with the change, and stays
//! for good when there is none. One that goes on starts no further step meanwhile. A new task that cannot be planned
//! gives a failed run back its place, too. Next: `report`, which takes the draft in.

use super::turn::Turn;
use super::unplanned::Unplanned;
use super::{act, constraints, redraft, say};
use crate::{
    ClarifiedAnswer, Effect, EffectClass, Event, MessageId, Outcome, Pending, PendingKind, Phase, Plan, PlanningEvent,
    RequestId, Resolution, Run, RunStatus, StepId, StepState, Trigger, limits, text,
};

/// Whether what is planned now must leave the run at hand as it is: it goes on, waits for the person, or has failed.
pub(super) fn keeps_run(turn: &Turn<'_>) -> bool {
    match turn.state().phase() {
        Phase::Executing | Phase::Failed => true,
        Phase::Idle | Phase::Planning | Phase::AwaitingApproval => false,
    }
}

/// Whether a change of the run that goes on is being planned. Until there is a plan, or none, no further step starts:
/// the next one may be what the change is about.
pub(super) fn holds(turn: &Turn<'_>) -> bool {
    let state = turn.state();
    let clarifies = state.pending().iter().any(|open| matches!(open.kind, PendingKind::Clarification { .. }));
    let Some(task) = state.task.as_ref().filter(|_| state.phase() == Phase::Executing) else { return false };
    task.request.is_some() || (clarifies && !task.changes.is_empty())
}

/// The run was over before its change was planned: what was to be different is planned as a change of its result.
pub(super) fn take_over(turn: &mut Turn<'_>, change: Option<(String, Option<MessageId>)>) {
    let Some((change, message)) = change else { return };
    close_questions(turn);
    let request = turn.next_request();
    let (trigger, change, answer) = (Trigger::PlanContinue, Some(change), None);
    turn.emit(Event::Planning(PlanningEvent::DraftRequested { request, trigger, change, answer, message }));
    turn.perform(Effect::DraftPlan { request });
}

/// The change that is being planned beside the run, and the message that asked for it last.
pub(super) fn under_way(turn: &Turn<'_>) -> Option<(String, Option<MessageId>)> {
    let task = turn.state().task.as_ref().filter(|task| holds(turn) && !task.changes.is_empty())?;
    Some((task.changes.join(". "), task.asked_in.last().copied()))
}

/// Has the change planned, or planned on with an answer.
pub(super) fn begin(turn: &mut Turn<'_>, change: Option<String>, answer: Option<ClarifiedAnswer>) {
    // What is said now may settle what was asked before; else it is asked again.
    close_questions(turn);
    let (request, message) = (turn.next_request(), turn.message());
    turn.emit(Event::Planning(PlanningEvent::ChangeTried { request, change, answer, message, held: false }));
    turn.perform(Effect::DraftPlan { request });
}

/// What must not run twice, and runs, is not broken off for a change of what comes after it: the change is planned
/// once it is over, over what it found. False where nothing such runs.
pub(super) fn lets_finish(turn: &mut Turn<'_>) -> bool {
    let Some(step) = turn.state().active_run().and_then(once_under_way) else { return false };
    if !turn.state().task.as_ref().is_some_and(|task| task.is_held) {
        let step = text::capital(&step.to_string());
        turn.say(
            format!("{step} is under way and must not run twice, so it is let finish; then the change is planned."),
            None,
        );
    }
    let request = turn.next_request();
    let (change, answer, message) = (None, None, None);
    turn.emit(Event::Planning(PlanningEvent::ChangeTried { request, change, answer, message, held: true }));
    true
}

/// Plans a change that waited for a step to be over.
pub(super) fn take_up(turn: &mut Turn<'_>) {
    let is_held = turn.state().task.as_ref().is_some_and(|task| task.is_held && task.request.is_some());
    let is_over = || turn.state().active_run().and_then(once_under_way).is_none();
    if is_held && keeps_run(turn) && is_over() {
        begin(turn, None, None);
    }
}

/// The step under way that must not run twice.
pub(super) fn once_under_way(run: &Run) -> Option<StepId> {
    let is_once = |id: &StepId| {
        let runs = matches!(run.state(*id), Some(StepState::Running { .. }));
        runs && run.plan().step(*id).is_some_and(|step| step.effect == EffectClass::OnceOnly)
    };
    run.held().find(is_once)
}

/// There is a plan with the change: only now the run makes room for it.
pub(super) fn take_place(turn: &mut Turn<'_>, request: RequestId) {
    if !keeps_run(turn) {
        return;
    }
    let trigger = act::back_to_planning(turn.state().phase());
    act::stop_run(turn, Trigger::PlanContinue);
    turn.close_all(Resolution::Changed);
    let (change, answer, message) = (None, None, None);
    turn.emit(Event::Planning(PlanningEvent::DraftRequested { request, trigger, change, answer, message }));
}

/// There is none: the run stays as it is, and so does the question about it.
pub(super) fn stays(turn: &mut Turn<'_>, why: Unplanned<'_>) {
    if keeps_those_before(turn, why) {
        return;
    }
    // Why it waits was said with why the change cannot be made.
    constraints::pauses(turn);
    let allowance = turn.state().active_run().map(Run::allowance);
    let how = match (turn.state().phase(), allowance) {
        (Phase::Failed, _) => "stays failed",
        (_, Some(Some(0))) => "stays paused",
        (_, _) => "goes on",
    };
    let (refused, answered) = (format!("Not done, the run {how} as it was"), format!("Answered; the run {how}."));
    redraft::tell_askers(turn, why.became(), &why.detail(&refused, &answered));
    turn.emit(Event::Planning(PlanningEvent::ChangeDropped));
    match turn.state().question().cloned() {
        Some(question) => say::remind(turn, &question, "The run stays as it was."),
        None => turn.say(format!("The run {how} as it was."), None),
    }
}

/// The last of several changes cannot be made: those before it, which wait for the step under way, are planned without
/// it. False where there is only one.
fn keeps_those_before(turn: &mut Turn<'_>, why: Unplanned<'_>) -> bool {
    let Some(task) = turn.state().task.as_ref().filter(|task| task.changes.len() > 1) else { return false };
    let (mut changes, mut asked) = (task.changes.clone(), task.asked_in.clone());
    let last = changes.pop().unwrap_or_default();
    if let Some(message) = asked.pop() {
        let (refused, answered) = ("Not done, the change before it is kept", "Answered; the change before it is kept.");
        turn.receipt_for(message, why.became(), why.detail(refused, answered));
    }
    turn.emit(Event::Planning(PlanningEvent::ChangeDropped));
    let waits = turn.state().active_run().and_then(once_under_way).is_some();
    for (at, change) in changes.iter().enumerate() {
        let (request, message) = (turn.next_request(), asked.get(at).copied());
        let change = Some(change.clone());
        turn.emit(Event::Planning(PlanningEvent::ChangeTried { request, change, answer: None, message, held: waits }));
    }
    let (kept, last) = (changes.join(". "), text::clip(&last, limits::QUOTE_WIDTH));
    let kept = text::clip(&kept, limits::QUOTE_WIDTH);
    turn.say(format!("“{kept}” is planned still, without “{last}”."), None);
    if !waits {
        let request = turn.state().task.as_ref().and_then(|task| task.request);
        request.into_iter().for_each(|request| turn.perform(Effect::DraftPlan { request }));
    }
    true
}

/// A change that is being planned is given up, because of what the person decided meanwhile.
pub(super) fn drop_it(turn: &mut Turn<'_>, why: &str) {
    let is_beside = matches!(turn.state().phase(), Phase::Executing | Phase::Failed);
    let tried = turn.state().task.as_ref().filter(|task| task.request.is_some() || !task.changes.is_empty());
    let Some(changes) = tried.map(|task| task.changes.join(". ")).filter(|_| is_beside) else { return };
    let changes = text::clip(&changes, limits::QUOTE_WIDTH);
    turn.say(format!("“{changes}” is not planned any more: {why}."), None);
    redraft::tell_askers(turn, Outcome::Refused, &format!("Not done: {why}."));
    close_questions(turn);
    turn.emit(Event::Planning(PlanningEvent::ChangeDropped));
}

/// What was asked about a change that is planned in another way now, or not at all, is not asked any more.
fn close_questions(turn: &mut Turn<'_>) {
    let asked = turn.state().pending().iter().filter(|open| matches!(open.kind, PendingKind::Clarification { .. }));
    for question in asked.map(|open| open.id).collect::<Vec<_>>() {
        turn.close(question, Resolution::Superseded);
    }
}

/// "Cancel" to a question about the change drops the change and leaves the run; false when it is about something else.
pub(super) fn cancelled(turn: &mut Turn<'_>, question: &Pending) -> bool {
    if !matches!(question.kind, PendingKind::Clarification { .. }) || !keeps_run(turn) {
        return false;
    }
    turn.close(question.id, Resolution::Cancelled);
    stays(turn, Unplanned::Refused("you dropped it"));
    turn.note(Outcome::Applied, "The change was dropped; the run stays as it was.");
    true
}

/// What to say of a plan that is offered again after its run was stopped for a change that could not be planned.
pub(super) fn was_stopped_for(turn: &Turn<'_>, plan: &Plan) -> Option<String> {
    let run = turn.state().run().filter(|run| **run.plan() == *plan && run.status() == RunStatus::Cancelled)?;
    let done = run.finished().count();
    let of = text::count(run.plan().steps().len(), "step");
    Some(format!("The run was stopped for that, with {done} of {of} done; y goes on with the rest of the same plan."))
}

/// The task that was to take the place of a failed run cannot be planned: the failure is at hand again.
pub(super) fn fails_again(
    turn: &mut Turn<'_>,
    request: RequestId,
    begun_in: Option<MessageId>,
    why: Unplanned<'_>,
) -> bool {
    let Some(run) = turn.state().run().filter(|run| run.status() == RunStatus::Failed).map(Run::id) else {
        return false;
    };
    let detail = why.detail("Not planned, the run that failed is kept", "Answered; the run that failed is kept.");
    redraft::tell_askers(turn, why.became(), &detail);
    if let Some(message) = begun_in {
        turn.receipt_for(message, Outcome::Applied, "Run; it failed, and waits for how to go on.".to_owned());
    }
    turn.emit(Event::Planning(PlanningEvent::FailureKept { request }));
    let pending = turn.ask(PendingKind::Failure { run });
    say::remind(turn, &pending, "The run that failed is kept.");
    true
}
