//! Places: which names lead to a file of the folder an assistant works in. A name is refused for what it is before the
//! disk is asked, and for what lies on its way after; both with the same sentence, so that nobody can feel their way
//! around outside. Next: `command` for what runs in such a folder.

use std::fmt;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Why a name leads to no file of the folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// It leads out of the folder.
    #[error("“{0}” leads out of the workspace; name a file by its path inside it, as in “src/main.rs”")]
    Outside(String),
    /// It is ours or git's.
    #[error("“{0}” belongs to git or to this program, and is left alone")]
    Kept(String),
    /// It says what this program does, and what it starts.
    #[error(
        "“{0}” settles what this program does and which programs it starts, so people alone change it, in an editor"
    )]
    Settles(String),
}

/// A file by its path inside the workspace, with `/` between its parts: never absolute, never with `..`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FilePath(String);

/// The folder in the workspace that is ours: changes under way and those that can be taken back.
#[derive(Clone, Copy, Debug)]
pub struct OwnFolder;

impl OwnFolder {
    /// Its name. It ignores itself, so git does not see it.
    pub const NAME: &str = ".turnwise";
}

/// Folders that are no part of the code: git's would run what is written to its hooks.
const KEPT: [&str; 4] = [".git", ".hg", ".svn", OwnFolder::NAME];

/// Files that settle what this program does when it is started in their folder, or in one below: the programs named
/// there are started without asking.
const SETTLING: [&str; 1] = ["turnwise.yaml"];

/// Whether a part of a path is such a folder, in whatever letters: some disks take them for the same.
#[must_use]
pub fn is_kept(part: &str) -> bool {
    is_one_of(part, &KEPT)
}

/// Whether a disk may take `part` for one of `names`: some see no difference between letters, between a name and the
/// same with points or blanks behind it, and none where there are letters that nobody sees.
fn is_one_of(part: &str, names: &[&str]) -> bool {
    let is_seen = |letter: &char| {
        !matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    let plain: String = part.chars().filter(is_seen).flat_map(char::to_lowercase).collect();
    let plain = plain.trim_end_matches(['.', ' ']);
    names.contains(&plain)
}

impl FilePath {
    /// Reads a path as a person or a stored proposal writes it.
    ///
    /// # Errors
    /// When it is absolute, goes up, names nothing, or holds what no file's name should hold.
    pub fn new(written: &str) -> Result<Self, PlaceError> {
        let outside = || PlaceError::Outside(written.to_owned());
        if written.starts_with('~') || written.chars().any(|letter| letter.is_control() || letter == '\\') {
            return Err(outside());
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in Path::new(written).components() {
            match part {
                Component::CurDir => {}
                Component::Normal(part) => parts.push(part.to_str().ok_or_else(outside)?),
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err(outside()),
            }
        }
        if parts.is_empty() {
            return Err(outside());
        }
        if parts.iter().any(|part| is_kept(part)) {
            return Err(PlaceError::Kept(written.to_owned()));
        }
        Ok(Self(parts.join("/")))
    }

    /// The path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it may be written.
    ///
    /// # Errors
    /// When it settles what this program does: whoever writes that has the programs it names started.
    pub fn may_be_written(&self) -> Result<(), PlaceError> {
        match self.0.split('/').any(|part| is_one_of(part, &SETTLING)) {
            true => Err(PlaceError::Settles(self.0.clone())),
            false => Ok(()),
        }
    }

    /// The last part.
    #[must_use]
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// What stands behind the last point of the last part, in lower case; empty where there is none.
    #[must_use]
    pub fn ending(&self) -> String {
        self.file_name().rsplit_once('.').map_or_else(String::new, |(_, ending)| ending.to_lowercase())
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl TryFrom<String> for FilePath {
    type Error = PlaceError;

    fn try_from(written: String) -> Result<Self, PlaceError> {
        Self::new(&written)
    }
}

impl From<FilePath> for String {
    fn from(path: FilePath) -> Self {
        path.0
    }
}

/// Where `path` lies on the disk in the folder `root`. No part of its way may be a link: a link can lead anywhere, and
/// can be turned after it was looked at.
///
/// # Errors
/// When a link lies on the way, or something else than a folder.
pub fn place(root: &Path, path: &FilePath) -> Result<PathBuf, PlaceError> {
    let mut place = root.to_owned();
    let last = path.0.split('/').count();
    for (at, part) in (1..).zip(path.0.split('/')) {
        place.push(part);
        let Ok(found) = place.symlink_metadata() else { continue };
        if found.file_type().is_symlink() || (at < last && !found.is_dir()) {
            return Err(PlaceError::Outside(path.0.clone()));
        }
    }
    Ok(place)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn a_path_that_leads_out_is_refused_with_one_sentence() {
        for name in ["../a.rs", "src/../../a.rs", "/etc/passwd", "~/a.rs", "", ".", "a\0b", "a\nb", "C:\\a.rs", ".."] {
            assert_eq!(FilePath::new(name), Err(PlaceError::Outside(name.to_owned())), "{name}");
        }
        for name in [".git/hooks/pre-commit", "sub/.git/config", ".GIT/config", ".turnwise/changes/1"] {
            assert_eq!(FilePath::new(name), Err(PlaceError::Kept(name.to_owned())), "{name}");
        }
        assert_eq!(FilePath::new("./src//a.rs").unwrap().as_str(), "src/a.rs");
        assert_eq!(FilePath::new(".github/ci.yml").unwrap().as_str(), ".github/ci.yml");
        assert!(serde_json::from_str::<FilePath>("\"../a\"").is_err(), "a stored path is checked like a spoken one");
    }

    #[test]
    fn what_settles_the_program_is_read_and_not_written_however_its_name_is_spelt() {
        for name in [
            "turnwise.yaml",
            "./turnwise.yaml",
            "sub/turnwise.yaml",
            "TURNWISE.YAML",
            "Turnwise.yaml",
            "turnwise.yaml.",
            "turnwise.yaml ",
            "turnwise.yaml/",
            "turn\u{200c}wise.yaml",
            "\u{feff}turnwise.yaml",
        ] {
            assert!(matches!(FilePath::new(name).unwrap().may_be_written(), Err(PlaceError::Settles(_))), "{name}");
        }
        for name in ["my-turnwise.yaml", "turnwise.yaml.md", "turnwise.yml", "config.yaml"] {
            assert_eq!(FilePath::new(name).unwrap().may_be_written(), Ok(()), "{name}");
        }
        assert_eq!(FilePath::new(".gi\u{200c}t/config"), Err(PlaceError::Kept(".gi\u{200c}t/config".to_owned())));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_on_the_way_is_refused_whether_or_not_it_leads_out() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(outside.path().join("secret.rs"), "x").unwrap();
        std::fs::write(inside.path().join("a.rs"), "x").unwrap();
        std::os::unix::fs::symlink(outside.path(), inside.path().join("away")).unwrap();
        std::os::unix::fs::symlink(inside.path().join("a.rs"), inside.path().join("b.rs")).unwrap();
        let place = |name: &str| place(inside.path(), &FilePath::new(name).unwrap());
        for name in ["away/secret.rs", "away/none.rs", "b.rs", "a.rs/c.rs"] {
            assert_eq!(place(name), Err(PlaceError::Outside(name.to_owned())), "{name}");
        }
        assert!(place("a.rs").is_ok() && place("new/folder/c.rs").is_ok());
    }
}
