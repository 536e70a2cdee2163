//! Text as a terminal shows it: control characters made visible, widths in cells, wrapping and cutting between
//! grapheme clusters. Values come from data and may hold anything. Next: `line`.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// `text` on one line without anything a terminal would obey: control characters become their pictures (`␛`), line
/// breaks and tabs a space, marks that reorder text `�`.
#[must_use]
pub fn visible(text: &str) -> String {
    text.chars().map(picture).collect()
}

fn picture(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => ' ',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(REPLACEMENT),
        '\u{7f}' => '␡',
        // C1 controls (a terminal may read U+009B as an escape sequence's start) and marks that change direction, with
        // which a value could rewrite how the rest of its line reads.
        '\u{80}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => REPLACEMENT,
        '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => REPLACEMENT,
        other => other,
    }
}

const REPLACEMENT: char = '\u{fffd}';

/// Cells `text` takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.width()
}

/// At most `cells` cells of `text`; what was cut ends in `…`.
#[must_use]
pub fn cut(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut used = 0;
    for cluster in text.graphemes(true) {
        let next = used + width(cluster);
        if next >= cells {
            break;
        }
        kept.push_str(cluster);
        used = next;
    }
    kept.truncate(kept.trim_end().len());
    if cells > 0 {
        kept.push('…');
    }
    kept
}

/// The lines of `text`, each made [`visible`] and broken between words, or within words that are too long, so that
/// none is wider than `cells` (a cluster wider than that stands alone). Never empty.
#[must_use]
pub fn wrap(text: &str, cells: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.trim_end().lines() {
        wrap_line(&visible(line), cells.max(1), &mut lines);
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

fn wrap_line(line: &str, cells: usize, lines: &mut Vec<String>) {
    let mut current = String::new();
    let mut used = 0;
    for word in line.trim_end().split_inclusive(' ') {
        // The space after a word may hang over the edge: it is trimmed with the line.
        if used > 0 && used + width(word.trim_end()) > cells {
            lines.push(std::mem::take(&mut current).trim_end().to_owned());
            used = 0;
        }
        for cluster in word.graphemes(true) {
            let next = width(cluster);
            if used > 0 && used + next > cells && cluster != " " {
                lines.push(std::mem::take(&mut current));
                used = 0;
            }
            current.push_str(cluster);
            used += next;
        }
    }
    lines.push(current.trim_end().to_owned());
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{cut, visible, width, wrap};

    #[test]
    fn control_characters_become_pictures() {
        assert_eq!(visible("a\u{1b}[2Jb\u{7}\u{9b}c\td\u{202e}e"), "a␛[2Jb␇�c d�e");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(width("売上"), 4);
        assert_eq!(cut("売上高の推移", 7), "売上高…");
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcd", 3), "ab…");
        assert_eq!(cut("abcd", 0), "");
    }

    #[test]
    fn words_wrap_and_long_words_break() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefghij kl", 4), ["abcd", "efgh", "ij", "kl"]);
        assert_eq!(wrap("a\n\nb\n", 10), ["a", "", "b"]);
        assert_eq!(wrap("", 10), [""]);
        assert!(wrap("売上売上", 1).iter().all(|line| line.chars().count() == 1));
        assert_eq!(wrap("  indented", 20).first().unwrap(), "  indented");
    }
}
