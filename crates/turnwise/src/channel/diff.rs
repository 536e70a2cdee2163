//! Unified diffs as surfaces show them: by file and hunk, read from the very text that is approved. Next: `draw::diff`,
//! `editor::shown`.

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDiff {
    /// Its path, with `/`.
    pub path: String,
    /// Whether it was not there before.
    pub is_new: bool,
    /// Whether it goes.
    pub is_gone: bool,
    /// What changes, in order.
    pub hunks: Vec<Hunk>,
}

/// A change with what stands around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hunk {
    /// Its head as it is written: `@@ -1,3 +1,4 @@`.
    pub head: String,
    /// Its lines.
    pub lines: Vec<DiffLine>,
}

/// A line of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    /// What becomes of it.
    pub mark: Mark,
    /// Its text, without the mark and the end of the line.
    pub text: String,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It stays.
    Kept,
    /// It comes.
    Added,
    /// It goes.
    Removed,
    /// It is said of the line before: that its file does not end with an end of line.
    Remark,
}

impl FileDiff {
    /// The line of the file at which the first change stands, from 1.
    #[must_use]
    pub fn first_line(&self) -> u32 {
        let Some(hunk) = self.hunks.first() else { return 1 };
        let kept = hunk.lines.iter().take_while(|line| line.mark == Mark::Kept).count();
        (hunk.first_line() + u32::try_from(kept).unwrap_or(u32::MAX)).max(1)
    }
}

impl Hunk {
    /// The line of the new file at which it begins, from 1.
    #[must_use]
    pub fn first_line(&self) -> u32 {
        let new = self.head.split_once('+').map_or("", |(_, rest)| rest);
        new.split([',', ' ']).next().and_then(|number| number.parse().ok()).unwrap_or(1)
    }

    /// The text before it, and the text after it.
    #[must_use]
    pub fn sides(&self) -> (String, String) {
        let (mut before, mut after) = (String::new(), String::new());
        let mut last = Mark::Kept;
        for line in &self.lines {
            match line.mark {
                Mark::Kept => {
                    push(&mut before, &line.text);
                    push(&mut after, &line.text);
                }
                Mark::Removed => push(&mut before, &line.text),
                Mark::Added => push(&mut after, &line.text),
                Mark::Remark => {
                    if last != Mark::Added {
                        before.pop();
                    }
                    if last != Mark::Removed {
                        after.pop();
                    }
                }
            }
            last = line.mark;
        }
        (before, after)
    }
}

fn push(side: &mut String, text: &str) {
    side.push_str(text);
    side.push('\n');
}

/// The files of a diff. Within a hunk the counts of its head say what belongs to it, so a line of a file that looks
/// like a head is none.
#[must_use]
pub fn files(diff: &str) -> Vec<FileDiff> {
    let mut files: Vec<FileDiff> = Vec::new();
    let (mut before, mut after) = (0_usize, 0_usize);
    let mut gone: Option<&str> = None;
    for line in diff.split_inclusive('\n') {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let is_remark = line.starts_with('\\');
        if before == 0 && after == 0 && !is_remark {
            if let Some(path) = line.strip_prefix("--- ") {
                gone = Some(path);
            } else if let (Some(path), Some(old)) = (line.strip_prefix("+++ "), gone.take()) {
                files.push(file(old, path));
            } else if let (Some((old, new)), Some(file)) = (counts(line), files.last_mut()) {
                (before, after) = (old, new);
                file.hunks.push(Hunk { head: line.to_owned(), lines: Vec::new() });
            }
            continue;
        }
        let mark = match line.chars().next() {
            Some('+') => Mark::Added,
            Some('-') => Mark::Removed,
            Some('\\') => Mark::Remark,
            _ => Mark::Kept,
        };
        before -= usize::from(before > 0 && matches!(mark, Mark::Kept | Mark::Removed));
        after -= usize::from(after > 0 && matches!(mark, Mark::Kept | Mark::Added));
        if let Some(hunk) = files.last_mut().and_then(|file| file.hunks.last_mut()) {
            hunk.lines.push(DiffLine { mark, text: line.get(1..).unwrap_or_default().to_owned() });
        }
    }
    files
}

fn file(old: &str, new: &str) -> FileDiff {
    const NONE: &str = "/dev/null";
    let path = |side: &str| side.get(2..).unwrap_or(side).to_owned();
    FileDiff {
        path: if new == NONE { path(old) } else { path(new) },
        is_new: old == NONE,
        is_gone: new == NONE,
        hunks: Vec::new(),
    }
}

/// Lines of a hunk before and after it: `@@ -12,3 +12,4 @@`.
fn counts(head: &str) -> Option<(usize, usize)> {
    let (old, rest) = head.strip_prefix("@@ -")?.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let count = |side: &str| side.split_once(',').map_or(Some(1), |(_, count)| count.parse().ok());
    Some((count(old)?, count(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_is_read_by_file_and_hunk_and_what_looks_like_a_head_is_a_line() {
        let diff = "--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1,2 @@\n one\n--- a/x\n+++ b/x\n@@ -9 +9 @@\n-old\n\\ No newline at \
                    end of file\n+new\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n--- a/gone\n+++ /dev/null\n\
                    @@ -1 +0,0 @@\n-x\n";
        let files = files(diff);
        let told: Vec<(&str, bool, bool, usize)> =
            files.iter().map(|file| (file.path.as_str(), file.is_new, file.is_gone, file.hunks.len())).collect();
        assert_eq!(told, [("a.rs", false, false, 2), ("new.txt", true, false, 1), ("gone", false, true, 1)]);
        assert_eq!(files[0].hunks[0].sides(), ("one\n-- a/x\n".into(), "one\n++ b/x\n".into()));
        assert_eq!(files[0].hunks[1].sides(), ("old".into(), "new\n".into()));
        assert_eq!((files[0].first_line(), files[0].hunks[1].first_line()), (2, 9));
        assert_eq!(files[1].hunks[0].sides(), (String::new(), "a\nb\n".into()));
    }
}
