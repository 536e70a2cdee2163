//! What large files hold: their columns with types, and how each has to be read. Parquet says so itself. The types of a
//! CSV file are guessed from its beginning and then tried on every row, because a value that does not fit would only
//! show when somebody asks for it. Next: `csv`, `mod`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use duckdb::Connection;

use super::super::super::assemble::{file_name, stem};
use super::super::super::discover::{FileFormat, Format, Found};
use super::super::super::names::{DistinctNames, quoted};
use super::super::super::stamp::{self, Marks};
use super::super::super::{ColumnKind, Comments, SourceColumn, SourceError, limits};
use super::super::{ServerContents, ServerTable};
use super::csv;
use super::{message, text};

/// A file that is read in place.
pub struct InPlace {
    /// Where it is.
    pub path: PathBuf,
    /// What it looked like when it was described.
    pub marks: Marks,
}

/// How a file is read: a table function over it, and the types of its columns.
pub struct Reading {
    /// The table function.
    pub from: String,
    /// Names and types of the columns.
    pub columns: Vec<(String, String)>,
    /// Rows.
    pub rows: u64,
    /// What was noticed.
    pub notes: Vec<String>,
}

/// Looks at each file and makes a view of it; gives the files by the name of their stamp too.
pub fn describe(
    connection: &Connection,
    files: &[Found],
) -> Result<(ServerContents, BTreeMap<String, InPlace>), SourceError> {
    let (mut contents, mut known, mut names) = (ServerContents::default(), BTreeMap::new(), DistinctNames::default());
    for found in files {
        let path = &found.path;
        let unreadable = |error: std::io::Error| SourceError::unreadable(path.clone(), &error);
        // Marks come first: a write while the file is being looked at must count as a change.
        let marks = Marks::read(path).map_err(unreadable)?;
        let name = names.claim(&stem(path));
        let is_parquet = found.format == Format::File(FileFormat::Parquet);
        let reading = if is_parquet { parquet(connection, path)? } else { csv::read(connection, path)? };
        let stamp = stamp::stamp(&file_name(path), path).map_err(unreadable)?;
        known.insert(stamp.name.clone(), InPlace { path: path.clone(), marks });
        let columns = view(connection, path, &name, &reading)?;
        // Of a file that is compressed by columns some rows are quickly found anywhere; of others those at the start.
        let sampled = is_parquet && reading.rows > ROWS_SAMPLED;
        let sample_name = sampled.then(|| {
            let percent = (ROWS_SAMPLED * 100).div_ceil(reading.rows);
            format!("(SELECT * FROM {} USING SAMPLE {percent}% (system, 1))", quoted(&name))
        });
        let mut notes = vec![IN_PLACE.to_owned()];
        notes.extend(reading.notes);
        contents.tables.push(ServerTable {
            schema: "files".to_owned(),
            sql_name: quoted(&name),
            name,
            sample_name,
            columns,
            rows: reading.rows,
            is_view: false,
            references: Vec::new(),
            comments: Comments::default(),
            notes,
            stamp,
        });
    }
    let listed: Vec<String> = contents.tables.iter().map(|table| table.stamp.name.clone()).collect();
    contents.notes.push(format!(
        "{} {} larger than {} MiB together (Parquet counted {} times), so DuckDB reads {} in place.",
        turnwise_core::text::listed(&listed),
        if listed.len() == 1 { "is" } else { "are" },
        limits::LARGE_BYTES_MIN >> 20,
        limits::PARQUET_WEIGHT,
        if listed.len() == 1 { "it" } else { "them" },
    ));
    Ok((contents, known))
}

/// The columns of a table function.
pub fn columns(connection: &Connection, path: &Path, from: &str) -> Result<Vec<(String, String)>, SourceError> {
    let damaged = |error: duckdb::Error| broken(path, &error);
    let sql = format!("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {from})");
    let mut statement = connection.prepare(&sql).map_err(damaged)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(damaged)?;
    let found: Vec<(String, String)> = rows.collect::<Result<_, _>>().map_err(damaged)?;
    if found.len() > limits::COLUMNS_MAX {
        let what = format!("Columns of {}", path.display());
        return Err(SourceError::TooMany { what, count: found.len(), limit: limits::COLUMNS_MAX });
    }
    Ok(found)
}

/// What the engine says of a file.
pub fn broken(path: &Path, error: &duckdb::Error) -> SourceError {
    SourceError::Damaged { path: path.to_owned(), problem: message(error) }
}

fn parquet(connection: &Connection, path: &Path) -> Result<Reading, SourceError> {
    let from = format!("read_parquet({})", text(&path.to_string_lossy()));
    let mut columns = columns(connection, path, &from)?;
    let count = format!("SELECT COUNT(*) FROM {from}");
    let rows = connection.query_row(&count, [], |row| row.get(0)).map_err(|error| broken(path, &error))?;
    for (name, kind) in &mut columns {
        if kind == "VARCHAR" && holds_dates(connection, path, &from, name)? {
            "TEXT DATE".clone_into(kind);
        }
    }
    Ok(Reading { from, columns, rows, notes: Vec::new() })
}

/// Whether all texts of a column are ISO dates: programs often write dates as strings. Most columns tell at once.
fn holds_dates(connection: &Connection, path: &Path, from: &str, name: &str) -> Result<bool, SourceError> {
    let name = quoted(name);
    let all = |rows: &str| {
        let sql = format!(
            "SELECT COUNT({name}) > 0 AND COUNT({name}) = COUNT(*) FILTER ({name} SIMILAR TO \
             '[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}.*' AND TRY_CAST({name} AS TIMESTAMP) IS NOT NULL) FROM {rows}"
        );
        connection.query_row(&sql, [], |row| row.get::<_, bool>(0)).map_err(|error| broken(path, &error))
    };
    Ok(all(&format!("(SELECT {name} FROM {from} LIMIT {LOOKED_AT})"))? && all(from)?)
}

/// Makes the file a view with tidy names and types that can be read.
fn view(
    connection: &Connection,
    path: &Path,
    table: &str,
    reading: &Reading,
) -> Result<Vec<SourceColumn>, SourceError> {
    let mut notes = Vec::new();
    let wanted = reading.columns.iter().map(|(name, _)| name.as_str());
    let names = super::super::super::fill::column_names(path, wanted, &mut notes)?;
    let (mut listed, mut columns) = (Vec::new(), Vec::new());
    for ((own, declared), name) in reading.columns.iter().zip(names) {
        let (kind, made) = kind_of(declared);
        let made = made.map_or_else(|| quoted(own), |made| made.replace("{}", &quoted(own)));
        listed.push(format!("{made} AS {}", quoted(&name)));
        columns.push(SourceColumn { name, kind, primary_key: false });
    }
    let sql = format!("CREATE VIEW {} AS SELECT {} FROM {}", quoted(table), listed.join(", "), reading.from);
    connection.execute_batch(&sql).map_err(|error| broken(path, &error))?;
    Ok(columns)
}

/// What a column holds, and what it has to be made to be read.
fn kind_of(declared: &str) -> (ColumnKind, Option<&'static str>) {
    match declared {
        "TINYINT" | "SMALLINT" | "INTEGER" | "BIGINT" | "HUGEINT" | "UTINYINT" | "USMALLINT" | "UINTEGER"
        | "UBIGINT" | "UHUGEINT" => (ColumnKind::Integer, None),
        "FLOAT" | "DOUBLE" => (ColumnKind::Real, None),
        "BOOLEAN" => (ColumnKind::Boolean, None),
        "DATE" | "TIMESTAMP" => (ColumnKind::Date, None),
        "TEXT DATE" | "TIMESTAMP_S" | "TIMESTAMP_MS" | "TIMESTAMP_NS" => {
            (ColumnKind::Date, Some("CAST({} AS TIMESTAMP)"))
        }
        // In UTC, without the zones that a computer knows.
        "TIMESTAMP WITH TIME ZONE" => (ColumnKind::Date, Some("make_timestamp(epoch_us({}))")),
        "VARCHAR" => (ColumnKind::Text, None),
        "BLOB" => (ColumnKind::Blob, None),
        _ if declared.starts_with("DECIMAL") && declared.ends_with(",0)") => (ColumnKind::Integer, None),
        _ if declared.starts_with("DECIMAL") => (ColumnKind::Real, None),
        _ => (ColumnKind::Text, Some("CAST({} AS VARCHAR)")),
    }
}

/// Said of each table.
const IN_PLACE: &str = "It is large, so it is read in place by DuckDB and not loaded.";

/// Rows looked at for values.
const ROWS_SAMPLED: u64 = 500_000;

/// Rows looked at to see whether all have to be.
const LOOKED_AT: usize = 1_000;
