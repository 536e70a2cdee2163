//! The promises of the workbench, each shown on a small literal source. Formats have their own tests beside their code.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rusqlite::Connection;
use turnwise_core::{Cell, Table};

use super::{ColumnKind, ForeignKey, Freshness, QueryError, QueryLimits, SourceTable, Workbench};

const LIMITS: QueryLimits = QueryLimits { rows_max: 100, timeout: Duration::from_secs(60) };

fn query(workbench: &Workbench, sql: &str) -> Result<Table, QueryError> {
    workbench.query(sql, &[], LIMITS, || false)
}

fn scalar(workbench: &Workbench, sql: &str) -> Cell {
    query(workbench, sql).unwrap().scalar().unwrap().clone()
}

/// Writes a database made by `sql` and gives its path.
fn database(folder: &Path, name: &str, sql: &str) -> PathBuf {
    let path = folder.join(name);
    Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    path
}

fn open_error(path: &Path) -> String {
    Workbench::open(&[path.to_owned()]).expect_err("should be refused").to_string()
}

/// The shop database among the shared test data; `None`, said aloud, where it is not there.
fn chinook() -> Option<Workbench> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/chinook/chinook.sqlite");
    if !path.exists() {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "CI needs {}", path.display());
        eprintln!("SKIPPED: {} is not there", path.display());
        return None;
    }
    Some(Workbench::open(&[path]).unwrap())
}

fn column<'a>(table: &'a SourceTable, name: &str) -> &'a super::SourceColumn {
    table.columns.iter().find(|column| column.name == name).unwrap()
}

#[test]
fn a_real_database_is_described_with_kinds_and_keys() {
    let Some(workbench) = chinook() else { return };
    assert_eq!(workbench.tables().len(), 11);
    let invoices = workbench.tables().iter().find(|table| table.name == "Invoice").unwrap();
    assert_eq!(invoices.rows, 412);
    assert_eq!(column(invoices, "InvoiceDate").kind, ColumnKind::Date);
    assert_eq!(column(invoices, "Total").kind, ColumnKind::Real);
    assert_eq!(column(invoices, "BillingCity").kind, ColumnKind::Text);
    assert!(column(invoices, "InvoiceId").primary_key);
    let key = ForeignKey {
        columns: vec!["CustomerId".to_owned()],
        table: "Customer".to_owned(),
        referred: vec!["CustomerId".to_owned()],
    };
    assert_eq!(invoices.foreign_keys, [key]);
    assert!(invoices.stamp.fingerprint.starts_with("sha256:"));
    assert_eq!(workbench.freshness(invoices), Freshness::Unchanged);
    assert_eq!(scalar(&workbench, "SELECT ROUND(SUM(Total), 2) FROM Invoice"), Cell::Real(2328.6));
}

#[test]
fn five_threads_query_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path(), "numbers.db", "CREATE TABLE n(x); INSERT INTO n VALUES (1), (2), (3)");
    let workbench = Workbench::open(&[path]).unwrap();
    // The queries meet at the barrier from inside SQLite, so the test ends only if all five run at the same time.
    let barrier = Arc::new(std::sync::Barrier::new(5));
    let sums: Vec<Cell> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..5)
            .map(|_| {
                let (workbench, barrier, calls) = (&workbench, Arc::clone(&barrier), AtomicU32::new(0));
                scope.spawn(move || {
                    let stop = move || {
                        if calls.fetch_add(1, Ordering::Relaxed) == 0 {
                            barrier.wait();
                        }
                        false
                    };
                    let sql = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 10000) \
                               SELECT SUM(x) * COUNT(DISTINCT i) FROM n, c";
                    workbench.query(sql, &[], LIMITS, stop).unwrap().scalar().unwrap().clone()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(sums, vec![Cell::Integer(60_000 * 10_000); 5]);
}

const ENDLESS: &str = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT COUNT(*) FROM c";

#[test]
fn a_query_without_end_stops_when_told_and_at_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path(), "a.db", "CREATE TABLE t(x)");
    let workbench = Workbench::open(&[path]).unwrap();
    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    let stopped = workbench.query(ENDLESS, &[], LIMITS, move || count.fetch_add(1, Ordering::Relaxed) >= 3);
    assert!(matches!(stopped, Err(QueryError::Stopped)), "{stopped:?}");
    assert_eq!(asked.load(Ordering::Relaxed), 4, "stopped at the first yes");
    let limits = QueryLimits { timeout: Duration::ZERO, ..LIMITS };
    let late = workbench.query(ENDLESS, &[], limits, || false);
    assert!(matches!(late, Err(QueryError::TimedOut { .. })), "{late:?}");
    assert_eq!(scalar(&workbench, "SELECT 1"), Cell::Integer(1), "the next query is not affected");
}

#[test]
fn everything_but_reading_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path(), "a.db", "CREATE TABLE t(x); INSERT INTO t VALUES (1)");
    let before = fs::read(&path).unwrap();
    let workbench = Workbench::open(std::slice::from_ref(&path)).unwrap();
    let stray = folder.path().join("stray.db");
    for sql in [
        "INSERT INTO t VALUES (2)",
        "UPDATE t SET x = 2",
        "DELETE FROM t",
        "CREATE TABLE u(x)",
        "CREATE TEMP TABLE u(x)",
        "DROP TABLE t",
        "PRAGMA query_only = OFF",
        "SELECT * FROM pragma_database_list",
        &format!("ATTACH DATABASE '{}' AS stray", stray.display()),
        &format!("VACUUM INTO '{}'", stray.display()),
        "BEGIN",
        "SELECT load_extension('x')",
        "SELECT 1; SELECT 2",
        "WITH c AS (SELECT 1) DELETE FROM t",
    ] {
        let result = query(&workbench, sql);
        assert!(matches!(result, Err(QueryError::Refused { .. })), "{sql}: {result:?}");
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    assert!(!stray.exists());
}

#[test]
fn rows_beyond_the_limit_are_counted_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path(), "a.db", "CREATE TABLE t(x); INSERT INTO t VALUES (1), (2), (3)");
    let workbench = Workbench::open(&[path]).unwrap();
    let table =
        workbench.query("SELECT x FROM t ORDER BY x", &[], QueryLimits { rows_max: 2, ..LIMITS }, || false).unwrap();
    assert_eq!((table.rows.len(), table.total_rows), (2, 3));
}

#[test]
fn parameters_are_bound_as_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path(), "a.db", "CREATE TABLE t(x); INSERT INTO t VALUES ('O''Hara'), ('x')");
    let workbench = Workbench::open(&[path]).unwrap();
    let found =
        workbench.query("SELECT COUNT(*) FROM t WHERE x = ?1", &[Cell::Text("O'Hara".to_owned())], LIMITS, || false);
    assert_eq!(found.unwrap().scalar(), Some(&Cell::Integer(1)));
    let missing = query(&workbench, "SELECT ?1");
    assert!(matches!(missing, Err(QueryError::Wrong { .. })), "{missing:?}");
}

#[test]
fn a_misspelt_column_is_an_error_and_not_a_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path(), "a.db", "CREATE TABLE t(revenue)");
    let workbench = Workbench::open(&[path]).unwrap();
    let error = query(&workbench, r#"SELECT "revenu" FROM t"#).unwrap_err().to_string();
    assert!(error.contains("no such column"), "{error}");
}

#[test]
fn odd_names_work() {
    let folder = tempfile::tempdir().unwrap();
    let sql = r#"CREATE TABLE "order ""by"" é" ("select" INTEGER, "größe in m" REAL, "a""b" TEXT);
                 INSERT INTO "order ""by"" é" VALUES (1, 2.5, 'c')"#;
    let path = database(folder.path(), "50% of?mode=rwc#1.db", sql);
    let workbench = Workbench::open(&[path]).unwrap();
    let table = &workbench.tables()[0];
    assert_eq!(table.name, "order \"by\" é");
    for column in &table.columns {
        let sql = format!("SELECT {} FROM {}", super::quoted(&column.name), table.sql_name);
        assert_eq!(query(&workbench, &sql).unwrap().total_rows, 1, "{sql}");
    }
}

#[test]
fn two_databases_with_one_table_name_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let north = database(folder.path(), "north.db", "CREATE TABLE sales(x); INSERT INTO sales VALUES (1)");
    let south = database(
        folder.path(),
        "south.db",
        "CREATE TABLE sales(x INTEGER PRIMARY KEY); INSERT INTO sales VALUES (2);
         CREATE TABLE parts(sale REFERENCES sales)",
    );
    let workbench = Workbench::open(&[north, south]).unwrap();
    let tables = workbench.tables();
    let names: Vec<&str> = tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["sales", "south_sales", "parts"]);
    let sums: Vec<Cell> =
        tables[..2].iter().map(|table| scalar(&workbench, &format!("SELECT SUM(x) FROM {}", table.sql_name))).collect();
    assert_eq!(sums, [Cell::Integer(1), Cell::Integer(2)]);
    assert_eq!(tables[1].notes, ["Another source has a table sales too; the one of south.db is named south_sales."]);
    assert_eq!(tables[2].foreign_keys[0].table, "south_sales");
    assert_eq!(tables[2].foreign_keys[0].referred, ["x"]);
}

#[test]
fn views_are_tables_and_broken_ones_are_left_out_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let sql = "CREATE TABLE t(x INTEGER); INSERT INTO t VALUES (1), (2);
               CREATE VIEW doubled AS SELECT x * 2 AS twice FROM t; CREATE VIEW broken AS SELECT * FROM gone;
               CREATE VIEW endless AS WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c";
    let path = database(folder.path(), "a.db", sql);
    let workbench = Workbench::open(&[path]).unwrap();
    let doubled = &workbench.tables()[1];
    assert_eq!((doubled.name.as_str(), doubled.rows, doubled.columns[0].kind), ("doubled", 2, ColumnKind::Integer));
    assert_eq!(workbench.tables().len(), 2);
    assert!(
        workbench.notes()[0].starts_with("broken is left out because it cannot be read: "),
        "{:?}",
        workbench.notes()
    );
    assert!(
        workbench.notes()[1].starts_with("The view endless is left out because counting"),
        "{:?}",
        workbench.notes()
    );
}

#[test]
fn a_view_that_takes_a_misspelt_name_for_text_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let sql = "CREATE TABLE t(x); CREATE VIEW v AS SELECT x FROM t WHERE x = \"north\"";
    let workbench = Workbench::open(&[database(folder.path(), "a.db", sql)]).unwrap();
    assert_eq!(workbench.tables().len(), 1);
    assert!(workbench.notes()[0].contains("no such column"), "{:?}", workbench.notes());
}

#[test]
fn a_search_table_is_one_table_and_can_be_searched() {
    let folder = tempfile::tempdir().unwrap();
    let sql = "CREATE VIRTUAL TABLE notes USING fts5(body); INSERT INTO notes VALUES ('late delivery'), ('all well')";
    let workbench = Workbench::open(&[database(folder.path(), "a.db", sql)]).unwrap();
    assert_eq!(workbench.tables().len(), 1, "{:?}", workbench.tables());
    assert_eq!(
        scalar(&workbench, "SELECT body FROM notes WHERE notes MATCH 'late'"),
        Cell::Text("late delivery".to_owned())
    );
}

#[test]
fn statistics_are_there_and_explain_their_refusals() {
    let folder = tempfile::tempdir().unwrap();
    let sql = "CREATE TABLE t(x, word); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (9, 'c')";
    let workbench = Workbench::open(&[database(folder.path(), "a.db", sql)]).unwrap();
    assert_eq!(scalar(&workbench, "SELECT median(x) FROM t"), Cell::Real(2.0));
    let error = query(&workbench, "SELECT median(word) FROM t").unwrap_err().to_string();
    assert_eq!(error, "The query failed: median needs numbers, and there is the text 'a'.");
    assert!(query(&workbench, " ").is_err());
}

#[test]
fn a_workbench_is_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Workbench>();
}

#[test]
fn a_database_that_changes_is_seen_to_have_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = database(folder.path(), "a.db", "CREATE TABLE t(x); INSERT INTO t VALUES (1)");
    let workbench = Workbench::open(std::slice::from_ref(&path)).unwrap();
    let table = &workbench.tables()[0];
    assert_eq!(workbench.current_stamp(table).unwrap(), table.stamp);
    database(folder.path(), "a.db", "CREATE TABLE u(x); INSERT INTO t VALUES (2)");
    assert_eq!(workbench.freshness(table), Freshness::Changed);
    assert_ne!(workbench.current_stamp(table).unwrap(), table.stamp);
    assert_eq!(scalar(&workbench, "SELECT COUNT(*) FROM t"), Cell::Integer(2), "databases are read as they are now");
    fs::remove_file(&path).unwrap();
    assert_eq!(workbench.freshness(table), Freshness::Missing);
}

#[test]
fn a_database_in_wal_mode_that_is_being_written_is_read_with_its_newest_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t(x); INSERT INTO t VALUES (1)").unwrap();
    let workbench = Workbench::open(&[path]).unwrap();
    let table = &workbench.tables()[0];
    writer.execute_batch("INSERT INTO t VALUES (2)").unwrap();
    assert_eq!(scalar(&workbench, "SELECT COUNT(*) FROM t"), Cell::Integer(2));
    assert_eq!(workbench.freshness(table), Freshness::Changed);
}

#[test]
fn files_that_are_no_database_say_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let check = |content: &[u8], expected: &str| {
        fs::write(&path, content).unwrap();
        let error = open_error(&path);
        assert!(error.contains(expected), "{error}");
    };
    check(b"", "is empty");
    check(b"hello", "it holds text");
    check(b"PK\x03\x04 and so on", "archive");
    check(&[0xFF; 2000], "does not begin as one");
    // A multiplicative generator is random enough to stand for an encrypted page.
    let mut state = 1_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    })
    .take(4096)
    .collect();
    check(&noise, "encrypted");
    let whole = database(folder.path(), "whole.db", "CREATE TABLE t(x); INSERT INTO t VALUES (zeroblob(20000))");
    check(&fs::read(whole).unwrap()[..9000], "damaged");
    let none = database(folder.path(), "none.db", "CREATE TABLE t(x); DROP TABLE t");
    assert!(open_error(&none).contains("no table"));
}
