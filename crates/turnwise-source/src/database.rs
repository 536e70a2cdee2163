//! SQLite databases of people: opened in place for reading only, their tables and views described for the planner.
//! What a column holds is taken from its declaration and checked against values, because SQLite enforces neither.
//! Next: `declared` for the rules, `engine` for how databases are attached.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rusqlite::{Connection, ErrorCode};
use serde::{Deserialize, Serialize};

use super::declared::Sample;
use super::engine::{self, Database};
use super::guard::Watch;
use super::{ForeignKey, SourceColumn, SourceError, limits, names};

/// The first bytes of every SQLite database.
pub const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// A table or view as the database has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Described {
    /// Its name in the database.
    pub name: String,
    /// Its columns in order.
    pub columns: Vec<SourceColumn>,
    /// Its rows now.
    pub rows: u64,
    /// Whether it is a view.
    pub is_view: bool,
    /// Its foreign keys; tables are named as the database names them.
    pub foreign_keys: Vec<ForeignKey>,
    /// What was noticed.
    pub notes: Vec<String>,
}

/// What a database holds.
#[derive(Debug, Default)]
pub struct Contents {
    /// Tables and views in the order of the schema.
    pub tables: Vec<Described>,
    /// What was left out and why, one sentence each.
    pub notes: Vec<String>,
}

/// Describes every table and view of the database.
pub fn describe(database: &Database) -> Result<Contents, SourceError> {
    check_header(&database.path)?;
    let failed = |error: rusqlite::Error| opening_error(&database.path, &error);
    let mut connection = engine::inspect(database).map_err(failed)?;
    let listed = list(&connection, &database.schema).map_err(failed)?;
    let mut contents = Contents::default();
    for (name, is_view) in listed {
        let described = if is_view {
            describe_view(&mut connection, &database.schema, &name)
        } else {
            describe_table(&connection, &database.schema, &name)
        };
        match described {
            Ok(table) => contents.tables.push(table),
            Err(error) if is_damage(&error) => return Err(failed(error)),
            Err(error) => contents.notes.push(left_out(&name, &error)),
        }
    }
    if contents.tables.is_empty() && contents.notes.is_empty() {
        return Err(SourceError::Empty { path: database.path.clone(), what: "no table" });
    }
    Ok(contents)
}

/// Tables and views with whether they are views; SQLite's own tables and the shadows of virtual ones are left out.
fn list(connection: &Connection, schema: &str) -> rusqlite::Result<Vec<(String, bool)>> {
    let sql = format!(
        "SELECT l.name, l.type = 'view' FROM pragma_table_list AS l JOIN {}.sqlite_schema AS s ON s.name = l.name \
         WHERE l.schema = ?1 AND l.type IN ('table', 'view', 'virtual') AND l.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
         ORDER BY s.rowid",
        names::quoted(schema)
    );
    connection.prepare(&sql)?.query_map([schema], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

fn describe_table(connection: &Connection, schema: &str, name: &str) -> rusqlite::Result<Described> {
    let from = format!("{}.{}", names::quoted(schema), names::quoted(name));
    let rows = connection.query_row(&format!("SELECT COUNT(*) FROM {from}"), [], |row| row.get::<_, i64>(0))?;
    let (columns, notes) = describe_columns(connection, schema, name)?;
    Ok(Described {
        name: name.to_owned(),
        columns,
        rows: u64::try_from(rows).unwrap_or(0),
        is_view: false,
        foreign_keys: foreign_keys(connection, schema, name)?,
        notes,
    })
}

/// A view may hide any amount of work, so describing it has a deadline.
fn describe_view(connection: &mut Connection, schema: &str, name: &str) -> rusqlite::Result<Described> {
    let deadline = Instant::now().checked_add(limits::VIEW_TIME_MAX);
    Watch::begin(connection, deadline, || false)?;
    let described = describe_table(connection, schema, name);
    Watch::end(connection)?;
    described.map(|described| Described { is_view: true, ..described })
}

fn left_out(name: &str, error: &rusqlite::Error) -> String {
    if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) {
        let seconds = limits::VIEW_TIME_MAX.as_secs();
        return format!(
            "The view {name} is left out because counting its rows takes more than {seconds} seconds; store it as a \
             table to use it."
        );
    }
    format!("{name} is left out because it cannot be read: {error}.")
}

fn describe_columns(
    connection: &Connection,
    schema: &str,
    table: &str,
) -> rusqlite::Result<(Vec<SourceColumn>, Vec<String>)> {
    let declared: Vec<(String, String, bool)> = connection
        .prepare("SELECT name, type, pk > 0 FROM pragma_table_xinfo(?1, ?2) WHERE hidden <> 1 ORDER BY cid")?
        .query_map([table, schema], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let samples = sample(connection, schema, table, &declared)?;
    let mut notes = Vec::new();
    let mut columns = Vec::with_capacity(declared.len());
    for ((name, declaration, primary_key), sample) in declared.into_iter().zip(samples) {
        let (kind, note) = sample.judge(&name, &declaration);
        notes.extend(note);
        columns.push(SourceColumn { name, kind, primary_key });
    }
    Ok((columns, notes))
}

fn sample(
    connection: &Connection,
    schema: &str,
    table: &str,
    columns: &[(String, String, bool)],
) -> rusqlite::Result<Vec<Sample>> {
    let listed: Vec<String> = columns.iter().map(|(name, ..)| names::quoted(name)).collect();
    let sql = format!(
        "SELECT {} FROM {}.{} LIMIT {}",
        listed.join(", "),
        names::quoted(schema),
        names::quoted(table),
        limits::SAMPLE_ROWS
    );
    let mut samples = vec![Sample::default(); columns.len()];
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        for (index, sample) in samples.iter_mut().enumerate() {
            sample.add(row.get_ref(index)?);
        }
    }
    Ok(samples)
}

fn foreign_keys(connection: &Connection, schema: &str, table: &str) -> rusqlite::Result<Vec<ForeignKey>> {
    let mut statement = connection
        .prepare("SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?1, ?2) ORDER BY id DESC, seq")?;
    let mut rows = statement.query([table, schema])?;
    let mut keys: Vec<(i64, ForeignKey)> = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, referred): (i64, Option<String>) = (row.get(0)?, row.get(3)?);
        if keys.last().is_none_or(|(last, _)| *last != id) {
            keys.push((id, ForeignKey { columns: Vec::new(), table: row.get(1)?, referred: Vec::new() }));
        }
        if let Some((_, key)) = keys.last_mut() {
            key.columns.push(row.get(2)?);
            key.referred.extend(referred);
        }
    }
    let mut keys: Vec<ForeignKey> = keys.into_iter().map(|(_, key)| key).collect();
    for key in keys.iter_mut().filter(|key| key.referred.is_empty()) {
        // `REFERENCES parent` without columns means its primary key.
        key.referred = connection
            .prepare("SELECT name FROM pragma_table_info(?1, ?2) WHERE pk > 0 ORDER BY pk")?
            .query_map([key.table.as_str(), schema], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
    }
    keys.retain(|key| key.columns.len() == key.referred.len());
    Ok(keys)
}

/// Refuses what is no database before SQLite does, because it can only say "not a database" to all of these.
fn check_header(path: &Path) -> Result<(), SourceError> {
    let unreadable = |error: std::io::Error| SourceError::unreadable(path.to_owned(), &error);
    let mut start = Vec::new();
    File::open(path).map_err(unreadable)?.take(4096).read_to_end(&mut start).map_err(unreadable)?;
    if start.starts_with(MAGIC) {
        return Ok(());
    }
    let path = path.to_owned();
    if start.is_empty() {
        return Err(SourceError::Empty { path, what: "no byte" });
    }
    if start.starts_with(b"PK") || start.starts_with(&[0x1F, 0x8B]) {
        return Err(SourceError::NotADatabase { path, found: "it is a compressed archive, to be unpacked first" });
    }
    if std::str::from_utf8(&start).is_ok() {
        return Err(SourceError::NotADatabase { path, found: "it holds text" });
    }
    if looks_random(&start) {
        return Err(SourceError::Encrypted { path });
    }
    Err(SourceError::NotADatabase { path, found: "it does not begin as one" })
}

/// Encrypted pages are indistinguishable from random bytes: nearly eight bits of entropy a byte. Formats with a
/// structure stay well below in their first page.
fn looks_random(start: &[u8]) -> bool {
    let mut counts = [0_u32; 256];
    for &byte in start {
        counts[usize::from(byte)] += 1;
    }
    #[expect(clippy::cast_precision_loss, reason = "at most 4096 bytes")]
    let total = start.len() as f64;
    let entropy: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum();
    start.len() >= 1024 && entropy > 7.5
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure | ErrorCode::DatabaseBusy
        )
    )
}

fn opening_error(path: &Path, error: &rusqlite::Error) -> SourceError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::SystemIoFailure) => {
            SourceError::Damaged { path, problem: error.to_string() }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => SourceError::Unavailable {
            path,
            problem: "another program is writing it; try again in a moment".to_owned(),
        },
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly) => cannot_open(path, error),
        _ => SourceError::Engine { path, problem: error.to_string() },
    }
}

/// A database in WAL mode needs a shared-memory file beside it even for reading.
fn cannot_open(path: PathBuf, error: &rusqlite::Error) -> SourceError {
    let mut header = [0; 20];
    let read = File::open(&path).and_then(|mut file| file.read_exact(&mut header));
    match read {
        Err(error) => SourceError::unreadable(path, &error),
        Ok(()) if header[18] == 2 => {
            let problem = "it is in WAL mode and its folder cannot be written; copy it (with its -wal file, if there \
                           is one) to a folder of yours, or run `PRAGMA journal_mode=DELETE` on it where it can be \
                           written"
                .to_owned();
            SourceError::Unavailable { path, problem }
        }
        Ok(()) => {
            SourceError::Unavailable { path, problem: format!("the engine says \"{error}\"; check its permissions") }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Refusals that depend on rights cannot be provoked where tests run as root, so what is said is shown here.
    #[test]
    fn a_database_in_wal_mode_without_its_shared_memory_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let connection = Connection::open(&path).unwrap();
        connection.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t(x)").unwrap();
        drop(connection);
        let refused = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CANTOPEN), None);
        let error = opening_error(&path, &refused).to_string();
        assert!(error.contains("it is in WAL mode and its folder cannot be written; copy it"), "{error}");
        let busy = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY), None);
        assert!(opening_error(&path, &busy).to_string().contains("try again in a moment"));
    }
}
