//! The workbench: everything a person named as data, ready to be queried. Files are loaded once into memory, databases
//! are read in place; queries run in parallel on connections that can only read. Next: `engine` and `guard`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql};
use turnwise_assistant::Progress;
use turnwise_core::{Cell, SourceStamp, Table};

use super::address::{self, Address};
use super::cache::Looks;
use super::discover::{DocumentFile, Found};
use super::engine::Engine;
use super::guard::{Interruption, Watch};
use super::server::{self, Server, ServerContents};
use super::stamp::{Freshness, Marks};
use super::{EngineId, QueryError, SourceError, SourceTable, assemble, limits, stamp};
use turnwise_assistant::digest::{self, RowDigest};

/// Tables loaded or attached, and the engine that reads them. Share it in an `Arc`; queries block, so run them where
/// blocking is fine.
#[derive(Debug)]
pub struct Workbench {
    engine: Engine,
    servers: Vec<Server>,
    tables: Vec<SourceTable>,
    /// For each table of a file, which come first, where it comes from.
    origins: Vec<Origin>,
    notes: Vec<String>,
    documents: Vec<DocumentFile>,
    pub(super) looks: Mutex<Looks>,
}

/// How data is opened.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a> {
    /// Files that together weigh more bytes than this count as large: those are read in place, by an engine for large
    /// files, if this build has one.
    pub large: u64,
    /// Files that go by another name than they have on the disk: their tables are called by it.
    pub called: &'a BTreeMap<PathBuf, String>,
    /// The folder in which what large files became is kept for the next time; without one nothing is kept.
    pub cache: Option<&'a Path>,
    /// Where it is told how far it is.
    pub progress: &'a Progress,
}

impl<'a> Opening<'a> {
    /// As files are called, with nothing kept.
    #[must_use]
    pub fn plain(progress: &'a Progress) -> Self {
        static AS_ON_DISK: BTreeMap<PathBuf, String> = BTreeMap::new();
        Self { large: limits::LARGE_BYTES_MIN, called: &AS_ON_DISK, cache: None, progress }
    }
}

/// Where a table comes from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The file.
    pub path: PathBuf,
    /// What it looked like when it was loaded or attached.
    pub marks: Marks,
    /// Whether queries read the file itself or what was loaded from it.
    pub reading: Reading,
}

/// What queries read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// What was loaded from the file at the start.
    Loaded,
    /// The database file as it is at the time of the query.
    InPlace,
}

/// How much a query may give and take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueryLimits {
    /// Rows kept; the rest is counted only.
    pub rows_max: usize,
    /// Time it may take.
    pub timeout: Duration,
}

impl Workbench {
    /// Loads files, attaches databases and connects to servers: CSV, TSV, Parquet, JSON lines, SQLite, folders of them,
    /// and addresses such as `postgres://host/database`.
    ///
    /// # Errors
    /// The first thing that cannot be read as a whole; nothing is loaded in part.
    pub fn open(paths: &[PathBuf]) -> Result<Self, SourceError> {
        Self::open_by(paths, &Opening::plain(&Progress::default()))
    }

    /// The same, where files that together weigh more than `large` bytes count as large.
    ///
    /// # Errors
    /// As [`Workbench::open`].
    pub fn open_with(paths: &[PathBuf], large: u64) -> Result<Self, SourceError> {
        Self::open_by(paths, &Opening { large, ..Opening::plain(&Progress::default()) })
    }

    /// The same, as it is said how.
    ///
    /// # Errors
    /// As [`Workbench::open`].
    pub fn open_by(paths: &[PathBuf], opening: &Opening<'_>) -> Result<Self, SourceError> {
        let (addresses, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
            paths.iter().partition(|path| address::is_address(path));
        let files: Vec<PathBuf> = files.into_iter().cloned().collect();
        let mut assembled = if files.is_empty() && !addresses.is_empty() {
            assemble::nothing()
        } else {
            assemble::assemble(&files, opening)
        }?;
        let (tables, origins) = assembled.tables.drain(..).unzip();
        let assemble::Assembled { engine, notes, documents, large, looks, .. } = assembled;
        let looks = Mutex::new(looks);
        let mut bench = Self { engine, servers: Vec::new(), tables, origins, notes, documents, looks };
        bench.read_in_place(&large)?;
        for address in addresses {
            bench.connect(&Address::parse(&address.to_string_lossy())?)?;
        }
        Ok(bench)
    }

    fn connect(&mut self, address: &Address) -> Result<(), SourceError> {
        let (server, contents) = Server::open(address)?;
        self.take_in(server, contents);
        Ok(())
    }

    #[cfg(feature = "duckdb")]
    fn read_in_place(&mut self, large: &[Found]) -> Result<(), SourceError> {
        if !large.is_empty() {
            let (engine, contents) = Server::open_files(large)?;
            self.take_in(engine, contents);
        }
        Ok(())
    }

    /// Without an engine for them, `assemble` finds no file large.
    #[cfg(not(feature = "duckdb"))]
    fn read_in_place(&self, large: &[Found]) -> Result<(), SourceError> {
        debug_assert!(large.is_empty() && self.servers.is_empty());
        Ok(())
    }

    fn take_in(&mut self, server: Server, mut contents: ServerContents) {
        self.notes.append(&mut contents.notes);
        // The engine in this process is the first.
        let engine = EngineId(self.servers.len() + 1);
        let mut tables = server::name_tables(contents, engine, server.dialect(), &self.tables);
        self.tables.append(&mut tables);
        self.servers.push(server);
    }

    /// The tables, in the order named.
    #[must_use]
    pub fn tables(&self) -> &[SourceTable] {
        &self.tables
    }

    /// The files that the data is read from.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = self.origins.iter().map(|origin| origin.path.clone()).collect();
        files.extend(self.servers.iter().flat_map(Server::files));
        files.dedup();
        files
    }

    /// The documents named, or found in folders; they are searched and not queried.
    #[must_use]
    pub fn documents(&self) -> &[DocumentFile] {
        &self.documents
    }

    /// What was noticed that belongs to no one table: files passed over, views that cannot be read.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Runs one `SELECT` over these tables, by their names, where they are.
    ///
    /// # Errors
    /// As [`Workbench::query`], and when no one engine has all of them.
    pub fn query_over(
        &self,
        tables: &[String],
        sql: &str,
        parameters: &[Cell],
        limits: QueryLimits,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Result<Table, QueryError> {
        match self.server_of(tables)? {
            Some(server) => server.query(sql, parameters, limits, stop),
            None => self.query(sql, parameters, limits, stop),
        }
    }

    /// A look at the data while it is being learned what is there: as [`Workbench::query_over`], but what came of the
    /// same look before is given again where the data is files that were loaded and are cached.
    ///
    /// # Errors
    /// As [`Workbench::query_over`].
    pub fn look(&self, tables: &[String], sql: &str, limits: QueryLimits) -> Result<Table, QueryError> {
        let is_loaded = self.servers.is_empty() && self.origins.iter().all(|origin| origin.reading == Reading::Loaded);
        if !is_loaded {
            return self.query_over(tables, sql, &[], limits, || false);
        }
        let name = format!("{} {sql}", limits.rows_max);
        let looks = || self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = looks().known(&name) {
            return Ok(known);
        }
        let found = self.query_over(tables, sql, &[], limits, || false)?;
        looks().learn(&name, &found);
        Ok(found)
    }

    /// Nothing more is looked at: what came of it is kept for the next time. Where it cannot be, it is looked at again
    /// then.
    pub fn looked(&mut self) {
        let kept = self.looks.get_mut().unwrap_or_else(PoisonError::into_inner).keep();
        if let Err(error) = kept {
            self.notes.push(format!("What was learned of these files could not be kept for the next start ({error})."));
        }
    }

    /// Runs one `SELECT` over files and attached databases. Blocks; several threads may query at once. `stop` is asked
    /// every few thousand instructions.
    ///
    /// # Errors
    /// Refused when it would do anything but read, stopped by `stop` or the time limit, or wrong.
    pub fn query(
        &self,
        sql: &str,
        parameters: &[Cell],
        limits: QueryLimits,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Result<Table, QueryError> {
        Ok(self.ask(sql, parameters, limits, stop, None)?.0)
    }

    /// The same over these tables, by their names, where they are, with the digest of all rows: also of those that are
    /// only counted. A server sends no more rows than are asked for, so there the digest is that of the rows a fact
    /// keeps, however many were asked for.
    ///
    /// # Errors
    /// As [`Workbench::query_over`].
    pub fn sealed(
        &self,
        tables: &[String],
        sql: &str,
        parameters: &[Cell],
        limits: QueryLimits,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Result<(Table, String), QueryError> {
        if let Some(server) = self.server_of(tables)? {
            let table = server.query(sql, parameters, limits, stop)?;
            let digest = digest::of_first(&table, turnwise_core::limits::FACT_ROWS_MAX);
            return Ok((table, digest));
        }
        let (table, digest) = self.ask(sql, parameters, limits, stop, Some(RowDigest::begin))?;
        Ok((table, digest.map(RowDigest::end).unwrap_or_default()))
    }

    /// The server that has all of these tables; none when the engine of this process has them.
    fn server_of(&self, tables: &[String]) -> Result<Option<&Server>, QueryError> {
        let mut engines = self.tables.iter().filter(|table| tables.contains(&table.name)).map(|table| table.engine);
        let engine = engines.next().unwrap_or_default();
        if engines.any(|other| other != engine) {
            return Err(QueryError::Apart { tables: tables.join(" and ") });
        }
        Ok(engine.0.checked_sub(1).and_then(|at| self.servers.get(at)))
    }

    fn ask(
        &self,
        sql: &str,
        parameters: &[Cell],
        limits: QueryLimits,
        stop: impl Fn() -> bool + Send + 'static,
        digest: Option<fn(&[String]) -> RowDigest>,
    ) -> Result<(Table, Option<RowDigest>), QueryError> {
        let mut connection = self.engine.take().map_err(|error| query_error(&error, None, limits))?;
        let watch = Watch::begin(&mut connection, Instant::now().checked_add(limits.timeout), stop)
            .map_err(|error| query_error(&error, None, limits))?;
        let result = run(&connection, sql, parameters, limits.rows_max, digest);
        let ended = Watch::end(&mut connection);
        let found = result.map_err(|error| query_error(&error, watch.interruption(), limits))?;
        // A connection that failed is not kept: opening another is cheap, and what state it is in is not ours to guess.
        if ended.is_ok() {
            self.engine.give_back(connection);
        }
        Ok(found)
    }

    /// What a query over the table reads now: the stamp of loading for files, a fresh one for a database that changed.
    ///
    /// # Errors
    /// The database is gone or no longer readable.
    pub fn current_stamp(&self, table: &SourceTable) -> Result<SourceStamp, SourceError> {
        if let Some(server) = self.server(table) {
            return server.stamp(&table.stamp);
        }
        match self.origin(table) {
            Some(origin) if origin.reading == Reading::InPlace && freshness(origin) != Freshness::Unchanged => {
                stamp::stamp(&table.stamp.name, &origin.path)
                    .map_err(|error| SourceError::unreadable(origin.path.clone(), &error))
            }
            Some(_) | None => Ok(table.stamp.clone()),
        }
    }

    /// The file with exactly this content, if there is one.
    #[must_use]
    pub fn holding(&self, fingerprint: &str) -> Option<&Path> {
        let at = self.tables.iter().position(|table| table.stamp.fingerprint == fingerprint)?;
        self.origins.get(at).map(|origin| origin.path.as_path())
    }

    /// Whether the table's source has changed since it was loaded; compares size and modification time only.
    #[must_use]
    pub fn freshness(&self, table: &SourceTable) -> Freshness {
        if let Some(server) = self.server(table) {
            return match server.stamp(&table.stamp) {
                Ok(stamp) if stamp == table.stamp => Freshness::Unchanged,
                Ok(_) => Freshness::Changed,
                Err(_) => Freshness::Missing,
            };
        }
        self.origin(table).map_or(Freshness::Missing, freshness)
    }

    fn server(&self, table: &SourceTable) -> Option<&Server> {
        self.servers.get(table.engine.0.checked_sub(1)?)
    }

    fn origin(&self, table: &SourceTable) -> Option<&Origin> {
        let index = self.tables.iter().position(|known| known.name == table.name)?;
        self.origins.get(index)
    }
}

fn freshness(origin: &Origin) -> Freshness {
    match Marks::read(&origin.path) {
        Ok(marks) if marks == origin.marks => Freshness::Unchanged,
        Ok(_) => Freshness::Changed,
        Err(_) => Freshness::Missing,
    }
}

fn run(
    connection: &Connection,
    sql: &str,
    parameters: &[Cell],
    rows_max: usize,
    digest: Option<fn(&[String]) -> RowDigest>,
) -> rusqlite::Result<(Table, Option<RowDigest>)> {
    let mut statement = connection.prepare(sql)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let parameters: Vec<Parameter<'_>> = parameters.iter().map(Parameter).collect();
    let mut rows = statement.query(rusqlite::params_from_iter(parameters))?;
    let mut digest = digest.map(|begin| begin(&columns));
    let mut table = Table { columns, rows: Vec::new(), total_rows: 0 };
    while let Some(row) = rows.next()? {
        table.total_rows += 1;
        let is_kept = table.rows.len() < rows_max;
        if !is_kept && digest.is_none() {
            continue;
        }
        let cells: Vec<Cell> =
            (0..table.columns.len()).map(|index| cell(row.get_ref(index)?)).collect::<Result<_, _>>()?;
        if let Some(digest) = &mut digest {
            digest.row(&cells);
        }
        if is_kept {
            table.rows.push(cells);
        }
    }
    Ok((table, digest))
}

fn cell(value: ValueRef<'_>) -> rusqlite::Result<Cell> {
    Ok(match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        // Read as no value it would pass for a group without numbers.
        ValueRef::Real(number) if number.is_infinite() => {
            return Err(rusqlite::Error::UserFunctionError(REAL_OVERFLOW.into()));
        }
        ValueRef::Real(number) => Cell::real(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        // Bytes are never shown; their size says that there is something.
        ValueRef::Blob(bytes) => Cell::Text(format!("({} bytes)", bytes.len())),
    })
}

struct Parameter<'a>(&'a Cell);

impl ToSql for Parameter<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Cell::Null => ValueRef::Null,
            Cell::Integer(number) => ValueRef::Integer(*number),
            Cell::Real(number) => ValueRef::Real(*number),
            Cell::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

fn query_error(error: &rusqlite::Error, interruption: Option<Interruption>, limits: QueryLimits) -> QueryError {
    match interruption {
        Some(Interruption::Stopped) => return QueryError::Stopped,
        Some(Interruption::TimedOut) => return QueryError::TimedOut { seconds: limits.timeout.as_secs() },
        None => {}
    }
    let message = bare_message(error);
    match error.sqlite_error_code() {
        Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => {
            QueryError::Refused { reason: message }
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => QueryError::Busy,
        Some(
            ErrorCode::CannotOpen
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase
            | ErrorCode::SystemIoFailure
            | ErrorCode::PermissionDenied,
        ) => QueryError::SourceGone { message },
        _ => match error {
            rusqlite::Error::MultipleStatement => {
                QueryError::Refused { reason: "it is more than one statement".to_owned() }
            }
            // Functions are refused with the general error code, so only the words tell.
            rusqlite::Error::SqlInputError { msg, .. } if msg.starts_with("not authorized") => {
                QueryError::Refused { reason: message }
            }
            rusqlite::Error::SqlInputError { .. }
            | rusqlite::Error::InvalidParameterCount(..)
            | rusqlite::Error::NulError(_) => QueryError::Wrong { message },
            _ if message == "integer overflow" => QueryError::Failed { message: OVERFLOW.to_owned() },
            _ => QueryError::Failed { message },
        },
    }
}

/// What a sum too large says: a rounded one would look as exact as any other.
const OVERFLOW: &str = "the total is larger than the largest whole number, 9223372036854775807; ask for the average, or \
                        for a smaller part of it";

/// What real numbers too large say: the engine goes on with infinity, which is no number to be told.
pub const REAL_OVERFLOW: &str = "a number of it is larger than the largest real number that can be held, about 1.8e308, \
                                 so there is no result that could be told; ask for a smaller part of it";

/// The engine's words without the statement, which the caller has.
fn bare_message(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
        other => other.to_string(),
    }
}
