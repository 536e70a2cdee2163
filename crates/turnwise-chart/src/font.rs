//! The letters that pictures are drawn with, compiled in so that a picture is the same on every machine. Their widths
//! also lay out SVG, whose viewer brings letters of its own. Next: `picture`; for the licence `font/NOTICE.md`.

use std::sync::OnceLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Roboto Regular, a subset under Apache-2.0.
static BYTES: &[u8] = include_bytes!("font/Roboto-Regular-subset.ttf");

fn face() -> Option<&'static Face<'static>> {
    static FACE: OnceLock<Option<Face<'static>>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(BYTES, 0).ok()).as_ref()
}

/// Width of `text` at `size`.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|letter| advance(letter, size)).sum()
}

/// How far a letter moves on.
pub(super) fn advance(letter: char, size: f64) -> f64 {
    let measured = face().and_then(|face| {
        let units = f64::from(face.glyph_hor_advance(face.glyph_index(letter)?)?);
        Some(units / f64::from(face.units_per_em()) * size)
    });
    // A letter the font lacks: Chinese and the like fill a square.
    measured.unwrap_or(size)
}

/// Traces a letter into `builder`, in units of the em returned; false where the font lacks it and a box was traced.
pub(super) fn trace(letter: char, builder: &mut dyn OutlineBuilder) -> (f64, bool) {
    let Some(face) = face() else { return (1.0, false) };
    let glyph = face.glyph_index(letter);
    face.outline_glyph(glyph.unwrap_or(GlyphId(0)), builder);
    (f64::from(face.units_per_em()), glyph.is_some())
}

/// `text` cut to `room` at `size`; what was cut ends in `…`.
pub(super) fn cut(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let room = room - advance('…', size);
    let mut used = 0.0;
    let kept: String = text
        .chars()
        .take_while(|letter| {
            used += advance(*letter, size);
            used <= room
        })
        .collect();
    format!("{}…", kept.trim_end())
}

/// The lines of `text`, broken between words so that none is wider than `room`.
pub(super) fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, size) + width(word, size) + advance(' ', size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(cut(word, size, room)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_is_there_and_measures() {
        assert!(face().is_some());
        assert!(width("mmm", 10.0) > width("iii", 10.0));
        assert!(cut("a long label that goes on", 12.0, 60.0).ends_with('…'));
        assert_eq!(wrap("one two three", 12.0, 50.0).len(), 2);
    }
}
