//! The screen: a transcript that scrolls away as ordinary output, and below it an area that is drawn in place. The area
//! is redrawn line by line, only where it changed, inside one synchronized update, so that nothing flickers.
//!
//! The inline viewport of the widget library was rejected: after a change of size it leaves stale lines behind. Here
//! the rows above the cursor are counted anew for the new width, as a terminal that reflows has them. Next: `area`.

use std::io::{self, Write};

use crate::channel::draw::{Line, Paint, paint};

/// What is drawn below the transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// From top to bottom; each no wider than the screen.
    pub lines: Vec<Line>,
    /// The line the cursor is in.
    pub cursor_line: usize,
    /// The cell the cursor is in.
    pub cursor_cell: usize,
}

/// Columns and rows of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Cells in a line.
    pub columns: u16,
    /// Lines in the window.
    pub rows: u16,
}

impl Size {
    /// As reported; a terminal that does not know its size says 0 and is taken for the customary 80 by 24.
    #[must_use]
    pub fn reported(columns: u16, rows: u16) -> Self {
        let or = |reported: u16, customary: u16| if reported == 0 { customary } else { reported };
        Self { columns: or(columns, 80), rows: or(rows, 24) }
    }
}

/// A terminal being drawn on.
pub struct Screen<W: Write> {
    out: W,
    paint: Paint,
    size: Size,
    drawn: Area,
    buffer: String,
}

impl<W: Write> Screen<W> {
    /// Begins at the cursor's place, at the start of a line.
    pub fn new(out: W, paint: Paint, size: Size) -> Self {
        Self { out, paint, size, drawn: Area::default(), buffer: String::new() }
    }

    /// The window's size as last told.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Adds `lines` to the transcript, above the area.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn print(&mut self, lines: &[Line]) -> io::Result<()> {
        let area = std::mem::take(&mut self.drawn);
        self.begin();
        self.erase(area.cursor_line);
        for line in lines {
            self.buffer.push_str(&paint(line, self.paint));
            self.buffer.push_str("\r\n");
        }
        self.draw_lines(&area);
        self.drawn = area;
        self.finish()
    }

    /// Draws the area in place of the one before.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn draw(&mut self, area: Area) -> io::Result<()> {
        let area = self.within_window(area);
        if area == self.drawn {
            return Ok(());
        }
        self.begin();
        self.draw_lines(&area);
        self.drawn = area;
        self.finish()
    }

    /// Fills the window, from its first row on, with `lines`; nothing else is drawn on it then.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn fill(&mut self, lines: &[Line]) -> io::Result<()> {
        let area = Area { lines: lines.to_vec(), cursor_line: 0, cursor_cell: 0 };
        if area == self.drawn {
            return Ok(());
        }
        self.begin();
        self.buffer.push_str("\u{1b}[H");
        let drawn: Vec<String> = lines.iter().map(|line| format!("{}\u{1b}[K", paint(line, self.paint))).collect();
        self.buffer.push_str(&drawn.join("\r\n"));
        self.buffer.push_str("\u{1b}[J\u{1b}[H");
        self.drawn = area;
        self.finish()
    }

    /// What was drawn is out of sight: the next drawing begins anew.
    pub fn forget(&mut self) {
        self.drawn = Area::default();
    }

    /// Clears what was drawn before the window had this size; the next [`Screen::draw`] draws anew. To be called when
    /// the size has been at rest for a moment.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn resize(&mut self, size: Size) -> io::Result<()> {
        let columns = usize::from(size.columns.max(1));
        let above: usize = self
            .drawn
            .lines
            .iter()
            .take(self.drawn.cursor_line)
            .map(|line| line.width().max(1).div_ceil(columns))
            .sum();
        let above = above + self.drawn.cursor_cell / columns;
        self.size = size;
        self.drawn = Area::default();
        self.begin();
        self.erase(above);
        self.finish()
    }

    /// Clears the window and what is drawn; the transcript stays in the scrollback.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn clear(&mut self) -> io::Result<()> {
        self.drawn = Area::default();
        self.begin();
        self.buffer.push_str("\u{1b}[H\u{1b}[2J");
        self.finish()
    }

    /// Removes the area and leaves the cursor at the start of the line below the transcript.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub fn leave(&mut self) -> io::Result<()> {
        let area = std::mem::take(&mut self.drawn);
        self.begin();
        self.erase(area.cursor_line);
        self.finish()
    }

    fn begin(&mut self) {
        self.buffer.clear();
        // Synchronized update (mode 2026), unknown to old terminals and ignored there; the cursor is hidden meanwhile.
        self.buffer.push_str("\u{1b}[?2026h\u{1b}[?25l");
    }

    fn finish(&mut self) -> io::Result<()> {
        self.buffer.push_str("\u{1b}[?25h\u{1b}[?2026l");
        self.out.write_all(self.buffer.as_bytes())?;
        self.out.flush()
    }

    /// Goes `above` rows up to the start of the area and clears to the end of the screen.
    fn erase(&mut self, above: usize) {
        self.up(above);
        self.buffer.push_str("\r\u{1b}[J");
    }

    fn up(&mut self, rows: usize) {
        if rows > 0 {
            self.buffer.push_str(&format!("\u{1b}[{rows}A"));
        }
    }

    /// Draws `area` over what [`Screen::drawn`] says is there.
    fn draw_lines(&mut self, area: &Area) {
        let before = std::mem::take(&mut self.drawn);
        self.up(before.cursor_line);
        self.buffer.push('\r');
        for (at, line) in area.lines.iter().enumerate() {
            if at > 0 {
                // A row that does not exist yet is made by a line feed, which scrolls where it must.
                self.buffer.push_str(if at < before.lines.len() { "\u{1b}[B\r" } else { "\r\n" });
            }
            if before.lines.get(at) != Some(line) {
                self.buffer.push_str(&paint(line, self.paint));
                self.buffer.push_str("\u{1b}[K");
            }
        }
        if before.lines.len() > area.lines.len() {
            self.buffer.push_str("\u{1b}[B\r\u{1b}[J\u{1b}[A");
        }
        self.up(area.lines.len().saturating_sub(area.cursor_line + 1));
        self.buffer.push_str(&format!("\u{1b}[{}G", area.cursor_cell + 1));
    }

    /// The lowest rows of `area` that fit the window.
    fn within_window(&self, mut area: Area) -> Area {
        let over = area.lines.len().saturating_sub(usize::from(self.size.rows.max(1)));
        area.lines.drain(..over);
        area.cursor_line = area.cursor_line.saturating_sub(over);
        area
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{Area, Screen, Size};
    use crate::channel::draw::{Line, Paint, Tone};

    /// A terminal emulator as the other end.
    struct Window(vt100::Parser);

    impl std::io::Write for Window {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.process(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn emulator(columns: u16, rows: u16) -> vt100::Parser {
        vt100::Parser::new(rows.try_into().unwrap(), columns.try_into().unwrap(), 100)
    }

    fn screen(columns: u16, rows: u16) -> Screen<Window> {
        Screen::new(Window(emulator(columns, rows)), Paint::Colour, Size { columns, rows })
    }

    fn lines(texts: &[&str]) -> Vec<Line> {
        texts.iter().map(|text| Line::of(text, Tone::Good)).collect()
    }

    fn area(texts: &[&str], cursor_line: usize, cursor_cell: usize) -> Area {
        Area { lines: lines(texts), cursor_line, cursor_cell }
    }

    fn check(screen: &Screen<Window>, expected: &[&str], cursor: (u16, u16)) {
        let shown = screen.out.0.screen();
        let contents = shown.contents();
        let rows: Vec<&str> = contents.trim_end().lines().map(str::trim_end).collect();
        assert_eq!(rows, expected);
        assert_eq!(shown.cursor_position(), cursor);
    }

    #[test]
    fn a_terminal_that_does_not_know_its_size_gets_the_customary_one() {
        assert_eq!(Size::reported(0, 0), Size { columns: 80, rows: 24 });
        assert_eq!(Size::reported(40, 12), Size { columns: 40, rows: 12 });
    }

    #[test]
    fn transcript_stands_above_the_area() {
        let mut screen = screen(20, 8);
        screen.draw(area(&["› hi", "[EXPLORE] idle"], 0, 4)).unwrap();
        check(&screen, &["› hi", "[EXPLORE] idle"], (0, 4));
        screen.print(&lines(&["one", "two"])).unwrap();
        check(&screen, &["one", "two", "› hi", "[EXPLORE] idle"], (2, 4));
        screen.draw(area(&["› hi you", "more", "[EXPLORE] idle"], 1, 2)).unwrap();
        check(&screen, &["one", "two", "› hi you", "more", "[EXPLORE] idle"], (3, 2));
        screen.draw(area(&["›", "[EXPLORE] idle"], 0, 2)).unwrap();
        check(&screen, &["one", "two", "›", "[EXPLORE] idle"], (2, 2));
    }

    #[test]
    fn a_full_window_scrolls_the_transcript_and_keeps_the_area() {
        let mut screen = screen(20, 4);
        screen.draw(area(&["›", "status"], 0, 2)).unwrap();
        screen.print(&lines(&["1", "2", "3", "4", "5"])).unwrap();
        check(&screen, &["4", "5", "›", "status"], (2, 2));
        screen.draw(area(&["progress", "›", "status"], 1, 2)).unwrap();
        check(&screen, &["5", "progress", "›", "status"], (2, 2));
    }

    #[test]
    fn an_area_higher_than_the_window_shows_its_lowest_lines() {
        let mut screen = screen(20, 3);
        screen.draw(area(&["a", "b", "c", "d"], 3, 1)).unwrap();
        check(&screen, &["b", "c", "d"], (2, 1));
    }

    #[test]
    fn leaving_removes_the_area_and_nothing_else() {
        let mut screen = screen(20, 6);
        screen.print(&lines(&["one"])).unwrap();
        screen.draw(area(&["progress", "›", "status"], 1, 0)).unwrap();
        screen.leave().unwrap();
        check(&screen, &["one"], (1, 0));
        assert!(!screen.out.0.screen().hide_cursor());
    }

    #[test]
    fn a_wider_window_leaves_no_stale_lines() {
        let mut screen = screen(20, 6);
        screen.print(&lines(&["one"])).unwrap();
        screen.draw(area(&["progress", "›", "status"], 1, 2)).unwrap();
        screen.out.0.screen_mut().set_size(6.try_into().unwrap(), 40.try_into().unwrap());
        screen.resize(Size { columns: 40, rows: 6 }).unwrap();
        check(&screen, &["one"], (1, 0));
        screen.draw(area(&["›", "a longer status line"], 0, 2)).unwrap();
        check(&screen, &["one", "›", "a longer status line"], (1, 2));
    }

    #[test]
    fn rows_above_the_cursor_are_counted_as_the_terminal_reflows_them() {
        // What a reflowing terminal has after shrinking from 12 to 5 columns: "progress 12" on three rows.
        let mut screen = screen(12, 8);
        screen.print(&lines(&["one"])).unwrap();
        screen.draw(area(&["progress 12", "› abc"], 1, 5)).unwrap();
        screen.out.0 = emulator(5, 8);
        screen.out.0.process(b"one\r\nprogr\r\ness 1\r\n2\r\n\xe2\x80\xba abc\x1b[6;1H");
        screen.resize(Size { columns: 5, rows: 8 }).unwrap();
        check(&screen, &["one"], (1, 0));
    }
}
