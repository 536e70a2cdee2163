//! The questions over the shop database through the real entry point: `turnwise ask --approve all --json`. At least 28
//! of 34 have to be right and none may be wrong; the score is printed. Without the data the test says that it was
//! skipped.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "blind/compare.rs"]
mod compare;
#[path = "golden/mod.rs"]
mod golden;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use turnwise_core::{Cell, Table};

#[derive(Deserialize)]
struct Case {
    question: String,
    rows: Vec<Vec<Cell>>,
}

#[derive(Deserialize)]
struct Report {
    answer: String,
    table: Option<Rows>,
}

#[derive(Deserialize)]
struct Rows {
    columns: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn ask(database: &Path, state: &Path, question: &str) -> Report {
    let asked = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["ask", "--ephemeral", "--approve", "all", "--json", "--data"])
        .arg(database)
        .arg(question)
        .env("TURNWISE_STATE", state)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&asked.stdout).into_owned();
    let told: serde_json::Value =
        serde_json::from_str(&told).unwrap_or_else(|error| panic!("{question}: {error}: {told}"));
    golden::told("questions_through_ask", "chinook", question, &told);
    serde_json::from_value(told).unwrap()
}

#[test]
fn at_least_28_of_34_are_right_and_none_is_wrong() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/chinook");
    let Ok(questions) = std::fs::read_to_string(folder.join("questions.jsonl")) else {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "CI needs {}", folder.display());
        tell(&format!("SKIPPED: {} is not there\n", folder.display()));
        return;
    };
    let state = tempfile::tempdir().unwrap();
    let cases: Vec<Case> = questions.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (mut right, mut wrong) = (0, Vec::new());
    for case in &cases {
        let report = ask(&folder.join("chinook.sqlite"), state.path(), &case.question);
        match report.table.map(|Rows { columns, rows }| Table::whole(columns, rows)) {
            Some(table) if compare::holds(&table, &case.rows, false) => right += 1,
            Some(_) => wrong.push(format!("{}: {}", case.question, report.answer)),
            None => tell(&format!("not answered: {}: {}\n", case.question, report.answer)),
        }
    }
    tell(&format!("questions through ask: {right} of {} right, {} wrong\n", cases.len(), wrong.len()));
    assert!(wrong.is_empty(), "answered wrongly with confidence: {wrong:?}");
    assert!(right >= RIGHT_MIN, "{right} right");
}

/// What the first version had to reach.
const RIGHT_MIN: usize = 28;
