//! The real program, killed (SIGKILL) at any moment while a plan appends to files, and started again: every row is
//! there exactly once, or the person is asked whether it is. Nothing here waits by guessing: the moment of death is
//! measured from what the program itself was seen to do.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Runs of the program that end by being killed.
const RUNS: u64 = 50;
/// Runs at the same time: most of each is the wait until the dead process's claim on its work has run out.
const LANES: u64 = 10;
/// Files that one plan appends to.
const FILES: [&str; 5] = ["a.csv", "b.jsonl", "c.csv", "d.csv", "e f.csv"];
/// Far more than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A number from a seed (SplitMix64), so that a failing run can be played again.
fn chance(seed: u64, below: u64) -> u64 {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) % below
}

struct Chat {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    seen: String,
}

impl Chat {
    fn start(folder: &Path, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["chat", "--data", "people.csv"])
            .args(more)
            .current_dir(folder)
            .env("TURNWISE_STATE", folder.join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut out = child.stdout.take().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read) = out.read(&mut buffer) {
                if read == 0 || sender.send(buffer[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, output, seen: String::new() }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Waits until the output holds one of `wanted`, and says which.
    fn until(&mut self, wanted: &[&str]) -> usize {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = wanted.iter().position(|wanted| self.seen.contains(wanted)) {
                return at;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "none of {wanted:?} in:\n{}", self.seen);
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => panic!("it ended without {wanted:?}:\n{}", self.seen),
            }
        }
    }

    /// Kills it after `wait`, or as soon as it has told of `steps` finished steps.
    fn kill_within(mut self, wait: Duration, steps: usize) {
        let deadline = Instant::now() + wait;
        while self.seen.matches('✓').count() < steps {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn end(mut self) -> String {
        drop(self.input.take());
        self.child.wait().unwrap();
        while let Ok(bytes) = self.output.recv_timeout(PATIENCE) {
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
        self.seen
    }
}

fn question() -> String {
    let appends: Vec<String> = FILES.iter().map(|name| format!("append it to \"{name}\"")).collect();
    format!("number of people by town, {}", appends.join(" and "))
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let people: String = (0..12).map(|id| format!("{id},name {id},town {}\n", id % 3)).collect();
    std::fs::write(folder.path().join("people.csv"), format!("id,name,town\n{people}")).unwrap();
    // One file is there already, without an end to its last line.
    std::fs::write(folder.path().join("c.csv"), "town,number of people\nold town,9").unwrap();
    folder
}

/// The rows of the result in `file`, by what they say, with how often each is there.
fn rows(file: &Path) -> Vec<usize> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    (0..3).map(|town| text.lines().filter(|line| line.contains(&format!("town {town}"))).count()).collect()
}

/// Starts, approves, and tells how long the run took from the approval to the last step.
fn whole_run(folder: &Path) -> Duration {
    let mut chat = Chat::start(folder, &["--new"]);
    chat.say(&question());
    chat.until(&["Run it?"]);
    let begun = Instant::now();
    chat.say("y");
    chat.until(&["appended to “"]);
    let took = begun.elapsed();
    chat.end();
    took
}

/// Starts again after the kill, answers what is asked, and gives what was reported as unknown.
fn go_on(folder: &Path) -> Vec<String> {
    let mut chat = Chat::start(folder, &["--resume"]);
    let mut unknown = Vec::new();
    loop {
        chat.seen.clear();
        match chat.until(&["row appended to “", "rows appended to “", "It is not known whether", "Run it?"]) {
            0 | 1 => break,
            2 => {
                // Only the question itself: the history before it names every file.
                chat.until(&["Stop the run here"]);
                let asked = chat.seen.rfind("It is not known whether").unwrap();
                unknown.push(chat.seen[asked..].to_owned());
                chat.say("1");
            }
            // The approval itself was lost with the process: it is given again.
            _ => chat.say("y"),
        }
    }
    chat.end();
    unknown
}

#[test]
fn killed_at_any_moment_every_row_is_there_once_or_reported_unknown() {
    let measured = folder();
    let took = whole_run(measured.path());
    for name in FILES {
        assert_eq!(rows(&measured.path().join(name)), [1, 1, 1], "{name}, without a kill");
    }
    let (mut cut_short, mut asked) = (0, 0);
    std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..LANES).map(|lane| scope.spawn(move || killed_runs(lane, took))).collect();
        for lane in lanes {
            let (short, unknown) = lane.join().unwrap();
            cut_short += short;
            asked += unknown;
        }
    });
    println!("{RUNS} kills over {took:?}: {cut_short} in the middle of the appends, {asked} outcomes asked about");
    assert!(cut_short > 0, "no kill fell into the middle of the appends: nothing was tested");
}

/// The runs of a lane: how many kills fell between the first and the last append, and how many
/// outcomes were asked about.
fn killed_runs(lane: u64, took: Duration) -> (usize, usize) {
    let (mut cut_short, mut asked) = (0, 0);
    for seed in (lane..RUNS).step_by(usize::try_from(LANES).unwrap()) {
        let folder = folder();
        let mut chat = Chat::start(folder.path(), &["--new"]);
        chat.say(&question());
        chat.until(&["Run it?"]);
        chat.say("y");
        // Half of the kills fall anywhere in the time of a run, half right behind a step that was seen to finish.
        let share = f64::from(u32::try_from(chance(seed, 1_000)).unwrap()) / 500.0;
        let wait = if seed % 2 == 0 { took.mul_f64(share) } else { PATIENCE };
        chat.kill_within(wait, 1 + usize::try_from(chance(seed + RUNS, 2 * FILES.len() as u64)).unwrap());
        let files: Vec<PathBuf> = FILES.iter().map(|name| folder.path().join(name)).collect();
        let written = files.iter().filter(|file| rows(file) == [1, 1, 1]).count();
        cut_short += usize::from(written > 0 && written < FILES.len());
        let unknown = go_on(folder.path());
        for file in &files {
            let name = file.display().to_string();
            let is_reported = unknown.iter().any(|asked| asked.contains(&name));
            let rows = rows(file);
            assert!(rows.iter().all(|times| *times <= 1), "seed {seed}, {name}, a row twice: {rows:?}, {unknown:?}");
            assert!(rows == [1, 1, 1] || is_reported, "seed {seed}, {name}: {rows:?}, {unknown:?}");
        }
        assert!(
            std::fs::read_to_string(folder.path().join("c.csv")).unwrap().starts_with("town,number of people\nold")
        );
        asked += unknown.len();
    }
    (cut_short, asked)
}
