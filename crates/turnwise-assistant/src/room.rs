//! Rooms: where the files of a conversation are. Who sits at this machine writes wherever they say, and a plan names
//! the whole path. What comes to a server is kept in one folder for each conversation, and a plan names the file alone:
//! so nothing that is said in one conversation reaches a file of another, and nobody learns how the disk is laid out.
//! Next: `turnwise_analyst::files` for what is written to one.

use std::io;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest as _, Sha256};
use turnwise_core::ConversationId;

/// Where the files of a conversation are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Room {
    /// Wherever the person may write; plans name whole paths.
    Anywhere,
    /// In this folder and nowhere else; plans name the file alone.
    Folder(PathBuf),
    /// Nowhere: files are kept by conversation, and this is none yet.
    Closed,
}

impl Room {
    /// The folder of `conversation` below `root`. It is made when something is first written to it.
    #[must_use]
    pub fn below(root: &Path, conversation: &ConversationId) -> Self {
        let id = conversation.as_str();
        let is_plain = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
        // An id may come from anybody's request: only one that cannot lead elsewhere is a folder's name as it is.
        let folder = if (1..=FOLDER_BYTES_MAX).contains(&id.len()) && id.bytes().all(is_plain) {
            id.to_owned()
        } else {
            let digest = Sha256::digest(id.as_bytes());
            digest.iter().fold("_".to_owned(), |name, byte| format!("{name}{byte:02x}"))
        };
        Self::Folder(root.join(folder))
    }

    /// Where the file is that a plan of this conversation calls `name`.
    ///
    /// # Errors
    /// Why it is none that may be used here, as a sentence for the person. It is the same sentence whether or not there
    /// is something of that name, so that nobody can feel their way around.
    pub fn place(&self, name: &str) -> Result<PathBuf, String> {
        match self {
            Self::Anywhere if Path::new(name).is_absolute() => Ok(PathBuf::from(name)),
            Self::Anywhere => Err(format!(
                "{} is kept by the server this was planned on. Decide on it there, or ask again here.",
                quoted(name)
            )),
            Self::Closed => Err(format!("{} belongs to no conversation. This is a defect.", quoted(name))),
            Self::Folder(folder) => {
                let path = folder.join(name);
                let is_link = || path.symlink_metadata().is_ok_and(|found| found.file_type().is_symlink());
                if is_file_name(name) && !is_link() { Ok(path) } else { Err(outside(name)) }
            }
        }
    }

    /// Makes the folder, for this account alone.
    ///
    /// # Errors
    /// Whatever the system says.
    pub fn make(&self) -> io::Result<()> {
        let Self::Folder(folder) = self else { return Ok(()) };
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)
    }
}

/// A path in a sentence.
pub fn quoted(path: &str) -> String {
    format!("“{path}”")
}

/// A name of one file and of nothing else, on every system. A leading point is ours: files that are not finished yet.
fn is_file_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let is_one = matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name);
    let leads_on = |letter: char| letter.is_control() || matches!(letter, '/' | '\\' | ':');
    is_one && name.len() <= NAME_BYTES_MAX && !name.starts_with(['.', '~']) && !name.chars().any(leads_on)
}

fn outside(name: &str) -> String {
    format!(
        "{} cannot be used here: files are kept with this conversation. Name a file without a folder, as in “report.csv”.",
        quoted(name)
    )
}

/// Bytes of an id that is a folder's name as it is; ours are shorter.
const FOLDER_BYTES_MAX: usize = 100;

/// Bytes of a file's name: what every system takes, with room for what stands before one that is not finished yet.
const NAME_BYTES_MAX: usize = 150;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn names_do_not_lead_out_of_the_folder_and_every_refusal_reads_the_same() {
        let root = tempfile::tempdir().unwrap();
        let room = Room::below(root.path(), &ConversationId::new("mine"));
        let theirs = root.path().join("theirs/a.csv");
        for folder in ["mine", "theirs"] {
            std::fs::create_dir(root.path().join(folder)).unwrap();
        }
        std::fs::write(&theirs, "a\n1\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&theirs, root.path().join("mine/link.csv")).unwrap();
        assert_eq!(room.place("a b.csv").unwrap(), root.path().join("mine/a b.csv"));
        let whole = theirs.to_str().unwrap();
        let out = ["../theirs/a.csv", "../theirs/none.csv", "a/../../theirs/a.csv", "./a.csv", "..", "", ".hidden.csv"];
        let more = ["~/a.csv", "C:\\a.csv", "a\\b.csv", "a\0.csv", whole];
        for name in out.into_iter().chain(more).chain(cfg!(unix).then_some("link.csv")) {
            assert_eq!(room.place(name).unwrap_err(), outside(name));
        }
    }

    #[test]
    fn an_id_that_leads_elsewhere_names_a_folder_below_all_the_same() {
        for id in ["../x", "", ".", "a/b", "/etc", &"a".repeat(300)] {
            let place = Room::below(Path::new("/files"), &ConversationId::new(id)).place("a.csv").unwrap();
            let folder = place.parent().unwrap();
            assert_eq!(folder.parent(), Some(Path::new("/files")), "{id}");
            assert_eq!(folder.file_name().unwrap().len(), 65, "{id}");
        }
    }

    #[test]
    fn a_name_of_a_server_is_no_file_of_the_folder_somebody_stands_in() {
        assert!(Room::Anywhere.place("report.csv").unwrap_err().contains("kept by the server"));
        assert_eq!(Room::Anywhere.place("/tmp/report.csv").unwrap(), Path::new("/tmp/report.csv"));
    }
}
