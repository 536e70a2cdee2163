//! How soon what a model writes is seen: `cargo bench -p turnwise --bench writing`. A model behind OpenAI's protocol
//! notes when the first word of each answer goes out; the real binary is watched on a stream of its server and in a
//! pseudo-terminal. It fails where the median is over the budget. Next: `driver::asked`, which shows it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark stops where something is wrong"
)]
#![allow(dead_code, reason = "the client and the model of the tests are used in part")]

#[path = "../tests/server/client.rs"]
mod client;
#[path = "../tests/screen/mod.rs"]
mod screen;
#[path = "../tests/server/slow_model.rs"]
mod slow_model;

use std::time::{Duration, Instant};

use client::{Server, sample};
use screen::Terminal;
use slow_model::SlowModel;

/// Answers watched on each surface.
const ANSWERS: usize = 20;
/// From the word's going out to its being seen, at the median.
const SEEN_MAX: Duration = Duration::from_millis(50);
/// Words of an answer: the first, and a few behind it.
const WORDS: usize = 3;
/// What the grammar cannot read.
const MESSAGE: &str = "how many blorptastic customers are there?";

fn main() {
    let stream = on_a_stream();
    let terminal = on_a_terminal();
    for (surface, mut took) in [("event stream", stream), ("terminal", terminal)] {
        took.sort_unstable();
        let (middle, last) = (took[took.len() / 2], took[took.len() - 1]);
        println!("{surface}: first word of {} answers seen after {middle:?} (p50), {last:?} (most)", took.len());
        assert!(middle <= SEEN_MAX, "{surface}: {middle:?}; it may take {SEEN_MAX:?}");
    }
}

/// How long after its going out `mark` came by.
fn since(model: &SlowModel, mark: &str) -> Duration {
    let now = Instant::now();
    let written = model.written.lock().unwrap();
    let (_, at) = written.iter().find(|(known, _)| known == mark).unwrap();
    now.duration_since(*at)
}

/// The mark in a text, if one is there.
fn mark_in(text: &str) -> Option<String> {
    let at = text.find("mark")?;
    text.get(at..at + "mark0000".len()).map(str::to_owned)
}

fn on_a_stream() -> Vec<Duration> {
    let model = SlowModel::start(WORDS);
    let state = tempfile::tempdir().unwrap();
    let server = Server::start(state.path(), &["--model", &model.name]);
    let ada = server.anyone();
    let mut took = Vec::new();
    while took.len() < ANSWERS {
        let id = ada.begin();
        let mut stream = ada.follow(&id, None);
        ada.say(&id, MESSAGE).expect(200);
        let mark = stream.until(|sent| mark_in(&sent.data.to_string()).filter(|_| sent.kind == "writing"));
        took.push(since(&model, &mark));
    }
    took
}

fn on_a_terminal() -> Vec<Duration> {
    let model = SlowModel::start(WORDS);
    let data = sample().to_str().unwrap();
    let arguments = ["chat", "--ephemeral", "--data", data, "--model", &model.name];
    let mut terminal = Terminal::start(120, 40, &arguments, &[]);
    let (mut took, mut seen): (Vec<Duration>, Vec<String>) = (Vec::new(), Vec::new());
    while took.len() < ANSWERS {
        terminal.answer(MESSAGE);
        loop {
            let bytes = terminal.output.recv_timeout(Duration::from_secs(60)).unwrap();
            let text = String::from_utf8_lossy(&bytes).into_owned();
            terminal.emulator.process(&bytes);
            terminal.raw.extend(bytes);
            if let Some(mark) = mark_in(&text).filter(|mark| !seen.contains(mark)) {
                took.push(since(&model, &mark));
                seen.push(mark);
                break;
            }
        }
        terminal.send("\u{3}");
        terminal.until("the end of it", |screen| screen.contains("[EXPLORE] idle"));
    }
    took
}
