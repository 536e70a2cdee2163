//! A database that is asked through `turnwise ask`, with the answers it gives in SQL: several tests compare the two,
//! each over tables of its own. Next: the test that uses it.

#![allow(dead_code, reason = "each test uses a part of it")]

#[path = "../golden/mod.rs"]
mod golden;

use std::io::Write as _;
use std::process::{Command, Stdio};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Value, json};

/// The suite that asks, which is what its golden lines are filed under.
const SUITE: &str = env!("CARGO_CRATE_NAME");

/// A database with the answers it gives in SQL.
pub struct Desk {
    folder: tempfile::TempDir,
    oracle: Connection,
    script: String,
}

impl Desk {
    pub fn of(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let oracle = Connection::open(folder.path().join("data.sqlite")).unwrap();
        oracle.execute_batch(script).unwrap();
        Self { folder, oracle, script: script.to_owned() }
    }

    /// Where its data are.
    pub fn file(&self) -> std::path::PathBuf {
        self.folder.path().join("data.sqlite")
    }

    /// Where what is asked keeps what it keeps.
    pub fn state(&self) -> std::path::PathBuf {
        self.folder.path().join("state")
    }

    pub fn ask(&self, question: &str) -> Value {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnwise"));
        command.args(["ask", "--ephemeral", "--approve", "all", "--json", "--data"]);
        command.arg(self.folder.path().join("data.sqlite")).arg(question);
        command.env("TURNWISE_STATE", self.folder.path().join("state")).stdin(Stdio::null());
        let told = command.output().unwrap().stdout;
        let told =
            serde_json::from_slice(&told).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&told)));
        golden::told(SUITE, &self.script, question, &told);
        told
    }

    /// All that is printed while `lines` are said one after the other.
    pub fn talk(&self, lines: &[&str]) -> String {
        // Each talk is a conversation of its own, kept so that its plans can be looked at.
        let kept = tempfile::tempdir().unwrap();
        let database = kept.path().join("talk.db");
        let said = self.said_into(lines, &database);
        golden::talked(SUITE, &self.script, lines, &database);
        said
    }

    /// The same, kept in `database`.
    fn said_into(&self, lines: &[&str], database: &std::path::Path) -> String {
        let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
            .args(["chat", "--new", "--db"])
            .arg(database)
            .arg("--data")
            .arg(self.file())
            .env("TURNWISE_STATE", self.state())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all((lines.join("\n") + "\n").as_bytes()).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    }

    /// What is answered; where it is asked which reading is meant, what the first choice comes to: what was asked for
    /// stands first.
    pub fn first_meant(&self, question: &str) -> Value {
        let told = self.ask(question);
        if told["pending"]["kind"]["clarification"]["topic"] != "reading" {
            return told;
        }
        let kept = tempfile::tempdir().unwrap();
        let database = kept.path().join("talk.db");
        let said = self.said_into(&[question, "1", "y"], &database);
        let store = Connection::open(&database).unwrap();
        let mut events = store.prepare("SELECT body FROM events ORDER BY position").unwrap();
        let bodies: Vec<String> = events.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let bodies: Vec<Value> = bodies.iter().map(|body| serde_json::from_str(body).unwrap()).collect();
        let table = bodies.iter().rev().find_map(|body| holding(body, "rows")).cloned();
        let plan = bodies.iter().rev().find_map(|body| holding(body, "assumptions")).cloned();
        json!({ "table": table, "plan": plan, "answer": said })
    }

    pub fn rows(&self, sql: &str) -> Vec<Vec<Value>> {
        let mut statement = self.oracle.prepare(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let width = statement.column_count();
        let cell = |value: ValueRef<'_>| match value {
            ValueRef::Integer(number) => json!(number),
            ValueRef::Real(number) => json!(number),
            ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
            ValueRef::Null | ValueRef::Blob(_) => Value::Null,
        };
        let read = |row: &rusqlite::Row<'_>| (0..width).map(|at| row.get_ref(at).map(cell)).collect();
        statement.query_map([], read).unwrap().map(Result::unwrap).collect()
    }

    /// The answer holds the rows that the SQL gives and no other, each value in the row.
    #[track_caller]
    pub fn check(&self, question: &str, sql: &str) -> Value {
        let told = self.first_meant(question);
        let wanted = self.rows(sql);
        let found = told["table"]["rows"].as_array().unwrap_or_else(|| panic!("{question}: {}", told["answer"]));
        assert_eq!(found.len(), wanted.len(), "{question}: {}", told["answer"]);
        let mut left = found.clone();
        for wanted in &wanted {
            let holds = |row: &Value| {
                let cells = row.as_array().unwrap();
                wanted.iter().all(|value| cells.iter().any(|cell| is_same(cell, value)))
            };
            let at = left.iter().position(holds).unwrap_or_else(|| panic!("{question}: no row {wanted:?} in {left:?}"));
            left.remove(at);
        }
        told
    }

    /// The plan of the answer takes this for granted and says so.
    #[track_caller]
    pub fn assumes(&self, told: &Value, said: &str) {
        assert!(told["plan"]["assumptions"].to_string().contains(said), "{}", told["plan"]["assumptions"]);
    }

    #[track_caller]
    pub fn refused(&self, question: &str, said: &str) {
        assert!(!said.is_empty(), "what is said says why");
        let told = self.ask(question);
        assert_eq!(told["table"], Value::Null, "{question}: {told}");
        assert!(told["answer"].as_str().unwrap().contains(said), "{question}: {}", told["answer"]);
    }
}

/// The last object within `value` that has `key`.
fn holding<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    match value {
        Value::Object(all) if all.contains_key(key) => Some(value),
        Value::Object(all) => all.values().rev().find_map(|one| holding(one, key)),
        Value::Array(all) => all.iter().rev().find_map(|one| holding(one, key)),
        _ => None,
    }
}

fn is_same(cell: &Value, wanted: &Value) -> bool {
    match (cell.as_f64(), wanted.as_f64()) {
        (Some(one), Some(other)) => (one - other).abs() <= 1e-6 * other.abs().max(1.0),
        _ => cell == wanted,
    }
}
