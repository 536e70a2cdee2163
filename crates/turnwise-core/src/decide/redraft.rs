//! A plan drafted anew takes the place of one that a person had changed: what was changed by hand is done to it again,
//! what cannot be is told, and the receipts of the messages that asked say in the end what became of them.
//! Next: `patch::carry`, which does it.

use super::report;
use super::turn::Turn;
use crate::patch::{Carried, carry};
use crate::{MessageId, Outcome, Plan, PlanDraft, Presentation, limits, text};

/// `draft` with what was changed by hand in `base`, the plan it takes the place of.
pub(super) fn with_earlier_changes(turn: &Turn<'_>, base: Option<&Plan>, draft: &PlanDraft) -> Carried {
    let plain = |lost: Vec<String>| Carried { draft: draft.clone(), lost };
    let Some(base) = base.filter(|base| !base.draft().endings.reshaped.is_empty()) else { return plain(Vec::new()) };
    // A draft that was made over the plan as it was changed has those changes already.
    if !draft.endings.reshaped.is_empty() {
        return plain(Vec::new());
    }
    let changes = turn.state().task.as_ref().map(|task| task.changes.clone()).unwrap_or_default();
    let carried = carry(base.draft(), draft.clone(), &changes);
    // A plan of which the changes make no plan any more is offered as it was drafted, rather than not at all.
    match Plan::check(base.id(), base.version() + 1, carried.draft.clone(), &report::known_facts(turn)) {
        Ok(_) => carried,
        Err(error) => plain(vec![format!("all changes of its structure ({error})")]),
    }
}

/// Says which earlier changes version `version` is without.
pub(super) fn tell_lost(turn: &mut Turn<'_>, version: u32, lost: &[String]) {
    if lost.is_empty() {
        return;
    }
    let lost = lost.join(", ");
    turn.say(format!("Not carried over into version {version}: {lost}."), None);
    tell_askers(turn, Outcome::Merged, &format!("In version {version} of the plan, which is without {lost}."));
}

/// What became of the messages that asked for what was being drafted.
pub(super) fn tell_askers(turn: &mut Turn<'_>, outcome: Outcome, detail: &str) {
    let asked: Vec<MessageId> = turn.state().task.as_ref().map(|task| task.asked_in.clone()).unwrap_or_default();
    for message in asked {
        turn.receipt_for(message, outcome, detail.to_owned());
    }
}

/// Whether a run of the plan is over; of one that waits, a change that changes nothing is none.
fn has_ended(turn: &Turn<'_>, plan: &Plan) -> bool {
    let of_plan = turn.state().run().filter(|run| run.plan().id() == plan.id());
    of_plan.is_some() && turn.state().active_run().is_none()
}

/// What to say of a change after which the plan does the same and shows it the same; `None` when something differs.
pub(super) fn unchanged(turn: &Turn<'_>, base: &Plan, draft: &PlanDraft) -> Option<String> {
    let task = turn.state().task.as_ref().filter(|task| task.is_offered && !task.changes.is_empty())?;
    let old = base.draft();
    let looks = |draft: &PlanDraft| -> Vec<Presentation> {
        let named = draft.endings.results.iter().map(|named| named.presentation);
        named.chain([draft.presentation]).collect()
    };
    let is_same = old.steps == draft.steps
        && old.result == draft.result
        && old.assumptions == draft.assumptions
        && looks(old) == looks(draft);
    // Drafted anew after a failure, the same may be just what is wanted.
    if !is_same || task.failure.is_some() || has_ended(turn, base) {
        return None;
    }
    let said = text::clip(&task.changes.join(". "), limits::QUOTE_WIDTH);
    let looks = draft.presentation.in_words();
    Some(format!("“{said}” changes nothing: the plan already is like that, and its result is shown {looks}."))
}
