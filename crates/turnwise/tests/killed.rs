//! The real program, killed (SIGKILL) at any moment while a plan appends to files, and started again: every row is
//! there exactly once, or the person is asked whether it is. Nothing here waits by guessing: the moment of death is
//! measured from what the program itself was seen to do.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "dying/mod.rs"]
mod dying;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use dying::{Chat, PATIENCE, chance};

/// Runs of the program that end by being killed.
const RUNS: u64 = 50;
/// Runs at the same time: most of each is the wait until the dead process's claim on its work has run out.
const LANES: u64 = 10;
/// Files that one plan appends to.
const FILES: [&str; 5] = ["a.csv", "b.jsonl", "c.csv", "d.csv", "e f.csv"];
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
    let mut chat = Chat::start(folder, &["--data", "people.csv", "--new"]);
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
    let mut chat = Chat::start(folder, &["--data", "people.csv", "--resume"]);
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
        let mut chat = Chat::start(folder.path(), &["--data", "people.csv", "--new"]);
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
