//! The editor by real clients: runs the tests of `editor/` with Node, the protocol's own client and `acpx`, over the
//! built binary. Without them it says that it was skipped; on a CI machine that is a failure. Next:
//! `editor/harness.mjs`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests with their packages in a folder of the build, which keeps them out of the tree.
fn prepared() -> Result<PathBuf, String> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/editor");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor");
    std::fs::create_dir_all(&folder).unwrap();
    let is_new = std::fs::read(folder.join("package.json")).ok() != std::fs::read(own.join("package.json")).ok();
    for file in std::fs::read_dir(&own).unwrap() {
        let file = file.unwrap().file_name();
        std::fs::copy(own.join(&file), folder.join(&file)).unwrap();
    }
    if is_new || !folder.join("node_modules").exists() {
        let ran = Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--silent"])
            .current_dir(&folder)
            .output()
            .map_err(|error| format!("npm: {error}"))?;
        if !ran.status.success() {
            let _ = std::fs::remove_file(folder.join("package.json"));
            return Err(format!("npm install: {}", String::from_utf8_lossy(&ran.stderr)));
        }
    }
    Ok(folder)
}

/// Runs one file of tests.
fn run(file: &str) {
    let folder = match prepared() {
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
    run("editor.test.mjs");
}

#[test]
fn editor_cancel_during_prompt_returns_cancelled() {
    run("cancel.test.mjs");
}

#[test]
fn other_agents_work_in_a_copy_and_what_they_want_is_asked() {
    run("worker.test.mjs");
}
