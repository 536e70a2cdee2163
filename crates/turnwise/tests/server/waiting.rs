//! One request for one answer, and what the page asks besides: titles, search, the data at hand, files of one's own,
//! compressed replies, and errors that say which part is meant. Next: `revising`.

use serde_json::{Value, json};

use crate::client::{Server, key, tokens};

#[test]
fn one_request_waits_for_the_plan_and_one_for_the_result() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let id = ada.begin();
    let at = |rest: &str| format!("/v1/conversations/{id}{rest}?wait_seconds=30");
    let said = ada.input("POST", &at("/messages"), &json!({"text": "number of customers"}), &key()).expect(200);
    assert_eq!(said["state"]["status"]["word"], "waiting", "{said}");
    assert_eq!(said["said"][0]["card"]["card"], "plan");
    let verdict = json!({"reference": said["state"]["pending"][0]["reference"], "verdict": {"is": "approve"}});
    let done = ada.input("POST", &at("/decisions"), &verdict, &key()).expect(200);
    assert_eq!(
        (&done["state"]["status"]["word"], &done["state"]["run"]["status"]),
        (&json!("ready"), &json!("completed"))
    );
    assert!(done["said"].as_array().unwrap().iter().any(|said| said["card"]["card"] == "result"), "{done}");
    assert_eq!(done["state"]["result"]["table"]["rows"][0][0].to_string(), crate::client::customers());
    let too_long = format!("/v1/conversations/{id}/messages?wait_seconds=999");
    ada.input("POST", &too_long, &json!({"text": "hello"}), &key()).problem(400, "bad_request");
}

#[test]
fn a_conversation_is_renamed_and_found_by_words_that_were_said_in_it_and_by_nobody_else() {
    let state = tempfile::tempdir().unwrap();
    let list = state.path().join("people");
    let tokens = tokens(&list, &["ada", "ben"]);
    let server = Server::start(state.path(), &["--tokens", list.to_str().unwrap()]);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    let id = ada.begin();
    ada.say(&id, "number of customers").expect(200);
    let at = format!("/v1/conversations/{id}/title");
    let renamed = ada.input("PUT", &at, &json!({"title": "  How many  customers "}), &key()).expect(200);
    assert_eq!(renamed["title"], "How many customers");
    assert_eq!(ada.get("/v1/conversations").expect(200)[0]["title"], "How many customers");
    let told = ada.input("PUT", &at, &json!({"title": " "}), &key()).problem(422, "invalid");
    assert_eq!(told["pointer"], "/title");
    let found = ada.get("/v1/search?q=OF%20CUST").expect(200);
    assert_eq!((&found["hits"][0]["conversation"], &found["partial"]), (&json!(id), &json!(false)), "{found}");
    assert_eq!(found["hits"][0]["matched"], "of cust");
    assert_eq!(ben.get("/v1/search?q=customers").expect(200)["hits"], json!([]));
    ada.get("/v1/search?q=x").problem(400, "bad_request");
}

#[test]
fn a_file_is_brought_asked_about_after_a_restart_and_gone_with_its_conversation() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let rows = "town,size\nRome,10\nOslo,20\n";
    let bring = |name: &str, rows: &str| {
        let path = format!("/v1/uploads?name={name}");
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/octet-stream",
            server.port()
        );
        ada.raw(format!("{head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{rows}", rows.len()).as_bytes())
            .unwrap()
    };
    bring("..%2Fevil.csv", rows).problem(400, "bad_request");
    bring("program.exe", rows).problem(400, "bad_request");
    bring("empty.csv", "").problem(422, "unreadable");
    let brought = bring("towns.csv", rows).expect(201);
    assert_eq!(brought["files"], json!(["towns.csv"]));
    let begin = json!({"assistant": "analyst", "data": brought["id"]});
    let id = ada.input("POST", "/v1/conversations", &begin, &key()).expect(201)["id"].as_str().unwrap().to_owned();
    let data = ada.get(&format!("/v1/conversations/{id}/data")).expect(200);
    assert_eq!(
        (&data["tables"][0]["name"], &data["tables"][0]["first"][0][0]),
        (&json!("towns"), &json!("Rome")),
        "{data}"
    );
    let unknown = json!({"data": "0".repeat(32)});
    ada.input("POST", "/v1/conversations", &unknown, &key()).problem(422, "no_such_data");
    assert_eq!(server.end(), Some(0));
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    ada.run(&id, "total size by town");
    let now = ada.get(&format!("/v1/conversations/{id}")).expect(200);
    assert!(now["result"]["table"]["rows"].to_string().contains("Oslo"), "{now}");
    assert_eq!(ada.send("DELETE", &format!("/v1/conversations/{id}"), &[], None).status, 204);
    let again = json!({"assistant": "analyst", "data": brought["id"]});
    ada.input("POST", "/v1/conversations", &again, &key()).problem(422, "no_such_data");
}

#[test]
fn of_a_large_file_that_is_brought_no_copy_is_kept_beside_its_conversation() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let filler = "x".repeat(180);
    let rows: String = (0..60_000).map(|row| format!("{row},{filler}\n")).collect();
    let rows = format!("id,filler\n{rows}");
    let head = format!(
        "POST /v1/uploads?name=large.csv HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/octet-stream",
        server.port()
    );
    let request = format!("{head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{rows}", rows.len());
    let brought = ada.raw(request.as_bytes()).unwrap().expect(201);
    let begin = json!({"assistant": "analyst", "data": brought["id"]});
    let id = ada.input("POST", "/v1/conversations", &begin, &key()).expect(201)["id"].as_str().unwrap().to_owned();
    ada.get(&format!("/v1/conversations/{id}/data")).expect(200);
    assert!(!state.path().join("turnwise.d/analyst/loaded").exists(), "it goes with its conversation");
}

#[test]
fn replies_are_compressed_for_those_who_take_it_and_errors_say_which_part_is_meant() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    let plain = ada.get("/openapi.json");
    assert_eq!(plain.header("content-encoding"), None);
    let small = ada.send("GET", "/openapi.json", &[("Accept-Encoding", "gzip")], None);
    assert_eq!(small.header("content-encoding"), Some("gzip"));
    let id = ada.begin();
    let at = format!("/v1/conversations/{id}/decisions");
    let told = ada.input("POST", &at, &json!({"reference": "x", "verdict": {"is": "aprove"}}), &key());
    let told = told.problem(422, "invalid");
    assert!(told["detail"].as_str().unwrap().contains("`aprove` is none of"), "{told}");
    let described: Value = plain.json();
    assert_eq!(described["paths"]["/v1/search"]["get"]["responses"]["404"]["$ref"], "#/components/responses/NotFound");
    let text = described.to_string();
    assert!(text.len() < 200_000, "the description is small enough to be read: {}", text.len());
    assert!(!text.contains("prefixItems"), "there are no tuples, which clients cannot name");
}
