//! Runs that a killed process (SIGKILL) left in the middle, in conversations that nobody opens again: whoever is there
//! next goes on with them, a server or a chat, and nothing is done twice. Next: `killed`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, Server, customers, sample};
use crate::screen::Terminal;

/// Files that the run appends to, so that it has many steps.
const FILES: [&str; 5] = ["a.csv", "b.csv", "c.csv", "d.csv", "e.csv"];
/// Far more than a lease takes to run out and a run to end on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
const MANY: [&str; 2] = ["--requests-per-second", "10000"];

fn question() -> String {
    let appends: Vec<String> = FILES.iter().map(|name| format!("append it to \"{name}\"")).collect();
    format!("how many customers are there, {}", appends.join(" and "))
}

/// A state folder in which a server was killed right after a run was approved, and the conversation.
fn killed_in_the_middle(more: &[&str]) -> (TempDir, String) {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), more);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, &question()).expect(200);
    let reference = stream.question("approval");
    ada.decide(&id, &reference, &json!({"is": "approve"})).expect(200);
    server.kill();
    assert!(!is_written(&files(&state, &id)), "it was killed after the run: nothing was tested");
    (state, id)
}

/// Where the conversation has its files.
fn files(state: &TempDir, id: &str) -> PathBuf {
    state.path().join("files").join(id)
}

/// Whether every file has the result.
fn is_written(folder: &Path) -> bool {
    FILES.iter().all(|name| times_written(folder, name) > 0)
}

/// How often the result stands in a file.
fn times_written(folder: &Path, name: &str) -> usize {
    let text = std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    text.lines().filter(|line| *line == customers()).count()
}

pub fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what} did not happen");
        std::thread::yield_now();
    }
}

/// Where the conversation stands by the list, which opens nothing.
fn phase(ada: &Client, id: &str) -> String {
    let listed = ada.get("/v1/conversations").expect(200);
    let one = listed.as_array().unwrap().iter().find(|one| one["id"] == id).unwrap();
    one["phase"].as_str().unwrap().to_owned()
}

/// The run ended well, and each of its files was written once.
fn check_done(folder: &Path, ada: &Client, id: &str) {
    let export = ada.get(&format!("/v1/conversations/{id}/export")).expect(200);
    assert_eq!((&export["state"]["phase"], &export["state"]["pending"]), (&json!("idle"), &json!([])), "{export}");
    let events = export["events"].as_array().unwrap();
    let results: Vec<&Value> = events.iter().filter(|event| event["card"]["card"] == "result").collect();
    assert!(results.iter().any(|result| result.to_string().contains(&customers())), "{results:?}");
    for name in FILES {
        assert_eq!(times_written(folder, name), 1, "{name}");
    }
}

#[test]
fn a_killed_server_goes_on_with_its_runs_after_the_restart_though_nobody_opens_them() {
    let (state, id) = killed_in_the_middle(&MANY);
    let server = Server::start(state.path(), &MANY);
    let ada = server.anyone();
    assert_eq!(phase(&ada, &id), "executing", "the claim of the dead process still holds");
    wait_until("the end of the run", || phase(&ada, &id) == "idle");
    check_done(&files(&state, &id), &ada, &id);
}

/// The files of a server's conversation are the server's: a chat beside it goes on with the run and stops, in words, at
/// the first that would be written.
#[test]
fn a_chat_in_another_conversation_goes_on_as_far_as_no_file_is_the_server_s() {
    let (state, id) = killed_in_the_middle(&[]);
    let arguments = ["chat", "--new", "--data", sample().to_str().unwrap()];
    let chat = Terminal::start(100, 30, &arguments, &[("TURNWISE_STATE", state.path().to_str().unwrap())]);
    let store = rusqlite::Connection::open(state.path().join("turnwise.db")).unwrap();
    let failed = || {
        let phase = "SELECT phase FROM conversations WHERE id = ?1";
        store.query_row(phase, [&id], |row| row.get::<_, String>(0)).is_ok_and(|phase| phase == "failed")
    };
    wait_until("the refusal", failed);
    drop(chat);
    let server = Server::start(state.path(), &MANY);
    let export = server.anyone().get(&format!("/v1/conversations/{id}/export")).expect(200);
    assert!(export["events"].to_string().contains("is kept by the server this was planned on"), "{export}");
    assert!(
        FILES
            .iter()
            .all(|name| times_written(&files(&state, &id), name) == 0 && times_written(state.path(), name) == 0)
    );
}

#[test]
fn a_conversation_over_other_data_goes_on_over_that_data() {
    let extra = tempfile::tempdir().unwrap();
    let table = extra.path().join("extra.csv");
    std::fs::write(&table, "name,shoe\nAda,38\n").unwrap();
    let both = ["--data", table.to_str().unwrap()];
    let (state, id) = killed_in_the_middle(&both);
    let server = Server::start(state.path(), &MANY);
    wait_until("the end of the run", || is_written(&files(&state, &id)));
    drop(server);
    let server = Server::start(state.path(), &[&both[..], &MANY].concat());
    let ada = server.anyone();
    wait_until("the last report", || phase(&ada, &id) == "idle");
    check_done(&files(&state, &id), &ada, &id);
}

#[test]
fn a_conversation_whose_data_is_gone_is_told_and_left_alone() {
    let extra = tempfile::tempdir().unwrap();
    let table = extra.path().join("extra.csv");
    std::fs::write(&table, "name,shoe\nAda,38\n").unwrap();
    let (state, id) = killed_in_the_middle(&["--data", table.to_str().unwrap()]);
    drop(extra);
    let server = Server::start(state.path(), &[]);
    let told = format!("The unfinished work of conversation {id} cannot go on: ");
    wait_until("the note", || server.said().contains(&told));
    // The server serves, and says it once.
    let ada = server.anyone();
    let own = ada.begin();
    let mut stream = ada.follow(&own, None);
    ada.say(&own, "how many customers are there?").expect(200);
    let reference = stream.question("approval");
    ada.decide(&own, &reference, &json!({"is": "approve"})).expect(200);
    assert!(stream.result().to_string().contains(&customers()));
    assert_eq!(ada.get("/readyz").status, 200);
    let said = server.said();
    assert_eq!(said.matches(&told).count(), 1, "{said}");
    assert!(said.contains("extra.csv"), "{said}");
}
