//! A patch of the plan that waits: applied, checked, and put before the person as the next version. Next: `report`,
//! which offers drafts the same way.

use std::sync::Arc;

use super::turn::Turn;
use super::{report, say};
use crate::patch::Patch;
use crate::{Event, Outcome, Pending, Plan, PlanDraft, PlanningEvent, Resolution, Trigger};

/// Changes the structure of the plan that waits, if the words ask for that; false when they ask for something else.
pub(super) fn patch(turn: &mut Turn<'_>, question: &Pending, words: &str) -> bool {
    let Some(patch) = Patch::parse(words) else { return false };
    if super::answer::is_entitled(turn, question) {
        propose(turn, question, &[patch], words.to_owned());
    }
    true
}

/// Puts the plan that waits, with `patches`, before the person as its next version; `change` says it in words.
pub(super) fn propose(turn: &mut Turn<'_>, question: &Pending, patches: &[Patch], change: String) {
    let Some(plan) = turn.state().plan().cloned() else { return };
    let patched = match Patch::apply_all(patches, plan.draft()) {
        Ok(draft) => check(turn, &plan, draft),
        Err(error) => Err(error.to_string()),
    };
    match patched {
        Ok(version) => {
            turn.close(question.id, Resolution::Changed);
            let request = turn.next_request();
            let change = Some(change);
            turn.emit(Event::Planning(PlanningEvent::DraftRequested {
                request,
                trigger: Trigger::Suggest,
                change,
                answer: None,
            }));
            report::offer(turn, request, Arc::new(version), Some(&plan));
            turn.note(Outcome::Merged, "The plan was changed; the new version waits for your decision.");
        }
        Err(why) => {
            say::remind(turn, question, &why);
            turn.note(Outcome::Refused, why);
        }
    }
}

fn check(turn: &Turn<'_>, plan: &Plan, draft: PlanDraft) -> Result<Plan, String> {
    let known = report::known_facts(turn);
    Plan::check(plan.id(), plan.version() + 1, draft, &known).map_err(|error| format!("That cannot be: {error}."))
}
