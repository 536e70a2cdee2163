//! A workspace of local-slack and a server that speaks with it: people say and press things through its control API,
//! and what the bot posts is read from there. Next: `main`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// Far more than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);
/// The version that the tests were written with.
const VERSION: &str = "0.1.8";
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
    port: u16,
    pub folder: TempDir,
}

/// Where the program is, installed into the build folder; or why it cannot be had.
pub fn installed() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("local-slack-{VERSION}"));
    let program = folder.join("node_modules/local-slack-linux-x64/bin/local-slack");
    if !program.exists() {
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        let ran = Command::new("npm")
            .args(["install", "--silent", "--no-fund", "--no-audit", "--ignore-scripts", "--prefix"])
            .arg(&folder)
            .arg(format!("local-slack-linux-x64@{VERSION}"))
            .output()
            .map_err(|error| format!("npm: {error}"))?;
        if !program.exists() {
            return Err(format!("npm install local-slack: {}", String::from_utf8_lossy(&ran.stderr)));
        }
    }
    Ok(program)
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Workspace {
    pub fn new(program: &Path, delivery: Delivery) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (port, own) = (free_port(), free_port());
        let app = json!({"appId": "A01APP", "botUserId": BOT, "botName": "turnwise", "botToken": "xoxb-test-token",
            "appToken": "xapp-test-token", "signingSecret": "test-signing-secret",
            "mode": if delivery == Delivery::Events { "events" } else { "socket" },
            "requestUrl": format!("http://127.0.0.1:{own}/slack/events")});
        let config = json!({"workspace": {"name": "Test", "domain": "test", "teamId": "T01TEST"}, "app": app,
            "users": [{"id": "U01ADA", "name": "ada", "real_name": "Ada"}, {"id": "U02BOB", "name": "bob", "real_name": "Bob"}],
            "channels": [{"id": CHANNEL, "name": "general", "members": ["U01ADA", "U02BOB", BOT]}]});
        std::fs::write(folder.path().join("workspace.json"), config.to_string()).unwrap();
        std::fs::write(
            folder.path().join("turnwise.yaml"),
            format!("slack: {{api: \"http://127.0.0.1:{port}/api\"}}\n"),
        )
        .unwrap();
        let slack = Command::new(program)
            .args(["--config", "workspace.json", "--port", &port.to_string(), "--base-host", "127.0.0.1"])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "local-slack does not listen");
            std::thread::yield_now();
        }
        let server = serve(folder.path(), own, delivery);
        let workspace = Self { slack, server, port, folder };
        if delivery == Delivery::Socket {
            workspace.until("the socket is not open", || {
                workspace.get("log").to_string().contains("socket connected").then_some(())
            });
        }
        workspace
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
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let length = body.len();
        write!(
            stream,
            "{head} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
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

fn serve(folder: &Path, port: u16, delivery: Delivery) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command
        .args(["serve", "--assistant", "tickets", "--data", "tickets", "--port", &port.to_string()])
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
    let mut said = String::new();
    while !said.contains("Turnwise serves http://") {
        assert!(lines.read_line(&mut said).unwrap() > 0, "the server ended: {said}");
    }
    std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::stderr()));
    child
}
