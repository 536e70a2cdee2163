//! The cache of loaded files: what large files became when they were loaded, kept in a folder of the person's state, so
//! that the next start takes it up in place of reading them again. An entry is for one set of files, in their order and
//! by the names their tables go by. It is taken only where each file has the size, time and content it had, where the
//! very same program loads it, and where what was kept is as it was written; in all other cases the files are loaded,
//! and the new entry takes the old one's place. Entries whose files have changed or gone are dropped, and beyond a
//! size those that were not taken for longest. Next: `entry`, which writes and reads one.
//!
//! A set and not a file is the unit because tables get names that no other file's have, and because what the data was
//! asked when it was looked through (`looks`) may be about several of them.

mod entry;
mod looks;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

use super::discover::FileFormat;
use super::limits;
use super::load::Loaded;
use super::stamp::Marks;
use entry::{Broken, Record};
pub use looks::Looks;

/// A file of the set, as it is to be loaded.
pub struct Member<'a> {
    /// Where it is.
    pub path: &'a Path,
    /// What its tables are called after.
    pub called: &'a Path,
    /// How it is read.
    pub format: FileFormat,
}

/// Where entries are, for one set of files.
pub struct Cache {
    folder: PathBuf,
    key: String,
    bytes: u64,
    program: String,
}

/// What there is of a set.
pub enum Taken {
    /// Nothing that can be taken.
    Nothing,
    /// Something that is damaged; why, in words.
    Damaged(String),
    /// What its files became, in their order; their rows are in the database already.
    All(Vec<Loaded>, Looks),
}

impl Cache {
    /// The place of what these files became beside sources that are called as in `wanted`, below `folder`; none where
    /// loading them is not felt.
    pub fn of(folder: &Path, members: &[Member<'_>], wanted: &BTreeSet<String>) -> Option<Self> {
        let sizes = members.iter().map(|member| fs::metadata(member.path).map(|found| found.len()).unwrap_or(0));
        let bytes: u64 = sizes.sum();
        if bytes < limits::CACHED_BYTES_MIN || members.iter().any(|member| member.path.to_str().is_none()) {
            return None;
        }
        let paths = members.iter().flat_map(|member| [member.path.as_os_str(), member.called.as_os_str()]);
        let mut key = Sha256::new();
        for part in paths.chain(wanted.iter().map(OsStr::new)) {
            key.update(part.as_encoded_bytes());
            key.update([0]);
        }
        Some(Self { folder: folder.to_owned(), key: entry::hex(&key.finalize()), bytes, program: program() })
    }

    /// Takes up what is kept, if it is still that of these files.
    pub fn take(&self, members: &[Member<'_>], memory: &mut Connection) -> Taken {
        let record = match Record::read(&self.record()) {
            Ok(Some(record)) => record,
            Ok(None) => return Taken::Nothing,
            Err(Broken(why)) => return Taken::Damaged(why),
        };
        if record.program != self.program || !record.is_of(members) {
            return Taken::Nothing;
        }
        let database = self.folder.join(&record.database);
        if !database.exists() {
            return Taken::Nothing;
        }
        let looks = Looks::read(self.looks(), &record.digest);
        let restored = looks.and_then(|looks| entry::restore(&database, &record.digest, memory).map(|()| looks));
        let looks = match restored {
            Ok(looks) => looks,
            Err(Broken(why)) => return Taken::Damaged(why),
        };
        // What was taken last is dropped last; where that cannot be noted, it is dropped sooner.
        let _ =
            fs::File::options().append(true).open(self.record()).and_then(|file| file.set_modified(SystemTime::now()));
        Taken::All(record.into_loaded(), looks)
    }

    /// Keeps what the files became, and drops what is in the way of it.
    ///
    /// # Errors
    /// Why it is not kept, in words.
    pub fn keep(&self, members: &[Member<'_>], loaded: &[Loaded], memory: &Connection) -> Result<Looks, String> {
        entry::folder(&self.folder).map_err(|error| error.to_string())?;
        self.drop_others(limits::CACHE_BYTES_MAX.saturating_sub(self.bytes));
        let Some((record, looks)) = entry::write(&self.folder, &self.key, &self.program, members, loaded, memory)?
        else {
            return Ok(Looks::default());
        };
        // The same rows may have been looked at before, and what is kept of that may be what is damaged.
        let _ = fs::remove_file(self.looks());
        record.write(&self.record()).map_err(|error| error.to_string())?;
        self.drop_loose();
        Ok(Looks::begin(self.looks(), looks))
    }

    fn record(&self) -> PathBuf {
        self.folder.join(format!("{}.{RECORD}", self.key))
    }

    fn looks(&self) -> PathBuf {
        self.folder.join(format!("{}.{LOOKS}", self.key))
    }

    /// Drops entries of other sets: those that can be taken no more, and, until the rest takes at most `bytes`, those
    /// that were not taken for longest.
    fn drop_others(&self, bytes: u64) {
        let mut entries: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
        for path in self.files(RECORD).filter(|path| *path != self.record()) {
            let taken_at = fs::metadata(&path).and_then(|found| found.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            match Record::read(&path) {
                Ok(Some(record)) if record.program == self.program && record.files_are_there() => {
                    let size = fs::metadata(self.folder.join(&record.database)).map_or(0, |found| found.len());
                    entries.push((taken_at, path, size));
                }
                _ => drop_entry(&path),
            }
        }
        entries.sort();
        let mut total: u64 = entries.iter().map(|(.., size)| size).sum();
        for (_, path, size) in entries {
            if total <= bytes {
                break;
            }
            drop_entry(&path);
            total -= size;
        }
        self.drop_loose();
    }

    /// Drops databases that belong to no entry, unless another process may just be writing one.
    fn drop_loose(&self) {
        let named: Vec<String> =
            self.files(RECORD).filter_map(|path| Record::read(&path).ok()?).map(|record| record.database).collect();
        for path in self.files(DATABASE).chain(self.files(entry::PART)) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let age = fs::metadata(&path).and_then(|found| found.modified()).ok().and_then(|at| at.elapsed().ok());
            let is_own = name.starts_with(&self.key) && !name.ends_with(entry::PART);
            if !named.contains(&name) && (is_own || age.is_none_or(|age| age > WRITTEN_WITHIN)) {
                let _ = fs::remove_file(path);
            }
        }
    }

    fn files(&self, ending: &'static str) -> impl Iterator<Item = PathBuf> + use<> {
        let all = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        all.filter(move |path| path.extension().is_some_and(|found| found == ending))
    }
}

/// Drops an entry by its record; its database goes with what is loose.
fn drop_entry(record: &Path) {
    let _ = fs::remove_file(record.with_extension(LOOKS));
    let _ = fs::remove_file(record);
}

/// What tells one build of the program from another: what a file becomes is for each to say.
fn program() -> String {
    let file = std::env::current_exe().and_then(|path| Marks::read(&path));
    format!("{} {file:?}", env!("CARGO_PKG_VERSION"))
}

const RECORD: &str = "json";
const LOOKS: &str = "looks";
const DATABASE: &str = "db";
/// How long another process may take to write an entry.
const WRITTEN_WITHIN: Duration = Duration::from_secs(15 * 60);
