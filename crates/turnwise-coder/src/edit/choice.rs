//! Choices: what a person left out of a diff, or wrote otherwise. A choice stands by the lines of the file as it is, so
//! that it holds for every further diff of the same task, however its hunks are counted. Next: `hunk`.

use std::ops::Range;

use diffy::{DiffOptions, Line};
use serde::{Deserialize, Serialize};
use turnwise_assistant::place::FilePath;

use super::{Draft, EditError};

/// These lines of a file become those, whatever else would be made of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    path: FilePath,
    /// The first of them, from 0.
    line: usize,
    /// The lines as they are.
    old: String,
    /// The lines as they are to be: the same where a change was left out.
    new: String,
}

/// What a choice came to in a further diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Upheld {
    /// There is nothing it is about.
    Nothing,
    /// A change is left out as before.
    LeftOut,
    /// The lines are as the person wrote them.
    Written,
    /// The diff changes these lines together with others, or they are not there any more.
    Lost,
}

/// Lines that change together.
struct Group {
    old: Range<usize>,
    new: String,
}

impl Choice {
    /// `src/a.rs:3`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.path, self.line + 1)
    }

    /// Whether it is about this line, from 1, of this file.
    #[must_use]
    pub fn is_about(&self, path: &FilePath, line: usize) -> bool {
        self.path == *path && self.range().contains(&line.saturating_sub(1))
    }

    /// What it is where its lines change.
    #[must_use]
    pub fn made(&self) -> Upheld {
        if self.new == self.old { Upheld::LeftOut } else { Upheld::Written }
    }

    /// Makes it in what was drafted, if what was drafted changes the file.
    ///
    /// # Errors
    /// When the file cannot be written to in the draft.
    pub fn keep(&self, draft: &mut Draft<'_>) -> Result<Upheld, EditError> {
        let Some((before, after, is_new)) = draft.sides(&self.path) else { return Ok(Upheld::Nothing) };
        let Some(range) = self.found(&before) else { return Ok(Upheld::Lost) };
        let lines = lines(&before);
        let groups = groups(&before, &after);
        let inside = |group: &&Group| lies_in(&group.old, &range, lines.len());
        if groups.iter().any(|group| !inside(&group) && overlap(&group.old, &range)) {
            return Ok(Upheld::Lost);
        }
        if self.made() == Upheld::LeftOut && !groups.iter().any(|group| inside(&group)) {
            return Ok(Upheld::Nothing);
        }
        let mut others: Vec<Group> = groups.into_iter().filter(|group| !inside(&group)).collect();
        let at = others.partition_point(|group| group.old.start < range.start || group.old.end <= range.start);
        others.insert(at, Group { old: range, new: self.new.clone() });
        let made = put_together(&lines, &others);
        match is_new && made.is_empty() {
            true => draft.leave_out(&self.path),
            false => draft.put(&self.path, made)?,
        }
        Ok(self.made())
    }

    fn range(&self) -> Range<usize> {
        self.line..self.line + lines(&self.old).len()
    }

    /// Where its lines stand now: where they stood, or at the one place at which they stand.
    fn found(&self, before: &str) -> Option<Range<usize>> {
        let (all, own) = (lines(before), lines(&self.old));
        let range = self.range();
        if all.get(range.clone()) == Some(own.as_slice()) {
            return Some(range);
        }
        let mut places = all.windows(own.len().max(1)).enumerate().filter(|(_, window)| *window == own.as_slice());
        let first = places.next().map(|(at, _)| at)?;
        places.next().is_none().then(|| first..first + own.len())
    }
}

/// Takes down that `ranges` of a file were chosen, which is `before` and would be `made`. What was chosen of the same
/// lines before is part of it.
pub(super) fn chosen(path: &FilePath, (before, made): (&str, &str), ranges: Vec<Range<usize>>, all: &mut Vec<Choice>) {
    let lines = lines(before);
    let groups = groups(before, made);
    for mut range in ranges {
        all.retain(|choice| {
            let is_part = choice.path == *path && (overlap(&choice.range(), &range) || choice.range() == range);
            if is_part {
                range = range.start.min(choice.range().start)..range.end.max(choice.range().end);
            }
            !is_part
        });
        // A line more or less may be all that tells where a change begins.
        for group in &groups {
            if overlap(&group.old, &range) {
                range = range.start.min(group.old.start)..range.end.max(group.old.end);
            }
        }
        let inside = groups.iter().filter(|group| lies_in(&group.old, &range, lines.len()));
        let moved = |group: &Group| Group {
            old: group.old.start - range.start..group.old.end - range.start,
            new: group.new.clone(),
        };
        let Some(own) = lines.get(range.clone()) else { continue };
        let new = put_together(own, &inside.map(moved).collect::<Vec<_>>());
        all.push(Choice { path: path.clone(), line: range.start, old: own.concat(), new });
    }
}

/// The lines that change within `hunk`, lines of `before`; where some only come, with one beside them.
pub(super) fn core(before: &str, after: &str, hunk: &Range<usize>) -> Range<usize> {
    let groups = groups(before, after);
    let within: Vec<&Group> =
        groups.iter().filter(|group| group.old.start >= hunk.start && group.old.end <= hunk.end).collect();
    let (Some(first), Some(last)) = (within.first(), within.last()) else { return hunk.clone() };
    let beside = |group: &Group| usize::from(group.old.is_empty());
    let start = first.old.start.saturating_sub(beside(first)).max(hunk.start);
    start..(last.old.end + beside(last)).min(hunk.end)
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// The changes line by line where that can be told, else as they hang together.
fn groups(before: &str, after: &str) -> Vec<Group> {
    let mut options = DiffOptions::new();
    let patch = options.set_context_len(0).create_patch(before, after);
    let mut all = Vec::new();
    for hunk in patch.hunks() {
        let old = hunk.old_range();
        // A range without lines names the line before it.
        let start = if old.is_empty() { old.start() } else { old.start() - 1 };
        let new: Vec<&str> = hunk
            .lines()
            .iter()
            .filter_map(|line| match line {
                Line::Insert(text) => Some(*text),
                Line::Context(_) | Line::Delete(_) => None,
            })
            .collect();
        match new.len() == old.len() {
            true => all.extend((start..).zip(new).map(|(at, text)| Group { old: at..at + 1, new: text.to_owned() })),
            false => all.push(Group { old: start..start + old.len(), new: new.concat() }),
        }
    }
    all
}

fn put_together(lines: &[&str], groups: &[Group]) -> String {
    let (mut made, mut at) = (String::new(), 0);
    for group in groups {
        made.extend(lines.get(at..group.old.start).into_iter().flatten().copied());
        made.push_str(&group.new);
        at = group.old.end;
    }
    made.extend(lines.get(at..).into_iter().flatten().copied());
    made
}

/// Whether lines of a file of `count` lines lie in `range`. What comes right before or behind it is something else.
fn lies_in(lines: &Range<usize>, range: &Range<usize>, count: usize) -> bool {
    let is_within = lines.start >= range.start && lines.end <= range.end;
    let is_at_edge = lines.is_empty()
        && (lines.start == range.start && range.start > 0 || lines.start == range.end && range.end < count);
    is_within && !is_at_edge
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
