//! Questions that were given an end (DESIGN §7; CF-17: by default none has one). When it has come, the question is
//! closed as expired, which is neither a yes nor a no: nothing was approved, and nobody rejected anything. Every input
//! looks first, so that an answer that comes too late never counts, however late the wake-up is. Next: `settle`.

use super::turn::Turn;
use crate::{Event, Pending, PendingKind, PlanningEvent, Resolution, Trigger, text};

/// Closes what should have been answered by now.
pub(super) fn due(turn: &mut Turn<'_>) {
    let now = turn.now;
    let is_due = |question: &&Pending| question.expires.is_some_and(|at| at <= now);
    let due: Vec<Pending> = turn.state().pending().iter().filter(is_due).cloned().collect();
    for question in due {
        turn.emit(Event::PendingClosed { pending: question.id, resolution: Resolution::Expired, by: None });
        let is_plan = matches!(question.kind, PendingKind::Approval { .. }) && turn.state().phase().can_execute();
        if is_plan {
            drop_plan(turn, &question);
        }
    }
}

fn drop_plan(turn: &mut Turn<'_>, question: &Pending) {
    let title = turn.state().plan().map(|plan| plan.draft().title.clone()).unwrap_or_default();
    turn.emit(Event::Planning(PlanningEvent::TaskDropped { trigger: Trigger::Expire }));
    let by = question.expires.map(|at| format!(" by {}", text::moment(at, turn.now))).unwrap_or_default();
    let said =
        format!("Nobody decided on “{title}”{by}, so it has expired. Nothing was executed; ask again to plan it.");
    turn.say(said, None);
}
