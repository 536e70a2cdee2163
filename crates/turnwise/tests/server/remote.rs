//! `turnwise chat --server` through the real binary: the same terminal and the same pipe, with the conversation on a
//! server that others use too, that goes away and comes back, or that is none. Next: `client`, `screen`.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::client::{Client, Server, customers, pipe, told, turnwise};
use crate::screen::Terminal;

const QUESTION: &str = "how many customers are there?";
const CTRL_C: &str = "\u{3}";

fn url(server: &Server) -> String {
    format!("http://{}", server.address)
}

/// A chat on the server, in a window.
fn chat(server: &Server, more: &[&str]) -> Terminal {
    let url = url(server);
    let arguments: Vec<&str> = ["chat", "--server", &url].into_iter().chain(more.iter().copied()).collect();
    Terminal::start(110, 40, &arguments, &[])
}

/// The only conversation there is.
fn only(client: &Client) -> String {
    let all = client.get("/v1/conversations").expect(200);
    assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
    all[0]["id"].as_str().unwrap().to_owned()
}

fn events(client: &Client, id: &str) -> Vec<Value> {
    let export = client.get(&format!("/v1/conversations/{id}/export")).expect(200);
    export["events"].as_array().unwrap().clone()
}

/// What people said, in order, with the names of their surfaces.
fn said(client: &Client, id: &str) -> Vec<(String, String)> {
    let text = |event: &Value, name: &str| event[name].as_str().unwrap_or_default().to_owned();
    let all = events(client, id).into_iter().filter(|event| event["event"] == "message");
    all.map(|event| (text(&event, "text"), text(&event, "surface"))).collect()
}

#[test]
fn a_chat_on_a_server_is_the_chat_as_it_is_here() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let mut terminal = chat(&server, &[]);
    terminal.until("where it is", |screen| screen.contains(&format!("This conversation is on {}", url(&server))));
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("awaiting_approval") && screen.contains("Run it?"));
    terminal.answer("y");
    terminal.until("the answer", |screen| {
        screen.contains("✓ 1") && screen.contains(&customers()) && screen.contains("[EXPLORE] idle")
    });
    terminal.answer("/facts");
    terminal.until("the facts", |screen| screen.contains("› /facts") && screen.contains("number_of_customers"));
    terminal.answer("/queue");
    terminal.until("the queue", |screen| screen.contains("Nothing is queued"));
    terminal.send("/exit\r");
    terminal.check_left(0);
    let ada = server.anyone();
    let surfaces: Vec<String> = said(&ada, &only(&ada)).into_iter().map(|(_, surface)| surface).collect();
    assert!(surfaces.iter().all(|surface| surface == "terminal"), "{surfaces:?}");
}

#[test]
fn what_others_decide_is_shown_with_who_and_when_and_ctrl_c_stops() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let mut terminal = chat(&server, &[]);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("Run it?"));
    let ada = server.anyone();
    let id = only(&ada);
    let pending = ada.get(&format!("/v1/conversations/{id}/pending")).expect(200);
    let reference = pending[0]["reference"].as_str().unwrap();
    ada.decide(&id, reference, &json!({"is": "approve"})).expect(200);
    terminal.until("the decision and the answer", |screen| {
        screen.contains("Approved by ada in another session (web) at ")
            && screen.contains(" UTC.")
            && screen.contains(&customers())
            && screen.contains("[EXPLORE] idle")
    });
    terminal.answer("y");
    terminal.until("that nothing waits", |screen| screen.contains("Nothing waits for a yes or a no right now."));
    terminal.send("revenue by region\r");
    terminal.until("another plan", |screen| screen.contains("awaiting_approval"));
    terminal.send(CTRL_C);
    terminal.until("the stop", |screen| screen.contains("Nothing was executed") && screen.contains("[EXPLORE] idle"));
}

#[test]
fn a_plan_that_waits_on_a_server_is_edited_in_the_editor_here() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let editor = "sed -i 's/^title: .*/title: Heads/'";
    let url = url(&server);
    let mut terminal = Terminal::start(110, 40, &["chat", "--server", &url], &[("VISUAL", editor)]);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("Run it?"));
    terminal.answer("/edit");
    terminal.until("the next version", |screen| screen.contains("Plan: \"Heads\" (1 step, version 2)"));
    assert!(terminal.screen().contains("awaiting_approval"), "an edit is no approval:\n{}", terminal.screen());
}

#[test]
fn a_server_that_is_killed_and_comes_back_loses_nothing_and_does_nothing_twice() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &[]);
    let port = server.port().to_owned();
    let mut terminal = chat(&server, &[]);
    terminal.send(&format!("{QUESTION}\r"));
    terminal.until("the plan", |screen| screen.contains("Run it?"));
    server.kill();
    terminal.until("that it is away", |screen| screen.contains("Trying again; nothing is"));
    terminal.answer("y");
    terminal.answer("/status");
    let server = Server::start(state.path(), &["--port", &port]);
    terminal.until("that it is back, and the answer", |screen| {
        screen.contains("Connected again.") && screen.contains("✓ 1") && screen.contains(&customers())
    });
    terminal.until("the status", |screen| screen.contains("› /status") && screen.contains("[EXPLORE] idle"));
    assert_eq!(terminal.screen().matches("Trying again").count(), 1, "{}", terminal.screen());
    let ada = server.anyone();
    let id = only(&ada);
    let texts: Vec<String> = said(&ada, &id).into_iter().map(|(text, _)| text).collect();
    assert_eq!(texts, [QUESTION, "y", "/status"]);
    assert_eq!(events(&ada, &id).iter().filter(|event| event["event"] == "approved").count(), 1);
}

#[test]
fn a_pipe_rides_out_a_restart_in_the_middle_of_its_script() {
    let state = tempfile::tempdir().unwrap();
    let mut server = Server::start(state.path(), &[]);
    let port = server.port().to_owned();
    let mut child = turnwise(&["chat", "--server", &url(&server)])
        .env("TURNWISE_STATE", state.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    writeln!(input, "{QUESTION}").unwrap();
    let mut shown = String::new();
    while !shown.contains("Run it?") {
        let mut byte = [0];
        output.read_exact(&mut byte).unwrap();
        shown.push(char::from(byte[0]));
    }
    server.kill();
    writeln!(input, "y").unwrap();
    drop(input);
    let _server = Server::start(state.path(), &["--port", &port]);
    output.read_to_string(&mut shown).unwrap();
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(shown.contains(&customers()), "{shown}");
    assert_eq!(ended.status.code(), Some(0), "{told}");
    assert!(told.contains("Trying again"), "{told}");
}

#[test]
fn a_script_in_a_pipe_ends_with_the_codes_it_has_here() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let done = pipe(&url(&server), &[], &[], &format!("{QUESTION}\ny\n"));
    assert_eq!(done.status.code(), Some(0), "{}", told(&done));
    assert!(told(&done).contains(&customers()), "{}", told(&done));
    let refused = pipe(&url(&server), &["--new"], &[], "y\n");
    assert!(told(&refused).contains("Nothing waits for a yes or a no right now."), "{}", told(&refused));
    let unknown = pipe(&url(&server), &["--new", "--assistant", "coder"], &[], "y\n");
    assert_eq!(unknown.status.code(), Some(2), "{}", told(&unknown));
    assert!(told(&unknown).contains("there is no such assistant here"), "{}", told(&unknown));
    assert!(told(&unknown).contains("there is analyst"), "{}", told(&unknown));
    let waits = pipe(&url(&server), &["--new", "--mode", "proof"], &[], &format!("{QUESTION}\n"));
    assert_eq!(waits.status.code(), Some(3), "{}", told(&waits));
    let ada = server.anyone();
    let unfinished = ada.get("/v1/conversations").expect(200);
    let unfinished = unfinished[0]["id"].as_str().unwrap();
    assert_eq!(ada.get(&format!("/v1/conversations/{unfinished}")).expect(200)["mode"], "proof");
    // Without being told which, the one that waits is gone on with; and it can be named.
    for more in [&[][..], &["--resume"], &["--resume", unfinished]] {
        let again = pipe(&url(&server), more, &[], "/status\n");
        assert!(told(&again).contains(&format!("Going on with conversation {unfinished}")), "{}", told(&again));
    }
}

#[test]
fn whoever_is_not_let_in_is_told_what_is_missing() {
    let state = tempfile::tempdir().unwrap();
    let tokens = state.path().join("people");
    let made = turnwise(&["token", "anna", "--tokens", tokens.to_str().unwrap()]).output().unwrap();
    let token = String::from_utf8(made.stdout).unwrap();
    let kept = state.path().join("token");
    std::fs::write(&kept, &token).unwrap();
    let server = Server::start(state.path(), &["--tokens", tokens.to_str().unwrap()]);
    let check = |more: &[&str], variables: &[(&str, &str)], words: &str| {
        let ended = pipe(&url(&server), more, variables, "/status\n");
        assert!(told(&ended).contains(words), "{}", told(&ended));
        ended.status.code()
    };
    assert_eq!(check(&[], &[], "wants a token, and none was given"), Some(2));
    assert_eq!(check(&[], &[("TURNWISE_TOKEN", "abc")], "does not accept this token"), Some(2));
    assert_eq!(check(&[], &[("TURNWISE_TOKEN", "a b")], "the token is none"), Some(2));
    assert_eq!(check(&["--token-file", "nowhere"], &[], "nowhere cannot be read"), Some(2));
    let file = kept.to_str().unwrap();
    assert_eq!(check(&["--token-file", file], &[], "[EXPLORE] idle"), Some(0));
    assert_eq!(check(&["--new"], &[("TURNWISE_TOKEN", token.trim())], "[EXPLORE] idle"), Some(0));
    assert_eq!(check(&["--resume", "nosuch", "--token-file", file], &[], "there is no such conversation"), Some(2));
    assert_eq!(check(&["--data", "here"], &[], "cannot be used with"), Some(2));
}

#[test]
fn an_address_behind_which_no_server_of_this_kind_is_is_told_as_such() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let answering = std::thread::spawn(move || {
        let server = r#"{"product": "turnwise", "version": "9.0.0", "log": 99, "person": "ada"}"#;
        for (status, body) in [("200 OK", "<h1>hello</h1>"), ("404 Not Found", "nothing"), ("200 OK", server)] {
            let (mut line, _) = listener.accept().unwrap();
            let mut request = [0; 4096];
            assert!(line.read(&mut request).unwrap() > 0);
            let length = body.len();
            write!(line, "HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        }
    });
    for words in ["is no Turnwise server", "is no Turnwise server", "is Turnwise 9.0.0, whose conversations"] {
        let ended = pipe(&address, &[], &[], "");
        assert!(told(&ended).contains(words), "{}", told(&ended));
        assert_eq!(ended.status.code(), Some(2), "{}", told(&ended));
    }
    answering.join().unwrap();
    // The listener is gone with its thread.
    let away = pipe(&address, &[], &[], "");
    assert!(told(&away).contains("cannot be reached"), "{}", told(&away));
    assert_eq!(away.status.code(), Some(1));
    let wrong = pipe("localhost:7878", &[], &[], "");
    assert!(told(&wrong).contains("is no address of a server"), "{}", told(&wrong));
}

#[test]
fn a_server_that_is_set_is_used_unless_data_is_named() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let here = tempfile::tempdir().unwrap();
    std::fs::write(here.path().join("turnwise.yaml"), format!("server: {}\n", url(&server))).unwrap();
    let chat = |more: &[&str]| {
        let mut command = turnwise(&["chat"]);
        command.args(more).env("TURNWISE_STATE", here.path()).current_dir(here.path());
        told(&command.output().unwrap())
    };
    assert!(chat(&[]).contains("This conversation is on http://"), "{}", chat(&[]));
    let local = chat(&["--sample"]);
    assert!(!local.contains("This conversation is on") && !local.contains("error"), "{local}");
}

#[test]
fn another_conversation_on_the_server_is_picked_from_the_list() {
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &[]);
    let waits = pipe(&url(&server), &["--new"], &[], &format!("{QUESTION}\n"));
    assert_eq!(waits.status.code(), Some(3), "{}", told(&waits));
    let mut terminal = chat(&server, &["--new"]);
    terminal.send("/conversations\r");
    terminal.until("the list", |screen| {
        screen.contains("Your conversations") && screen.contains(QUESTION) && screen.contains("waiting for your answer")
    });
    terminal.send("\r");
    terminal.until("the plan that waits there", |screen| {
        screen.contains("Going on with conversation") && screen.contains("Run it?")
    });
    terminal.answer("y");
    terminal.until("the answer", |screen| screen.contains("✓ 1") && screen.contains(&customers()));
    // What may be typed is the server's to say.
    terminal.send("/st");
    terminal.until("the command", |screen| screen.contains("where things stand"));
    terminal.send("\t");
    terminal.until("the whole command", |screen| screen.contains("› /status"));
    terminal.send("\u{15}total reven");
    terminal.until("half a name", |screen| screen.contains("› total reven"));
    terminal.send("\t");
    terminal.until("the column", |screen| screen.contains("› total revenue"));
    terminal.send("\u{15}/exit\r");
    terminal.check_left(0);
    let url = url(&server);
    let mut terminal = Terminal::begin(110, 40, &["chat", "--server", &url, "--resume"], &[]);
    terminal.until("the list", |screen| screen.contains(QUESTION) && screen.contains("idle"));
    terminal.send("q");
    terminal.check_left(0);
}
