//! Surroundings: what lay open before a person when they spoke, where their surface can tell: the files in their editor
//! and what is selected in one. “This” and “it” may mean it (BH-05, BH-12). Next: `heard`, which hands it on.

use serde::{Deserialize, Serialize};

use crate::limits;

/// What lay open before a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Surroundings {
    /// Files, as their surface names them; the one in front first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What is selected in one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selection: Option<SelectedLines>,
}

/// Lines of a file that are selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectedLines {
    /// The file.
    pub file: String,
    /// From 1.
    pub first_line: u32,
    /// The last of them.
    pub last_line: u32,
}

impl Surroundings {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.selection.is_none()
    }

    /// The file in front: that of the selection, else the first.
    #[must_use]
    pub fn front(&self) -> Option<&str> {
        self.selection.as_ref().map(|selection| selection.file.as_str()).or(self.files.first().map(String::as_str))
    }

    /// As much of it as is kept: an editor with a thousand windows says no more than one with eight.
    #[must_use]
    pub(crate) fn within_limits(&self) -> Self {
        let is_short = |name: &String| !name.is_empty() && name.len() <= limits::FILE_NAME_BYTES_MAX;
        let files = self.files.iter().filter(|name| is_short(name)).take(limits::OPEN_FILES_MAX).cloned().collect();
        let is_sound = |it: &&SelectedLines| is_short(&it.file) && 1 <= it.first_line && it.first_line <= it.last_line;
        Self { files, selection: self.selection.as_ref().filter(is_sound).cloned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_or_makes_no_sense_is_left_out() {
        let selection = |first_line, last_line| Some(SelectedLines { file: "a.rs".into(), first_line, last_line });
        let many = Surroundings { files: (0..100).map(|n| format!("{n}.rs")).collect(), selection: selection(3, 2) };
        let kept = many.within_limits();
        assert_eq!(
            (kept.files.len(), kept.selection.as_ref(), kept.front()),
            (limits::OPEN_FILES_MAX, None, Some("0.rs"))
        );
        let kept = Surroundings { files: vec!["x".repeat(5_000)], selection: selection(2, 3) }.within_limits();
        assert_eq!((kept.files.len(), kept.front()), (0, Some("a.rs")));
    }
}
