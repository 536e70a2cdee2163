//! What can go wrong with data. Each message is one sentence of what is wrong and what to do about it, written for the
//! person who named the file. Next: `workbench`.

use std::path::PathBuf;

use super::limits;

/// Why data could not be loaded. Loading stops at the first error: part of the data is never shown as all of it.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The person named something that is not there.
    #[error("There is no file or folder {}; {}", path.display(), did_you_mean(nearest.as_deref()))]
    NotFound {
        /// What was named.
        path: PathBuf,
        /// The existing neighbour with the most similar name.
        nearest: Option<String>,
    },
    /// The system refuses to read it.
    #[error("{} cannot be read ({reason}): check its permissions.", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// A file without content, or a database without tables.
    #[error("{} is empty: it holds {what}; check that it was written completely.", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
        /// What of it is missing.
        what: &'static str,
    },
    /// A format that is not read.
    #[error("{} is not a format the analyst reads: {hint}.", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What to do instead.
        hint: String,
    },
    /// A folder in which nothing can be loaded.
    #[error(
        "The folder {} holds no data file: put {} files in it, or name another folder.",
        path.display(),
        super::discover::SUPPORTED
    )]
    NoData {
        /// The folder.
        path: PathBuf,
    },
    /// Nothing was named at all.
    #[error("No data was named: give at least one file or folder.")]
    NothingNamed,
    /// More than is held in memory.
    #[error(
        "{} is {} MiB, more than is held in memory ({} MiB, of Parquet a quarter): {}put it into an SQLite, PostgreSQL or \
         MySQL database, which is read in place, and name that.",
        path.display(),
        bytes >> 20,
        limits::IMPORT_BYTES_MAX >> 20,
        super::large::HINT
    )]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// All files together outgrow the in-memory database.
    #[error(
        "The files together are more than is held in memory (the limit is reached at {}): {}put them into an SQLite, \
         PostgreSQL or MySQL database, which is read in place, and name that.",
        path.display(),
        super::large::HINT
    )]
    TooMuch {
        /// The file at which it ran out.
        path: PathBuf,
    },
    /// More files, databases or columns than a named limit allows.
    #[error("{what}: {count} are more than the {limit} that can be read at once; name fewer.")]
    TooMany {
        /// What there is too much of, and where.
        what: String,
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// A text file that breaks its format.
    #[error("{}, line {line}: {problem}.", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong there and what to do.
        problem: String,
    },
    /// Text that is not UTF-8.
    #[error(
        "{} is not UTF-8 text: line {line} holds the byte 0x{byte:02X} (byte {offset} of the file); convert it with \
         `iconv -f {guess} -t UTF-8` first.",
        path.display()
    )]
    Encoding {
        /// The file.
        path: PathBuf,
        /// The line of the first byte that does not fit, from 1.
        line: u64,
        /// The byte.
        byte: u8,
        /// Where it is in the file, from 0.
        offset: usize,
        /// The encoding it probably has.
        guess: &'static str,
    },
    /// Named like a database, but not one.
    #[error("{} is not an SQLite database ({found}): check that it is the right file.", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
        /// What it seems to be instead.
        found: &'static str,
    },
    /// Looks like random bytes from the first on, as an encrypted database does.
    #[error("{} looks like an encrypted database: decrypt it first, and name the plain copy.", path.display())]
    Encrypted {
        /// The file.
        path: PathBuf,
    },
    /// A database or Parquet file that is damaged.
    #[error("{} is damaged ({problem}): restore it from a backup, or copy it again from where it came.", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        problem: String,
    },
    /// A database that is whole but cannot be opened as it is now.
    #[error("The database {} cannot be opened: {problem}.", path.display())]
    Unavailable {
        /// The file.
        path: PathBuf,
        /// Why, and what to do.
        problem: String,
    },
    /// An address that does not say what to connect to, or how.
    #[error("The address {address} cannot be used: {problem}.")]
    Address {
        /// The address, without its password.
        address: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A database server that does not answer.
    #[error(
        "The database server {address} cannot be reached ({problem}): check that it runs and that host and port are \
         right, then try again."
    )]
    ServerAway {
        /// The address, without its password.
        address: String,
        /// What the connection came to.
        problem: String,
    },
    /// A database server that answers, but not to this.
    #[error("The database server {address} refuses: {problem}.")]
    ServerRefused {
        /// The address, without its password.
        address: String,
        /// What it says, and what to do.
        problem: String,
    },
    /// The engine refused something of ours; a defect of Turnwise.
    #[error("Loading {} failed in the engine ({problem}): please report this.", path.display())]
    Engine {
        /// The file.
        path: PathBuf,
        /// What the engine said.
        problem: String,
    },
}

/// Why a query gave no rows.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The person stopped it.
    #[error("The query was stopped.")]
    Stopped,
    /// It took longer than it may.
    #[error("The query took longer than {seconds} seconds and was stopped: ask for less, or allow it more time.")]
    TimedOut {
        /// How long it was allowed.
        seconds: u64,
    },
    /// It is not a single reading statement.
    #[error("The query was refused: {reason}; only a single SELECT over the loaded tables may run.")]
    Refused {
        /// What it tried.
        reason: String,
    },
    /// The engine cannot make sense of it.
    #[error("The query is wrong: {message}.")]
    Wrong {
        /// What the engine said.
        message: String,
    },
    /// It ran into a limit or a function it called cannot take a value.
    #[error("The query failed: {message}.")]
    Failed {
        /// What the engine said.
        message: String,
    },
    /// The database changed in a way that it cannot be read any more.
    #[error("The data cannot be read any more ({message}): check that the file is still there and whole.")]
    SourceGone {
        /// What the engine said.
        message: String,
    },
    /// The connection to a server broke, or none came about.
    #[error(
        "The connection to {address} was lost ({message}): check that the server runs and can be reached, then try \
         again."
    )]
    ConnectionLost {
        /// The address, without its password.
        address: String,
        /// What was lost and how.
        message: String,
    },
    /// Tables that no one engine has.
    #[error("{tables} are not in the same database, so they cannot be read together: load one where the other is.")]
    Apart {
        /// The tables' names.
        tables: String,
    },
    /// The database is being written by another program.
    #[error("The database is being written by another program: try again in a moment.")]
    Busy,
}

impl SourceError {
    /// What the system said about a file: one that is gone is not one that may not be read.
    pub fn unreadable(path: PathBuf, error: &std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::NotFound {
            let nearest = super::discover::nearest(&path);
            return Self::NotFound { path, nearest };
        }
        Self::Unreadable { path, reason: error.to_string() }
    }
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(|| "check the path.".to_owned(), |name| format!("did you mean {name}?"))
}
