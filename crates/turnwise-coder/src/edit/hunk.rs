//! Hunks: single places of a proposal, which a person may leave out, keep alone, or write otherwise. They are counted
//! over all files in the order in which the diff shows them. Next: `proposal`.

use std::collections::BTreeSet;
use std::ops::Range;

use diffy::{DiffOptions, Hunk, Line};

use super::choice::{chosen, core};
use super::proposal::CONTEXT_LINES;
use super::{Choice, Draft, EditError};
use crate::workspace::Ending;

/// A change of single hunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HunkChange {
    /// These are not made.
    Drop(BTreeSet<usize>),
    /// Only these are made.
    Keep(BTreeSet<usize>),
    /// What this one puts in place is this text.
    Write {
        /// From 1.
        hunk: usize,
        /// Whole lines.
        text: String,
    },
}

/// What becomes of one hunk.
enum Fate<'a> {
    Made,
    Dropped,
    Written(&'a str),
}

impl HunkChange {
    /// Makes it in what was drafted, and adds what was chosen to `choices`.
    ///
    /// # Errors
    /// When there is no such hunk.
    pub fn make(&self, draft: &mut Draft<'_>, choices: &mut Vec<Choice>) -> Result<(), EditError> {
        let drafted: Vec<_> = draft
            .files()
            .map(|(path, file)| {
                (
                    path.clone(),
                    file.before.as_ref().map_or(String::new(), |text| text.content.clone()),
                    file.after.clone(),
                )
            })
            .collect();
        let mut count = 0;
        let mut changed = Vec::new();
        for (path, before, after) in drafted {
            let patch = DiffOptions::new().set_context_len(CONTEXT_LINES).create_patch(&before, &after).to_string();
            let patch = diffy::Patch::from_str(&patch).map_err(|error| EditError::ApplyFailed(error.to_string()))?;
            let fates: Vec<Fate<'_>> =
                patch.hunks().iter().enumerate().map(|(at, _)| self.fate(count + at + 1)).collect();
            let made = rebuilt(&before, patch.hunks(), &fates);
            count += fates.len();
            let is_left_out = before.is_empty() && fates.iter().all(|fate| matches!(fate, Fate::Dropped));
            let touched = patch.hunks().iter().zip(&fates).filter(|(_, fate)| !matches!(fate, Fate::Made));
            let touched = touched.map(|(hunk, _)| core(&before, &after, &lines_of(hunk))).collect();
            changed.push((path, is_left_out, before, made, touched));
        }
        if let Some(none) = self.named().into_iter().find(|named| !(1..=count).contains(named)) {
            let there = turnwise_core::text::count(count, "hunk");
            return Err(EditError::ApplyFailed(format!("there is no hunk {none}; the diff has {there}")));
        }
        for (path, is_left_out, before, made, touched) in changed {
            chosen(&path, (&before, &made), touched, choices);
            match is_left_out {
                true => draft.leave_out(&path),
                false => draft.put(&path, made)?,
            }
        }
        Ok(())
    }

    fn named(&self) -> Vec<usize> {
        match self {
            Self::Drop(hunks) | Self::Keep(hunks) => hunks.iter().copied().collect(),
            Self::Write { hunk, .. } => vec![*hunk],
        }
    }

    fn fate(&self, number: usize) -> Fate<'_> {
        match self {
            Self::Drop(hunks) if hunks.contains(&number) => Fate::Dropped,
            Self::Keep(hunks) if !hunks.contains(&number) => Fate::Dropped,
            Self::Write { hunk, text } if *hunk == number => Fate::Written(text),
            Self::Drop(_) | Self::Keep(_) | Self::Write { .. } => Fate::Made,
        }
    }
}

/// The lines of the old file that a hunk is about, from 0.
fn lines_of(hunk: &Hunk<'_, str>) -> Range<usize> {
    let old = hunk.old_range();
    // A range without lines names the line before it.
    let start = if old.is_empty() { old.start() } else { old.start() - 1 };
    start..start + old.len()
}

/// The text with each hunk as its fate has it.
fn rebuilt(before: &str, hunks: &[Hunk<'_, str>], fates: &[Fate<'_>]) -> String {
    let lines: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut made, mut at) = (String::with_capacity(before.len()), 0);
    for (hunk, fate) in hunks.iter().zip(fates) {
        let Range { start, end } = lines_of(hunk);
        made.extend(lines.get(at..start).into_iter().flatten().copied());
        at = end;
        match fate {
            Fate::Dropped => made.extend(lines.get(start..at).into_iter().flatten().copied()),
            Fate::Made => made.extend(hunk.lines().iter().filter_map(|line| match line {
                Line::Context(text) | Line::Insert(text) => Some(*text),
                Line::Delete(_) => None,
            })),
            Fate::Written(text) => {
                let is_kept = |line: &&Line<'_, str>| matches!(line, Line::Context(_));
                let all = hunk.lines();
                let ahead = all.iter().take_while(is_kept).count();
                let behind = all.iter().rev().take_while(is_kept).count();
                let context = |lines: &[Line<'_, str>]| -> String {
                    lines
                        .iter()
                        .map(|line| match line {
                            Line::Context(text) | Line::Insert(text) | Line::Delete(text) => *text,
                        })
                        .collect()
                };
                made.push_str(&context(&all[..ahead]));
                let mut text = Ending::of(before).put(text);
                if !text.is_empty() && !text.ends_with('\n') {
                    text.push_str(&Ending::of(before).put("\n"));
                }
                made.push_str(&text);
                made.push_str(&context(&all[all.len() - behind..]));
            }
        }
    }
    made.extend(lines.get(at..).into_iter().flatten().copied());
    made
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use turnwise_assistant::place::FilePath;

    use super::*;
    use crate::workspace::Workspace;

    /// What becomes of ten lines of which 2, 6 and 10 were to change.
    fn check(change: &HunkChange) -> Result<String, String> {
        let folder = tempfile::tempdir().unwrap();
        let lines = |changed: &[usize]| -> String {
            (1..=12).map(|n| if changed.contains(&n) { format!("L{n}\n") } else { format!("l{n}\n") }).collect()
        };
        std::fs::write(folder.path().join("a.txt"), lines(&[])).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let path = FilePath::new("a.txt").unwrap();
        let mut draft = Draft::new(&workspace);
        draft.put(&path, lines(&[1, 6, 12])).unwrap();
        change.make(&mut draft, &mut Vec::new()).map_err(|error| error.to_string())?;
        let made = draft.content(&path).unwrap();
        Ok(made.lines().filter(|line| !line.starts_with('l')).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn hunks_are_dropped_kept_and_written_otherwise() {
        let some = |hunks: &[usize]| hunks.iter().copied().collect();
        assert_eq!(check(&HunkChange::Drop(some(&[2]))), Ok("L1 L12".into()));
        assert_eq!(check(&HunkChange::Keep(some(&[2, 3]))), Ok("L6 L12".into()));
        assert_eq!(check(&HunkChange::Write { hunk: 3, text: "mine\ntwo".into() }), Ok("L1 L6 mine two".into()));
        assert!(check(&HunkChange::Drop(some(&[4]))).unwrap_err().contains("no hunk 4; the diff has 3 hunks"));
    }
}
