//! The tables, and what brings an older file up to date. Next: `project`.

use rusqlite::Connection;

use super::StoreError;

/// The format of this version.
const FORMAT: i64 = 1;

/// Milliseconds that a writer waits for another one.
const BUSY_MS: u64 = 10_000;

const TABLES: &str = "
CREATE TABLE projects (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL,
    revision INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE members (
    project TEXT NOT NULL REFERENCES projects (id), person TEXT NOT NULL, PRIMARY KEY (person, project)
) WITHOUT ROWID;
CREATE TABLE seed (
    project TEXT NOT NULL REFERENCES projects (id), field TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (project, field)
) WITHOUT ROWID;
CREATE TABLE notes (
    id INTEGER PRIMARY KEY, project TEXT NOT NULL REFERENCES projects (id), number INTEGER NOT NULL,
    text TEXT NOT NULL, state TEXT NOT NULL, person TEXT NOT NULL, by TEXT NOT NULL, created_at INTEGER NOT NULL,
    expires_at INTEGER, grouped TEXT, UNIQUE (project, number)
);
CREATE VIRTUAL TABLE note_words USING fts5 (text, tokenize = 'porter unicode61');
CREATE TABLE groups (
    project TEXT NOT NULL REFERENCES projects (id), label TEXT NOT NULL, summary TEXT NOT NULL,
    rationale TEXT NOT NULL, PRIMARY KEY (project, label)
) WITHOUT ROWID;
CREATE TABLE specifications (
    project TEXT NOT NULL REFERENCES projects (id), name TEXT NOT NULL, content TEXT NOT NULL,
    changed_at INTEGER NOT NULL, PRIMARY KEY (project, name)
) WITHOUT ROWID;
CREATE TABLE artefacts (
    project TEXT NOT NULL REFERENCES projects (id), name TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL,
    content TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY (project, name, version)
) WITHOUT ROWID;
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY, project TEXT NOT NULL REFERENCES projects (id), title TEXT NOT NULL, state TEXT NOT NULL,
    changed_at INTEGER NOT NULL
);
CREATE INDEX jobs_of_project ON jobs (project, changed_at DESC);
CREATE TABLE personal (
    id INTEGER PRIMARY KEY, person TEXT NOT NULL, text TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER
);
CREATE INDEX personal_of_person ON personal (person, created_at DESC);
CREATE TABLE turns (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL, person TEXT NOT NULL, project TEXT, role TEXT NOT NULL,
    content TEXT NOT NULL, classified_intent TEXT, created_at INTEGER NOT NULL, UNIQUE (key, role)
);
CREATE INDEX turns_of_person ON turns (person, project, created_at DESC);
CREATE TABLE focus (
    conversation TEXT NOT NULL, person TEXT NOT NULL, project TEXT, asking TEXT, PRIMARY KEY (conversation, person)
) WITHOUT ROWID;
CREATE TABLE done (
    operation TEXT NOT NULL, person TEXT NOT NULL, outcome TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (operation, person)
) WITHOUT ROWID;
";

pub(super) fn prepare(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(std::time::Duration::from_millis(BUSY_MS))?;
    // Answers with the mode it is in, which in memory is another one.
    let _: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    connection.execute_batch("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")?;
    let made = make(connection);
    connection.execute_batch(if made.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    made
}

fn make(connection: &Connection) -> Result<(), StoreError> {
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match found {
        0 => {
            connection.execute_batch(TABLES)?;
            connection.pragma_update(None, "user_version", FORMAT)?;
        }
        FORMAT => {}
        _ => return Err(StoreError::Newer { found, known: FORMAT }),
    }
    Ok(())
}
