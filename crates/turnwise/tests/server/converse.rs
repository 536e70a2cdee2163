//! One request, one reply: the assistant at the side of one person over `POST /operator/converse`, in the conversation
//! that goes on and on. Next: `client`.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use turnwise_intent::IntentReader;
use turnwise_intent::behaviour::companion::forbidden;
use turnwise_intent::classify::{Context, classify};

use crate::client::{Client, Server, tokens};

const SERVED: [&str; 4] = ["--assistant", "analyst", "--assistant", "companion"];

/// Sends a message, and looks the reply over for words that are never said.
#[track_caller]
pub fn converse(client: &Client, body: &Value) -> Value {
    let reply = client.send("POST", "/operator/converse", &[], Some(body)).expect(200);
    assert_eq!(forbidden(reply["companion_message"].as_str().unwrap()), Vec::<&str>::new(), "{reply}");
    reply
}

#[track_caller]
pub fn say(client: &Client, message: &str) -> Value {
    converse(client, &json!({ "message": message }))
}

/// Messages that nobody learned from, each the first of a person of its own: what a conversation takes one for is what
/// `classify` does, and nearly always what was meant.
#[test]
fn a_conversation_reads_what_nobody_learned_from_as_classify_does() {
    const MEANT_MIN: f64 = 0.95;
    let cases: Vec<Value> = include_str!("../../../turnwise-intent/tests/data/companion.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|case| case["context"] == json!({}) && case["expect"]["intent"].is_string())
        .collect();
    let state = tempfile::tempdir().unwrap();
    let people = state.path().join("people");
    let digest = |token: &str| {
        Sha256::digest(token.as_bytes()).iter().fold(String::new(), |all, byte| format!("{all}{byte:02x}"))
    };
    let lines: Vec<String> = (0..cases.len()).map(|at| format!("person{at} {}\n", digest(&token(at)))).collect();
    std::fs::write(&people, lines.concat()).unwrap();
    let more = [&SERVED[..], &["--tokens", people.to_str().unwrap()]].concat();
    let server = Server::start(state.path(), &more);
    let reader = IntentReader::builtin("companion").unwrap();
    let (mut meant, mut otherwise) = (0, Vec::new());
    for (at, case) in cases.iter().enumerate() {
        let text = case["text"].as_str().unwrap();
        let read = say(&server.with(&token(at)), text)["classified_intent"].clone();
        let read = read.as_str().unwrap_or("null").to_owned();
        let classified = classify(&reader, text, &Context::default()).intent;
        if read != classified {
            otherwise.push(format!("{text}: {read} in a conversation, {classified} by itself"));
        }
        meant += usize::from(case["expect"]["intent"] == read.as_str());
    }
    println!("{meant} of {} as meant", cases.len());
    assert_eq!(otherwise, Vec::<String>::new());
    #[expect(clippy::cast_precision_loss, reason = "there are some hundred")]
    let share = meant as f64 / cases.len() as f64;
    assert!(share >= MEANT_MIN, "{meant} of {}", cases.len());
}

fn token(at: usize) -> String {
    format!("{at:064}")
}

/// Sends what the reply suggests under this label.
#[track_caller]
fn take(client: &Client, reply: &Value, label: &str) -> Value {
    let actions = reply["suggested_actions"].as_array().unwrap();
    let action = actions.iter().find(|action| action["label"] == label);
    say(client, action.unwrap_or_else(|| panic!("no “{label}”: {reply}"))["message"].as_str().unwrap())
}

/// A project with all that is asked of it said.
fn seeded(client: &Client, work: &str) -> Value {
    say(client, "I want to start a new project.");
    say(client, work);
    let mut reply = say(client, "small farms");
    for _ in 0..4 {
        reply = take(client, &reply, "Skip");
    }
    reply
}

#[test]
fn a_project_is_set_up_and_its_draft_readiness_and_effects_come_with_every_reply() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &SERVED);
    let ada = server.anyone();
    let begun = say(&ada, "start a new project");
    assert_eq!(
        begun["companion_message"],
        "What is the work? Tell me in a sentence or two, and give it a name if it has one."
    );
    assert_eq!(begun["classified_intent"], "create_project");
    assert_eq!(begun["side_effects"][0]["kind"], "project_created");
    assert_eq!((&begun["readiness"], &begun["draft_specification"]), (&json!("drafting"), &json!({})));
    let project = begun["project_id"].as_str().unwrap().to_owned();
    let named = say(&ada, "FarmGuard: an app that watches irrigation");
    assert_eq!(named["draft_specification"], json!({ "work": "FarmGuard: an app that watches irrigation" }));
    let mut reply = say(&ada, "small farms");
    for _ in 0..4 {
        reply = take(&ada, &reply, "Skip");
    }
    assert_eq!(reply["readiness"], "ready_for_review", "{reply}");
    assert_eq!(reply["draft_specification"]["audience"], "small farms");
    let done = take(&ada, &reply, "Finalize it");
    assert_eq!(done["side_effects"], json!([{ "kind": "project_finalized", "project_id": project }]));
    assert_eq!(done["companion_message"].as_str().unwrap().split('.').next(), Some("FarmGuard is set up"));
    assert!(done.get("readiness").is_none() && done.get("draft_specification").is_none(), "{done}");
    let noted = say(&ada, "The soil is clay.");
    assert_eq!(noted["side_effects"], json!([{ "kind": "note_created", "project_id": project, "note": 1 }]));
    let saved = take(&ada, &noted, "Save note 1");
    assert_eq!(saved["side_effects"][0]["kind"], "note_saved");
    let back = say(&ada, "take back note 1");
    assert_eq!(back["side_effects"][0]["kind"], "note_taken_back");
}

#[test]
fn a_hint_decides_what_is_meant_and_one_that_means_nothing_is_refused() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &SERVED);
    let ada = server.anyone();
    let ready = seeded(&ada, "FarmGuard: an app that watches irrigation");
    take(&ada, &ready, "Finalize it");
    let noted = converse(&ada, &json!({ "message": "What about drones?", "intent_hint": "add_knowledge" }));
    assert_eq!(noted["classified_intent"], "add_knowledge");
    assert!(noted["companion_message"].as_str().unwrap().contains("“What about drones?”"), "{noted}");
    let talked = converse(&ada, &json!({ "message": "The soil is clay.", "intent_hint": "general_conversation" }));
    assert_eq!(talked["side_effects"], json!([]));
    say(&ada, "The blue door sticks.");
    let progress = converse(&ada, &json!({ "message": "the blue door", "intent_hint": "ask_about_progress" }));
    assert!(progress["companion_message"].as_str().unwrap().starts_with("FarmGuard: 2 notes."), "{progress}");
    let begun = converse(&ada, &json!({ "message": "Barn: a shed for tools", "intent_hint": "create_project" }));
    assert_eq!(begun["side_effects"][0]["kind"], "project_created", "{begun}");
    let wrong = json!({ "message": "hm", "intent_hint": "add_knowlege" });
    let refused = ada.send("POST", "/operator/converse", &[], Some(&wrong)).problem(422, "unknown_intent");
    assert_eq!(refused["hint"], "did you mean `add_knowledge`?");
    ada.send("POST", "/operator/converse", &[], Some(&json!({ "message": " " }))).problem(422, "empty");
    let misspelt = json!({ "message": "hm", "project": "x" });
    ada.send("POST", "/operator/converse", &[], Some(&misspelt)).problem(422, "invalid");
}

#[test]
fn a_project_is_named_by_its_id_and_anyone_elses_is_not_found() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("tokens");
    let tokens = tokens(&file, &["ada", "ben"]);
    let mut more = SERVED.to_vec();
    more.extend(["--tokens", file.to_str().unwrap()]);
    let server = Server::start(state.path(), &more);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    let farm = seeded(&ada, "FarmGuard: an app that watches irrigation")["project_id"].clone();
    let harbor = seeded(&ada, "Harbor: a book about harbors")["project_id"].clone();
    assert_ne!(farm, harbor);
    let noted = converse(&ada, &json!({ "message": "Remember that the soil is clay.", "project_id": farm }));
    assert_eq!(noted["side_effects"][0]["project_id"], farm);
    let told = converse(&ada, &json!({ "message": "show me my notes", "project_id": harbor }));
    assert_eq!(told["companion_message"], "There are no notes on Harbor yet.");
    let theirs = json!({ "message": "show me my notes", "project_id": farm });
    let none = json!({ "message": "show me my notes", "project_id": "0123456789abcdef" });
    let refused = ben.send("POST", "/operator/converse", &[], Some(&theirs));
    refused.problem(404, "not_found");
    assert_eq!(refused.text(), ben.send("POST", "/operator/converse", &[], Some(&none)).text());
    let told = say(&ben, "show me my notes");
    assert!(!told.to_string().contains("clay") && !told.to_string().contains("FarmGuard"), "{told}");
    server.anyone().send("POST", "/operator/converse", &[], Some(&json!({ "message": "hm" }))).expect(401);
}

#[test]
fn the_same_request_sent_again_gets_the_same_reply_and_keeps_nothing_twice_also_after_a_restart() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &SERVED);
    let ready = seeded(&server.anyone(), "FarmGuard: an app that watches irrigation");
    take(&server.anyone(), &ready, "Finalize it");
    let noting = json!({ "message": "Remember that the soil is clay." });
    let send = |server: &Server| server.anyone().input("POST", "/operator/converse", &noting, "k1").expect(200);
    let first = send(&server);
    server.kill();
    let server = Server::start(state.path(), &SERVED);
    let again = send(&server);
    assert_eq!((&first["replayed"], &again["replayed"]), (&json!(false), &json!(true)));
    assert_eq!(first["companion_message"], again["companion_message"]);
    assert_eq!(first["side_effects"], again["side_effects"]);
    let told = say(&server.anyone(), "show me my notes");
    assert_eq!(told["companion_message"], "Your notes on FarmGuard:\n#1: the soil is clay (waiting)");
}

#[test]
fn without_an_assistant_that_goes_along_there_is_nothing_to_talk_to() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let reply = server.anyone().send("POST", "/operator/converse", &[], Some(&json!({ "message": "hm" })));
    reply.problem(404, "not_found");
}

#[test]
fn messages_sent_close_together_are_each_answered_and_kept() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &SERVED);
    let ada = server.anyone();
    let reply = seeded(&ada, "FarmGuard: an app that watches irrigation");
    take(&ada, &reply, "Finalize it");
    let replies: Vec<Value> = std::thread::scope(|scope| {
        let server = &server;
        let send = |at: u32| scope.spawn(move || say(&server.anyone(), &format!("Remember that part {at} is blue.")));
        let sending: Vec<_> = (1..=6).map(send).collect();
        sending.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let mut kept: Vec<i64> = replies
        .iter()
        .map(|reply| reply["side_effects"][0]["note"].as_i64().unwrap_or_else(|| panic!("nothing kept: {reply}")))
        .collect();
    kept.sort_unstable();
    assert_eq!(kept, [1, 2, 3, 4, 5, 6], "{replies:?}");
}
