//! Changes to a plan: what stays the same keeps its facts' names, so that it is not done again; what changes gets new
//! ones.

use turnwise_core::{DraftOutcome, FactName, PlanDraft};

use crate::ask::{self, Asked};
use crate::chinook::analyst;

fn plan(outcome: DraftOutcome) -> PlanDraft {
    match outcome {
        DraftOutcome::Ready { plan, .. } => plan,
        other => panic!("no plan: {other:?}"),
    }
}

fn names(plan: &PlanDraft) -> Vec<&str> {
    plan.steps.iter().flat_map(|step| &step.produces).map(FactName::as_str).collect()
}

#[test]
fn top_10_instead_of_5_keeps_the_groups_already_found() {
    let Some(analyst) = analyst() else { return };
    let problem = "Top 5 customers by total sales";
    let first = plan(ask::drafted(&analyst, &ask::task(problem)));
    let second = plan(ask::drafted(&analyst, &ask::changed(&first, problem, "top 10")));
    assert_eq!(names(&first)[0], names(&second)[0]);
    assert_eq!(first.steps[0], second.steps[0]);
    assert_ne!(first.result, second.result);
    let Asked::Answered { table, .. } = ask::run(&analyst, &ask::changed(&first, problem, "top 10")) else { panic!() };
    assert_eq!(table.rows.len(), 10);
}

#[test]
fn another_pair_of_quarters_keeps_the_one_they_share() {
    let Some(analyst) = analyst() else { return };
    let problem = "Compare Q3 2024 and Q4 2024 revenue";
    let first = plan(ask::drafted(&analyst, &ask::task(problem)));
    let second = plan(ask::drafted(&analyst, &ask::changed(&first, problem, "compare Q4 2024 with Q1 2025")));
    let shared: Vec<&str> = names(&first).into_iter().filter(|name| names(&second).contains(name)).collect();
    assert_eq!(shared, ["revenue_q4_2024"]);
}

#[test]
fn changes_do_what_they_say() {
    let Some(analyst) = analyst() else { return };
    for (problem, change, rows, total) in [
        ("Revenue by country in 2024", "only include Q4", 11, 117.86),
        ("Revenue by country", "only Canada", 1, 303.96),
        ("Revenue in Canada by year", "by month instead of year", 38, 303.96),
        ("Revenue in Canada", "also include Germany", 1, 460.44),
        ("Revenue by country", "without USA", 23, 1805.54),
        ("Revenue by year", "number of invoices instead", 5, 412.0),
        ("Revenue by year", "just Rock", 5, 826.65),
        ("Revenue by genre", "in 2023", 0, 469.58),
        ("Revenue by country", "wait, only include Q4 2024", 11, 117.86),
        ("Revenue by country", "and by year?", 101, 2328.6),
        ("Revenue by genre", "analyze units sold instead", 24, 2240.0),
        ("Revenue by year", "use number of customers instead", 5, 0.0),
        ("Top 5 customers by total sales", "bottom 3", 3, 0.0),
        ("Top 3 genres by units sold", "only Germany", 3, 0.0),
        ("Revenue in 2024", "compare with 2023", 1, 0.0),
        ("How many customers are from Brazil?", "and Canada?", 1, 8.0),
    ] {
        let first = plan(ask::drafted(&analyst, &ask::task(problem)));
        match ask::run(&analyst, &ask::changed(&first, problem, change)) {
            Asked::Answered { table, plan, .. } => {
                let sum: f64 =
                    table.rows.iter().filter_map(|row| row.last().and_then(turnwise_core::Cell::as_number)).sum();
                assert!(
                    total == 0.0 || (sum - total).abs() < 0.01,
                    "{problem} / {change}: {sum} of {table:?} {plan:#?}"
                );
                assert!(rows == 0 || table.rows.len() == rows, "{problem} / {change}: {} rows", table.rows.len());
                assert_ne!(plan.result, first.result, "a changed query needs a new name");
            }
            other => panic!("{problem} / {change}: {other:?}"),
        }
    }
}

#[test]
fn a_chart_of_the_same_result_does_no_work_again() {
    let Some(analyst) = analyst() else { return };
    let problem = "Revenue by country";
    let first = plan(ask::drafted(&analyst, &ask::task(problem)));
    let second = plan(ask::drafted(&analyst, &ask::changed(&first, problem, "now as a bar chart")));
    assert_eq!(second.presentation, turnwise_core::Presentation::Bars);
    assert_eq!(names(&first), names(&second));
}

#[test]
fn a_ranking_by_nothing_asks_by_what_and_uses_the_answer() {
    let Some(analyst) = analyst() else { return };
    let Asked::Unclear { topic, choices } = ask::run(&analyst, &ask::task("top 5 customers")) else {
        panic!("nobody said by what");
    };
    for choice in &choices {
        let answered = ask::run(&analyst, &ask::answered("top 5 customers", &[(&topic, choice)]));
        let Asked::Answered { table, .. } = answered else { panic!("{choice}: {answered:?}") };
        assert_eq!(table.rows.len(), 5, "{choice}");
    }
}

#[test]
fn dropping_a_step_is_explained_and_not_done() {
    let Some(analyst) = analyst() else { return };
    let problem = "Share of revenue by country";
    let first = plan(ask::drafted(&analyst, &ask::task(problem)));
    let Asked::Refused { explanation } = ask::run(&analyst, &ask::changed(&first, problem, "drop step 2")) else {
        panic!("steps follow from the question");
    };
    assert!(explanation.contains("Steps can be left out"), "{explanation}");
}

/// Each change starts from the plan as it is, so that what an earlier one narrowed stays narrowed.
#[test]
fn a_change_after_a_change_keeps_both() {
    let Some(analyst) = analyst() else { return };
    let problem = "Revenue by country";
    let first = plan(ask::drafted(&analyst, &ask::task(problem)));
    let rock = plan(ask::drafted(&analyst, &ask::changed(&first, problem, "only Rock")));
    let year = plan(ask::drafted(&analyst, &ask::changed(&rock, problem, "only 2024")));
    let quarter = ask::changed(&year, problem, "only Q4");
    let sql = format!("{:?}", plan(ask::drafted(&analyst, &quarter)).steps);
    for kept in ["Rock", "2024-10-01", "2025-01-01"] {
        assert!(sql.contains(kept), "{kept} is lost: {sql}");
    }
}
