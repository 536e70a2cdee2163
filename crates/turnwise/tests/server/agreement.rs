//! Several programs and a terminal on one conversation, all talking, deciding, pausing and stopping at random: in the
//! end each has seen the same events in the same order, nothing ran that was not approved once, and what must not be
//! done twice was not. Next: `client`, `screen`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::client::{Client, Server};
use crate::screen::Terminal;

const CLIENTS: u64 = 5;
const INPUTS: u64 = 12;
/// What is typed in the terminal.
const LINES: u64 = 14;
/// Its last step may be done once for each approval.
const APPEND: &str = "number of customers by region and append it to log.csv";
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
    let reply = match chance(seed, 14) {
        0..=1 => client.say(id, "how many customers are there?"),
        2..=3 => client.say(id, APPEND),
        4 => press("/stop"),
        5 => press("/pause"),
        6 => press("/resume"),
        7 => client.say(id, "/status"),
        8 => client.send("DELETE", &at("/queue"), &[("Idempotency-Key", &crate::client::key())], None),
        choice => {
            let pending = client.get(&at("/pending")).expect(200);
            let Some(open) = pending.as_array().and_then(|all| all.last()) else { return };
            let yes = if choice == 9 { "reject" } else { "approve" };
            let verdict = if open["asks"] == "approval" { yes } else { "cancel" };
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

/// A person at a terminal who types at random; what was typed, in order.
fn type_at_random(terminal: &mut Terminal, seed: u64) -> Vec<&'static str> {
    const WORDS: [&str; 8] = ["how many customers are there?", APPEND, "y", "y", "n", "pause", "stop", "/queue drop"];
    let typed: Vec<&str> = (0..LINES).map(|at| WORDS[chance(seed + at, WORDS.len())]).collect();
    for line in &typed {
        terminal.answer(line);
    }
    typed
}

/// How often the rows were appended, in whole; each time they are as many as there are regions.
fn appended(file: &std::path::Path) -> usize {
    let regions = std::fs::read_to_string(crate::client::sample().join("regions.csv")).unwrap().lines().count() - 1;
    let Ok(text) = std::fs::read_to_string(file) else { return 0 };
    let rows = text.lines().count() - 1;
    assert_eq!(rows % regions, 0, "rows come whole or not at all:\n{text}");
    rows / regions
}

/// The runs in which the step that appends came to stand at `state`; it is the last of several.
fn runs<'a>(all: &'a [Value], state: &str) -> BTreeSet<(&'a str, u64)> {
    let steps = all.iter().filter(|event| event["event"] == "step" && event["state"] == state);
    let named = steps.map(|event| (event["run"].as_str().unwrap(), event["step"].as_u64().unwrap()));
    named.filter(|(_, step)| *step == APPENDING).collect()
}

/// The step of the plan that appends.
const APPENDING: u64 = 3;

#[test]
fn programs_and_a_terminal_that_talk_at_once_agree_in_the_end() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    // However the dice fall, one run is approved and done.
    let mut stream = ada.follow(&id, None);
    ada.say(&id, APPEND).expect(200);
    let reference = stream.question("approval");
    let plan = ada.get(&format!("/v1/conversations/{id}")).expect(200)["plan"].clone();
    let once: Vec<u64> = plan["steps"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|step| step["effect"] == "once_only")
        .map(|step| step["number"].as_u64().unwrap())
        .collect();
    assert_eq!(once, [APPENDING], "{plan}");
    ada.decide(&id, &reference, &json!({"is": "approve"})).expect(200);
    stream.result();
    let url = format!("http://{}", server.address);
    let mut terminal = Terminal::start(110, 40, &["chat", "--server", &url, "--resume", &id], &[]);
    let mut typed = Vec::new();
    // Not of the scope below: when anything fails the server ends, and they with it.
    let followers = (0..CLIENTS).map(|_| {
        let (ada, id) = (ada.clone(), id.clone());
        std::thread::spawn(move || watch(&ada, &id))
    });
    let followers: Vec<_> = followers.collect();
    std::thread::scope(|scope| {
        let talking: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (ada, id) = (&ada, &id);
                scope.spawn(move || (0..INPUTS).for_each(|at| act(ada, id, client * 1_000 + at)))
            })
            .collect();
        typed = type_at_random(&mut terminal, 77_000);
        terminal.answer("/help");
        talking.into_iter().for_each(|talking| talking.join().unwrap());
        // What was typed is taken in one after the other; the last of it shows that all was.
        let is_last = |sent: &Value| sent["text"] == "/help" && sent["surface"] == "terminal";
        ada.follow(&id, None).until(|sent| is_last(&sent.data).then_some(()));
        rest(&ada, &id);
        ada.say(&id, LAST).expect(200);
    });
    let seen: Vec<Vec<Value>> = followers.into_iter().map(|follower| follower.join().unwrap()).collect();
    let export = ada.get(&format!("/v1/conversations/{id}/export")).expect(200);
    let all = export["events"].as_array().unwrap();
    for events in &seen {
        assert_eq!(events[..], all[..events.len()], "a follower saw something else than what is kept");
    }
    let status = export["state"]["status_line"].as_str().unwrap();
    terminal.until("the same end", |screen| screen.contains(&format!("ada › {LAST}")) && screen.contains(status));
    typed.push("/help");
    let kept = all.iter().filter(|event| event["event"] == "message" && event["surface"] == "terminal");
    let kept: Vec<&str> = kept.map(|event| event["text"].as_str().unwrap()).collect();
    assert_eq!(kept, typed, "what was typed is kept once and in order");
    let approved = all.iter().filter(|event| event["event"] == "approved").count();
    let closed = all.iter().filter(|event| event["event"] == "closed" && event["how"] == "approved").count();
    assert!((1..=closed).contains(&approved), "a run for each approval and no more: {approved} of {closed}");
    // A step that was stopped on its way may have had its effect; none has it twice.
    let (done, begun) = (runs(all, "done").len(), runs(all, "running").len());
    let times = appended(&state.path().join("files").join(&id).join("log.csv"));
    assert!((done..=begun).contains(&times), "appended {times} times, {done} of {begun} steps are done");
}

/// Stops until nothing runs or waits any more.
fn rest(client: &Client, id: &str) {
    loop {
        let state = client.get(&format!("/v1/conversations/{id}")).expect(200);
        if state["phase"] == "idle" && state["busy"] == false && state["pending"].as_array().unwrap().is_empty() {
            return;
        }
        let key = crate::client::key();
        client.send("POST", &format!("/v1/conversations/{id}/stop"), &[("Idempotency-Key", &key)], None);
    }
}
