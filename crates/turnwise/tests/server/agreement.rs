//! Several clients on one conversation, all talking, deciding and stopping at random: in the end each has seen the same
//! events in the same order, and nothing ran that was not approved once. Next: `client`.

use serde_json::{Value, json};

use crate::client::{Client, Server};

const CLIENTS: u64 = 5;
const INPUTS: u64 = 12;
const LAST: &str = "/status that was all";

/// A number from a seed (SplitMix64), so that a failing run can be played again.
fn chance(seed: u64, below: usize) -> usize {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    usize::try_from((x ^ (x >> 31)) % below as u64).unwrap()
}

/// One input at random; refusals are part of the game, defects are not.
fn act(client: &Client, id: &str, seed: u64) {
    let at = |rest: &str| format!("/v1/conversations/{id}{rest}");
    let press = |rest: &str| client.send("POST", &at(rest), &[("Idempotency-Key", &crate::client::key())], None);
    let reply = match chance(seed, 10) {
        0..=2 => client.say(id, "how many customers are there?"),
        3 => press("/stop"),
        4 => press("/pause"),
        5 => press("/resume"),
        6 => client.say(id, "/status"),
        _ => {
            let pending = client.get(&at("/pending")).expect(200);
            let Some(open) = pending.as_array().and_then(|all| all.last()) else { return };
            let verdict = if open["asks"] == "approval" { "approve" } else { "cancel" };
            client.decide(id, open["reference"].as_str().unwrap(), &json!({"is": verdict}))
        }
    };
    assert!(matches!(reply.status, 200 | 409 | 422), "{}", reply.text());
}

/// Everything a follower is sent, up to the last message's receipt.
fn watch(client: &Client, id: &str) -> Vec<Value> {
    let mut stream = client.follow(id, None);
    let mut seen = Vec::new();
    let mut last = None;
    loop {
        let sent = stream.next().expect("the stream goes on until all was seen");
        if sent.kind != "event" {
            continue;
        }
        assert_eq!(sent.id, sent.data["sequence"].as_u64());
        if sent.data["text"] == LAST {
            last = sent.data["message"].as_u64();
        }
        let is_over = last.is_some() && sent.data["receipt"]["message"].as_u64() == last;
        seen.push(sent.data);
        if is_over {
            return seen;
        }
    }
}

#[test]
fn clients_that_talk_at_once_agree_in_the_end() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    // However the dice fall, one run is approved and done.
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "how many customers are there?").expect(200);
    let reference = stream.question("approval");
    ada.decide(&id, &reference, &json!({"is": "approve"})).expect(200);
    stream.result();
    let seen: Vec<Vec<Value>> = std::thread::scope(|scope| {
        let followers: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(|| watch(&ada, &id))).collect();
        let talking: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (ada, id) = (&ada, &id);
                scope.spawn(move || (0..INPUTS).for_each(|at| act(ada, id, client * 1_000 + at)))
            })
            .collect();
        talking.into_iter().for_each(|talking| talking.join().unwrap());
        ada.say(&id, LAST).expect(200);
        followers.into_iter().map(|follower| follower.join().unwrap()).collect()
    });
    let export = ada.get(&format!("/v1/conversations/{id}/export")).expect(200);
    let all = export["events"].as_array().unwrap();
    for events in &seen {
        assert_eq!(events[..], all[..events.len()], "a follower saw something else than what is kept");
    }
    let approved = all.iter().filter(|event| event["event"] == "approved").count();
    let closed = all.iter().filter(|event| event["event"] == "closed" && event["how"] == "approved").count();
    assert!((1..=closed).contains(&approved), "a run for each approval and no more: {approved} of {closed}");
}
