//! Asks the analyst: drafts a plan, runs its steps in order, hands back the answer with its rows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use turnwise_analyst::Analyst;
use turnwise_core::{
    Answer, Cell, ClarifiedAnswer, Conclusion, DraftOutcome, Fact, FactId, FactName, FactValue, Mode, Plan, PlanDraft,
    PlanId, PlanKind, RunId, Sequence, StepOutcome, StepTask, Table, Task, Timestamp, Upstream,
};

use crate::golden;

/// What asking came to.
#[derive(Debug)]
pub enum Asked {
    Answered { plan: Box<PlanDraft>, answer: Answer, table: Table },
    Unclear { topic: String, choices: Vec<String> },
    Refused { explanation: String },
    Failed { error: String },
}

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

pub fn answered(problem: &str, answers: &[(&str, &str)]) -> Task {
    let answers = answers
        .iter()
        .map(|(topic, answer)| ClarifiedAnswer {
            topic: (*topic).to_owned(),
            answer: (*answer).to_owned(),
            said_in: None,
            assumed: false,
        })
        .collect();
    Task { answers, ..task(problem) }
}

/// The task with one change made to `plan`.
pub fn changed(plan: &PlanDraft, problem: &str, change: &str) -> Task {
    let plan = Plan::check(PlanId::new(1), 1, plan.clone(), &BTreeSet::new()).expect("the plan is a plan");
    Task { previous: Some(Arc::new(plan)), changes: vec![change.to_owned()], ..task(problem) }
}

/// What a task comes to, which is as its golden line says.
#[track_caller]
pub fn run(analyst: &Analyst, task: &Task) -> Asked {
    come_to(analyst, task, drafted(analyst, task))
}

/// What a task is drafted to, which is as its golden line says.
#[track_caller]
pub fn drafted(analyst: &Analyst, task: &Task) -> DraftOutcome {
    let outcome = analyst.draft(task);
    golden::drafted("analyst", analyst, task, &outcome);
    outcome
}

/// What words that nobody chose come to, each request of them on its own; there is nothing to hold them against.
pub fn run_any(analyst: &Analyst, text: &str) -> Vec<Asked> {
    let whole = task(text);
    match analyst.draft(&whole) {
        DraftOutcome::Several { parts } => parts.iter().flat_map(|part| run_any(analyst, part)).collect(),
        outcome => vec![come_to(analyst, &whole, outcome)],
    }
}

fn come_to(analyst: &Analyst, task: &Task, outcome: DraftOutcome) -> Asked {
    match outcome {
        DraftOutcome::Ready { plan, .. } => execute(analyst, task, plan),
        DraftOutcome::Several { parts } => panic!("several requests: {parts:?}"),
        // What is asked for stands first where it is not sure that it is what was meant.
        DraftOutcome::Unclear { clarification } if clarification.topic == "reading" && task.answers.is_empty() => {
            let first = clarification.choices.first().expect("something is offered").value.clone();
            let answer = ClarifiedAnswer { topic: clarification.topic, answer: first, said_in: None, assumed: false };
            let task = Task { answers: vec![answer], ..task.clone() };
            come_to(analyst, &task, analyst.draft(&task))
        }
        // What is offered in its place is no plan.
        DraftOutcome::Unclear { clarification } if clarification.topic == "instead" => {
            Asked::Refused { explanation: clarification.question }
        }
        DraftOutcome::Unclear { clarification } => Asked::Unclear {
            topic: clarification.topic,
            choices: clarification.choices.into_iter().map(|choice| choice.label).collect(),
        },
        DraftOutcome::Answered { answer } => panic!("answered without a plan: {}", answer.text),
        DraftOutcome::Impossible { explanation, .. } => Asked::Refused { explanation },
    }
}

/// Several messages one after the other: each later one is a change to what was found before it.
pub fn talked(analyst: &Analyst, texts: &[&str]) -> Asked {
    let (question, changes) = texts.split_first().expect("something is asked");
    let mut task = task(question);
    let mut last = run(analyst, &task);
    for change in changes {
        let Asked::Answered { plan, .. } = last else { return last };
        let (_, facts) = executed(analyst, &task, (*plan).clone());
        task = Task { facts: facts.into_values().collect(), ..changed(&plan, question, change) };
        last = run(analyst, &task);
    }
    last
}

fn execute(analyst: &Analyst, task: &Task, draft: PlanDraft) -> Asked {
    executed(analyst, task, draft).0
}

fn executed(analyst: &Analyst, task: &Task, draft: PlanDraft) -> (Asked, BTreeMap<FactName, Arc<Fact>>) {
    Plan::check(PlanId::new(1), 1, draft.clone(), &BTreeSet::new()).expect("a drafted plan is a plan");
    let mut facts: BTreeMap<FactName, Arc<Fact>> = BTreeMap::new();
    let mut said = None;
    for step in &draft.steps {
        let concludes = step.produces.contains(&draft.result).then(|| Conclusion {
            problem: task.problem.clone(),
            presentation: draft.presentation,
            form: draft.form.clone(),
        });
        let inputs = step.needs.iter().filter_map(|name| facts.get(name)).cloned().collect();
        let behind = draft.behind(step).into_iter().map(|made| Upstream {
            work: made.clone(),
            fact: made.produces.iter().find_map(|name| facts.get(name).cloned()),
        });
        let (run, work, behind) = (RunId::new(1), step.clone(), behind.collect());
        let work = StepTask { run, step: step.id, attempt: 1, work, inputs, behind, concludes, by: None };
        match analyst.run_step(&work, || false) {
            StepOutcome::Done { facts: found, answer } => {
                for body in found {
                    let fact = Fact {
                        id: FactId::new(1),
                        plan: PlanId::new(1),
                        resolved_at: Timestamp::from_millis(0),
                        recorded: Sequence::new(1),
                        said_in: None,
                        approved: None,
                        body,
                    };
                    facts.insert(fact.name().clone(), Arc::new(fact));
                }
                said = answer.or(said);
            }
            other => return (Asked::Failed { error: format!("{other:?} in {step:?}") }, facts),
        }
    }
    let table = match facts.get(&draft.result).map(|fact| &fact.body.value) {
        Some(FactValue::Table(table)) => table.clone(),
        other => panic!("no rows came of it: {other:?}"),
    };
    (Asked::Answered { plan: Box::new(draft), answer: said.expect("the concluding step answers"), table }, facts)
}

/// Whether `table` holds the expected rows: all of them, no others, each with its values, in any order unless `ranked`.
pub fn holds(table: &Table, expected: &[Vec<Cell>], ranked: bool) -> bool {
    if table.rows.len() != expected.len() {
        return false;
    }
    if ranked {
        return table.rows.iter().zip(expected).all(|(row, wanted)| row_holds(row, wanted));
    }
    let mut left: Vec<&Vec<Cell>> = table.rows.iter().collect();
    expected.iter().all(|wanted| {
        let found = left.iter().position(|row| row_holds(row, wanted));
        found.map(|at| left.swap_remove(at)).is_some()
    })
}

/// Each expected value in a cell of its own; further cells are labels.
fn row_holds(row: &[Cell], wanted: &[Cell]) -> bool {
    let mut left: Vec<&Cell> = row.iter().collect();
    wanted.iter().all(|value| {
        let found = left.iter().position(|cell| same(cell, value));
        found.map(|at| left.remove(at)).is_some()
    })
}

fn same(one: &Cell, other: &Cell) -> bool {
    match (one.as_number(), other.as_number()) {
        (Some(one), Some(other)) => (one - other).abs() <= 0.005 * other.abs().max(1e-9),
        _ => one == other,
    }
}

/// A test file of the shared data; without it the test says that it is skipped, and fails where all data must be there.
pub fn data(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    assert!(std::env::var("CI").as_deref() != Ok("true"), "{} is missing", path.display());
    eprintln!("SKIPPED: {} is missing, so nothing was tested", path.display());
    None
}
