//! The engine's connections: each sees every loaded file and every named database, and can only read. Loaded files live
//! in one in-memory database that all connections of a workbench share; databases are attached in place. Next:
//! `guard` for what a query may not do, `workbench` for how it is run.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, OpenFlags};

use super::pool::Pool;
use super::{functions, guard, limits, names};

/// The schema that holds loaded files.
pub const FILES: &str = "files";

/// A database to attach, read in place.
#[derive(Clone, Debug)]
pub struct Database {
    /// How SQL names it.
    pub schema: String,
    /// Its file.
    pub path: PathBuf,
}

/// Opens connections and keeps idle ones.
#[derive(Debug)]
pub struct Engine {
    memory: MemoryDatabase,
    databases: Vec<Database>,
    idle: Pool<Connection>,
}

/// The in-memory database of loaded files. It lives as long as a connection to it is open, so this holds one.
#[derive(Debug)]
pub struct MemoryDatabase {
    uri: String,
    connection: Mutex<Connection>,
}

impl MemoryDatabase {
    /// An empty one.
    pub fn create() -> rusqlite::Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        // A name with a leading slash is shared by all connections of this process, and by no other process.
        let uri = format!("file:/turnwise-files-{}?vfs=memdb", NEXT.fetch_add(1, Ordering::Relaxed));
        let connection = bare()?;
        attach(&connection, FILES, &uri)?;
        // Nothing is kept when loading fails, so nothing needs to be rolled back.
        connection.query_row(&format!("PRAGMA {FILES}.journal_mode = OFF"), [], |_| Ok(()))?;
        Ok(Self { uri, connection: Mutex::new(connection) })
    }

    /// The connection to fill it through, where it is attached as [`FILES`].
    pub fn connection(&mut self) -> &mut Connection {
        self.connection.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine {
    /// An engine over loaded files and databases.
    pub fn new(memory: MemoryDatabase, databases: Vec<Database>) -> Self {
        Self { memory, databases, idle: Pool::new() }
    }

    /// A connection that can only read; an idle one if there is one. Give it back with [`Engine::give_back`].
    pub fn take(&self) -> rusqlite::Result<Connection> {
        self.idle.take(|_| true).map_or_else(|| self.connect(), Ok)
    }

    /// Keeps the connection for the next query, unless enough are kept.
    pub fn give_back(&self, connection: Connection) {
        self.idle.give_back(connection);
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        let mut connection = bare()?;
        attach(&connection, FILES, &self.memory.uri)?;
        for database in &self.databases {
            attach(&connection, &database.schema, &read_only_uri(&database.path))?;
        }
        functions::register(&connection)?;
        guard::lock_down(&mut connection)?;
        Ok(connection)
    }
}

/// A connection with one database attached, to look at its schema; it can read pragmas, which queries cannot.
pub fn inspect(database: &Database) -> rusqlite::Result<Connection> {
    let connection = bare()?;
    attach(&connection, &database.schema, &read_only_uri(&database.path))?;
    functions::register(&connection)?;
    guard::read_only(&connection)?;
    Ok(connection)
}

/// A connection to nothing: everything is attached, so that the default file system applies to databases and the
/// in-memory one to loaded files only.
fn bare() -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_in_memory_with_flags(flags)?;
    connection.busy_timeout(limits::BUSY_WAIT)?;
    Ok(connection)
}

fn attach(connection: &Connection, schema: &str, uri: &str) -> rusqlite::Result<()> {
    connection.execute(&format!("ATTACH DATABASE ?1 AS {}", names::quoted(schema)), [uri]).map(|_| ())
}

/// The file as a URI that SQLite opens for reading only. Every byte that is not plainly harmless is escaped, so that a
/// file called `a?mode=rwc` stays a file name.
fn read_only_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    let bytes = path.as_os_str().as_encoded_bytes();
    if cfg!(windows) {
        uri.push('/');
    }
    for &byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => uri.push(char::from(byte)),
            b'\\' if cfg!(windows) => uri.push('/'),
            b':' if cfg!(windows) => uri.push(':'),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri.push_str("?mode=ro");
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn special_letters_in_a_path_are_escaped() {
        assert_eq!(
            read_only_uri(Path::new("/tmp/50% of?mode=rwc#é.db")),
            "file:/tmp/50%25%20of%3Fmode%3Drwc%23%C3%A9.db?mode=ro"
        );
    }
}
