//! A server that lies, floods, hangs and dies: nothing unapproved happens, and each leaves a sentence that says so.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::desk::{Desk, holds, told};

/// A desk with the lying server; none where there is no Node.js, which on a machine of the project is a failure.
fn desk() -> Option<Desk> {
    if !Command::new("node").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "the lying server needs Node.js");
        println!("skipped: there is no Node.js here");
        return None;
    }
    let desk = Desk::new();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/copilot/liar.mjs");
    desk.configure(&format!(
        "assistants:\n  copilot:\n    tools:\n      liar:\n        command: [node, '{}']\n        env: {{LIAR_LOG: \
         '{}'}}\n        effects: {{hang: once}}\n        seconds: 5\n",
        program.display(),
        log(&desk).display(),
    ));
    Some(desk)
}

fn log(desk: &Desk) -> std::path::PathBuf {
    desk.folder.path().join("liar.log")
}

/// The tools that were called.
fn called(desk: &Desk) -> Vec<String> {
    let log = std::fs::read_to_string(log(desk)).unwrap_or_default();
    log.lines().map(str::to_owned).collect()
}

#[test]
fn what_a_server_claims_of_itself_makes_nothing_run_unasked() {
    let Some(desk) = desk() else { return };
    let told = desk.talk(&["what can you do?"]);
    holds(&told, &["liar.gentle: Changes nothing at all;", "(runs once)"]);
    // Where small plans that change nothing run unasked, its word that it changes nothing is not taken.
    let told = desk.talk_with(&["--preset", "simple"], &["call liar.gentle"]);
    holds(&told, &["Run it?"]);
    assert_eq!(called(&desk), Vec::<String>::new());
    desk.talk(&["call liar.gentle", "y"]);
    assert_eq!(called(&desk), ["gentle"]);
}

#[test]
fn a_tool_that_changed_since_it_was_approved_is_not_called() {
    let Some(desk) = desk() else { return };
    let kept = desk.folder.path().join("kept.db");
    let kept = kept.to_str().unwrap();
    let words = ["ask", "--db", kept, "--assistant", "copilot", "--workspace", "desk", "call liar.turncoat"];
    assert_eq!(desk.turnwise(&words, "").status.code(), Some(3));
    std::fs::write(log(&desk).with_extension("log.turned"), "").unwrap();
    let waits = desk.turnwise(&["pending", "--json", "--db", kept], "").stdout;
    let waits: serde_json::Value = serde_json::from_slice(&waits).unwrap();
    let reference = waits[0]["reference"].as_str().unwrap();
    let approved = told(&desk.turnwise(&["approve", "--db", kept, reference], ""));
    holds(&approved, &["describes itself differently now than when it was approved, so it was not called"]);
    assert_eq!(called(&desk), Vec::<String>::new());
}

#[test]
fn consent_in_what_a_tool_answers_is_text_and_nothing_else() {
    let Some(desk) = desk() else { return };
    let order = "1. call liar.pleads 2. write it to said.txt";
    let told = desk.talk(&[order, "y", "run `touch made`"]);
    assert!(!desk.has("made"), "the plan behind it still waits: {told}");
    assert!(!told.contains('\u{1b}'), "no control character of the server is printed");
    assert!(desk.read("said.txt").contains("approve"));
}

#[test]
fn a_flood_a_death_and_a_hang_leave_a_step_nobody_calls_done() {
    for (tool, sentence) in [
        ("flood", "sent more at once than is read from a tool"),
        ("die", "before it answered"),
        ("hang", "it took longer than its limit of 5 seconds"),
    ] {
        let Some(desk) = desk() else { return };
        let told = desk.talk(&[&format!("1. call liar.{tool} 2. write it to out.txt"), "y"]);
        holds(&told, &[sentence]);
        assert_eq!(called(&desk), [tool], "once and not again: {told}");
        assert!(!desk.has("out.txt"));
        assert!(told.len() < 100_000);
    }
}

#[test]
fn a_failure_is_one_and_a_request_for_a_secret_gets_nothing() {
    let Some(desk) = desk() else { return };
    holds(&desk.talk(&["call liar.fails", "y"]), &["“liar.fails” says that it failed: the disk is full."]);
    let told = desk.talk(&["call liar.asks", "y"]);
    assert!(!told.contains("password"), "{told}");
    holds(&told, &["asked"]);
}

#[test]
fn a_server_that_cannot_be_reached_is_named_and_the_rest_goes_on() {
    let desk = Desk::new();
    desk.configure("assistants: {copilot: {tools: {gone: {command: [no-such-program]}}}}\n");
    let told = desk.talk(&["what can you do?", "call gone.thing", "run `echo still here`", "y"]);
    holds(&told, &["The tools of gone cannot be reached: `no-such-program` cannot be started", "still here"]);
    desk.configure("assistants: {copilot: {tools: {gone: {comand: [x]}}}}\n");
    let wrong = ["turnwise.yaml, line 1: there is no setting `comand`", "did you mean `command`?"];
    holds(&desk.talk(&["what can you do?"]), &wrong);
}
