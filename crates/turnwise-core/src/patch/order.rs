//! Orders between steps. A step waits for another once, never for itself, and never for one that waits for it.
//! Next: `Plan::check`, which nothing passes by.

use std::collections::{BTreeMap, BTreeSet};

use super::PatchError;
use crate::{FactName, PlanDraft, Step, StepId, text};

/// Makes `later` wait for `earlier`.
pub(super) fn wait(draft: &mut PlanDraft, later: StepId, earlier: StepId) -> Result<(), PatchError> {
    if later == earlier {
        return Err(PatchError::Itself(later));
    }
    if before(&draft.steps, earlier).contains(&later) {
        return Err(PatchError::Circle { later, earlier, needs: handed(draft, later, earlier) });
    }
    // What is already so is not said twice.
    if !before(&draft.steps, later).contains(&earlier) {
        for step in draft.steps.iter_mut().filter(|step| step.id == later) {
            step.after.push(earlier);
        }
    }
    Ok(())
}

/// Puts each in the other's place and makes the one that came first wait.
pub(super) fn swap(draft: &mut PlanDraft, one: StepId, other: StepId) -> Result<(), PatchError> {
    let (first, second) = (one.min(other), one.max(other));
    wait(draft, first, second)?;
    let (from, to) = (first.number() as usize - 1, second.number() as usize - 1);
    draft.steps.swap(from, to);
    let exchanged = |id: StepId| match id {
        id if id == first => second,
        id if id == second => first,
        id => id,
    };
    for step in &mut draft.steps {
        step.id = exchanged(step.id);
        for before in &mut step.after {
            *before = exchanged(*before);
        }
    }
    Ok(())
}

/// Makes every step that waits for nothing wait for `step`.
pub(super) fn first(draft: &mut PlanDraft, step: StepId) -> Result<(), PatchError> {
    let before = before(&draft.steps, step);
    if !before.is_empty() {
        return Err(PatchError::NotFirst(step, listed(&before)));
    }
    for other in draft.steps.iter_mut().filter(|other| other.id != step && other.after.is_empty()) {
        other.after.push(step);
    }
    Ok(())
}

/// Makes `step` wait for every step that nothing waits for.
pub(super) fn last(draft: &mut PlanDraft, step: StepId) -> Result<(), PatchError> {
    let waiting: BTreeSet<StepId> =
        draft.steps.iter().filter(|other| other.after.contains(&step)).map(|other| other.id).collect();
    if !waiting.is_empty() {
        let verb = if waiting.len() == 1 { "needs" } else { "need" };
        return Err(PatchError::NotLast(step, format!("{} {verb}", listed(&waiting))));
    }
    let waited_for: BTreeSet<StepId> = draft.steps.iter().flat_map(|step| step.after.iter().copied()).collect();
    let ends: Vec<StepId> =
        draft.steps.iter().map(|step| step.id).filter(|id| *id != step && !waited_for.contains(id)).collect();
    for other in draft.steps.iter_mut().filter(|other| other.id == step) {
        other.after.extend(&ends);
    }
    Ok(())
}

/// Makes each step wait for the one before it in some order that keeps every wait there is.
pub(super) fn chain(draft: &mut PlanDraft) {
    let order = sequence(&draft.steps);
    for pair in order.windows(2) {
        let (earlier, later) = (pair[0], pair[1]);
        for step in draft.steps.iter_mut().filter(|step| step.id == later && !step.after.contains(&earlier)) {
            step.after.push(earlier);
        }
    }
}

/// The steps in an order in which each stands behind all it waits for; by number where that is free.
fn sequence(steps: &[Step]) -> Vec<StepId> {
    let mut waiting: BTreeMap<StepId, BTreeSet<StepId>> =
        steps.iter().map(|step| (step.id, step.after.iter().copied().collect())).collect();
    let mut next: BTreeMap<StepId, Vec<StepId>> = BTreeMap::new();
    for step in steps {
        step.after.iter().for_each(|earlier| next.entry(*earlier).or_default().push(step.id));
    }
    let mut free: BTreeSet<StepId> = steps.iter().filter(|step| step.after.is_empty()).map(|step| step.id).collect();
    let mut order = Vec::new();
    while let Some(step) = free.pop_first() {
        order.push(step);
        for later in next.get(&step).into_iter().flatten() {
            let left = waiting.entry(*later).or_default();
            if left.remove(&step) && left.is_empty() {
                free.insert(*later);
            }
        }
    }
    order
}

/// All that `step` waits for, directly or not.
pub(crate) fn before(steps: &[Step], step: StepId) -> BTreeSet<StepId> {
    let at = |id: StepId| (id.number() as usize).checked_sub(1).and_then(|index| steps.get(index));
    let (mut found, mut open) = (BTreeSet::new(), vec![step]);
    while let Some(step) = open.pop().and_then(at) {
        open.extend(step.after.iter().copied().filter(|id| found.insert(*id)));
    }
    found
}

/// The fact that `from` hands to `to`, if it does so directly.
fn handed(draft: &PlanDraft, from: StepId, to: StepId) -> Option<FactName> {
    let (from, to) = (step_of(draft, from)?, step_of(draft, to)?);
    to.needs.iter().find(|fact| from.produces.contains(fact)).cloned()
}

fn step_of(draft: &PlanDraft, id: StepId) -> Option<&Step> {
    draft.steps.iter().find(|step| step.id == id)
}

fn listed(steps: &BTreeSet<StepId>) -> String {
    let steps: Vec<String> = steps.iter().map(|step| step.to_string()).collect();
    text::listed(&steps)
}
