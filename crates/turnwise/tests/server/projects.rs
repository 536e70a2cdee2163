//! Projects over the API: the same store as the conversation's, each person's for themselves, two people on one
//! project, files up and down, and nothing lost when the server is killed. Next: `converse`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnwise_intent::behaviour::companion::forbidden;

use crate::client::{Client, Reply, Server, tokens};

const SERVED: [&str; 4] = ["--assistant", "analyst", "--assistant", "companion"];

/// A server with tokens for ada and ben.
fn shared(state: &std::path::Path) -> (Server, Client, Client) {
    let file = state.join("tokens");
    let tokens = tokens(&file, &["ada", "ben"]);
    let mut more = SERVED.to_vec();
    more.extend(["--tokens", file.to_str().unwrap()]);
    let server = Server::start(state, &more);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    (server, ada, ben)
}

#[track_caller]
fn begin(client: &Client, name: &str) -> String {
    let begun = client.post("/v1/projects", &json!({ "name": name })).expect(201);
    begun["project"]["id"].as_str().unwrap().to_owned()
}

#[track_caller]
fn say(client: &Client, message: &str) -> Value {
    let reply = client.send("POST", "/operator/converse", &[], Some(&json!({ "message": message }))).expect(200);
    assert_eq!(forbidden(reply["companion_message"].as_str().unwrap()), Vec::<&str>::new(), "{reply}");
    reply
}

fn of(id: &str, rest: &str) -> String {
    format!("/v1/projects/{id}{rest}")
}

/// Sends a file as it is.
fn upload(client: &Client, path: &str, media: &str, content: &[u8], key: &str) -> Reply {
    let method = if path.starts_with("/v1/projects/archive") { "POST" } else { "PUT" };
    let token = client.token.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{token}Idempotency-Key: {key}\r\n\
         Content-Type: {media}\r\nContent-Length: {}\r\n\r\n",
        client.address,
        content.len()
    );
    client.raw(&[head.as_bytes(), content].concat()).unwrap()
}

#[test]
fn a_project_is_set_up_filled_and_looked_at_and_the_conversation_knows_of_it() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &SERVED);
    let ada = server.anyone();
    let id = begin(&ada, "FarmGuard");
    let whole = ada.get(&of(&id, "")).expect(200);
    assert_eq!(whole["seed"].as_array().unwrap().len(), 6);
    ada.post(&of(&id, "/finalize"), &json!({})).problem(422, "impossible");
    let answer =
        |code: &str, said: &Value| ada.input("PUT", &of(&id, &format!("/seed/{code}")), said, &crate::client::key());
    answer("work", &json!({ "said": "An app that watches irrigation" })).expect(200);
    for code in ["audience", "voice", "constraints", "success", "additional"] {
        answer(code, &json!({})).expect(200);
    }
    answer("colour", &json!({})).problem(404, "not_found");
    ada.post(&of(&id, "/finalize"), &json!({})).expect(200);
    assert_eq!(ada.get(&of(&id, "")).expect(200)["project"]["is_ready"], true);
    for text in ["The deadline is March 15th", "The pumps need clay filters", "The budget is 20,000 euros"] {
        ada.post(&of(&id, "/notes"), &json!({ "text": text })).expect(200);
    }
    let change = |number: i64, wanted: Value| {
        ada.input("PUT", &of(&id, &format!("/notes/{number}")), &wanted, &crate::client::key())
    };
    change(1, json!({ "text": "The deadline is April 2nd", "state": "saved" })).expect(200);
    change(3, json!({ "state": "taken_back" })).expect(200);
    change(9, json!({ "state": "saved" })).problem(404, "not_found");
    change(1, json!({})).problem(422, "empty");
    change(1, json!({ "state": "committed" })).problem(422, "invalid");
    ada.post(&of(&id, "/notes"), &json!({ "text": " " })).problem(422, "impossible");
    let group = |notes: Value| ada.input("PUT", &of(&id, "/groups/Time%20%26%20money"), &notes, &crate::client::key());
    group(json!({ "notes": [1, 2], "summary": "When it is due." })).expect(200);
    group(json!({ "notes": [99] })).problem(404, "not_found");
    let notes = ada.get(&of(&id, "/notes?group=Time%20%26%20money")).expect(200);
    assert_eq!(notes["notes"].as_array().unwrap().len(), 2);
    assert_eq!(notes["notes"][1]["before"], json!(["The deadline is March 15th"]));
    assert_eq!(ada.get(&of(&id, "/notes?state=taken_back")).expect(200)["notes"][0]["number"], 3);
    let found = ada.get(&of(&id, "/notes?about=deadline")).expect(200);
    assert_eq!((&found["notes"][0]["number"], &found["is_near"]), (&json!(1), &json!(false)));
    // What was done here is what the conversation tells, and the other way round.
    let told = say(&ada, "show me my notes");
    assert_eq!(
        told["companion_message"],
        "Your notes on FarmGuard:\n#1: The deadline is April 2nd\n#2: The pumps need clay filters (waiting)"
    );
    say(&ada, "undo");
    assert_eq!(ada.get(&of(&id, "")).expect(200)["groups"], json!([]), "the last change was the group");
    let turns = ada.get(&of(&id, "/turns")).expect(200);
    assert_eq!(turns[1]["content"], "undo", "{turns}");
}

#[test]
fn files_go_up_and_come_down_in_every_version_and_a_project_goes_along_and_comes_back() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &SERVED);
    let ada = server.anyone();
    let named = json!({ "name": "FarmGuard" });
    let begun = ada.send("POST", "/v1/projects", &[("Idempotency-Key", "begun")], Some(&named)).expect(201);
    let id = begun["project"]["id"].as_str().unwrap().to_owned();
    let report = of(&id, "/artefacts/Field%20report?kind=report");
    let sent =
        |content: &[u8], key: &str| upload(&ada, &report, "text/markdown", content, key).expect(200)["number"].clone();
    assert_eq!(sent(b"The north field is dry.", "a"), 1);
    assert_eq!(sent(b"The north field is dry.", "b"), 1, "the same is no new version");
    assert_eq!(sent(b"The north field is wet.", "c"), 2);
    assert_eq!(sent(b"The north field is dry.", "a"), 1, "the same key is the same upload");
    for of_another in ["a", "begun"] {
        upload(&ada, &report, "text/markdown", b"anything", of_another).problem(422, "idempotency_key_reused");
    }
    let raw = [0x89, b'P', b'N', b'G', 0, 0xff, 0x0d, 0x0a];
    upload(&ada, &of(&id, "/artefacts/Map"), "image/png", &raw, "d").expect(200);
    let first = ada.get(&of(&id, "/artefacts/Field%20report?version=1"));
    assert_eq!(first.text(), "The north field is dry.");
    assert_eq!(first.header("content-disposition"), Some("attachment; filename=\"field-report.v1.md\""));
    assert_eq!(first.header("content-type"), Some("application/octet-stream"), "nothing that was brought runs");
    assert_eq!(ada.get(&of(&id, "/artefacts/Map")).body, raw);
    ada.get(&of(&id, "/artefacts/Map?version=7")).problem(404, "not_found");
    let told = say(&ada, "I need to download version 1 of the report.");
    assert_eq!(told["companion_message"], "Field report, version 1:\n\nThe north field is dry.");
    let told = say(&ada, "what have I told you about the north field?");
    assert_eq!(
        told["companion_message"],
        "No note of FarmGuard speaks of “north field”. Elsewhere I found:\nIn the artefact “Field report”: The north \
         field is wet."
    );
    let soil = of(&id, "/specifications/Soil");
    ada.input("PUT", &soil, &json!({ "content": "Sandy, clay, loam." }), "e").expect(200);
    assert_eq!(ada.get(&soil).expect(200)["content"], "Sandy, clay, loam.");
    let archive = ada.get(&of(&id, "/archive"));
    assert_eq!(archive.header("content-disposition"), Some("attachment; filename=\"farmguard.zip\""));
    let back = upload(&ada, "/v1/projects/archive", "application/zip", &archive.body, "f").expect(201);
    assert_eq!(back["project"]["name"], "FarmGuard (2)", "another one has the name");
    assert_eq!((&back["project"]["artefacts"], &back["project"]["specifications"]), (&json!(2), &json!(1)));
    let copy = back["project"]["id"].as_str().unwrap();
    assert_eq!(ada.get(&of(copy, "/artefacts/Map")).body, raw);
    assert_eq!(ada.get(&of(copy, "/artefacts/Field%20report?version=1")).text(), "The north field is dry.");
    upload(&ada, "/v1/projects/archive", "application/zip", b"no archive", "g").problem(422, "impossible");
    let large = vec![b'x'; 9 << 20];
    upload(&ada, &of(&id, "/artefacts/Large"), "text/plain", &large, "h").problem(422, "impossible");
    let told = say(&ada, "export the project FarmGuard (2)");
    assert!(told["companion_message"].as_str().unwrap().contains(&format!("/v1/projects/{copy}/archive")), "{told}");
}

/// Everything that can be asked of a project.
fn every_path(client: &Client, id: &str) -> Vec<Reply> {
    let get = |rest: &str| client.get(&of(id, rest));
    let put = |rest: &str, body: Value| client.input("PUT", &of(id, rest), &body, &crate::client::key());
    let post = |rest: &str, body: Value| client.post(&of(id, rest), &body);
    let delete = |rest: &str| client.input("DELETE", &of(id, rest), &json!({}), &crate::client::key());
    vec![
        get(""),
        get("/notes"),
        get("/notes?about=soil"),
        get("/turns"),
        get("/specifications/Soil"),
        get("/artefacts/Map"),
        get("/archive"),
        put("", json!({ "name": "Mine" })),
        put("/seed/work", json!({ "said": "x" })),
        put("/notes/1", json!({ "text": "x" })),
        put("/notes/1", json!({ "state": "taken_back" })),
        put("/groups/Soil", json!({ "notes": [1] })),
        put("/specifications/Soil", json!({ "content": "x" })),
        put("/jobs/1", json!({ "state": "finished" })),
        post("/finalize", json!({})),
        post("/notes", json!({ "text": "x" })),
        post("/ungroup", json!({ "notes": [1] })),
        post("/jobs", json!({ "title": "x" })),
        post("/invitations", json!({ "person": "cy" })),
        post("/join", json!({})),
        post("/decline", json!({})),
        post("/leave", json!({})),
        delete("/groups/Soil"),
        delete("/specifications/Soil"),
        delete("/invitations/cy"),
        upload(client, &of(id, "/artefacts/Map"), "text/plain", b"mine", &crate::client::key()),
    ]
}

#[test]
fn what_somebody_is_no_member_of_is_not_found_on_every_path_until_they_join() {
    let state = tempfile::tempdir().unwrap();
    let (_server, ada, ben) = shared(state.path());
    let id = begin(&ada, "FarmGuard");
    ada.post(&of(&id, "/notes"), &json!({ "text": "The soil is clay" })).expect(200);
    upload(&ada, &of(&id, "/artefacts/Map"), "text/plain", b"a map", "a").expect(200);
    let (theirs, none) = (every_path(&ben, &id), every_path(&ben, "0123456789abcdef"));
    for (at, (theirs, none)) in theirs.iter().zip(&none).enumerate() {
        assert_eq!((theirs.status, theirs.text()), (404, none.text()), "{at}");
    }
    assert_eq!(ben.get("/v1/projects").expect(200), json!({ "projects": [], "invitations": [] }));
    assert_eq!(ada.get(&of(&id, "/notes")).expect(200)["notes"].as_array().unwrap().len(), 1);

    // Invited, ben sees a name and nothing else; joined, he sees all, but nothing of what ada said in her talk.
    ada.post(&of(&id, "/invitations"), &json!({ "person": "ben" })).expect(200);
    let invited = ben.get("/v1/projects").expect(200);
    assert_eq!(invited["invitations"], json!([{ "project_id": id, "name": "FarmGuard", "by": "ada" }]));
    ben.get(&of(&id, "/notes")).problem(404, "not_found");
    say(&ada, "How's the project going?");
    let joined = say(&ben, "join FarmGuard");
    assert_eq!(joined["side_effects"][0]["kind"], "project_joined", "{joined}");
    assert_eq!(ben.get(&of(&id, "/notes")).expect(200)["notes"][0]["text"], "The soil is clay");
    assert!(!ben.get(&of(&id, "/turns")).text().contains("How's the project"), "what ada said is hers");
    ben.post(&of(&id, "/leave"), &json!({})).expect(200);
    ben.get(&of(&id, "/notes")).problem(404, "not_found");
    assert_eq!(ada.get(&of(&id, "")).expect(200)["members"], json!(["ada"]));
}

#[test]
fn inviting_leaving_and_deleting_are_asked_about_and_done_after_a_yes_alone() {
    let state = tempfile::tempdir().unwrap();
    let (_server, ada, ben) = shared(state.path());
    let id = begin(&ada, "FarmGuard");
    let asked = say(&ada, "invite ben to the project");
    let told = "Invite ben to FarmGuard, to see and change all that is in it. Shall I?";
    assert_eq!(asked["companion_message"], told, "{asked}");
    assert_eq!(asked["suggested_actions"][0], json!({ "label": "Yes", "message": "yes" }));
    // Whoever approves a draft approves nothing of this.
    let other = say(&ada, "The draft looks good, approve it.");
    assert_eq!(ben.get("/v1/projects").expect(200)["invitations"], json!([]), "{other}");
    say(&ada, "no");
    assert_eq!(ben.get("/v1/projects").expect(200)["invitations"], json!([]));
    say(&ada, "invite ben to the project");
    let done = say(&ada, "yes");
    assert_eq!(done["side_effects"][0]["kind"], "person_invited", "{done}");
    assert_eq!(ben.get("/v1/projects").expect(200)["invitations"].as_array().unwrap().len(), 1);
    let asked = say(&ada, "delete the project");
    assert_eq!(asked["companion_message"], "Delete FarmGuard for good. Shall I?", "{asked}");
    say(&ada, "no");
    ada.get(&of(&id, "")).expect(200);
    say(&ada, "delete the project");
    say(&ada, "yes");
    ada.get(&of(&id, "")).problem(404, "not_found");
    assert_eq!(ben.get("/v1/projects").expect(200)["invitations"], json!([]));
}

#[test]
fn two_people_write_to_one_project_at_once_and_every_note_has_a_number_of_its_own() {
    let state = tempfile::tempdir().unwrap();
    let (_server, ada, ben) = shared(state.path());
    let id = begin(&ada, "FarmGuard");
    ada.post(&of(&id, "/invitations"), &json!({ "person": "ben" })).expect(200);
    ben.post(&of(&id, "/join"), &json!({})).expect(200);
    let numbers: Vec<i64> = std::thread::scope(|scope| {
        let write = |client: &Client, who: &'static str| {
            let (client, id) = (client.clone(), id.clone());
            scope.spawn(move || {
                let tell =
                    |at: i32| client.post(&of(&id, "/notes"), &json!({ "text": format!("{who} tells part {at}") }));
                (0..20).map(|at| tell(at).expect(200)["number"].as_i64().unwrap()).collect::<Vec<_>>()
            })
        };
        let both = [write(&ada, "ada"), write(&ben, "ben")];
        both.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(numbers.iter().collect::<BTreeSet<_>>().len(), 40);
    assert_eq!(numbers.iter().max(), Some(&40));
    // An undo takes back one's own.
    say(&ben, "undo");
    let notes = ada.get(&of(&id, "/notes?state=taken_back")).expect(200);
    assert_eq!((&notes["notes"][0]["by"], notes["notes"].as_array().unwrap().len()), (&json!("ben"), 1));
}

#[test]
fn what_was_answered_is_kept_when_the_server_is_killed_in_the_middle_of_writing() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &SERVED);
    let ada = server.anyone();
    let id = begin(&ada, "FarmGuard");
    let kept = std::thread::scope(|scope| {
        let (writer, at) = (ada.clone(), of(&id, "/notes"));
        let writing = scope.spawn(move || {
            let mut kept = Vec::new();
            for part in 0.. {
                let body = json!({ "text": format!("Part {part} of it") });
                let headers = [("Idempotency-Key", format!("k{part}"))];
                let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
                match writer.try_send("POST", &at, &headers, Some(&body)) {
                    Ok(reply) if reply.status == 200 => kept.push((part, reply.json()["number"].clone())),
                    _ => return (kept, part),
                }
            }
            unreachable!()
        });
        while std::fs::read_dir(state.path()).is_ok() && !writing.is_finished() {
            let count = ada.get(&of(&id, "")).expect(200)["project"]["notes"].as_i64().unwrap();
            // Of those in the store the last may not have been heard of.
            if count > 10 {
                server.kill();
                break;
            }
        }
        writing.join().unwrap()
    });
    let (kept, last) = kept;
    assert!(kept.len() >= 10);
    let server = Server::start(state.path(), &SERVED);
    let ada = server.anyone();
    // The one nobody heard of is sent again under its key, and is there once.
    let body = json!({ "text": format!("Part {last} of it") });
    ada.input("POST", &of(&id, "/notes"), &body, &format!("k{last}")).expect(200);
    let mut found: Vec<(i64, String)> = Vec::new();
    let mut before = String::new();
    loop {
        let page = ada.get(&of(&id, &format!("/notes{before}"))).expect(200);
        let notes = page["notes"].as_array().unwrap();
        found.extend(
            notes.iter().map(|note| (note["number"].as_i64().unwrap(), note["text"].as_str().unwrap().to_owned())),
        );
        let Some(next) = page["next"].as_i64() else { break };
        before = format!("?before={next}");
    }
    for (part, number) in &kept {
        assert!(found.contains(&(number.as_i64().unwrap(), format!("Part {part} of it"))), "part {part} is lost");
    }
    assert_eq!(found.len(), kept.len() + 1, "each is there once");
}

#[test]
fn jobs_are_begun_moved_and_told() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &SERVED);
    let ada = server.anyone();
    let id = begin(&ada, "FarmGuard");
    let survey = ada.post(&of(&id, "/jobs"), &json!({ "title": "Field survey" })).expect(200)["number"].clone();
    let at = of(&id, &format!("/jobs/{survey}"));
    let moved = |body: Value| ada.input("PUT", &at, &body, &crate::client::key());
    moved(json!({ "state": "active", "done": 3, "whole": 10 })).expect(200);
    let told = say(&ada, "How's the project going?");
    assert!(told["companion_message"].as_str().unwrap().contains("Running: Field survey (3 of 10)."), "{told}");
    moved(json!({ "state": "active", "done": 11, "whole": 10 })).problem(422, "impossible");
    moved(json!({ "state": "active", "done": 1 })).problem(422, "invalid");
    moved(json!({ "state": "attention", "remark": "the gate is locked" })).expect(200);
    let told = say(&ada, "How's the project going?");
    let needs = "Needs you: Field survey (3 of 10; the gate is locked).";
    assert!(told["companion_message"].as_str().unwrap().contains(needs), "{told}");
    moved(json!({ "state": "finished" })).expect(200);
    let told = say(&ada, "How's the project going?");
    assert!(told["companion_message"].as_str().unwrap().contains("Finished lately: Field survey."), "{told}");
    let none = of(&id, "/jobs/9");
    ada.input("PUT", &none, &json!({ "state": "active" }), &crate::client::key()).problem(404, "not_found");
}

#[test]
fn a_message_that_was_spoken_reads_the_same_and_its_medium_is_kept_with_it() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &SERVED);
    let ada = server.anyone();
    let id = begin(&ada, "FarmGuard");
    let said = "um, remember that, uh, the deadline is March 15th";
    let spoken = json!({ "message": said, "medium": "spoken", "project_id": id });
    let noted = ada.send("POST", "/operator/converse", &[], Some(&spoken)).expect(200);
    assert_eq!(noted["side_effects"][0]["kind"], "note_created", "{noted}");
    let typed = json!({ "message": said, "medium": "typed", "project_id": id });
    let again = ada.send("POST", "/operator/converse", &[], Some(&typed)).expect(200);
    let text = |number: usize| ada.get(&of(&id, "/notes")).expect(200)["notes"][2 - number]["text"].clone();
    assert_eq!(text(1), "the deadline is March 15th", "{noted}");
    assert_eq!(text(1), text(2), "{again}");
    let conversation = ada.get("/v1/conversations").expect(200)[0]["id"].as_str().unwrap().to_owned();
    let log = ada.get(&format!("/v1/conversations/{conversation}/export")).expect(200);
    let surfaces: Vec<&Value> = log["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["event"] == "message" && event["text"] == said)
        .map(|event| &event["surface"])
        .collect();
    assert!(surfaces[0].to_string().contains("voice") && !surfaces[1].to_string().contains("voice"), "{surfaces:?}");
    let wrong = json!({ "message": "hm", "medium": "sung" });
    ada.send("POST", "/operator/converse", &[], Some(&wrong)).problem(422, "invalid");
}

#[test]
fn a_key_of_ones_own_is_taken_and_never_told_again() {
    let state = tempfile::tempdir().unwrap();
    let (mut server, ada, ben) = shared(state.path());
    let secret = "sk-own-0123456789";
    let set =
        |model: &str, key: &str| ada.send("PUT", "/v1/own-model", &[], Some(&json!({ "model": model, "key": key })));
    for model in ["scripted:/etc/passwd", "openai-compatible:http://10.0.0.1/v1#x", "ollama:x", "nobody:x"] {
        let refused = set(model, secret);
        refused.problem(422, "impossible");
        assert!(!refused.text().contains(secret));
    }
    set("openai:gpt-x", "two words").problem(422, "invalid");
    set("openai:gpt-x", &"k".repeat(501)).problem(422, "invalid");
    let kept = set("openai:gpt-x", secret);
    assert_eq!(kept.expect(200), json!({ "model": "openai:gpt-x" }));
    assert_eq!(ada.get("/v1/own-model").expect(200), json!({ "model": "openai:gpt-x" }));
    assert_eq!(ben.get("/v1/own-model").expect(200), json!({}), "it is ada's alone");
    ada.send("DELETE", "/v1/own-model", &[], None).expect(200);
    assert_eq!(ada.get("/v1/own-model").expect(200), json!({}));
    server.end();
    assert!(!server.all_said().contains(secret));
}

#[test]
fn no_word_behind_the_wall_stands_in_the_page_or_in_what_describes_the_routes() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &SERVED);
    let anyone = server.anyone();
    let page = anyone.get("/projects").text();
    let mut seen = vec![page.clone()];
    let assets = page.split('"').filter(|path| path.starts_with("/assets/projects"));
    let assets: BTreeSet<&str> = assets.collect();
    assert!(assets.len() >= 7, "{assets:?}");
    seen.extend(assets.iter().map(|path| anyone.get(path).text()));
    let described = anyone.get("/openapi.json").expect(200);
    for (path, item) in described["paths"].as_object().unwrap() {
        if path.starts_with("/v1/projects") || path.starts_with("/operator") {
            seen.push(item.to_string());
            // What the bodies of these are called and look like.
            let named = item.to_string();
            let schemas = described["components"]["schemas"].as_object().unwrap();
            let used = schemas.iter().filter(|(name, _)| named.contains(&format!("/{name}\"")) && *name != "Problem");
            seen.extend(used.map(|(name, schema)| format!("{name} {schema}")));
        }
    }
    assert!(seen.len() > 40, "{}", seen.len());
    for text in &seen {
        assert_eq!(forbidden(text), Vec::<&str>::new(), "{text}");
    }
}
