//! A real model of 1.5 billion parameters, asked through the real program: `.ci/local-model cargo test -p turnwise
//! --test local_model` starts one. It keeps to the forms it is given, and what it reads where the grammar does not is
//! planned, approved and answered. That it streams and can be stopped in the middle is in `server::writing`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::process::{Command, Stdio};
use std::sync::Mutex;

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

/// One at a time: the model works on one answer after the other anyway, and what waits would only run out of time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The model to ask; without one it is said that nothing was tested, and in CI that is a failure.
fn model() -> Option<String> {
    let name = std::env::var("TURNWISE_TEST_MODEL").ok();
    if name.is_none() {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "TURNWISE_TEST_MODEL names no model");
        eprintln!("SKIPPED: no real model was asked. Run `.ci/local-model cargo test -p turnwise --test local_model`.");
    }
    name
}

fn harbour() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let script = include_str!("../../turnwise-analyst/tests/question/boats.sql");
    Connection::open(folder.path().join("boats.sqlite")).unwrap().execute_batch(script).unwrap();
    folder
}

fn turnwise(folder: &TempDir, words: &[&str], said: &str) -> (String, String) {
    let script = folder.path().join("said");
    std::fs::write(&script, said).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(words)
        .current_dir(folder.path())
        .env("TURNWISE_STATE", folder.path().join("state"))
        .env("USER", "ada")
        .stdin(Stdio::from(std::fs::File::open(&script).unwrap()))
        .output()
        .unwrap();
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn questions_that_the_grammar_refuses_are_answered() {
    let Some(model) = model() else { return };
    let _turn = ONE_AT_A_TIME.lock();
    let folder = harbour();
    let ask = |model: &[&str], question: &str| {
        let words = ["ask", "--ephemeral", "--json", "--approve", "all", "--data", "boats.sqlite"];
        let (told, trouble) = turnwise(&folder, &[&words, model, &[question]].concat(), "");
        let report: Value = serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}{trouble}"));
        report
    };
    let mut right = 0;
    for (question, wanted) in REFUSED {
        assert_eq!(ask(&[], question)["table"], Value::Null, "{question}: the grammar reads it by now; take another");
        let report = ask(&["--model", &model, "--model-sees", "samples"], question);
        let found = report["table"]["rows"].to_string();
        let is_right = report["plan"].is_object() && found.contains(wanted);
        eprintln!("{question}: {found} {}", if is_right { "is right" } else { "is not" });
        right += usize::from(is_right);
        // What was not answered was refused or asked about, and says that a model was asked.
        assert!(report["plan"].is_object() || report.to_string().contains("was asked as well"), "{report}");
    }
    assert!(right >= RIGHT_MIN, "{right} of {} are right", REFUSED.len());
}

/// Questions with what the rows of a right answer hold.
const REFUSED: [(&str, &str); 5] = [
    ("who skippered the most trips", "Ada Berg"),
    ("name the yachts based in Germany", "[[\"Alk\"]]"),
    ("how many charters did Ada Berg steer", "[[4]]"),
    ("where is the boat Alk moored", "Kiel"),
    ("how many trips brought in over 1000", "[[3]]"),
];
/// How many must be right: the model answered all five when this was written, on another machine it may word them
/// otherwise.
const RIGHT_MIN: usize = 3;

#[test]
fn what_is_to_have_a_form_has_it() {
    let Some(model) = model() else { return };
    let _turn = ONE_AT_A_TIME.lock();
    let folder = tempfile::tempdir().unwrap();
    let companion = |more: &[&str], lines: &[&str]| {
        let words = [&["chat", "--new", "--assistant", "companion"], more].concat();
        turnwise(&folder, &words, &(lines.join("\n") + "\n"))
    };
    companion(&[], &["I want to start a new project", "FarmGuard"]);
    companion(&["--model", &model, "--model-sees", "rows", "--show-prompts"], &["barn pumps"]);
    let (told, _) = turnwise(&folder, &["why", "--show-prompts"], "");
    assert!(told.contains("hear (version"), "{told}");
    assert!(!told.contains("is no JSON"), "{told}");
    let answers: Vec<&str> = told.split("── answered:").skip(1).collect();
    assert!(!answers.is_empty(), "{told}");
    for answer in answers {
        let json = answer.split("\n──").next().unwrap().trim();
        let value: Value = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}"));
        assert!(
            value["intent"].is_string() && value["confidence"].is_number() || value["reply"].is_string(),
            "{value}"
        );
    }
}
