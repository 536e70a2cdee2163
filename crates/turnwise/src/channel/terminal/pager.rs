//! The pager: a card too long for the window, whole, on the terminal's other screen, so that the talk stays where it
//! was. It draws what the card holds; what was only counted stays counted in its last line. Next: `showing`, which
//! opens it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use turnwise_core::Card;

use super::screen::Size;
use crate::channel::draw::{Line, Look, Tone, card};

/// A card being paged through.
pub(super) struct Pager {
    card: Card,
    lines: Vec<Line>,
    /// The first line in sight.
    top: usize,
    size: Size,
}

/// What a key came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paged {
    /// Another part of it may be in sight.
    Goes,
    /// The person has seen enough.
    Ends,
}

impl Pager {
    /// At its beginning, in a window of `size`.
    pub(super) fn new(card: Card, size: Size) -> Self {
        let mut pager = Self { card, lines: Vec::new(), top: 0, size };
        pager.resize(size);
        pager
    }

    /// Lays it out anew for a window of `size`.
    pub(super) fn resize(&mut self, size: Size) {
        self.size = size;
        self.lines = card(&self.card, Look::terminal(size.columns).whole());
        self.go(self.top);
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> Paged {
        let page = self.rows().max(1);
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if held => return Paged::Ends,
            KeyCode::Char('q') | KeyCode::Esc => return Paged::Ends,
            KeyCode::Down | KeyCode::Enter | KeyCode::Char('j') => self.go(self.top + 1),
            KeyCode::Up | KeyCode::Char('k') => self.go(self.top.saturating_sub(1)),
            KeyCode::PageDown | KeyCode::Char(' ' | 'f') => self.go(self.top + page),
            KeyCode::PageUp | KeyCode::Char('b') => self.go(self.top.saturating_sub(page)),
            KeyCode::Home | KeyCode::Char('g') => self.go(0),
            KeyCode::End | KeyCode::Char('G') => self.go(usize::MAX),
            _ => {}
        }
        Paged::Goes
    }

    /// The window, from top to bottom; the last line says where one is and what can be pressed.
    pub(super) fn drawn(&self) -> Vec<Line> {
        let rows = self.rows();
        let mut window: Vec<Line> = self.lines.iter().skip(self.top).take(rows).cloned().collect();
        window.resize(rows, Line::default());
        let last = (self.top + rows).min(self.lines.len());
        let told = format!(
            "lines {}–{last} of {} · space, b, arrows, g, G · q goes back",
            (self.top + 1).min(last),
            self.lines.len()
        );
        window.push(Line::of(&told, Tone::Accent).cut(Look::terminal(self.size.columns).width));
        window
    }

    fn go(&mut self, top: usize) {
        self.top = top.min(self.lines.len().saturating_sub(self.rows()));
    }

    fn rows(&self) -> usize {
        usize::from(self.size.rows).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use turnwise_core::Card;

    use super::{Paged, Pager};
    use crate::channel::terminal::screen::Size;

    fn pager(lines: usize) -> Pager {
        let lines = (1..=lines).map(|line| (format!("line {line}"), String::new())).collect();
        Pager::new(Card::Help { lines }, Size { columns: 60, rows: 5 })
    }

    fn press(pager: &mut Pager, code: KeyCode) -> Paged {
        pager.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    fn check(pager: &Pager, first: &str, place: &str) {
        let drawn: Vec<String> = pager.drawn().iter().map(|line| line.plain().trim().to_owned()).collect();
        assert_eq!((drawn.len(), drawn[0].as_str()), (5, first), "{drawn:?}");
        assert!(drawn[4].starts_with(place), "{drawn:?}");
    }

    #[test]
    fn it_goes_by_lines_and_pages_and_stays_within_the_card() {
        let mut pager = pager(10);
        check(&pager, "line 1", "lines 1–4 of 10");
        press(&mut pager, KeyCode::Up);
        check(&pager, "line 1", "lines 1–4 of 10");
        press(&mut pager, KeyCode::Char(' '));
        press(&mut pager, KeyCode::Down);
        check(&pager, "line 6", "lines 6–9 of 10");
        press(&mut pager, KeyCode::PageDown);
        check(&pager, "line 7", "lines 7–10 of 10");
        press(&mut pager, KeyCode::Char('g'));
        check(&pager, "line 1", "lines 1–4 of 10");
        assert_eq!(press(&mut pager, KeyCode::Char('q')), Paged::Ends);
    }

    #[test]
    fn another_size_shows_the_same_place() {
        let mut pager = pager(10);
        press(&mut pager, KeyCode::End);
        pager.resize(Size { columns: 60, rows: 9 });
        let drawn = pager.drawn();
        assert_eq!((drawn.len(), drawn[0].plain().trim().to_owned()), (9, "line 3".to_owned()));
    }
}
