//! Proposals: what is put before a person. The diff they read is the very text that is applied, and the digests of the
//! files as they were read and as they would be are beside it, so nothing else can be written. Next: `apply`.

use diffy::{DiffOptions, Patch};
use serde::{Deserialize, Serialize};
use turnwise_assistant::place::FilePath;

use super::{Draft, Edit, EditError};
use crate::workspace::{Digest, Text, Workspace, WorkspaceError};

/// Lines around a change that a diff shows.
pub(super) const CONTEXT_LINES: usize = 2;

/// Changes of files, to be approved and applied together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// By file, in the order of their paths.
    pub files: Vec<FileProposal>,
}

/// The change of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileProposal {
    /// The file.
    pub path: FilePath,
    /// The digest of the file as it was read; none where it is new.
    pub before: Option<Digest>,
    /// The digest of the file as it would be; none where it goes.
    pub after: Option<Digest>,
    /// The unified diff, without a head.
    pub diff: String,
}

impl Proposal {
    /// What the draft changes; a file that stays as it was is no part of it.
    #[must_use]
    pub fn of(draft: &Draft<'_>) -> Self {
        let changed =
            draft.files().filter(|(_, file)| file.before.as_ref().is_none_or(|before| before.content != file.after));
        let file = |(path, file): (&FilePath, &super::block::Drafted)| {
            let before = file.before.as_ref().map_or("", |text| text.content.as_str());
            FileProposal {
                path: path.clone(),
                before: file.digest_before(),
                after: Some(Digest::of(file.after.as_bytes())),
                diff: diff(before, &file.after),
            }
        };
        Self { files: changed.map(file).collect() }
    }

    /// The files as they would be, to be changed further.
    ///
    /// # Errors
    /// When a file is not as it was read.
    pub fn drafted<'a>(&self, workspace: &'a Workspace) -> Result<Draft<'a>, EditError> {
        let mut draft = Draft::new(workspace);
        for file in &self.files {
            let now = match workspace.read(&file.path) {
                Ok(text) => Some(text),
                Err(WorkspaceError::Missing(_)) => None,
                Err(error) => return Err(error.into()),
            };
            let after = file.apply(now.as_ref())?;
            if now.is_none() {
                draft.edit(&Edit::Create { path: file.path.clone(), text: String::new() })?;
            }
            draft.put(&file.path, after)?;
        }
        Ok(draft)
    }

    /// Whether nothing would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Lines that come and lines that go, added up.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.files.iter().map(|file| file.counts().0 + file.counts().1).sum()
    }

    /// The files.
    #[must_use]
    pub fn paths(&self) -> Vec<FilePath> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    /// The diff of all files, as git writes it.
    #[must_use]
    pub fn diff(&self) -> String {
        self.files.iter().map(FileProposal::with_head).collect()
    }
}

impl FileProposal {
    /// Lines that come, and lines that go.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let count = |mark: char| self.diff.lines().filter(|line| line.starts_with(mark)).count();
        (count('+'), count('-'))
    }

    /// The line of the file at which the first change stands.
    #[must_use]
    pub fn first_line(&self) -> usize {
        let mut line = 1;
        for written in self.diff.lines() {
            match written.chars().next() {
                Some('@') => line = start_of(written).unwrap_or(1),
                Some('+' | '-') => return line.max(1),
                _ => line += 1,
            }
        }
        line
    }

    fn with_head(&self) -> String {
        let side = |digest: Option<&Digest>, side: &str| match digest {
            Some(_) => format!("{side}/{}", self.path),
            None => "/dev/null".to_owned(),
        };
        let (before, after) = (side(self.before.as_ref(), "a"), side(self.after.as_ref(), "b"));
        format!("--- {before}\n+++ {after}\n{}", self.diff)
    }

    /// The file as it would be, from the file as it is.
    ///
    /// # Errors
    /// When it is not the file that was read, or the diff does not lead where it should.
    pub fn apply(&self, now: Option<&Text>) -> Result<String, EditError> {
        if now.map(|text| &text.digest) != self.before.as_ref() {
            return Err(EditError::StaleContext(self.path.clone()));
        }
        let mismatch = |reason: String| EditError::HunkMismatch { path: self.path.clone(), reason };
        let diff = self.with_head();
        let patch = Patch::from_str(&diff).map_err(|error| mismatch(format!("the diff cannot be read ({error})")))?;
        let before = now.map_or("", |text| text.content.as_str());
        let after = diffy::apply(before, &patch).map_err(|_| mismatch("the diff does not fit the text".to_owned()))?;
        match self.after.as_ref() == Some(&Digest::of(after.as_bytes())) {
            true => Ok(after),
            false => Err(mismatch("the diff leads to another text than was shown".to_owned())),
        }
    }
}

/// The line of the old file that a hunk begins with: `@@ -12,3 +12,3 @@`.
fn start_of(head: &str) -> Option<usize> {
    head.split(['-', ',', ' ']).filter_map(|part| part.parse().ok()).next()
}

/// The hunks of a unified diff.
pub(super) fn diff(before: &str, after: &str) -> String {
    let patch = DiffOptions::new().set_context_len(CONTEXT_LINES).create_patch(before, after).to_string();
    let hunks = patch.find("@@").unwrap_or(patch.len());
    patch[hunks..].to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    /// The diff of `before` and `after` leads from the one to the other, whatever their lines end with.
    #[track_caller]
    fn check(before: &str, after: &str) -> FileProposal {
        let folder = tempfile::tempdir().unwrap();
        let path = FilePath::new("a.txt").unwrap();
        std::fs::write(folder.path().join("a.txt"), before).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let mut draft = Draft::new(&workspace);
        draft.put(&path, after.to_owned()).unwrap();
        let proposal = Proposal::of(&draft);
        let file = proposal.files.into_iter().next().unwrap();
        let now = workspace.read(&path).unwrap();
        assert_eq!(file.apply(Some(&now)).unwrap(), after, "{}", file.diff);
        assert_eq!(file.apply(Some(&Text::made("else".into()))), Err(EditError::StaleContext(path)));
        file
    }

    #[test]
    fn a_diff_leads_to_the_text_that_was_proposed_byte_by_byte() {
        let file = check("one\ntwo\nthree\nfour\nfive\n", "one\ntwo\n3\nfour\nfive\nsix\n");
        assert_eq!((file.counts(), file.first_line()), ((2, 1), 3));
        check("a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n");
        check("a\nb", "a\nb\n");
        check("a\nb\n", "a\nb");
        check("", "new\n");
        check("-- a\n++ b\n@@ c\n\\ d\n", "-- a\n+++ b\n@@ -1 +1 @@\n--- c\n");
        check("mixed\r\nends\nhere\r\n", "mixed\r\nENDS\nhere\r\n");
        check("ünï\u{2028}cöde\n", "ünï\u{2028}CÖDE\n");
    }

    #[test]
    fn a_diff_that_was_tampered_with_is_refused() {
        let mut file = check("one\ntwo\n", "one\n2\n");
        let now = Text::made("one\ntwo\n".to_owned());
        file.diff = file.diff.replace("+2", "+3");
        assert!(matches!(file.apply(Some(&now)), Err(EditError::HunkMismatch { .. })));
        file.diff = "nonsense".to_owned();
        assert!(matches!(file.apply(Some(&now)), Err(EditError::HunkMismatch { .. })));
    }
}
