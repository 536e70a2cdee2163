//! Texts: a file as it was read, with what has to stay when it is written again. Lines end as they ended, and a file
//! that is no text, or too long, is not taken for one. Next: `edit` for what is made of them.

use std::fmt;
use std::fmt::Write as _;
use std::io::Read as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use turnwise_assistant::place::FilePath;

use super::{Workspace, WorkspaceError};

/// Bytes of a file that is read: more is data, and no diff of it could be looked through.
pub const FILE_BYTES_MAX: u64 = 2_000_000;

/// Bytes at the start of a file in which a zero says that it is no text; git looks as far.
const BINARY_BYTES: usize = 8_000;

/// The SHA-256 of a content, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

/// A file as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// All of it, as it is on the disk.
    pub content: String,
    /// Its digest.
    pub digest: Digest,
}

/// How the lines of a file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With a line feed.
    LineFeed,
    /// With a carriage return and a line feed.
    ReturnFeed,
}

impl Digest {
    /// The digest of `content`.
    #[must_use]
    pub fn of(content: &[u8]) -> Self {
        let digits = Sha256::digest(content).iter().fold(String::new(), |mut digits, byte| {
            // Writing to a text cannot fail.
            let _ = write!(digits, "{byte:02x}");
            digits
        });
        Self(digits)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Ending {
    /// How most lines of `content` end.
    #[must_use]
    pub fn of(content: &str) -> Self {
        let all = content.matches('\n').count();
        if content.matches("\r\n").count() * 2 > all { Self::ReturnFeed } else { Self::LineFeed }
    }

    /// `lines`, which end with line feeds, with this ending.
    #[must_use]
    pub fn put(self, lines: &str) -> String {
        let plain = lines.replace("\r\n", "\n");
        match self {
            Self::LineFeed => plain,
            Self::ReturnFeed => plain.replace('\n', "\r\n"),
        }
    }
}

impl Text {
    /// A text that was not read but made.
    #[must_use]
    pub fn made(content: String) -> Self {
        Self { digest: Digest::of(content.as_bytes()), content }
    }

    /// Its lines with their numbers, without what ends them.
    pub fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.content.lines())
    }
}

impl Workspace {
    /// Reads a file.
    ///
    /// # Errors
    /// When it leads out, is not there, is no plain file, is no text, or is too long.
    pub fn read(&self, path: &FilePath) -> Result<Text, WorkspaceError> {
        let bytes = self.bytes(path)?;
        let name = || path.as_str().to_owned();
        if bytes.iter().take(BINARY_BYTES).any(|byte| *byte == 0) {
            return Err(WorkspaceError::Binary(name()));
        }
        let digest = Digest::of(&bytes);
        let content = String::from_utf8(bytes).map_err(|_| WorkspaceError::Binary(name()))?;
        Ok(Text { content, digest })
    }

    /// The digest of a file as it is now; none when there is none.
    ///
    /// # Errors
    /// When something is there that cannot be read as a file of the workspace.
    pub fn digest(&self, path: &FilePath) -> Result<Option<Digest>, WorkspaceError> {
        match self.bytes(path) {
            Ok(bytes) => Ok(Some(Digest::of(&bytes))),
            Err(WorkspaceError::Missing(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn bytes(&self, path: &FilePath) -> Result<Vec<u8>, WorkspaceError> {
        let place = self.place(path)?;
        let name = || path.as_str().to_owned();
        let unreadable = |error: std::io::Error| WorkspaceError::Unreadable { name: name(), reason: error.to_string() };
        // Looked at before it is opened: opening a pipe would wait for whoever writes to it.
        let found = match place.symlink_metadata() {
            Ok(found) => found,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(WorkspaceError::Missing(name())),
            Err(error) => return Err(unreadable(error)),
        };
        if !found.is_file() {
            return Err(WorkspaceError::NoFile(name()));
        }
        if found.len() > FILE_BYTES_MAX {
            return Err(WorkspaceError::TooLarge { name: name(), megabytes: found.len().div_ceil(1_000_000) });
        }
        let mut bytes = Vec::new();
        let file = std::fs::File::open(&place).map_err(unreadable)?;
        // A file that grows meanwhile is read no further than one that was as long from the start.
        file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return Err(WorkspaceError::TooLarge { name: name(), megabytes: FILE_BYTES_MAX.div_ceil(1_000_000) + 1 });
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn what_is_no_text_or_too_long_is_not_read_as_one() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        write("zero.bin", b"ab\0cd");
        write("latin.txt", b"caf\xe9");
        write("huge.log", &vec![b'x'; FILE_BYTES_MAX as usize + 1]);
        write("fine.txt", "a\r\nb\r\n".as_bytes());
        std::fs::create_dir(folder.path().join("src")).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let read = |name: &str| workspace.read(&FilePath::new(name).unwrap());
        assert_eq!(read("zero.bin"), Err(WorkspaceError::Binary("zero.bin".into())));
        assert_eq!(read("latin.txt"), Err(WorkspaceError::Binary("latin.txt".into())));
        assert_eq!(read("huge.log"), Err(WorkspaceError::TooLarge { name: "huge.log".into(), megabytes: 3 }));
        assert_eq!(read("none.txt"), Err(WorkspaceError::Missing("none.txt".into())));
        assert_eq!(read("src"), Err(WorkspaceError::NoFile("src".into())));
        let fine = read("fine.txt").unwrap();
        assert_eq!(fine.content, "a\r\nb\r\n", "as it is on the disk");
        assert_eq!(Ending::of(&fine.content), Ending::ReturnFeed);
        assert_eq!(Ending::ReturnFeed.put("x\ny\n"), "x\r\ny\r\n");
    }
}
