//! Results written to files, through the real program: nothing before the approval, the exact path in the plan, rows
//! once and whole, and a clear word where it cannot be.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const BY_TOWN: &str = "number of people by town";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), "id,name,town\n1,Ada,Rome\n2,Bob,Oslo\n3,Cy,Rome\n").unwrap();
    folder
}

fn ask(folder: &Path, approve: &str, question: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(["ask", "--data", "people.csv", "--ephemeral", "--approve", approve, question])
        .current_dir(folder)
        .env("TURNWISE_STATE", folder.join("state"))
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap()
}

#[test]
fn nothing_is_written_before_the_plan_with_its_path_is_approved() {
    let folder = folder();
    let planned = ask(folder.path(), "never", &format!("{BY_TOWN} and append it to \"my log.csv\""));
    assert_eq!(planned.status.code(), Some(3), "{}", text(&planned));
    let path = folder.path().canonicalize().unwrap().join("my log.csv");
    let step = format!("Append the rows to “{}”, which is made for it  [append_to_file", path.display());
    assert!(text(&planned).contains(&step), "{}", text(&planned));
    assert!(!path.exists());
}

#[test]
fn rows_are_appended_once_for_each_approval_behind_what_was_there() {
    let folder = folder();
    let question = format!("{BY_TOWN} and append it to log.csv and append it to log.jsonl");
    for _ in 0..2 {
        let asked = ask(folder.path(), "all", &question);
        assert_eq!(asked.status.code(), Some(0), "{}", text(&asked));
        assert!(text(&asked).contains("2 rows appended to “"), "{}", text(&asked));
    }
    let csv = read(&folder, "log.csv");
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 5, "a header and twice the rows: {csv}");
    assert_eq!(
        (lines[1..3].to_vec(), lines.iter().filter(|line| **line == "Rome,2").count()),
        (lines[3..].to_vec(), 2)
    );
    assert_eq!(read(&folder, "log.jsonl").lines().count(), 4);
}

#[test]
fn a_saved_file_is_replaced_only_where_the_plan_says_so() {
    let folder = folder();
    let question = format!("{BY_TOWN} and save it as towns.csv");
    let first = ask(folder.path(), "all", &question);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first));
    let planned = ask(folder.path(), "never", &question);
    assert!(text(&planned).contains("(REPLACES the file there, "), "{}", text(&planned));
    std::fs::write(folder.path().join("towns.csv"), "mine\n").unwrap();
    let again = ask(folder.path(), "all", &question);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again));
    assert_eq!(read(&folder, "towns.csv").lines().count(), 3);
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".towns")), "{left:?}");
}

#[test]
fn what_cannot_be_written_is_said_while_planning_or_leaves_the_file_as_it_was() {
    let folder = folder();
    for (file, told) in [
        ("no/such/place.csv", "There is no folder “"),
        ("people.csv", "is part of the data, and data is only read here"),
        ("report.xlsx", "results go to files that end in .csv"),
    ] {
        let refused = ask(folder.path(), "all", &format!("{BY_TOWN} and append it to {file}"));
        assert_eq!(refused.status.code(), Some(1), "{}", text(&refused));
        assert!(text(&refused).contains(told), "{}", text(&refused));
    }
    std::fs::write(folder.path().join("other.csv"), "a,b\n1,2\n").unwrap();
    let refused = ask(folder.path(), "all", &format!("{BY_TOWN} and append it to other.csv"));
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused));
    assert!(text(&refused).contains("has the columns a, b, but the result has town"), "{}", text(&refused));
    assert_eq!(read(&folder, "other.csv"), "a,b\n1,2\n");
}

/// Another file than the one planned: the yes that follows must not write to the first.
#[test]
fn a_file_is_changed_for_another_by_words() {
    let folder = folder();
    let script = folder.path().join("script");
    std::fs::write(&script, format!("{BY_TOWN} and save it as towns.csv\nsave it as places.csv instead\ny\n")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
    command.args(["chat", "--ephemeral", "--data", "people.csv"]).current_dir(folder.path());
    command.env("TURNWISE_STATE", folder.path().join("state")).stdin(std::fs::File::open(&script).unwrap());
    let said = command.output().unwrap();
    assert_eq!(said.status.code(), Some(0), "{}", text(&said));
    assert!(folder.path().join("places.csv").exists(), "{}", text(&said));
    assert!(!folder.path().join("towns.csv").exists(), "{}", text(&said));
}

#[test]
fn nothing_is_appended_to_a_file_that_came_to_be_after_the_plan_was_made() {
    let folder = folder();
    let turnwise = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.args(arguments).current_dir(folder.path()).env("TURNWISE_STATE", folder.path().join("state"));
        command.output().unwrap()
    };
    let planned = turnwise(&["ask", "--data", "people.csv", &format!("{BY_TOWN} and append it to log.csv")]);
    assert_eq!(planned.status.code(), Some(3), "{}", text(&planned));
    let foreign = "town,number of people\nParis,9\n";
    std::fs::write(folder.path().join("log.csv"), foreign).unwrap();
    let waits: serde_json::Value = serde_json::from_slice(&turnwise(&["pending", "--json"]).stdout).unwrap();
    let reference = waits[0]["reference"].as_str().unwrap();
    let approved = turnwise(&["approve", reference]);
    assert_eq!(approved.status.code(), Some(1), "{}", text(&approved));
    assert!(text(&approved).contains("is not as it was when the plan was made"), "{}", text(&approved));
    assert_eq!(read(&folder, "log.csv"), foreign);
    // What the refusal says works: the plan is made over the file as it is now, and asked about.
    let next = || -> String {
        let waits: serde_json::Value = serde_json::from_slice(&turnwise(&["pending", "--json"]).stdout).unwrap();
        waits[0]["reference"].as_str().unwrap().to_owned()
    };
    turnwise(&["answer", &next(), "replan"]);
    turnwise(&["answer", &next(), "the same again"]);
    let approved = turnwise(&["approve", &next()]);
    assert_eq!(approved.status.code(), Some(0), "{}", text(&approved));
    assert!(read(&folder, "log.csv").starts_with(foreign) && read(&folder, "log.csv").len() > foreign.len());
}
