//! People: who comes in, and what of others they see. Every route of the description is tried by someone who takes no
//! part, so that a new one cannot be forgotten. Next: `hostile`.

use serde_json::{Value, json};

use crate::client::{Client, Server, tokens, turnwise};

/// A body that a request takes; one that takes none is given none.
fn body(operation: &Value, description: &Value) -> Option<Value> {
    match operation["operationId"].as_str().unwrap() {
        "say" => Some(json!({"text": "/status"})),
        "decide" => Some(json!({"reference": "tw1.x", "verdict": {"is": "approve"}})),
        "set_mode" => Some(json!({"mode": "proof"})),
        "edit_queue" => Some(json!({"task": "revenue"})),
        "change_note" => Some(json!({"text": "x"})),
        "classify" => Some(json!({"assistant": "analyst", "text": "stop"})),
        _ => {
            let schema = operation.pointer("/requestBody/content/application~1json/schema")?;
            Some(sample(schema, description))
        }
    }
}

/// The least that a schema takes.
fn sample(schema: &Value, description: &Value) -> Value {
    if let Some(place) = schema["$ref"].as_str() {
        return sample(description.pointer(place.trim_start_matches('#')).unwrap(), description);
    }
    if let Some(one) = schema["enum"].as_array().and_then(|all| all.first()) {
        return one.clone();
    }
    match schema["type"].as_str() {
        Some("string") => json!("x"),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([sample(&schema["items"], description)]),
        _ => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            required.map(|name| (name.to_owned(), sample(&schema["properties"][name], description))).collect()
        }
    }
}

/// Sends every request of the description for the conversation `id`, and gives what came of each.
fn every_route(client: &Client, description: &Value, id: &str) -> Vec<(String, u16)> {
    let mut tried = Vec::new();
    for (path, item) in description["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let named = [("{id}", id), ("{name}", "x"), ("{number}", "1"), ("{label}", "x"), ("{person}", "ada")];
            let named = named.into_iter().chain([("{code}", "purpose"), ("{assistant}", "analyst")]);
            let filled = named.fold(path.clone(), |path, (name, value)| path.replace(name, value));
            assert!(!filled.contains('{'), "a parameter this test does not know: {path}");
            let method = method.to_uppercase();
            let body = body(operation, description);
            let reply = client.send(&method, &filled, &[("Idempotency-Key", &crate::client::key())], body.as_ref());
            tried.push((format!("{method} {path}"), reply.status));
        }
    }
    tried
}

#[test]
fn someone_elses_conversation_is_not_found_on_every_route() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("tokens");
    let tokens = tokens(&file, &["ada", "ben"]);
    let server = Server::start(state.path(), &["--tokens", file.to_str().unwrap(), "--log", "json"]);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    let id = ada.begin();
    ada.say(&id, "/status a-word-that-is-private").expect(200);
    let description = server.anyone().get("/openapi.json").expect(200);
    assert_eq!(description["openapi"].as_str().map(|version| &version[..3]), Some("3.1"));
    let tried = every_route(&ben, &description, &id);
    let theirs = |route: &&(String, u16)| route.0.contains("{id}");
    assert!(tried.iter().filter(theirs).count() >= 20, "{tried:?}");
    let found: Vec<_> = tried.iter().filter(theirs).filter(|(_, status)| *status != 404).collect();
    assert!(found.is_empty(), "{found:?}");
    // It looks like one that does not exist, to the letter.
    let missing = ben.get("/v1/conversations/no-such-conversation").text();
    assert_eq!(ben.get(&format!("/v1/conversations/{id}")).text(), missing);
    assert!(!ben.get("/v1/conversations").text().contains(&id));
    // Nothing of it happened.
    let state_of = ada.get(&format!("/v1/conversations/{id}")).expect(200);
    assert_eq!(state_of["members"], json!(["ada"]), "{state_of}");

    ada.post(&format!("/v1/conversations/{id}/members"), &json!({"person": "ben"})).expect(200);
    assert!(ben.get("/v1/conversations").text().contains(&id));
    ben.say(&id, "/help").expect(200);

    let said = server.said();
    assert!(said.lines().any(|line| line.contains("\"status\":404")), "{said}");
    for secret in [tokens[0].as_str(), tokens[1].as_str(), "a-word-that-is-private"] {
        assert!(!said.contains(secret), "the log tells {secret}: {said}");
    }
}

#[test]
fn who_left_a_conversation_finds_it_no_more_and_the_others_do() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("tokens");
    let tokens = tokens(&file, &["ada", "ben"]);
    let server = Server::start(state.path(), &["--tokens", file.to_str().unwrap()]);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    let id = ada.begin();
    let member = |person: &str| format!("/v1/conversations/{id}/members/{person}");
    let leave = |client: &Client, person: &str| client.send("DELETE", &member(person), &[], None);
    leave(&ada, "ada").problem(409, "last");
    leave(&ben, "ben").problem(404, "not_found");
    ada.post(&format!("/v1/conversations/{id}/members"), &json!({"person": "ben"})).expect(200);
    ben.say(&id, "/help").expect(200);
    leave(&ada, "ben").problem(403, "not_yours");
    let mut streams = ["events", "log"].map(|what| {
        let mut stream = ben.try_follow_at(&format!("/v1/conversations/{id}/{what}"), None).unwrap();
        stream.next().expect("it begins with what there is");
        stream
    });
    // What is followed when somebody leaves ends, and the event itself is not theirs any more.
    let next = ben.get(&format!("/v1/conversations/{id}/events")).expect(200)["next"].clone();
    let waits = format!("/v1/conversations/{id}/events?after={next}&wait_seconds=30");
    let told = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| server.with(&tokens[1]).get(&waits));
        assert_eq!(leave(&ben, "ben").status, 204);
        waiting.join().unwrap()
    });
    told.problem(404, "not_found");
    ada.say(&id, "/help about what ben must not hear").expect(200);
    for stream in &mut streams {
        while let Some(sent) = stream.next() {
            assert!(!sent.data.to_string().contains("must not hear"), "{sent:?}");
        }
    }
    ben.get(&format!("/v1/conversations/{id}")).problem(404, "not_found");
    ben.say(&id, "/help").problem(404, "not_found");
    assert_eq!(ben.get("/v1/conversations").text(), "[]");
    let events = ada.get(&format!("/v1/conversations/{id}/events")).expect(200);
    let of = |event: &Value| (event["event"].clone(), event["person"].clone());
    assert!(events["events"].as_array().unwrap().iter().any(|event| of(event) == (json!("member_left"), json!("ben"))));
    assert_eq!(ada.get(&format!("/v1/conversations/{id}")).expect(200)["members"], json!(["ada"]));
    ada.post(&format!("/v1/conversations/{id}/members"), &json!({"person": "ben"})).expect(200);
    ben.get(&format!("/v1/conversations/{id}")).expect(200);
}

#[test]
fn what_was_begun_and_left_is_not_shown_to_whoever_begins_it_again() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("tokens");
    let tokens = tokens(&file, &["ada", "ben"]);
    let server = Server::start(state.path(), &["--tokens", file.to_str().unwrap()]);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    let begin = || ada.send("POST", "/v1/conversations", &[("Idempotency-Key", "once")], Some(&json!({})));
    let id = begin().expect(201)["id"].as_str().unwrap().to_owned();
    begin().expect(201);
    ada.post(&format!("/v1/conversations/{id}/members"), &json!({"person": "ben"})).expect(200);
    assert_eq!(ada.send("DELETE", &format!("/v1/conversations/{id}/members/ada"), &[], None).status, 204);
    ben.say(&id, "/help").expect(200);
    begin().problem(404, "not_found");
    assert_eq!(ben.get(&format!("/v1/conversations/{id}")).expect(200)["members"], json!(["ben"]));
}

#[test]
fn without_a_token_nobody_comes_in_and_guessing_is_slow() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("tokens");
    let tokens = tokens(&file, &["ada"]);
    assert!(!std::fs::read_to_string(&file).unwrap().contains(&tokens[0]), "the file keeps only a digest");
    let server = Server::start(state.path(), &["--tokens", file.to_str().unwrap(), "--name", "turnwise.example"]);
    let stranger = server.anyone();
    let description = stranger.get("/openapi.json").expect(200);
    let tried = every_route(&stranger, &description, "any");
    assert!(tried.iter().all(|(_, status)| matches!(status, 401 | 429)), "{tried:?}");
    let guesses: Vec<_> = (0..60).map(|guess| server.with(&format!("guess{guess}")).get("/v1/assistants")).collect();
    let slowed = guesses.iter().find(|reply| reply.status == 429).expect("60 guesses at once are slowed down");
    assert_eq!(slowed.header("retry-after"), Some("1"));
    // Who has a token is not held up by those who have none.
    server.with(&tokens[0]).get("/v1/assistants").expect(200);
    let named = |host: &str| server.with(&tokens[0]).send("GET", "/v1/assistants", &[("Host", host)], None).status;
    assert_eq!((named("turnwise.example"), named("turnwise.example:443"), named("other.example")), (200, 200, 403));
    // The page keeps its token in a cookie that scripts cannot read.
    let mut cookie = None;
    while cookie.is_none() {
        let reply = stranger.send("POST", "/v1/session", &[], Some(&json!({"token": tokens[0]})));
        assert!(matches!(reply.status, 204 | 429), "{}", reply.text());
        cookie = reply.header("set-cookie").map(str::to_owned);
    }
    let cookie = cookie.unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    stranger.send("GET", "/v1/assistants", &[("Cookie", pair)], None).expect(200);
    let foreign = [("Cookie", pair), ("Origin", "https://evil.example")];
    stranger.send("GET", "/v1/assistants", &foreign, None).problem(403, "foreign_origin");
}

#[test]
fn whom_there_is_no_room_for_is_told() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--ephemeral"]);
    let ada = server.anyone();
    let id = ada.begin();
    let admit = |person: &str| ada.post(&format!("/v1/conversations/{id}/members"), &json!({"person": person}));
    let mut admitted = 1;
    loop {
        let reply = admit(&format!("person {admitted}"));
        if reply.status != 200 {
            reply.problem(409, "full");
            break;
        }
        admitted += 1;
    }
    assert_eq!(admitted, 256);
    admit("person 1").expect(200);
    admit("a\u{7}b").problem(422, "invalid");
    admit(" ").problem(422, "invalid");
}

#[test]
fn an_address_others_can_reach_needs_tokens() {
    let state = tempfile::tempdir().unwrap();
    let serve = |more: &[&str]| {
        let mut command = turnwise(&["serve", "--sample", "--ephemeral", "--port", "0"]);
        command.args(more).env("TURNWISE_STATE", state.path()).output().unwrap()
    };
    let refused = serve(&["--listen", "0.0.0.0"]);
    assert_eq!(refused.status.code(), Some(2));
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(told.contains("turnwise token PERSON --tokens FILE"), "{told}");
    let file = state.path().join("tokens");
    std::fs::write(&file, "ada not-a-digest\n").unwrap();
    let refused = serve(&["--tokens", file.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("line 1 is not a person and a digest"));
}
