//! Opening a file: what it is gets checked before anything in it is changed, and an older format is brought up to date.
//! Next: `write`.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::store::{StoreError, limits};

/// "Turn" in ASCII: marks a file as ours (SQLite's `application_id`).
const APPLICATION_ID: i64 = 0x5475_726E;

/// The steps from an empty file to the format of this version, in order; the format number is how many were taken
/// (SQLite's `user_version`). Released ones are never changed.
const MIGRATIONS: [&str; 5] = [
    include_str!("migrations/0001_conversations.sql"),
    include_str!("migrations/0002_members.sql"),
    include_str!("migrations/0003_members_of_old.sql"),
    include_str!("migrations/0004_lists.sql"),
    include_str!("migrations/0005_deliveries.sql"),
];

/// Between two tries to open a file that another process is just making.
const BETWEEN_TRIES: Duration = Duration::from_millis(5);

/// Prepared statements kept per connection; more than there are.
const STATEMENTS_MAX: usize = 32;

/// The connection that writes: checked, up to date, in write-ahead mode.
///
/// SQLite waits for most locks by itself, but not for those under which a file first goes into write-ahead mode: two
/// that do so at once could wait for each other, so one is told "busy" without any wait. That one begins again.
pub(super) fn writer(path: &Path) -> Result<Connection, StoreError> {
    create_private(path)?;
    let patience = Instant::now() + Duration::from_millis(limits::BUSY_MS);
    loop {
        match try_writer(path) {
            Err(StoreError::Busy(_)) if Instant::now() < patience => std::thread::sleep(BETWEEN_TRIES),
            opened => return opened,
        }
    }
}

fn try_writer(path: &Path) -> Result<Connection, StoreError> {
    let failed = |error: rusqlite::Error| StoreError::from_sqlite(&error, path);
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    check(&connection, path)?;
    if connection.is_readonly("main").map_err(failed)? {
        return Err(StoreError::ReadOnly(path.to_owned()));
    }
    migrate(&mut connection, path)?;
    connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))
        .and_then(|_| connection.pragma_update(None, "synchronous", "FULL"))
        .and_then(|()| connection.pragma_update(None, "foreign_keys", true))
        .map_err(failed)?;
    Ok(connection)
}

/// A connection that only reads.
pub(super) fn reader(path: &Path) -> Result<Connection, StoreError> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.pragma_update(None, "query_only", true).map_err(|error| StoreError::from_sqlite(&error, path))?;
    Ok(connection)
}

/// The newest format this version knows.
pub(super) fn known_format() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

pub(super) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    let failed = |error: rusqlite::Error| StoreError::from_sqlite(&error, path);
    let connection = Connection::open_with_flags(path, flags).map_err(failed)?;
    connection.busy_timeout(Duration::from_millis(limits::BUSY_MS)).map_err(failed)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(connection)
}

/// Creates a missing file so that only its owner can read it: conversations are private.
pub(super) fn create_private(path: &Path) -> Result<(), StoreError> {
    if path.exists() {
        return Ok(());
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        // Another process was faster.
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::ReadOnlyFilesystem => {
            Err(StoreError::ReadOnly(path.to_owned()))
        }
        Err(error) => Err(StoreError::Unopenable { path: path.to_owned(), reason: error.to_string() }),
    }
}

/// Whether the file is ours and of a format we know. Reads only, and all of it at one moment: another process may be
/// making this very file, and its mark read before with its tables read after would look like somebody else's.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::from_sqlite(&error, path);
    let moment = connection.unchecked_transaction().map_err(failed)?;
    check_within(&moment, path)?;
    moment.commit().map_err(failed)
}

/// The same inside a transaction that has begun.
fn check_within(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::from_sqlite(&error, path);
    let application: i64 = pragma(connection, "application_id").map_err(failed)?;
    let found = pragma(connection, "user_version").map_err(failed)?;
    if application != APPLICATION_ID && !is_empty(connection).map_err(failed)? {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    let known = known_format();
    if application == APPLICATION_ID && found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    Ok(())
}

/// Takes the missing steps in one transaction. Another process may do the same at the same time: the format is read
/// again under the lock.
fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let failed = |error: rusqlite::Error| StoreError::from_sqlite(&error, path);
    if pragma(connection, "user_version").map_err(failed)? == known_format() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    check_within(&transaction, path)?;
    let done = usize::try_from(pragma(&transaction, "user_version").map_err(failed)?).unwrap_or_default();
    for step in MIGRATIONS.iter().skip(done) {
        transaction.execute_batch(step).map_err(failed)?;
    }
    transaction
        .pragma_update(None, "application_id", APPLICATION_ID)
        .and_then(|()| transaction.pragma_update(None, "user_version", known_format()))
        .and_then(|()| transaction.commit())
        .map_err(failed)
}

pub(super) fn pragma(connection: &Connection, name: &str) -> Result<i64, rusqlite::Error> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

fn is_empty(connection: &Connection) -> Result<bool, rusqlite::Error> {
    connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))
}
