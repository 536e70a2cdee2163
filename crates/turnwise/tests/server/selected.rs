//! What the coder selects, in conversations as `turnwise classify` tells it: over the same messages, with the same
//! around them, a conversation notes the same selection before it does anything, and then does that. What a context
//! holds beside the words is brought about for real: a file lies open, a change was applied, a command runs, waits or
//! failed. Next: `client`.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, Server, turnwise};
use crate::code::program;

/// Messages with what is around them; nobody who wrote rules for them saw how they would be read.
const CASES: &str = include_str!("../../../turnwise-intent/tests/data/coder.jsonl");
/// A command that goes on until it is let go.
const WAITS: &str = "#!/bin/sh\nwhile [ ! -e let_go ]; do sleep 0.05; done\n";
const FAILS: &str = "#!/bin/sh\nexit 3\n";

/// What `classify` says of all of them.
fn classified(cases: &[Value]) -> Vec<Value> {
    let mut child = turnwise(&["classify", "--assistant", "coder", "--jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: Vec<String> =
        cases.iter().map(|case| json!({"text": case["text"], "context": case["context"]}).to_string()).collect();
    let writing = std::thread::spawn(move || input.write_all(lines.join("\n").as_bytes()).unwrap());
    let told = child.wait_with_output().unwrap();
    writing.join().unwrap();
    String::from_utf8(told.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A workspace with a server over it, in which this file was changed last.
struct Place {
    folder: TempDir,
    server: Server,
}

impl Place {
    fn new(changed: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (state, workspace) = (folder.path().join("state"), folder.path().join("shop"));
        std::fs::create_dir_all(&state).unwrap();
        std::fs::create_dir_all(workspace.join("src")).unwrap();
        program(&workspace.join("waits.sh"), WAITS);
        program(&workspace.join("fails.sh"), FAILS);
        program(&workspace.join("works.sh"), "#!/bin/sh\n");
        std::fs::write(workspace.join("src/shop.rs"), "pub fn total() {}\n").unwrap();
        std::fs::write(workspace.join(changed.unwrap_or("src/lib.rs")), "old\n").unwrap();
        let server = Server::start_over(&workspace, &state, &["--assistant", "coder"], &[]);
        let place = Self { folder, server };
        if let Some(changed) = changed {
            let (talk, id) = place.begin();
            approve(&talk, &id, &format!("replace \"old\" with \"new\" in {changed}"), "idle");
        }
        place
    }

    fn begin(&self) -> (Client, String) {
        let talk = self.server.anyone();
        let id = talk.begin();
        (talk, id)
    }

    fn workspace(&self) -> std::path::PathBuf {
        self.folder.path().join("shop")
    }
}

fn say(talk: &Client, id: &str, text: &str, around: Option<&str>) -> Value {
    let mut message = json!({"text": text});
    if let Some(file) = around {
        message["around"] = json!({"files": [file]});
    }
    talk.post(&format!("/v1/conversations/{id}/messages?wait_seconds=55"), &message).expect(200)
}

/// Says it, approves what is planned, and waits until it stands there.
fn approve(talk: &Client, id: &str, text: &str, word: &str) {
    let said = say(talk, id, text, None);
    let reference = said["state"]["pending"][0]["reference"].as_str().unwrap_or_else(|| panic!("{said:#}")).to_owned();
    let mut stream = talk.follow(id, None);
    talk.decide(id, &reference, &json!({"is": "approve"})).expect(200);
    stream.until(|sent| (sent.kind == "state" && is_there(&sent.data, word)).then_some(()));
}

fn is_there(state: &Value, word: &str) -> bool {
    match word {
        "idle" => state["phase"] == "idle" && state["result"].is_object(),
        word => state["status"]["word"] == word,
    }
}

/// Brings about what the context says; gives what lies open.
fn bring_about<'a>(place: &Place, talk: &Client, id: &str, context: &'a Value) -> Option<&'a str> {
    let run = context["run"].as_str().or(context["run"]["status"].as_str()).or(context["phase"].as_str());
    let _ = std::fs::remove_file(place.workspace().join("let_go"));
    match run {
        Some("executing") => approve(talk, id, "run `./waits.sh`", "running"),
        Some("paused") => {
            approve(talk, id, "run `./waits.sh` and then run `./works.sh`", "running");
            let mut stream = talk.follow(id, None);
            say_at_once(talk, id, "pause");
            std::fs::write(place.workspace().join("let_go"), "").unwrap();
            stream.until(|sent| (sent.kind == "state" && is_there(&sent.data, "paused")).then_some(()));
        }
        Some("awaiting_decision") => approve(talk, id, "run `./fails.sh`", "failed"),
        Some("completed") => approve(talk, id, "run `./works.sh`", "idle"),
        Some(other) => panic!("nothing brings about {other}"),
        None => {}
    }
    if context.get("last_artifact_proposed").is_some() {
        say(talk, id, "create a file notes.md with the text \"hello\"", None);
    }
    for _ in 0..context["clarification_attempts"].as_u64().unwrap_or_default() {
        say(talk, id, "fix this", None);
    }
    context["last_open_editor"].as_str()
}

fn say_at_once(talk: &Client, id: &str, text: &str) {
    talk.say(id, text).expect(200);
}

/// What a conversation made of a case: the events of its message.
fn talked(place: &Place, case: &Value) -> (Vec<Value>, Value) {
    let (talk, id) = place.begin();
    let around = bring_about(place, &talk, &id, &case["context"]);
    let before = talk.get(&format!("/v1/conversations/{id}")).expect(200)["sequence"].as_u64().unwrap_or_default();
    let text = case["text"].as_str().unwrap();
    let runs = is_of_run(case);
    // Of a run that goes on nothing more comes; what cannot be done to it is refused, and noted all the same.
    let said = if runs { talk.say(&id, text).json() } else { say(&talk, &id, text, around) };
    let mut events = Vec::new();
    let mut next = before;
    loop {
        let wait = if events.is_empty() { "" } else { "&wait_seconds=20" };
        let news = talk.get(&format!("/v1/conversations/{id}/events?after={next}{wait}")).expect(200);
        let new = news["events"].as_array().unwrap();
        events.extend_from_slice(new);
        next = news["next"].as_u64().unwrap();
        // Beside a run an answer comes when it comes.
        let is_told = case["then"].as_str().is_none_or(|then| holds(case, &events, &said["state"], then));
        if is_told || !runs || new.is_empty() {
            break;
        }
    }
    std::fs::write(place.workspace().join("let_go"), "").unwrap();
    (events, said["state"].clone())
}

fn is_of_run(case: &Value) -> bool {
    case["context"].get("run").is_some() || case["context"].get("phase").is_some()
}

/// Whether this stands anywhere in what was told or in what waits: neither in what was said, nor in what was selected
/// for it, nor in what waited before, as a run does.
fn holds(case: &Value, events: &[Value], state: &Value, text: &str) -> bool {
    let is_said =
        |event: &&Value| !matches!(event["event"].as_str(), Some("message" | "intent_received" | "mode_set" | "read"));
    let told: Vec<&Value> = events.iter().filter(is_said).collect();
    let waits = if is_of_run(case) { &Value::Null } else { &state["pending"] };
    json!([told, waits]).to_string().replace("\\\"", "\"").contains(text)
}

/// What differs between a conversation and `classify`.
fn differs(case: &Value, found: &Value, events: &[Value], state: &Value) -> Option<String> {
    let of = |kind: &str| events.iter().position(|event| event["event"] == kind);
    let (Some(received), Some(set), read) = (of("intent_received"), of("mode_set"), of("read")) else {
        return Some(format!("nothing was selected: {events:?}"));
    };
    let is_in_order = received < set && read.is_none_or(|read| set < read);
    let (received, set) = (&events[received], &events[set]);
    let expected = &found["event"];
    // What was proposed has another name in each conversation.
    let keys: &[&str] = match case["context"].get("last_artifact_proposed") {
        Some(_) => &["behavior", "confidence", "reasoning", "detected_scope"],
        None => &["behavior", "confidence", "reasoning", "detected_scope", "context_source", "referenced_files"],
    };
    if let Some(key) = keys.iter().find(|key| received[**key] != expected[**key]) {
        return Some(format!("{key} is {} and not {}; {received}", received[*key], expected[*key]));
    }
    if !is_in_order || set["mode"] != found["derived_mode"] {
        return Some(format!("{set} of {events:?}"));
    }
    let asks = state["pending"][0]["asks"].as_str().unwrap_or("nothing");
    let said: Vec<&str> = events.iter().filter_map(|event| event["text"].as_str()).collect();
    let does = match expected["behavior"].as_str().unwrap() {
        // A run that waits still does.
        "ANSWER" => matches!(asks, "nothing" | "paused"),
        // A bare “help” is told what can be said, which asks as much.
        "CLARIFY" => asks == "clarification" || said.iter().any(|text| text.starts_with("Ask in plain words")),
        "CONTINUE_RUN" => !matches!(asks, "approval" | "clarification"),
        // What cannot be done without a model is refused, but never taken for a question.
        _ => read.is_none_or(|read| events[read]["readings"][0]["intent"] != "question"),
    };
    (!does).then(|| format!("{} and then asks {asks}: {said:?}", expected["behavior"]))
}

/// The third time nothing is asked any more: it is said what is lacking.
fn asked_twice(state: &Value, events: &[Value]) -> Option<String> {
    let lacks = events
        .iter()
        .any(|event| event["text"].as_str().is_some_and(|text| text.contains("What it refers to is still not known")));
    (state["pending"] != json!([]) || !lacks).then(|| format!("{} after two answers: {events:?}", state["pending"]))
}

/// Workspaces by the file that was changed in them last.
#[derive(Default)]
struct Places(Vec<(Option<String>, Place)>);

impl Places {
    fn talked(&mut self, case: &Value) -> (Vec<Value>, Value) {
        let changed = case["context"]["last_applied_diff"][0].as_str().map(str::to_owned);
        let at = self.0.iter().position(|(of, _)| *of == changed).unwrap_or_else(|| {
            self.0.push((changed.clone(), Place::new(changed.as_deref())));
            self.0.len() - 1
        });
        talked(&self.0[at].1, case)
    }
}

#[test]
fn a_conversation_selects_what_classify_tells_and_does_it() {
    let cases: Vec<Value> = CASES.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let classified = classified(&cases);
    assert_eq!((cases.len(), classified.len()), (183, 183));
    let (mut places, mut misses) = (Places::default(), Vec::new());
    for (case, found) in cases.iter().zip(&classified) {
        let (events, state) = places.talked(case);
        let why = match case["context"].get("clarification_attempts") {
            Some(_) => asked_twice(&state, &events),
            None => differs(case, found, &events, &state),
        };
        misses.extend(why.map(|why| format!("{} {}: {why}", case["text"], case["context"])));
    }
    assert!(misses.is_empty(), "{} of {} differ:\n{}", misses.len(), cases.len(), misses.join("\n\n"));
}

/// What the guide calls the surroundings of a message.
fn context_of(around: &str) -> Value {
    let mut context = json!({});
    for part in around.split(", ").filter(|part| *part != "-") {
        let (key, value) = match part.split_once(' ') {
            Some(("open", file)) => ("last_open_editor", json!(file)),
            Some(("applied", file)) => ("last_applied_diff", json!([file])),
            _ if part == "proposed" => ("last_artifact_proposed", json!("diff")),
            _ => ("run", json!(part)),
        };
        context[key] = value;
    }
    context
}

/// What is not as a line of the guide says.
fn against(line: &[&str], case: &Value, events: &[Value], state: &Value) -> Option<String> {
    let [_, _, _, behaviour, mode, scope, files, then] = line else { panic!("{line:?}") };
    let of = |kind: &str| events.iter().find(|event| event["event"] == kind);
    let (Some(received), Some(set)) = (of("intent_received"), of("mode_set")) else {
        return Some(format!("nothing was selected: {events:?}"));
    };
    let named: Vec<&str> = received["referenced_files"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let named = if named.is_empty() { "-".to_owned() } else { named.join(", ") };
    let found = [
        received["behavior"].as_str().unwrap(),
        set["mode"].as_str().unwrap(),
        received["detected_scope"].as_str().unwrap_or("-"),
        &named,
    ];
    if found != [*behaviour, *mode, *scope, *files] {
        return Some(format!("{found:?} ({})", received["reasoning"]));
    }
    (!holds(case, events, state, then)).then(|| format!("“{then}” is missing: {events:?} {}", state["pending"]))
}

/// Fifty-seven cases, each in a conversation of its own: what is selected, and what is told or asked then.
#[test]
fn every_case_of_the_guide_holds_in_a_conversation() {
    let lines: Vec<Vec<&str>> = include_str!("guide.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(" | ").collect())
        .collect();
    assert_eq!(lines.len(), 57);
    let (mut places, mut misses) = (Places::default(), Vec::new());
    for line in &lines {
        let case = json!({"text": line[2], "context": context_of(line[1]), "then": line[7]});
        let (events, state) = places.talked(&case);
        misses.extend(against(line, &case, &events, &state).map(|why| format!("{}: {why}", line.join(" | "))));
    }
    assert!(misses.is_empty(), "{} of {} do not hold:\n{}", misses.len(), lines.len(), misses.join("\n\n"));
}

/// Says it; the events that came of it.
fn events_of(talk: &Client, id: &str, text: &str) -> Vec<Value> {
    let before = talk.get(&format!("/v1/conversations/{id}")).expect(200)["sequence"].as_u64().unwrap();
    say(talk, id, text, None);
    let news = talk.get(&format!("/v1/conversations/{id}/events?after={before}")).expect(200);
    news["events"].as_array().unwrap().clone()
}

/// Where in the events what was selected, the mode and the reading stand.
fn noted(events: &[Value]) -> [Option<usize>; 3] {
    ["intent_received", "mode_set", "read"].map(|kind| events.iter().position(|event| event["event"] == kind))
}

#[test]
fn what_chooses_a_way_on_selects_nothing_and_what_goes_on_with_a_run_does() {
    let place = Place::new(None);
    for (run, choices, goes_on) in
        [("awaiting_decision", ["1", "retry"].as_slice(), "ok next"), ("paused", &["y", "1"], "carry on")]
    {
        for choice in choices {
            let (talk, id) = place.begin();
            bring_about(&place, &talk, &id, &json!({"run": run}));
            let events = events_of(&talk, &id, choice);
            assert_eq!(noted(&events)[..2], [None, None], "{run}, {choice}: {events:?}");
        }
        let (talk, id) = place.begin();
        bring_about(&place, &talk, &id, &json!({"run": run}));
        let events = events_of(&talk, &id, goes_on);
        assert!(noted(&events)[0].is_some(), "{run}, {goes_on}: {events:?}");
    }
}

#[test]
fn words_that_turn_out_to_be_no_answer_are_selected_before_they_are_read() {
    let place = Place::new(None);
    let (talk, id) = place.begin();
    say(&talk, &id, "fix this", None);
    let events = events_of(&talk, &id, "rename total to sum_of");
    let [Some(received), Some(set), Some(read)] = noted(&events) else { panic!("{events:?}") };
    assert!(received < set && set < read, "{events:?}");
    let events = events_of(&talk, &id, "/why");
    assert_eq!(noted(&events), [None; 3], "it is about the message before: {events:?}");
}

#[test]
fn an_order_that_names_all_it_needs_is_a_change_with_a_scope() {
    let place = Place::new(None);
    for text in ["undo", "can you rename total to sum_of?"] {
        let (talk, id) = place.begin();
        let events = events_of(&talk, &id, text);
        let received = events.iter().find(|event| event["event"] == "intent_received");
        let received = received.unwrap_or_else(|| panic!("{text}: {events:?}"));
        assert_eq!(received["behavior"], "QUICK_ACTION", "{text}: {received}");
        assert!(received["detected_scope"].is_string(), "{text}: {received}");
    }
}

#[test]
fn what_can_be_done_with_a_run_that_goes_on_is_offered_and_chosen_by_its_number() {
    let place = Place::new(None);
    for (said, word) in [("1", "paused"), ("2", "ready"), ("/run stop", "ready")] {
        let (talk, id) = place.begin();
        let _ = std::fs::remove_file(place.workspace().join("let_go"));
        approve(&talk, &id, "run `./waits.sh` and then run `./works.sh`", "running");
        // Before it was offered a number does nothing: what can be done is shown.
        let told = talk.say(&id, "2").expect(200);
        assert_eq!(told["state"]["phase"], "executing", "{told}");
        let told = talk.say(&id, "/run").expect(200);
        assert_eq!(told["state"]["phase"], "executing", "{told}");
        let events = talk.get(&format!("/v1/conversations/{id}/events?after=0")).expect(200);
        let cards = events["events"].as_array().unwrap().iter().filter(|event| event["card"]["ways"].is_array());
        let ways: Vec<&Value> = cards.flat_map(|event| event["card"]["ways"].as_array().unwrap()).collect();
        let values: Vec<&str> = ways.iter().filter_map(|way| way["value"].as_str()).collect();
        assert_eq!(values, ["pause", "stop"].repeat(2), "{events}");
        let mut stream = talk.follow(&id, None);
        talk.say(&id, said).expect(200);
        std::fs::write(place.workspace().join("let_go"), "").unwrap();
        stream.until(|sent| (sent.kind == "state" && sent.data["status"]["word"] == word).then_some(()));
    }
}
