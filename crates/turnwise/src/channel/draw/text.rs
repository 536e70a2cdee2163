//! Text as a terminal shows it: control characters made visible, widths in cells, wrapping and cutting between
//! grapheme clusters. Values come from data and may hold anything. Next: `line`.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// `text` on one line without anything a terminal would obey or a reader could not see: control characters become their
/// pictures (`␛`), line breaks and tabs a space, and marks without a width of their own, or that reorder text, their
/// names (`‹U+202E›`). What a person approves has to be what they read.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        // A joiner between letters beyond ASCII is part of a script or of a picture.
        let joins = matches!(character, '\u{200c}' | '\u{200d}') && !before.is_ascii();
        if joins && rest.peek().is_some_and(|next| !next.is_ascii()) {
            shown.push(character);
        } else if is_invisible(character) {
            shown.push_str(&format!("‹U+{:04X}›", u32::from(character)));
        } else {
            shown.push(picture(character));
        }
        before = character;
    }
    shown
}

fn picture(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' => ' ',
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or(REPLACEMENT),
        '\u{7f}' => '␡',
        // A terminal may read U+009B as an escape sequence's start.
        '\u{80}'..='\u{9f}' => REPLACEMENT,
        other => other,
    }
}

/// Characters that take no room and show nothing: zero-width ones, marks of direction (with which a value could rewrite
/// how the rest of its line reads), fillers, tags. Selectors of a picture's style (U+FE0E, U+FE0F) change no meaning.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

const REPLACEMENT: char = '\u{fffd}';

/// Cells `text` takes: those of its clusters, because that is how it is cut and wrapped. As a whole some scripts are
/// counted otherwise.
#[must_use]
pub fn width(text: &str) -> usize {
    if text.is_ascii() { text.width() } else { text.graphemes(true).map(UnicodeWidthStr::width).sum() }
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
        assert_eq!(visible("a\u{1b}[2Jb\u{7}\u{9b}c\td\u{202e}e"), "a␛[2Jb␇�c d‹U+202E›e");
        // Joiners hold pictures and scripts together; between plain letters they only hide.
        assert_eq!(visible("👩\u{200d}🔬 می\u{200c}خواهم"), "👩\u{200d}🔬 می\u{200c}خواهم");
        assert_eq!(visible("log\u{200d}.csv"), "log‹U+200D›.csv");
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
    fn a_line_is_as_wide_as_its_clusters() {
        let text = "00𛲀Σ A0ᦰΣ®A𐠷𑀂𞹤® ꒐00 00Aጒࡰ A𑿿⭶Aዂ";
        for cells in 1..40 {
            for line in wrap(text, cells) {
                assert!(width(&line) <= cells.max(2), "{} > {cells}: {line:?}", width(&line));
            }
        }
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
