//! How many tickets a message asks for (TK-13, TK-14): "epic with 5 stories" is six items.
//! Next: `workflow` for what happens to the preview.

use serde::Serialize;

use crate::behaviour::{Choice, Clarification};
use crate::words::{Word, Words};

/// Items up to which nothing has to be confirmed.
pub const QUANTITY_LATCH: usize = 3;

/// Most items that one order creates: a preview of more is read by nobody. What asks for more is told so.
pub const ITEMS_MAX: usize = 200;

/// Words between a number and what it counts ("5 small user stories").
const GAP_MAX: usize = 2;

/// The same for numbers above [`ITEMS_MAX`], which may be years and ticket numbers: "500 stories", "500 user stories",
/// but not "the 2024 audit of old tickets".
const GAP_LARGE_MAX: usize = 1;

const EPICS: &[&str] = &["epic", "epics"];
const TICKETS: &[&str] = &[
    "stories",
    "tickets",
    "tasks",
    "subtasks",
    "sub-tasks",
    "bugs",
    "issues",
    "items",
    "story",
    "ticket",
    "task",
    "defects",
    "spikes",
    "cards",
];
const PLURALS: &[&str] =
    &["stories", "tickets", "tasks", "subtasks", "sub-tasks", "bugs", "issues", "items", "spikes", "cards"];

/// What would be created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Items {
    /// All together, as far as the message says.
    pub items: usize,
    /// How many epics.
    pub epics: usize,
    /// How many stories or other tickets; absent when the message leaves the number open.
    pub stories: Option<usize>,
}

impl Items {
    /// What `text` asks for; one ticket when it names no number.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let words = Words::of(text);
        let words = words.all.as_slice();
        let is = |word: &Word, list: &[&str]| !word.quoted && list.contains(&word.text.as_str());
        let epics = usize::from(words.iter().any(|word| is(word, EPICS)));
        let counted = counted(words);
        let open = words.iter().any(|word| is(word, PLURALS));
        match (epics, counted) {
            (0, Some(count)) => Self { items: count, epics: 0, stories: Some(count) },
            (0, None) if open => Self { items: 1, epics: 0, stories: None },
            (0, None) => Self { items: 1, epics: 0, stories: Some(1) },
            (epics, Some(count)) => Self { items: epics.saturating_add(count), epics, stories: Some(count) },
            (epics, None) if open => Self { items: epics, epics, stories: None },
            (epics, None) => Self { items: epics, epics, stories: Some(0) },
        }
    }

    /// Whether they are previewed together.
    #[must_use]
    pub fn is_multi(&self) -> bool {
        self.items > 1 || self.stories.is_none()
    }
}

/// Whether so many items have to be confirmed first.
#[must_use]
pub fn needs_confirmation(items: usize) -> bool {
    items > QUANTITY_LATCH
}

/// The question that confirms them.
#[must_use]
pub fn quantity_card(items: &Items) -> Clarification {
    let count = items.items;
    let parts = if items.epics > 0 {
        format!(" This includes {} Epic and {} linked stories.", items.epics, count - items.epics)
    } else {
        String::new()
    };
    Clarification {
        question: format!("You're about to create *{count} items*.{parts}"),
        options: vec![
            Choice::new(format!("Yes, create {count} items"), "confirm_quantity"),
            Choice::new("Cancel", "cancel"),
        ],
    }
}

/// All numbers that stand before tickets ("2 bugs and 3 stories" is five).
fn counted(words: &[Word]) -> Option<usize> {
    let counts = |at: usize| {
        let count = number(&words[at].text)?;
        let (gap, counted) = if count > ITEMS_MAX { (GAP_LARGE_MAX, PLURALS) } else { (GAP_MAX, TICKETS) };
        let behind = words[at + 1..].iter().take(gap + 1);
        let counts_tickets = behind
            .take_while(|word| number(&word.text).is_none())
            .any(|word| !word.quoted && counted.contains(&word.text.as_str()));
        counts_tickets.then_some(count)
    };
    (0..words.len()).filter_map(counts).reduce(usize::saturating_add)
}

fn number(word: &str) -> Option<usize> {
    turnwise_core::numerals::number_of(&word.replace(',', "")).and_then(|number| usize::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_only_what_they_stand_before() {
        for (text, items) in [
            ("Create epic with 5 stories for auth", 6),
            ("epic with two stories", 3),
            ("two bugs and three stories", 5),
            ("a ticket with 5 acceptance criteria", 1),
            ("a ticket for error 500", 1),
            ("a bug for release 2024", 1),
            ("a ticket for the 2024 audit of old tickets", 1),
            ("an epic with 500 stories for auth", 501),
            ("create 1000 user stories", 1000),
        ] {
            assert_eq!(Items::of(text).items, items, "{text}");
        }
    }

    #[test]
    fn an_open_number_of_stories_is_a_multi_ticket_flow() {
        let items = Items::of("Create epic with user stories for authentication");
        assert_eq!((items.epics, items.stories, items.is_multi()), (1, None, true));
    }
}
