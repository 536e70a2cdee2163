//! A plan run in this process, step by step. Next: `main`.

use std::collections::BTreeSet;
use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use turnwise_analyst::Analyst;
use turnwise_core::{
    Cell, Conclusion, Fact, FactId, FactValue, Mode, Plan, PlanDraft, PlanId, PlanKind, RunId, Sequence, StepOutcome,
    StepTask, Table, Task, Timestamp, Upstream,
};

pub fn task(problem: &str) -> Task {
    Task {
        problem: problem.to_owned(),
        kind: PlanKind::Plain,
        mode: Mode::Exploratory,
        changes: Vec::new(),
        answers: Vec::new(),
        previous: None,
        failure: None,
        facts: Vec::new(),
        heard: turnwise_core::Heard::default(),
    }
}

/// The table a plan comes to.
pub fn run(analyst: &Analyst, plan: PlanDraft) -> Result<Table, String> {
    let plan = Plan::check(PlanId::new(1), 1, plan, &BTreeSet::new()).map_err(|error| format!("{error:?}"))?;
    let draft = plan.draft();
    let mut facts: Vec<Arc<Fact>> = Vec::new();
    for step in plan.steps() {
        let inputs = facts.iter().filter(|fact| step.needs.contains(fact.name())).cloned().collect();
        let concludes = step.produces.contains(&draft.result).then(|| Conclusion {
            problem: draft.problem.clone(),
            presentation: draft.presentation,
            form: draft.form.clone(),
        });
        let behind = draft.behind(step).into_iter().map(|made| Upstream {
            work: made.clone(),
            fact: facts.iter().find(|fact| made.produces.contains(fact.name())).cloned(),
        });
        let (work, behind) = (step.clone(), behind.collect());
        let task =
            StepTask { run: RunId::new(1), step: step.id, attempt: 1, work, inputs, behind, concludes, by: None };
        let StepOutcome::Done { facts: found, .. } = analyst.run_step(&task, || false) else {
            return Err(step.description.clone());
        };
        facts.extend(found.into_iter().map(|body| {
            let id = FactId::new(u64::from(step.id.number()));
            let (plan, recorded, resolved_at) = (plan.id(), Sequence::new(1), Timestamp::default());
            Arc::new(Fact { id, body, plan, resolved_at, recorded, said_in: None, approved: None })
        }));
    }
    let result = facts.iter().find(|fact| *fact.name() == draft.result).ok_or("no result")?;
    match &result.body.value {
        FactValue::Table(table) => Ok(table.clone()),
        FactValue::Text(text) => Err(text.clone()),
    }
}

pub fn rows(oracle: &Connection, sql: &str) -> Vec<Vec<Cell>> {
    let mut statement = oracle.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    let width = statement.column_count();
    let read = |row: &rusqlite::Row<'_>| (0..width).map(|at| row.get_ref(at).map(cell)).collect();
    statement.query_map([], read).unwrap().map(Result::unwrap).collect()
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null | ValueRef::Blob(_) => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::real(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
    }
}
