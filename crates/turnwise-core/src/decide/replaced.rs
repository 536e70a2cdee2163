//! A new task takes the place of what is at hand: what is lost by that is said, and the message that had asked for it
//! is told so, because nothing a person asked for may end in silence (CF-18). Next: `act`, which begins the task.

use super::choice::gives_way;
use super::turn::Turn;
use crate::{MessageId, Outcome, Phase, limits, text};

/// Tells what the task `by`, which came in `message`, takes the place of.
pub(super) fn tell(turn: &mut Turn<'_>, message: Option<MessageId>, by: &str) {
    let Some(lost) = lost(turn) else { return };
    let begun_in = turn.state().task.as_ref().and_then(|task| task.begun_in);
    let waiting = super::several::wait_on(turn);
    // Nobody waits for what was only offered.
    if !waiting.is_empty() || !turn.state().question().is_some_and(gives_way) {
        turn.say(format!("This takes the place of {lost}{waiting}"), None);
    }
    let Some(begun_in) = begun_in.filter(|begun| Some(*begun) != message && Some(*begun) != turn.message()) else {
        return;
    };
    let by = text::clip(by, limits::TITLE_WIDTH_PLANNING);
    turn.receipt_for(begun_in, Outcome::Refused, format!("Not finished: “{by}” took the place of {lost}"));
}

/// What is at hand and how far it got; `None` when nothing is.
fn lost(turn: &Turn<'_>) -> Option<String> {
    let state = turn.state();
    let title = state.plan().map(|plan| text::clip(&plan.draft().title, limits::TITLE_WIDTH_PLANNING));
    let problem = state.problem().map(|problem| text::clip(problem, limits::TITLE_WIDTH_PLANNING));
    match state.phase() {
        Phase::Idle | Phase::Executing => None,
        Phase::Planning => Some(format!("“{}”, which is not planned any more.", problem?)),
        Phase::AwaitingApproval => Some(format!("the plan “{}”, of which nothing was executed.", title?)),
        Phase::Failed => {
            let run = state.run()?;
            let (all, done) = (run.plan().steps().len(), run.finished().count());
            let kept = if done > 0 { " Facts of finished steps are kept." } else { "" };
            let why = run.failed_step().and_then(|step| Some(format!(" at {step}: {}", run.error(step)?)));
            let why = text::clip(&why.unwrap_or_default(), limits::REASON_WIDTH);
            let why = if why.is_empty() { why } else { format!(" {}", why.trim_end_matches('.')) };
            Some(format!(
                "the run of “{}”, which failed{why}. It is given up: {done} of {} done.{kept}",
                title?,
                text::count(all, "step")
            ))
        }
    }
}
