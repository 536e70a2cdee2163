//! A question about the plan that waits, or about the run at hand: answered from it at once, and what waits named once
//! more. It never decides and never becomes a task. Next: `about` for what plan and run say.

use super::turn::Turn;
use super::{act, queue};
use crate::about::{Topic, told, told_of_run, topic, topic_of_run};
use crate::{Outcome, Pending, PersonId, Phase, Plan, PlanChange, QueryKind, text};

/// Answers `words` if they ask about the plan that waits; false when they are something else.
pub(super) fn answered(turn: &mut Turn<'_>, question: &Pending, words: &str) -> bool {
    let Some(plan) = turn.state().plan().cloned() else { return false };
    let Some(topic) = topic(words, plan.draft(), &turn.policy.query_words) else { return false };
    let answer = match &topic {
        Topic::Who => Some(who(&question.approvers)),
        Topic::Ways => Some(WAYS.to_owned()),
        _ => told(&plan, &topic),
    };
    give(turn, words, &topic, answer)
}

/// Answers `words` if they ask about the run at hand: one that goes on, waits for the person, or has failed.
pub(super) fn answered_of_run(turn: &mut Turn<'_>, words: &str) -> bool {
    let state = turn.state();
    let is_at_hand = matches!(state.phase(), Phase::Executing | Phase::Failed);
    let Some(run) = state.run().filter(|_| is_at_hand).cloned() else { return false };
    let failed = state.phase() == Phase::Failed;
    let Some(topic) = topic_of_run(words, run.plan().draft(), &turn.policy.query_words, failed) else { return false };
    // While it goes on, a question is about the data unless it names the run, the plan or a step.
    let waits = failed || run.is_waiting();
    if !waits && !text::words(words).iter().any(|word| NAMING.contains(&word.as_str())) {
        return false;
    }
    let answer = match &topic {
        Topic::Who => Some(who(&turn.policy.approvers)),
        Topic::Ways if failed => Some(WAYS_ON.to_owned()),
        Topic::Ways => Some(WAYS_WHILE_RUNNING.to_owned()),
        _ => told_of_run(&run, &topic),
    };
    give(turn, words, &topic, answer)
}

/// Gives `answer`, or what only the conversation or the assistant can say to `topic`.
fn give(turn: &mut Turn<'_>, words: &str, topic: &Topic, answer: Option<String>) -> bool {
    match (topic, answer) {
        (_, Some(answer)) => say(turn, answer),
        (Topic::Ask(aspect, step), None) => {
            let kind = QueryKind::Plan { aspect: *aspect, step: *step };
            act::query(turn, words, kind, None);
            return true;
        }
        (Topic::Queue, None) => queue::command(turn, None),
        (Topic::Changes, None) => {
            let Some(plan) = turn.state().plan().cloned() else { return false };
            let told = changes(turn, &plan);
            say(turn, told);
        }
        (_, None) => return false,
    }
    act::remind_of_question(turn);
    true
}

fn say(turn: &mut Turn<'_>, answer: String) {
    turn.say(answer, None);
    turn.note(Outcome::Answered, "Answered from the plan.");
}

fn who(approvers: &[PersonId]) -> String {
    let names: Vec<String> = approvers.iter().map(PersonId::as_str).map(str::to_owned).collect();
    match names.as_slice() {
        [] => "Anyone in this conversation may decide on it.".to_owned(),
        _ => format!("Only {} may decide on it.", names.join(" or ")),
    }
}

fn changes(turn: &Turn<'_>, plan: &Plan) -> String {
    let changes = turn.state().changes_before(plan);
    if changes.is_empty() {
        return "Nothing: this is the first version of the plan.".to_owned();
    }
    let told = |change: &PlanChange| match change {
        PlanChange::Added { description } => Some(format!("added “{description}”")),
        PlanChange::Removed { description } => Some(format!("removed “{description}”")),
        PlanChange::Kept { .. } => None,
        PlanChange::Moved { description, after } => {
            Some(format!("“{description}” now waits for {}", crate::patch::numbered(after)))
        }
        PlanChange::Edited { part, before, after } => Some(format!("{} “{before}” is now “{after}”", part.word())),
    };
    let told: Vec<String> = changes.iter().filter_map(told).collect();
    format!("Since version {}: {}.", plan.version().saturating_sub(1), text::listed(&told))
}

const WAYS: &str = "y runs the plan and n rejects it; nothing else does. Or say what should be different: “drop step \
                    2”, “approve step 1”, “step 2 before step 1”, “only 2024”. /edit opens it in your editor, “hold \
                    on” leaves it open, “cancel” drops it.";

const WAYS_ON: &str = "“retry” (1) runs what is left of it again, “replan” (2) asks what should be different, \
                       “abandon” (3) gives it up. Or say at once what should be different: “skip step 2”, “only 2024”.";

const WAYS_WHILE_RUNNING: &str = "“resume” goes on where it waits, “pause” stops at the next step boundary, “stop” \
                                  ends the run and keeps what is done. Or say what should be different: “skip step \
                                  3”, “only 2024”.";

/// Words that name what runs.
const NAMING: [&str; 6] = ["step", "steps", "plan", "run", "running", "execution"];
