//! Large files: read in place by DuckDB, chosen by their size alone, closed off from everything but those files, and
//! with the same care for their values as files that are loaded.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use turnwise_analyst::source::{ColumnKind, Dialect, Freshness, QueryError, QueryLimits, Workbench};
use turnwise_core::Cell;

use crate::postgres::{LIMITS, ask};

/// A workbench to which every file is large.
fn open(path: &Path) -> Workbench {
    Workbench::open_with(&[path.to_owned()], 0).unwrap()
}

fn written(name: &str, content: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

/// The columns as `name:kind = values`, then what was noticed.
fn shown(content: &str) -> Vec<String> {
    let (_folder, path) = written("a.csv", content);
    let bench = open(&path);
    let table = &bench.tables()[0];
    let rows = ask(&bench, "SELECT * FROM a").unwrap().rows;
    let column = |(at, column): (usize, &turnwise_analyst::source::SourceColumn)| {
        let values: Vec<String> = rows.iter().map(|row| row[at].to_string()).collect();
        format!("{}:{:?} = {}", column.name, column.kind, values.join(" | "))
    };
    table.columns.iter().enumerate().map(column).chain(table.notes.iter().skip(1).cloned()).collect()
}

#[test]
fn values_of_a_csv_file_are_what_they_are_in_one_that_is_loaded() {
    let content = "zip,account,price,day,ok,mixed
01234,12345678901234567890,1.5,2024-03-01,true,1
99999,1,NA,2024-03-02,FALSE,many
";
    let found = shown(content);
    let expected = [
        "zip:Text = 01234 | 99999",
        "account:Text = 12345678901234567890 | 1",
        "price:Real = 1.50 | –",
        "day:Date = 2024-03-01 | 2024-03-02",
        "ok:Boolean = 1 | 0",
        "mixed:Text = 1 | many",
    ];
    assert_eq!(found[..expected.len()], expected);
    assert_eq!(
        shown("day,n\n03/04/2024,1\n13/04/2024,2\n"),
        ["day:Date = 2024-04-03 | 2024-04-13", "n:Integer = 1 | 2"]
    );
    let turned = shown("day,n\n03/04/2024,1\n04/03/2024,2\n");
    assert_eq!(turned[0], "day:Text = 03/04/2024 | 04/03/2024");
    assert!(turned[2].contains("The dates in day could be day/month or month/day"), "{turned:?}");
}

#[test]
fn a_value_far_down_that_does_not_fit_makes_its_column_text() {
    let mut content = String::from("n,name\n");
    (0..60_000).for_each(|at| content.push_str(&format!("{at},x\n")));
    content.push_str("none,y\n");
    let (_folder, path) = written("far.csv", &content);
    let bench = open(&path);
    let table = &bench.tables()[0];
    assert_eq!((table.columns[0].kind, table.rows), (ColumnKind::Text, 60_001));
    assert!(table.notes[0].contains("read in place by DuckDB"), "{:?}", table.notes);
    assert!(table.notes[1].contains("The column n holds 1 value"), "{:?}", table.notes);
    let found = ask(&bench, "SELECT n FROM far ORDER BY name DESC, n LIMIT 1").unwrap();
    assert_eq!(found.rows, [[Cell::Text("none".to_owned())]]);
}

#[test]
fn nothing_but_the_named_files_can_be_read_and_nothing_can_be_changed() {
    let (folder, path) = written("t.csv", "x\n1\n2\n");
    let secret = folder.path().join("secret.csv");
    std::fs::write(&secret, "word\ntiger\n").unwrap();
    let bench = open(&path);
    let other = secret.display();
    for sql in [
        format!("SELECT * FROM read_csv('{other}')"),
        format!("SELECT * FROM '{other}'"),
        format!("SELECT * FROM read_text('{other}')"),
        format!("SELECT * FROM glob('{}/*')", folder.path().display()),
        "SELECT 1; DROP VIEW t".to_owned(),
        "SELECT E'\\'' ; DROP VIEW t --'".to_owned(),
        "DROP VIEW t".to_owned(),
        format!("COPY (SELECT 1) TO '{}/out.csv'", folder.path().display()),
        "SET enable_external_access = true".to_owned(),
        "INSTALL httpfs".to_owned(),
        "ATTACH 'a.db'".to_owned(),
    ] {
        let error = ask(&bench, &sql).expect_err(&sql);
        assert!(!error.to_string().contains("tiger"), "{sql}: {error}");
    }
    assert!(!folder.path().join("out.csv").exists());
    assert_eq!(ask(&bench, "SELECT SUM(x) FROM t").unwrap().rows, [[Cell::Integer(3)]]);
    let locked = "SELECT current_setting('lock_configuration'), current_setting('enable_external_access')";
    assert_eq!(ask(&bench, locked).unwrap().rows, [[Cell::Integer(1), Cell::Integer(0)]]);
}

/// Work for hours.
const ENDLESS: &str = "SELECT SUM(a.range * b.range) FROM range(10000000) AS a, range(10000000) AS b, t";

#[test]
fn a_stop_and_the_time_limit_interrupt_a_query() {
    let (_folder, path) = written("t.csv", "x\n1\n");
    let bench = open(&path);
    let limits = QueryLimits { rows_max: 1, timeout: Duration::from_millis(50) };
    let error = bench.query_over(&["t".to_owned()], ENDLESS, &[], limits, || false).unwrap_err();
    assert!(matches!(error, QueryError::TimedOut { .. }), "{error}");
    // The first look comes when the query has begun, so a stop that was asked for twice finds it running.
    let asked = Arc::new(AtomicBool::new(false));
    let stop = move || asked.swap(true, Ordering::SeqCst);
    let error = bench.query_over(&["t".to_owned()], ENDLESS, &[], LIMITS, stop).unwrap_err();
    assert!(matches!(error, QueryError::Stopped), "{error}");
    assert_eq!(ask(&bench, "SELECT x FROM t").unwrap().rows.len(), 1);
}

#[test]
fn rows_beyond_the_limit_are_counted_and_a_written_file_is_noticed() {
    let (_folder, path) = written("t.csv", &format!("x\n{}", "7\n".repeat(5_000)));
    let bench = open(&path);
    let found = ask(&bench, "SELECT x FROM t").unwrap();
    assert_eq!((found.rows.len(), found.total_rows), (1_000, 5_000));
    let table = &bench.tables()[0];
    assert_eq!(bench.freshness(table), Freshness::Unchanged);
    assert_eq!(bench.current_stamp(table).unwrap(), table.stamp);
    assert!(bench.files().contains(&path), "a result cannot be written over it");
    std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"8\n").unwrap();
    assert_eq!(bench.freshness(table), Freshness::Changed);
    assert_ne!(bench.current_stamp(table).unwrap(), table.stamp);
}

#[test]
fn the_program_chooses_it_for_large_files_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = std::io::BufWriter::new(std::fs::File::create(folder.path().join("sales.csv")).unwrap());
    writeln!(file, "region,amount,note").unwrap();
    let filler = "x".repeat(1_000);
    for at in 0..140_000 {
        writeln!(file, "{},{at},{filler}", ["North", "South"][at % 2]).unwrap();
    }
    drop(file.into_inner().unwrap());
    std::fs::write(folder.path().join("regions.csv"), "region,manager\nNorth,Ann\nSouth,Bob\n").unwrap();
    let state = tempfile::tempdir().unwrap();
    let told = |arguments: &[&str]| {
        let asked = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(arguments)
            .args(["--data", folder.path().to_str().unwrap()])
            .env("TURNWISE_STATE", state.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let told = format!("{}{}", String::from_utf8_lossy(&asked.stdout), String::from_utf8_lossy(&asked.stderr));
        assert_eq!(asked.status.code(), Some(0), "{told}");
        told
    };
    let answer = told(&["ask", "--ephemeral", "--approve", "all", "--json", "total amount by manager"]);
    let answer: serde_json::Value = serde_json::from_str(answer.lines().next().unwrap_or_default()).unwrap();
    assert_eq!(
        answer["table"]["rows"],
        serde_json::json!([["Ann", 4_899_930_000_u64], ["Bob", 4_900_000_000_u64]]),
        "{answer}"
    );
    let chat = told(&["chat", "--ephemeral"]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(chat.contains("DuckDB reads them in place"), "{chat}");
    let bench = Workbench::open(&[folder.path().to_owned()]).unwrap();
    assert!(bench.tables().iter().all(|table| table.dialect == Dialect::Duckdb));
}
