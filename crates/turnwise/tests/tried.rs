//! What people's data does to a program: nothing to divide by, sums beyond any number, columns without values, names
//! and values that look like SQL, sources that change or vanish. Each through `turnwise ask`, and each either answered
//! rightly or told clearly. Next: `blind` for questions, `sources/safety.rs` for writes.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[path = "golden/mod.rs"]
mod golden;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A folder with data files and the state of the program.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        Self { folder }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str], data: &Path, last: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.args(arguments).arg("--data").arg(data).arg(last);
        command.env("TURNWISE_STATE", self.folder.path().join("state")).stdin(Stdio::null()).output().unwrap()
    }

    /// The report of a question that is run at once.
    fn ask(&self, file: &str, question: &str) -> Value {
        let output = self.run(&["ask", "--ephemeral", "--approve", "all", "--json"], &self.file(file), question);
        let told = report(&output);
        let text = std::fs::read_to_string(self.file(file)).unwrap_or_default();
        golden::told("tried", &text, question, &told);
        told
    }

    /// What a question is answered in words, and what its table holds.
    #[track_caller]
    fn check(&self, file: &str, question: &str, rows: &Value) {
        let told = self.ask(file, question);
        assert_eq!(told["table"]["rows"], *rows, "{question}: {}", told["answer"]);
    }

    /// What a question that has no answer is told.
    #[track_caller]
    fn refused(&self, file: &str, question: &str, said: &str) {
        let told = self.ask(file, question);
        assert_eq!(told["table"], Value::Null, "{question}: {told}");
        assert!(told["answer"].as_str().unwrap().contains(said), "{question}: {}", told["answer"]);
    }
}

fn report(output: &Output) -> Value {
    let told = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told}{}", text(&output.stderr)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn nothing_to_divide_by_is_said_and_gives_no_rate() {
    let zero = "region,revenue\nNorth,0\nSouth,0\n";
    let place = Place::with(&[("zero.csv", zero), ("grown.csv", "day,revenue\n2023-05-01,0\n2024-05-01,10\n")]);
    place.refused("zero.csv", "share of revenue by region", "the total is nothing, so there are no shares of it");
    place.check("grown.csv", "growth of revenue by year", &json!([["2023", 0, null, null], ["2024", 10, 10, null]]));
    place.check("grown.csv", "compare revenue in 2023 and 2024", &json!([[0, 10, 10, null]]));
}

#[test]
fn a_sum_beyond_any_whole_number_is_not_rounded_in_silence() {
    let most = i64::MAX;
    let place = Place::with(&[("big.csv", &format!("name,points\na,{most}\nb,{most}\n"))]);
    place.refused("big.csv", "total points", "larger than the largest whole number");
    place.check("big.csv", "average points", &json!([[9.223_372_036_854_776e18]]));
}

#[test]
fn sums_and_averages_beyond_any_real_number_are_said() {
    let place = Place::with(&[("far.csv", "k,v\na,1e308\na,1e308\nb,1\n")]);
    for question in ["total v by k", "average v", "total v", "average v by k"] {
        place.refused("far.csv", question, "larger than the largest real number");
    }
    place.check("far.csv", "total v for b", &json!([[1.0]]));
}

#[test]
fn what_is_empty_is_told_as_empty() {
    let (header, nulls) = ("town,sales\n", "name,score\na,\nb,\n");
    let place = Place::with(&[
        ("none.csv", ""),
        ("header.csv", header),
        ("nulls.csv", nulls),
        ("one.csv", "town,sales\nBern,5\n"),
    ]);
    let output = place.run(&["ask", "--ephemeral"], &place.file("none.csv"), "total sales");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is empty: it holds no byte"), "{}", text(&output.stderr));
    place.check("header.csv", "how many headers are there", &json!([[0]]));
    place.refused("header.csv", "total sales by town", "has no values at all");
    place.refused("nulls.csv", "average score", "has no values at all");
    place.check("nulls.csv", "how many rows have no score", &json!([[2]]));
    place.refused("one.csv", "sales over 100", "are to be tested one by one");
}

#[test]
fn two_columns_of_one_name_are_kept_apart_and_said() {
    let place = Place::with(&[("twice.csv", "name,amount,amount\na,1,10\nb,2,20\n")]);
    place.check("twice.csv", "total amount", &json!([[3]]));
    place.check("twice.csv", "total amount 2", &json!([[30]]));
    let output = place.run(&["ask", "--ephemeral", "--approve", "all"], &place.file("twice.csv"), "total amount");
    assert!(text(&output.stderr).contains("repeats the name amount; it is named amount_2"), "{}", text(&output.stderr));
}

#[test]
fn reserved_words_and_odd_names_are_names() {
    let reserved = "select,group,from,order\na,1,x,5\nb,2,y,6\n";
    let odd = "\"a\"\"; --\",\"naïve größe\",\"x y\"\nk,1,2\nl,3,4\n";
    let place =
        Place::with(&[("sales.csv", reserved), ("odd.csv", odd), ("it's \"odd\".csv", "town,sales\nBern,5\nChur,7\n")]);
    place.check("sales.csv", "total \"order\" by \"select\"", &json!([["a", 5], ["b", 6]]));
    place.check("odd.csv", "total naïve größe by a", &json!([["k", 1], ["l", 3]]));
    place.check("odd.csv", "total x y", &json!([[6]]));
    place.check("it's \"odd\".csv", "total sales by town", &json!([["Bern", 5], ["Chur", 7]]));
}

#[test]
fn values_that_look_like_sql_are_values() {
    let rows = "customer,amount\n'; DROP TABLE inject; --,10\nO'Brien,20\nZoë 東京,40\nRobert') OR 1=1,50\n";
    let place = Place::with(&[("inject.csv", rows)]);
    place.check("inject.csv", "total amount for \"'; DROP TABLE inject; --\"", &json!([[10]]));
    place.check("inject.csv", "total amount for \"Robert') OR 1=1\"", &json!([[50]]));
    place.check("inject.csv", "total amount for O'Brien", &json!([[20]]));
    place.check("inject.csv", "total amount for zoë 東京", &json!([[40]]));
    place.refused("inject.csv", "total amount for x' OR '1'='1", "stand for anything");
    place.refused("inject.csv", "how many rows are there", "4 rows");
    assert_eq!(std::fs::read_to_string(place.file("inject.csv")).unwrap(), rows, "the file is as it was");
}

#[test]
fn values_of_one_letter_and_values_that_are_names_are_found() {
    let letters = "town,grade,sales\na,B,5\nb,A,7\nc,B,9\n";
    let same = "status,sales\nsales,5\nstatus,7\nother,9\n";
    let place = Place::with(&[("letters.csv", letters), ("same.csv", same)]);
    place.check("letters.csv", "total sales only town a", &json!([[5]]));
    place.check("letters.csv", "total sales in town A", &json!([[5]]));
    place.check("letters.csv", "total sales with grade A", &json!([[7]]));
    place.check("letters.csv", "total sales with grade B", &json!([[14]]));
    place.check("letters.csv", "total sales with grade A or B by town", &json!([["a", 5], ["b", 7], ["c", 9]]));
    place.check("same.csv", "total sales with status sales", &json!([[5]]));
    place.check("same.csv", "total sales with status \"status\"", &json!([[7]]));
    place.check("same.csv", "total sales with status OTHER", &json!([[9]]));
}

#[test]
fn a_source_that_changes_or_vanishes_before_the_run_is_told() {
    let place = Place::with(&[("sales.csv", "town,sales\nBern,5\n")]);
    let file = place.file("sales.csv");
    let planned = || {
        let output = place.run(&["ask", "--json"], &file, "total sales by town");
        assert_eq!(output.status.code(), Some(3));
        report(&output)["reference"].as_str().unwrap().to_owned()
    };
    let approve = |reference: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.args(["approve", reference]).env("TURNWISE_STATE", place.folder.path().join("state"));
        let output = command.stdin(Stdio::null()).output().unwrap();
        (output.status.code(), format!("{}{}", text(&output.stdout), text(&output.stderr)))
    };
    let waits = planned();
    std::fs::write(&file, "town,sales\nBern,500\nChur,7\n").unwrap();
    let (code, told) = approve(&waits);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("not as it was when the plan was made") && told.contains("500"), "{told}");
    let waits = planned();
    std::fs::write(&file, "city,money\nBern,500\n").unwrap();
    let (code, told) = approve(&waits);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("no such column") && told.contains("plan again"), "{told}");
    std::fs::write(&file, "town,sales\nBern,5\n").unwrap();
    let waits = planned();
    std::fs::remove_file(&file).unwrap();
    let (code, told) = approve(&waits);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("There is no file") && told.contains("nothing was decided"), "{told}");
}

/// A view without end, and one of eight thousand million pairs: what they hide is found out when the data is opened.
#[test]
fn a_query_that_would_run_for_ever_is_left_out_and_said() {
    let place = Place::with(&[]);
    let file = place.file("endless.sqlite");
    let database = rusqlite::Connection::open(&file).unwrap();
    let script = "CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO towns VALUES (1, 'Bern');
        CREATE TABLE points (x INTEGER);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO points SELECT i FROM n;
        CREATE VIEW ticks AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS tick FROM n;
        CREATE VIEW pairs AS SELECT a.x AS weight FROM points a, points b, points c;";
    database.execute_batch(script).unwrap();
    let output = place.run(&["ask", "--ephemeral", "--approve", "all"], &file, "how many towns are there");
    let (told, noticed) = (text(&output.stdout), text(&output.stderr));
    assert!(told.contains("Number of towns: 1."), "{told}");
    for view in ["ticks", "pairs"] {
        assert!(noticed.contains(&format!("The view {view} is left out")), "{noticed}");
    }
}
