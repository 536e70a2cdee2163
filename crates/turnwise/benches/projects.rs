//! A project of 10,000 notes through the real server: how long an answer takes without a model, and a message that
//! rules decide, each as one request over HTTP. Prints p50, p99 and the longest beside the budget. Next:
//! docs/benchmarks.md.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a benchmark fails by panicking")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Notes in the project.
const NOTES: usize = 10_000;
/// Requests of each kind.
const REQUESTS: usize = 300;
/// Answers the scripted model has ready: for every request of `with_a_model`.
const TURNS: usize = 4 * REQUESTS + 10;
/// What a model puts into words.
const ASKED: &str = "How's the project going?";
/// How long it may take until what all notes mean is worked out.
const WORKED_OUT_MAX: Duration = Duration::from_secs(900);

/// Words that notes are made of.
const THINGS: [&str; 12] =
    ["pump", "valve", "field", "sensor", "gate", "contract", "budget", "deadline", "soil", "report", "team", "well"];
const SAYS: [&str; 8] = [
    "needs a new filter before the spring",
    "is checked by Anna every Monday",
    "costs more than we planned",
    "was agreed with the county",
    "has to be dry before we start",
    "is due at the end of the month",
    "runs only at night",
    "was moved to the north side",
];

struct Server {
    child: Child,
    address: String,
    _state: tempfile::TempDir,
}

impl Server {
    fn start(more: &[&str]) -> Self {
        let state = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["serve", "--sample", "--assistant", "analyst", "--assistant", "companion", "--port", "0"])
            .args(["--requests-per-second", "100000"])
            .args(more)
            .env("TURNWISE_STATE", state.path())
            .env("USER", "ada")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map(Result::unwrap)
            .find_map(|line| line.split_whitespace().find_map(|word| word.strip_prefix("http://").map(str::to_owned)));
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: address.expect("the server ended"), _state: state }
    }

    fn send(&self, method: &str, path: &str, media: &str, body: &[u8]) -> String {
        let mut line = TcpStream::connect(&self.address).unwrap();
        line.set_nodelay(true).unwrap();
        let key = format!("{:x}", Instant::now().elapsed().as_nanos() ^ u128::from(std::process::id()));
        let key = format!("{key}-{}", NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nIdempotency-Key: {key}\r\n\
             Content-Type: {media}\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        line.write_all(&[head.as_bytes(), body].concat()).unwrap();
        let mut reply = String::new();
        line.read_to_string(&mut reply).unwrap();
        assert!(reply.starts_with("HTTP/1.1 2"), "{reply}");
        reply.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    fn say(&self, message: &str) -> String {
        let body = format!("{{\"message\": {message:?}}}");
        self.send("POST", "/operator/converse", "application/json", body.as_bytes())
    }
}

static NEXT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A project of many notes, as an archive has it.
fn archive() -> Vec<u8> {
    let mut notes = String::new();
    for number in 1..=NOTES {
        let (thing, says) = (THINGS[number % THINGS.len()], SAYS[(number / THINGS.len()) % SAYS.len()]);
        notes.push_str(&format!("## Note {number}: Saved\n\nThe {thing} of plot {number} {says}\n\n"));
    }
    let mut packed = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [("project.md", "# FarmGuard\n"), ("notes.md", notes.as_str())] {
        packed.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        packed.write_all(text.as_bytes()).unwrap();
    }
    packed.finish().unwrap().into_inner()
}

/// Times `request`, with `before` each time and not timed, and prints what came of it.
fn measured(what: &str, budget: Duration, mut before: impl FnMut(), mut request: impl FnMut(usize)) {
    let mut took: Vec<Duration> = (0..REQUESTS)
        .map(|at| {
            before();
            let begun = Instant::now();
            request(at);
            begun.elapsed()
        })
        .collect();
    took.sort();
    let (p50, p99, longest) = (took[REQUESTS / 2], took[REQUESTS * 99 / 100], took[REQUESTS - 1]);
    println!("{what}: p50 {p50:.1?}, p99 {p99:.1?}, longest {longest:.1?} (budget for p99: {budget:.0?})");
}

/// What is told a model of a project: kept, and made anew because a note was changed before each message. The model has
/// its answers ready, so that what is measured is everything else; the change itself is not timed.
fn with_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("turns.json");
    let turns = vec![r#"{"say": "{\"reply\": \"Go on.\"}"}"#; TURNS].join(",");
    std::fs::write(&script, format!("[{turns}]")).unwrap();
    let model = format!("scripted:{}", script.display());
    let server = Server::start(&["--model", &model, "--model-sees", "rows"]);
    let project = server.send("POST", "/v1/projects/archive", "application/zip", &archive());
    let id = project.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    let say = |message: &str| {
        let body = format!("{{\"message\": {message:?}, \"project_id\": {id:?}}}");
        server.send("POST", "/operator/converse", "application/json", body.as_bytes())
    };
    let mut number = 0;
    let mut edited = || {
        number += 1;
        let body = format!("{{\"text\": \"The well of plot {number} is dry\"}}");
        server.send("PUT", &format!("/v1/projects/{id}/notes/{number}"), "application/json", body.as_bytes());
    };
    let budget = Duration::from_millis(150);
    for tier in ["the latest notes", "groups"] {
        if tier == "groups" {
            let body = br#"{"notes": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}"#;
            server.send("PUT", &format!("/v1/projects/{id}/groups/Plots"), "application/json", body);
        }
        let told = say(ASKED);
        assert!(told.contains("Go on."), "{told}");
        measured(&format!("a model's reply, told {tier} as kept"), budget, || {}, |_| drop(say(ASKED)));
        measured(&format!("a model's reply, told {tier} after a note changed"), budget, &mut edited, |_| {
            drop(say(ASKED))
        });
    }
}

fn main() {
    with_a_model();
    let server = Server::start(&[]);
    let begun = Instant::now();
    let project = server.send("POST", "/v1/projects/archive", "application/zip", &archive());
    println!("{NOTES} notes brought in: {:.1?}", begun.elapsed());
    let id = project.split("\"id\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap().to_owned();
    let answer = Duration::from_millis(150);
    let by_words = |at: usize| {
        let told = server.say(&format!("what have I told you about the {}?", THINGS[at % THINGS.len()]));
        assert!(told.contains("#"), "{told}");
    };
    let by_meaning = |at: usize| drop(server.say(&format!("what have I told you about expensive machinery {at}xyz?")));
    println!("while what the notes mean is being worked out:");
    measured("an answer by meaning", answer, || {}, by_meaning);
    measured("an answer by words", answer, || {}, by_words);
    measured(
        "a note",
        Duration::from_millis(20),
        || {},
        |at| drop(server.say(&format!("Remember that box {at} is red."))),
    );
    while server.say("what have I told you about zxqvjk?").contains("not looked through") {
        assert!(begun.elapsed() < WORKED_OUT_MAX, "what the notes mean is never worked out");
    }
    println!("worked out {:.1?} after it began", begun.elapsed());
    measured("an answer by words", answer, || {}, by_words);
    let changed = || drop(server.say("Remember that one more box came."));
    measured("an answer by words after a note changed", answer, changed, by_words);
    measured(
        "notes by words, over the API",
        answer,
        || {},
        |at| {
            server.send(
                "GET",
                &format!("/v1/projects/{id}/notes?about={}", THINGS[at % THINGS.len()]),
                "text/plain",
                b"",
            );
        },
    );
    measured("an answer by meaning", answer, || {}, by_meaning);
    measured("how it is going", Duration::from_millis(20), || {}, |_| drop(server.say("How's the project going?")));
    measured(
        "a note",
        Duration::from_millis(20),
        || {},
        |at| drop(server.say(&format!("Remember that crate {at} is blue."))),
    );
    measured(
        "a note saved",
        Duration::from_millis(20),
        || {},
        |at| drop(server.say(&format!("save note {}", NOTES + 1 + at))),
    );
    measured(
        "a page of notes",
        Duration::from_millis(20),
        || {},
        |_| {
            server.send("GET", &format!("/v1/projects/{id}/notes"), "text/plain", b"");
        },
    );
}
