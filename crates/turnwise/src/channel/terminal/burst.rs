//! Keys that come in one burst were not typed: a terminal without bracketed paste hands a pasted "yes" and its line
//! break over as if they were. While a decision is open such a burst stays in the input line, so that only a key
//! pressed by itself sends it. Next: `keys`, which finds out what came at once.

use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// What is made of keys that came at once.
#[derive(Debug, PartialEq, Eq)]
pub enum Taken {
    /// Each as it is.
    Keys(Vec<Event>),
    /// Text that was pasted, without the line break at its end; it is not sent.
    Paste(String),
}

/// Takes `events`, which came at once, while a decision is open or not.
#[must_use]
pub fn take(events: Vec<Event>, is_decision_open: bool) -> Taken {
    let text = is_decision_open.then(|| pasted(&events)).flatten();
    text.map_or_else(|| Taken::Keys(without_pasted_tabs(events)), Taken::Paste)
}

/// A tab that more text came at once with was pasted, as between the cells of a table: it completes nothing.
fn without_pasted_tabs(mut events: Vec<Event>) -> Vec<Event> {
    let is_text = |event: &Event| matches!(event, Event::Key(key) if letter(key).is_some() && key.code != KeyCode::Tab);
    let last = events.iter().rposition(is_text).unwrap_or_default();
    for event in events.iter_mut().take(last) {
        if let Event::Key(key) = event
            && key.code == KeyCode::Tab
        {
            key.code = KeyCode::Char(' ');
        }
    }
    events
}

/// The text of a burst in which text is followed by Enter; `None` when it is no such thing. Keys that edit were pasted
/// like the rest and do nothing; a key that stops does what it is for.
fn pasted(events: &[Event]) -> Option<String> {
    let mut text = String::new();
    for event in events {
        let Event::Key(key) = event else { return None };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        if matches!(key.code, KeyCode::Char('c' | 'd')) && key.modifiers == KeyModifiers::CONTROL {
            return None;
        }
        text.extend(letter(key));
    }
    let written = text.trim_end_matches('\n');
    // A line break with nothing before it is Enter, pressed twice at most.
    (written.len() < text.len() && !written.is_empty() || written.contains('\n')).then(|| written.to_owned())
}

fn letter(key: &KeyEvent) -> Option<char> {
    let plain = key.modifiers.difference(KeyModifiers::SHIFT).is_empty();
    match key.code {
        // Ctrl+J is what some terminals make of a pasted line break.
        KeyCode::Char('j') if key.modifiers == KeyModifiers::CONTROL => Some('\n'),
        KeyCode::Enter if plain => Some('\n'),
        KeyCode::Tab if plain => Some(' '),
        KeyCode::Char(letter) if plain => Some(letter),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Taken, take};
    use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

    fn keys(typed: &str) -> Vec<Event> {
        let key = |letter: char| match letter {
            '\n' => KeyCode::Enter,
            letter => KeyCode::Char(letter),
        };
        typed.chars().map(|letter| Event::Key(KeyEvent::new(key(letter), KeyModifiers::NONE))).collect()
    }

    #[test]
    fn a_burst_that_ends_in_enter_is_a_paste_while_a_decision_is_open() {
        for (typed, pasted) in [("yes\n", "yes"), ("y\n", "y"), ("yes\nno\n", "yes\nno"), ("only 2024\n", "only 2024")]
        {
            assert_eq!(take(keys(typed), true), Taken::Paste(pasted.to_owned()), "{typed:?}");
        }
    }

    #[test]
    fn keys_pressed_by_themselves_are_keys() {
        for typed in ["y", "\n", "ye", "\n\n"] {
            assert_eq!(take(keys(typed), true), Taken::Keys(keys(typed)), "{typed:?}");
        }
    }

    #[test]
    fn where_nothing_is_asked_a_burst_is_sent() {
        assert_eq!(take(keys("total sales\n"), false), Taken::Keys(keys("total sales\n")));
    }

    #[test]
    fn a_tab_with_text_behind_it_is_pasted_and_one_at_the_end_completes() {
        let tab = Event::Key(KeyEvent::new(KeyCode::Tab, KeyModifiers::NONE));
        let burst = [keys("a"), vec![tab.clone()], keys("b"), vec![tab.clone()]].concat();
        assert_eq!(take(burst, false), Taken::Keys([keys("a b"), vec![tab]].concat()));
    }

    #[test]
    fn a_stop_in_a_burst_stops_and_other_keys_make_no_yes_of_it() {
        let with = |code: KeyCode, modifiers: KeyModifiers| {
            let mut burst = vec![Event::Key(KeyEvent::new(code, modifiers))];
            burst.extend(keys("yes\n"));
            burst
        };
        let stop = with(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(take(stop.clone(), true), Taken::Keys(stop));
        for burst in [with(KeyCode::Char('u'), KeyModifiers::CONTROL), with(KeyCode::Left, KeyModifiers::NONE)] {
            assert_eq!(take(burst, true), Taken::Paste("yes".to_owned()));
        }
    }
}
