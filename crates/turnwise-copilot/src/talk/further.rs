//! What is to be different in the plan that is there: “also run `ls`” puts a step behind its steps, “change step 2 to
//! run `ls`” another in its place. All else stays just as it is, so that what was done is not done again and nothing is
//! left out without a word. Next: `amend`, which reads such words, and `draft`.

use std::collections::BTreeSet;

use turnwise_core::patch::reworded;
use turnwise_core::{
    DraftOutcome, Endings, FactKind, FactName, FactValue, NewFact, Plan, PlanDraft, SourceKind, Step, Task, text,
};

use super::copilot::Copilot;
use super::{asking, draft};
use crate::amend::{self, Amended};
use crate::limits::{self, Limit};
use crate::orders::{orders, orders_behind};
use crate::planned::{self, Wanted};
use crate::said::after_any;
use crate::tool::{Given, UNDO, WRITE};

/// The plan with what was said of it since, where there is one and all of that is known.
pub(super) async fn draft(copilot: &Copilot, task: &Task) -> Option<DraftOutcome> {
    let previous = task.previous.as_deref().filter(|_| !task.changes.is_empty())?;
    let changes: Vec<&str> = task.changes.iter().flat_map(|change| reworded::parts(change)).collect();
    let found = found(previous, task);
    // What was done is done: what is ordered behind it is a plan of its own, and does not do all of it again.
    let is_over = previous.steps().iter().all(|step| step.produces.iter().all(|fact| found.contains(fact)));
    if is_over && changes.iter().all(|change| wanted_behind(change, 1).is_some()) {
        return Some(on_its_own(copilot, task, previous, &changes, &found).await);
    }
    let done = |step: &Step| !is_over && step.produces.iter().all(|fact| found.contains(fact));
    let done = previous.steps().iter().enumerate().filter(|(_, step)| done(step)).map(|(at, _)| at).collect();
    let mut amended = amend::of_plan(&copilot.toolbox, previous, done).await;
    for change in changes {
        if let Err(told) = amend(&mut amended, change, previous)? {
            return Some(draft::impossible(told));
        }
    }
    Some(planned(copilot, task, previous, &amended, &found).await)
}

/// One change made; none where it is no change that is known.
fn amend(amended: &mut Amended, change: &str, plan: &Plan) -> Option<Result<(), String>> {
    let (rest, limits) = limits::apart(change);
    let change = if limits.is_empty() { change } else { rest.as_str() };
    if change.is_empty() {
        return Some(Ok(()));
    }
    if amended.add(change).is_some() {
        return Some(Ok(()));
    }
    Some(match amend::read(change, plan.draft())? {
        Ok(amendment) => amend::apply(amended, &amendment, change),
        Err(error) => Err(error.to_string()),
    })
}

async fn planned(
    copilot: &Copilot,
    task: &Task,
    previous: &Plan,
    amended: &Amended,
    found: &BTreeSet<FactName>,
) -> DraftOutcome {
    let mut parts = amended.parts();
    let undone =
        previous.steps().iter().filter(|step| step.tool.as_str() == UNDO).filter_map(draft::number_of).collect();
    if let Err(told) = draft::name_undone(copilot, parts.iter_mut().map(|part| &mut part.wanted), undone) {
        return draft::impossible(told);
    }
    draft::settle(parts.iter_mut().map(|part| &mut part.wanted), &draft::requirements(task));
    let new = parts.iter().filter(|part| part.was.is_none()).map(|part| &part.wanted);
    if let Some(told) = draft::in_the_way(copilot, new.filter(|wanted| wanted.tool == WRITE)) {
        return draft::impossible(told);
    }
    let limits = limits::of_task(task);
    // What is done cannot be kept from what was said since.
    let left = parts.iter().enumerate().filter(|(_, part)| !part.was.is_some_and(|was| amended.is_done(was)));
    let root = copilot.folder.root();
    if let Some(told) = left.into_iter().find_map(|(at, part)| limits::broken_at(&limits, at + 1, &part.wanted, root)) {
        return draft::impossible(told);
    }
    let before = previous.draft();
    let problem = format!("{}, {}", before.problem, reworded::in_words(&task.changes.join(", ")));
    match planned::amended(&copilot.toolbox, &problem, previous.steps(), &parts, found).await {
        Ok(mut plan) => {
            let new = plan.steps.iter_mut().zip(&parts).filter(|(_, part)| part.was.is_none());
            asking::mark(copilot, new.map(|(step, _)| step));
            let mut plan = draft::keeping(PlanDraft { title: title(before, amended), ..behind(before, plan) }, &limits);
            let stays = staying(previous, &plan, found);
            plan.assumptions.retain(|assumed| !assumed.ends_with(STAYS));
            plan.assumptions.extend(stays);
            draft::ready(plan)
        }
        Err(no_plan) => draft::impossible(draft::at_step(parts.len(), &no_plan)),
    }
}

/// What was written before and is no more, which nothing takes away: “write it to k.txt instead”.
fn staying(previous: &Plan, plan: &PlanDraft, found: &BTreeSet<FactName>) -> Vec<String> {
    fn written(steps: &[Step]) -> impl Iterator<Item = (&Step, &String)> {
        let writes = steps.iter().filter(|step| step.tool.as_str() == WRITE);
        writes.filter_map(|step| Some((step, step.arguments.get("file")?)))
    }
    let is_done = |step: &Step| step.produces.iter().all(|fact| found.contains(fact));
    let before = written(previous.steps()).filter(|(step, _)| is_done(step)).map(|(_, file)| file);
    let left = before.filter(|file| !written(&plan.steps).any(|(_, other)| other == *file));
    left.map(|file| format!("{file}{STAYS}")).collect()
}

/// What has to hold, as it is held, under the next free name.
pub(super) fn statement(limit: &Limit, is_taken: impl Fn(&FactName) -> bool) -> NewFact {
    let mut number = 1_usize;
    let mut name = FactName::new("constraint_1");
    while is_taken(&name) {
        number += 1;
        name = FactName::new(format!("constraint_{number}"));
    }
    let mut statement = NewFact::new(name, FactValue::Text(limit.said.clone()), SourceKind::Person);
    statement.standing.kind = FactKind::Constraint;
    statement.standing.about = Some(limit.said.clone());
    statement
}

/// What a person called it; else what the task was called, which it is not quite any more.
fn title(before: &PlanDraft, amended: &Amended) -> String {
    let own = amended.title.clone();
    own.unwrap_or_else(|| match before.title.ends_with(CHANGED) {
        true => before.title.clone(),
        false => format!("{}{CHANGED}", before.title),
    })
}

/// What was ordered behind a finished plan.
async fn on_its_own(
    copilot: &Copilot,
    task: &Task,
    previous: &Plan,
    changes: &[&str],
    found: &BTreeSet<FactName>,
) -> DraftOutcome {
    let mut all: Vec<Wanted> = Vec::new();
    for change in changes {
        // The last result of what is over stands before the first step.
        let more = wanted_behind(change, all.len() + 1).unwrap_or_default();
        all.extend(more.into_iter().map(|one| behind_result(one, &what_came(previous))));
    }
    draft::of_calls(copilot, task, &changes.join(". "), all, found).await
}

/// The steps that a change adds behind `base` others; none where it is another change. Several that are written down
/// together number themselves.
pub(crate) fn wanted_behind(change: &str, base: usize) -> Option<Vec<Wanted>> {
    let words = change.trim();
    let words = after_any(words, &ADDING).unwrap_or(words);
    let own = orders(words).map(|all| all.into_iter().map(|one| one.behind(base)).collect());
    own.or_else(|| orders_behind(words, base))
}

/// What “it” is behind a plan that is over: its result; of a write, what was written.
fn what_came(plan: &Plan) -> Given {
    let result = || Given::Held(plan.draft().result.clone());
    let Some(last) = plan.steps().last().filter(|step| step.tool.as_str() == WRITE) else { return result() };
    let from = last.arguments.get(&format!("content{}", planned::FROM));
    match (from, last.arguments.get("content")) {
        (Some(fact), _) => Given::Held(FactName::new(fact)),
        (None, Some(text)) => Given::Value(text.clone().into()),
        (None, None) => result(),
    }
}

/// A step that was counted from 1, where 0 is a result that is there.
fn behind_result(mut order: Wanted, result: &Given) -> Wanted {
    for given in order.givens.values_mut() {
        if let Given::ResultOf(step) = given {
            *given = step.checked_sub(1).map_or_else(|| result.clone(), Given::ResultOf);
        }
    }
    order.after = order.after.iter().filter_map(|at| at.checked_sub(1)).collect();
    order
}

/// Whether words put steps behind those of a plan: “also run …”, “And also, run …”.
pub(super) fn adds(words: &str) -> bool {
    let said = text::words(words);
    said.iter().find(|word| *word != "and").is_some_and(|first| first == "also") && wanted_behind(words, 1).is_some()
}

/// The results that steps of a plan have left, in any version of it.
fn found(plan: &Plan, task: &Task) -> BTreeSet<FactName> {
    let of_it = task.facts.iter().filter(|fact| fact.plan == plan.id() && !fact.is_statement());
    of_it.map(|fact| fact.name().clone()).collect()
}

/// What else a plan says stays as it was, and so does what was changed of it by hand: its steps have that already.
fn behind(before: &PlanDraft, plan: PlanDraft) -> PlanDraft {
    let (title, assumptions) = (before.title.clone(), before.assumptions.clone());
    let endings = Endings { results: plan.endings.results, ..before.endings.clone() };
    PlanDraft { title, assumptions, kind: before.kind, endings, ..plan }
}

/// Behind a file that was written for an earlier version.
const STAYS: &str = " was written before and stays";
/// Behind the title of a plan whose steps are others than the task named.
const CHANGED: &str = ", changed";
/// What says that a step is added.
const ADDING: [&str; 12] = [
    "add a step: ",
    "add a step to ",
    "add a step that ",
    "add a step which ",
    "add another step: ",
    "add another step to ",
    "add another step that ",
    "add one more step: ",
    "add: ",
    "and also ",
    "also ",
    "also, ",
];

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
