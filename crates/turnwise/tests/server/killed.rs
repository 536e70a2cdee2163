//! A server that is killed (SIGKILL) under load and started again: what was accepted is there, and nothing was handled
//! twice. Clients do what clients should: they send what was not acknowledged again, under the same key. Next:
//! `agreement`.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use serde_json::{Value, json};

use crate::client::{Client, Server};

const CLIENTS: usize = 6;
const MESSAGES: usize = 25;
const KILLS: usize = 3;

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
    std::thread::scope(|scope| {
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
    });
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
    assert_eq!(said.len(), CLIENTS * MESSAGES);
    assert!(said.values().all(|times| *times == 1), "{said:?}");
}
