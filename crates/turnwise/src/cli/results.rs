//! The files that conversations on a server saved: a folder for each, which is copied with a fork and goes with its
//! conversation. Next: `house`, and `assistant::Room` for what may be in one.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use turnwise_core::{ConversationId, Event, RunEvent, WrittenFile};

use crate::driver::Recorded;
use turnwise_assistant::{Failure, FailureKind};
use turnwise_assistant::{Room, digest};

/// The folder with the files of all conversations.
#[derive(Clone, Debug)]
pub struct Results {
    root: PathBuf,
    /// They are removed with the server.
    are_passing: bool,
}

impl Results {
    /// The files below `root`, which is made if it is not there.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn open(root: PathBuf) -> Result<Self, Failure> {
        let told = |error: io::Error| {
            let told = format!("the folder for results {} cannot be made ({error})", root.display());
            Failure::new(FailureKind::Operator, told).hint("--files FOLDER names another one").caused_by(error)
        };
        std::fs::create_dir_all(&root).map_err(told)?;
        let root = root.canonicalize().map_err(told)?;
        Ok(Self { root, are_passing: false })
    }

    /// Files of conversations that end with this process, in a folder of their own below `root`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn passing(root: &Path) -> Result<Self, Failure> {
        let opened = Self::open(root.join(format!("passing-{}", uuid::Uuid::now_v7())))?;
        Ok(Self { are_passing: true, ..opened })
    }

    /// Removes what passes. What cannot be removed is told, because nobody looks there any more.
    pub fn close(&self) {
        if self.are_passing
            && let Err(error) = std::fs::remove_dir_all(&self.root)
        {
            eprintln!("{} could not be removed: {error}", self.root.display());
        }
    }

    /// The files below `root`, if there are any.
    pub fn at(root: PathBuf) -> Self {
        Self { root, are_passing: false }
    }

    /// The folder below which each conversation has its own.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the file is that a plan of `conversation` calls `name`. Plans that were made beside the server name whole
    /// paths, and are taken by their word: whoever hands a file out compares it with what was recorded of it.
    pub fn place(&self, conversation: &ConversationId, name: &str) -> Option<PathBuf> {
        if Path::new(name).is_absolute() {
            return Some(PathBuf::from(name));
        }
        Room::below(&self.root, conversation).place(name).ok()
    }

    /// Forgets the files of a conversation that is gone.
    ///
    /// # Errors
    /// When they cannot be removed.
    pub fn forget(&self, conversation: &ConversationId) -> io::Result<()> {
        let Room::Folder(folder) = Room::below(&self.root, conversation) else { return Ok(()) };
        match std::fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Gives a fork its own copy of the files that its history wrote, as far as they still are what was written. What
    /// has changed since is not what the fork knows, and is missed when it is asked for.
    ///
    /// # Errors
    /// When a copy cannot be written.
    pub fn copy(&self, from: &ConversationId, to: &ConversationId, history: &[Recorded]) -> io::Result<()> {
        let (from, to) = (Room::below(&self.root, from), Room::below(&self.root, to));
        for file in written(history).values() {
            let (Ok(old), Ok(new)) = (from.place(&file.name), to.place(&file.name)) else { continue };
            let Ok(bytes) = std::fs::read(old) else { continue };
            if digest::of_bytes(&bytes) == file.fingerprint && !new.exists() {
                to.make()?;
                std::fs::write(new, bytes)?;
            }
        }
        Ok(())
    }
}

/// Each file as it was written last.
fn written(history: &[Recorded]) -> BTreeMap<&str, &WrittenFile> {
    let facts = history.iter().filter_map(|recorded| match &recorded.event {
        Event::Run(RunEvent::StepCompleted { facts, .. }) => Some(facts),
        _ => None,
    });
    facts.flatten().filter_map(|fact| fact.body.written.as_ref()).map(|file| (file.name.as_str(), file)).collect()
}
