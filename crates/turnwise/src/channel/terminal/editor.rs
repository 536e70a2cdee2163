//! The input box: several lines, history, paste that never submits. Keys come in, a finished message comes out; how it
//! looks is a pure function of its text and the room. Next: `history`, `area`.

use std::io;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_textarea::{CursorMove, DataCursor, TextArea};
use unicode_segmentation::UnicodeSegmentation;

use super::history::History;
use super::search::Search;
use crate::channel::draw::{Line, Tone, visible, width};

/// What a key came to.
#[derive(Debug)]
pub enum Edited {
    /// The text or the cursor may have changed.
    Changed,
    /// The person finished a message. An error says that the history could not be kept.
    Submitted(String, io::Result<()>),
}

/// The text being written.
pub struct Editor {
    text: TextArea<'static>,
    history: History,
    /// How many entries back the text is from; 0 for the person's own draft.
    back: usize,
    draft: String,
    /// A search of what was typed before, in sight instead of the text.
    search: Option<Search>,
}

/// The input box as lines, and the cursor in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// From top to bottom.
    pub lines: Vec<Line>,
    /// The line the cursor is in.
    pub cursor_line: usize,
    /// The cell the cursor is in.
    pub cursor_cell: usize,
}

impl Editor {
    /// Empty.
    #[must_use]
    pub fn new(history: History) -> Self {
        Self { text: TextArea::default(), history, back: 0, draft: String::new(), search: None }
    }

    /// Whether nothing is written or sought.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.search.is_none()
    }

    /// Whether what was typed before is being searched.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Drops what is written; a search alone where one is under way.
    pub fn clear(&mut self) {
        if self.search.take().is_some() {
            return;
        }
        self.set("");
        self.back = 0;
    }

    /// Inserts pasted text as it is; line breaks in it do not submit.
    pub fn paste(&mut self, text: &str) {
        if let Some(search) = &mut self.search {
            search.write(text.lines().next().unwrap_or_default(), &self.history);
            return;
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.text.insert_str(text);
    }

    /// Takes a key.
    pub fn key(&mut self, key: KeyEvent) -> Edited {
        let with = |modifier| key.modifiers.contains(modifier);
        if self.search.is_some() && self.search_key(key) {
            return Edited::Changed;
        }
        match key.code {
            KeyCode::Char('r') if with(KeyModifiers::CONTROL) => self.search = Some(Search::default()),
            KeyCode::Enter if with(KeyModifiers::ALT) || with(KeyModifiers::SHIFT) => self.text.insert_newline(),
            KeyCode::Char('j') if with(KeyModifiers::CONTROL) => self.text.insert_newline(),
            KeyCode::Enter => return self.enter(),
            KeyCode::Char('u') if with(KeyModifiers::CONTROL) => {
                self.text.delete_line_by_head();
            }
            KeyCode::Char('p') if with(KeyModifiers::CONTROL) => self.up(),
            KeyCode::Char('n') if with(KeyModifiers::CONTROL) => self.down(),
            KeyCode::Up => self.up(),
            KeyCode::Down => self.down(),
            // What completes is the chat's to know; and nothing is to be scrolled: the transcript is the terminal's.
            KeyCode::Tab | KeyCode::BackTab | KeyCode::PageUp | KeyCode::PageDown => {}
            code => {
                // Shift with a movement would select, which is not drawn and would make the next key delete.
                let modifiers = if matches!(code, KeyCode::Char(_)) {
                    key.modifiers
                } else {
                    key.modifiers.difference(KeyModifiers::SHIFT)
                };
                self.text.input(KeyEvent::new(code, modifiers));
            }
        }
        Edited::Changed
    }

    /// The word the cursor is behind, as far as it is typed, and whether nothing stands before it.
    #[must_use]
    pub fn word(&self) -> (String, bool) {
        let DataCursor(row, column) = self.text.cursor();
        let before: Vec<char> = self.text.lines()[row].chars().take(column).collect();
        let from = before.iter().rposition(|letter| is_gap(*letter)).map_or(0, |gap| gap + 1);
        (before[from..].iter().collect(), row == 0 && from == 0)
    }

    /// What is written, where that is one line.
    #[must_use]
    pub fn line(&self) -> Option<String> {
        match self.text.lines() {
            [line] => Some(line.clone()),
            _ => None,
        }
    }

    /// Puts `text` in place of so many letters before the cursor.
    pub fn replace(&mut self, letters: usize, text: &str) {
        for _ in 0..letters {
            self.text.delete_char();
        }
        self.text.insert_str(text);
    }

    /// Takes a key while searching; `false` for one that ends the search and then does what it is for.
    fn search_key(&mut self, key: KeyEvent) -> bool {
        let Some(search) = &mut self.search else { return false };
        let held = key.modifiers.difference(KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Char('r') if held == KeyModifiers::CONTROL => {
                search.further(&self.history);
            }
            KeyCode::Char('g') if held == KeyModifiers::CONTROL => self.search = None,
            KeyCode::Esc => self.search = None,
            KeyCode::Char(letter) if held.is_empty() => search.write(letter.encode_utf8(&mut [0; 4]), &self.history),
            KeyCode::Backspace => search.erase(&self.history),
            // It goes into the box and no further: what was once a yes is none now.
            KeyCode::Enter => self.take_found(),
            _ => {
                self.take_found();
                return false;
            }
        }
        true
    }

    /// Ends the search; what it found is in the box.
    fn take_found(&mut self) {
        if let Some(found) = self.search.take().and_then(|search| search.found()) {
            self.recall(found);
        }
    }

    /// A backslash before the cursor at the end continues on a new line; else the message is finished.
    fn enter(&mut self) -> Edited {
        let text = self.content();
        let DataCursor(line, column) = self.text.cursor();
        let at_end = line + 1 == self.text.lines().len() && column == self.text.lines()[line].chars().count();
        if at_end && text.ends_with('\\') {
            self.text.delete_char();
            self.text.insert_newline();
            return Edited::Changed;
        }
        if text.trim().is_empty() {
            return Edited::Changed;
        }
        let kept = self.history.add(&text);
        self.clear();
        Edited::Submitted(text, kept)
    }

    fn up(&mut self) {
        if self.text.cursor().0 > 0 {
            self.text.move_cursor(CursorMove::Up);
        } else {
            self.recall(self.back + 1);
        }
    }

    fn down(&mut self) {
        if self.text.cursor().0 + 1 < self.text.lines().len() {
            self.text.move_cursor(CursorMove::Down);
        } else if self.back > 0 {
            self.recall(self.back - 1);
        }
    }

    /// Shows the entry `back` steps back; the person's own draft waits at 0.
    fn recall(&mut self, back: usize) {
        let entry = if back == 0 { Some(self.draft.clone()) } else { self.history.back(back).map(str::to_owned) };
        let Some(entry) = entry else { return };
        if self.back == 0 {
            self.draft = self.content();
        }
        self.set(&entry);
        self.back = back;
    }

    fn content(&self) -> String {
        self.text.lines().join("\n")
    }

    fn set(&mut self, text: &str) {
        self.text = TextArea::new(text.split('\n').map(str::to_owned).collect());
        self.text.move_cursor(CursorMove::Bottom);
        self.text.move_cursor(CursorMove::End);
    }

    /// The box in `columns` cells and at most `rows` lines, scrolled to the cursor.
    #[must_use]
    pub fn drawn(&self, columns: usize, rows: usize) -> Drawn {
        if let Some(search) = &self.search {
            let (lines, cursor) = search.drawn(&self.history, rows);
            return laid_out(&lines, (0, cursor), columns, rows);
        }
        let DataCursor(row, column) = self.text.cursor();
        laid_out(self.text.lines(), (row, column), columns, rows)
    }
}

/// `text` in `columns` cells and at most `rows` lines, scrolled to the cursor, of which row and character are given.
fn laid_out(text: &[String], cursor: (usize, usize), columns: usize, rows: usize) -> Drawn {
    let room = columns.saturating_sub(PROMPT_WIDTH).max(2);
    let (cursor_row, cursor_column) = cursor;
    let mut lines: Vec<String> = Vec::new();
    let (mut cursor_line, mut cursor_cell) = (0, 0);
    for (row, text) in text.iter().enumerate() {
        let cursor = (row == cursor_row).then_some(cursor_column);
        let (broken, place) = break_line(text, room, cursor);
        if let Some((line, cell)) = place {
            (cursor_line, cursor_cell) = (lines.len() + line, cell);
        }
        lines.extend(broken);
    }
    let first = (cursor_line + 1).saturating_sub(rows.max(1)).min(lines.len().saturating_sub(rows.max(1)));
    let shown = lines.iter().enumerate().skip(first).take(rows.max(1)).map(|(at, text)| {
        let prompt = if at == 0 { PROMPT } else { CONTINUED };
        Line::of(prompt, Tone::Accent).with(text, Tone::Plain)
    });
    Drawn { lines: shown.collect(), cursor_line: cursor_line - first, cursor_cell: PROMPT_WIDTH + cursor_cell }
}

/// `text` in pieces of at most `room` cells, and where the cursor (counted in characters) is among them.
fn break_line(text: &str, room: usize, cursor: Option<usize>) -> (Vec<String>, Option<(usize, usize)>) {
    let mut lines = vec![String::new()];
    let (mut used, mut seen, mut place) = (0, 0, None);
    for cluster in text.graphemes(true) {
        let shown = visible(cluster);
        let cells = width(&shown);
        if used + cells > room {
            lines.push(String::new());
            used = 0;
        }
        if cursor.is_some_and(|cursor| cursor >= seen) {
            place = Some((lines.len() - 1, used));
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(&shown);
        }
        used += cells;
        seen += cluster.chars().count();
    }
    if cursor.is_some_and(|cursor| cursor >= seen) {
        if used >= room {
            lines.push(String::new());
            used = 0;
        }
        place = Some((lines.len() - 1, used));
    }
    (lines, place)
}

/// Whether a letter stands between words that can be completed.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '(' | '[' | ',' | ';' | '"' | '“' | '`')
}

const PROMPT: &str = "› ";
const CONTINUED: &str = "  ";
const PROMPT_WIDTH: usize = 2;

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::{Drawn, Edited, Editor, History};

    fn typed(editor: &mut Editor, text: &str) {
        for character in text.chars() {
            editor.key(KeyEvent::new(KeyCode::Char(character), KeyModifiers::NONE));
        }
    }

    fn press(editor: &mut Editor, code: KeyCode, modifiers: KeyModifiers) -> Option<String> {
        match editor.key(KeyEvent::new(code, modifiers)) {
            Edited::Changed => None,
            Edited::Submitted(text, kept) => {
                kept.unwrap();
                Some(text)
            }
        }
    }

    fn enter(editor: &mut Editor) -> Option<String> {
        press(editor, KeyCode::Enter, KeyModifiers::NONE)
    }

    fn check(editor: &Editor, columns: usize, expected: &[&str], cursor: (usize, usize)) {
        let Drawn { lines, cursor_line, cursor_cell } = editor.drawn(columns, 3);
        let lines: Vec<String> = lines.iter().map(|line| line.plain().trim_end().to_owned()).collect();
        assert_eq!(lines, expected);
        assert_eq!((cursor_line, cursor_cell), cursor);
    }

    #[test]
    fn enter_submits_and_empties_the_box() {
        let mut editor = Editor::new(History::in_memory());
        typed(&mut editor, "revenue by region");
        assert_eq!(enter(&mut editor), Some("revenue by region".to_owned()));
        assert!(editor.is_empty());
        assert_eq!(enter(&mut editor), None);
    }

    #[test]
    fn three_ways_begin_a_new_line() {
        let mut editor = Editor::new(History::in_memory());
        typed(&mut editor, "a");
        assert_eq!(press(&mut editor, KeyCode::Enter, KeyModifiers::ALT), None);
        typed(&mut editor, "b");
        assert_eq!(press(&mut editor, KeyCode::Char('j'), KeyModifiers::CONTROL), None);
        typed(&mut editor, "c\\");
        assert_eq!(enter(&mut editor), None);
        typed(&mut editor, "d");
        assert_eq!(enter(&mut editor), Some("a\nb\nc\nd".to_owned()));
    }

    #[test]
    fn a_paste_with_line_breaks_does_not_submit() {
        let mut editor = Editor::new(History::in_memory());
        editor.paste("one\r\ntwo\rthree\n");
        assert_eq!(enter(&mut editor), Some("one\ntwo\nthree\n".to_owned()));
    }

    #[test]
    fn arrows_walk_the_history_and_come_back_to_the_draft() {
        let mut editor = Editor::new(History::in_memory());
        for text in ["first", "second"] {
            typed(&mut editor, text);
            enter(&mut editor).unwrap();
        }
        typed(&mut editor, "dra");
        let up = |editor: &mut Editor| press(editor, KeyCode::Up, KeyModifiers::NONE);
        let down = |editor: &mut Editor| press(editor, KeyCode::Down, KeyModifiers::NONE);
        up(&mut editor);
        check(&editor, 40, &["› second"], (0, 8));
        up(&mut editor);
        up(&mut editor);
        check(&editor, 40, &["› first"], (0, 7));
        down(&mut editor);
        down(&mut editor);
        down(&mut editor);
        check(&editor, 40, &["› dra"], (0, 5));
    }

    #[test]
    fn long_lines_break_at_the_edge_and_the_cursor_follows() {
        let mut editor = Editor::new(History::in_memory());
        typed(&mut editor, "abcdefgh");
        check(&editor, 6, &["› abcd", "  efgh", ""], (2, 2));
        press(&mut editor, KeyCode::Home, KeyModifiers::NONE);
        check(&editor, 6, &["› abcd", "  efgh"], (0, 2));
        editor.clear();
        typed(&mut editor, "売上高");
        check(&editor, 7, &["› 売上", "  高"], (1, 4));
    }

    #[test]
    fn only_the_lines_around_the_cursor_are_shown() {
        let mut editor = Editor::new(History::in_memory());
        editor.paste("1\n2\n3\n4\n5");
        check(&editor, 20, &["  3", "  4", "  5"], (2, 3));
        for _ in 0..4 {
            press(&mut editor, KeyCode::Up, KeyModifiers::NONE);
        }
        check(&editor, 20, &["› 1", "  2", "  3"], (0, 3));
    }

    #[test]
    fn shift_and_an_arrow_do_not_select() {
        let mut editor = Editor::new(History::in_memory());
        typed(&mut editor, "abc");
        press(&mut editor, KeyCode::Left, KeyModifiers::SHIFT);
        typed(&mut editor, "x");
        check(&editor, 20, &["› abxc"], (0, 5));
    }

    /// An editor in which `entries` were typed before.
    fn typed_before(entries: &[&str]) -> Editor {
        let mut history = History::in_memory();
        for entry in entries {
            history.add(entry).unwrap();
        }
        Editor::new(history)
    }

    fn again(editor: &mut Editor) {
        press(editor, KeyCode::Char('r'), KeyModifiers::CONTROL);
    }

    #[test]
    fn a_search_goes_back_letter_by_letter_and_enter_takes_it_without_sending_it() {
        let mut editor = typed_before(&["total by region", "Revenue by month", "total by month", "yes"]);
        typed(&mut editor, "dra");
        again(&mut editor);
        check(&editor, 40, &["› (search) :"], (0, 11));
        typed(&mut editor, "by ");
        check(&editor, 40, &["› (search) by : total by month"], (0, 14));
        typed(&mut editor, "m");
        again(&mut editor);
        check(&editor, 40, &["› (search) by m: Revenue by month"], (0, 15));
        // There is none further back: it stays.
        again(&mut editor);
        check(&editor, 40, &["› (search) by m: Revenue by month"], (0, 15));
        assert_eq!(enter(&mut editor), None);
        check(&editor, 40, &["› Revenue by month"], (0, 18));
        // What was being typed is where the arrows leave it.
        for _ in 0..3 {
            press(&mut editor, KeyCode::Down, KeyModifiers::NONE);
        }
        check(&editor, 40, &["› dra"], (0, 5));
    }

    #[test]
    fn a_search_that_is_given_up_leaves_what_was_being_typed() {
        for (code, modifiers) in [(KeyCode::Esc, KeyModifiers::NONE), (KeyCode::Char('g'), KeyModifiers::CONTROL)] {
            let mut editor = typed_before(&["total by region"]);
            typed(&mut editor, "dra");
            again(&mut editor);
            typed(&mut editor, "REG");
            check(&editor, 40, &["› (search) REG: total by region"], (0, 14));
            typed(&mut editor, "x");
            check(&editor, 60, &["› (search) REGx: nothing typed before has this"], (0, 15));
            press(&mut editor, KeyCode::Backspace, KeyModifiers::NONE);
            check(&editor, 40, &["› (search) REG: total by region"], (0, 14));
            press(&mut editor, code, modifiers);
            check(&editor, 40, &["› dra"], (0, 5));
        }
    }

    #[test]
    fn a_search_finds_several_lines_and_fits_a_narrow_window() {
        let mut editor = typed_before(&["one\ntwo words", "1\n2\n3\n4 here\n5"]);
        again(&mut editor);
        typed(&mut editor, "two");
        check(&editor, 40, &["› (search) two: one", "  two words"], (0, 14));
        check(&editor, 12, &["› (search) t", "  wo: one", "  two words"], (1, 4));
        for _ in 0..3 {
            press(&mut editor, KeyCode::Backspace, KeyModifiers::NONE);
        }
        typed(&mut editor, "here");
        check(&editor, 40, &["› (search) here: … 4 here", "  5"], (0, 15));
        // A movement takes it, and moves.
        press(&mut editor, KeyCode::Home, KeyModifiers::NONE);
        check(&editor, 40, &["  3", "  4 here", "  5"], (2, 2));
    }

    #[test]
    fn control_characters_are_drawn_as_pictures() {
        let mut editor = Editor::new(History::in_memory());
        editor.paste("a\u{1b}[2Jb");
        check(&editor, 20, &["› a␛[2Jb"], (0, 8));
    }
}
