//! Coming in and going out on the page: the browser never keeps the token, and what let somebody in can be taken back.
//! Next: `people`.

use serde_json::json;

use crate::client::{Client, Reply, Server, tokens};

fn sign_in(client: &Client, token: &str, headers: &[(&str, &str)]) -> Reply {
    client.send("POST", "/v1/session", headers, Some(&json!({"token": token})))
}

/// What the browser sends from then on.
fn cookie(reply: &Reply) -> String {
    assert_eq!(reply.status, 204, "{}", reply.text());
    reply.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
}

#[test]
fn a_session_is_not_the_token_and_signing_out_ends_it() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("people");
    let tokens = tokens(&file, &["ada"]);
    let mut server = Server::start(state.path(), &["--tokens", file.to_str().unwrap()]);
    let reply = sign_in(&server.anyone(), &tokens[0], &[]);
    let set = reply.header("set-cookie").unwrap().to_owned();
    assert!(!set.contains(&tokens[0]), "the token stays out of the browser: {set}");
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict") && set.contains("Max-Age="), "{set}");
    assert!(!set.contains("Secure"), "over plain HTTP a browser would not keep it: {set}");
    let own = cookie(&reply);
    let name = own.split('=').next().unwrap();
    server.in_browser(&format!("{name}={}", tokens[0])).get("/v1/server").problem(401, "unauthorized");
    let ada = server.in_browser(&own);
    let who = ada.get("/v1/server").expect(200);
    assert_eq!((&who["person"], &who["can_sign_out"]), (&json!("ada"), &json!(true)));
    assert_eq!(server.with(&tokens[0]).get("/v1/server").expect(200)["can_sign_out"], false);

    let other = server.in_browser(&cookie(&sign_in(&server.anyone(), &tokens[0], &[])));
    let id = ada.begin();
    let mut stream = ada.follow(&id, None);
    stream.until(|sent| (sent.kind == "state").then_some(()));
    let out = ada.send("DELETE", "/v1/session", &[], None);
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"), "{:?}", out.headers);
    ada.get("/v1/server").problem(401, "unauthorized");
    // What is said from then on is not heard by a window that was left open.
    other.say(&id, "/status said-later").expect(200);
    while let Some(sent) = stream.next() {
        assert!(!sent.data.to_string().contains("said-later"), "{}", sent.data);
    }
    assert_eq!(ada.send("DELETE", "/v1/session", &[], None).status, 204, "nothing is left to end");
    other.get("/v1/server").expect(200);
    // A page of another origin cannot sign anybody out.
    let foreign = [("Origin", "https://evil.example")];
    other.send("DELETE", "/v1/session", &foreign, None).problem(403, "foreign_origin");

    // Sessions end with the server.
    assert_eq!(server.end(), Some(0));
    let server = Server::start(state.path(), &["--tokens", file.to_str().unwrap()]);
    let refused = server.in_browser(other.cookie.as_deref().unwrap()).get("/v1/server").problem(401, "unauthorized");
    assert!(refused["hint"].as_str().unwrap().contains("sign in again"), "{refused}");
}

#[test]
fn a_token_that_is_revoked_lets_nobody_in_any_more() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("people");
    let tokens = tokens(&file, &["ada", "ben"]);
    let mut server = Server::start(state.path(), &["--tokens", file.to_str().unwrap()]);
    let (ada, ben) = (server.with(&tokens[0]), server.with(&tokens[1]));
    let page = server.in_browser(&cookie(&sign_in(&server.anyone(), &tokens[0], &[])));
    let id = page.begin();
    ben.get(&format!("/v1/conversations/{id}")).problem(404, "not_found");
    page.post(&format!("/v1/conversations/{id}/members"), &json!({"person": "ben"})).expect(200);
    let mut stream = page.follow(&id, None);
    stream.until(|sent| (sent.kind == "state").then_some(()));
    let kept = std::fs::read_to_string(&file).unwrap();
    let without: String =
        kept.lines().filter(|line| !line.starts_with("ada ")).map(|line| format!("{line}\n")).collect();
    std::fs::write(&file, &without).unwrap();
    ada.get("/v1/server").problem(401, "unauthorized");
    page.get("/v1/server").problem(401, "unauthorized");
    ben.say(&id, "/status said-later").expect(200);
    while let Some(sent) = stream.next() {
        assert!(!sent.data.to_string().contains("said-later"), "{}", sent.data);
    }
    sign_in(&server.anyone(), &tokens[0], &[]).problem(401, "unauthorized");
    // A file that cannot be read locks nobody out, and whoever runs the server is told.
    std::fs::write(&file, "ben\n").unwrap();
    ben.get("/v1/server").expect(200);
    ada.get("/v1/server").problem(401, "unauthorized");
    std::fs::write(&file, &kept).unwrap();
    ada.get("/v1/server").expect(200);
    assert_eq!(server.end(), Some(0));
    let said = server.all_said();
    assert!(said.contains("line 1 is not a person and a digest"), "{said}");
}

#[test]
fn where_the_name_is_secure_the_cookie_is_and_plain_pages_are_foreign() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("people");
    let tokens = tokens(&file, &["ada"]);
    let named = ["--tokens", file.to_str().unwrap(), "--name", "https://talk.example", "--name", "plain.example"];
    let server = Server::start(state.path(), &named);
    let set = |host: &str| {
        let reply = sign_in(&server.anyone(), &tokens[0], &[("Host", host)]);
        reply.header("set-cookie").unwrap().to_owned()
    };
    assert!(set("talk.example").ends_with("; Secure") && set("talk.example:443").ends_with("; Secure"));
    assert!(!set("plain.example").contains("Secure"));
    let ada = server.with(&tokens[0]);
    let from = |origin: &str| ada.send("GET", "/v1/server", &[("Host", "talk.example"), ("Origin", origin)], None);
    from("https://talk.example").expect(200);
    from("http://talk.example").problem(403, "foreign_origin");
}

#[test]
fn with_tokens_too_only_its_own_names_are_answered() {
    let state = tempfile::tempdir().unwrap();
    let file = state.path().join("people");
    let tokens = tokens(&file, &["ada"]);
    let mut server = Server::start(state.path(), &["--tokens", file.to_str().unwrap(), "--listen", "0.0.0.0"]);
    let local = Client { address: format!("127.0.0.1:{}", server.port()), ..server.with(&tokens[0]) };
    let called = |host: &str| local.send("GET", "/v1/server", &[("Host", host)], None);
    for host in ["evil.example", "talk.example:7878", "10.9.8.7", ""] {
        let refused = called(host).problem(403, "foreign_host");
        assert!(refused["hint"].as_str().unwrap().contains("--name HOST"), "{refused}");
    }
    called("127.0.0.1").expect(200);
    called(&format!("localhost:{}", server.port())).expect(200);
    assert_eq!(server.end(), Some(0));
    let said = server.all_said();
    assert!(said.contains("--name HOST makes it answer to a name"), "{said}");
}
