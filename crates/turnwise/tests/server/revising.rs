//! A plan edited as text over HTTP, and results looked at as they were shown: what the page needs beyond the main job.
//! Next: `agreement`.

use serde_json::{Value, json};

use crate::client::{Server, key};

#[test]
fn a_plan_is_edited_as_text_and_the_same_request_gets_the_same_reply() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let at = |rest: &str| format!("/v1/conversations/{id}{rest}");
    ada.get(&at("/plan/text")).problem(404, "not_found");
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "revenue by region").expect(200);
    stream.question("approval");
    let given = ada.get(&at("/plan/text")).expect(200);
    let text = given["text"].as_str().unwrap();
    let edit = |text: &str| json!({"reference": given["reference"], "verdict": {"is": "edit", "text": text}});
    let send = |body: &Value, key: &str| ada.input("POST", &at("/decisions"), body, key);

    let told = send(&edit(&text.replace("title:", "titel:")), &key()).problem(422, "not_an_edit");
    assert!(told["detail"].as_str().unwrap().contains("line"), "{told}");
    send(&edit(text), &key()).problem(422, "not_an_edit");

    let titled: String = text
        .lines()
        .map(|line| if line.starts_with("title:") { "title: Regions\n".to_owned() } else { format!("{line}\n") })
        .collect();
    let once = key();
    let first = send(&edit(&titled), &once).expect(200);
    assert_eq!((&first["state"]["plan"]["title"], &first["state"]["plan"]["version"]), (&json!("Regions"), &json!(2)));
    assert_eq!(first["state"]["phase"], "awaiting_approval", "an edit is never an approval");
    let again = send(&edit(&titled), &once).expect(200);
    assert_eq!((&again["replayed"], &again["receipt"]), (&json!(true), &first["receipt"]));
    send(&edit(&text.replace("revenue", "profit")), &key()).problem(409, "stale");
}

#[test]
fn a_run_says_what_it_runs_and_finds_and_a_result_is_drawn_as_it_was_shown() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let at = |rest: &str| format!("/v1/conversations/{id}{rest}");
    let mut stream = ada.follow(&id, None);
    ada.say(&id, "revenue by region").expect(200);
    let reference = stream.question("approval");
    ada.decide(&id, &reference, &json!({"is": "approve"})).expect(200);
    stream.result();
    let export = ada.get(&at("/export")).expect(200);
    let events = export["events"].as_array().unwrap();
    let of = |kind: &str| events.iter().find(|event| event["event"] == kind).unwrap();
    assert_eq!(of("approved")["plan"]["steps"][0]["number"], 1);
    let done = events.iter().find(|event| event["state"] == "done").unwrap();
    let name = done["found"][0]["name"].as_str().unwrap();
    let said = events.iter().find(|event| event["card"]["card"] == "result").unwrap();
    assert!(said["card"]["chart"]["described"].as_str().unwrap().contains("chart"), "{said}");

    let chart = at(&format!("/facts/{name}/chart?said={}", said["sequence"]));
    let before = ada.get(&chart);
    assert_eq!(before.status, 200);
    let held = ada.get(&at("/facts")).expect(200);
    assert_eq!((&held[0]["pinned"], &held[0]["used_by"]), (&json!(false), &json!([])));
    ada.say(&id, &format!("/facts pin {name}")).expect(200);
    assert_eq!(ada.get(&at(&format!("/facts/{name}"))).expect(200)["pinned"], true);
    ada.say(&id, &format!("/facts forget {name}")).expect(200);
    ada.get(&at(&format!("/facts/{name}/chart"))).problem(404, "not_found");
    let after = ada.get(&chart);
    assert_eq!(after.text().matches("<rect").count(), before.text().matches("<rect").count());
    ada.get(&at(&format!("/facts/{name}/chart?said=1"))).problem(404, "not_found");
}
