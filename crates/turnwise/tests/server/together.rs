//! Two people on one project over `POST /operator/converse`: what each may save, take back and undo, and that what is
//! done is what was agreed to. Next: `projects`.

use serde_json::{Value, json};

use crate::client::{Client, Server, tokens};
use crate::converse::say;

const SERVED: [&str; 4] = ["--assistant", "analyst", "--assistant", "companion"];

struct Two {
    _state: tempfile::TempDir,
    _server: Server,
    ada: Client,
    ben: Client,
    id: String,
}

/// A project Boat of ada; ben is invited and not in it yet.
fn boat() -> Two {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("tokens");
    let tokens = tokens(&file, &["ada", "ben"]);
    let mut more = SERVED.to_vec();
    more.extend(["--tokens", file.to_str().unwrap()]);
    let server = Server::start(state.path(), &more);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    let begun = ada.post("/v1/projects", &json!({ "name": "Boat" })).expect(201);
    let id = begun["project"]["id"].as_str().unwrap().to_owned();
    ada.post(&format!("/v1/projects/{id}/invitations"), &json!({ "person": "ben" })).expect(200);
    Two { _state: state, _server: server, ada, ben, id }
}

fn told(client: &Client, message: &str) -> String {
    say(client, message)["companion_message"].as_str().unwrap().to_owned()
}

impl Two {
    /// The numbers of the notes that stand there.
    fn notes(&self, state: &str) -> Vec<i64> {
        let notes = self.ada.get(&format!("/v1/projects/{}/notes", self.id)).expect(200);
        let all = notes["notes"].as_array().unwrap();
        let mut numbers: Vec<i64> =
            all.iter().filter(|note| note["state"] == state).filter_map(|note| note["number"].as_i64()).collect();
        numbers.sort_unstable();
        numbers
    }
}

#[test]
fn it_is_what_one_told_last_and_all_are_ones_own() {
    let two = boat();
    say(&two.ben, "join Boat");
    for said in ["The keel is oak", "The mast is spruce"] {
        say(&two.ada, said);
    }
    say(&two.ben, "The sail is tan");
    say(&two.ada, "save it");
    assert_eq!(two.notes("saved"), [2]);
    say(&two.ben, "save all");
    assert_eq!(two.notes("saved"), [2, 3]);
    say(&two.ben, "The rope is hemp");
    say(&two.ada, "save my notes");
    assert_eq!((two.notes("saved"), two.notes("waiting")), (vec![1, 2, 3], vec![4]));
    // “Delete it” is the same one.
    say(&two.ada, "delete it");
    assert_eq!(two.notes("saved"), [1, 3]);
}

#[test]
fn what_is_left_out_of_an_order_is_left_alone() {
    let two = boat();
    for said in ["The keel is oak", "The mast is spruce", "The sail is tan"] {
        say(&two.ada, said);
    }
    for (said, saved) in [
        ("save all notes except note 2", &[1, 3][..]),
        ("save everything but note 2", &[1, 3]),
        ("I'd like you to save all my notes except note 2", &[1, 3]),
        ("please keep all of them apart from the one about the sail", &[1, 2]),
        ("except note 1, save all of them", &[2, 3]),
    ] {
        let reply = told(&two.ada, said);
        assert_eq!(two.notes("saved"), saved, "{said}: {reply}");
        say(&two.ada, "undo");
        assert_eq!(two.notes("waiting"), [1, 2, 3], "{said}");
    }
    let reply = told(&two.ada, "save all notes except note 7");
    assert!(reply.starts_with("Which note should be left out?"), "{reply}");
    say(&two.ada, "delete all notes except note 1");
    assert_eq!(two.notes("waiting"), [1]);
}

#[test]
fn what_hangs_on_something_or_is_for_later_is_not_done_now() {
    let two = boat();
    say(&two.ada, "The keel is oak");
    for said in [
        "delete note 1 if Ben agrees",
        "delete note 1 tomorrow",
        "if Ben agrees, delete note 1",
        "save my notes on Monday",
        "take back note 1 once the mast stands",
        "rename the project to Ship next week",
    ] {
        let reply = told(&two.ada, said);
        assert!(reply.starts_with("I do nothing later by myself"), "{said}: {reply}");
        assert_eq!((two.notes("waiting"), two.notes("saved")), (vec![1], vec![]), "{said}");
    }
    // What is told may well say so.
    say(&two.ada, "Remember that we sail tomorrow if the wind holds");
    assert_eq!(two.notes("waiting"), [1, 2]);
    let reply = told(&two.ada, "rename it to");
    assert!(reply.starts_with("What should the project be called?"), "{reply}");
}

#[test]
fn what_is_done_is_what_was_agreed_to_and_undo_withdraws_what_waits() {
    let two = boat();
    say(&two.ada, "The keel is oak");
    let asked = told(&two.ada, "delete the project");
    assert_eq!(asked, "Delete Boat for good: 1 note. Shall I?");
    let reply = told(&two.ada, "undo");
    assert_eq!(reply, "All right, nothing was done.");
    assert_eq!(two.notes("waiting"), [1]);
    say(&two.ada, "delete the project");
    say(&two.ben, "join Boat");
    say(&two.ben, "The rope is hemp");
    let again = say(&two.ada, "yes");
    let reply = again["companion_message"].as_str().unwrap();
    assert!(reply.contains("Nothing was done") && reply.contains("Leave Boat, which stays with the others"), "{again}");
    assert_eq!(again["side_effects"], Value::Array(vec![]), "{again}");
    two.ada.get(&format!("/v1/projects/{}", two.id)).expect(200);
    assert_eq!(two.notes("waiting"), [1, 2]);
    say(&two.ada, "leave the project");
    let reply = told(&two.ada, "yes");
    assert_eq!(reply, "You left Boat. It stays with the others.");
    let reply = told(&two.ada, "undo");
    assert!(reply.starts_with("You left Boat, and that cannot be undone"), "{reply}");
}
