//! The three ways on from a failed run (CF-18). The person chooses; nothing is retried behind their back beyond a
//! step's own stated retries. Next: `settle`, which opens the question.

use super::turn::Turn;
use super::{about, answer, message, patching, pause, say, seen};
use crate::{
    Event, Outcome, Pending, PendingKind, PlanningEvent, Resolution, RunEvent, RunId, StepId, Trigger, Verdict, text,
};

/// Words said while the choice of a way on is open; whether they were an answer to it or about the run.
pub(super) fn hear(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    if turn.reader.asks_for_fix(words) && (question.is_fixable || !words.trim().chars().all(char::is_numeric)) {
        if question.is_fixable {
            propose_fix(turn);
        } else {
            say::remind(
                turn,
                question,
                "Nothing here can work out a fix: that takes a language model, or another agent as a worker.",
            );
            turn.note(Outcome::Asked, "A fix was asked for, and nothing here can work one out.");
        }
        return true;
    }
    match answer::failure_verdict(words) {
        // Said without the failure in sight it may be meant for a run that waits.
        Some(Verdict::Retry) if pause::means_resume(words) && !seen::is_seen(turn, question) => {
            say::remind(turn, question, "The run failed, and was not tried again.");
            turn.note(Outcome::Asked, "Asked how to go on.");
            true
        }
        Some(verdict) => {
            answer::by_verdict(turn, question, &verdict);
            true
        }
        None if answer::verdict_named(&text::words(words).join(" ")).is_some() => {
            say::remind(turn, question, "Nothing was done: say it plainly.");
            turn.note(Outcome::Asked, "Asked how to go on.");
            true
        }
        None if message::is_verdict(turn, words) => {
            say::remind(turn, question, "A yes or no does not say how to go on.");
            turn.note(Outcome::Asked, "Asked how to go on.");
            true
        }
        None => patching::patch(turn, question, words, grounding) || about::answered_of_run(turn, words),
    }
}

/// Plans what would mend what failed; the run stays as it is until there is a plan.
pub(super) fn propose_fix(turn: &mut Turn<'_>) {
    super::act::refine(turn, FIX, &[]);
}

/// The change that is planned for a fix.
pub(super) const FIX: &str = "Propose a fix for what failed";

/// Runs what is left of the failed plan again; finished steps are kept.
pub(super) fn retry(turn: &mut Turn<'_>, question: &Pending, failed: RunId) {
    let run = turn.state().run().filter(|run| run.id() == failed && turn.state().phase().can_retry());
    let Some(run) = run else {
        turn.refuse("That run cannot be retried any more.");
        return;
    };
    let kept: Vec<StepId> = run.finished().collect();
    let plan = std::sync::Arc::clone(run.plan());
    let checkpoints = run.checkpoints().or(Some(turn.flow().approval_mode));
    if !answer::may_run(turn) {
        return;
    }
    super::tried::drop_it(turn, "the run is tried again without it");
    turn.close(question.id, Resolution::Answered);
    let run = RunId::new(turn.state().counters.run);
    let person = turn.person();
    let trigger = Trigger::Retry;
    turn.emit(Event::Run(RunEvent::Approved { person, run, plan, kept, trigger, note: None, checkpoints }));
    pause::set_out(turn, run);
    turn.note(Outcome::Applied, format!("Trying again as {run}; finished steps are kept."));
}

/// The same for words that name no way on; false when no run has failed.
pub(super) fn retry_what_failed(turn: &mut Turn<'_>) -> bool {
    let failed = |pending: &&Pending| matches!(pending.kind, PendingKind::Failure { .. });
    let Some(question) = turn.state().pending().iter().find(failed).cloned() else { return false };
    if let PendingKind::Failure { run } = question.kind {
        retry(turn, &question, run);
    }
    true
}

/// Back to planning, with the failure as context.
pub(super) fn replan(turn: &mut Turn<'_>, question: &Pending) {
    super::tried::drop_it(turn, "the plan is asked about anew");
    turn.close(question.id, Resolution::Changed);
    turn.emit(Event::Planning(PlanningEvent::PlanningPaused { trigger: Trigger::Replan }));
    say::ask_for_direction(turn, "Finished steps are kept. \"The same again\" plans it as things stand now.");
    turn.note(Outcome::Applied, "Back to planning; asked what should be different.");
}

/// Gives the run up; facts of finished steps stay.
pub(super) fn abandon(turn: &mut Turn<'_>, question: &Pending) {
    turn.close(question.id, Resolution::Cancelled);
    turn.emit(Event::Planning(PlanningEvent::TaskDropped { trigger: Trigger::Abandon }));
    let listed = if turn.has_command("/facts") { "; /facts lists them" } else { "" };
    turn.say(format!("Given up. Facts of finished steps are kept{listed}."), None);
    turn.note(Outcome::Applied, "The failed run was given up.");
}
