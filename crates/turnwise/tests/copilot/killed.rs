//! The real program, killed (SIGKILL) in the middle of a step that must not run twice.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use crate::desk::{Desk, holds, told};

/// The command tells when it has begun and then waits for what nobody writes; the program dies meanwhile, and the
/// command with it. The next start does not run it again: it says that nobody knows, and asks.
#[cfg(unix)]
#[test]
fn a_command_whose_program_died_is_reported_as_unknown_and_not_run_again() {
    let desk = Desk::new();
    let kept = desk.folder.path().join("kept.db");
    let options = ["chat", "--db", kept.to_str().unwrap(), "--assistant", "copilot", "--workspace", "desk"];
    let mut program = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(options)
        .current_dir(desk.folder.path())
        .env("TURNWISE_STATE", desk.folder.path().join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pipe = desk.path().join("begun");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut input = program.stdin.take().unwrap();
    writeln!(input, "1. run `echo ran >> ran.txt; echo x > begun; cat begun` 2. run `touch behind`\ny").unwrap();
    // Opening waits until the command writes: by then it has had its effect.
    let mut said = String::new();
    std::fs::File::open(&pipe).unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "x\n");
    program.kill().unwrap();
    program.wait().unwrap();
    let again = told(&desk.turnwise(&[&options[..], &["--resume"]].concat(), "/status\n"));
    holds(&again, &["keeps no record of what it did"]);
    assert_eq!(desk.read("ran.txt"), "ran\n", "once and not again: {again}");
    assert!(!desk.has("behind"), "{again}");
}
