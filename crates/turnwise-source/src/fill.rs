//! Filling a table of the in-memory database: one transaction, one prepared insert. Every format fills through
//! here, so that all are equally fast and nothing is ever half loaded. Next: `load`, which knows formats.

use std::path::Path;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, Statement};

use super::engine::FILES;
use super::kinds::Stored;
use super::names::{self, DistinctNames};
use super::{ColumnKind, SourceColumn, SourceError, limits};

/// Creates the table and fills it with what `write` inserts; gives the number of rows.
pub fn fill(
    connection: &mut Connection,
    path: &Path,
    table: &str,
    columns: &[SourceColumn],
    write: impl FnOnce(&mut Inserter<'_>) -> Result<(), SourceError>,
) -> Result<u64, SourceError> {
    let failed = |error: rusqlite::Error| engine_error(path, &error);
    let into = format!("{FILES}.{}", names::quoted(table));
    let transaction = connection.transaction().map_err(failed)?;
    let declared: Vec<String> =
        columns.iter().map(|column| format!("{} {}", names::quoted(&column.name), affinity(column.kind))).collect();
    transaction.execute_batch(&format!("CREATE TABLE {into} ({})", declared.join(", "))).map_err(failed)?;
    let holes = vec!["?"; columns.len()].join(", ");
    let rows = {
        let statement = transaction.prepare(&format!("INSERT INTO {into} VALUES ({holes})")).map_err(failed)?;
        let mut inserter = Inserter { statement, path, rows: 0 };
        write(&mut inserter)?;
        inserter.rows
    };
    transaction.commit().map_err(failed)?;
    Ok(rows)
}

/// Inserts rows value by value. Values not set are missing.
pub struct Inserter<'a> {
    statement: Statement<'a>,
    path: &'a Path,
    rows: u64,
}

impl Inserter<'_> {
    /// Sets the value of a column, counted from 0.
    pub fn set(&mut self, column: usize, value: &Stored<'_>) -> Result<(), SourceError> {
        let value = match value {
            Stored::Null => ValueRef::Null,
            Stored::Integer(number) => ValueRef::Integer(*number),
            Stored::Real(number) => ValueRef::Real(*number),
            Stored::Text(text) => ValueRef::Text(text.as_bytes()),
        };
        self.statement
            .raw_bind_parameter(column + 1, rusqlite::types::ToSqlOutput::Borrowed(value))
            .map_err(|error| engine_error(self.path, &error))
    }

    /// Sets bytes.
    pub fn set_bytes(&mut self, column: usize, bytes: &[u8]) -> Result<(), SourceError> {
        self.statement.raw_bind_parameter(column + 1, bytes).map_err(|error| engine_error(self.path, &error))
    }

    /// Inserts what was set, and forgets it.
    pub fn finish_row(&mut self) -> Result<(), SourceError> {
        self.statement.raw_execute().map_err(|error| engine_error(self.path, &error))?;
        self.rows += 1;
        // Clearing is a reset of flags only; without it a missing field would repeat the value above it.
        self.statement.clear_bindings();
        Ok(())
    }
}

/// The names of a file's columns: tidied, named where they are empty, numbered where they repeat.
pub fn column_names<'a>(
    path: &Path,
    wanted: impl Iterator<Item = &'a str>,
    notes: &mut Vec<String>,
) -> Result<Vec<String>, SourceError> {
    let wanted: Vec<&str> = wanted.collect();
    if wanted.len() > limits::COLUMNS_MAX {
        let what = format!("Columns of {}", path.display());
        return Err(SourceError::TooMany { what, count: wanted.len(), limit: limits::COLUMNS_MAX });
    }
    let mut taken = DistinctNames::default();
    let mut given = Vec::with_capacity(wanted.len());
    for (wanted, position) in wanted.into_iter().zip(1..) {
        let tidy = names::tidy(wanted);
        let base = if tidy.is_empty() { format!("column_{position}") } else { tidy.clone() };
        let name = taken.claim(&base);
        if tidy.is_empty() {
            notes.push(format!("Column {position} has no name in the file; it is named {name}."));
        } else if name != tidy {
            notes.push(format!("Column {position} repeats the name {tidy}; it is named {name}."));
        }
        given.push(name);
    }
    Ok(given)
}

/// An error of the engine while loading.
pub fn engine_error(path: &Path, error: &rusqlite::Error) -> SourceError {
    let path = path.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull | ErrorCode::OutOfMemory) => SourceError::TooMuch { path },
        _ => SourceError::Engine { path, problem: error.to_string() },
    }
}

fn affinity(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer | ColumnKind::Boolean => "INTEGER",
        ColumnKind::Real => "REAL",
        ColumnKind::Date | ColumnKind::Text => "TEXT",
        ColumnKind::Blob => "BLOB",
    }
}
