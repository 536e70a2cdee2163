//! PostgreSQL as a source: what is known of its tables, what comes back, and what happens when it is away.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use turnwise_analyst::source::{ColumnKind, Freshness, QueryError, QueryLimits, SourceTable, Workbench};
use turnwise_core::{Cell, Table};

use crate::server::{self, PASSWORD, Server};

pub const LIMITS: QueryLimits = QueryLimits { rows_max: 1_000, timeout: Duration::from_secs(30) };

pub fn open(address: &Path) -> Workbench {
    Workbench::open(&[address.to_owned()]).unwrap()
}

pub fn ask(bench: &Workbench, sql: &str) -> Result<Table, QueryError> {
    let first = bench.tables()[0].name.clone();
    bench.query_over(&[first], sql, &[], LIMITS, || false)
}

fn table<'a>(bench: &'a Workbench, name: &str) -> &'a SourceTable {
    bench.tables().iter().find(|table| table.name == name).unwrap()
}

fn turnwise(state: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .env("TURNWISE_STATE", state)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

const SHOP: &str = "
CREATE TYPE state AS ENUM ('open', 'paid');
CREATE DOMAIN amount AS numeric(10, 2);
CREATE TABLE customers (id uuid PRIMARY KEY, name varchar(80) NOT NULL, code char(8), vip boolean, tags text[]);
CREATE TABLE orders (id int PRIMARY KEY, customer_id uuid REFERENCES customers, placed timestamptz, due date,
    total amount, weight float4, pieces numeric(6, 0), state state, detail jsonb, image bytea);
COMMENT ON TABLE orders IS 'what was sold';
COMMENT ON COLUMN orders.total IS 'gross, in EUR';
CREATE VIEW open_orders AS SELECT * FROM orders WHERE state = 'open';
CREATE SCHEMA other; CREATE TABLE other.things (a int);
GRANT USAGE ON SCHEMA other TO reader; GRANT SELECT ON other.things TO reader;
INSERT INTO customers VALUES ('00000000-0000-0000-0000-000000000001', 'Ann', 'a', true, '{x,y}'),
    ('00000000-0000-0000-0000-000000000002', 'Bob', NULL, NULL, NULL);
INSERT INTO orders VALUES
    (1, '00000000-0000-0000-0000-000000000001', '2024-01-31 23:30:00+01', '2024-02-01', 12.50, 0.5, 3, 'open', '{\"a\": 1}', '\\x00'),
    (2, '00000000-0000-0000-0000-000000000001', '2024-02-01 00:30:00+01', NULL, 7.25, NULL, 1, 'paid', NULL, NULL);
";

#[test]
fn the_catalogue_tells_types_keys_references_comments_and_rows() {
    let Some(server) = server::shared() else { return };
    let bench = open(&server.database("catalogue", SHOP));
    let names: Vec<&str> = bench.tables().iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["customers", "open_orders", "orders"]);
    let orders = table(&bench, "orders");
    let kinds: Vec<ColumnKind> = orders.columns.iter().map(|column| column.kind).collect();
    use ColumnKind::{Blob, Date, Integer, Real, Text};
    assert_eq!(kinds, [Integer, Text, Date, Date, Real, Real, Integer, Text, Text, Blob]);
    assert!(orders.columns[0].primary_key && !orders.columns[1].primary_key);
    assert_eq!(orders.foreign_keys[0].table, "customers");
    assert_eq!(orders.foreign_keys[0].referred, ["id"]);
    assert_eq!(orders.comments.table.as_deref(), Some("what was sold"));
    assert_eq!(orders.comments.columns["total"], "gross, in EUR");
    assert_eq!(orders.rows, 2);
    assert!(bench.notes()[0].contains("other (1); ?schema=NAME"), "{:?}", bench.notes());
    let other = format!("{}?schema=other", server.address("catalogue").display());
    assert_eq!(open(Path::new(&other)).tables()[0].name, "things");
}

#[test]
fn values_come_back_as_facts_hold_them() {
    let Some(server) = server::shared() else { return };
    let bench = open(&server.database("types", SHOP));
    let orders = &table(&bench, "orders").sql_name;
    let rows = ask(&bench, &format!("SELECT * FROM {orders} AS o ORDER BY id")).unwrap().rows;
    let text = |text: &str| Cell::Text(text.to_owned());
    let first = [
        Cell::Integer(1),
        text("00000000-0000-0000-0000-000000000001"),
        // In UTC, whatever the server's own time zone.
        text("2024-01-31 22:30:00"),
        text("2024-02-01"),
        Cell::Real(12.5),
        Cell::Real(0.5),
        Cell::Integer(3),
        text("open"),
        text("{\"a\": 1}"),
        text("(1 bytes)"),
    ];
    assert_eq!(rows[0], first);
    assert_eq!(rows[1][3], Cell::Null);
    let customers = &table(&bench, "customers").sql_name;
    let rows = ask(&bench, &format!("SELECT code, vip, tags FROM {customers} AS c ORDER BY name")).unwrap().rows;
    assert_eq!(rows[0], [text("a"), Cell::Integer(1), text("{x,y}")]);
}

#[test]
fn a_question_is_answered_by_the_server_without_a_trace_of_the_password() {
    let Some(server) = server::shared() else { return };
    let address = server.database("answered", SHOP);
    let state = tempfile::tempdir().unwrap();
    let data = address.to_str().unwrap();
    let asked = turnwise(state.path(), &["ask", "--data", data, "--approve", "all", "--json", "total by customer"]);
    let told = String::from_utf8_lossy(&asked.stdout).into_owned();
    assert_eq!(asked.status.code(), Some(0), "{told}{}", String::from_utf8_lossy(&asked.stderr));
    let answer: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(
        answer["table"]["rows"],
        serde_json::json!([["00000000-0000-0000-0000-000000000001", "Ann", 19.75]]),
        "{told}"
    );
    assert!(told.contains("pg-writes:"), "the state of the source is told: {told}");
    // Refused before anything is approved, the plan and how to take it up are shown.
    let shown = turnwise(state.path(), &["ask", "--data", data, "total by customer"]);
    let hint = String::from_utf8_lossy(&shown.stderr).into_owned();
    assert!(hint.contains("postgres://reader@127.0.0.1"), "{hint}");
    for output in [&asked, &shown] {
        assert!(!contains(&output.stdout, PASSWORD) && !contains(&output.stderr, PASSWORD));
    }
    for entry in std::fs::read_dir(state.path()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        assert!(!contains(&std::fs::read(entry.path()).unwrap(), PASSWORD), "{:?} keeps the password", entry.path());
    }
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn more_rows_than_are_kept_are_counted_where_they_are() {
    let Some(server) = server::shared() else { return };
    let bench = open(&server.database("many", "CREATE TABLE n AS SELECT g AS x FROM generate_series(1, 5000) AS g;"));
    let found = ask(&bench, "SELECT x FROM n ORDER BY x DESC").unwrap();
    assert_eq!((found.rows.len(), found.total_rows), (1_000, 5_000));
    assert_eq!(found.rows[0], [Cell::Integer(5_000)]);
}

#[test]
fn large_tables_are_estimated_and_sampled() {
    let Some(server) = server::shared() else { return };
    let make = "CREATE TABLE visits AS SELECT g AS id, 'page ' || g % 7 AS page FROM generate_series(1, 300000) AS g;";
    let bench = open(&server.database("large", make));
    let visits = table(&bench, "visits");
    assert!((290_000..310_000).contains(&visits.rows), "{}", visits.rows);
    assert!(visits.notes[0].contains("as the server estimates"), "{:?}", visits.notes);
    let sampled = format!("SELECT COUNT(*), COUNT(DISTINCT page) FROM {} AS s", visits.sample_name.as_ref().unwrap());
    let rows = ask(&bench, &sampled).unwrap().rows;
    assert!(rows[0][0].as_number().unwrap() < 100_000.0, "{rows:?}");
    assert_eq!(rows[0][1], Cell::Integer(7));
}

#[test]
fn a_view_that_never_ends_is_left_out_and_delays_nothing() {
    let Some(server) = server::shared() else { return };
    let views = "CREATE TABLE towns (name text); INSERT INTO towns VALUES ('Rome');
        CREATE VIEW endless AS SELECT 1 AS n FROM pg_sleep(600);
        CREATE VIEW broken AS SELECT 1 / (SELECT COUNT(*) - 1 FROM towns) AS n;";
    let bench = open(&server.database("views", views));
    let names: Vec<&str> = bench.tables().iter().map(|table| table.name.as_str()).collect();
    assert!(names.contains(&"towns") && !names.contains(&"endless"), "{names:?}");
    let note = bench.notes().iter().find(|note| note.contains("endless")).unwrap();
    assert!(note.contains("is left out: counting its rows takes more than 2 seconds"), "{note}");
    // Its query has ended on the server, too, and queries have their own limits again.
    let sql = "SELECT COUNT(*) FROM pg_stat_activity WHERE query LIKE '%\"endless\"%' AND state = 'active' AND pid <> pg_backend_pid()";
    assert_eq!(ask(&bench, sql).unwrap().rows[0][0], Cell::Integer(0));
}

#[test]
fn a_stop_reaches_the_server() {
    let Some(server) = server::shared() else { return };
    let bench = Arc::new(open(&server.database("stopped", "CREATE TABLE t AS SELECT 1 AS x;")));
    let active = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = 'stopped' AND pid <> pg_backend_pid()";
    let stop = Arc::new(AtomicBool::new(false));
    let (asked, told) = (Arc::clone(&bench), Arc::clone(&stop));
    let query = std::thread::spawn(move || {
        let sql = "SELECT COUNT(*) FROM generate_series(1, 100000000000) AS g";
        asked.query_over(&["t".to_owned()], sql, &[], LIMITS, move || told.load(Ordering::SeqCst))
    });
    while server.admin("postgres", active) != "1" {
        assert!(!query.is_finished(), "the query ended before it was stopped");
    }
    stop.store(true, Ordering::SeqCst);
    assert!(matches!(query.join().unwrap(), Err(QueryError::Stopped)));
    // The server has been told; how soon it hears of it is its own affair.
    let ended = (0..LOOKS_MAX).any(|_| server.admin("postgres", active) == "0");
    assert!(ended, "the query still runs on the server");
    assert_eq!(ask(&bench, "SELECT x FROM t").unwrap().rows.len(), 1);
}

#[test]
fn a_query_that_takes_too_long_is_ended_by_the_server() {
    let Some(server) = server::shared() else { return };
    let bench = open(&server.database("slow", "CREATE TABLE t AS SELECT 1 AS x;"));
    let limits = QueryLimits { rows_max: 1, timeout: Duration::from_millis(50) };
    let sql = "SELECT COUNT(*) FROM generate_series(1, 100000000000) AS g";
    let error = bench.query_over(&["t".to_owned()], sql, &[], limits, || false).unwrap_err();
    assert!(matches!(error, QueryError::TimedOut { .. }), "{error}");
}

#[test]
fn a_written_table_has_another_stamp_and_an_unwritten_one_the_same() {
    let Some(server) = server::shared() else { return };
    let bench = open(&server.database("stamped", SHOP));
    let orders = table(&bench, "orders");
    assert_eq!(bench.freshness(orders), Freshness::Unchanged);
    assert_eq!(bench.current_stamp(orders).unwrap(), orders.stamp);
    // A session reports what it wrote when it ends, at the latest.
    server.admin("stamped", "DELETE FROM orders WHERE id = 2");
    // The session goes on ending after its client has left, so it is asked until it has.
    let changed = (0..LOOKS_MAX).any(|_| {
        server.admin("postgres", "SELECT 1");
        bench.freshness(orders) == Freshness::Changed
    });
    assert!(changed, "what was written is not seen");
    assert_eq!(bench.freshness(table(&bench, "customers")), Freshness::Unchanged);
}

#[test]
fn a_lost_connection_says_so_and_the_next_query_connects_again() {
    let Some(server) = Server::start(&[]) else { return };
    let bench = open(&server.database("lost", SHOP));
    let count = "SELECT COUNT(*) FROM orders";
    let server = server.restarted(|| {
        let error = ask(&bench, count).unwrap_err();
        assert!(matches!(error, QueryError::ConnectionLost { .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains("postgres://reader@127.0.0.1") && said.contains("try again"), "{said}");
    });
    assert_eq!(ask(&bench, count).unwrap().rows, [[Cell::Integer(2)]]);
    drop(server);
}

#[test]
fn what_cannot_be_opened_says_what_to_do() {
    let Some(server) = server::shared() else { return };
    server.database("refused", "CREATE TABLE t AS SELECT 1 AS x;");
    let port = server.port;
    let said = |address: String| Workbench::open(&[PathBuf::from(address)]).unwrap_err().to_string();
    let wrong = said(format!("postgres://reader:{PASSWORD}x@127.0.0.1:{port}/refused"));
    assert!(wrong.contains("password authentication failed") && wrong.contains("PGPASSWORD"), "{wrong}");
    assert!(!wrong.contains(PASSWORD), "{wrong}");
    let missing = said(format!("postgres://reader:{PASSWORD}@127.0.0.1:{port}/nowhere"));
    assert!(missing.contains("check the name after the last slash"), "{missing}");
    let empty = said(format!("{}?schema=nothing", server.address("refused").display()));
    assert!(empty.contains("no table that may be read in the schema nothing"), "{empty}");
    let formless = said("postgres://reader:tiger@[::1/refused".to_owned());
    assert!(formless.contains("it is not of the form") && !formless.contains("tiger"), "{formless}");
}

#[test]
fn a_server_that_is_away_ends_the_program_with_what_to_do() {
    // A port that was free a moment ago: nobody listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let state = tempfile::tempdir().unwrap();
    let address = format!("postgres://ann:{PASSWORD}@127.0.0.1:{port}/shop");
    let asked = turnwise(state.path(), &["ask", "--ephemeral", "--data", &address, "how many orders are there?"]);
    let said = String::from_utf8_lossy(&asked.stderr).into_owned();
    assert_eq!(asked.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot be reached") && said.contains("check that it runs"), "{said}");
    assert!(said.contains("postgres://ann@127.0.0.1") && !said.contains(PASSWORD), "{said}");
}

/// How often it is looked whether a query is gone; each look takes some milliseconds.
const LOOKS_MAX: usize = 500;
