//! A draft that came to no plan: it cannot be planned, or there was nothing to plan and it was answered. What waited
//! before it waits again. Next: `tried` for what is planned beside a run.

use std::sync::Arc;

use super::turn::Turn;
use super::{redraft, satisfied, say, talk, tried};
use crate::{Effect, Event, Outcome, PendingKind, PlanningEvent, RequestId, Talk, Trigger, limits, text};

/// Why a draft came to no plan.
#[derive(Clone, Copy)]
pub(super) enum Unplanned<'a> {
    /// It cannot be planned, for this reason.
    Refused(&'a str),
    /// There was nothing to plan, and the request was answered.
    Answered,
}

impl Unplanned<'_> {
    pub(super) fn became(self) -> Outcome {
        match self {
            Self::Refused(_) => Outcome::Refused,
            Self::Answered => Outcome::Answered,
        }
    }

    /// What is told of the message that asked, where this became of it otherwise.
    pub(super) fn detail(self, refused: &str, answered: &str) -> String {
        match self {
            Self::Refused(why) => format!("{refused}: {}", text::clip(why, limits::REASON_WIDTH)),
            Self::Answered => answered.to_owned(),
        }
    }
}

/// No plan comes of a draft. A plan that was offered before the change stays on offer: nothing is lost.
pub(super) fn ends(turn: &mut Turn<'_>, request: RequestId, why: Unplanned<'_>) {
    let standing = turn.state().task.as_ref().filter(|task| task.is_offered).and_then(|task| task.base.clone());
    if tried::keeps_run(turn) {
        tried::stays(turn, why);
        return;
    }
    if let Some(plan) = standing {
        let detail = why.detail("Not done, the plan stays as it was", "Answered; the plan stays as it was.");
        redraft::tell_askers(turn, why.became(), &detail);
        turn.emit(Event::Planning(PlanningEvent::PlanDrafted { request, plan: Arc::clone(&plan) }));
        let pending = turn.ask(PendingKind::Approval { plan: plan.id(), version: plan.version() });
        let was_stopped = tried::was_stopped_for(turn, &plan);
        say::offer_again(turn, &pending, &was_stopped.unwrap_or_else(|| "The plan stays as it was.".to_owned()));
        return;
    }
    if let Unplanned::Refused(why) = why
        && asks_on(turn, why)
    {
        return;
    }
    if turn.flow().talk() == Talk::None && waits_again(turn, request, why) {
        return;
    }
    match why {
        Unplanned::Refused(explanation) => abandoned(turn, request, explanation),
        Unplanned::Answered => {
            redraft::tell_askers(turn, Outcome::Answered, "Answered.");
            turn.emit(Event::Planning(PlanningEvent::TaskAnswered { request }));
        }
    }
}

/// What was said while a draft is asked about cannot be planned with it: the draft goes on without that, and what is
/// still open is asked again. False where nothing was asked yet, or nothing was said besides answers.
fn asks_on(turn: &mut Turn<'_>, why: &str) -> bool {
    let asked = turn.state().task.as_ref().filter(|task| task.clarifications > 0 && !task.changes.is_empty());
    let Some(task) = asked.filter(|_| turn.flow().talk() == Talk::None).cloned() else { return false };
    let kept = &task.changes[..task.changes.len() - 1];
    if let Some(message) = task.asked_in.last() {
        let why = text::clip(why, limits::REASON_WIDTH);
        turn.receipt_for(*message, Outcome::Refused, format!("Not done, what is drafted stays as it was: {why}"));
    }
    turn.emit(Event::Planning(PlanningEvent::ChangeDropped));
    let kept = kept.iter().cloned().map(Some);
    let mut request = None;
    for change in kept.chain([None]) {
        let next = turn.next_request();
        let (trigger, answer, message) = (Trigger::PlanContinue, None, None);
        turn.emit(Event::Planning(PlanningEvent::DraftRequested { request: next, trigger, change, answer, message }));
        request = Some(next);
    }
    request.into_iter().for_each(|request| turn.perform(Effect::DraftPlan { request }));
    true
}

fn abandoned(turn: &mut Turn<'_>, request: RequestId, explanation: &str) {
    let noted = turn.state().task.as_ref().map(|task| (task.problem.clone(), task.changes.clone(), task.kind));
    let noted = noted.filter(|_| turn.flow().talk() != Talk::None);
    // What should be different about what was done at once is not lost either.
    let of_run = turn.state().task.as_ref().filter(|task| task.base.is_some());
    let feedback = of_run.and_then(|task| task.changes.last().cloned());
    let (became, kept) = match noted {
        Some(_) => (Outcome::Merged, "Not planned, but noted"),
        None => (Outcome::Refused, "Not planned"),
    };
    let why = text::clip(explanation, limits::REASON_WIDTH);
    redraft::tell_askers(turn, became, &format!("{kept}: {why}"));
    let explanation = explanation.to_owned();
    turn.emit(Event::Planning(PlanningEvent::PlanningFailed { request, explanation }));
    // What was talked over is not lost because it could not be planned as it stood.
    if let Some((problem, changes, kind)) = noted {
        talk::note_again(turn, &problem, &changes, kind);
    } else if let Some(feedback) = feedback {
        satisfied::ask_again(turn, &feedback);
    }
}

/// The plan that waited when the task came waits again; `false` when none did.
fn waits_again(turn: &mut Turn<'_>, request: RequestId, why: Unplanned<'_>) -> bool {
    let displaced = turn.state().task.as_ref().and_then(|task| task.displaced.clone());
    if let Some(failed) = displaced.as_ref().filter(|task| task.has_failed) {
        return tried::fails_again(turn, request, failed.begun_in, why);
    }
    let Some((plan, begun_in)) = displaced.and_then(|task| Some((task.base.clone()?, task.begun_in))) else {
        return false;
    };
    let detail = why
        .detail("Not planned, the plan before waits again", "Answered; the plan before waits for its decision again.");
    redraft::tell_askers(turn, why.became(), &detail);
    if let Some(message) = begun_in {
        turn.receipt_for(message, Outcome::Applied, "Planned; the plan waits for a decision.".to_owned());
    }
    turn.emit(Event::Planning(PlanningEvent::PlanDrafted { request, plan: Arc::clone(&plan) }));
    let pending = turn.ask(PendingKind::Approval { plan: plan.id(), version: plan.version() });
    say::offer_again(turn, &pending, "The plan before is kept.");
    true
}
