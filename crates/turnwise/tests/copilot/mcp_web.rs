//! Turnwise as a server of tools over HTTP: who comes in, from where, and as whom.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::desk::{Desk, told};

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(desk: &Desk, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["mcp", "--assistant", "copilot", "--workspace", "desk", "--listen", "127.0.0.1:0"])
            .args(options)
            .current_dir(desk.folder.path())
            .env("TURNWISE_STATE", desk.folder.path().join("state"))
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let told = lines.next().unwrap().unwrap();
        let address = told.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
        assert!(told.contains(&format!("{address}/mcp")), "{told}");
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address }
    }

    /// Sends a message of the protocol; gives the status and the answer as it came.
    fn post(&self, headers: &[(&str, &str)], message: &Value) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let body = message.to_string();
        let host = headers.iter().find(|(name, _)| *name == "Host").map_or(self.address.as_str(), |(_, host)| host);
        let mut request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        for (name, value) in headers.iter().filter(|(name, _)| *name != "Host") {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        write!(stream, "{request}\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer)
    }

    /// What a tool answers to whoever brings this token: its text, and whether that is an error.
    fn call(&self, token: &str, tool: &str, arguments: &Value) -> (String, bool) {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}});
        let bearer = format!("Bearer {token}");
        let headers = [("Authorization", bearer.as_str()), ("MCP-Protocol-Version", "2025-06-18")];
        let (status, answer) = self.post(&headers, &call);
        assert_eq!(status, 200, "{answer}");
        let data =
            answer.lines().filter_map(|line| line.strip_prefix("data: ").or(line.starts_with('{').then_some(line)));
        let answer: Value = data.filter_map(|data| serde_json::from_str(data).ok()).next_back().unwrap();
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text, answer["result"]["isError"] == true)
    }

    fn told(&self, token: &str, tool: &str, arguments: &Value) -> Value {
        let (text, is_error) = self.call(token, tool, arguments);
        assert!(!is_error, "{text}");
        serde_json::from_str(&text).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }})
}

#[test]
fn over_http_pages_of_others_and_names_that_were_made_to_point_here_are_refused() {
    let desk = Desk::new();
    let server = Server::start(&desk, &["--ephemeral"]);
    let (status, answer) = server.post(&[], &hello());
    assert!(status == 200 && answer.contains("\"name\":\"turnwise\""), "{answer}");
    let own = format!("http://{}", server.address);
    assert_eq!(server.post(&[("Origin", &own)], &hello()).0, 200);
    for foreign in
        [("Host", "evil.example.org"), ("Origin", "http://evil.example.org"), ("Sec-Fetch-Site", "cross-site")]
    {
        let (status, answer) = server.post(&[foreign], &hello());
        assert!(status == 403 && answer.contains("foreign_"), "{foreign:?}: {answer}");
    }
    // Who asks here is whoever started it.
    let asked = server.told("", "ask", &json!({"message": "run `echo made > made.txt`"}));
    assert_eq!(asked["waits"][0]["by_people"], true, "{asked}");
    assert_eq!(server.told("", "pending", &json!({}))["waits"][0]["reference"], asked["waits"][0]["reference"]);
}

#[test]
fn over_http_each_token_is_a_person_who_sees_and_decides_only_what_is_theirs() {
    let desk = Desk::new();
    let token = |person: &str| {
        let made = desk.turnwise(&["token", person, "--tokens", "people"], "");
        String::from_utf8(made.stdout).unwrap().trim().to_owned()
    };
    let (ann, bob) = (token("ann"), token("bob"));
    let server = Server::start(&desk, &["--ephemeral", "--tokens", "people", "--let-decide"]);
    for headers in [&[][..], &[("Authorization", "Bearer nonsense")], &[("Authorization", "Basic YTpi")]] {
        let (status, answer) = server.post(headers, &hello());
        assert!(status == 401 && answer.contains("no valid token was sent"), "{answer}");
    }
    let asked = server.told(&bob, "ask", &json!({"message": "run `echo made > made.txt`"}));
    let (conversation, reference) = (&asked["conversation"], &asked["waits"][0]["reference"]);
    assert_eq!(server.told(&ann, "pending", &json!({}))["waits"], json!([]));
    let (text, is_error) = server.call(&ann, "decide", &json!({"reference": reference, "verdict": "approve"}));
    assert!(is_error && text.contains("has issued this reference"), "{text}");
    let (text, is_error) = server.call(&ann, "facts", &json!({"conversation": conversation}));
    assert!(is_error && text.contains("there is no conversation"), "{text}");
    assert!(!desk.has("made.txt"));
    server.told(&bob, "decide", &json!({"reference": reference, "verdict": "approve"}));
    assert!(desk.has("made.txt"));
}

#[test]
fn an_address_that_others_can_reach_needs_tokens() {
    let desk = Desk::new();
    let refused = desk.turnwise(&["mcp", "--assistant", "copilot", "--workspace", "desk", "--listen", "0.0.0.0:0"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(told(&refused).contains("can be reached by others, and no tokens are set"), "{}", told(&refused));
}
