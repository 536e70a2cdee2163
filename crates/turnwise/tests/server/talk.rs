//! The main job over HTTP: a question becomes a plan, the plan is approved, and the result comes as events; afterwards
//! everything that was found can be asked for. Next: `rules`.

use serde_json::json;

use crate::client::{Server, customers, turnwise};

#[test]
fn a_question_becomes_a_plan_is_approved_and_its_result_comes_by_events() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    let said = ada.say(&id, "how many customers are there?").expect(200);
    assert_eq!(said["receipt"]["outcome"], "applied", "{said}");
    let reference = stream.question("approval");
    let decided = ada.decide(&id, &reference, &json!({"is": "approve"})).expect(200);
    assert_eq!(decided["state"]["pending"], json!([]), "{decided}");
    let result = stream.result();
    assert!(result["answer"]["text"].as_str().unwrap().contains(&customers()), "{result}");

    // Who was away goes on where the stream stopped; the log offset is the id.
    let export = ada.get(&format!("/v1/conversations/{id}/export")).expect(200);
    let all: Vec<u64> =
        export["events"].as_array().unwrap().iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    let middle = all[all.len() / 2];
    let mut again = ada.follow(&id, Some(middle));
    let first = again.until(|sent| sent.id);
    assert_eq!(Some(first), all.iter().copied().find(|at| *at > middle));
    // The same as a long poll.
    let news = ada.get(&format!("/v1/conversations/{id}/events?after={middle}")).expect(200);
    let polled: Vec<u64> =
        news["events"].as_array().unwrap().iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert_eq!(polled, all.iter().copied().filter(|at| *at > middle).collect::<Vec<_>>());
    let next = news["next"].as_u64().unwrap();
    let waiting = {
        let (ada, id) = (ada.clone(), id.clone());
        std::thread::spawn(move || ada.get(&format!("/v1/conversations/{id}/events?after={next}&wait_seconds=50")))
    };
    ada.say(&id, "/status").expect(200);
    let news = waiting.join().unwrap().expect(200);
    assert!(!news["events"].as_array().unwrap().is_empty(), "{news}");
}

#[test]
fn what_was_found_can_be_looked_at_proven_drawn_and_fetched() {
    let state = tempfile::tempdir().unwrap();
    let results = state.path().join("results");
    let server = Server::start(state.path(), &["--files", results.to_str().unwrap()]);
    let ada = server.anyone();
    let id = ada.begin();
    let at = |rest: &str| format!("/v1/conversations/{id}{rest}");
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "revenue by region and save it as regions.csv").expect(200);
    let reference = stream.question("approval");
    let shown = ada.get(&at("/pending")).expect(200);
    let steps = shown[0]["card"]["plan"]["steps"].as_array().unwrap().clone();
    assert!(steps.iter().any(|step| step["effect"] == "idempotent"), "{shown}");
    ada.decide(&id, &reference, &json!({"is": "approve"})).expect(200);
    let result = stream.result();
    assert!(result["fact"].is_object() || result["answer"].is_object(), "{result}");

    let facts = ada.get(&at("/facts")).expect(200);
    let table = facts
        .as_array()
        .unwrap()
        .iter()
        .find(|fact| fact["table"]["columns"].as_array().is_some_and(|columns| columns.len() > 1));
    let name = table.unwrap()["name"].as_str().unwrap().to_owned();
    assert_eq!(ada.get(&at(&format!("/facts/{name}"))).expect(200)["name"], name);
    let svg = ada.get(&at(&format!("/facts/{name}/chart?theme=dark")));
    assert_eq!((svg.status, svg.header("content-type")), (200, Some("image/svg+xml")), "{}", svg.text());
    assert!(svg.text().starts_with("<svg"), "{}", svg.text());
    let png = ada.get(&at(&format!("/facts/{name}/chart?format=png")));
    assert_eq!(&png.body[..8], b"\x89PNG\r\n\x1a\n");

    let proof = ada.get(&at("/proof?all=true"));
    assert_eq!(proof.status, 200, "{}", proof.text());
    let file = state.path().join("proof.json");
    std::fs::write(&file, &proof.body).unwrap();
    let verified = turnwise(&["verify", file.to_str().unwrap()]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    let page = ada.get(&at("/proof?form=html"));
    assert!(page.header("content-security-policy").unwrap().contains("sandbox"), "{:?}", page.headers);

    let artefacts = ada.get(&at("/artefacts")).expect(200);
    assert_eq!(artefacts[0]["name"], "regions.csv", "{artefacts}");
    let fetched = ada.get(&at("/artefacts/1"));
    assert_eq!(fetched.header("content-disposition"), Some("attachment; filename=\"regions.csv\""));
    assert_eq!(fetched.body, std::fs::read(results.join(&id).join("regions.csv")).unwrap());
    ada.get(&at("/artefacts/2")).problem(404, "not_found");
    // The folder for results is not left, whatever a name says.
    ada.say(&id, "customers by region and save it as ../outside.csv").expect(200);
    let told = stream.until(|sent| {
        let text = sent.data["text"].as_str().filter(|_| sent.data["event"] == "said")?;
        text.contains("cannot be used here").then(|| text.to_owned())
    });
    assert!(told.contains("Name a file without a folder"), "{told}");
    assert!(!state.path().join("outside.csv").exists());
}

#[test]
fn a_run_is_paused_resumed_and_stopped_and_its_queue_seen_edited_and_dropped() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--approval-mode", "both"]);
    let ada = server.anyone();
    let id = ada.begin();
    let at = |rest: &str| format!("/v1/conversations/{id}{rest}");
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "revenue by region").expect(200);
    let reference = stream.question("approval");
    ada.decide(&id, &reference, &json!({"is": "approve"})).expect(200);
    stream.question("paused");
    let queued = ada.say(&id, "orders by month").expect(200);
    assert_eq!(queued["receipt"]["outcome"], "queued", "{queued}");
    assert_eq!(ada.get(&at("/queue")).expect(200)["task"], "orders by month");
    let edited = ada.input("PUT", &at("/queue"), &json!({"task": "orders by year"}), "edit-1").expect(200);
    assert_eq!(edited["state"]["queue"]["task"], "orders by year", "{edited}");
    let dropped = ada.send("DELETE", &at("/queue"), &[("Idempotency-Key", "drop-1")], None).expect(200);
    assert_eq!(dropped["state"]["queue"]["task"], json!(null), "{dropped}");
    ada.send("POST", &at("/mode"), &[("Idempotency-Key", "mode-1")], Some(&json!({"mode": "proof"}))).expect(200);
    let resumed = ada.send("POST", &at("/resume"), &[("Idempotency-Key", "resume-1")], None).expect(200);
    assert_eq!(resumed["receipt"]["outcome"], "applied", "{resumed}");
    let stopped = ada.send("POST", &at("/stop"), &[("Idempotency-Key", "stop-1")], None);
    assert!(stopped.status == 200 || stopped.status == 409, "it may have been over: {}", stopped.text());
    assert_ne!(ada.get(&at("")).expect(200)["phase"], "executing");
}

#[test]
fn which_plans_are_asked_about_is_said_once_and_taken_back() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let at = |rest: &str| format!("/v1/conversations/{id}{rest}");
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "revenue by region").expect(200);
    let reference = stream.question("approval");
    assert_eq!(ada.get(&at("")).expect(200)["asks_about"], "every_plan");

    // Whoever does not say what they saw approves nothing that waits.
    let choice = |asks_about: &str| json!({"asks_about": asks_about});
    let blind = ada.input("PUT", &at("/plan-approval"), &choice("effects"), "always-1").expect(200);
    assert_eq!((&blind["state"]["asks_about"], &blind["state"]["run"]), (&json!("effects"), &json!(null)), "{blind}");
    let back = ada.input("PUT", &at("/plan-approval"), &choice("every_plan"), "ask-1").expect(200);
    assert_eq!(back["state"]["asks_about"], "every_plan", "{back}");

    let seen = json!({"asks_about": "effects", "seen": {"reference": reference}});
    let given = ada.input("PUT", &at("/plan-approval"), &seen, "always-2").expect(200);
    assert_ne!(given["state"]["run"], json!(null), "{given}");
    ada.input("PUT", &at("/plan-approval"), &choice("none"), "always-3").problem(422, "invalid");
}

#[test]
fn what_another_process_deletes_ends_here_too() {
    let state = tempfile::tempdir().unwrap();
    let (one, other) = (Server::start(state.path(), &[]), Server::start(state.path(), &[]));
    let id = one.anyone().begin();
    let mut stream = one.anyone().follow(&id, None);
    stream.until(|sent| (sent.kind == "state").then_some(()));
    assert_eq!(other.anyone().send("DELETE", &format!("/v1/conversations/{id}"), &[], None).status, 204);
    while stream.next().is_some() {}
    one.anyone().get(&format!("/v1/conversations/{id}")).problem(404, "not_found");
}

#[test]
fn conversations_are_listed_forked_exported_and_deleted() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    ada.say(&id, "/status").expect(200);
    let path = format!("/v1/conversations/{id}/fork");
    let fork = ada.input("POST", &path, &json!({}), "f1").expect(201)["id"].as_str().unwrap().to_owned();
    assert_ne!(fork, id);
    assert_eq!(ada.input("POST", &path, &json!({}), "f1").expect(201)["id"], fork, "the same fork again");
    ada.input("POST", &path, &json!({"upto": 2}), "f1").problem(422, "idempotency_key_reused");
    ada.input("POST", &path, &json!({"upto": 9999}), "f2").problem(422, "no_such_event");
    let before = ada.get(&format!("/v1/conversations/{fork}/export")).expect(200);
    ada.say(&id, "/help").expect(200);
    let after = ada.get(&format!("/v1/conversations/{fork}/export")).expect(200);
    assert_eq!(before["events"], after["events"], "what happens in one never reaches the other");
    let listed = ada.get("/v1/conversations").expect(200);
    let ids: Vec<&str> = listed.as_array().unwrap().iter().map(|known| known["id"].as_str().unwrap()).collect();
    assert!(ids.contains(&id.as_str()) && ids.contains(&fork.as_str()), "{listed}");

    let mut stream = ada.follow(&fork, None);
    stream.until(|sent| (sent.kind == "state").then_some(()));
    assert_eq!(ada.send("DELETE", &format!("/v1/conversations/{fork}"), &[], None).status, 204);
    while stream.next().is_some() {}
    ada.get(&format!("/v1/conversations/{fork}")).problem(404, "not_found");
    ada.say(&fork, "hello").problem(404, "not_found");
    ada.get(&format!("/v1/conversations/{id}")).expect(200);
}

#[test]
fn words_are_classified_and_a_reading_says_why() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--ephemeral"]);
    let ada = server.anyone();
    let assistants = ada.get("/v1/assistants").expect(200);
    assert_eq!(assistants[0]["name"], "analyst");
    let body = json!({"assistant": "analyst", "text": "stop", "phase": "executing"});
    let read = ada.post("/v1/classify", &body).expect(200);
    assert_eq!(read["readings"][0]["intent"], "control", "{read}");
    ada.post("/v1/classify", &json!({"assistant": "nobody", "text": "stop"})).problem(422, "unknown_assistant");
    let id = ada.begin();
    ada.get(&format!("/v1/conversations/{id}/why")).problem(404, "not_found");
    ada.say(&id, "/status").expect(200);
    let why = ada.get(&format!("/v1/conversations/{id}/why?message=1")).expect(200);
    assert_eq!(why["readings"][0]["tier"], "slash", "{why}");
}

#[test]
fn a_server_that_is_told_to_end_answers_who_waits_and_leaves() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    stream.until(|sent| (sent.kind == "state").then_some(()));
    assert_eq!(server.end(), Some(0), "{}", server.said());
    while stream.next().is_some() {}
    // The next start has it all.
    let server = Server::start(state.path(), &[]);
    server.anyone().get(&format!("/v1/conversations/{id}")).expect(200);
}

#[test]
fn a_word_nobody_knows_is_asked_about_and_its_meaning_held() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let at = |rest: &str| format!("/v1/conversations/{id}{rest}");
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "revenue by territory").expect(200);
    let reference = stream.question("clarification");
    let shown = ada.get(&at("/pending")).expect(200);
    let choices = shown[0]["card"]["choices"].as_array().unwrap_or_else(|| panic!("{shown}")).clone();
    assert!(choices[0]["label"].as_str().unwrap().starts_with("regions"), "{shown}");
    ada.decide(&id, &reference, &json!({"is": "choose", "number": 1})).expect(200);
    let approval = stream.question("approval");
    let offered = ada.get(&at("/pending")).expect(200);
    assert!(offered.to_string().contains("territory = region (you said so on message 2)"), "{offered}");
    ada.decide(&id, &approval, &json!({"is": "approve"})).expect(200);
    stream.result();
    let fact = ada.get(&at("/facts/meaning_of_territory")).expect(200);
    assert_eq!(fact["name"], "meaning_of_territory", "{fact}");
    assert!(fact.to_string().contains("region"), "{fact}");
}

/// FL-11 over HTTP: the whole of what is settled is put, so that the same again changes nothing.
#[test]
fn how_work_is_gone_about_is_put_and_taken_back() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let at = |rest: &str| format!("/v1/conversations/{id}{rest}");
    let value = |state: &serde_json::Value, key: &str| {
        let keys = state["flow"].as_array().unwrap();
        keys.iter().find(|one| one["key"] == key).map(|one| one["value"].as_str().unwrap().to_owned()).unwrap()
    };
    let choice = json!({"approval_mode": "before_step", "auto_approve_simple": true});
    let set = ada.input("PUT", &at("/flow"), &choice, "flow-1").expect(200);
    assert_eq!(set["receipt"]["outcome"], "applied", "{set}");
    assert_eq!(value(&set["state"], "approval_mode"), "before_step");
    let again = ada.input("PUT", &at("/flow"), &choice, "flow-2").expect(200);
    assert_eq!(value(&again["state"], "auto_approve_simple"), "on");
    // What is not named is as configured again.
    let preset = ada.input("PUT", &at("/flow"), &json!({"preset": "conversational"}), "flow-3").expect(200);
    assert_eq!(value(&preset["state"], "approval_mode"), "none");
    assert_eq!(value(&preset["state"], "conversational"), "on");
    let usual = ada.input("PUT", &at("/flow"), &json!({}), "flow-4").expect(200);
    for key in usual["state"]["flow"].as_array().unwrap() {
        assert_eq!(key["value"], key["configured"], "{key}");
    }
    ada.input("PUT", &at("/flow"), &json!({"approval_mode": "sometimes"}), "flow-5").problem(422, "invalid");
    ada.input("PUT", &at("/flow"), &json!({"aproval_mode": "both"}), "flow-6").problem(422, "invalid");
}

/// A yes that was on its way when it was settled where a run waits is no yes to that, and it is told so.
#[test]
fn a_plan_that_waits_is_asked_about_anew_when_its_run_is_to_wait() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "revenue by region").expect(200);
    let before = stream.question("approval");
    ada.input("PUT", &format!("/v1/conversations/{id}/flow"), &json!({"approval_mode": "both"}), "f").expect(200);
    ada.decide(&id, &before, &json!({"is": "approve"})).problem(409, "stale");
    let now = ada.get(&format!("/v1/conversations/{id}")).expect(200)["pending"][0]["reference"].clone();
    ada.decide(&id, now.as_str().unwrap(), &json!({"is": "approve"})).expect(200);
    stream.question("paused");
}
