//! Stamps: what a source was when it was read, so that a fact can later say whether its source has changed. Small
//! sources are hashed; large ones are known by size and modification time. Next: `workbench`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use turnwise_core::SourceStamp;

use super::limits::FINGERPRINT_BYTES_MAX;

/// Whether a source is still what was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// Size and modification time are as they were.
    Unchanged,
    /// Written since. Loaded files still answer from what was loaded; databases answer from what they hold now.
    Changed,
    /// No longer there, or no longer readable.
    Missing,
}

/// Size and modification time of the files that make up a source: cheap to compare.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks(Vec<(u64, SystemTime)>);

impl Marks {
    /// The marks of `path`, and of the write-ahead log beside it where there is one.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut marks = vec![mark(path)?];
        // A database in WAL mode keeps its newest rows in this file: it counts as content. An empty log is none.
        if let Ok(log) = mark(&log_of(path))
            && log.0 > 0
        {
            marks.push(log);
        }
        Ok(Self(marks))
    }

    fn bytes(&self) -> u64 {
        self.0.iter().map(|(bytes, _)| bytes).sum()
    }
}

/// The stamp of the source at `path`, shown as `name`.
pub fn stamp(name: &str, path: &Path) -> io::Result<SourceStamp> {
    let marks = Marks::read(path)?;
    let fingerprint = if marks.bytes() <= FINGERPRINT_BYTES_MAX {
        let mut hasher = Sha256::new();
        feed(&mut hasher, path)?;
        if marks.0.len() > 1 {
            feed(&mut hasher, &log_of(path))?;
        }
        hashed(hasher)
    } else {
        by_marks(&marks)
    };
    Ok(SourceStamp { name: name.to_owned(), fingerprint })
}

/// The stamp of a file whose content is already in memory.
pub fn stamp_of_content(name: &str, content: &[u8], marks: &Marks) -> SourceStamp {
    let fingerprint = if content.len() as u64 <= FINGERPRINT_BYTES_MAX {
        let mut hasher = Sha256::new();
        hasher.update(content);
        hashed(hasher)
    } else {
        by_marks(marks)
    };
    SourceStamp { name: name.to_owned(), fingerprint }
}

/// The write-ahead log SQLite keeps beside a database.
pub fn log_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

fn mark(path: &Path) -> io::Result<(u64, SystemTime)> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.len(), metadata.modified()?))
}

fn feed(hasher: &mut Sha256, path: &Path) -> io::Result<()> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        hasher.update(&buffer[..read]);
    }
}

fn hashed(hasher: Sha256) -> String {
    let hex: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

fn by_marks(marks: &Marks) -> String {
    let parts: Vec<String> = marks
        .0
        .iter()
        .map(|(bytes, time)| {
            let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
            format!("{bytes}@{}.{:09}", since.as_secs(), since.subsec_nanos())
        })
        .collect();
    format!("size+mtime:{}", parts.join("+"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_stamp_follows_the_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "abc").unwrap();
        let first = stamp("a", &path).unwrap();
        // The digest of "abc" as FIPS 180-2 gives it.
        assert_eq!(first.fingerprint, "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(stamp_of_content("a", b"abc", &Marks::read(&path).unwrap()), first);
        fs::write(&path, "abd").unwrap();
        assert_ne!(stamp("a", &path).unwrap().fingerprint, first.fingerprint);
    }

    #[test]
    fn a_write_ahead_log_counts_as_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        fs::write(&path, "abc").unwrap();
        let (marks, before) = (Marks::read(&path).unwrap(), stamp("a", &path).unwrap());
        fs::write(log_of(&path), "newer rows").unwrap();
        assert_ne!(Marks::read(&path).unwrap(), marks);
        assert_ne!(stamp("a", &path).unwrap(), before);
    }

    #[test]
    fn large_sources_are_known_by_size_and_time() {
        let marks = Marks(vec![(7, UNIX_EPOCH + std::time::Duration::from_millis(1_500))]);
        assert_eq!(by_marks(&marks), "size+mtime:7@1.500000000");
    }
}
