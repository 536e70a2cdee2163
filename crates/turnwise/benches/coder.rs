//! What the coder costs: `cargo bench -p turnwise --bench coder [-- FILES]`. Over a repository of 50 000 files that is
//! made for it: starting the program until it tells its workspace and reads what is said, and searching it beside `rg`
//! over the same files in the same run, in turn. And selecting what to do about a message.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a benchmark measures time"
)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use turnwise_coder::workspace::{Search, Workspace};
use turnwise_intent::IntentReader;
use turnwise_intent::classify::{Context, classify};

/// Files of the repository.
const FILES: usize = 50_000;
/// How often each thing is done; the median counts.
const ROUNDS: usize = 11;
/// Messages that are selected for, with what is around them.
const MESSAGES: &str = include_str!("../../turnwise-intent/tests/data/coder.jsonl");
/// How often each message is.
const READINGS: usize = 50;
/// What is looked for: a word that stands in one of a hundred files, one that stands in each, and one in none.
const WANTED: [&str; 3] = ["reconcile_ledger", "return_value", "no_such_name_anywhere"];

fn main() {
    let files = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(FILES);
    selecting();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("code");
    make(&root, files);
    println!("a repository of {files} files");
    opening(folder.path());
    searching(&root);
}

/// Folders in folders, with files of some kilobytes, committed.
fn make(root: &Path, files: usize) {
    // One more is the list of what git ignores.
    for at in 0..files - 1 {
        let folder = root.join(format!("part{}/module{}", at / 1_000, at / 50 % 20));
        if at % 50 == 0 {
            std::fs::create_dir_all(&folder).unwrap();
        }
        let rare = if at % 100 == 7 { "    reconcile_ledger(order);\n" } else { "" };
        let lines = 20 + at * 7 % 60;
        let body: String = (0..lines)
            .map(|line| format!("    let item_{line} = lookup(\"{}\", {line});\n", (at * 31 + line) % 997))
            .collect();
        let text =
            format!("//! Part {at}.\n\npub fn work_{at}(order: &Order) -> u64 {{\n{body}{rare}    return_value\n}}\n");
        std::fs::write(folder.join(format!("file{at}.rs")), text).unwrap();
    }
    std::fs::write(root.join(".gitignore"), "target/\n").unwrap();
    let git = |words: &[&str]| {
        let who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "gc.auto=0"];
        assert!(Command::new("git").args(who).args(words).current_dir(root).output().unwrap().status.success());
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "first"]);
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let begun = Instant::now();
    std::hint::black_box(work());
    begun.elapsed()
}

/// From starting the program to the line that says what it works in, behind which it reads what is said.
fn opening(above: &Path) {
    let start = || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["chat", "--ephemeral", "--assistant", "coder", "--workspace", "code"])
            .current_dir(above)
            .env("TURNWISE_STATE", above.join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let took = timed(|| {
            let mut line = String::new();
            while !line.contains("Workspace: code") {
                line.clear();
                assert!(out.read_line(&mut line).unwrap() > 0, "it ended before it told its workspace");
            }
        });
        drop(child.stdin.take());
        child.wait().unwrap();
        took
    };
    start();
    let times: Vec<Duration> = (0..ROUNDS).map(|_| start()).collect();
    let slowest = times.iter().max().copied().unwrap();
    println!("started to prompt: median {:.0} ms, slowest {:.0} ms", millis(median(times)), millis(slowest));
}

/// Listing the files and searching all of them, in turn with `rg`, which does the same in a process of its own.
fn searching(root: &Path) {
    let workspace = Workspace::open(root).unwrap();
    if Command::new("rg").arg("--version").output().is_err() {
        println!("SKIPPED: rg is not installed, so there is nothing to compare the search with");
        return;
    }
    for wanted in WANTED {
        let ours = || workspace.search_all(&Search::name(wanted)).unwrap().total;
        let listed = || workspace.search(&workspace.files(), &Search::name(wanted)).unwrap().total;
        let theirs = || {
            // What is git's is no part of the code, for either of them.
            let words = ["-F", "-w", "-n", "--hidden", "--glob=!.git", "--no-heading", wanted, "."];
            let told = Command::new("rg").args(words).current_dir(root).output().unwrap();
            told.stdout.iter().filter(|byte| **byte == b'\n').count()
        };
        assert_eq!(ours(), theirs(), "both find the same lines of {wanted}");
        let (mut mine, mut first, mut rg) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            mine.push(timed(ours));
            first.push(timed(listed));
            rg.push(timed(theirs));
        }
        let (mine, first, rg) = (millis(median(mine)), millis(median(first)), millis(median(rg)));
        println!(
            "search of {wanted}: {mine:.0} ms, rg {rg:.0} ms, ratio {:.2}; all files listed first: {first:.0} ms, \
             ratio {:.2}",
            mine / rg,
            first / rg
        );
    }
}

fn selecting() {
    let reader = IntentReader::builtin("coder").unwrap();
    let cases: Vec<(String, Context)> = MESSAGES
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|case| {
            (case["text"].as_str().unwrap().to_owned(), serde_json::from_value(case["context"].clone()).unwrap())
        })
        .collect();
    cases.iter().for_each(|(text, context)| drop(classify(&reader, text, context)));
    let mut times: Vec<Duration> =
        (0..READINGS).flat_map(|_| &cases).map(|(text, context)| timed(|| classify(&reader, text, context))).collect();
    times.sort();
    let at = |share: usize| millis(times[times.len() * share / 1_000]) * 1_000.0;
    println!(
        "selection of {} messages, {READINGS} times each: p50 {:.0} µs, p99 {:.0} µs, slowest {:.0} µs",
        cases.len(),
        at(500),
        at(990),
        at(999).max(millis(*times.last().unwrap()) * 1_000.0)
    );
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
