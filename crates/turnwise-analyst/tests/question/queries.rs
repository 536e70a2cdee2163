//! Queries as a model writes them, read as questions: those that map give what they would give if they were run, and
//! those that do not are refused with the part that is to blame. None is ever run. Next: `queries.jsonl`.

use serde::Deserialize;
use turnwise_analyst::question::Problem;
use turnwise_assistant::Room;
use turnwise_core::DraftOutcome;

use crate::{boats, compare, run};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    message: String,
    query: String,
    /// What is right, where the query itself forgets something or the program does better.
    #[serde(default)]
    sql: Option<String>,
    #[serde(default)]
    ordered: bool,
    /// How the first problem begins; then there is no plan.
    #[serde(default)]
    problem: Option<String>,
}

#[test]
fn a_query_is_read_as_a_question_or_refused_with_the_part_to_blame() {
    let (_folder, analyst, oracle) = boats();
    let mut failed = Vec::new();
    for case in include_str!("queries.jsonl").lines().map(|line| serde_json::from_str::<Case>(line).unwrap()) {
        let task = run::task(&case.message);
        let read = analyst.question_in(&case.query);
        let drafted = read.and_then(|question| analyst.draft_read(&Room::Anywhere, &task, &question, "NAME"));
        let told = match (drafted, &case.problem) {
            (Ok(DraftOutcome::Ready { plan, .. }), None) => {
                let given = run::run(&analyst, plan);
                let wanted = run::rows(&oracle, case.sql.as_deref().unwrap_or(&case.query));
                match given.as_ref().is_ok_and(|table| compare::holds(table, &wanted, case.ordered)) {
                    true => continue,
                    false => format!("{given:?} and not {wanted:?}"),
                }
            }
            (Err(problems), Some(problem)) if begins(&problems, problem) => continue,
            (other, _) => format!("{other:?}"),
        };
        failed.push(format!("{}: {told}", case.message));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn begins(problems: &[Problem], with: &str) -> bool {
    problems.first().is_some_and(|problem| problem.to_string().starts_with(with))
}
