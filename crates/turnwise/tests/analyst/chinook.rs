//! The shop database: every question of its file, and how many are answered rightly.

use turnwise_analyst::Analyst;
use turnwise_core::Cell;

use crate::ask::{self, Asked};

pub fn analyst() -> Option<Analyst> {
    let path = ask::data("chinook/chinook.sqlite")?;
    Some(Analyst::open(&[path]).expect("the database opens"))
}

#[derive(serde::Deserialize)]
struct Case {
    question: String,
    rows: Vec<Vec<Cell>>,
}

#[test]
fn every_question_of_the_file_is_answered_rightly() {
    let Some(analyst) = analyst() else { return };
    let Some(path) = ask::data("chinook/questions.jsonl") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let cases: Vec<Case> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut wrong = Vec::new();
    for case in &cases {
        let ranked = case.question.starts_with("Top") || case.question.contains("longest tracks");
        match ask::run(&analyst, &ask::task(&case.question)) {
            Asked::Answered { table, .. } if ask::holds(&table, &case.rows, ranked) => {}
            Asked::Answered { table, plan, .. } => {
                let rows: Vec<_> = table.rows.iter().take(4).collect();
                wrong.push(format!("{}: {:?} {rows:?}\n{:#?}", case.question, table.columns, plan.steps));
            }
            other => wrong.push(format!("{}: {other:?}", case.question)),
        }
    }
    println!("{} of {} questions right", cases.len() - wrong.len(), cases.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
