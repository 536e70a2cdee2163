//! A sheet: lines laid out one below the other within a width. Every card is drawn through these few moves, so a narrow
//! window is handled once. Next: `card`.

use super::{Line, Look, Tone, text};

/// Lines being laid out.
pub(super) struct Sheet {
    look: Look,
    lines: Vec<Line>,
}

impl Sheet {
    pub(super) fn new(look: Look) -> Self {
        Self { look: Look { width: look.width.max(1), ..look }, lines: Vec::new() }
    }

    pub(super) fn look(&self) -> Look {
        self.look
    }

    pub(super) fn width(&self) -> usize {
        self.look.width
    }

    /// One line, cut where it is too long.
    pub(super) fn line(&mut self, line: Line) {
        self.lines.push(line.cut(self.look.width));
    }

    pub(super) fn blank(&mut self) {
        self.lines.push(Line::default());
    }

    /// Wrapped text in one tone.
    pub(super) fn text(&mut self, words: &str, tone: Tone) {
        self.hanging("", Tone::Plain, words, tone);
    }

    /// `mark`, and beside it wrapped text that stays in its own column.
    pub(super) fn hanging(&mut self, mark: &str, mark_tone: Tone, words: &str, tone: Tone) {
        self.hanging_under(mark, mark_tone, &" ".repeat(text::width(&text::visible(mark))), words, tone);
    }

    /// As [`Sheet::hanging`], with `rest` before the second and further lines (the trunk of a tree, for example).
    pub(super) fn hanging_under(&mut self, mark: &str, mark_tone: Tone, rest: &str, words: &str, tone: Tone) {
        // What cannot be seen is shown by its name, which takes room.
        let (mark, rest) = (text::visible(mark), text::visible(rest));
        let indent = text::width(&mark).max(text::width(&rest));
        let room = self.look.width.saturating_sub(indent);
        if room < ROOM_MIN && indent > 2 {
            // Too narrow for columns: the mark gets its own line and the text a small indent.
            self.line(Line::of(mark.trim_end(), mark_tone));
            return self.hanging_under("  ", Tone::Plain, "  ", words, tone);
        }
        for (at, words) in text::wrap(words, room).iter().enumerate() {
            let (lead, lead_tone) = if at == 0 { (&mark, mark_tone) } else { (&rest, Tone::Dim) };
            self.lines.push(Line::of(lead, lead_tone).with(words, tone));
        }
    }

    pub(super) fn into_lines(self) -> Vec<Line> {
        self.lines
    }
}

/// Cells below which a column of text is no longer readable.
const ROOM_MIN: usize = 10;
