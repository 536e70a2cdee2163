//! What must not run twice, while its plan is changed: it is let finish, and is not run again in the next version;
//! where it was broken off, that it may have happened is said before it is approved again. Next: `writing`.

use std::path::Path;

use serde_json::json;

use crate::client::{Client, Server};
use crate::code::program;
use crate::unattended::wait_until;

/// A conversation over a folder in which `slow.sh` writes “begun”, waits until it is let go, and writes “ended”.
fn running(workspace: &Path, state: &Path) -> (Server, Client, String) {
    std::fs::create_dir_all(state).unwrap();
    std::fs::create_dir_all(workspace).unwrap();
    let slow = "#!/bin/sh\necho begun >> log.txt\nwhile [ ! -e let_go ]; do sleep 0.05; done\necho ended >> log.txt\n";
    program(&workspace.join("slow.sh"), slow);
    let server = Server::start_over(workspace, state, &["--assistant", "copilot"], &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    let steps = "1. run `echo first >> log.txt` 2. run `./slow.sh` 3. run `echo last >> log.txt`";
    ada.say(&id, steps).expect(200);
    let question = stream.question("approval");
    ada.decide(&id, &question, &json!({"is": "approve"})).expect(200);
    stream.until(|sent| {
        let is_second = sent.data["event"] == "step" && sent.data["step"] == 2 && sent.data["state"] == "running";
        is_second.then_some(())
    });
    wait_until("the step has begun", || log(workspace).contains("begun"));
    (server, ada, id)
}

fn log(workspace: &Path) -> String {
    std::fs::read_to_string(workspace.join("log.txt")).unwrap()
}

#[test]
fn what_must_not_run_twice_is_let_finish_before_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let (state, workspace) = (folder.path().join("state"), folder.path().join("desk"));
    let (_server, ada, id) = running(&workspace, &state);
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "drop step 3").expect(200);
    stream.until(|sent| sent.data["text"].as_str()?.contains("must not run twice").then_some(()));
    std::fs::write(workspace.join("let_go"), "").unwrap();
    let question = stream.question("approval");
    assert_eq!(log(&workspace), "first\nbegun\nended\n");
    ada.decide(&id, &question, &json!({"is": "approve"})).expect(200);
    stream.until(|sent| (sent.data["event"] == "run_ended" && sent.data["status"] == "completed").then_some(()));
    assert_eq!(log(&workspace), "first\nbegun\nended\n", "nothing of it was done again");
}

/// A step that waits is changed while another runs.
#[test]
fn what_is_still_to_come_is_changed_while_a_step_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (state, workspace) = (folder.path().join("state"), folder.path().join("desk"));
    let (_server, ada, id) = running(&workspace, &state);
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "step 3 should run `echo other >> log.txt`").expect(200);
    stream.until(|sent| sent.data["text"].as_str()?.contains("must not run twice").then_some(()));
    std::fs::write(workspace.join("let_go"), "").unwrap();
    let question = stream.question("approval");
    ada.decide(&id, &question, &json!({"is": "approve"})).expect(200);
    stream.until(|sent| (sent.data["event"] == "run_ended" && sent.data["status"] == "completed").then_some(()));
    assert_eq!(log(&workspace), "first\nbegun\nended\nother\n");
}

#[test]
fn what_was_broken_off_is_said_to_have_perhaps_happened() {
    let folder = tempfile::tempdir().unwrap();
    let (state, workspace) = (folder.path().join("state"), folder.path().join("desk"));
    let (_server, ada, id) = running(&workspace, &state);
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "stop").expect(200);
    ada.say(&id, "skip step 3").expect(200);
    let told = stream.until(|sent| {
        let text = sent.data["text"].as_str()?;
        text.contains("it may have happened already").then(|| text.to_owned())
    });
    assert!(told.contains("step 2 “Run `./slow.sh`”"), "{told}");
    let question = stream.question("approval");
    std::fs::write(workspace.join("let_go"), "").unwrap();
    ada.decide(&id, &question, &json!({"is": "approve"})).expect(200);
    stream.until(|sent| (sent.data["event"] == "run_ended" && sent.data["status"] == "completed").then_some(()));
    let log = log(&workspace);
    assert_eq!((log.matches("first").count(), log.matches("begun").count()), (1, 2), "{log}");
}
