//! How an assistant goes about its work, through the real program: presets, places where a run waits, and that what is
//! not understood or not there yet stops it before anything happens.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const QUESTION: &str = "how many people are there?";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), "id,name,town\n1,Ada,Rome\n2,Bob,Oslo\n3,Cy,Rome\n").unwrap();
    folder
}

fn turnwise(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .args(["--data", "people.csv"])
        .current_dir(folder)
        .env("TURNWISE_STATE", folder.join("state"))
        .env("TURNWISE_ASSISTANTS", folder.join("assistants"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn the_simple_preset_runs_what_changes_nothing_and_says_why_it_did_not_ask() {
    let folder = folder();
    let chat = |input: &str| turnwise(folder.path(), &["chat", "--ephemeral", "--preset", "simple"], input);
    let ran = chat(&format!("{QUESTION}\n"));
    assert_eq!(ran.status.code(), Some(0), "{}{}", text(&ran), errors(&ran));
    assert!(text(&ran).contains(
        "Configured: plans of at most 2 steps that change nothing, or only what can be taken back, run without asking"
    ));
    assert!(
        text(&ran).contains("Runs without asking: it changes nothing and has no more than 2 steps"),
        "{}",
        text(&ran)
    );
    assert!(!text(&ran).contains("Run it?"), "{}", text(&ran));
    let asked = chat("number of people by town and save it as towns.csv\n");
    assert_eq!(asked.status.code(), Some(3), "{}{}", text(&asked), errors(&asked));
    assert!(text(&asked).contains("Run it?") && !folder.path().join("towns.csv").exists());
}

#[test]
fn a_run_waits_where_the_approval_mode_says() {
    let folder = folder();
    let arguments = ["chat", "--ephemeral", "--approval-mode", "before_step"];
    let waits = turnwise(folder.path(), &arguments, &format!("{QUESTION}\ny\n"));
    assert_eq!(waits.status.code(), Some(4), "{}{}", text(&waits), errors(&waits));
    assert!(text(&waits).contains("a run waits for you before each step"), "{}", text(&waits));
    assert!(text(&waits).contains("Paused before step 1"), "{}", text(&waits));
    let goes_on = turnwise(folder.path(), &arguments, &format!("{QUESTION}\ny\nresume\n"));
    assert_eq!(goes_on.status.code(), Some(0), "{}{}", text(&goes_on), errors(&goes_on));
}

/// A checkpoint after a step has something to check.
#[test]
fn what_a_step_found_is_shown_where_the_run_waits_behind_it() {
    let folder = folder();
    let arguments = ["chat", "--ephemeral", "--approval-mode", "after_step"];
    let task = "number of people by town and save it as towns.csv";
    let waits = turnwise(folder.path(), &arguments, &format!("{task}\ny\n"));
    assert_eq!(waits.status.code(), Some(4), "{}{}", text(&waits), errors(&waits));
    assert!(text(&waits).contains("step 1 found number_of_people_by_town: 2 rows, beginning"), "{}", text(&waits));
    assert!(!folder.path().join("towns.csv").exists());
    let goes_on = turnwise(folder.path(), &arguments, &format!("{task}\ny\nresume\n"));
    assert_eq!(goes_on.status.code(), Some(0), "{}{}", text(&goes_on), errors(&goes_on));
    assert!(folder.path().join("towns.csv").exists());
}

/// What only may mean to go on, or to stop, has no effect; a plain stop ends the run and then takes the rest up.
#[test]
fn a_run_that_waits_has_no_effect_on_words_that_are_not_plain() {
    let folder = folder();
    let arguments = ["chat", "--ephemeral", "--approval-mode", "after_step"];
    let task = "number of people by town and save it as towns.csv";
    let unplain = "resume later\ncontinue?\nnext?\nresume...\nkeep waiting\nI'd rather not resume\n";
    let waits = turnwise(folder.path(), &arguments, &format!("{task}\ny\n{unplain}"));
    assert_eq!(waits.status.code(), Some(4), "{}{}", text(&waits), errors(&waits));
    assert!(text(&waits).contains("It stays paused.") && !folder.path().join("towns.csv").exists(), "{}", text(&waits));
    let stop = "cancel that and show number of people by name\n";
    let stopped = turnwise(folder.path(), &arguments, &format!("{task}\ny\n{stop}"));
    assert_eq!(stopped.status.code(), Some(3), "{}{}", text(&stopped), errors(&stopped));
    let said = text(&stopped);
    let (stop, plan) = (said.find("Stopped. 1 completed"), said.rfind("Plan: \"show number of people by name\""));
    assert!(stop.is_some() && stop < plan, "{said}");
    assert!(!folder.path().join("towns.csv").exists(), "{said}");
}

#[test]
fn a_task_is_talked_over_first_where_that_is_configured() {
    let folder = folder();
    let arguments = ["chat", "--ephemeral", "--preset", "conversational"];
    let talked = turnwise(folder.path(), &arguments, "number of people by town\nshould we build it?\nonly Rome\n");
    assert_eq!(talked.status.code(), Some(4), "{}{}", text(&talked), errors(&talked));
    assert!(text(&talked).contains("a task is noted first, and planned when you say “implement”"), "{}", text(&talked));
    assert!(text(&talked).contains("1. number of people by town\n2. only Rome"), "{}", text(&talked));
    assert!(!text(&talked).contains("Plan:"), "{}", text(&talked));
    // What could not be planned is not lost.
    let lost = turnwise(folder.path(), &arguments, "number of people by town\nquarterly zebras\nimplement\n");
    assert_eq!(text(&lost).matches("Noted so far").count(), 3, "{}", text(&lost));
    let done = turnwise(folder.path(), &arguments, "number of people by town\nonly Rome\nimplement\ny\n");
    assert_eq!(done.status.code(), Some(0), "{}{}", text(&done), errors(&done));
    assert!(text(&done).contains("Plan: \"number of people by town, only Rome\""), "{}", text(&done));
    assert!(text(&done).contains("Rome") && !text(&done).contains("Oslo"), "{}", text(&done));
}

/// A misspelt key would be a setting that silently does nothing, here one that was to make it ask: nothing runs at all.
#[test]
fn unknown_config_key_fails_closed() {
    let folder = folder();
    let written = turnwise(folder.path(), &["chat", "--ephemeral"], "");
    assert_eq!(written.status.code(), Some(0), "{}", errors(&written));
    let profile = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["profile", "analyst"])
        .env("TURNWISE_STATE", folder.path().join("state"))
        .env("TURNWISE_ASSISTANTS", folder.path().join("assistants"))
        .output()
        .unwrap();
    assert!(profile.status.success(), "{}", errors(&profile));
    let file = folder.path().join("assistants/analyst/assistant.yaml");
    let built_in = std::fs::read_to_string(&file).unwrap();
    for (section, told) in [
        (
            "flow: {preset: simple, plan_aproval: true}",
            "line 1: unknown key `plan_aproval`; did you mean `plan_approval`?",
        ),
        ("flow: {approval_mode: before_stp}", "line 1"),
        ("flow: {conversational: maybe}", "line 1"),
    ] {
        std::fs::write(&file, format!("{section}\n{built_in}")).unwrap();
        let ask = turnwise(folder.path(), &["ask", "--approve", "all", QUESTION], "");
        assert_eq!(ask.status.code(), Some(2), "{}{}", text(&ask), errors(&ask));
        assert!(errors(&ask).contains(told), "{}", errors(&ask));
        assert!(text(&ask).is_empty(), "{}", text(&ask));
    }
}

/// FL-11: what is configured can be settled otherwise while talking, by the command or in words, and is taken back.
#[test]
fn how_work_is_gone_about_is_settled_while_talking() {
    let folder = folder();
    let chat = |input: &str| turnwise(folder.path(), &["chat", "--ephemeral"], input);
    let waits = chat(&format!("wait for me before each step\n{QUESTION}\ny\n"));
    assert!(text(&waits).contains("from now on: a run waits for you before each step"), "{}", text(&waits));
    assert_eq!(waits.status.code(), Some(4), "{}", text(&waits));
    assert!(text(&waits).contains("Paused before step 1"), "{}", text(&waits));
    // Settled while the plan waits, it holds for the run that the yes begins; so does taking it back.
    let late = chat(&format!("{QUESTION}\n/flow approval_mode=before_step\ny\n"));
    assert!(text(&late).contains("Paused before step 1"), "{}", text(&late));
    let back = chat(&format!("/flow approval_mode both\n{QUESTION}\n/flow configured\ny\n"));
    assert_eq!(back.status.code(), Some(0), "{}", text(&back));
    // A preset, with keys behind it.
    let simple = chat(&format!("/flow simple plan_approval on\n{QUESTION}\n"));
    assert_eq!(simple.status.code(), Some(0), "{}", text(&simple));
    assert!(text(&simple).contains("Runs without asking"), "{}", text(&simple));
    let talked = chat("let's talk things over first\nnumber of people by town\nonly Rome\nimplement\ny\n");
    assert_eq!(talked.status.code(), Some(0), "{}", text(&talked));
    assert!(text(&talked).contains("Plan: \"number of people by town, only Rome\""), "{}", text(&talked));
    let shown = chat("/flow approval_mode both\n/flow\n");
    assert!(
        text(&shown).contains("approval_mode both") && text(&shown).contains("(configured: none)"),
        "{}",
        text(&shown)
    );
    for (wrong, told) in [
        ("/flow aproval_mode both", "“aproval_mode” is nothing to settle here"),
        ("/flow approval_mode sometimes", "approval_mode is one of none, before_step, after_step, both, or configured"),
        ("/flow pause_enabled", "pause_enabled is one of on, off, or configured"),
    ] {
        let refused = chat(&format!("{wrong}\n"));
        assert!(text(&refused).contains(told), "{}", text(&refused));
    }
}

/// What asks every time by configuration can be told to ask again, and what its configuration forbids stays forbidden.
#[test]
fn talking_loosens_nothing_that_was_configured_to_hold() {
    let folder = folder();
    let simple = ["chat", "--ephemeral", "--preset", "simple"];
    let asked = turnwise(folder.path(), &simple, &format!("ask first\n{QUESTION}\n"));
    assert!(text(&asked).contains("Every plan of this conversation is asked about again."), "{}", text(&asked));
    assert_eq!(asked.status.code(), Some(3), "{}", text(&asked));
    let written = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["profile", "analyst"])
        .env("TURNWISE_STATE", folder.path().join("state"))
        .env("TURNWISE_ASSISTANTS", folder.path().join("assistants"))
        .output()
        .unwrap();
    assert!(written.status.success(), "{}", errors(&written));
    let file = folder.path().join("assistants/analyst/assistant.yaml");
    let profile = std::fs::read_to_string(&file).unwrap();
    let configured = |section: &str| std::fs::write(&file, format!("{section}\n{profile}")).unwrap();
    let chat = |input: &str| turnwise(folder.path(), &["chat", "--ephemeral"], input);
    configured("flow: {preset: conversational, allow_execution_transition: false}");
    let talk = chat(&format!("/flow allow_execution_transition on\n{QUESTION}\nimplement\n"));
    assert!(text(&talk).contains("settled in its configuration alone"), "{}", text(&talk));
    assert!(!text(&talk).contains("Plan:"), "{}", text(&talk));
    for loosens in ["/flow conversational off", "plan tasks right away", "/flow simple", "/flow complex"] {
        let talk = chat(&format!("{loosens}\n{QUESTION}\nimplement\n"));
        assert!(text(&talk).contains("Noted so far") && !text(&talk).contains("Plan:"), "{loosens}: {}", text(&talk));
    }
    let approvers = profile.replacen("name: analyst\n", "name: analyst\napproval: {only: [somebody]}\n", 1);
    std::fs::write(&file, approvers).unwrap();
    let unasked = chat(&format!("/flow simple\n{QUESTION}\n"));
    assert!(text(&unasked).contains("so none runs unasked"), "{}", text(&unasked));
    assert!(!text(&unasked).contains("Runs without asking"), "{}", text(&unasked));
}
