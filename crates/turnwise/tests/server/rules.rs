//! The rules for keys and decisions: what is sent twice happens once, and nobody decides on what they have not seen.
//! Next: `people`.

use serde_json::json;

use crate::client::{Server, turnwise};

const QUESTION: &str = "how many customers are there?";

#[test]
fn the_same_key_gets_the_first_reply_and_does_nothing_again() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let path = format!("/v1/conversations/{id}/messages");
    ada.send("POST", &path, &[], Some(&json!({"text": "/status"}))).problem(400, "idempotency_key_missing");
    let long = "k".repeat(201);
    for key in ["", "  ", long.as_str()] {
        ada.input("POST", &path, &json!({"text": "/status"}), key).problem(400, "idempotency_key_invalid");
    }
    let first = ada.input("POST", &path, &json!({"text": "/status"}), "k1").expect(200);
    let again = ada.input("POST", &path, &json!({"text": "/status"}), "k1").expect(200);
    assert_eq!((&first["replayed"], &again["replayed"]), (&json!(false), &json!(true)));
    assert_eq!((&first["receipt"], &first["last"]), (&again["receipt"], &again["last"]));
    ada.input("POST", &path, &json!({"text": "/help"}), "k1").problem(422, "idempotency_key_reused");
    // At the same time, too: one is handled, the others are told to wait or get its reply.
    let replies: Vec<u16> = std::thread::scope(|scope| {
        let send = || scope.spawn(|| ada.input("POST", &path, &json!({"text": "/facts"}), "k2").status);
        let sent: Vec<_> = (0..8).map(|_| send()).collect();
        sent.into_iter().map(|sent| sent.join().unwrap()).collect()
    });
    assert!(replies.contains(&200) && replies.iter().all(|status| matches!(status, 200 | 409)), "{replies:?}");
    // A restart forgets nothing of it.
    server.kill();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let later = ada.input("POST", &path, &json!({"text": "/status"}), "k1").expect(200);
    assert_eq!((&later["replayed"], &later["receipt"]), (&json!(true), &first["receipt"]));
    let export = ada.get(&format!("/v1/conversations/{id}/export")).expect(200);
    let said = |text: &str| {
        export["events"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|event| event["text"] == text && event["event"] == "message")
            .count()
    };
    assert_eq!((said("/status"), said("/facts"), said("/help")), (1, 1, 0));
    // Beginning is an input like any other.
    let begun = ada.input("POST", "/v1/conversations", &json!({}), "k1").expect(201)["id"].clone();
    assert_eq!(ada.input("POST", "/v1/conversations", &json!({}), "k1").expect(201)["id"], begun);
}

#[test]
fn a_decision_on_what_was_changed_used_or_forged_is_refused() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "revenue by region").expect(200);
    let first = stream.question("approval");
    ada.decide(&id, &first, &json!({"is": "change", "change": "only 2023"})).expect(200);
    let second = stream.until(|sent| {
        let open = sent.data["pending"].as_array()?.first()?;
        open["reference"].as_str().filter(|reference| *reference != first).map(str::to_owned)
    });
    let stale = ada.decide(&id, &first, &json!({"is": "approve"})).problem(409, "stale");
    assert_eq!(stale["current"], second, "{stale}");
    let forged = format!("{}x", &second[..second.len() - 1]);
    let refused = ada.decide(&id, &forged, &json!({"is": "approve"}));
    assert!(refused.status == 403 || refused.status == 422, "{}", refused.text());
    ada.decide(&id, "q1", &json!({"is": "approve"})).problem(422, "no_reference");
    ada.decide(&id, &second, &json!({"is": "retry"})).problem(422, "not_an_answer");
    // A reference belongs to its conversation.
    let other = ada.begin();
    ada.decide(&other, &second, &json!({"is": "approve"})).problem(403, "forged");
    // Words about what was on the screen before are refused as well.
    let about = json!({"text": "yes", "seen": {"reference": first}});
    ada.post(&format!("/v1/conversations/{id}/messages"), &about).problem(409, "stale");
    ada.decide(&id, &second, &json!({"is": "approve"})).expect(200);
    stream.result();
    let twice = ada.decide(&id, &second, &json!({"is": "approve"})).expect(200);
    assert_eq!(twice["receipt"]["outcome"], "answered", "it is told what was decided, and nothing is done: {twice}");
    ada.decide(&id, &second, &json!({"is": "reject"})).problem(409, "already_decided");
    let export = ada.get(&format!("/v1/conversations/{id}/export")).expect(200);
    let approved = export["events"].as_array().unwrap().iter().filter(|event| event["event"] == "approved").count();
    assert_eq!(approved, 1, "one approval, one run");
}

#[test]
fn a_decision_after_the_question_expired_is_gone() {
    let state = tempfile::tempdir().unwrap();
    let profiles = state.path().join("assistants");
    let variables = [("TURNWISE_ASSISTANTS", profiles.to_str().unwrap())];
    assert!(turnwise(&["profile", "analyst"]).envs(variables).output().unwrap().status.success());
    let file = profiles.join("analyst/assistant.yaml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}\napproval: {{expires_after_seconds: 1}}\n")).unwrap();
    let server = Server::start_with(state.path(), &[], &variables);
    let ada = server.anyone();
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    ada.say(&id, QUESTION).expect(200);
    let reference = stream.question("approval");
    stream.until(|sent| (sent.data["event"] == "closed" && sent.data["how"] == "expired").then_some(()));
    ada.decide(&id, &reference, &json!({"is": "approve"})).problem(410, "expired");
}
