//! A question about the plan that waits: answered from the plan at once, and the plan named as waiting once more. It
//! never decides and never becomes a task. Next: `about` for what the plan says.

use super::turn::Turn;
use super::{act, queue};
use crate::about::{Topic, told, topic};
use crate::{Outcome, Pending, PersonId, Plan, PlanChange, QueryKind, text};

/// Answers `words` if they ask about the plan that waits; false when they are something else.
pub(super) fn answered(turn: &mut Turn<'_>, question: &Pending, words: &str) -> bool {
    let Some(plan) = turn.state().plan().cloned() else { return false };
    let Some(topic) = topic(words, plan.draft(), &turn.policy.query_words) else { return false };
    match &topic {
        Topic::Ask(aspect, step) => {
            let kind = QueryKind::Plan { aspect: *aspect, step: *step };
            act::query(turn, words, kind, None);
            return true;
        }
        Topic::Queue => queue::command(turn, None),
        Topic::Who => say(turn, who(question)),
        Topic::Ways => say(turn, WAYS.to_owned()),
        Topic::Changes => say(turn, changes(turn, &plan)),
        Topic::Effects
        | Topic::Undo
        | Topic::IfNo
        | Topic::IfFails
        | Topic::Assumptions
        | Topic::Whole
        | Topic::Step(_)
        | Topic::Why(_)
        | Topic::Order
        | Topic::Result
        | Topic::Mention(_) => {
            let Some(answer) = told(&plan, &topic) else { return false };
            say(turn, answer);
        }
    }
    act::remind_of_question(turn);
    true
}

fn say(turn: &mut Turn<'_>, answer: String) {
    turn.say(answer, None);
    turn.note(Outcome::Answered, "Answered from the plan.");
}

fn who(question: &Pending) -> String {
    let names: Vec<String> = question.approvers.iter().map(PersonId::as_str).map(str::to_owned).collect();
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

const WAYS: &str = "y runs the plan and n rejects it; nothing else does. Or say what should be different: “drop step 2”, \
                    “approve step 1”, “step 2 before step 1”, “only 2024”. /edit opens it in your editor, “hold on” leaves \
                    it open, “cancel” drops it.";
