//! A patch of the plan that waits: applied, checked, and put before the person as the next version. Next: `report`,
//! which offers drafts the same way.

use std::sync::Arc;

use super::turn::Turn;
use super::{act, report, say};
use crate::patch::{Patch, PatchError, Wish};
use crate::{Event, Outcome, Pending, Plan, PlanDraft, PlanningEvent, Resolution, Trigger, text};

/// What the words wish of the plan that waits; `None` when they speak of something else.
pub(super) fn wished(turn: &Turn<'_>, words: &str) -> Option<Result<Wish, PatchError>> {
    Wish::read(words, turn.state().plan()?.draft())
}

/// Changes the plan that waits, if the words ask for that; false when they ask for something else. What only the
/// assistant can plan goes to it, in the person's own words.
pub(super) fn patch(turn: &mut Turn<'_>, question: &Pending, words: &str, grounding: &[String]) -> bool {
    let Some(wish) = wished(turn, words) else { return false };
    if !super::answer::is_entitled(turn, question) {
        return true;
    }
    match wish {
        Ok(Wish::Structure(patches)) => propose(turn, question, &patches, words.to_owned()),
        Ok(Wish::Split { .. } | Wish::Constrain { .. } | Wish::Add { .. }) => act::refine(turn, words, grounding),
        Err(error) => refuse(turn, question, &error.to_string()),
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
        Err(why) => refuse(turn, question, &why),
    }
}

fn refuse(turn: &mut Turn<'_>, question: &Pending, why: &str) {
    let why = text::capital(why);
    say::remind(turn, question, &why);
    turn.note(Outcome::Refused, why);
}

fn check(turn: &Turn<'_>, plan: &Plan, draft: PlanDraft) -> Result<Plan, String> {
    let known = report::known_facts(turn);
    Plan::check(plan.id(), plan.version() + 1, draft, &known).map_err(|error| format!("That cannot be: {error}."))
}
