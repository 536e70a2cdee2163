//! The editor by real clients: runs the tests of `editor/` with Node, the protocol's own client and `acpx`, over the
//! built binary. Without them it says that it was skipped; on a CI machine that is a failure. Next:
//! `editor/harness.mjs`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod node;

use std::process::Command;

/// Runs one file of tests of a folder.
fn run(folder: &str, file: &str) {
    let folder = match node::prepared(folder) {
        Ok(folder) => folder,
        Err(missing) => {
            assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "the editor cannot be tested: {missing}");
            println!("skipped: {missing}");
            return;
        }
    };
    let ran = Command::new("node")
        .args(["--test", "--test-reporter=spec", "--test-concurrency=1", file])
        .current_dir(&folder)
        .env("TURNWISE", env!("CARGO_BIN_EXE_turnwise"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    println!("{told}");
    assert!(ran.status.success(), "{told}\n{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn editors_are_served_through_every_kind_of_message() {
    run("editor", "editor.test.mjs");
}

#[test]
fn editor_cancel_during_prompt_returns_cancelled() {
    run("editor", "cancel.test.mjs");
}

#[test]
fn other_agents_work_in_a_copy_and_what_they_want_is_asked() {
    run("editor", "worker.test.mjs");
}

#[test]
fn an_agent_of_somebody_else_changes_a_file_under_our_approval() {
    run("worker", "pi.test.mjs");
}
