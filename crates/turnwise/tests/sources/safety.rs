//! Nothing that reaches a server through the analyst can change it, and a connection is as protected as was asked for.

use std::path::PathBuf;

use turnwise_analyst::source::{QueryError, Workbench};

use crate::postgres::{ask, open};
use crate::server::{self, PASSWORD, Server};

const WRITABLE: &str = "
CREATE TABLE t AS SELECT g AS x FROM generate_series(1, 10) AS g;
GRANT ALL ON t TO reader;
CREATE SEQUENCE s; GRANT ALL ON s TO reader;
CREATE FUNCTION wipe() RETURNS int LANGUAGE plpgsql AS $$ BEGIN DELETE FROM t; RETURN 1; END $$;
CREATE FUNCTION unlock_and_wipe() RETURNS int LANGUAGE plpgsql AS
    $$ BEGIN PERFORM set_config('transaction_read_only', 'off', true); DELETE FROM t; RETURN 1; END $$;
";

#[test]
fn no_write_passes_even_for_a_user_who_may_write() {
    let Some(server) = server::shared() else { return };
    let bench = open(&server.database("writable", WRITABLE));
    let writes = [
        "DELETE FROM t",
        "WITH gone AS (DELETE FROM t RETURNING x) SELECT x FROM gone",
        "SELECT 1; DELETE FROM t",
        "SELECT x INTO copy FROM t",
        "SELECT x FROM t FOR UPDATE",
        "SELECT nextval('s')",
        "SELECT wipe()",
        "SELECT unlock_and_wipe()",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "SELECT lo_create(0)",
        "SELECT set_config('default_transaction_read_only', 'off', false); COMMIT; DELETE FROM t",
    ];
    for sql in writes {
        let error = ask(&bench, sql).expect_err(sql);
        assert!(!matches!(error, QueryError::ConnectionLost { .. }), "{sql}: {error}");
    }
    // A session that was told to write by itself still reads only: each query opens its own read-only transaction.
    ask(&bench, "SELECT set_config('default_transaction_read_only', 'off', false)").unwrap();
    ask(&bench, "SELECT wipe()").expect_err("the transaction is read-only too");
    let state = "SELECT (SELECT COUNT(*) FROM t) || ' ' || (SELECT is_called FROM s) || ' ' || \
                 (SELECT COUNT(*) FROM pg_class WHERE relname = 'copy')";
    assert_eq!(server.admin("writable", state), "10 false 0");
}

/// A server with a certificate of its own making, which refuses whoever comes without encryption.
fn encrypted() -> Option<(Server, tempfile::TempDir)> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let made = std::process::Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", &path("server.key"), "-out", &path("server.crt")])
        .output();
    let Ok(made) = made else {
        crate::process::skipped("there is no `openssl` to make a certificate");
        return None;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (key, certificate) = (std::fs::read(path("server.key")).unwrap(), std::fs::read(path("server.crt")).unwrap());
    let server = Server::start_encrypted(&key, &certificate)?;
    Some((server, folder))
}

#[test]
fn encryption_is_as_strict_as_was_asked_for() {
    let Some((server, folder)) = encrypted() else { return };
    server.database("encrypted", "CREATE TABLE t AS SELECT 1 AS x; GRANT SELECT ON t TO reader;");
    let authority = folder.path().join("server.crt");
    let opened = |host: &str, options: &str| {
        let address = format!("postgres://reader:{PASSWORD}@{host}:{}/encrypted?{options}", server.port);
        Workbench::open(&[PathBuf::from(address)])
    };
    let is_encrypted = |options: &str| {
        let bench = opened("localhost", options).unwrap();
        let sql = "SELECT CAST(ssl AS int) FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
        ask(&bench, sql).unwrap().rows[0][0].as_number() == Some(1.0)
    };
    assert!(is_encrypted("sslmode=require"));
    assert!(is_encrypted("sslmode=prefer"));
    assert!(is_encrypted(&format!("sslmode=verify-full&sslrootcert={}", authority.display())));
    assert!(!is_encrypted("sslmode=disable"));
    // Another name for the same host is not in the certificate: the authority alone does not mind.
    let by_number = |mode: &str| opened("127.0.0.1", &format!("sslmode={mode}&sslrootcert={}", authority.display()));
    by_number("verify-ca").unwrap();
    let error = by_number("verify-full").unwrap_err().to_string();
    assert!(error.contains("certificate"), "{error}");
    let error = opened("localhost", "sslmode=verify-full").unwrap_err().to_string();
    assert!(error.contains("certificate"), "nobody we know vouches for it: {error}");
}
