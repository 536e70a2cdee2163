//! Diffs as lines: by file and hunk, with the words that differ marked in lines that take each other's place. Hunks are
//! numbered, because they can be left out by their number. Next: `plan`.

use turnwise_core::text as words;

use super::sheet::Sheet;
use super::{Line, Tone, text};
use crate::channel::blanks;
use crate::channel::diff::{self, FileDiff, Hunk, Mark};

/// What a person decides on: line by line as it is.
pub(super) fn draw(sheet: &mut Sheet, indent: &str, diff: &str) {
    let files = diff::files(diff);
    let count: usize = files.iter().map(|file| file.hunks.len()).sum();
    let mut drawing = Drawing { sheet, indent, left: DIFF_LINES, left_out: 0, numbered: count > 1, number: 0 };
    files.iter().for_each(|file| drawing.file(file));
    // What is approved has to be seen, whoever wrote it and however.
    if files.is_empty() {
        diff.lines().for_each(|line| drawing.plain(line, Tone::Plain));
    }
    let left_out = drawing.left_out;
    if left_out > 0 {
        let more = format!("{indent}… {} more; “show the diff” shows all of it", words::count(left_out, "line"));
        sheet.text(&more, Tone::Warn);
    }
}

struct Drawing<'a> {
    sheet: &'a mut Sheet,
    indent: &'a str,
    /// Lines that are still shown.
    left: usize,
    left_out: usize,
    numbered: bool,
    number: usize,
}

impl Drawing<'_> {
    fn file(&mut self, file: &FileDiff) {
        let none = || "/dev/null".to_owned();
        let old = if file.is_new { none() } else { format!("a/{}", file.path) };
        let new = if file.is_gone { none() } else { format!("b/{}", file.path) };
        self.plain(&format!("--- {old}"), Tone::Strong);
        self.plain(&format!("+++ {new}"), Tone::Strong);
        for hunk in &file.hunks {
            self.number += 1;
            let number = if self.numbered { format!("  hunk {}", self.number) } else { String::new() };
            self.plain(&format!("{}{number}", hunk.head), Tone::Accent);
            self.hunk(hunk);
        }
    }

    fn hunk(&mut self, hunk: &Hunk) {
        let shown = blanks::shown(&hunk.lines);
        let mut at = 0;
        while let Some(line) = hunk.lines.get(at) {
            let run = |from: usize, mark: Mark| hunk.lines[from..].iter().take_while(|line| line.mark == mark).count();
            let removed = run(at, Mark::Removed);
            let added = if removed > 0 { run(at + removed, Mark::Added) } else { 0 };
            // As many lines that come as lines that go: each takes the place of the one across from it.
            if removed > 0 && removed == added {
                let (old, new) = shown[at..at + removed + added].split_at(removed);
                for (old, new) in old.iter().zip(new) {
                    let (from, until) = differing(old, new);
                    self.marked(old, '-', from, old.len() - until);
                }
                for (old, new) in old.iter().zip(new) {
                    let (from, until) = differing(old, new);
                    self.marked(new, '+', from, new.len() - until);
                }
                at += removed + added;
                continue;
            }
            self.unpaired(line.mark, &shown[at]);
            at += 1;
        }
    }

    fn unpaired(&mut self, mark: Mark, text: &str) {
        let (mark, tone) = match mark {
            Mark::Added => ('+', Tone::Good),
            Mark::Removed => ('-', Tone::Bad),
            Mark::Kept => (' ', Tone::Dim),
            Mark::Remark => ('\\', Tone::Dim),
        };
        self.plain(&format!("{mark}{text}"), tone);
    }

    /// A line of which the bytes from `from` to `until` differ from the line it takes the place of.
    fn marked(&mut self, line: &str, mark: char, from: usize, until: usize) {
        let (tone, differs) = if mark == '+' { (Tone::Good, Tone::Added) } else { (Tone::Bad, Tone::Removed) };
        let whole = format!("{mark}{line}");
        let fits = text::width(&text::visible(&whole)) + text::width(self.indent) <= self.sheet.width();
        match (line.get(..from), line.get(from..until), line.get(until..)) {
            // Broken rather than cut: what is approved has to be seen, marked or not.
            (Some(before), Some(middle), Some(after)) if fits && from < until => {
                let drawn = Line::of(self.indent, Tone::Plain).with(&format!("{mark}{before}"), tone);
                self.put(|sheet, _| sheet.line(drawn.with(middle, differs).with(after, tone)));
            }
            _ => self.plain(&whole, tone),
        }
    }

    fn plain(&mut self, line: &str, tone: Tone) {
        self.put(|sheet, indent| sheet.hanging(indent, Tone::Plain, line, tone));
    }

    fn put(&mut self, draw: impl FnOnce(&mut Sheet, &str)) {
        match self.left {
            0 => self.left_out += 1,
            _ => {
                self.left -= 1;
                draw(self.sheet, self.indent);
            }
        }
    }
}

/// How many bytes at the beginning and at the end of two lines are the same, in whole words.
fn differing(old: &str, new: &str) -> (usize, usize) {
    let same = old.char_indices().zip(new.chars()).take_while(|((_, left), right)| left == right);
    let ahead = same.map(|((at, letter), _)| at + letter.len_utf8()).last().unwrap_or(0);
    let ahead = to_boundary(old, new, ahead);
    let (old, new) = (&old[ahead..], &new[ahead..]);
    let same = old.chars().rev().zip(new.chars().rev()).take_while(|(left, right)| left == right);
    let mut behind: usize = same.map(|(letter, _)| letter.len_utf8()).sum();
    let joins = |text: &str, at: usize| {
        let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        is_word(text[..at].chars().next_back()) && is_word(text[at..].chars().next())
    };
    while behind > 0 && (joins(old, old.len() - behind) || joins(new, new.len() - behind)) {
        behind -= new[new.len() - behind..].chars().next().map_or(1, char::len_utf8);
    }
    (ahead, behind)
}

/// The last place up to `ahead` at which no word of either line is cut.
fn to_boundary(old: &str, new: &str, ahead: usize) -> usize {
    let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let cuts = |text: &str, at: usize| is_word(text[..at].chars().next_back()) && is_word(text[at..].chars().next());
    let mut at = ahead;
    while at > 0 && (cuts(old, at) || cuts(new, at)) {
        at -= old[..at].chars().next_back().map_or(1, char::len_utf8);
    }
    at
}

/// Lines of a diff that a card shows: what a small change may have, with what stands around it.
const DIFF_LINES: usize = 160;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_found_in_whole_words() {
        let check = |old: &str, new: &str| {
            let (ahead, behind) = differing(old, new);
            (old[ahead..old.len() - behind].to_owned(), new[ahead..new.len() - behind].to_owned())
        };
        assert_eq!(check("let total = 1;", "let sum_of = 1;"), ("total".into(), "sum_of".into()));
        assert_eq!(check("pub fn total(a)", "pub fn total_of(a)"), ("total".into(), "total_of".into()));
        assert_eq!(check("a.b()", "a.b().c()"), (String::new(), ".c()".into()));
        assert_eq!(check("größe = 1", "große = 1"), ("größe".into(), "große".into()));
        assert_eq!(check("same", "same"), (String::new(), String::new()));
    }
}
