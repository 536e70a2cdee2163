//! Blanks in diffs: two lines that look the same would be approved blindly, so blanks that differ, that stand at the
//! end of a line, or that no other line around begins with are drawn as signs. Next: `diff`, `draw::diff`; the page
//! does the same in `parts.js`.

use super::diff::{DiffLine, Mark};

/// The lines of a hunk as they are shown, without their marks.
#[must_use]
pub fn shown(lines: &[DiffLine]) -> Vec<String> {
    let usual = usual(lines);
    let mut shown: Vec<String> = lines.iter().map(|line| alone(line, &usual)).collect();
    let mut at = 0;
    while at < lines.len() {
        let run = |from: usize, mark: Mark| lines[from..].iter().take_while(|line| line.mark == mark).count();
        let removed = run(at, Mark::Removed);
        // What is said of the end of a file stands between the two.
        let between = run(at + removed, Mark::Remark);
        let added = if removed > 0 { run(at + removed + between, Mark::Added) } else { 0 };
        let first = at + removed + between;
        for old in at..at + removed {
            let same = |new: &usize| letters(&lines[old].text) == letters(&lines[*new].text);
            let across = (removed == added).then_some(first + old - at);
            let Some(new) = across.or_else(|| (first..first + added).find(same)) else { continue };
            (shown[old], shown[new]) = told_apart(&lines[old].text, &lines[new].text);
        }
        at += (removed + between + added).max(1);
    }
    shown
}

/// A line and the one that takes its place, each with the blanks that differ as signs.
fn told_apart(old: &str, new: &str) -> (String, String) {
    if letters(old) == letters(new) {
        return (signs(old), signs(new));
    }
    let (left, right) = (runs(old), runs(new));
    let drawn = |own: &[&str], other: &[&str], is_new: bool| -> String {
        let is_aligned = own.len() == other.len();
        let run = |(at, run): (usize, &&str)| {
            let is_end = at + 1 == own.len();
            let across = match at {
                0 => other.first(),
                _ if is_end => other.last(),
                _ if is_aligned => other.get(at),
                // Which of the others it was nobody can say.
                _ => Some(run),
            };
            let differs = is_blank(run) && across != Some(run);
            if differs || is_odd(run) || (is_new && is_end && is_trailing(run)) {
                signs(run)
            } else {
                (*run).to_owned()
            }
        };
        own.iter().enumerate().map(run).collect()
    };
    (drawn(&left, &right, false), drawn(&right, &left, true))
}

/// A line that takes no other's place: what ends it, and what it begins with unlike those around it.
fn alone(line: &DiffLine, usual: &[char]) -> String {
    if line.mark != Mark::Added {
        return line.text.clone();
    }
    let runs = runs(&line.text);
    let begins_unlike =
        |run: &str| !usual.is_empty() && run.chars().any(|letter| letter != '\r' && !usual.contains(&letter));
    let drawn = |(at, run): (usize, &&str)| {
        let is_end = at + 1 == runs.len() && is_trailing(run);
        // A tab between words looks like a space.
        let is_inner_tab = at > 0 && is_blank(run) && run.contains('\t');
        match is_end || is_odd(run) || is_inner_tab || (at == 0 && begins_unlike(run)) {
            true => signs(run),
            false => (*run).to_owned(),
        }
    };
    runs.iter().enumerate().map(drawn).collect()
}

/// The blanks that lines begin with which stay or go; where there are none, those of the first line that comes.
fn usual(lines: &[DiffLine]) -> Vec<char> {
    let of = |marks: &[Mark]| -> Vec<Vec<char>> {
        let lines = lines.iter().filter(|line| marks.contains(&line.mark));
        lines.map(|line| runs(&line.text)[0].chars().collect()).filter(|run: &Vec<char>| !run.is_empty()).collect()
    };
    let old = of(&[Mark::Kept, Mark::Removed]).concat();
    if old.is_empty() { of(&[Mark::Added]).into_iter().next().unwrap_or_default() } else { old }
}

/// A line as blanks and what stands between them, blanks first and last, empty where there are none.
fn runs(text: &str) -> Vec<&str> {
    let (mut runs, mut from, mut is_blank) = (Vec::new(), 0, true);
    for (at, letter) in text.char_indices() {
        if letter.is_whitespace() != is_blank {
            runs.push(&text[from..at]);
            (from, is_blank) = (at, !is_blank);
        }
    }
    runs.push(&text[from..]);
    if !is_blank {
        runs.push("");
    }
    runs
}

fn is_blank(run: &str) -> bool {
    run.chars().all(char::is_whitespace)
}

/// Blanks at the end of a line that are seen nowhere. What ends the line itself is none.
fn is_trailing(run: &str) -> bool {
    is_blank(run) && !run.trim_end_matches('\r').is_empty()
}

/// Blanks that look like a space and are none.
fn is_odd(run: &str) -> bool {
    is_blank(run) && run.chars().any(|letter| !matches!(letter, ' ' | '\t' | '\r'))
}

fn letters(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).collect()
}

fn signs(text: &str) -> String {
    let sign = |letter: char| match letter {
        '\t' => '→',
        ' ' => '·',
        '\r' => '␍',
        other if other.is_whitespace() => '⍽',
        other => other,
    };
    text.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a hunk as it is written, and as they are shown.
    #[track_caller]
    fn check(written: &str, expected: &[&str]) {
        let line = |line: &str| {
            let mark = match line.chars().next() {
                Some('+') => Mark::Added,
                Some('-') => Mark::Removed,
                Some('\\') => Mark::Remark,
                _ => Mark::Kept,
            };
            DiffLine { mark, text: line.get(1..).unwrap_or_default().to_owned() }
        };
        let lines: Vec<DiffLine> = written.split('\n').map(line).collect();
        assert_eq!(shown(&lines), expected, "{written}");
    }

    #[test]
    fn blanks_that_differ_are_seen() {
        check("-a\tb\n+a b", &["a→b", "a·b"]);
        check("-d \n+d", &["d·", "d"]);
        check("-end\r\n+end", &["end␍", "end"]);
        check("-a b\n+a c", &["a b", "a c"]);
        check("-  a(b)\n+\ta(c)", &["··a(b)", "→a(c)"]);
        check("-a  b c\n+a b d", &["a··b c", "a·b d"]);
        check("-a\n\\ No newline\n+a ", &["a", " No newline", "a·"]);
    }

    #[test]
    fn lines_that_take_no_others_place_show_what_nobody_would_see() {
        check(" a\n+b  \n+   ", &["a", "b··", "···"]);
        check("   a\n+\tb\n+  c", &["  a", "→b", "  c"]);
        check(" \ta\n+  b\n+\tc", &["\ta", "··b", "\tc"]);
        check("+\ta\n+  b\n+c\td", &["\ta", "··b", "c→d"]);
        check("-  a\n+\ta\n+\tb", &["··a", "→a", "→b"]);
        check(" a\r\n+b\r", &["a\r", "b\r"]);
        check("+a\u{a0}b", &["a⍽b"]);
    }
}
