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
/// Nouns for many.
const PLURALS: &[&str] =
    &["stories", "tickets", "tasks", "subtasks", "sub-tasks", "bugs", "issues", "items", "defects", "spikes", "cards"];
/// Nouns for one that are counted as well: "one story", "5 ticket".
const COUNTED: &[&str] = &["story", "ticket", "task"];
/// Other nouns for one.
const ONE_OF_THEM: &[&str] = &["bug", "issue", "item", "defect", "spike", "card", "subtask", "sub-task"];
/// All of them.
const NOUNS: [&[&str]; 4] = [EPICS, PLURALS, COUNTED, ONE_OF_THEM];
/// Words behind which it is said what a ticket is about.
const ABOUT: &[&str] =
    &["for", "about", "on", "to", "that", "which", "where", "when", "regarding", "in", "because", "-", "–", "—"];
/// Words that join one thing that is ordered to another.
const JOINS: &[&str] = &["and", "plus"];
/// Words before one thing.
const ONE: &[&str] = &["a", "an", "another", "one"];
/// Words before something that exists.
const DEFINITE: &[&str] = &["the", "these", "those", "our", "my", "some", "all"];

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
    /// What `text` asks for; one ticket when it names no number. Only the words of the order count, never those that
    /// say what the tickets are about.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let (order, rest) = ordered(text);
        let (mut order, rest) = (Words::of(order).all, Words::of(rest).all);
        let epics = usize::from(order.iter().any(|word| is(word, EPICS)));
        if epics == 0 && names_one(&order) {
            let more = order.iter().position(|word| is(word, JOINS)).map_or(&[][..], |joint| &order[joint..]);
            let count = counted(more).unwrap_or(0).saturating_add(1).saturating_add(ordered_beside(&rest));
            return Self { items: count, epics: 0, stories: Some(count) };
        }
        if epics > 0 {
            // “an epic for auth with 5 stories”: what it consists of may be said behind what it is about.
            order.extend(consists_of(&rest));
        }
        let counted = counted(&order);
        let open = order.iter().any(|word| is(word, PLURALS));
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

fn is(word: &Word, list: &[&str]) -> bool {
    !word.quoted && list.contains(&word.text.as_str())
}

fn is_noun(word: &Word) -> bool {
    NOUNS.iter().any(|nouns| is(word, nouns))
}

/// The words that order, up to where it is said what the tickets are about, and what its sentence says behind them.
fn ordered(text: &str) -> (&str, &str) {
    let all = sentences(text);
    let orders = |sentence: &&&str| {
        let words = Words::of(sentence).all;
        let noun = words.iter().position(is_noun);
        noun.is_some_and(|noun| names_one(&words) || words[..noun].iter().any(|word| number(&word.text).is_some()))
    };
    let names = |sentence: &&&str| Words::of(sentence).all.iter().any(is_noun);
    let first = all.first().filter(|first| names(first)).filter(|first| orders(first) || !tells_of_known(first));
    let order = first.or_else(|| all.iter().find(orders)).or_else(|| all.iter().find(names)).copied();
    let order = order.unwrap_or_default();
    let (mut seen_noun, mut at) = (false, 0);
    for token in order.split_inclusive(char::is_whitespace) {
        let bare = token.trim().to_lowercase();
        let word = bare.trim_matches(|letter: char| !letter.is_alphanumeric());
        if seen_noun && ABOUT.contains(&if word.is_empty() { bare.as_str() } else { word }) {
            break;
        }
        at += token.len();
        seen_noun = seen_noun || NOUNS.iter().any(|nouns| nouns.contains(&word));
        if seen_noun && bare.ends_with(':') {
            break;
        }
    }
    let (order, rest) = order.split_at(at);
    (order, rest.split_once(": ").map_or(rest, |(before, _)| before))
}

/// “The items get lost”: what is told of something that exists orders nothing.
fn tells_of_known(sentence: &str) -> bool {
    let words = Words::of(sentence).all;
    let behind = words.iter().position(|word| !is(word, DEFINITE));
    behind.is_some_and(|at| at > 0 && is_noun(&words[at]))
}

/// The sentences of `text`: they end with a line, or with a mark and a space.
fn sentences(text: &str) -> Vec<&str> {
    let ends = |line: &str| -> Vec<usize> {
        let marks = line.match_indices(['.', '!', '?']);
        marks.map(|(at, _)| at + 1).filter(|at| line[*at..].starts_with(' ')).chain([line.len()]).collect()
    };
    let mut all = Vec::new();
    for line in text.lines() {
        let mut from = 0;
        for end in ends(line) {
            all.push(&line[from..end]);
            from = end;
        }
    }
    all.retain(|sentence| !sentence.trim().is_empty());
    all
}

/// “a bug”, “a small follow-up ticket”, “ticket”: the first noun is of one thing, and no number stands before it.
fn names_one(words: &[Word]) -> bool {
    let Some(noun) = words.iter().position(is_noun) else { return false };
    // “a bug ticket”, “the bug tickets”: the last of a row of nouns counts.
    let last = (noun..words.len()).take_while(|at| is_noun(&words[*at])).last().unwrap_or(noun);
    let is_one = is(&words[last], ONE_OF_THEM) || is(&words[last], COUNTED);
    let has_number = words[..noun].iter().rev().take(GAP_MAX + 1).any(|word| number(&word.text).is_some_and(|n| n > 1));
    is_one && !has_number
}

/// “… and a story for logout”: orders of one thing more, behind what the first is about.
fn ordered_beside(rest: &[Word]) -> usize {
    let begins = |four: &&[Word]| {
        let [joint, one, noun, about] = four else { return false };
        is(joint, JOINS) && is(one, ONE) && (is(noun, ONE_OF_THEM) || is(noun, COUNTED)) && is(about, ABOUT)
    };
    rest.windows(4).filter(begins).count()
}

/// “… with 5 user stories”, behind what an epic is about.
fn consists_of(rest: &[Word]) -> Vec<Word> {
    let is_told = |at: &usize| {
        let behind = rest[at + 1..].iter().take(GAP_MAX + 2);
        is(&rest[*at], &["with", "into"]) && behind.into_iter().any(|word| is(word, PLURALS) || is(word, &["story"]))
    };
    (0..rest.len()).find(is_told).map(|at| rest[at..].iter().take(GAP_MAX + 3).cloned().collect()).unwrap_or_default()
}

/// All numbers that stand before tickets ("2 bugs and 3 stories" is five).
fn counted(words: &[Word]) -> Option<usize> {
    let counts = |at: usize| {
        let count = number(&words[at].text)?;
        let is_large = count > ITEMS_MAX;
        let gap = if is_large { GAP_LARGE_MAX } else { GAP_MAX };
        let behind = words[at + 1..].iter().take(gap + 1);
        let counts_tickets = behind
            .take_while(|word| number(&word.text).is_none())
            .any(|word| is(word, PLURALS) || (!is_large && is(word, COUNTED)));
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
            ("Create a bug for the 5 failing items in checkout", 1),
            ("Create a bug and 2 tasks for auth", 3),
            ("create an epic for auth with 5 stories", 6),
            ("Create a bug for login and a story for logout", 2),
            ("Create a bug for login and logout of a user", 1),
            ("Create 2 tickets: login fails; export drops 3 items", 2),
        ] {
            assert_eq!(Items::of(text).items, items, "{text}");
        }
    }

    #[test]
    fn a_noun_of_many_that_says_what_a_ticket_is_about_makes_no_more_of_them() {
        for text in [
            "Create a ticket: the checkout loses items in the cart. Problem: the tasks hang. Risks: 3 items",
            "We need a ticket for tasks that never end. Problem: tasks hang. Acceptance criteria: tasks end",
            "Create a ticket for the tasks page",
            "Create a bug in the items list",
            "The items get lost in the cart. Create a ticket for this.",
            "create a bug ticket: 5 items fail",
            "turn this into a bug",
        ] {
            let items = Items::of(text);
            assert_eq!((items.items, items.epics, items.stories), (1, 0, Some(1)), "{text}");
        }
        assert!(Items::of("File tickets for this").is_multi());
        assert!(Items::of("File defects for this").is_multi());
        assert!(Items::of("Break this down into stories").is_multi());
        assert_eq!(Items::of("an epic for the tasks page").stories, Some(0));
    }

    #[test]
    fn an_open_number_of_stories_is_a_multi_ticket_flow() {
        let items = Items::of("Create epic with user stories for authentication");
        assert_eq!((items.epics, items.stories, items.is_multi()), (1, None, true));
    }
}
