//! What the grammar understands, said as a question and bound again: the same rows. What a
//! question cannot say is passed over and counted; the share that it can say only rises.

use std::io::Write as _;
use std::path::Path;

use rusqlite::Connection;
use serde::Deserialize;
use turnwise_analyst::Analyst;
use turnwise_assistant::Room;
use turnwise_core::{Cell, DraftOutcome, PlanDraft};

use crate::run::{self, task};

/// The rows of a plan, without what their columns are called.
fn run(analyst: &Analyst, plan: PlanDraft) -> Result<Vec<Vec<Cell>>, String> {
    run::run(analyst, plan).map(|table| table.rows)
}

/// Data and questions of the blind suite.
const SETS: [&str; 6] = ["library", "billing", "hospital", "lending", "practice", "league"];

#[derive(Deserialize)]
struct Case {
    question: String,
}

#[test]
fn what_the_grammar_understands_comes_back_the_same_from_a_question() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../turnwise/tests/blind/questions/fresh");
    let (mut planned, mut said, mut other) = (0, 0, Vec::new());
    for set in SETS {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("data.sqlite");
        let script = std::fs::read_to_string(from.join(format!("{set}.sql"))).unwrap();
        Connection::open(&database).unwrap().execute_batch(&script).unwrap();
        let analyst = Analyst::open(&[database]).unwrap();
        let questions = std::fs::read_to_string(from.join(format!("{set}.jsonl"))).unwrap();
        for line in questions.lines() {
            let case: Case = serde_json::from_str(line).unwrap();
            let task = task(&case.question);
            let DraftOutcome::Ready { plan, .. } = analyst.draft(&task) else { continue };
            planned += 1;
            let Ok(question) = analyst.question_of(&plan) else { continue };
            said += 1;
            match analyst.draft_again(&Room::Anywhere, &task, &question) {
                Ok(again) => {
                    let (again, plan) = (run(&analyst, again), run(&analyst, plan));
                    if again != plan {
                        other.push(format!("{}: {again:?}\n  not {plan:?}", case.question));
                    }
                }
                Err(problems) => other.push(format!("{}: {problems:?}", case.question)),
            }
        }
    }
    let same = said - other.len();
    let told = format!("round trip: of {planned} plans a question can say {said}; {same} come back the same\n");
    let _ = std::io::stderr().write_all(format!("{told}{}\n", other.join("\n")).as_bytes());
    assert!(said * 100 >= planned * SAID_MIN && same * 100 >= said * SAME_MIN, "{told}");
}

/// Percent of the plans that a question can say, and of those the ones that come back the same.
const SAID_MIN: usize = 50;
const SAME_MIN: usize = 100;
