//! Acts: the single steps on the disk that applying, undoing and recovering are made of. They are values, so that a
//! test can stop behind every one of them, and in the middle of each that writes. Next: `journal`.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// One step on the disk. Each may be done again after a crash.
#[derive(Clone, Debug)]
pub(super) enum Act {
    /// Makes a folder, unless it is there.
    Folder(PathBuf),
    /// Writes a file of ours whole, and has the disk keep it.
    Write {
        /// Where.
        to: PathBuf,
        /// What.
        bytes: Vec<u8>,
        /// With the rights of this file, if it is there.
        rights_of: Option<PathBuf>,
    },
    /// Puts a file in the place of another.
    Rename {
        /// The file.
        from: PathBuf,
        /// Its place.
        to: PathBuf,
    },
    /// Puts a file where none is.
    Place {
        /// The file.
        from: PathBuf,
        /// Its place.
        to: PathBuf,
    },
    /// Removes a file, unless it is gone.
    Remove(PathBuf),
    /// Removes a folder, if nothing is in it.
    RemoveFolder(PathBuf),
    /// Removes a folder of ours with all that is in it.
    RemoveTree(PathBuf),
}

/// Does the acts in order, up to the first that fails.
pub(super) fn perform(acts: &[Act]) -> io::Result<()> {
    acts.iter().try_for_each(Act::perform)
}

impl Act {
    pub(super) fn perform(&self) -> io::Result<()> {
        match self {
            Self::Folder(path) => std::fs::create_dir_all(path),
            Self::Write { to, bytes, rights_of } => {
                write(to, bytes, rights_of.as_deref().and_then(|path| Some(path.metadata().ok()?.permissions())))
            }
            Self::Rename { from, to } => std::fs::rename(from, to).and_then(|()| keep_folder(to)),
            Self::Place { from, to } => place(from, to).and_then(|()| keep_folder(to)),
            Self::Remove(path) => ended(std::fs::remove_file(path)).and_then(|()| keep_folder(path)),
            // What somebody else put into it keeps it.
            Self::RemoveFolder(path) => std::fs::remove_dir(path).or(Ok(())),
            Self::RemoveTree(path) => ended(std::fs::remove_dir_all(path)),
        }
    }

    /// The same, as a crash in its middle leaves it: half of what is written.
    #[cfg(test)]
    pub(super) fn perform_half(&self) -> io::Result<()> {
        match self {
            Self::Write { to, bytes, .. } => write(to, &bytes[..bytes.len() / 2], None),
            Self::Place { from, to } => std::fs::hard_link(from, to),
            Self::RemoveTree(path) => match std::fs::read_dir(path)?.next() {
                Some(entry) => {
                    let path = entry?.path();
                    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }
                }
                None => Ok(()),
            },
            Self::Folder(_) | Self::Rename { .. } | Self::Remove(_) | Self::RemoveFolder(_) => Ok(()),
        }
    }
}

fn write(to: &Path, bytes: &[u8], rights: Option<Permissions>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(to)?;
    file.write_all(bytes)?;
    if let Some(rights) = rights {
        file.set_permissions(rights)?;
    }
    file.sync_all()
}

/// A link fails where something is, so a file that came meanwhile is not replaced.
fn place(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::hard_link(from, to) {
        Ok(()) => std::fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A file system without links: that nothing is there was looked at a moment ago.
        Err(_) => std::fs::rename(from, to),
    }
}

/// Has the disk keep what a folder lists. Not every system can; the file itself is kept already.
fn keep_folder(of: &Path) -> io::Result<()> {
    if let Some(folder) = of.parent().and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn ended(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
