//! Plans that a model writes, with a script in the model's place: what it says is checked, shown and approved like any
//! plan, and what it tries changes nothing.

use serde_json::{Value, json};

use crate::desk::{Desk, holds};

fn says(value: &Value) -> Value {
    json!({ "say": value.to_string() })
}

fn steps(steps: &Value) -> Value {
    says(&json!({ "question": "", "steps": steps }))
}

/// What is printed while `lines` are said and the model does `turns`.
fn talk(desk: &Desk, turns: &[Value], lines: &[&str]) -> String {
    let script = desk.folder.path().join("turns.json");
    std::fs::write(&script, json!(turns).to_string()).unwrap();
    desk.talk_with(&["--model", &format!("scripted:{}", script.display())], lines)
}

const TASK: &str = "sort the names in names.txt and keep them in sorted.txt";

#[test]
fn the_steps_a_model_writes_are_shown_and_run_after_a_yes() {
    let desk = Desk::new();
    desk.put("names.txt", "bo\nan\n");
    let turn = steps(&json!([
        {"tool": "read", "with": {"file": "names.txt"}, "says": "Read the names"},
        {"tool": "run", "with": {"command": "sort", "input": {"result_of": 1}}, "says": ""},
        {"tool": "write", "with": {"file": "sorted.txt", "content": {"result_of": 2}}, "says": "Keep them"},
    ]));
    let shown = talk(&desk, std::slice::from_ref(&turn), &[TASK]);
    holds(
        &shown,
        &[
            "Read the names: Read names.txt",
            "Run `sort`, reading the result of step 1",
            "The steps were written by the model scripted:",
            "Run it?",
        ],
    );
    assert!(!desk.has("sorted.txt"));
    talk(&desk, &[turn], &[TASK, "y"]);
    assert_eq!(desk.read("sorted.txt"), "an\nbo\n");
}

#[test]
fn what_a_model_gets_wrong_it_is_told_once_and_then_nothing_is_planned() {
    let desk = Desk::new();
    let wrong = steps(&json!([{"tool": "sweep", "with": {}, "says": ""}]));
    let hidden = steps(&json!([
        {"tool": "run", "with": {"command": "cat names.txt"}, "says": ""},
        {"tool": "run", "with": {"command": {"result_of": 1}}, "says": ""},
    ]));
    let right = steps(&json!([{"tool": "run", "with": {"command": "touch sorted.txt"}, "says": ""}]));
    let told = talk(&desk, &[wrong.clone(), right], &[TASK]);
    holds(&told, &["Run `touch sorted.txt`", "Run it?"]);
    let told = talk(&desk, &[wrong, hidden], &[TASK, "y"]);
    holds(
        &told,
        &["gave a plan that does not hold here", "command has to stand in the plan, so that it can be approved"],
    );
    assert!(!desk.has("sorted.txt"));
}

#[test]
fn what_is_missing_is_asked_before_the_model_and_can_be_skipped() {
    let desk = Desk::new();
    let turn = steps(&json!([{"tool": "run", "with": {"command": "touch made"}, "says": ""}]));
    let told = talk(&desk, &[turn], &["build me a website", "skip", "y"]);
    holds(&told, &["Skip: whatever is usual", "Run `touch made`"]);
    assert!(desk.has("made"), "{told}");
}

#[test]
fn a_model_that_asks_is_answered_and_one_that_fails_is_said_to() {
    let desk = Desk::new();
    let asks = says(&json!({"question": "In which order?", "steps": []}));
    let turn = steps(&json!([{"tool": "run", "with": {"command": "sort -r names.txt"}, "says": ""}]));
    holds(&talk(&desk, &[asks, turn], &[TASK, "descending"]), &["In which order?", "Run `sort -r names.txt`"]);
    holds(&talk(&desk, &[json!({"refuse": "no"})], &[TASK]), &["would not answer", "Write the steps down"]);
}

#[test]
fn how_readily_it_asks_is_settled_while_talking() {
    let desk = Desk::new();
    let turn = steps(&json!([{"tool": "run", "with": {"command": "touch made"}, "says": ""}]));
    let asked = talk(&desk, std::slice::from_ref(&turn), &["build me a website"]);
    holds(&asked, &["Skip: whatever is usual"]);
    let planned = talk(&desk, &[turn], &["ask me less", "build me a website"]);
    holds(&planned, &["small doubts about what you mean are not asked about", "Run `touch made`"]);
    assert!(!planned.contains("Skip: whatever is usual"), "{planned}");
}
