//! The sample data everybody meets first: plain questions are answered at once, without a question back.

use turnwise::sample;
use turnwise_analyst::Analyst;
use turnwise_core::{DraftOutcome, PlanDraft, PlanKind, Task};

use crate::ask::{self, Asked};

fn analyst(folder: &tempfile::TempDir) -> Analyst {
    let paths = sample::generate(folder.path(), 7).unwrap();
    Analyst::open(&paths).unwrap()
}

fn plan(analyst: &Analyst, task: &Task) -> PlanDraft {
    match ask::drafted(analyst, task) {
        DraftOutcome::Ready { plan, .. } => plan,
        other => panic!("{}: {other:?}", task.problem),
    }
}

/// The rows of an answer, which must be there.
fn rows(analyst: &Analyst, task: &Task) -> usize {
    match ask::run(analyst, task) {
        Asked::Answered { table, .. } => table.rows.len(),
        other => panic!("{} {:?}: {other:?}", task.problem, task.changes),
    }
}

#[test]
fn plain_questions_are_answered_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let analyst = analyst(&folder);
    for (question, least) in [
        ("revenue by region", 3),
        ("top 5 customers by revenue", 5),
        ("orders per month in 2024", 12),
        ("revenue by category", 3),
        ("share of revenue by channel", 2),
        ("average discount by segment", 2),
        ("compare revenue 2024 and 2025", 1),
    ] {
        let found = rows(&analyst, &ask::task(question));
        assert!(found >= least, "{question}: {found} rows");
    }
    let forecast = Task { kind: PlanKind::Predict, ..ask::task("forecast revenue for the next 3 months") };
    assert!(rows(&analyst, &forecast) >= 3);
}

#[test]
fn regions_are_shown_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let analyst = analyst(&folder);
    let Asked::Answered { table, .. } = ask::run(&analyst, &ask::task("revenue by region")) else { panic!() };
    let label = table.rows.iter().all(|row| row.iter().any(|cell| matches!(cell, turnwise_core::Cell::Text(_))));
    assert!(label, "{table:?}");
}

#[test]
fn changes_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let analyst = analyst(&folder);
    let problem = "revenue by region in 2024";
    let first = plan(&analyst, &ask::task(problem));
    assert!(rows(&analyst, &ask::changed(&first, problem, "wait, only include Q4")) >= 3);
    assert!(rows(&analyst, &ask::changed(&first, problem, "by month instead")) == 12);
}
