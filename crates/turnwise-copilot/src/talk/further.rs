//! Further steps: “also run `ls`” puts a step behind those of the plan that is there, which stay just as they are, so
//! that what was done is not done again and nothing is left out without a word. Next: `draft`.

use std::collections::BTreeSet;

use turnwise_core::{DraftOutcome, Endings, FactName, Plan, PlanDraft, Step, Task, text};

use super::copilot::Copilot;
use super::draft;
use crate::orders::orders;
use crate::planned::{self, Wanted};
use crate::tool::{Given, UNDO};

/// The plan with further steps, where there is one and all that was said of it names such.
pub(super) async fn draft(copilot: &Copilot, task: &Task) -> Option<DraftOutcome> {
    let previous = task.previous.as_deref().filter(|_| !task.changes.is_empty())?;
    let changes: Vec<Vec<Wanted>> = task.changes.iter().map(|change| wanted(change)).collect::<Option<_>>()?;
    let found = found(previous, task);
    // What was done is done: what is ordered behind it is a plan of its own, and does not do all of it again.
    let is_over = previous.steps().iter().all(|step| step.produces.iter().all(|fact| found.contains(fact)));
    let before = if is_over { Vec::new() } else { previous.steps().to_vec() };
    let mut all: Vec<Wanted> = Vec::new();
    for more in changes {
        append(&mut all, more, before.len());
    }
    if let Some(first) = all.first_mut() {
        first.after = last_of(&before);
    }
    let undone = before.iter().filter(|step| step.tool.as_str() == UNDO).filter_map(draft::number_of).collect();
    if let Err(told) = draft::name_undone(copilot, &mut all, undone) {
        return Some(draft::impossible(told));
    }
    draft::settle(&mut all, &draft::requirements(task));
    let kept = before.len();
    let said = task.changes.join(". ");
    let problem = if is_over { said.as_str() } else { previous.draft().problem.as_str() };
    Some(match planned::further(&copilot.toolbox, problem, before, &all, &found).await {
        Ok(mut plan) => {
            draft::of_others(copilot, plan.steps.iter_mut().skip(kept));
            draft::ready(if is_over { plan } else { behind(previous.draft(), plan) })
        }
        Err(no_plan) => draft::impossible(draft::at_step(kept + all.len(), &no_plan)),
    })
}

/// The steps that a change adds; none where it is another change.
pub(super) fn wanted(change: &str) -> Option<Vec<Wanted>> {
    orders(change.trim())
}

/// Whether words put steps behind those of a plan: “also run …”, “And also, run …”.
pub(super) fn adds(words: &str) -> bool {
    let said = text::words(words);
    said.iter().find(|word| *word != "and").is_some_and(|first| first == "also") && wanted(words).is_some()
}

/// Puts `more` behind `all`, which stands behind `kept` steps: one after the other.
pub(super) fn append(all: &mut Vec<Wanted>, more: Vec<Wanted>, kept: usize) {
    let begin = kept + all.len();
    for (at, mut order) in (begin..).zip(more) {
        order.after = at.checked_sub(1).into_iter().collect();
        for given in order.givens.values_mut() {
            if let Given::ResultOf(step) = given {
                *step += begin;
            }
        }
        all.push(order);
    }
}

/// The results that steps of a plan have left, in any version of it.
fn found(plan: &Plan, task: &Task) -> BTreeSet<FactName> {
    let of_it = task.facts.iter().filter(|fact| fact.plan == plan.id() && !fact.is_statement());
    of_it.map(|fact| fact.name().clone()).collect()
}

/// The steps that no other waits for.
fn last_of(steps: &[Step]) -> Vec<usize> {
    let is_last = |step: &Step| !steps.iter().any(|other| other.after.contains(&step.id));
    steps.iter().enumerate().filter(|(_, step)| is_last(step)).map(|(at, _)| at).collect()
}

/// What else a plan says stays as it was, and so does what was changed of it by hand: its steps have that already.
fn behind(before: &PlanDraft, plan: PlanDraft) -> PlanDraft {
    let (title, assumptions) = (before.title.clone(), before.assumptions.clone());
    let endings = Endings { results: plan.endings.results, ..before.endings.clone() };
    PlanDraft { title, assumptions, kind: before.kind, endings, ..plan }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_further_step_is_said_with_also_before_it() {
        for further in ["also run `ls`", "Also run `ls`", "and also run `ls`", "And also, run `ls`", "also, run `ls`"] {
            assert!(adds(further), "{further}");
        }
        for other in ["run `ls`", "also make it nicer", "and run `ls`", "run `ls` also"] {
            assert!(!adds(other), "{other}");
        }
    }
}
