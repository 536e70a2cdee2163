//! A plan with fewer steps: numbered anew, with nothing kept that needs what is gone, and with results that are what
//! the kept steps find. A result that nobody asked for as such is never passed off as the answer: it is named after its
//! step. Next: `decide::settle`, which tells results.

use std::collections::{BTreeMap, BTreeSet};

use super::{Need, PatchError, numbered};
use crate::{EffectClass, FactName, NamedResult, PlanDraft, Presentation, Step, StepId};

/// How the steps were chosen, for what could be said instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// By what goes.
    Drop,
    /// By what stays.
    Keep,
}

/// Keeps the steps `keep` says.
pub(super) fn retain(draft: &mut PlanDraft, keep: &dyn Fn(StepId) -> bool, said: Said) -> Result<(), PatchError> {
    let (kept, gone): (Vec<Step>, Vec<Step>) = draft.steps.iter().cloned().partition(|step| keep(step.id));
    if kept.is_empty() {
        return Err(PatchError::NothingLeft);
    }
    if gone.is_empty() {
        return Ok(());
    }
    let needs = needs(&kept, &gone);
    if !needs.is_empty() {
        return Err(PatchError::StillNeeded { instead: instead(draft, &kept, &gone, said), needs });
    }
    let mut numbers: Vec<Option<StepId>> = vec![None; draft.steps.len() + 1];
    for (number, step) in (1_u32..).zip(&kept) {
        numbers[step.id.number() as usize] = Some(StepId::new(number));
    }
    let renumbered = |old: &StepId| numbers.get(old.number() as usize).copied().flatten();
    let steps = kept.iter().filter_map(|step| {
        let after = waited_for(step, &gone).iter().filter_map(&renumbered).collect();
        Some(Step { id: renumbered(&step.id)?, after, ..step.clone() })
    });
    draft.steps = steps.collect();
    settle_results(draft, &gone);
    draft.endings.left_out.extend(gone.into_iter().map(|step| step.description));
    Ok(())
}

/// What `step` waits for, where what is gone waited itself: the order of what is kept is the same as before.
fn waited_for(step: &Step, gone: &[Step]) -> BTreeSet<StepId> {
    let mut found = BTreeSet::new();
    let mut open: Vec<StepId> = step.after.clone();
    while let Some(before) = open.pop() {
        if found.insert(before)
            && let Some(between) = gone.iter().find(|step| step.id == before)
        {
            open.extend(&between.after);
        }
    }
    found
}

/// Which kept step needs what of one that is gone.
fn needs(kept: &[Step], gone: &[Step]) -> Vec<Need> {
    let producers = producers(gone);
    let of = |step: &Step, fact: &FactName| {
        let producer = producers.get(fact).copied()?;
        Some(Need { step: step.id, fact: fact.clone(), producer })
    };
    kept.iter()
        .flat_map(|step| step.needs.iter().map(move |fact| (step, fact)))
        .filter_map(|(step, fact)| of(step, fact))
        .take(NEEDS_TOLD_MAX)
        .collect()
}

fn producers(steps: &[Step]) -> BTreeMap<&FactName, StepId> {
    steps.iter().flat_map(|step| step.produces.iter().map(|fact| (fact, step.id))).collect()
}

/// What could be said instead: the same with all that belongs to it.
fn instead(draft: &PlanDraft, kept: &[Step], gone: &[Step], said: Said) -> String {
    let producers = producers(&draft.steps);
    let mut linked: BTreeMap<StepId, Vec<StepId>> = BTreeMap::new();
    for step in &draft.steps {
        for from in step.needs.iter().filter_map(|fact| producers.get(fact)) {
            let (one, other) = if said == Said::Drop { (*from, step.id) } else { (step.id, *from) };
            linked.entry(one).or_default().push(other);
        }
    }
    let mut open: Vec<StepId> = if said == Said::Drop { gone } else { kept }.iter().map(|step| step.id).collect();
    let mut chosen: BTreeSet<StepId> = open.iter().copied().collect();
    while let Some(step) = open.pop() {
        open.extend(linked.get(&step).into_iter().flatten().copied().filter(|other| chosen.insert(*other)));
    }
    let chosen: Vec<StepId> = chosen.into_iter().collect();
    match (said, chosen.len() == draft.steps.len()) {
        (Said::Drop, true) => "n to reject the plan, because all of it rests on that".to_owned(),
        (Said::Keep, true) => "y to approve the whole plan, because that rests on all of it".to_owned(),
        (Said::Drop, false) => format!("“drop {}”", numbered(&chosen)),
        (Said::Keep, false) => format!("“approve {} only”", numbered(&chosen)),
    }
}

/// What the kept steps come to. A result whose step stays is shown as before; of a step with an effect that went, what
/// it was to be done with is shown in its place; and what was found only to be worked on is shown under the name of its
/// step.
fn settle_results(draft: &mut PlanDraft, gone: &[Step]) {
    let produced = |fact: &FactName| draft.steps.iter().any(|step| step.produces.contains(fact));
    let was_one = draft.endings.results.is_empty();
    let mut results = results(draft);
    let mut handed_on = BTreeSet::new();
    for result in &mut results {
        // Each step with an effect hands on what it was given first, which may be the outcome of another such step.
        while let Some(step) = gone.iter().find(|step| step.produces.contains(&result.fact))
            && step.effect != EffectClass::Pure
            && let Some(given) = step.needs.first().filter(|given| **given != result.fact)
        {
            result.fact.clone_from(given);
            handed_on.extend(step.needs.iter().cloned());
        }
    }
    results.retain(|result| produced(&result.fact));
    results.dedup_by(|one, other| one.fact == other.fact);
    let open = exposed(draft, gone, results.is_empty());
    // What only served a step that went is no result beside the answer, but better than none.
    let open: Vec<FactName> = open.into_iter().filter(|fact| results.is_empty() || !handed_on.contains(fact)).collect();
    let shown = |fact: &FactName| results.iter().any(|result| result.fact == *fact);
    let found: Vec<NamedResult> = open.into_iter().filter(|fact| !shown(fact)).map(of_step).collect();
    // The answer the plan was drafted for needs no name when it stands alone.
    let is_drafted = |only: &NamedResult| was_one || (!only.form.is_empty() && only.form == draft.form);
    let is_one_answer = found.is_empty() && matches!(results.as_slice(), [only] if is_drafted(only));
    results.extend(found);
    let Some(last) = results.last().cloned() else { return };
    let main = results.iter().find(|result| result.fact == draft.result).cloned().unwrap_or(last);
    draft.result = main.fact;
    draft.presentation = main.presentation;
    draft.endings.results = if is_one_answer { Vec::new() } else { results };
}

/// What the plan comes to so far, as named results; the one answer of a plan has no name of its own.
fn results(draft: &PlanDraft) -> Vec<NamedResult> {
    if !draft.endings.results.is_empty() {
        return draft.endings.results.clone();
    }
    let (fact, presentation, form) = (draft.result.clone(), draft.presentation, draft.form.clone());
    vec![NamedResult { fact, title: None, presentation, form }]
}

fn of_step(fact: FactName) -> NamedResult {
    NamedResult { fact, title: None, presentation: Presentation::Table, form: String::new() }
}

/// What kept steps find and no kept step works on, though one that is gone would have; with `all` whoever would have.
fn exposed(draft: &PlanDraft, gone: &[Step], all: bool) -> Vec<FactName> {
    let needed: BTreeSet<&FactName> = draft.steps.iter().flat_map(|step| &step.needs).collect();
    let wanted: BTreeSet<&FactName> = gone.iter().flat_map(|step| &step.needs).collect();
    let facts = draft.steps.iter().flat_map(|step| &step.produces);
    facts.filter(|fact| !needed.contains(fact) && (all || wanted.contains(fact))).cloned().collect()
}

/// Needs told one by one; more would only say the same again.
const NEEDS_TOLD_MAX: usize = 3;
