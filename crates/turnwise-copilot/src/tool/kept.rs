//! What was there before: each write keeps the file it replaces in a folder of the working folder that is ours, so
//! that it can be taken back, and so that a process that died in its middle can be told from one that was done. Next:
//! `files`, whose tools write through it.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use turnwise_assistant::digest;
use turnwise_assistant::place::{self, FilePath, OwnFolder};

/// One write, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Counted from 1 in this folder.
    pub number: u64,
    /// What it was done for; the same for every attempt.
    pub operation: String,
    /// The file.
    pub file: FilePath,
    /// The digest of what it held before; none where there was no file.
    pub before: Option<String>,
    /// The digest of what was written.
    pub after: String,
    /// Whether it was taken back.
    pub undone: bool,
}

/// What a write was shown to replace: the digest of what a file held, none where there was no file, and the last write
/// to it that was known then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    /// What it held.
    pub digest: Option<String>,
    /// The number of the last write; 0 where there was none.
    pub last: u64,
}

/// What came of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// It was done.
    Done(Entry),
    /// The file held that before, though it was shown to hold something else.
    Before,
    /// The file is not what it was shown to be any more, and was left alone.
    Changed,
}

impl fmt::Display for Replaced {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{AS_OF}{}", self.digest.as_deref().unwrap_or(NOTHING), self.last)
    }
}

impl FromStr for Replaced {
    type Err = ();

    fn from_str(written: &str) -> Result<Self, ()> {
        let (digest, last) = written.split_once(AS_OF).ok_or(())?;
        let last = last.parse().map_err(|_| ())?;
        Ok(Self { digest: (digest != NOTHING).then(|| digest.to_owned()), last })
    }
}

/// The writes of one folder.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    root: PathBuf,
}

impl Kept {
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    fn folder(&self) -> PathBuf {
        self.root.join(OwnFolder::NAME).join("written")
    }

    /// All that are kept, the oldest first.
    pub fn entries(&self) -> Vec<Entry> {
        let Ok(found) = fs::read_dir(self.folder()) else { return Vec::new() };
        let read = |path: PathBuf| serde_json::from_slice(&fs::read(path.join(ENTRY)).ok()?).ok();
        let mut entries: Vec<Entry> = found.flatten().filter_map(|one| read(one.path())).collect();
        entries.sort_by_key(|entry: &Entry| entry.number);
        entries
    }

    /// The write that was done for `operation`.
    pub fn of(&self, operation: &str) -> Option<Entry> {
        self.entries().into_iter().rev().find(|entry| entry.operation == operation)
    }

    /// The last writes that were not taken back, the latest first.
    pub fn lasting(&self) -> Vec<Entry> {
        self.entries().into_iter().rev().filter(|entry| !entry.undone).collect()
    }

    /// What a write replaced; none where there was no file.
    ///
    /// # Errors
    /// When the copy cannot be read.
    pub fn before(&self, entry: &Entry) -> io::Result<Option<Vec<u8>>> {
        match entry.before {
            Some(_) => fs::read(self.place_of(entry.number).join(BEFORE)).map(Some),
            None => Ok(None),
        }
    }

    /// Whether the file holds what was written.
    pub fn is_in_place(&self, entry: &Entry) -> bool {
        self.digest_of(&entry.file).as_deref() == Some(entry.after.as_str())
    }

    /// The digest of a file as it is now; none where there is none that can be read.
    pub fn digest_of(&self, file: &FilePath) -> Option<String> {
        let place = place::place(&self.root, file).ok()?;
        fs::read(place).ok().map(|bytes| digest::of_bytes(&bytes))
    }

    /// The number of the last write to a file; 0 where there was none.
    pub fn last_of(&self, file: &FilePath) -> u64 {
        self.entries().iter().rev().find(|entry| entry.file == *file).map_or(0, |entry| entry.number)
    }

    /// Whether all that became of a file since it was `shown` are writes of the conversation that `operation` is of,
    /// whatever plan of it they are of.
    fn is_own_since(&self, shown: &Replaced, operation: &str, file: &FilePath, now: Option<&str>) -> bool {
        let Some(own) = operation.rsplitn(3, '/').nth(2).map(|conversation| format!("{conversation}/")) else {
            return false;
        };
        let is_since = |entry: &Entry| entry.file == *file && entry.number > shown.last && !entry.undone;
        let mut at = now.map(str::to_owned);
        for entry in self.entries().into_iter().rev().filter(is_since) {
            if !entry.operation.starts_with(&own) {
                return false;
            }
            // What a process that died noted and did not come to is no write.
            if at.as_deref() == Some(entry.after.as_str()) {
                at = entry.before;
            }
        }
        at == shown.digest
    }

    /// Writes `content` to `file`, keeping what was there, unless that is not what was `shown` any more. What is kept
    /// is on the disk before anything is changed.
    ///
    /// # Errors
    /// Whatever the system says, or a name that leads out of the folder.
    pub fn write(
        &self,
        operation: &str,
        file: &FilePath,
        content: &[u8],
        shown: Option<&Replaced>,
    ) -> io::Result<Written> {
        let place = place::place(&self.root, file).map_err(io::Error::other)?;
        let _alone = self.alone()?;
        let before = match fs::read(&place) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let (now, after) = (before.as_deref().map(digest::of_bytes), digest::of_bytes(content));
        if let Some(shown) = shown.filter(|shown| shown.digest != now) {
            if now.as_deref() == Some(after.as_str()) {
                return Ok(Written::Before);
            }
            if !self.is_own_since(shown, operation, file, now.as_deref()) {
                return Ok(Written::Changed);
            }
        }
        let number = self.entries().last().map_or(0, |last| last.number) + 1;
        let entry =
            Entry { number, operation: operation.to_owned(), file: file.clone(), before: now, after, undone: false };
        let own = self.place_of(number);
        self.make(&own)?;
        if let Some(bytes) = &before {
            written(&own.join(BEFORE), bytes)?;
        }
        self.note(&entry)?;
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        replace(&place, content)?;
        self.forget_oldest();
        Ok(Written::Done(entry))
    }

    /// Puts back what was there before a write.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn put_back(&self, entry: &Entry) -> io::Result<()> {
        let place = place::place(&self.root, &entry.file).map_err(io::Error::other)?;
        let _alone = self.alone()?;
        match self.before(entry)? {
            Some(bytes) if entry.before.as_deref() != Some(digest::of_bytes(&bytes).as_str()) => {
                return Err(io::Error::other("what was kept of it is damaged"));
            }
            Some(bytes) => replace(&place, &bytes)?,
            None => fs::remove_file(&place)?,
        }
        self.undone(entry)
    }

    /// Notes that a write was taken back.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn undone(&self, entry: &Entry) -> io::Result<()> {
        self.note(&Entry { undone: true, ..entry.clone() })
    }

    fn note(&self, entry: &Entry) -> io::Result<()> {
        let json = serde_json::to_vec(entry).map_err(io::Error::other)?;
        replace(&self.place_of(entry.number).join(ENTRY), &json)
    }

    fn place_of(&self, number: u64) -> PathBuf {
        self.folder().join(format!("{number:06}"))
    }

    /// Holds everybody else off who writes here, in this process or another one, until it is dropped: two writes that
    /// took the same number would mix what they keep.
    fn alone(&self) -> io::Result<fs::File> {
        self.make(&self.folder())?;
        let lock = fs::File::create(self.folder().join(LOCK))?;
        lock.lock()?;
        Ok(lock)
    }

    /// Makes the folder of a write. Ours may be no link, which could lead anywhere.
    fn make(&self, folder: &Path) -> io::Result<()> {
        let own = self.root.join(OwnFolder::NAME);
        for part in [own.clone(), self.folder()] {
            if part.symlink_metadata().is_ok_and(|found| !found.is_dir()) {
                return Err(io::Error::other(format!("{} is not a folder", part.display())));
            }
        }
        fs::create_dir_all(folder)?;
        // It ignores itself, so that no version control sees it.
        fs::write(own.join(".gitignore"), "*\n")
    }

    fn forget_oldest(&self) {
        let entries = self.entries();
        let over = entries.len().saturating_sub(KEPT_MAX);
        for entry in entries.iter().take(over) {
            // What cannot be removed is only in the way.
            let _ = fs::remove_dir_all(self.place_of(entry.number));
        }
    }
}

/// Writes a file whole or not at all.
fn replace(place: &Path, content: &[u8]) -> io::Result<()> {
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let half = place.with_file_name(format!(".{name}.turnwise"));
    written(&half, content)?;
    if let Ok(found) = fs::metadata(place) {
        fs::set_permissions(&half, found.permissions())?;
    }
    fs::rename(&half, place)
}

fn written(place: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = fs::File::create(place)?;
    file.write_all(content)?;
    file.sync_all()
}

/// What a file holds that is not there.
const NOTHING: &str = "nothing";
/// Between what a file held and the last write to it.
const AS_OF: &str = " as of write ";
/// What is known of a write.
const ENTRY: &str = "entry.json";
/// Who holds it writes.
const LOCK: &str = "lock";
/// What it replaced.
const BEFORE: &str = "before";
/// Writes that can be taken back.
const KEPT_MAX: usize = 200;
