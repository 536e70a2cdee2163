//! An entry of the cache: a database with the rows, and a record that says what of and bears the digests of both, so
//! that one that was cut off or edited is told from a whole one. The record is written last and put in place in one
//! move: whoever is ended meanwhile leaves no entry. Next: `looks`.

use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use rusqlite::backup::Backup;
use rusqlite::{Connection, MAIN_DB, OpenFlags};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::Member;
use crate::engine::FILES;
use crate::limits;
use crate::load::Loaded;
use crate::stamp::Marks;

/// Why what is kept cannot be used.
#[derive(Debug)]
pub struct Broken(pub String);

/// What an entry is of.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    /// The program that made it.
    pub program: String,
    /// The file with the rows, beside it.
    pub database: String,
    /// The digest of that file.
    pub digest: String,
    files: Vec<Kept>,
}

/// A file as it was when it was loaded, and what it became.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    path: String,
    content: String,
    loaded: Loaded,
}

impl Record {
    /// The record at `path`; nothing where there is none.
    pub fn read(path: &Path) -> Result<Option<Self>, Broken> {
        read_sealed(path)
    }

    /// Puts it at `path`.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_sealed(path, self)
    }

    /// Whether all files are as they were.
    pub fn is_of(&self, members: &[Member<'_>]) -> bool {
        let is_same = |(kept, member): (&Kept, &Member<'_>)| {
            Path::new(&kept.path) == member.path
                && Marks::read(member.path).is_ok_and(|marks| marks == kept.loaded.marks)
                && content(member.path).is_ok_and(|content| content == kept.content)
        };
        self.files.len() == members.len() && self.files.iter().zip(members).all(is_same)
    }

    /// Whether all files are there and, by size and time, as they were.
    pub fn files_are_there(&self) -> bool {
        let is_same = |kept: &Kept| Marks::read(Path::new(&kept.path)).is_ok_and(|marks| marks == kept.loaded.marks);
        self.files.iter().all(is_same)
    }

    /// What the files became, in their order.
    pub fn into_loaded(self) -> Vec<Loaded> {
        self.files.into_iter().map(|kept| kept.loaded).collect()
    }
}

/// Writes the rows; gives the record of them and their digest. Nothing is kept of files that were written meanwhile:
/// nobody knows which of their contents was loaded.
pub fn write(
    folder: &Path,
    key: &str,
    program: &str,
    members: &[Member<'_>],
    loaded: &[Loaded],
    memory: &Connection,
) -> Result<Option<(Record, String)>, String> {
    let told = |error: io::Error| error.to_string();
    let mut files = Vec::with_capacity(members.len());
    for (member, loaded) in members.iter().zip(loaded) {
        let content = content(member.path).map_err(told)?;
        if Marks::read(member.path).map_err(told)? != loaded.marks {
            return Ok(None);
        }
        let path = member.path.to_string_lossy().into_owned();
        files.push(Kept { path, content, loaded: loaded.clone() });
    }
    let part = folder.join(format!("{key}-{}.{PART}", std::process::id()));
    let written = copy_out(memory, &part).map_err(|error| error.to_string()).and_then(|()| {
        if fs::metadata(&part).map_err(told)?.len() > limits::CACHE_BYTES_MAX {
            return Ok(None);
        }
        let digest = content(&part).map_err(told)?;
        let database = format!("{key}-{}.db", &digest[..DIGEST_LETTERS]);
        fs::rename(&part, folder.join(&database)).map_err(told)?;
        Ok(Some((Record { program: program.to_owned(), database, digest: digest.clone(), files }, digest)))
    });
    let _ = fs::remove_file(&part);
    written
}

fn copy_out(memory: &Connection, to: &Path) -> rusqlite::Result<()> {
    let _ = fs::remove_file(to);
    private_file(to).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    let mut file = Connection::open(to)?;
    // What is cut off is told by its digest, so nothing has to be waited for.
    file.query_row("PRAGMA journal_mode = OFF", [], |_| Ok(()))?;
    file.pragma_update(None, "synchronous", "OFF")?;
    Backup::new_with_names(memory, FILES, &mut file, MAIN_DB)?.step(ALL_PAGES).map(|_| ())
}

/// Brings the rows into the database of loaded files, where there are none yet.
pub fn restore(from: &Path, digest: &str, memory: &mut Connection) -> Result<(), Broken> {
    let broken = |error: &dyn std::fmt::Display| Broken(error.to_string());
    if content(from).map_err(|error| broken(&error))? != digest {
        return Err(Broken("it is not as it was written".to_owned()));
    }
    let copied = Connection::open_with_flags(from, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .and_then(|file| Backup::new_with_names(&file, MAIN_DB, memory, FILES)?.step(ALL_PAGES).map(|_| ()));
    copied.map_err(|error| broken(&error))
}

/// Makes the folder, for this account alone.
pub fn folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    restrict(path, 0o700)
}

/// Reads what [`write_sealed`] wrote.
pub fn read_sealed<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Broken> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Broken(error.to_string())),
    };
    let damaged = || Broken("it is not as it was written".to_owned());
    let (seal, body) = text.split_once('\n').ok_or_else(damaged)?;
    if seal != hex(&Sha256::digest(body.as_bytes())) {
        return Err(damaged());
    }
    serde_json::from_str(body).map(Some).map_err(|error| Broken(error.to_string()))
}

/// Writes `value` under its digest, in one move.
pub fn write_sealed<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let body = serde_json::to_string(value)?;
    let part = path.with_extension(format!("{}.{PART}", std::process::id()));
    let mut file = private_file(&part)?;
    writeln!(file, "{}", hex(&Sha256::digest(body.as_bytes())))?;
    file.write_all(body.as_bytes())?;
    fs::rename(part, path)
}

fn private_file(path: &Path) -> io::Result<File> {
    let file = File::create(path)?;
    restrict(path, 0o600)?;
    Ok(file)
}

#[cfg(unix)]
fn restrict(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn restrict(path: &Path, _mode: u32) -> io::Result<()> {
    let _: Permissions = fs::metadata(path)?.permissions();
    Ok(())
}

/// The digest of what a file holds, however large it is.
fn content(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; READ_BYTES];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        }
    }
}

/// A digest in letters.
pub fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The ending of what is not whole yet.
pub const PART: &str = "part";
const DIGEST_LETTERS: usize = 16;
const READ_BYTES: usize = 1 << 18;
/// For a backup in one go.
const ALL_PAGES: i32 = -1;
