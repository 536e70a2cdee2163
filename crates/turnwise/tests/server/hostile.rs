//! Hostile and broken requests: each gets a clear refusal, and the server goes on. Next: `killed`.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use crate::client::{Server, pipe, told};

#[test]
fn pages_of_others_and_other_names_are_refused() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--ephemeral"]);
    let ada = server.anyone();
    let get = |headers: &[(&str, &str)]| ada.send("GET", "/v1/conversations", headers, None);
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "10.0.0.1"] {
        get(&[("Host", host)]).problem(403, "foreign_host");
    }
    get(&[("Host", "localhost"), ("Host", "localhost")]).problem(403, "foreign_host");
    get(&[("Host", "LOCALHOST:1")]).expect(200);
    let own = format!("http://{}", server.address);
    get(&[("Origin", &own)]).expect(200);
    for origin in ["https://evil.example", "null", "http://localhost:1", ""] {
        get(&[("Origin", origin)]).problem(403, "foreign_origin");
    }
    get(&[("Sec-Fetch-Site", "cross-site")]).problem(403, "foreign_origin");
    // A form of another page cannot send JSON, and a browser asks before it sends what is.
    let form = ada.raw(format!(
        "POST /v1/conversations HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nIdempotency-Key: a\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}",
        server.address
    ).as_bytes());
    form.unwrap().problem(415, "not_json");
    let asked = ada.send("OPTIONS", "/v1/conversations", &[("Origin", &own)], None);
    assert!(asked.header("access-control-allow-origin").is_none());
}

#[test]
fn every_reply_tells_browsers_to_run_nothing_but_ours() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--ephemeral"]);
    let ada = server.anyone();
    for path in ["/", "/docs", "/openapi.json", "/v1/conversations", "/nothing", "/assets/app.js", "/healthz"] {
        let reply = ada.get(path);
        let policy = reply.header("content-security-policy").unwrap_or_else(|| panic!("{path} has no policy"));
        // What draws the description of the API writes styles into its page; scripts are ours everywhere.
        let styled = if path == "/docs" { "style-src 'self' 'unsafe-inline'" } else { "style-src 'self'" };
        let rest = policy.replace(styled, "");
        assert!(rest.contains("default-src 'none'") && rest.contains("script-src 'self';"), "{path}: {policy}");
        assert!(!rest.contains("unsafe"), "{path}: {policy}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{path}");
    }
    // What people say comes back as data, never as a page.
    let id = ada.begin();
    let script = "<script>alert(1)</script>";
    ada.say(&id, script).expect(200);
    let export = ada.get(&format!("/v1/conversations/{id}/export"));
    assert_eq!(export.header("content-type"), Some("application/json"));
    assert!(export.text().contains(script));
    let drawn = ada.get("/docs").text();
    assert_eq!(drawn.matches("<script").count(), drawn.matches("<script src=\"/assets/").count(), "{drawn}");
    let docs = ada.get("/docs/plain").text();
    assert!(docs.contains("POST /v1/conversations/{id}/messages") && docs.contains("Idempotency-Key"));
    assert!(!docs.contains("<script"));
    ada.get(&format!("/v1/conversations/{id}/facts/%3Cscript%3E")).problem(404, "not_found");
}

#[test]
fn paths_lead_nowhere_else_and_headers_cannot_be_smuggled() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--ephemeral"]);
    let ada = server.anyone();
    for path in [
        "/../../etc/passwd",
        "/assets/../../../etc/passwd",
        "/assets/..%2f..%2fetc%2fpasswd",
        "/v1/conversations/..%2f..%2fetc%2fpasswd",
        "/v1/conversations/%2e%2e/artefacts/1",
        "/v1/conversations/a%0d%0aX-Evil:%201",
        "/v1/conversations/a%00b",
    ] {
        let reply = ada.get(path);
        assert!(matches!(reply.status, 400 | 404), "{path}: {}", reply.status);
        assert!(reply.header("x-evil").is_none() && !reply.text().contains("root:"), "{path}");
    }
    let id = ada.begin();
    let at = format!("/v1/conversations/{id}/artefacts/");
    for number in ["-1", "0", "1", "99999999999999999999999", "..%2f1", "x"] {
        let reply = ada.get(&format!("{at}{number}"));
        assert!(matches!(reply.status, 400 | 404), "{number}: {}", reply.text());
    }
    ada.send(
        "GET",
        &format!("/v1/conversations/{id}/events"),
        &[("Accept", "text/event-stream"), ("Last-Event-ID", "x")],
        None,
    )
    .problem(400, "bad_request");
    ada.get(&format!("/v1/conversations/{id}/events?wait_seconds=56")).problem(400, "bad_request");
    ada.get(&format!("/v1/conversations/{id}/events?unknown=1")).problem(400, "bad_request");
    ada.send("PATCH", "/v1/conversations", &[], None).problem(405, "method_not_allowed");
    ada.post("/v1/conversations", &json!({"assistant": "nobody"})).problem(422, "unknown_assistant");
    ada.post("/v1/conversations", &json!({"assistent": "analyst"})).problem(422, "invalid");
    ada.say(&id, " ").problem(422, "empty");
}

#[test]
fn oversized_and_slow_requests_are_ended() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--ephemeral"]);
    let ada = server.anyone();
    let id = ada.begin();
    let before = ada.get(&format!("/v1/conversations/{id}/export")).text();
    for (bytes, long) in
        [(100 << 10, "that message is 100 kB long"), (1_200_000, "that request is more than 1024 kB long")]
    {
        let refused = ada.say(&id, &"a".repeat(bytes)).problem(413, "too_large");
        let told = refused["detail"].as_str().unwrap();
        assert!(told.starts_with(long) && told.contains("at most 64 kB"), "{refused}");
        assert_eq!(refused["hint"], "say it shorter, or in several messages");
    }
    let words = "a".repeat(100 << 10);
    ada.input("PUT", &format!("/v1/conversations/{id}/queue"), &json!({"task": words}), "q").problem(413, "too_large");
    ada.post("/v1/classify", &json!({"assistant": "analyst", "text": words})).problem(413, "too_large");
    let script = format!("{words}\n/status\n");
    let chat = pipe(&format!("http://{}", server.address), &["--resume", &id], &[], &script);
    let chat = told(&chat);
    assert!(chat.contains("error: that message is 100 kB long; at most 64 kB are read"), "{chat}");
    assert!(chat.contains("[EXPLORE] idle") && !chat.contains("aaaa"), "the next one is taken in: {chat}");
    let after = ada.get(&format!("/v1/conversations/{id}/export")).text();
    assert!(!after.contains("aaaa") && after.matches("/status").count() > before.matches("/status").count(), "{after}");
    let head = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "a".repeat(200_000));
    assert_eq!(ada.raw(head.as_bytes()).map(|reply| reply.status).unwrap_or(431), 431);
    // One that never ends its head and one that never ends its body, side by side.
    let address = server.address.clone();
    let head = std::thread::spawn(move || read_all(&address, "GET / HTTP/1.1\r\nHost: local"));
    let path = format!("/v1/conversations/{id}/messages");
    let body = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: slow\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{{\"te"
    );
    let told = read_all(&server.address, &body);
    assert!(told.starts_with("HTTP/1.1 408"), "{told}");
    assert!(!head.join().unwrap().contains("200 OK"));
    ada.say(&id, "/status").expect(200);
}

/// What the server answers to a request that stops in the middle, until it closes the line.
fn read_all(address: &str, request: &str) -> String {
    let mut line = TcpStream::connect(address).unwrap();
    line.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    line.write_all(request.as_bytes()).unwrap();
    let mut told = Vec::new();
    line.read_to_end(&mut told).expect("the server ends what does not go on");
    String::from_utf8_lossy(&told).into_owned()
}

#[test]
fn the_log_tells_routes_and_nothing_of_what_was_asked() {
    for form in ["text", "json"] {
        let state = tempfile::tempdir().unwrap();
        let mut server = Server::start(state.path(), &["--log", form]);
        let ada = server.anyone();
        let id = ada.begin();
        ada.run(&id, "how many customers are there?");
        let facts = ada.get(&format!("/v1/conversations/{id}/facts")).expect(200);
        let name = facts[0]["name"].as_str().unwrap().to_owned();
        ada.get(&format!("/v1/conversations/{id}/facts/{name}")).expect(200);
        ada.get("/v1/secret-words?more=secret-words").problem(404, "not_found");
        ada.send("SECRETWORDS", "/v1/conversations", &[], None);
        assert_eq!(server.end(), Some(0));
        let said = server.all_said();
        assert!(said.contains("/v1/conversations/{id}/facts/{name}"), "{said}");
        assert!(said.contains("(no such route)") && said.contains("OTHER"), "{said}");
        for secret in [id.as_str(), name.as_str(), "secret-words", "SECRETWORDS"] {
            assert!(!said.contains(secret), "the log tells {secret}: {said}");
        }
    }
}

#[test]
fn how_fast_a_person_may_send_is_set() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--ephemeral", "--requests-per-second", "2"]);
    let ada = server.anyone();
    let refused = (0..1_000).map(|_| ada.get("/v1/server")).find(|reply| reply.status != 200);
    let refused = refused.expect("nobody sends a thousand requests at two a second");
    refused.problem(429, "too_many_requests");
    assert_eq!(refused.header("retry-after"), Some("1"));
}

#[test]
fn whoever_watches_the_server_sees_how_it_is() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let ada = server.anyone();
    assert_eq!(ada.get("/healthz").text(), "ok\n");
    assert_eq!(ada.get("/readyz").text(), "ready\n");
    let id = ada.begin();
    ada.input("POST", &format!("/v1/conversations/{id}/messages"), &json!({"text": "/status"}), "m").expect(200);
    ada.input("POST", &format!("/v1/conversations/{id}/messages"), &json!({"text": "/status"}), "m").expect(200);
    let mut stream = ada.follow(&id, None);
    stream.until(|sent| (sent.kind == "state").then_some(()));
    let metrics = ada.get("/metrics");
    assert!(metrics.header("content-type").unwrap().starts_with("text/plain"));
    let text = metrics.text();
    for line in [
        "turnwise_inputs_total{outcome=\"taken\"} 2",
        "turnwise_inputs_total{outcome=\"replayed\"} 1",
        "turnwise_event_streams 1",
        "turnwise_requests_total{status=\"5xx\"} 0",
    ] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
}
