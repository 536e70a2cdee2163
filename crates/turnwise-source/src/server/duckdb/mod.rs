//! DuckDB: CSV and Parquet files that are too large for the memory, queried where they are. It is closed off before it
//! sees a file: no file but those named can be opened, nothing can be loaded into it, and neither can be changed any
//! more; memory and threads are bounded. A statement is checked, and stands inside of a `SELECT` of ours, so that it
//! can be nothing else. Next: `describe` for what the files hold, `value` for values.

mod csv;
mod describe;
mod value;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use duckdb::{Config, Connection, Error, InterruptHandle, params_from_iter};
use turnwise_core::{Cell, SourceStamp, Table};

use super::super::discover::Found;
use super::super::pool::Pool;
use super::super::stamp::{self, Marks};
use super::super::{QueryError, QueryLimits, SourceError};
use super::given_up::{GivenUp, STOP_CHECKED_EVERY};
use super::{ServerContents, guard};

/// DuckDB over files.
pub struct Duckdb {
    /// What the others are made of.
    first: Mutex<Connection>,
    idle: Pool<Connection>,
    /// Files with what they looked like, by the name of their stamp.
    files: BTreeMap<String, describe::InPlace>,
}

impl std::fmt::Debug for Duckdb {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Duckdb({:?})", self.files.keys())
    }
}

impl Duckdb {
    /// Looks at the files and makes each a table.
    pub fn open(files: &[Found]) -> Result<(Self, ServerContents), SourceError> {
        let path = files.first().map(|found| found.path.clone()).unwrap_or_default();
        let failed = |error: Error| SourceError::Engine { path: path.clone(), problem: error.to_string() };
        let connection = closed_off(files).map_err(failed)?;
        let (contents, files) = describe::describe(&connection, files)?;
        Ok((Self { first: Mutex::new(connection), idle: Pool::new(), files }, contents))
    }

    /// The files it reads.
    pub fn files(&self) -> Vec<PathBuf> {
        self.files.values().map(|file| file.path.clone()).collect()
    }

    fn take(&self) -> Result<Connection, Error> {
        let idle = self.idle.take(|_| true);
        idle.map_or_else(|| self.first.lock().unwrap_or_else(PoisonError::into_inner).try_clone(), Ok)
    }

    /// Runs one `SELECT`.
    pub fn query(
        &self,
        sql: &str,
        parameters: &[Cell],
        limits: QueryLimits,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Result<Table, QueryError> {
        guard::check(sql).map_err(|reason| QueryError::Refused { reason })?;
        let connection = self.take().map_err(|error| query_error(&error))?;
        let watch = Watch::begin(connection.interrupt_handle(), Instant::now().checked_add(limits.timeout), stop);
        let found = run(&connection, sql, parameters, limits.rows_max);
        match (found, watch.end()) {
            (Ok(table), None) => {
                self.idle.give_back(connection);
                Ok(table)
            }
            // It was done before it heard of it.
            (Ok(table), Some(_)) => Ok(table),
            (Err(_), Some(why)) => Err(why.told(limits)),
            (Err(error), None) => Err(query_error(&error)),
        }
    }

    /// The state of the file that `known` is a stamp of.
    pub fn stamp(&self, known: &SourceStamp) -> Result<SourceStamp, SourceError> {
        let Some(describe::InPlace { path, marks }) = self.files.get(&known.name) else { return Ok(known.clone()) };
        let unreadable = |error: std::io::Error| SourceError::unreadable(path.clone(), &error);
        if Marks::read(path).map_err(unreadable)? == *marks {
            return Ok(known.clone());
        }
        stamp::stamp(&known.name, path).map_err(unreadable)
    }
}

/// An empty database that may open these files, nothing else, and cannot be set up anew.
fn closed_off(files: &[Found]) -> Result<Connection, Error> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let config = Config::default()
        .threads(i64::try_from(threads).unwrap_or(1))?
        .with("autoinstall_known_extensions", "false")?
        .with("autoload_known_extensions", "false")?;
    let connection = Connection::open_in_memory_with_flags(config)?;
    let allowed: Vec<String> = files.iter().map(|found| text(&found.path.to_string_lossy())).collect();
    // What does not fit into the memory it is given goes here, up to a limit, and is removed with it.
    let folder = std::env::temp_dir().join(format!("turnwise-duckdb-{}", uuid::Uuid::new_v4()));
    let memory: String = connection.query_row("SELECT current_setting('memory_limit')", [], |row| row.get(0))?;
    connection.execute_batch(&format!(
        "SET memory_limit = {}; SET temp_directory = {}; SET max_temp_directory_size = '{SPILL_MAX}'; SET allowed_paths = [{}]; \
         SET enable_external_access = false; SET lock_configuration = true",
        text(&half_of_the_machine(&memory)),
        text(&folder.to_string_lossy()),
        allowed.join(", ")
    ))?;
    Ok(connection)
}

/// Half of the machine's memory, made of what the engine takes by itself: four fifths of it, as `25.1 GiB`.
fn half_of_the_machine(four_fifths: &str) -> String {
    let parts = four_fifths.split_once(' ').and_then(|(number, unit)| Some((number.parse::<f64>().ok()?, unit)));
    parts.map_or_else(|| four_fifths.to_owned(), |(number, unit)| format!("{:.1} {unit}", number * 5.0 / 8.0))
}

/// The text as SQL takes it literally.
fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn run(connection: &Connection, sql: &str, parameters: &[Cell], rows_max: usize) -> Result<Table, Error> {
    let values = || params_from_iter(parameters.iter().map(value::sent));
    // The rows keep their order; one more than is kept tells whether there are more.
    let mut statement =
        connection.prepare(&format!("SELECT * FROM (\n{sql}\n) LIMIT {}", rows_max.saturating_add(1)))?;
    let mut found = statement.query(values())?;
    let columns: Vec<String> = found.as_ref().map(duckdb::Statement::column_names).unwrap_or_default();
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let cells = (0..columns.len()).map(|at| row.get_ref(at).map(value::cell));
        rows.push(cells.collect::<Result<Vec<Cell>, Error>>()?);
    }
    let mut total_rows = rows.len() as u64;
    if rows.len() > rows_max {
        rows.truncate(rows_max);
        let counting = format!("SELECT COUNT(*) FROM (\n{sql}\n)");
        total_rows = connection.query_row(&counting, values(), |row| row.get(0))?;
    }
    Ok(Table { columns, rows, total_rows })
}

fn query_error(error: &Error) -> QueryError {
    let message = message(error);
    match message.split_once(" Error: ") {
        Some(("Permission", _)) => QueryError::Refused { reason: message },
        Some(("IO", _)) => QueryError::SourceGone { message },
        Some(("Parser" | "Binder" | "Catalog", _)) => QueryError::Wrong { message },
        _ => QueryError::Failed { message },
    }
}

/// What is wrong, without the engine's advice to whoever writes SQL, which goes on in further lines.
fn message(error: &Error) -> String {
    let whole = match error {
        Error::DuckDBFailure(_, Some(message)) => message.clone(),
        other => other.to_string(),
    };
    whole.lines().next().unwrap_or_default().trim_end_matches('.').to_owned()
}

/// Looks after one query from a thread of its own, as the engine asks nobody while it works.
struct Watch {
    /// Dropped when the query has ended.
    ended: Sender<()>,
    thread: Option<JoinHandle<Option<GivenUp>>>,
}

impl Watch {
    fn begin(
        handle: Arc<InterruptHandle>,
        deadline: Option<Instant>,
        stop: impl Fn() -> bool + Send + 'static,
    ) -> Self {
        let (ended, hears) = channel::<()>();
        let work = move || {
            let mut why = None;
            while hears.recv_timeout(STOP_CHECKED_EVERY) == Err(RecvTimeoutError::Timeout) {
                if why.is_none() && stop() {
                    why = Some(GivenUp::Stopped);
                } else if why.is_none() && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    why = Some(GivenUp::TimedOut);
                }
                // Told between two parts of its work it forgets, so it is told until it ends.
                if why.is_some() {
                    handle.interrupt();
                }
            }
            why
        };
        let thread = std::thread::Builder::new().name("large files".to_owned()).spawn(work).ok();
        Self { ended, thread }
    }

    fn end(self) -> Option<GivenUp> {
        drop(self.ended);
        self.thread.and_then(|thread| thread.join().ok().flatten())
    }
}

/// How much it may put on the disk while it works.
const SPILL_MAX: &str = "8GiB";
