//! What is heard in words beside their intent, through the real program: a yes in people's own words, commands that say
//! how their text is meant, the mode a task asks for, and what answers a question.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

const QUESTION: &str = "how many people are there?";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), "id,name,town\n1,Ada,Rome\n2,Bob,Oslo\n3,Cy,Rome\n").unwrap();
    folder
}

/// What a chat says to the lines of `input`.
fn chat(folder: &Path, data: &[&str], input: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["chat", "--ephemeral"])
        .args(data)
        .current_dir(folder)
        .env("TURNWISE_STATE", folder.join("state"))
        .env("TURNWISE_ASSISTANTS", folder.join("assistants"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn over_people(folder: &Path, input: &str) -> String {
    chat(folder, &["--data", "people.csv"], input)
}

/// The analyst's own profile without the section `without`, and with `command` among its commands.
fn own_profile(folder: &Path, without: &str, command: &str) {
    let built_in = include_str!("../../../assistants/analyst/assistant.yaml");
    let mut is_in_section = false;
    let kept: Vec<&str> = built_in
        .lines()
        .filter(|line| {
            if !line.starts_with([' ', '#']) && !line.is_empty() {
                is_in_section = *line == format!("{without}:");
            }
            !is_in_section
        })
        .collect();
    let text = kept.join("\n").replace("\ncommands:\n", &format!("\ncommands:\n{command}"));
    let own = folder.join("assistants/analyst");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("assistant.yaml"), text).unwrap();
}

#[test]
fn a_plain_confirmation_in_any_words_runs_the_plan() {
    let folder = folder();
    for yes in ["Yes everything you have is correct", "yes, you may proceed", "You got it right", "Okay to proceed"] {
        let said = over_people(folder.path(), &format!("{QUESTION}\n{yes}\n"));
        assert!(said.contains("Number of people: 3"), "{yes}: {said}");
    }
}

#[test]
fn what_is_close_to_a_yes_is_asked_back_and_a_bare_yes_settles_it() {
    let folder = folder();
    let close = "I have nothing to add";
    let asked = over_people(folder.path(), &format!("{QUESTION}\n{close}\n"));
    assert!(asked.contains("Run it? y/n") && !asked.contains("Number of people: 3"), "{asked}");
    let ran = over_people(folder.path(), &format!("{QUESTION}\n{close}\ny\n"));
    assert!(ran.contains("Number of people: 3"), "{ran}");
    let left = over_people(folder.path(), &format!("{QUESTION}\n{close}\nn\n"));
    assert!(left.contains("nothing was done") && !left.contains("Number of people: 3"), "{left}");
}

#[test]
fn a_command_that_says_how_its_text_is_meant_starts_a_task_of_that_text() {
    let folder = folder();
    own_profile(folder.path(), "none", "  - {name: /do, label: plan_new, help: plan it}\n");
    let said = over_people(folder.path(), "/do number of people by town\n");
    assert!(said.contains("Plan: \"number of people by town\""), "{said}");
}

#[test]
fn a_command_without_the_text_it_needs_asks_for_it() {
    let folder = folder();
    let command = "  - {name: /do, label: plan_new, asks: What should be counted?, help: plan it}\n";
    own_profile(folder.path(), "none", command);
    let said = over_people(folder.path(), "/do\n/do number of people by town\n");
    assert!(said.contains("What should be counted? Say it behind the command: “/do …”."), "{said}");
    assert!(said.contains("Plan: \"number of people by town\""), "{said}");
    assert!(!said.contains("“/do”"), "{said}");
}

#[test]
fn words_choose_a_mode_only_for_an_assistant_that_has_words_for_modes() {
    let folder = folder();
    let task = "verify the number of people by town\n/status\n";
    let proves = over_people(folder.path(), task);
    assert!(proves.contains("Working in proof mode"), "{proves}");
    own_profile(folder.path(), "modes", "");
    let keeps = over_people(folder.path(), task);
    assert!(!keeps.contains("Working in proof mode") && !keeps.contains("[PROOF]"), "{keeps}");
}

#[test]
fn what_is_said_to_a_question_answers_it_unless_the_assistant_has_words_for_something_else() {
    let folder = folder();
    let talk = "total amount by region\nrevenue per order line\n";
    let elsewhere = chat(folder.path(), &["--sample"], talk);
    own_profile(folder.path(), "apart", "");
    let answered = chat(folder.path(), &["--sample"], talk);
    assert_ne!(elsewhere, answered);
    assert!(answered.contains("planning goes on with that"), "{answered}");
}
