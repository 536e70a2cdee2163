//! What a model writes, on its way to whoever follows: parts come while it writes, unchecked and as such, and go when
//! it is whole; a stop ends the writing at once, and the call that was given up is in the log. What a command prints
//! comes the same way. Next: `slow_model`.

use std::time::Instant;

use serde_json::{Value, json};

use crate::client::{Sent, Server};
use crate::code::program;
use crate::slow_model::SlowModel;

/// What the grammar cannot read.
const MESSAGE: &str = "how many blorptastic customers are there?";

/// What is written now, by the frames of a stream.
fn taken(text: &mut String, sent: &Sent) {
    if sent.kind != "writing" {
        return;
    }
    match (sent.data["text"].as_str(), sent.data["add"].as_str()) {
        (Some(whole), _) => *text = whole.to_owned(),
        (None, Some(more)) => text.push_str(more),
        (None, None) => text.clear(),
    }
}

fn asked(sent: &Sent) -> Option<Value> {
    (sent.data["event"] == "model_asked").then(|| sent.data.clone())
}

#[test]
fn parts_come_while_a_model_writes_and_go_when_it_is_whole() {
    let model = SlowModel::start(4);
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--model", &model.name]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, MESSAGE).expect(200);
    let (mut text, mut seen, mut first) = (String::new(), Vec::new(), None);
    let call = loop {
        let sent = stream.next().unwrap();
        taken(&mut text, &sent);
        if sent.kind == "writing" {
            assert!(sent.data["model"].is_null() || sent.data["model"] == model.name, "{sent:?}");
            seen.push(text.clone());
            first = first.or((text == "mark0000").then(Instant::now));
        }
        if let Some(call) = asked(&sent) {
            break call;
        }
    };
    let first = first.unwrap_or_else(|| panic!("the first word was not seen by itself: {seen:?}"));
    let (_, out) = model.written.lock().unwrap()[0].clone();
    // How soon is measured where nothing else runs (`--bench writing`); here it must only not wait for the rest.
    assert!(first.duration_since(out).as_secs() < 5, "it was held back for {:?}", first.duration_since(out));
    assert!(seen.iter().any(|text| text == "mark0000 word1 word2"), "and what comes behind it: {seen:?}");
    assert!(seen.last().is_some_and(String::is_empty), "gone when it is whole: {seen:?}");
    assert_eq!((&call["task"], &call["message"], &call["model"]), (&json!("question"), &json!(1), &json!(model.name)));
    assert!(call["problems"][0].as_str().unwrap().contains("there is no query in it"), "{call}");
}

#[test]
fn a_stop_ends_the_writing_and_the_call_is_in_the_log() {
    let model = SlowModel::start(400);
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--model", &model.name]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, MESSAGE).expect(200);
    let mut text = String::new();
    while !text.contains("word2") {
        let sent = stream.next().unwrap();
        taken(&mut text, &sent);
    }
    let begun = Instant::now();
    ada.say(&id, "stop").expect(200);
    let call = stream.until(asked);
    assert!(begun.elapsed().as_secs() < 10, "it was waited for: {:?}", begun.elapsed());
    let problem = call["problems"][0].as_str().unwrap();
    assert!(problem.contains("given up") || problem.contains("cancelled"), "{call}");
    assert!(call["output_tokens"].as_u64().unwrap() > 0, "what came is paid for: {call}");
    assert_eq!(ada.get(&format!("/v1/conversations/{id}")).expect(200)["phase"], "idle");
}

/// Of what a program prints the end is seen while it runs; it goes with it, and a stop ends both.
#[test]
fn what_a_command_prints_is_seen_while_it_runs() {
    let now = printed_by("coder");
    assert_eq!((&now["phase"], now["pending"].as_array().map(Vec::len)), (&json!("idle"), Some(0)), "{now}");
}

/// The same of the copilot's commands.
#[test]
fn what_a_command_of_the_copilot_prints_is_seen_while_it_runs() {
    let now = printed_by("copilot");
    assert_ne!(now["phase"], "executing", "{now}");
}

/// The state after a program was seen to print, and was stopped.
fn printed_by(assistant: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let (state, workspace) = (folder.path().join("state"), folder.path().join("shop"));
    std::fs::create_dir_all(&state).unwrap();
    std::fs::create_dir_all(&workspace).unwrap();
    let flood = "#!/bin/sh\necho begun\nwhile [ ! -e let_go ]; do sleep 0.05; done\nseq 1 40000\nsleep 600\n";
    program(&workspace.join("flood.sh"), flood);
    let server = Server::start_over(&workspace, &state, &["--assistant", assistant], &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "run `./flood.sh`").expect(200);
    let question = stream.question("approval");
    ada.decide(&id, &question, &json!({"is": "approve"})).expect(200);
    let mut text = String::new();
    while text != "begun\n" {
        let sent = stream.next().unwrap();
        taken(&mut text, &sent);
        assert!(sent.kind != "writing" || sent.data["program"] == "./flood.sh", "{sent:?}");
    }
    std::fs::write(workspace.join("let_go"), "").unwrap();
    while !text.ends_with("39999\n40000\n") {
        taken(&mut text, &stream.next().unwrap());
    }
    assert!(text.len() <= 8 * 1024, "{} bytes are shown", text.len());
    ada.say(&id, "stop").expect(200);
    while !text.is_empty() {
        taken(&mut text, &stream.next().unwrap());
    }
    ada.get(&format!("/v1/conversations/{id}")).expect(200)
}

/// A real model, where one is there: it streams, keeps to its form and can be stopped.
#[test]
fn a_real_model_is_seen_writing_and_stopped_in_the_middle() {
    let Ok(name) = std::env::var("TURNWISE_TEST_MODEL") else {
        assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "TURNWISE_TEST_MODEL names no model");
        eprintln!(
            "SKIPPED: no real model was asked. Run `.ci/local-model cargo test -p turnwise --test server writing`."
        );
        return;
    };
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--model", &name]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, MESSAGE).expect(200);
    let (mut text, mut parts) = (String::new(), 0);
    while parts < 3 {
        let sent = stream.next().unwrap();
        parts += usize::from(!sent.data["add"].is_null() && sent.kind == "writing");
        taken(&mut text, &sent);
    }
    assert!(!text.trim().is_empty());
    ada.say(&id, "stop").expect(200);
    let call = stream.until(asked);
    assert!(!call["problems"].as_array().unwrap().is_empty(), "it was stopped: {call}");
    assert_eq!(ada.get(&format!("/v1/conversations/{id}")).expect(200)["phase"], "idle");
}
