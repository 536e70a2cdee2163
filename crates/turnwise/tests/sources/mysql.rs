//! MySQL and MariaDB as a source: what is known of their tables, what comes back, what cannot pass, and what happens
//! when the server is away.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use turnwise_analyst::source::{ColumnKind, Freshness, QueryError, QueryLimits, SourceTable, Workbench};
use turnwise_core::Cell;

use crate::mysql_server::{self, Server};
use crate::postgres::{LIMITS, ask, open};
use crate::server::PASSWORD;

fn table<'a>(bench: &'a Workbench, name: &str) -> &'a SourceTable {
    bench.tables().iter().find(|table| table.name == name).unwrap()
}

fn turnwise(state: &std::path::Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .env("TURNWISE_STATE", state)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

const SHOP: &str = "
CREATE TABLE customers (id int unsigned PRIMARY KEY, name varchar(80) NOT NULL, code char(8), vip boolean,
    level enum('new', 'gold'), born year, mark bit(1)) COMMENT 'who buys';
CREATE TABLE orders (id bigint PRIMARY KEY AUTO_INCREMENT, customer_id int unsigned, placed timestamp NULL, due date,
    at datetime(3), total decimal(10, 2) COMMENT 'gross, in EUR', weight float, pieces decimal(6, 0), hour time,
    detail json, image blob, FOREIGN KEY (customer_id) REFERENCES customers (id));
CREATE VIEW big_orders AS SELECT * FROM orders WHERE total > 10;
INSERT INTO customers VALUES (1, 'Ann', 'a', TRUE, 'gold', 1999, b'1'), (2, 'Bob', NULL, NULL, NULL, NULL, b'0');
SET time_zone = '+01:00';
INSERT INTO orders VALUES
    (1, 1, '2024-01-31 23:30:00', '2024-02-01', '2024-02-01 12:00:00.250', 12.50, 0.5, 3, '09:30:00', '{\"a\": 1}', x'00'),
    (2, 1, '2024-02-01 00:30:00', NULL, NULL, 7.25, NULL, 1, NULL, NULL, NULL);
";

#[test]
fn the_catalogue_tells_types_keys_references_comments_and_rows() {
    let Some(server) = mysql_server::shared() else { return };
    let bench = open(&server.database("catalogue", SHOP));
    let names: Vec<&str> = bench.tables().iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["big_orders", "customers", "orders"]);
    use ColumnKind::{Blob, Boolean, Date, Integer, Real, Text};
    let kinds = |name: &str| table(&bench, name).columns.iter().map(|column| column.kind).collect::<Vec<_>>();
    assert_eq!(kinds("orders"), [Integer, Integer, Date, Date, Date, Real, Real, Integer, Text, Text, Blob]);
    assert_eq!(kinds("customers"), [Integer, Text, Text, Boolean, Text, Integer, Boolean]);
    let orders = table(&bench, "orders");
    assert!(orders.columns[0].primary_key && !orders.columns[1].primary_key);
    assert_eq!((orders.foreign_keys[0].table.as_str(), orders.rows), ("customers", 2));
    assert_eq!(orders.foreign_keys[0].referred, ["id"]);
    assert_eq!(table(&bench, "customers").comments.table.as_deref(), Some("who buys"));
    assert_eq!(orders.comments.columns["total"], "gross, in EUR");
}

#[test]
fn values_come_back_as_facts_hold_them() {
    let Some(server) = mysql_server::shared() else { return };
    let bench = open(&server.database("types", SHOP));
    let orders = &table(&bench, "orders").sql_name;
    let rows = ask(&bench, &format!("SELECT * FROM {orders} AS o ORDER BY id")).unwrap().rows;
    let text = |text: &str| Cell::Text(text.to_owned());
    let first = [
        Cell::Integer(1),
        Cell::Integer(1),
        // In UTC, whatever the time zone of whoever wrote it.
        text("2024-01-31 22:30:00"),
        text("2024-02-01"),
        text("2024-02-01 12:00:00.25"),
        Cell::Real(12.5),
        Cell::Real(0.5),
        Cell::Integer(3),
        text("09:30:00"),
        text("{\"a\": 1}"),
        text("(1 bytes)"),
    ];
    assert_eq!(rows[0], first);
    assert_eq!(rows[1][3], Cell::Null);
    let customers = &table(&bench, "customers").sql_name;
    let rows = ask(&bench, &format!("SELECT * FROM {customers} AS c ORDER BY id")).unwrap().rows;
    let ann = [
        Cell::Integer(1),
        text("Ann"),
        text("a"),
        Cell::Integer(1),
        text("gold"),
        Cell::Integer(1999),
        Cell::Integer(1),
    ];
    assert_eq!(rows[0], ann);
    let sums = ask(&bench, "SELECT SUM(id), AVG(id), COUNT(*) FROM orders").unwrap().rows;
    assert_eq!(sums[0], [Cell::Integer(3), Cell::Real(1.5), Cell::Integer(2)]);
}

#[test]
fn a_question_is_answered_by_the_server_without_a_trace_of_the_password() {
    let Some(server) = mysql_server::shared() else { return };
    let address = server.database("answered", SHOP);
    let state = tempfile::tempdir().unwrap();
    let data = address.to_str().unwrap();
    let asked = turnwise(state.path(), &["ask", "--data", data, "--approve", "all", "--json", "total by customer"]);
    let told = String::from_utf8_lossy(&asked.stdout).into_owned();
    assert_eq!(asked.status.code(), Some(0), "{told}{}", String::from_utf8_lossy(&asked.stderr));
    let answer: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(answer["table"]["rows"], serde_json::json!([["Ann", 19.75]]), "{told}");
    assert!(told.contains("mysql-writes:"), "the state of the source is told: {told}");
    // Refused before anything is approved, the plan and how to take it up are shown.
    let shown = turnwise(state.path(), &["ask", "--data", data, "total by customer"]);
    let hint = String::from_utf8_lossy(&shown.stderr).into_owned();
    assert!(hint.contains("mysql://reader@127.0.0.1"), "{hint}");
    let contains = |bytes: &[u8]| bytes.windows(PASSWORD.len()).any(|window| window == PASSWORD.as_bytes());
    for output in [&asked, &shown] {
        assert!(!contains(&output.stdout) && !contains(&output.stderr));
    }
    for entry in std::fs::read_dir(state.path()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        assert!(!contains(&std::fs::read(entry.path()).unwrap()), "{:?} keeps the password", entry.path());
    }
}

#[test]
fn doctor_says_whether_the_server_can_be_read() {
    let Some(server) = mysql_server::shared() else { return };
    let address = server.database("looked_at", SHOP);
    let state = tempfile::tempdir().unwrap();
    let told = turnwise(state.path(), &["doctor", "--data", address.to_str().unwrap()]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.contains("3 tables") && !told.contains(PASSWORD), "{told}");
}

const NUMBERS: &str = "CREATE TABLE n (x int PRIMARY KEY, page varchar(20));
INSERT INTO n WITH RECURSIVE g AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM g WHERE x < 700)
    SELECT a.x * 700 + b.x, CONCAT('page ', b.x % 7) FROM g AS a, g AS b;
ANALYZE TABLE n;";

#[test]
fn more_rows_than_are_kept_are_counted_where_they_are_and_large_tables_are_estimated_and_sampled() {
    let Some(server) = mysql_server::shared() else { return };
    let bench = open(&server.database("large", NUMBERS));
    let found = ask(&bench, "SELECT x FROM n ORDER BY x DESC").unwrap();
    assert_eq!((found.rows.len(), found.total_rows), (1_000, 490_000));
    assert_eq!(found.rows[0], [Cell::Integer(490_700)]);
    let n = table(&bench, "n");
    assert!((200_000..1_000_000).contains(&n.rows), "{}", n.rows);
    assert!(n.notes[0].contains("as the server estimates"), "{:?}", n.notes);
    let sampled =
        format!("SELECT COUNT(*), COUNT(DISTINCT page), MIN(x), MAX(x) FROM {} AS s", n.sample_name.as_ref().unwrap());
    let rows = ask(&bench, &sampled).unwrap().rows;
    let number = |at: usize| rows[0][at].as_number().unwrap();
    assert!(number(0) > 20_000.0 && number(0) < 200_000.0 && number(1) == 7.0, "{rows:?}");
    assert!(number(2) < 1_000.0 && number(3) > 450_000.0, "the sample is spread over the table: {rows:?}");
}

/// Work for hours.
const ENDLESS: &str = "SELECT COUNT(*) FROM n AS a JOIN n AS b ON a.page <> b.page JOIN n AS c ON c.page <> b.page";

#[test]
fn a_stop_reaches_the_server() {
    let Some(server) = mysql_server::shared() else { return };
    let bench = Arc::new(open(&server.database("stopped", NUMBERS)));
    let active = "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE DB = 'stopped' AND INFO LIKE '%n AS c%' \
                  AND ID <> CONNECTION_ID()";
    let stop = Arc::new(AtomicBool::new(false));
    let (asked, told) = (Arc::clone(&bench), Arc::clone(&stop));
    let query = std::thread::spawn(move || {
        asked.query_over(&["n".to_owned()], ENDLESS, &[], LIMITS, move || told.load(Ordering::SeqCst))
    });
    while server.admin("", active) == "0" {
        assert!(!query.is_finished(), "the query ended before it was stopped: {:?}", query.join());
    }
    stop.store(true, Ordering::SeqCst);
    assert!(matches!(query.join().unwrap(), Err(QueryError::Stopped)));
    // The server has been told; how soon it hears of it is its own affair.
    let ended = (0..LOOKS_MAX).any(|_| server.admin("", active) == "0");
    assert!(ended, "the query still runs on the server");
    assert_eq!(ask(&bench, "SELECT x FROM n LIMIT 1").unwrap().rows.len(), 1);
}

#[test]
fn a_query_that_takes_too_long_is_ended_by_the_server() {
    let Some(server) = mysql_server::shared() else { return };
    let bench = open(&server.database("slow", NUMBERS));
    let limits = QueryLimits { rows_max: 1, timeout: Duration::from_millis(50) };
    let error = bench.query_over(&["n".to_owned()], ENDLESS, &[], limits, || false).unwrap_err();
    assert!(matches!(error, QueryError::TimedOut { .. }), "{error}");
}

#[test]
fn a_written_table_has_another_stamp_and_an_unwritten_one_the_same() {
    let Some(server) = mysql_server::shared() else { return };
    let bench = open(&server.database("stamped", SHOP));
    let orders = table(&bench, "orders");
    assert_eq!(bench.current_stamp(orders).unwrap(), orders.stamp);
    // The server tells the time of a write to the second.
    let changed = (0..LOOKS_MAX).any(|round| {
        server.admin("stamped", &format!("UPDATE orders SET total = {round}"));
        bench.freshness(orders) == Freshness::Changed
    });
    assert!(changed, "what was written is not seen");
    assert_eq!(bench.freshness(table(&bench, "customers")), Freshness::Unchanged);
}

#[test]
fn no_write_passes_even_for_a_user_who_may_write() {
    let Some(server) = mysql_server::shared() else { return };
    let writable = "CREATE TABLE t (x int); INSERT INTO t VALUES (1), (2), (3);
        GRANT ALL ON writable.* TO reader@'%'; GRANT FILE ON *.* TO reader@'%';
        CREATE FUNCTION wipe() RETURNS int DETERMINISTIC MODIFIES SQL DATA RETURN 1;
        DROP FUNCTION wipe;
        DELIMITER //
        CREATE FUNCTION wipe() RETURNS int DETERMINISTIC MODIFIES SQL DATA BEGIN DELETE FROM t; RETURN 1; END //
        DELIMITER ;";
    let bench = open(&server.database("writable", writable));
    let file = tempfile::tempdir().unwrap().path().with_extension("out");
    let outfile = format!("SELECT x INTO OUTFILE '{}' FROM t", file.display());
    let writes = [
        "DELETE FROM t",
        "SELECT 1; DELETE FROM t",
        "SELECT x INTO @y FROM t",
        "SELECT x FROM t FOR UPDATE",
        "SELECT wipe()",
        "SELECT x FROM t WHERE SLEEP(60)",
        "SELECT LOAD_FILE('/etc/passwd')",
        "SELECT GET_LOCK('a', 1)",
        &outfile,
    ];
    for sql in writes {
        let error = ask(&bench, sql).expect_err(sql);
        assert!(matches!(error, QueryError::Refused { .. }), "{sql}: {error}");
    }
    assert!(!file.exists());
    assert_eq!(server.admin("writable", "SELECT COUNT(*) FROM t"), "3");
    server.admin("writable", "REVOKE FILE ON *.* FROM reader@'%'; REVOKE ALL ON writable.* FROM reader@'%'");
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
        assert!(said.contains("mysql://reader@127.0.0.1") && said.contains("try again"), "{said}");
    });
    assert_eq!(ask(&bench, count).unwrap().rows, [[Cell::Integer(2)]]);
    drop(server);
}

#[test]
fn what_is_wrong_with_an_address_is_told_without_its_password() {
    let Some(server) = mysql_server::shared() else { return };
    server.database("refused", "CREATE TABLE t (x int)");
    server.admin("", "CREATE DATABASE bare; GRANT SELECT ON bare.* TO reader@'%'");
    let port = server.port;
    let said = |address: String| Workbench::open(&[PathBuf::from(address)]).unwrap_err().to_string();
    let wrong = said(format!("mysql://reader:{PASSWORD}x@127.0.0.1:{port}/refused"));
    assert!(wrong.contains("Access denied for user") && wrong.contains("MYSQL_PWD"), "{wrong}");
    let missing = said(format!("mysql://reader:{PASSWORD}@127.0.0.1:{port}/nowhere"));
    assert!(missing.contains("check the name after the last slash"), "{missing}");
    let bare = said(format!("mysql://reader:{PASSWORD}@127.0.0.1:{port}/bare"));
    assert!(bare.contains("no table that may be read in the database bare"), "{bare}");
    let unnamed = said(format!("mysql://reader:{PASSWORD}@127.0.0.1:{port}"));
    assert!(unnamed.contains("it names no database") && unnamed.contains("refused"), "{unnamed}");
    let formless = said("mysql://reader:tiger@[::1/refused".to_owned());
    assert!(formless.contains("it is not of the form mysql://") && !formless.contains("tiger"), "{formless}");
    let unknown = said(format!("mariadb://reader:{PASSWORD}@127.0.0.1:{port}/refused?pool_max=9"));
    assert!(unknown.contains("the option pool_max=9 is not known"), "{unknown}");
    let plain = said(format!("mysql://reader:{PASSWORD}@127.0.0.1:{port}/refused?sslmode=require"));
    assert!(plain.contains("does not encrypt"), "{plain}");
    for told in [wrong, missing, bare, unnamed, unknown, plain] {
        assert!(!told.contains(PASSWORD), "{told}");
    }
    let away = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let state = tempfile::tempdir().unwrap();
    let address = format!("mysql://ann:{PASSWORD}@127.0.0.1:{away}/shop");
    let asked = turnwise(state.path(), &["ask", "--ephemeral", "--data", &address, "how many orders are there?"]);
    let told = String::from_utf8_lossy(&asked.stderr).into_owned();
    assert_eq!(asked.status.code(), Some(1), "{told}");
    assert!(told.contains("cannot be reached") && told.contains("check that it runs"), "{told}");
    assert!(told.contains("mysql://ann@127.0.0.1") && !told.contains(PASSWORD), "{told}");
}

#[test]
fn encryption_is_as_strict_as_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3650", "-subj", "/CN=localhost"])
        .args(["-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", &path("server.key"), "-out", &path("server.crt")])
        .output();
    let Ok(made) = made else { return crate::process::skipped("there is no `openssl` to make a certificate") };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    // A key for a server that lives as long as this test, read by another user.
    assert!(Command::new("chmod").args(["-R", "a+rX"]).arg(folder.path()).status().unwrap().success());
    let settings = [format!("--ssl-key={}", path("server.key")), format!("--ssl-cert={}", path("server.crt"))];
    let Some(server) = Server::start(&[&settings[0], &settings[1]]) else { return };
    server.database("encrypted", "CREATE TABLE t (x int)");
    let authority = path("server.crt");
    let opened = |host: &str, options: &str| {
        let address = format!("mysql://reader:{PASSWORD}@{host}:{}/encrypted?{options}", server.port);
        Workbench::open(&[PathBuf::from(address)])
    };
    let is_encrypted = |options: &str| {
        let bench = opened("localhost", options).unwrap();
        let sql =
            "SELECT VARIABLE_VALUE <> '' FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'SSL_CIPHER'";
        ask(&bench, sql).unwrap().rows[0][0] == Cell::Integer(1)
    };
    assert!(is_encrypted("sslmode=require"));
    assert!(is_encrypted("sslmode=prefer"));
    assert!(is_encrypted(&format!("ssl-mode=VERIFY_IDENTITY&ssl-ca={authority}")));
    assert!(!is_encrypted("sslmode=disable"));
    let error = opened("127.0.0.1", &format!("sslmode=verify-full&sslrootcert={authority}")).unwrap_err().to_string();
    assert!(error.contains("certificate"), "{error}");
    let error = opened("localhost", "sslmode=verify-full").unwrap_err().to_string();
    assert!(error.contains("certificate"), "nobody we know vouches for it: {error}");
}

/// How often it is looked whether something has happened; each look takes some milliseconds.
const LOOKS_MAX: usize = 500;
