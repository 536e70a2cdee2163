//! The picker: conversations on the terminal's other screen, one a line, of which one is opened by its number or with
//! the arrow keys. Next: `reopening`, which shows it beside a talk, and `choosing`, which does so before there is one.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use turnwise_core::{ConversationId, Timestamp};

use super::screen::Size;
use crate::channel::draw::{Line, Look, Tone, wrap};
use crate::channel::shelf::{self, Kept, NOTHING_KEPT};

/// Conversations of which one may be opened.
pub(super) struct Picker {
    kept: Vec<Kept>,
    /// The one that is open beside the list.
    here: Option<ConversationId>,
    /// When they were listed.
    now: Timestamp,
    /// The one Enter opens, from 0.
    at: usize,
    /// A number as far as it is typed.
    typed: String,
    size: Size,
}

/// What a key came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Picked {
    /// Another one may be marked.
    Goes,
    /// The person wants none of them.
    Nothing,
    /// This one is to be opened.
    Opens(ConversationId),
}

impl Picker {
    /// With the newest marked, or the first that is not open `here` already.
    pub(super) fn new(kept: Vec<Kept>, here: Option<ConversationId>, now: Timestamp, size: Size) -> Self {
        let at = kept.iter().position(|kept| here.as_ref() != Some(&kept.id)).unwrap_or_default();
        Self { kept, here, now, at, typed: String::new(), size }
    }

    pub(super) fn resize(&mut self, size: Size) {
        self.size = size;
    }

    pub(super) fn key(&mut self, key: KeyEvent) -> Picked {
        let page = self.rows();
        let held = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd' | 'g') if held => return Picked::Nothing,
            KeyCode::Char('q') | KeyCode::Esc => return Picked::Nothing,
            KeyCode::Enter => return self.kept.get(self.at).map_or(Picked::Nothing, |it| Picked::Opens(it.id.clone())),
            KeyCode::Char(digit) if digit.is_ascii_digit() => self.digit(digit),
            KeyCode::Backspace => {
                self.typed.pop();
                self.mark_typed();
            }
            KeyCode::Down | KeyCode::Char('j') => self.go(self.at + 1),
            KeyCode::Up | KeyCode::Char('k') => self.go(self.at.saturating_sub(1)),
            KeyCode::PageDown | KeyCode::Char(' ') => self.go(self.at + page),
            KeyCode::PageUp => self.go(self.at.saturating_sub(page)),
            KeyCode::Home => self.go(0),
            KeyCode::End => self.go(usize::MAX),
            _ => {}
        }
        Picked::Goes
    }

    /// The window, from top to bottom; the last line says what can be pressed.
    pub(super) fn drawn(&self) -> Vec<Line> {
        let look = Look::terminal(self.size.columns);
        let rows = self.rows();
        let mut window = vec![Line::of(HEAD, Tone::Strong).cut(look.width)];
        if self.kept.is_empty() {
            window.extend(wrap(NOTHING_KEPT, look.width).iter().map(|words| Line::of(words, Tone::Plain)));
        }
        let top = (self.at + 1).saturating_sub(rows);
        let beside = Look { width: look.width.saturating_sub(MARK_WIDTH), ..look };
        let each = shelf::rows(&self.kept, self.here.as_ref(), self.now, beside);
        for (at, row) in each.into_iter().enumerate().skip(top).take(rows) {
            let mark = if at == self.at { Line::of(MARK, Tone::Accent) } else { Line::of(UNMARKED, Tone::Plain) };
            window.push(mark.and(row));
        }
        window.resize(usize::from(self.size.rows).saturating_sub(1).max(1), Line::default());
        window.push(Line::of(&self.told(), Tone::Accent).cut(look.width));
        window
    }

    fn told(&self) -> String {
        let ways = if self.kept.is_empty() { "q goes back" } else { "a number or arrows, Enter opens · q goes back" };
        if self.typed.is_empty() { ways.to_owned() } else { format!("number {} · {ways}", self.typed) }
    }

    /// A further digit where such a number is there, else the first of another number.
    fn digit(&mut self, digit: char) {
        self.typed.push(digit);
        if !self.mark_typed() {
            self.typed = digit.to_string();
            if !self.mark_typed() {
                self.typed.clear();
            }
        }
    }

    fn mark_typed(&mut self) -> bool {
        let number: Option<usize> = self.typed.parse().ok();
        let at = number.and_then(|number| number.checked_sub(1)).filter(|at| *at < self.kept.len());
        self.at = at.unwrap_or(self.at);
        at.is_some()
    }

    fn go(&mut self, at: usize) {
        self.typed.clear();
        self.at = at.min(self.kept.len().saturating_sub(1));
    }

    /// Rows for conversations: all but the head and the last.
    fn rows(&self) -> usize {
        usize::from(self.size.rows).saturating_sub(2).max(1)
    }
}

const HEAD: &str = "Your conversations, the one used last first";
const MARK: &str = "›";
const UNMARKED: &str = " ";
const MARK_WIDTH: usize = 1;

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use turnwise_core::{ConversationId, Timestamp};

    use super::{Picked, Picker};
    use crate::channel::shelf::{Kept, Stands};
    use crate::channel::terminal::screen::Size;

    fn picker(count: usize, here: Option<usize>, rows: u16) -> Picker {
        let now = Timestamp::from_millis(1_764_226_800_000);
        let kept = (1..=count).map(|number| Kept {
            id: ConversationId::new(number.to_string()),
            title: Some(format!("talk {number}")),
            assistant: "analyst".to_owned(),
            active_at: now,
            stands: Stands::Rests,
        });
        let here = here.map(|number| ConversationId::new(number.to_string()));
        Picker::new(kept.collect(), here, now, Size { columns: 80, rows })
    }

    fn press(picker: &mut Picker, code: KeyCode) -> Picked {
        picker.key(KeyEvent::new(code, KeyModifiers::NONE))
    }

    fn check_opens(mut picker: Picker, keys: &[KeyCode], opened: &str) {
        for key in keys {
            assert_eq!(press(&mut picker, *key), Picked::Goes, "{key:?}");
        }
        let marked = format!("talk {opened} ");
        let drawn: Vec<String> = picker.drawn().iter().map(|line| format!("{} ", line.plain())).collect();
        assert!(drawn.iter().any(|line| line.starts_with('›') && line.contains(&marked)), "{drawn:#?}");
        assert_eq!(press(&mut picker, KeyCode::Enter), Picked::Opens(ConversationId::new(opened)));
    }

    #[test]
    fn one_is_opened_by_arrows_or_by_its_number() {
        let digit = KeyCode::Char;
        check_opens(picker(5, None, 20), &[], "1");
        check_opens(picker(5, None, 20), &[KeyCode::Down, KeyCode::Down, KeyCode::Up], "2");
        check_opens(picker(5, None, 20), &[KeyCode::End, KeyCode::Down], "5");
        check_opens(picker(30, None, 6), &[digit('2'), digit('3')], "23");
        check_opens(picker(30, None, 6), &[digit('2'), digit('3'), KeyCode::Backspace], "2");
        // No 93 is there: the 3 begins another number; and no 9 is either.
        check_opens(picker(30, None, 6), &[digit('9'), digit('3')], "3");
        check_opens(picker(5, None, 6), &[digit('9')], "1");
        check_opens(picker(30, None, 6), &[KeyCode::PageDown], "5");
    }

    #[test]
    fn the_one_that_is_open_is_named_and_not_marked_first() {
        let picker = picker(3, Some(1), 20);
        let drawn: Vec<String> = picker.drawn().iter().map(|line| line.plain()).collect();
        assert!(drawn[1].ends_with("idle · this one") && drawn[2].starts_with('›'), "{drawn:#?}");
    }

    #[test]
    fn where_there_is_none_it_says_how_one_begins() {
        let mut picker = picker(0, None, 8);
        let drawn: Vec<String> = picker.drawn().iter().map(|line| line.plain()).collect();
        assert!(drawn[1].contains("What you say in a chat begins one"), "{drawn:#?}");
        assert_eq!(press(&mut picker, KeyCode::Enter), Picked::Nothing);
    }
}
