//! Large files: whoever waits for them sees how far they are, and the next start takes them up as they were loaded.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::screen::Terminal;

/// A file of some ten megabytes with this many rows of each region.
fn large(folder: &Path, north: usize) -> PathBuf {
    let path = folder.join("large.csv");
    let filler = "x".repeat(180);
    let rows: Vec<String> =
        (0..60_000).map(|row| format!("{row},{},{filler}", if row < north { "North" } else { "South" })).collect();
    fs::write(&path, format!("id,region,filler\n{}\n", rows.join("\n"))).unwrap();
    path
}

/// What `turnwise ask` answers and what it says beside that.
fn ask(folder: &Path, data: &Path, more: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["ask", "--approve", "all", "number of rows by region", "--data"])
        .arg(data)
        .args(more)
        .env("TURNWISE_STATE", folder.join("state"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn kept(folder: &Path) -> Vec<PathBuf> {
    let folder = folder.join("state/turnwise.d/analyst/loaded");
    let mut all: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

#[test]
fn a_large_file_tells_how_far_it_is_read_while_one_can_type_already() {
    let folder = TempDir::new().unwrap();
    let data = large(folder.path(), 20_000);
    let mut terminal = Terminal::begin(100, 30, &["chat", "--data", data.to_str().unwrap()], &[]);
    terminal.until("how far it is", |screen| screen.contains("Reading large.csv:") && screen.contains("% of 12 MB"));
    terminal.send("number of rows by region");
    terminal.until("the prompt", |screen| screen.contains("[EXPLORE] idle") && !screen.contains("Reading"));
    assert_eq!(terminal.cursor_line().trim(), "› number of rows by region");
}

#[test]
fn the_next_start_takes_a_large_file_up_unless_it_changed_or_nothing_is_to_be_kept() {
    let folder = TempDir::new().unwrap();
    let data = large(folder.path(), 20_000);
    let (first, _) = ask(folder.path(), &data, &[]);
    assert!(first.contains("20,000") && first.contains("40,000"), "{first}");
    let before = kept(folder.path());
    assert_eq!(before.len(), 3, "rows, what they are of, and what was learned of them: {before:?}");
    let written = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let database = before.iter().find(|path| path.extension().is_some_and(|ending| ending == "db")).unwrap();
    let at = written(database);
    assert_eq!(ask(folder.path(), &data, &[]).0, first);
    assert_eq!(written(database), at, "it was taken, not written anew");

    large(folder.path(), 50_000);
    let (changed, noticed) = ask(folder.path(), &data, &[]);
    assert!(changed.contains("50,000") && changed.contains("10,000"), "{changed}");
    assert!(!noticed.contains("cannot be used"), "a change is nothing to be told: {noticed}");

    for path in kept(folder.path()) {
        fs::write(path, "cut off").unwrap();
    }
    let (again, noticed) = ask(folder.path(), &data, &[]);
    assert_eq!(again, changed);
    assert!(noticed.contains("read anew"), "{noticed}");

    fs::remove_dir_all(folder.path().join("state")).unwrap();
    ask(folder.path(), &data, &["--ephemeral"]);
    assert_eq!(kept(folder.path()), Vec::<PathBuf>::new(), "--ephemeral keeps nothing");
}
