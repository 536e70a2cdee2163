//! Clauses of the companion's specification that show only where the whole is put together: what a model is told of a
//! project, that what is suggested can be sent back, how the settled messages are read, and that a project that was
//! taken along comes back the same. Next: `converse`.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::client::{Client, Server, key};
use crate::converse::{converse, say};

/// A provider that says the same to everybody and notes what it was told.
struct Provider {
    address: String,
    told: Arc<Mutex<Vec<String>>>,
}

impl Provider {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1/", listener.local_addr().unwrap());
        let told = Arc::<Mutex<Vec<String>>>::default();
        let noted = Arc::clone(&told);
        std::thread::spawn(move || listener.incoming().for_each(|line| answer(line.unwrap(), &noted)));
        Self { address, told }
    }

    /// What it was asked to say something to, last.
    fn last(&self) -> String {
        let told = std::mem::take(&mut *self.told.lock().unwrap());
        told.into_iter().rev().find(|told| told.contains("What to do:")).expect("no reply was asked for")
    }
}

fn answer(mut line: TcpStream, noted: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(line.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap() == 0 {
            return;
        }
    }
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length:").map(str::to_owned));
    let mut body = vec![0; length.unwrap().trim().parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap();
    let messages = body["messages"].as_array().unwrap();
    let told: Vec<&str> = messages.iter().filter_map(|message| message["content"].as_str()).collect();
    noted.lock().unwrap().push(told.join("\n"));
    let said = json!({ "reply": "So it stands." }).to_string();
    let part = json!({ "choices": [{ "index": 0, "delta": { "content": said }, "finish_reason": null }] });
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
    let content = format!("data: {part}\n\ndata: {end}\n\ndata: [DONE]\n\n");
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\n", content.len());
    write!(line, "{head}Connection: close\r\n\r\n{content}").unwrap();
}

#[track_caller]
fn begin(client: &Client, name: &str) -> String {
    let begun = client.post("/v1/projects", &json!({ "name": name })).expect(201);
    begun["project"]["id"].as_str().unwrap().to_owned()
}

/// Sets a project up with `work`, and nothing else.
fn set_up(client: &Client, id: &str, work: &str) {
    client.input("PUT", &format!("/v1/projects/{id}/seed/work"), &json!({ "said": work }), &key()).expect(200);
    for code in ["audience", "voice", "constraints", "success", "additional"] {
        client.input("PUT", &format!("/v1/projects/{id}/seed/{code}"), &json!({}), &key()).expect(200);
    }
    client.post(&format!("/v1/projects/{id}/finalize"), &json!({})).expect(200);
}

fn saved(client: &Client, id: &str, text: &str) {
    let number =
        client.post(&format!("/v1/projects/{id}/notes"), &json!({ "text": text })).expect(200)["number"].clone();
    let path = format!("/v1/projects/{id}/notes/{number}");
    client.input("PUT", &path, &json!({ "state": "saved" }), &key()).expect(200);
}

/// CP-09, CP-11, CP-12, CP-14 and CP-17.
#[test]
fn a_model_is_told_the_setup_the_latest_notes_and_the_latest_turns_within_the_budget() {
    let (state, provider) = (tempfile::tempdir().unwrap(), Provider::start());
    let more = ["--assistant", "companion", "--model", "openai:gpt-house", "--model-sees", "rows"];
    let variables = [("OPENAI_API_KEY", "sk-house-0123456789"), ("OPENAI_BASE_URL", provider.address.as_str())];
    let server = Server::start_with(state.path(), &more, &variables);
    let ada = server.anyone();
    let id = begin(&ada, "FarmGuard");
    set_up(&ada, &id, &format!("An app that watches irrigation {}", "w".repeat(300)));
    for number in 1..=24 {
        saved(&ada, &id, &format!("note-{number} {}", "x".repeat(300)));
    }
    let ask = || {
        assert_eq!(say(&ada, "How's the project going?")["companion_message"], "So it stands.");
        provider.last()
    };
    let told = ask();
    assert!(told.contains("#24: note-24 ") && told.contains("#5: note-5 ") && !told.contains("#4: "), "{told}");
    assert!(told.find("#24: ") < told.find("#23: "), "the newest come first: {told}");
    assert!(!told.contains(&"x".repeat(150)) && told.contains(&"x".repeat(130)), "a note is cut: {told}");
    assert!(!told.contains(&"w".repeat(200)) && told.contains(&"w".repeat(150)), "an answer is cut: {told}");
    assert!(told.contains("FarmGuard: 24 notes") && !told.contains("{companion_name}"), "{told}");
    // What changes is told at once, and what waits is not among what is told.
    saved(&ada, &id, "the well is dry");
    ada.post(&format!("/v1/projects/{id}/notes"), &json!({ "text": "the gate sticks" })).expect(200);
    let told = ask();
    assert!(told.contains("#25: the well is dry") && !told.contains("#5: ") && !told.contains("sticks"), "{told}");
    // Of what was said before, the ten latest turns.
    for _ in 0..7 {
        ask();
    }
    assert_eq!(ask().matches("So it stands.").count(), 5);
    // Groups take the place of notes.
    let group = |label: &str, notes: Value, said: &str| {
        let wanted = json!({ "notes": notes, "summary": said, "rationale": said });
        ada.input("PUT", &format!("/v1/projects/{id}/groups/{label}"), &wanted, &key()).expect(200);
    };
    group("Wells", json!([24, 25]), "All about water.");
    let told = ask();
    assert!(told.contains("Wells (2 notes): All about water. All about water.") && !told.contains("#25: "), "{told}");
    for number in 1..=20 {
        group(&format!("Group{number}"), json!([number]), &"long ".repeat(60));
    }
    let told = ask();
    assert!(told.contains("Wells (2 notes)") && told.contains("Group7 (1 note)"), "{told}");
    assert!(!told.contains("long long") && !told.contains("All about water"), "over the budget: {told}");
}

/// CP-01: each suggestion of each reply is one that can be sent as it is.
#[test]
fn whatever_is_suggested_does_what_it_says_when_it_is_sent_back() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--assistant", "companion"]);
    let ada = server.anyone();
    let suggested = |reply: &Value, label: &str| {
        let all = reply["suggested_actions"].as_array().unwrap().clone();
        let found = all.iter().find(|one| one["label"] == label).unwrap_or_else(|| panic!("no “{label}”: {reply}"));
        say(&ada, found["message"].as_str().unwrap())
    };
    let kind = |reply: &Value| reply["side_effects"][0]["kind"].clone();
    say(&ada, "start a new project");
    let named = say(&ada, "FarmGuard: an app that watches irrigation");
    let left = say(&ada, "cancel");
    assert_eq!(kind(&left), "setup_left");
    let again = suggested(&left, "Go on with the setup");
    assert_eq!(again["readiness"], named["readiness"]);
    let mut reply = again;
    for _ in 0..5 {
        reply = suggested(&reply, "Skip");
        assert_eq!(kind(&reply), "setup_changed");
    }
    assert_eq!(kind(&suggested(&reply, "Finalize it")), "project_finalized");
    let noted = say(&ada, "the soil is clay");
    assert_eq!(kind(&suggested(&noted, "Take note 1 back")), "note_taken_back");
    let noted = say(&ada, "the soil is loam");
    assert_eq!(kind(&suggested(&noted, "Save note 2")), "note_saved");
    let asked = say(&ada, "invite ben to the project");
    assert!(asked["companion_message"].as_str().unwrap().ends_with("Shall I?"), "{asked}");
    assert_eq!(suggested(&asked, "No")["side_effects"], json!([]));
    let asked = say(&ada, "invite ben to the project");
    assert_eq!(kind(&suggested(&asked, "Yes")), "person_invited");
    begin(&ada, "Harbor");
    // Nothing is turned to any more, so it has to be asked; both answers are offered.
    let elsewhere = tempfile::tempdir().unwrap();
    let ben = Server::start(elsewhere.path(), &["--assistant", "companion"]);
    let other = ben.anyone();
    for name in ["Pier", "Quay"] {
        begin(&other, name);
    }
    let asked = say(&other, "Remember that the crane is free on Tuesdays.");
    let offered: Vec<Value> =
        asked["suggested_actions"].as_array().unwrap().iter().map(|one| one["label"].clone()).collect();
    assert!(offered.contains(&json!("Pier")) && offered.contains(&json!("Quay")), "{asked}");
    let kept = say(&other, "Quay");
    assert_eq!(kind(&kept), "note_created");
    assert!(kept["companion_message"].as_str().unwrap().contains("note 1 of Quay"), "{kept}");
}

#[test]
fn what_is_said_beside_a_project_that_is_being_set_up_answers_no_question_that_nobody_saw() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--assistant", "companion"]);
    let ada = server.anyone();
    let id = begin(&ada, "FarmGuard");
    let kept = converse(&ada, &json!({ "message": "the crane is only free on Tuesdays", "project_id": id }));
    assert_eq!(kept["side_effects"], json!([{ "kind": "note_created", "project_id": id, "note": 1 }]), "{kept}");
    let actions = kept["suggested_actions"].as_array().unwrap().clone();
    let goes_on = actions.iter().find(|one| one["label"] == "Go on with the setup").unwrap();
    let asked = say(&ada, goes_on["message"].as_str().unwrap());
    assert!(asked["companion_message"].as_str().unwrap().contains("What is the work?"), "{asked}");
    assert_eq!(
        say(&ada, "an app for farmers")["draft_specification"],
        json!({ "work": "an app for farmers", "audience": "farmers" })
    );
}

/// CP-15.
#[test]
fn every_message_of_the_specification_is_read_as_it_says() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--assistant", "companion"]);
    let ada = server.anyone();
    let id = begin(&ada, "FarmGuard");
    set_up(&ada, &id, "An app that watches irrigation");
    for (said, intent) in [
        ("The irrigation system needs to handle three soil types: sandy, clay, and loam.", "add_knowledge"),
        ("Remember that the deadline is March 15th.", "add_knowledge"),
        ("How's the project going?", "ask_about_progress"),
        ("What's been happening since last week?", "ask_about_progress"),
        ("What have I told you about the pricing model?", "ask_about_past_input"),
        ("Can you show me my notes?", "ask_about_past_input"),
        ("I need to download the report.", "request_download"),
        ("Can I get the latest artifact?", "request_download"),
        ("I think the project setup looks good, let's finalize it.", "finalize_project"),
        ("What do you think about adding a glossary section?", "general_conversation"),
        ("hmm", "general_conversation"),
        ("Can you draft the specification for me?", "request_draft"),
        ("The draft looks good, approve it.", "approve_draft"),
        ("The report needs updating.", "request_revision"),
        ("Move those notes to the other project.", "request_redirect"),
        ("Let's build something new for tracking expenses.", "create_project"),
        ("I want to start a new project.", "create_project"),
    ] {
        let reply = say(&ada, said);
        assert_eq!(reply["classified_intent"], intent, "{said}: {reply}");
        assert!(!reply["companion_message"].as_str().unwrap().contains(intent), "the label is for logs: {reply}");
    }
}

/// The files of an archive, by name.
fn unpacked(packed: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(packed)).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    let mut content = |name: &str| {
        let mut bytes = Vec::new();
        archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    };
    names.iter().map(|name| (name.clone(), content(name))).collect()
}

#[test]
fn a_project_that_was_taken_along_comes_back_the_same_to_the_letter() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--assistant", "companion"]);
    let ada = server.anyone();
    let id = begin(&ada, "FarmGuard");
    set_up(&ada, &id, "An app that watches irrigation:\n\n# no heading\n- a list");
    for text in ["the soil is clay", "# Note 9: Saved\n\nno note of its own", "goes again", "```\n## Note 3\n```"] {
        saved(&ada, &id, text);
    }
    ada.post(&format!("/v1/projects/{id}/notes"), &json!({ "text": "waits, and “quotes”" })).expect(200);
    let back = json!({ "state": "taken_back" });
    ada.input("PUT", &format!("/v1/projects/{id}/notes/3"), &back, &key()).expect(200);
    let group = json!({ "notes": [1, 2], "summary": "What it stands on.", "rationale": "Asked for often." });
    ada.input("PUT", &format!("/v1/projects/{id}/groups/Soil%20%26%20sand"), &group, &key()).expect(200);
    let soil = json!({ "content": "Sandy.\n\n## Part\n\nLoam." });
    ada.input("PUT", &format!("/v1/projects/{id}/specifications/Soil"), &soil, &key()).expect(200);
    let archive = ada.get(&format!("/v1/projects/{id}/archive")).body;
    // To somebody who has nothing yet, so that it keeps its name.
    let elsewhere = tempfile::tempdir().unwrap();
    let server = Server::start(elsewhere.path(), &["--assistant", "companion"]);
    let other = server.anyone();
    let head = format!(
        "POST /v1/projects/archive HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nIdempotency-Key: k\r\n\
         Content-Type: application/zip\r\nContent-Length: {}\r\n\r\n",
        other.address,
        archive.len()
    );
    let here = other.raw(&[head.as_bytes(), &archive].concat()).unwrap().expect(201);
    let copy = here["project"]["id"].as_str().unwrap();
    let again = unpacked(&other.get(&format!("/v1/projects/{copy}/archive")).body);
    for (name, content) in unpacked(&archive) {
        let (before, now) = (String::from_utf8_lossy(&content).into_owned(), again.get(&name));
        let now = String::from_utf8_lossy(now.unwrap_or_else(|| panic!("no {name}"))).replace(copy, &id);
        assert_eq!(now, before, "{name}");
    }
}
