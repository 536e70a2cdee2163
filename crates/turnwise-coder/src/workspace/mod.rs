//! The workspace: one folder, and what can be read, searched and run in it. Every path is checked here, so that
//! neither a person, nor a message, nor a link in the repository leads out of it. Next: `turnwise_assistant::place` for
//! the rule, `edit` for changes.

mod files;
pub mod git;
mod search;
mod text;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use turnwise_assistant::command::{self, CommandLine, Ran, Terms};
use turnwise_assistant::place::{self, FilePath, PlaceError};

pub use files::{FILES_MAX, Found, LeftOut};
pub use search::{Hit, Hits, Search};
pub use text::{Digest, Ending, FILE_BYTES_MAX, Text};

/// A folder of code.
#[derive(Clone, Debug)]
pub struct Workspace {
    root: PathBuf,
    /// What the last walk over it left out; the same for all clones.
    left_out: Arc<Mutex<Option<LeftOut>>>,
}

/// Why something in the workspace cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkspaceError {
    /// It is no folder.
    #[error("“{0}” is not a folder; name the folder of a project")]
    NoFolder(String),
    /// Its name leads to no file of the workspace.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// There is none.
    #[error("there is no file “{0}” in the workspace")]
    Missing(String),
    /// It is a folder, a device, a pipe.
    #[error("“{0}” is not a plain file")]
    NoFile(String),
    /// It is no text.
    #[error("“{0}” is not a text file")]
    Binary(String),
    /// It is too long.
    #[error("“{name}” has {megabytes} MB; files of up to {max} MB are read", max = FILE_BYTES_MAX / 1_000_000)]
    TooLarge {
        /// The file.
        name: String,
        /// Its size, rounded up.
        megabytes: u64,
    },
    /// The system says no.
    #[error("“{name}” cannot be read ({reason})")]
    Unreadable {
        /// The file.
        name: String,
        /// In the system's words.
        reason: String,
    },
    /// The words to look for are no pattern.
    #[error("this cannot be searched for ({0})")]
    Pattern(String),
}

impl Workspace {
    /// Takes `root` as the workspace.
    ///
    /// # Errors
    /// When it is not a folder that can be entered.
    pub fn open(root: &Path) -> Result<Self, WorkspaceError> {
        let no_folder = || WorkspaceError::NoFolder(root.display().to_string());
        let root = root.canonicalize().map_err(|_| no_folder())?;
        if root.is_dir() { Ok(Self { root, left_out: Arc::default() }) } else { Err(no_folder()) }
    }

    /// The folder, with links resolved.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder's own name, for people.
    #[must_use]
    pub fn name(&self) -> String {
        self.root.file_name().unwrap_or(self.root.as_os_str()).to_string_lossy().into_owned()
    }

    /// Where `path` lies on the disk.
    ///
    /// # Errors
    /// As for [`place::place`].
    pub fn place(&self, path: &FilePath) -> Result<PathBuf, WorkspaceError> {
        Ok(place::place(&self.root, path)?)
    }

    /// Whether what lies at `path` is a link, wherever it leads.
    #[must_use]
    pub fn is_link(&self, path: &FilePath) -> bool {
        self.root.join(path.as_str()).symlink_metadata().is_ok_and(|found| found.file_type().is_symlink())
    }

    /// Runs `command` in the workspace.
    ///
    /// # Errors
    /// As for [`command::run`].
    pub fn run(&self, command: &CommandLine, terms: &Terms<'_>, printed: &mut dyn FnMut(&[u8])) -> io::Result<Ran> {
        command::run(&self.root, command, terms, printed)
    }
}
