//! The tables, and what brings an older file up to date. A file of a newer version is refused, so that nothing is lost
//! in it by a program that does not know all of it. Next: `project`.

use rusqlite::Connection;

use super::StoreError;

/// The format of this version: how many of the steps below were taken.
pub(super) const FORMAT: i64 = 5;

/// Milliseconds that a writer waits for another one.
const BUSY_MS: u64 = 10_000;

/// What makes each format of the one before. A step that was released is never changed.
const STEPS: [&str; 5] = [FIRST, SECOND, THIRD, FOURTH, FIFTH];

pub(super) const FIRST: &str = "
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

const SECOND: &str = "
CREATE TABLE note_texts (
    project TEXT NOT NULL REFERENCES projects (id), number INTEGER NOT NULL, at INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (project, number, at)
) WITHOUT ROWID;
CREATE TABLE note_meanings (note INTEGER PRIMARY KEY, model TEXT NOT NULL, vector BLOB NOT NULL);
CREATE INDEX notes_of_group ON notes (project, grouped) WHERE grouped IS NOT NULL;
ALTER TABLE specifications ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE artefacts ADD COLUMN media TEXT NOT NULL DEFAULT 'text/markdown';
ALTER TABLE artefacts ADD COLUMN person TEXT NOT NULL DEFAULT '';
CREATE VIRTUAL TABLE document_words USING fts5 (
    project UNINDEXED, sort UNINDEXED, name, text, tokenize = 'porter unicode61'
);
INSERT INTO document_words (project, sort, name, text)
    SELECT project, 'specification', name, content FROM specifications;
INSERT INTO document_words (project, sort, name, text)
    SELECT project, 'artefact', name, content FROM artefacts AS one WHERE version =
        (SELECT max(version) FROM artefacts AS other WHERE other.project = one.project AND other.name = one.name);
ALTER TABLE jobs ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN done INTEGER;
ALTER TABLE jobs ADD COLUMN whole INTEGER;
ALTER TABLE jobs ADD COLUMN remark TEXT NOT NULL DEFAULT '';
UPDATE jobs SET number = (SELECT count(*) FROM jobs AS other WHERE other.project = jobs.project AND other.id <= jobs.id);
CREATE UNIQUE INDEX jobs_by_number ON jobs (project, number);
CREATE INDEX members_of_project ON members (project);
CREATE TABLE invitations (
    project TEXT NOT NULL REFERENCES projects (id), person TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (person, project)
) WITHOUT ROWID;
CREATE TABLE undoing (
    id INTEGER PRIMARY KEY, person TEXT NOT NULL, project TEXT, change TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE INDEX undoing_of_person ON undoing (person, id DESC);
CREATE TABLE own_models (person TEXT PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID;
";

/// What is to be worked out stands apart, and notes are counted in an index: looking through all of them is what each
/// new note would wait for.
const THIRD: &str = "
CREATE TABLE meanings_wanted (note INTEGER PRIMARY KEY);
INSERT INTO meanings_wanted (note) SELECT id FROM notes LEFT JOIN note_meanings ON note = id WHERE note IS NULL;
CREATE INDEX meanings_of_model ON note_meanings (model);
CREATE INDEX notes_by_state ON notes (project, state, expires_at, number);
";

/// How many lasting notes stand where is counted as they come and go, and what somebody said last stands in an index:
/// every reply that tells how things stand waits for the one, and every reply of a model for the other.
const FOURTH: &str = "
CREATE TABLE note_counts (
    project TEXT NOT NULL, state TEXT NOT NULL, notes INTEGER NOT NULL, PRIMARY KEY (project, state)
) WITHOUT ROWID;
INSERT INTO note_counts (project, state, notes)
    SELECT project, state, count(*) FROM notes WHERE expires_at IS NULL GROUP BY project, state;
CREATE TRIGGER note_counted AFTER INSERT ON notes WHEN new.expires_at IS NULL BEGIN
    INSERT INTO note_counts (project, state, notes) VALUES (new.project, new.state, 1)
        ON CONFLICT (project, state) DO UPDATE SET notes = notes + 1;
END;
CREATE TRIGGER note_uncounted AFTER DELETE ON notes WHEN old.expires_at IS NULL BEGIN
    UPDATE note_counts SET notes = notes - 1 WHERE project = old.project AND state = old.state;
END;
CREATE TRIGGER note_counted_elsewhere AFTER UPDATE OF state, expires_at ON notes BEGIN
    UPDATE note_counts SET notes = notes - 1
        WHERE old.expires_at IS NULL AND project = old.project AND state = old.state;
    INSERT INTO note_counts (project, state, notes) SELECT new.project, new.state, 1 WHERE new.expires_at IS NULL
        ON CONFLICT (project, state) DO UPDATE SET notes = notes + 1;
END;
CREATE INDEX turns_of_person_latest ON turns (person, id);
";

/// How a change left what it changed stands beside what takes it back, so that what others did since is not undone.
const FIFTH: &str = "
ALTER TABLE undoing ADD COLUMN left TEXT;
CREATE INDEX undoing_of_project ON undoing (project, id DESC);
";

pub(super) fn prepare(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(std::time::Duration::from_millis(BUSY_MS))?;
    // Answers with the mode it is in, which in memory is another one.
    let _: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
    connection.execute_batch("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")?;
    let made = make(connection);
    connection.execute_batch(if made.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
    made
}

fn make(connection: &Connection) -> Result<(), StoreError> {
    let found: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let taken = usize::try_from(found).unwrap_or(usize::MAX);
    let Some(steps) = STEPS.get(taken..) else { return Err(StoreError::Newer { found, known: FORMAT }) };
    for step in steps {
        connection.execute_batch(step)?;
    }
    if !steps.is_empty() {
        connection.pragma_update(None, "user_version", FORMAT)?;
    }
    Ok(())
}

/// Statements that are kept ready: more than there are different ones.
const STATEMENTS_KEPT: usize = 128;
