//! A workspace of local-slack and a server that speaks with it: people say and press things through its control API,
//! and what the bot posts is read from there. Next: `main`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::node;
use super::relay::Relay;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// Far more than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
pub const CHANNEL: &str = "C01GEN";
const BOT: &str = "U0BOT";

/// How Slack delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    Events,
    Socket,
}

pub struct Workspace {
    slack: Child,
    server: Child,
    /// Where the workspace finds the server.
    relay: Relay,
    port: u16,
    delivery: Delivery,
    pub folder: TempDir,
}

/// Where the program is, installed into the build folder; or why it cannot be had.
pub fn installed() -> Result<PathBuf, String> {
    let program = node::prepared("workspace")?.join("node_modules/local-slack-linux-x64/bin/local-slack");
    if program.exists() { Ok(program) } else { Err(format!("npm installed no {}", program.display())) }
}

impl Workspace {
    pub fn new(program: &Path, delivery: Delivery) -> Self {
        let (folder, relay) = (tempfile::tempdir().unwrap(), Relay::new());
        let app = json!({"appId": "A01APP", "botUserId": BOT, "botName": "turnwise", "botToken": "xoxb-test-token",
            "appToken": "xapp-test-token", "signingSecret": "test-signing-secret",
            "mode": if delivery == Delivery::Events { "events" } else { "socket" },
            "requestUrl": format!("http://{}/slack/events", relay.address)});
        let config = json!({"workspace": {"name": "Test", "domain": "test", "teamId": "T01TEST"}, "app": app,
            "users": [{"id": "U01ADA", "name": "ada", "real_name": "Ada"}, {"id": "U02BOB", "name": "bob", "real_name": "Bob"}],
            "channels": [{"id": CHANNEL, "name": "general", "members": ["U01ADA", "U02BOB", BOT]}]});
        std::fs::write(folder.path().join("workspace.json"), config.to_string()).unwrap();
        let (slack, port) = local_slack(program, folder.path());
        std::fs::write(
            folder.path().join("turnwise.yaml"),
            format!("slack: {{api: \"http://127.0.0.1:{port}/api\"}}\n"),
        )
        .unwrap();
        let (server, address) = serve(folder.path(), delivery);
        relay.leads_to(&address);
        let workspace = Self { slack, server, relay, port, delivery, folder };
        workspace.stands(1);
        workspace
    }

    /// Kills the server and starts it again over the same state.
    pub fn start_again(&mut self) {
        let opened = self.sockets();
        self.server.kill().unwrap();
        self.server.wait().unwrap();
        let (server, address) = serve(self.folder.path(), self.delivery);
        self.server = server;
        self.relay.leads_to(&address);
        self.stands(opened + 1);
    }

    /// Waits until the server has opened its line, where that is how Slack delivers.
    fn stands(&self, opened: usize) {
        if self.delivery == Delivery::Socket {
            self.until("the socket is not open", || (self.sockets() >= opened).then_some(()));
        }
    }

    fn sockets(&self) -> usize {
        self.get("log").to_string().matches("socket connected (hello)").count()
    }

    /// Lets the threads be as if nobody had been there for so many hours.
    pub fn wait_hours(&self, hours: u64) {
        let threads = self.folder.path().join("state/turnwise.d/tickets/threads");
        for entry in std::fs::read_dir(threads).unwrap() {
            let path = entry.unwrap().path();
            let mut thread: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            thread["active_at"] = (thread["active_at"].as_u64().unwrap() - hours * 3_600_000).into();
            std::fs::write(path, thread.to_string()).unwrap();
        }
    }

    /// What `found` finds, once it does.
    #[track_caller]
    fn until<T>(&self, missing: &str, found: impl Fn() -> Option<T>) -> T {
        let begun = Instant::now();
        // The workspace tells nobody when something was posted, and whoever asks without a pause keeps it from posting.
        let (_silent, never) = std::sync::mpsc::channel::<()>();
        loop {
            if let Some(found) = found() {
                return found;
            }
            assert!(begun.elapsed() < PATIENCE, "{missing}: {:#}", self.get(&format!("messages/{CHANNEL}")));
            let _ = never.recv_timeout(PAUSE);
        }
    }

    fn request(&self, head: &str, body: &str) -> Value {
        let length = body.len();
        let request = format!(
            "{head} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        );
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(answer.read_line(&mut head).unwrap() > 0, "{request}: {head}");
        }
        // Not to the end: what local-slack answers late it keeps the line open behind, for ten seconds.
        let length = head.to_lowercase().split_once("content-length: ").unwrap().1.lines().next().unwrap().parse();
        let mut body = vec![0; length.unwrap()];
        answer.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap_or_else(|error| panic!("{error}: {head}"))
    }

    pub fn get(&self, what: &str) -> Value {
        self.request(&format!("GET /_control/{what}"), "")
    }

    fn post(&self, what: &str, body: &Value) -> Value {
        let answer = self.request(&format!("POST /_control/{what}"), &body.to_string());
        assert_eq!(answer["ok"], true, "{what} {body}: {answer}");
        answer
    }

    /// `user` mentions the bot; gives the message's id.
    pub fn mention(&self, user: &str, thread: Option<&str>, text: &str) -> String {
        let mut message = json!({"channel": CHANNEL, "user": user, "text": format!("<@{BOT}> {text}")});
        if let Some(thread) = thread {
            message["thread_ts"] = json!(thread);
        }
        self.post("message", &message)["message"]["ts"].as_str().unwrap().to_owned()
    }

    pub fn command(&self, user: &str, text: &str) {
        self.post("command", &json!({"channel": CHANNEL, "user": user, "command": "/turnwise", "text": text}));
    }

    /// `user` presses the button with this label.
    #[track_caller]
    pub fn press(&self, user: &str, message: &Value, label: &str) {
        let rows = message["blocks"].as_array().unwrap().iter().filter(|block| block["type"] == "actions");
        let mut buttons = rows.flat_map(|row| row["elements"].as_array().unwrap());
        let button = buttons.find(|button| button["text"]["text"] == label);
        let mut action = button.unwrap_or_else(|| panic!("no button “{label}”: {message:#}")).clone();
        action["type"] = json!("button");
        let press = json!({"channel": CHANNEL, "messageTs": message["ts"], "user": user, "action": action});
        self.post("interact", &press);
    }

    /// The message of the bot in `thread` that holds `words`, once there is one.
    #[track_caller]
    pub fn wait(&self, thread: &str, words: &str) -> Value {
        self.until(&format!("nothing in {thread} says “{words}”"), || self.find(thread, words))
    }

    /// The message outside of threads that holds `words`, once there is one.
    #[track_caller]
    pub fn wait_for_root(&self, words: &str) -> String {
        self.until(&format!("nothing in the channel says “{words}”"), || {
            let messages = self.get(&format!("messages/{CHANNEL}"));
            let is_it = |message: &&Value| message["thread_ts"].is_null() && text_of(message).contains(words);
            Some(messages["messages"].as_array().unwrap().iter().find(is_it)?["ts"].as_str().unwrap().to_owned())
        })
    }

    pub fn find(&self, thread: &str, words: &str) -> Option<Value> {
        let messages = self.get(&format!("messages/{CHANNEL}"));
        let is_it = |message: &&Value| {
            let is_of_bot = message["user"] == BOT || message["bot_id"].is_string();
            is_of_bot && message["thread_ts"] == thread && text_of(message).contains(words)
        };
        messages["messages"].as_array().unwrap().iter().find(is_it).cloned()
    }

    /// The bot told one person alone.
    #[track_caller]
    pub fn whispered(&self, words: &str) {
        self.until(&format!("nobody was told “{words}”"), || {
            let log = self.get("log").to_string();
            (log.contains("chat.postEphemeral") && log.contains(words)).then_some(())
        });
    }

    pub fn tickets(&self) -> usize {
        let Ok(files) = std::fs::read_dir(self.folder.path().join("tickets")) else { return 0 };
        files.filter(|file| file.as_ref().unwrap().file_name().to_string_lossy().starts_with("TASK-")).count()
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        for child in [&mut self.server, &mut self.slack] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn text_of(message: &Value) -> String {
    let mut texts = vec![message["text"].as_str().unwrap_or_default().to_owned()];
    for block in message["blocks"].as_array().into_iter().flatten() {
        texts.push(block["text"]["text"].as_str().unwrap_or_default().to_owned());
        let elements = block["elements"].as_array().into_iter().flatten();
        texts.extend(elements.filter_map(|element| element["text"].as_str().map(str::to_owned)));
    }
    texts.join("\n")
}

/// Starts the workspace at whatever port is free.
fn local_slack(program: &Path, folder: &Path) -> (Child, u16) {
    let mut child = Command::new(program)
        .args(["--config", "workspace.json", "--port", "0", "--base-host", "127.0.0.1"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let told = child.stdout.take().unwrap();
    let address = address(&mut BufReader::new(told), "Control API:");
    (child, address.rsplit_once(':').unwrap().1.parse().unwrap())
}

/// The address in the line that begins with `words`.
fn address(lines: &mut impl BufRead, words: &str) -> String {
    let mut said = String::new();
    loop {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "it ended: {said}");
        if line.contains(words) {
            let behind = line.split_once("http://").unwrap().1;
            return behind.split(|end: char| end == '/' || end.is_whitespace()).next().unwrap().to_owned();
        }
        said.push_str(&line);
    }
}

/// Starts the server; gives where it is, too.
fn serve(folder: &Path, delivery: Delivery) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command
        .args(["serve", "--assistant", "tickets", "--data", "tickets", "--port", "0"])
        .env("TURNWISE_STATE", folder.join("state"))
        .env("SLACK_BOT_TOKEN", "xoxb-test-token")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    match delivery {
        Delivery::Events => command.env("SLACK_SIGNING_SECRET", "test-signing-secret"),
        Delivery::Socket => command.env("SLACK_APP_TOKEN", "xapp-test-token"),
    };
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let address = address(&mut lines, "Turnwise serves http://");
    std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::stderr()));
    (child, address)
}
