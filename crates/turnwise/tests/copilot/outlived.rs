//! The real program, killed (SIGKILL) while something it started runs: nothing of it goes on. Each of them holds a pipe
//! open, so that its end is seen wherever it comes from.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use crate::desk::Desk;

/// Says `line`, kills the program once the pipe `alive` was written to, and waits until nobody holds that open.
fn nothing_outlives(desk: &Desk, line: &str) {
    let pipe = desk.path().join("alive");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut program = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["chat", "--assistant", "copilot", "--workspace", "desk"])
        .current_dir(desk.folder.path())
        .env("TURNWISE_STATE", desk.folder.path().join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    writeln!(input, "{line}\ny").unwrap();
    let (sender, seen) = channel();
    std::thread::spawn(move || {
        let mut alive = std::fs::File::open(&pipe).unwrap();
        let mut first = [0; 2];
        sender.send(alive.read_exact(&mut first)).unwrap();
        sender.send(alive.read_to_end(&mut Vec::new()).map(drop)).unwrap();
    });
    seen.recv_timeout(BEGINS_WITHIN).expect("it begins").unwrap();
    assert!(seen.recv_timeout(STAYS_FOR).is_err(), "it runs as long as the program does");
    program.kill().unwrap();
    program.wait().unwrap();
    seen.recv_timeout(ENDS_WITHIN).expect("it outlived the program that started it").unwrap();
}

#[test]
fn a_command_ends_with_all_it_started_when_the_program_is_killed() {
    nothing_outlives(&Desk::new(), "run `exec 3> alive; echo x >&3; sleep 1000 & sleep 1000`");
}

#[test]
fn a_command_that_was_given_something_to_read_ends_when_the_program_is_killed() {
    let desk = Desk::new();
    desk.put("long.txt", &"a line that is read by nobody\n".repeat(2_000));
    nothing_outlives(&desk, "1. read long.txt 2. run `exec 3> alive; echo x >&3; sleep 1000` with it");
}

#[test]
fn a_python_program_ends_when_the_program_is_killed() {
    let script = "import time; alive = open('alive', 'w'); print('x', file=alive, flush=True); time.sleep(1000)";
    nothing_outlives(&Desk::new(), &format!("python `{script}`"));
}

/// The server hears that its input ended and goes on, as one may that is busy.
#[test]
fn a_server_of_tools_ends_when_the_program_is_killed() {
    let desk = Desk::new();
    let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/copilot/deaf.py");
    desk.configure(&format!(
        "assistants:\n  copilot:\n    tools:\n      deaf:\n        command: [python3, '{}']\n",
        server.display()
    ));
    nothing_outlives(&desk, "call deaf.wait");
}

const BEGINS_WITHIN: Duration = Duration::from_secs(60);
/// Long enough that a leash that lets go by itself would be seen.
const STAYS_FOR: Duration = Duration::from_secs(1);
const ENDS_WITHIN: Duration = Duration::from_secs(10);
