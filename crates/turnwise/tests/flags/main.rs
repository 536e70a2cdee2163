//! Yes/no columns through `turnwise ask`: a campsite whose flags are words, letters, 0 and 1 and truths, with and
//! without missing values. Every expected number is had by SQL of the test's own. Next: `tried` for odd data, `blind`
//! for questions of every kind.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "../golden/mod.rs"]
mod golden;

use std::io::Write as _;
use std::process::{Command, Stdio};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Value, json};

/// A folder with the data and the state of the program.
struct Camp {
    folder: tempfile::TempDir,
    oracle: Connection,
}

impl Camp {
    fn new() -> Self {
        Self::made_by(include_str!("camp.sql"))
    }

    fn made_by(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let oracle = Connection::open(folder.path().join("camp.db")).unwrap();
        oracle.execute_batch(script).unwrap();
        Self { folder, oracle }
    }

    fn command(&self, arguments: &[&str], data: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.args(arguments).arg("--data").arg(self.folder.path().join(data));
        command.env("TURNWISE_STATE", self.folder.path().join("state")).stdin(Stdio::null());
        command
    }

    fn ask(&self, data: &str, question: &str) -> Value {
        let asked = ["ask", "--ephemeral", "--approve", "all", "--json"];
        let output = self.command(&asked, data).arg(question).output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        let told = serde_json::from_str(&told)
            .unwrap_or_else(|error| panic!("{question}: {error}: {told}{}", String::from_utf8_lossy(&output.stderr)));
        golden::told("flags", &self.schema(), question, &told);
        told
    }

    /// The tables as they were made.
    fn schema(&self) -> String {
        let rows = self.truth("SELECT sql FROM sqlite_master ORDER BY name");
        rows.iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
    }

    /// What a conversation shows, a line at a time.
    fn talk(&self, lines: &[&str]) -> String {
        let kept = self.folder.path().join("talk.db");
        let mut command = self.command(&["chat", "--new", "--db", kept.to_str().unwrap()], "camp.db");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        golden::talked("flags", &self.schema(), lines, &kept);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn truth(&self, sql: &str) -> Vec<Vec<Value>> {
        let mut statement = self.oracle.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let width = statement.column_count();
        let rows = statement.query_map([], |row| (0..width).map(|at| row.get_ref(at).map(value)).collect()).unwrap();
        rows.map(Result::unwrap).collect()
    }
}

fn value(of: ValueRef<'_>) -> Value {
    match of {
        ValueRef::Integer(number) => json!(number),
        ValueRef::Real(number) => json!(number),
        ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
    }
}

/// Rows in an order of their own, numbers to four places.
fn sorted(rows: &[Vec<Value>]) -> Vec<Vec<String>> {
    let text = |value: &Value| match value {
        Value::Number(number) => format!("{:.4}", number.as_f64().unwrap()),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut sorted: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(text).collect()).collect();
    sorted.sort();
    sorted
}

fn rows(told: &Value) -> Option<Vec<Vec<Value>>> {
    let rows = told["table"]["rows"].as_array()?;
    Some(rows.iter().map(|row| row.as_array().unwrap().clone()).collect())
}

#[test]
fn every_question_over_the_campsite_is_right() {
    let camp = Camp::new();
    let cases = include_str!("questions.txt").lines().map(|line| line.split_once(" | ").unwrap());
    let mut failed = Vec::new();
    for (question, sql) in cases {
        let told = camp.ask("camp.db", question);
        let found = rows(&told).map(|rows| sorted(&rows));
        if found != Some(sorted(&camp.truth(sql))) {
            failed.push(format!("{question}: {} {found:?}", told["answer"]));
        }
    }
    assert!(failed.is_empty(), "{} wrong:\n{}", failed.len(), failed.join("\n"));
}

/// A number over rows that another table was joined to find is asked about, and what is asked instead takes its place.
#[test]
fn a_number_over_joined_rows_is_asked_about() {
    let camp = Camp::new();
    let question = "how many bookings have a complaint that is not resolved?";
    let told = camp.talk(&[question, "1", "y", ""]);
    assert!(told.contains("I am not sure that this is what you mean. Is it?"), "{told}");
    let wanted =
        camp.truth("SELECT COUNT(DISTINCT booking_id) FROM complaints WHERE is_resolved = 'false'")[0][0].to_string();
    assert!(told.rsplit("Run it?").next().unwrap().contains(&wanted), "{told}");
    for turned_down in ["2", "no"] {
        let told = camp.talk(&[question, turned_down, "how many pitches are not shaded?", "y", ""]);
        assert!(told.contains("Then say it in your own words"), "{turned_down}: {told}");
        let wanted = camp.truth("SELECT COUNT(*) FROM pitches WHERE is_shaded = 'no'")[0][0].to_string();
        assert!(told.rsplit("Run it?").next().unwrap().contains(&wanted), "{turned_down}: {told}");
    }
    let told = camp.talk(&[question, "yes", "y", ""]);
    assert!(told.rsplit("Run it?").next().unwrap().contains(&wanted), "{told}");
}

#[test]
fn what_says_neither_is_told_with_its_number() {
    let camp = Camp::new();
    let neither = camp.truth("SELECT COUNT(*) FROM bookings WHERE wasRefunded IS NULL")[0][0].to_string();
    for question in ["how many bookings were not refunded?", "what share of bookings was refunded?"] {
        let told = camp.ask("camp.db", question);
        let assumed = told["plan"]["assumptions"].to_string();
        assert!(assumed.contains(&format!("{neither} rows of 600 say neither")), "{question}: {assumed}");
    }
}

#[test]
fn a_change_by_a_flag_filters_and_does_not_group() {
    let camp = Camp::new();
    let told = camp.talk(&["number of bookings by channel", "y", "only refunded ones", "y", ""]);
    let shown = told.rsplit("Run it?").next().unwrap().to_owned();
    for row in camp.truth("SELECT channel, COUNT(*) FROM bookings WHERE wasRefunded = 'Y' GROUP BY 1") {
        let (channel, count) = (row[0].as_str().unwrap(), row[1].to_string());
        let line = shown.lines().find(|line| line.starts_with(channel)).unwrap_or_else(|| panic!("{channel}: {told}"));
        assert!(line.trim_end().ends_with(&count), "{line}: {count}");
    }
    assert!(!shown.contains("refunded  "), "{shown}");
}

#[test]
fn two_readings_of_a_flag_are_not_chosen_between() {
    let camp = Camp::new();
    for (question, said) in [
        ("share of refunded bookings by channel", "A share of “refunded” can be"),
        ("how many campers are not refunded?", "can mean campers that have something else too"),
        ("how many of them are confirmed?", "speaks of something that was found before"),
        ("how many campers paid?", "“paid” does not stand for anything"),
    ] {
        let told = camp.ask("camp.db", question);
        assert_eq!(told["table"], Value::Null, "{question}: {told}");
        assert!(told["answer"].as_str().unwrap().contains(said), "{question}: {}", told["answer"]);
    }
    let told = camp.ask("camp.db", "how many bookings are refunded or confirmed?");
    let either = camp.truth("SELECT COUNT(*) FROM bookings WHERE wasRefunded = 'Y' OR confirmed = 1");
    assert_eq!(told["table"]["rows"][0][0], either[0][0], "{told}");
}

#[test]
fn a_question_that_was_answered_is_not_put_again() {
    let camp = Camp::new();
    let told = camp.talk(&["area sqm of pitches and price of bookings", "1", "1", "1", ""]);
    let asked = told.lines().filter(|line| line.contains("What is wanted of “")).collect::<Vec<_>>();
    let mut once = asked.clone();
    once.dedup();
    assert_eq!(asked, once, "{told}");
}

#[test]
fn dates_written_in_two_ways_are_dates_and_verbs_name_them() {
    let camp = Camp::made_by("CREATE TABLE unused(a)");
    let mut text = "name,joined,left_on,newsletter\n".to_owned();
    for at in 0..60 {
        let (year, month, day) = (2022 + at % 3, 1 + at % 12, 13 + at % 15);
        let joined = match at {
            7 => "soon".to_owned(),
            _ if at % 8 == 0 => format!("{day}.{month:02}.{year}"),
            _ => format!("{year}-{month:02}-{day}"),
        };
        let left = if at % 5 == 0 { format!("2025-{month:02}-11") } else { String::new() };
        text.push_str(&format!("P{at},{joined},{left},{}\n", ["true", "false", ""][at % 3]));
    }
    std::fs::write(camp.folder.path().join("members.csv"), text).unwrap();
    let of = |year: usize| (0..60).filter(|at| *at != 7 && 2022 + at % 3 == year).count();
    let by_year: Vec<Value> = (2022..2025).map(|year| json!([year.to_string(), of(year)])).collect();
    let check = |question: &str, wanted: Value| {
        let told = camp.ask("members.csv", question);
        assert_eq!(told["table"]["rows"], wanted, "{question}: {}", told["answer"]);
    };
    check("how many members joined in 2024?", json!([[of(2024)]]));
    check("how many members left in 2025?", json!([[12]]));
    check("how many members have not left?", json!([[48]]));
    let told = camp.ask("members.csv", "how many members joined per year?");
    let known: Vec<Value> =
        told["table"]["rows"].as_array().unwrap().iter().filter(|row| row[0] != Value::Null).cloned().collect();
    assert_eq!(known, by_year);
    let output =
        camp.command(&["ask", "--ephemeral", "--approve", "all"], "members.csv").arg("how many members").output();
    let told = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
    assert!(
        told.contains("1 other value could not be read as a date and count as missing (the first is soon"),
        "{told}"
    );
}
