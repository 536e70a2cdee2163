//! Blocks: edits as people and models write them, and the files as they would be after all of them. A block that does
//! not stand exactly once in its file is refused, because nobody could say which place is meant. Next: `proposal`.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use turnwise_assistant::place::FilePath;

use super::EditError;
use crate::workspace::{Digest, Ending, Text, Workspace, WorkspaceError};

/// One change of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edit {
    /// This text, which stands there once, becomes that one.
    Replace {
        /// The file.
        path: FilePath,
        /// What stands there.
        search: String,
        /// What takes its place.
        replace: String,
    },
    /// A new file.
    Create {
        /// The file.
        path: FilePath,
        /// All of it.
        text: String,
    },
}

/// Files as they would be, over those that are there. Several edits of one file build on each other.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    workspace: &'a Workspace,
    files: BTreeMap<FilePath, Drafted>,
}

/// A file as it was read, if it was there, and as it would be.
#[derive(Clone, Debug)]
pub(super) struct Drafted {
    pub(super) before: Option<Text>,
    pub(super) after: String,
}

impl<'a> Draft<'a> {
    /// Nothing changed yet.
    #[must_use]
    pub fn new(workspace: &'a Workspace) -> Self {
        Self { workspace, files: BTreeMap::new() }
    }

    /// The files that are read or changed.
    pub(super) fn files(&self) -> impl Iterator<Item = (&FilePath, &Drafted)> {
        self.files.iter()
    }

    /// Whether a file would be another.
    #[must_use]
    pub fn changes(&self, path: &FilePath) -> bool {
        let differs = |file: &Drafted| file.before.as_ref().is_none_or(|before| before.content != file.after);
        self.files.get(path).is_some_and(differs)
    }

    /// A file that is changed: as it is, as it would be, and whether it is new.
    pub(super) fn sides(&self, path: &FilePath) -> Option<(String, String, bool)> {
        let file = self.files.get(path)?;
        let before = file.before.as_ref().map_or(String::new(), |text| text.content.clone());
        Some((before, file.after.clone(), file.before.is_none()))
    }

    /// A file as it would be.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn content(&self, path: &FilePath) -> Result<String, WorkspaceError> {
        match self.files.get(path) {
            Some(file) => Ok(file.after.clone()),
            None => Ok(self.workspace.read(path)?.content),
        }
    }

    /// Makes an edit.
    ///
    /// # Errors
    /// When the file cannot be read or is there already, or the block does not stand in it exactly once.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), EditError> {
        match edit {
            Edit::Replace { path, search, replace } => {
                let content = self.content(path)?;
                let ending = Ending::of(&content);
                // A block is written with plain line ends, whatever those of the file are.
                let (search, replace) = (ending.put(search), ending.put(replace));
                let mut places = content.match_indices(search.as_str());
                let mismatch = |reason: &str| EditError::HunkMismatch { path: path.clone(), reason: reason.to_owned() };
                let place = places.next().filter(|_| !search.is_empty());
                let (at, found) = place.ok_or_else(|| mismatch("the text to be replaced does not stand"))?;
                if places.next().is_some() {
                    return Err(mismatch("the text to be replaced stands more than once"));
                }
                self.replace(path, std::slice::from_ref(&(at..at + found.len())), &replace)
            }
            Edit::Create { path, text } => self.create(path, text),
        }
    }

    /// Puts `with` in the place of each of `ranges` (in order, apart from each other) of a file as it would be.
    ///
    /// # Errors
    /// When the file cannot be read, or a range is none of its text.
    pub fn replace(&mut self, path: &FilePath, ranges: &[Range<usize>], with: &str) -> Result<(), EditError> {
        let places: Vec<_> = ranges.iter().map(|range| (range.clone(), with.to_owned())).collect();
        self.replace_each(path, &places)
    }

    /// Puts a text in the place of each of `places` (in order, apart from each other) of a file as it would be.
    ///
    /// # Errors
    /// As for [`Self::replace`].
    pub fn replace_each(&mut self, path: &FilePath, places: &[(Range<usize>, String)]) -> Result<(), EditError> {
        let content = self.content(path)?;
        let (mut after, mut from) = (String::with_capacity(content.len()), 0);
        for (range, with) in places {
            let kept = content.get(from..range.start).filter(|_| content.is_char_boundary(range.end));
            let kept = kept.ok_or_else(|| EditError::ApplyFailed(format!("a place in “{path}” is none")))?;
            after.push_str(kept);
            after.push_str(with);
            from = range.end;
        }
        after.push_str(content.get(from..).unwrap_or_default());
        self.put(path, after)
    }

    /// Makes `after` the whole text of a file that is there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn put(&mut self, path: &FilePath, after: String) -> Result<(), EditError> {
        if let Some(file) = self.files.get_mut(path) {
            file.after = after;
            return Ok(());
        }
        let before = Some(self.workspace.read(path)?);
        self.files.insert(path.clone(), Drafted { before, after });
        Ok(())
    }

    /// Takes back what was made of a file.
    pub fn leave_out(&mut self, path: &FilePath) {
        self.files.remove(path);
    }

    fn create(&mut self, path: &FilePath, text: &str) -> Result<(), EditError> {
        let is_there = self.files.contains_key(path) || self.workspace.place(path)?.symlink_metadata().is_ok();
        if is_there {
            return Err(EditError::ApplyFailed(format!("“{path}” is there already")));
        }
        let mut after = text.to_owned();
        if !after.is_empty() && !after.ends_with('\n') {
            after.push('\n');
        }
        self.files.insert(path.clone(), Drafted { before: None, after });
        Ok(())
    }
}

impl Drafted {
    /// The digest of the file as it was read; none for a new one.
    pub(super) fn digest_before(&self) -> Option<Digest> {
        self.before.as_ref().map(|text| text.digest.clone())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn a_block_stands_exactly_once_and_lines_keep_their_ends() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.txt"), "one\r\ntwo\r\nthree three\r\n").unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let path = FilePath::new("a.txt").unwrap();
        let mut draft = Draft::new(&workspace);
        let mut replace = |search: &str, replace: &str| {
            draft.edit(&Edit::Replace { path: path.clone(), search: search.into(), replace: replace.into() })
        };
        replace("one\ntwo\n", "1\n2\n").unwrap();
        for (search, told) in [("none", "does not stand"), ("three", "more than once"), ("", "does not stand")] {
            assert!(replace(search, "x").unwrap_err().to_string().contains(told), "{search}");
        }
        assert_eq!(draft.content(&path).unwrap(), "1\r\n2\r\nthree three\r\n");
        let create = Edit::Create { path: path.clone(), text: "x".into() };
        assert!(draft.edit(&create).unwrap_err().to_string().contains("is there already"));
    }
}
