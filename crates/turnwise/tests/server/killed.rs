//! A server that is killed (SIGKILL) under load and started again: what was accepted is there, and nothing was handled
//! twice. Clients do what clients should: they send what was not acknowledged again, under the same key. Next:
//! `agreement`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use serde_json::{Value, json};

use crate::client::{Client, Server};

const CLIENTS: usize = 24;
const MESSAGES: usize = 12;
const KILLS: usize = 4;
const FOLLOWERS: usize = 4;
const LAST: &str = "/status that was all";

/// Sends each message until it is acknowledged.
fn talk(ada: &Client, id: &str, client: usize, done: &AtomicUsize, news: &mpsc::Sender<usize>) {
    for number in 0..MESSAGES {
        let text = format!("/status {client} {number}");
        let key = format!("{client}-{number}");
        let path = format!("/v1/conversations/{id}/messages");
        loop {
            let sent = ada.try_send("POST", &path, &[("Idempotency-Key", &key)], Some(&json!({"text": text})));
            match sent {
                Ok(reply) if reply.status == 200 => break,
                // The line broke, or the server is not well: nobody knows whether it was taken in.
                Ok(reply) => assert!(matches!(reply.status, 503 | 429 | 409), "{}", reply.text()),
                Err(_) => {}
            }
        }
        let _ = news.send(done.fetch_add(1, Ordering::SeqCst) + 1);
    }
}

/// Everything a follower is sent up to the last message, however often the line breaks: it goes on after what it has.
fn watch(ada: &Client, id: &str) -> Vec<Value> {
    let mut seen: Vec<Value> = Vec::new();
    loop {
        let last = seen.last().and_then(|event| event["sequence"].as_u64());
        let Ok(mut stream) = ada.try_follow(id, last) else { continue };
        while let Some(sent) = stream.next() {
            if sent.kind != "event" {
                continue;
            }
            let is_over = sent.data["text"] == LAST;
            seen.push(sent.data);
            if is_over {
                return seen;
            }
        }
    }
}

#[test]
fn killed_under_load_no_accepted_message_is_lost_and_none_handled_twice() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &[]);
    let port = server.port().to_owned();
    let ada = server.anyone();
    // Half of the clients talk in one conversation, the others each in their own.
    let shared = ada.begin();
    let ids: Vec<String> = (0..CLIENTS).map(|at| if at % 2 == 0 { shared.clone() } else { ada.begin() }).collect();
    let done = AtomicUsize::new(0);
    let seen: Vec<Vec<Value>> = std::thread::scope(|scope| {
        let followers: Vec<_> = (0..FOLLOWERS).map(|_| scope.spawn(|| watch(&ada, &shared))).collect();
        let (sender, news) = mpsc::channel();
        for (client, id) in ids.iter().enumerate() {
            let (ada, done, sender) = (ada.clone(), &done, sender.clone());
            scope.spawn(move || talk(&ada, id, client, done, &sender));
        }
        drop(sender);
        for kill in 1..=KILLS {
            let after = kill * CLIENTS * MESSAGES / (KILLS + 1);
            while news.recv().is_ok_and(|done| done < after) {}
            server.kill();
            server = Server::start(state.path(), &["--port", &port]);
        }
        while news.recv().is_ok() {}
        ada.say(&shared, LAST).expect(200);
        followers.into_iter().map(|follower| follower.join().unwrap()).collect()
    });
    let export = ada.get(&format!("/v1/conversations/{shared}/export")).expect(200);
    let all = export["events"].as_array().unwrap();
    for events in &seen {
        assert_eq!(events[..], all[..events.len()], "a follower missed something or saw it twice");
    }
    assert_eq!(done.load(Ordering::SeqCst), CLIENTS * MESSAGES);
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    let mut conversations = ids.clone();
    conversations.sort();
    conversations.dedup();
    for id in &conversations {
        let export = ada.get(&format!("/v1/conversations/{id}/export")).expect(200);
        let events: Vec<Value> = export["events"].as_array().unwrap().clone();
        let receipts = events.iter().filter(|event| event["event"] == "receipt").count();
        let messages: Vec<&Value> = events.iter().filter(|event| event["event"] == "message").collect();
        assert_eq!(receipts, messages.len(), "each message has one receipt");
        for message in messages {
            *said.entry(message["text"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    assert_eq!(said.len(), CLIENTS * MESSAGES + 1);
    assert!(said.values().all(|times| *times == 1), "{said:?}");
}
