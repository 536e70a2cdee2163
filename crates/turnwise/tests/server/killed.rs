//! A server that is killed (SIGKILL) under load and started again: what was accepted is there, and nothing was handled
//! twice. Clients do what clients should: they send what was not acknowledged again, under the same key, and those who
//! follow go on after the last event they have. When it is killed is drawn from a seed; `TURNWISE_SEED` plays another.
//! Next: `agreement`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{RwLock, mpsc};

use serde_json::{Value, json};

use crate::client::{Client, Server, customers};

/// Connections that post at the same time, half of them in one conversation.
const TALKERS: usize = 24;
/// Messages each of them sends.
const MESSAGES: usize = 12;
/// Those who ask for a plan and approve it, each in a conversation of its own.
const ASKERS: usize = 4;
/// Plans each of them has run.
const PLANS: usize = 3;
/// Those who follow the shared conversation, and one more for each asker.
const FOLLOWERS: usize = 6;
const KILLS: usize = 5;
const LAST: &str = "/status that was all";
const QUESTION: &str = "how many customers are there?";

/// Numbers that follow from a seed (SplitMix64).
struct Chance(u64);

impl Chance {
    fn seeded() -> Self {
        let seed = std::env::var("TURNWISE_SEED").map_or(20, |seed| seed.parse().expect("a number"));
        println!("TURNWISE_SEED={seed} plays this again");
        Self(seed)
    }

    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % most as u64).unwrap()
    }
}

/// Closed while the server is away, so that those who wait for it leave it the processor.
struct Gate(RwLock<()>);

impl Gate {
    /// Goes on once the server is there.
    fn pass(&self) {
        drop(self.0.read().unwrap());
    }
}

/// Sends until it is acknowledged, under one key. Whether it had arrived before.
fn deliver(ada: &Client, gate: &Gate, path: &str, key: &str, body: &Value) -> bool {
    loop {
        gate.pass();
        match ada.try_send("POST", path, &[("Idempotency-Key", key)], Some(body)) {
            Ok(reply) if reply.status == 200 => return reply.json()["replayed"] == true,
            // The line broke, or the server is not well: nobody knows whether it was taken in.
            Ok(reply) => assert!(matches!(reply.status, 503 | 429) || is_under_way(&reply.json()), "{}", reply.text()),
            Err(_) => {}
        }
    }
}

fn is_under_way(problem: &Value) -> bool {
    problem["code"] == "idempotency_key_in_use"
}

/// Something that waits in a conversation, or went through it, however often the line breaks meanwhile.
fn seen<T>(ada: &Client, gate: &Gate, id: &str, wanted: impl Fn(&Value) -> Option<T>) -> T {
    loop {
        gate.pass();
        let Ok(mut stream) = ada.try_follow(id, None) else { continue };
        while let Some(sent) = stream.next() {
            if let Some(found) = wanted(&sent.data) {
                return found;
            }
        }
    }
}

/// What goes on while the server is killed, and what is counted of it.
struct Load {
    ada: Client,
    gate: Gate,
    done: AtomicUsize,
    replayed: AtomicUsize,
}

impl Load {
    fn deliver(&self, id: &str, below: &str, key: &str, body: &Value, news: &mpsc::Sender<usize>) {
        let replayed = deliver(&self.ada, &self.gate, &format!("/v1/conversations/{id}/{below}"), key, body);
        self.replayed.fetch_add(usize::from(replayed), Ordering::SeqCst);
        let _ = news.send(self.done.fetch_add(1, Ordering::SeqCst) + 1);
    }

    fn talk(&self, id: &str, talker: usize, news: &mpsc::Sender<usize>) {
        for number in 0..MESSAGES {
            let text = json!({"text": format!("/status {talker} {number}")});
            self.deliver(id, "messages", &format!("{talker}-{number}"), &text, news);
        }
    }

    /// Has plans made, approves each, and waits for its result.
    fn ask(&self, id: &str, news: &mpsc::Sender<usize>) {
        for number in 0..PLANS {
            self.deliver(id, "messages", &format!("ask-{number}"), &json!({"text": QUESTION}), news);
            let reference = seen(&self.ada, &self.gate, id, |sent| {
                let plan = sent["plan"]["id"] == format!("plan-{}", number + 1);
                let open = sent["pending"].as_array()?.iter().find(|open| plan && open["asks"] == "approval")?;
                open["reference"].as_str().map(str::to_owned)
            });
            let approve = json!({"reference": reference, "verdict": {"is": "approve"}});
            self.deliver(id, "decisions", &format!("approve-{number}"), &approve, news);
            let idle = |sent: &Value| sent["phase"] == "idle" && sent["busy"] == false;
            let is_this = |sent: &Value| sent["plan"]["id"] == format!("plan-{}", number + 1);
            seen(&self.ada, &self.gate, id, |sent| (idle(sent) && is_this(sent)).then_some(()));
        }
        self.deliver(id, "messages", "last", &json!({"text": LAST}), news);
    }
}

/// Everything a follower is sent up to the last message, and how often it had to come back.
fn watch(ada: &Client, gate: &Gate, id: &str) -> (Vec<Value>, usize) {
    let (mut seen, mut returns) = (Vec::<Value>::new(), 0);
    loop {
        gate.pass();
        let last = seen.last().and_then(|event| event["sequence"].as_u64());
        let Ok(mut stream) = ada.try_follow(id, last) else { continue };
        returns += 1;
        while let Some(sent) = stream.next() {
            if sent.kind != "event" {
                continue;
            }
            let is_over = sent.data["text"] == LAST;
            seen.push(sent.data);
            if is_over {
                return (seen, returns);
            }
        }
    }
}

fn events(ada: &Client, id: &str) -> Vec<Value> {
    let export = ada.get(&format!("/v1/conversations/{id}/export")).expect(200);
    export["events"].as_array().unwrap().clone()
}

/// Each message has one receipt and stands in the log once.
fn count_messages(ada: &Client, conversations: &BTreeSet<&String>) -> BTreeMap<String, usize> {
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    for id in conversations {
        let events = events(ada, id);
        let receipts = events.iter().filter(|event| event["event"] == "receipt").count();
        let messages: Vec<&Value> = events.iter().filter(|event| event["event"] == "message").collect();
        assert_eq!(receipts, messages.len(), "each message has one receipt");
        for message in messages {
            *said.entry(message["text"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    said
}

/// Each plan was approved once, each of its steps ended once, and each gave the right answer.
fn check_asked(ada: &Client, id: &str) {
    let events = events(ada, id);
    let count = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert_eq!(count("approved"), PLANS, "{id}");
    let results = events.iter().filter(|event| event["card"]["card"] == "result");
    let answers: Vec<String> = results.map(|event| event["card"].to_string()).collect();
    assert_eq!(answers.len(), PLANS, "{answers:?}");
    assert!(answers.iter().all(|answer| answer.contains(&customers())), "{answers:?}");
    let asked = events.iter().filter(|event| event["event"] == "message" && event["text"] == QUESTION).count();
    assert_eq!(asked, PLANS, "{id}");
}

#[test]
fn killed_under_load_no_accepted_message_is_lost_and_none_handled_twice() {
    let mut chance = Chance::seeded();
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &["--requests-per-second", "10000"]);
    let port = server.port().to_owned();
    let ada = server.anyone();
    let shared = ada.begin();
    let places: Vec<String> = (0..TALKERS).map(|at| if at % 2 == 0 { shared.clone() } else { ada.begin() }).collect();
    let asked: Vec<String> = (0..ASKERS).map(|_| ada.begin()).collect();
    let (done, replayed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let load = Load { ada: ada.clone(), gate: Gate(RwLock::new(())), done, replayed };
    let total = TALKERS * MESSAGES + ASKERS * (2 * PLANS + 1);
    let seen: Vec<(&String, Vec<Value>, usize)> = std::thread::scope(|scope| {
        let followed = asked.iter().chain(std::iter::repeat_n(&shared, FOLLOWERS));
        let followers: Vec<_> = followed.map(|id| (id, scope.spawn(|| watch(&ada, &load.gate, id)))).collect();
        let (sender, news) = mpsc::channel();
        for (talker, id) in places.iter().enumerate() {
            let (load, sender) = (&load, sender.clone());
            scope.spawn(move || load.talk(id, talker, &sender));
        }
        for id in &asked {
            let (load, sender) = (&load, sender.clone());
            scope.spawn(move || load.ask(id, &sender));
        }
        drop(sender);
        for kill in 0..KILLS {
            let slice = total / (KILLS + 1);
            let after = kill * slice + 1 + chance.below(slice);
            while news.recv().is_ok_and(|done| done < after) {}
            server.kill();
            let _away = load.gate.0.write().unwrap();
            server = Server::start(state.path(), &["--port", &port, "--requests-per-second", "10000"]);
        }
        while news.recv().is_ok() {}
        ada.say(&shared, LAST).expect(200);
        let joined = |(id, follower): (_, std::thread::ScopedJoinHandle<'_, (Vec<Value>, usize)>)| {
            let (events, returns) = follower.join().unwrap();
            (id, events, returns)
        };
        followers.into_iter().map(joined).collect()
    });
    assert_eq!(load.done.load(Ordering::SeqCst), total, "everything was acknowledged");
    for (id, heard, returns) in &seen {
        assert_eq!(heard[..], events(&ada, id)[..heard.len()], "a follower missed something or saw it twice");
        assert!(*returns > 1, "a follower whose line never broke shows nothing");
    }
    let said = count_messages(&ada, &places.iter().collect());
    assert_eq!(said.len(), TALKERS * MESSAGES + 1);
    assert!(said.values().all(|times| *times == 1), "{said:?}");
    asked.iter().for_each(|id| check_asked(&ada, id));
    let replayed = load.replayed.load(Ordering::SeqCst);
    println!("{total} inputs acknowledged over {KILLS} kills, {replayed} of them when they came again");
}
