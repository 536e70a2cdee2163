//! A small HTTP client over plain sockets, and the server under test: what goes over the wire is seen as it is, and
//! requests can be broken on purpose. Next: `main`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// Far more than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The sample data, made once.
pub fn sample() -> &'static Path {
    static SAMPLE: OnceLock<TempDir> = OnceLock::new();
    let folder = SAMPLE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        assert!(turnwise(&["sample", folder.path().to_str().unwrap()]).output().unwrap().status.success());
        folder
    });
    folder.path()
}

pub fn customers() -> String {
    (std::fs::read_to_string(sample().join("customers.csv")).unwrap().lines().count() - 1).to_string()
}

pub fn turnwise(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Tokens for these people in `file`.
pub fn tokens(file: &Path, people: &[&str]) -> Vec<String> {
    let token = |person: &&str| {
        let made = turnwise(&["token", person, "--tokens", file.to_str().unwrap()]).output().unwrap();
        assert!(made.status.success());
        String::from_utf8(made.stdout).unwrap().trim().to_owned()
    };
    people.iter().map(token).collect()
}

/// A chat on a server in a pipe, with `script` as its input.
pub fn pipe(url: &str, more: &[&str], variables: &[(&str, &str)], script: &str) -> Output {
    let state = tempfile::tempdir().unwrap();
    let mut child = turnwise(&["chat", "--server", url])
        .args(more)
        .env("TURNWISE_STATE", state.path())
        .env_remove("SSL_CERT_DIR")
        .envs(variables.iter().copied())
        .current_dir(state.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Who is not let in has left before it reads.
    let said = child.stdin.take().unwrap().write_all(script.as_bytes());
    assert!(said.is_ok() || said.is_err_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe));
    child.wait_with_output().unwrap()
}

/// All that a program said.
pub fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A server that runs.
pub struct Server {
    child: Child,
    pub address: String,
    said: Arc<Mutex<String>>,
    reading: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub fn start(state: &Path, more: &[&str]) -> Self {
        Self::start_with(state, more, &[])
    }

    pub fn start_with(state: &Path, more: &[&str], variables: &[(&str, &str)]) -> Self {
        Self::start_over(sample(), state, more, variables)
    }

    pub fn start_over(data: &Path, state: &Path, more: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = turnwise(&["serve", "--data", data.to_str().unwrap()])
            .args(if more.contains(&"--port") { [].as_slice() } else { ["--port", "0"].as_slice() })
            .args(more)
            .env("TURNWISE_STATE", state)
            .env("USER", "ada")
            .envs(variables.iter().copied())
            .current_dir(state)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let said = Arc::new(Mutex::new(String::new()));
        let mut address = None;
        while address.is_none() {
            let mut line = String::new();
            assert!(lines.read_line(&mut line).unwrap() > 0, "the server ended: {}", said.lock().unwrap());
            let found = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
            address = found.map(str::to_owned);
            said.lock().unwrap().push_str(&line);
        }
        let rest = Arc::clone(&said);
        let reading = std::thread::spawn(move || {
            let mut line = String::new();
            while lines.read_line(&mut line).is_ok_and(|read| read > 0) {
                rest.lock().unwrap().push_str(&line);
                line.clear();
            }
        });
        Self { child, address: address.unwrap(), said, reading: Some(reading) }
    }

    /// What it wrote to standard error so far.
    pub fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// All that it wrote to standard error, once it has ended.
    pub fn all_said(&mut self) -> String {
        if let Some(reading) = self.reading.take() {
            reading.join().unwrap();
        }
        self.said()
    }

    pub fn port(&self) -> &str {
        self.address.rsplit_once(':').unwrap().1
    }

    /// SIGKILL: no chance to put anything in order.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM, and the exit code.
    pub fn end(&mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }

    /// Whoever is at this machine.
    pub fn anyone(&self) -> Client {
        Client { address: self.address.clone(), token: None, cookie: None }
    }

    pub fn with(&self, token: &str) -> Client {
        Client { address: self.address.clone(), token: Some(token.to_owned()), cookie: None }
    }

    /// A browser with this cookie.
    pub fn in_browser(&self, cookie: &str) -> Client {
        Client { address: self.address.clone(), token: None, cookie: Some(cookie.to_owned()) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A reply, whole.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The reply as JSON, which must have this status.
    #[track_caller]
    pub fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        if self.body.is_empty() { Value::Null } else { self.json() }
    }

    /// The problem, which must have this status and code, a hint and the right type.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.text());
        let problem = self.expect(status);
        assert_eq!(problem["code"], code, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        assert!(problem["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{problem}");
        problem
    }
}

#[derive(Clone)]
pub struct Client {
    pub address: String,
    pub token: Option<String>,
    pub cookie: Option<String>,
}

/// A key nobody used before.
pub fn key() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("key-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Client {
    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], None)
    }

    /// An input under a key of its own.
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.input("POST", path, body, &key())
    }

    pub fn input(&self, method: &str, path: &str, body: &Value, key: &str) -> Reply {
        self.send(method, path, &[("Idempotency-Key", key)], Some(body))
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Reply {
        self.try_send(method, path, headers, body).unwrap()
    }

    /// A request; an error where the line broke.
    pub fn try_send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> std::io::Result<Reply> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        let mut all: Vec<(&str, String)> = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            all.push(("Host", self.address.clone()));
        }
        if let Some(token) = &self.token {
            all.push(("Authorization", format!("Bearer {token}")));
        }
        if let Some(cookie) = &self.cookie {
            all.push(("Cookie", cookie.clone()));
        }
        let body = body.map(Value::to_string);
        if let Some(body) = &body {
            all.push(("Content-Type", "application/json".to_owned()));
            all.push(("Content-Length", body.len().to_string()));
        }
        for (name, value) in all {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        head.push_str(body.as_deref().unwrap_or_default());
        self.raw(head.as_bytes())
    }

    /// Bytes as they are, and what comes back.
    pub fn raw(&self, bytes: &[u8]) -> std::io::Result<Reply> {
        let mut line = connect(&self.address)?;
        // A server that refuses early may close before it has read all.
        let _ = line.write_all(bytes);
        let mut reader = BufReader::new(line);
        let (status, headers) = head(&mut reader)?;
        let mut reply = Reply { status, headers, body: Vec::new() };
        if reply.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = chunk(&mut reader)? {
                reply.body.extend(chunk);
            }
        } else {
            let length = reply.header("content-length").map_or(0, |length| length.parse().unwrap());
            reply.body = vec![0; length];
            reader.read_exact(&mut reply.body)?;
        }
        Ok(reply)
    }

    /// Begins a conversation.
    pub fn begin(&self) -> String {
        let begun = self.post("/v1/conversations", &json!({})).expect(201);
        begun["id"].as_str().unwrap().to_owned()
    }

    pub fn say(&self, id: &str, text: &str) -> Reply {
        self.post(&format!("/v1/conversations/{id}/messages"), &json!({"text": text}))
    }

    pub fn decide(&self, id: &str, reference: &str, verdict: &Value) -> Reply {
        let body = json!({"reference": reference, "verdict": verdict});
        self.post(&format!("/v1/conversations/{id}/decisions"), &body)
    }

    /// Asks for `text`, approves the plan and waits until it has run.
    #[track_caller]
    pub fn run(&self, id: &str, text: &str) {
        let at = self.get(&format!("/v1/conversations/{id}")).expect(200)["sequence"].as_u64();
        let mut stream = self.follow(id, at);
        self.say(id, text).expect(200);
        let reference = stream.question("approval");
        self.decide(id, &reference, &json!({"is": "approve"})).expect(200);
        stream.until(|sent| (sent.kind == "state" && sent.data["phase"] == "idle").then_some(()));
    }

    /// Asks for `text`, and what is said to it.
    #[track_caller]
    pub fn told(&self, id: &str, text: &str) -> String {
        let at = self.get(&format!("/v1/conversations/{id}")).expect(200)["sequence"].as_u64();
        let mut stream = self.follow(id, at);
        self.say(id, text).expect(200);
        stream.until(|sent| sent.data["text"].as_str().filter(|_| sent.data["event"] == "said").map(str::to_owned))
    }

    /// Follows a conversation after `last`.
    pub fn follow(&self, id: &str, last: Option<u64>) -> Stream {
        self.try_follow(id, last).unwrap()
    }

    /// The same; an error where the line broke.
    pub fn try_follow(&self, id: &str, last: Option<u64>) -> std::io::Result<Stream> {
        self.try_follow_at(&format!("/v1/conversations/{id}/events"), last)
    }

    /// The stream at `path` after `last`.
    pub fn try_follow_at(&self, path: &str, last: Option<u64>) -> std::io::Result<Stream> {
        let mut line = connect(&self.address)?;
        let last = last.map(|last| format!("Last-Event-ID: {last}\r\n")).unwrap_or_default();
        let token = self.token.as_ref().map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let token = self.cookie.as_ref().map_or(token, |cookie| format!("Cookie: {cookie}\r\n"));
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\n{last}{token}\r\n", self.address);
        line.write_all(request.as_bytes())?;
        let mut reader = BufReader::new(line);
        let (status, headers) = head(&mut reader)?;
        let reply = Reply { status, headers, body: Vec::new() };
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("content-type"), Some("text/event-stream"));
        Ok(Stream { reader, text: String::new() })
    }
}

/// A server-sent event.
#[derive(Debug, Clone)]
pub struct Sent {
    pub kind: String,
    pub id: Option<u64>,
    pub data: Value,
}

pub struct Stream {
    reader: BufReader<TcpStream>,
    text: String,
}

impl Stream {
    /// The next event; `None` when the stream has ended.
    pub fn next(&mut self) -> Option<Sent> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                let field = |name: &str| {
                    let lines = block.lines().filter_map(|line| line.split_once(':'));
                    lines.filter(|(known, _)| *known == name).map(|(_, value)| value.trim_start().to_owned()).next()
                };
                let Some(data) = field("data") else { continue };
                return Some(Sent {
                    kind: field("event").unwrap(),
                    id: field("id").map(|id| id.parse().unwrap()),
                    data: serde_json::from_str(&data).unwrap(),
                });
            }
            self.text.push_str(&String::from_utf8(chunk(&mut self.reader).ok()??).unwrap());
        }
    }

    /// Reads on until `wanted` finds what it looks for.
    #[track_caller]
    pub fn until<T>(&mut self, wanted: impl Fn(&Sent) -> Option<T>) -> T {
        loop {
            let sent = self.next().expect("the stream ended before what was waited for came");
            if let Some(found) = wanted(&sent) {
                return found;
            }
        }
    }

    /// The reference of the question that waits, once one does.
    #[track_caller]
    pub fn question(&mut self, asks: &str) -> String {
        self.until(|sent| {
            let pending = sent.data["pending"].as_array().filter(|_| sent.kind == "state")?;
            let open = pending.iter().find(|open| open["asks"] == asks)?;
            open["reference"].as_str().map(str::to_owned)
        })
    }

    /// The card of the next result.
    #[track_caller]
    pub fn result(&mut self) -> Value {
        self.until(|sent| (sent.data["card"]["card"] == "result").then(|| sent.data["card"].clone()))
    }
}

fn connect(address: &str) -> std::io::Result<TcpStream> {
    let line = TcpStream::connect(address)?;
    line.set_read_timeout(Some(PATIENCE))?;
    line.set_write_timeout(Some(PATIENCE))?;
    Ok(line)
}

fn broken() -> std::io::Error {
    std::io::Error::from(std::io::ErrorKind::UnexpectedEof)
}

fn head(reader: &mut impl BufRead) -> std::io::Result<(u16, Vec<(String, String)>)> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(broken)?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { return Ok((status, headers)) };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

/// A chunk of a body; `None` after the last.
fn chunk(reader: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let length = usize::from_str_radix(line.trim(), 16).map_err(|_| broken())?;
    let mut chunk = vec![0; length];
    reader.read_exact(&mut chunk)?;
    line.clear();
    reader.read_line(&mut line)?;
    Ok((length > 0).then_some(chunk))
}
