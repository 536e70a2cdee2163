//! Words are said about what was on the screen when they were sent. Where something else waits or runs by the time they
//! are decided on, a yes, a choice or a change is not taken for it: the person is told what changed and shown what is
//! there now. "Stop" is always taken. Next: `message`.

use super::turn::Turn;
use super::{answer, say};
use crate::{Card, Outcome, Pending, Phase, PlanCard, PlanVersion, Reply, plan_changes};

/// Whether the words were sent before `question` was on the screen.
pub(super) fn is_unseen(turn: &Turn<'_>, question: &Pending) -> bool {
    turn.seen().is_some_and(|seen| seen.question != Some(question.reference()))
}

/// Whether `question` is known to have been on the screen when the words were sent.
pub(super) fn is_seen(turn: &Turn<'_>, question: &Pending) -> bool {
    turn.seen().is_some_and(|seen| seen.question == Some(question.reference()))
}

/// Refuses words as an answer to a question that their sender had not seen, and shows it.
pub(super) fn not_taken(turn: &mut Turn<'_>, question: &Pending) {
    let why = said_about(turn);
    turn.say(format!("{why} It was not taken as an answer. This waits now:"), None);
    say::show(turn, question);
    turn.note(Outcome::Refused, why);
}

/// Refuses a change that was said about another version of the plan than the one at hand; false when it was not.
pub(super) fn refuse_overtaken(turn: &mut Turn<'_>) -> bool {
    let Some(plan) = turn.state().plan().cloned() else { return false };
    let Some(about) = turn.seen().and_then(|seen| seen.plan) else { return false };
    if about == PlanVersion::of(&plan) {
        return false;
    }
    let why = said_about(turn);
    turn.say(format!("{why} Nothing was changed; say it again if it still holds."), None);
    let question = turn.state().question().cloned();
    match question {
        Some(question) => say::show(turn, &question),
        None => {
            let before = turn.state().task.as_ref().and_then(|task| task.before.clone());
            let changes = before.map(|before| plan_changes(&before, &plan)).unwrap_or_default();
            let card = PlanCard { plan, reference: None, changes, reused: Vec::new() };
            turn.say("This is the plan now:", Some(Card::Plan(card)));
        }
    }
    turn.note(Outcome::Refused, why);
    true
}

/// A yes or no to a question that has ended meanwhile, with nothing else waiting: its sender is told how it ended.
pub(super) fn told_how_it_ended(turn: &mut Turn<'_>, words: &str) -> bool {
    let about = turn.seen().and_then(|seen| seen.question);
    let Some(resolved) = about.and_then(|about| turn.state().resolved(about.pending)).cloned() else { return false };
    let reply = turn.reader.reply(words, &turn.read_context(&[]));
    let is_decision = matches!(reply, Reply::Approve | Reply::ApproveWithNote { .. } | Reply::Reject);
    if is_decision {
        let wishes = if reply == Reply::Reject { &crate::Verdict::Reject } else { &crate::Verdict::Approve };
        answer::already(turn, &resolved, wishes);
    }
    is_decision
}

/// What the words were about, and what became of that.
fn said_about(turn: &Turn<'_>) -> String {
    let seen = turn.seen().unwrap_or_default();
    let now = turn.state().plan().map(|plan| PlanVersion::of(plan));
    if let (Some(then), Some(now)) = (seen.plan, now)
        && then != now
    {
        let does = if turn.state().phase() == Phase::Executing { "runs" } else { "is there" };
        let other = if then.plan == now.plan {
            format!("version {} {does} now", now.version)
        } else {
            format!("another plan {does} now")
        };
        return format!("That was said about version {} of the plan, and {other}.", then.version);
    }
    let ended = seen.question.and_then(|about| turn.state().resolved(about.pending));
    match ended {
        Some(resolved) => {
            let by = resolved.by.as_ref().map(|by| format!(" {}", by.told(turn.now))).unwrap_or_default();
            format!("That was said about an earlier question, which was {}{by}.", resolved.resolution.word())
        }
        None => "That was said before this question was asked.".to_owned(),
    }
}
