//! What the stand-ins of trackers share: they answer request after request on a port of their own, and the program
//! talks with them over a folder that names them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// A ticket that says all it needs.
pub const ORDER: &str = "create a ticket for login bug. Users get a 500 after SSO. It should log in with SSO.";

/// Every answer is JSON and says so, as those of trackers do.
const JSON: &str = "Content-Type: application/json\r\n";

/// What a stand-in answers.
pub enum Answer {
    /// Status and body.
    Whole(u16, Value),
    /// 429, with when to come again.
    Later(String),
    /// The connection breaks off.
    BrokenOff,
    /// Nothing, as long as whoever asked waits.
    Silence,
}

impl From<Option<(u16, Value)>> for Answer {
    fn from(answer: Option<(u16, Value)>) -> Self {
        answer.map_or(Self::BrokenOff, |(status, body)| Self::Whole(status, body))
    }
}

/// A request as a stand-in sees it.
pub struct Asked<'a> {
    /// Its first line and headers, as they came.
    pub head: &'a str,
    pub path: &'a str,
    /// Null where there is none.
    pub body: &'a Value,
}

/// Serves `state`; gives the address.
pub fn serve<S: Send + 'static, A: Into<Answer> + 'static>(
    state: &Arc<Mutex<S>>,
    answer: fn(&mut S, &Asked<'_>) -> A,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let state = Arc::clone(state);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let state = Arc::clone(&state);
            std::thread::spawn(move || {
                answered(stream.unwrap(), |asked| answer(&mut state.lock().unwrap(), asked).into())
            });
        }
    });
    address
}

/// Answers one connection, request after request.
fn answered(mut stream: TcpStream, answer: impl Fn(&Asked<'_>) -> Answer) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let lower = head.to_lowercase();
        let length = lower.split("content-length: ").nth(1).map_or("0", |rest| rest.lines().next().unwrap());
        let mut body = vec![0; length.trim().parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let asked = Asked { head: &head, path: head.split(' ').nth(1).unwrap(), body: &body };
        let (status, more, answer) = match answer(&asked) {
            Answer::Whole(status, body) => (status, String::new(), body.to_string()),
            Answer::Later(when) => (429, format!("Retry-After: {when}\r\n"), "{}".to_owned()),
            Answer::BrokenOff => return,
            Answer::Silence => {
                let _ = reader.read_to_end(&mut Vec::new());
                return;
            }
        };
        let length = answer.len();
        if write!(stream, "HTTP/1.1 {status} X\r\n{JSON}{more}Content-Length: {length}\r\n\r\n{answer}").is_err() {
            return;
        }
    }
}

/// All that the program says to `lines`; `key` is the variable of the tracker's key with its value.
pub fn say(folder: &Path, which: &str, key: (&str, &str), lines: &[&str]) -> String {
    let told = program(folder, which, key, lines).output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr))
}

/// The program on its way through `lines`, in a new conversation.
pub fn start(folder: &Path, key: (&str, &str), lines: &[&str]) -> Child {
    program(folder, "--new", key, lines).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn program(folder: &Path, which: &str, key: (&str, &str), lines: &[&str]) -> Command {
    let script = folder.join("said");
    std::fs::write(&script, lines.join("\n") + "\n").unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    program
        .args(["chat", "--assistant", "tickets", which])
        .current_dir(folder)
        .env("TURNWISE_STATE", folder.join("state"))
        .env(key.0, key.1)
        .stdin(Stdio::from(std::fs::File::open(&script).unwrap()));
    program
}
