//! How many: more than a few items are confirmed first, and only in words that say so. Another number takes the place
//! of the first; anything else is asked again, because an odd answer must neither create nor drop anything. Next:
//! `plan`.

use turnwise_core::{Choice, Clarification, ClarifiedAnswer, numerals, text};
use turnwise_intent::behaviour::tickets::{Items, quantity_card};

use super::form::{self, CANCEL, needed};

/// What the value of the choice that confirms begins with; the number stands behind it.
const CONFIRMED: &str = "confirm_quantity:";
/// The topic.
pub(super) const QUANTITY: &str = "quantity";

/// What was said about how many there are.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quantity {
    /// What is wanted by now.
    pub items: Items,
    /// Items that were confirmed; 0 where none were.
    pub confirmed: usize,
    /// The latest answer, where it was neither a yes nor a number.
    pub odd: Option<String>,
}

impl Quantity {
    /// What `answers` made of `items`, oldest first.
    pub(super) fn of(items: Items, answers: &[ClarifiedAnswer]) -> Self {
        let begun = Self { items, confirmed: 0, odd: None };
        answers
            .iter()
            .filter(|answer| answer.topic == QUANTITY)
            .fold(begun, |so_far, answer| so_far.heard(&answer.answer))
    }

    fn heard(mut self, said: &str) -> Self {
        self.odd = None;
        let confirmed = said.strip_prefix(CONFIRMED);
        if let Some(count) = confirmed.and_then(|count| count.parse().ok()) {
            self.confirmed = count;
            return self;
        }
        let words = text::words(said);
        if YES.contains(&words.join(" ").as_str()) {
            self.confirmed = self.items.items;
            return self;
        }
        if words.iter().any(|word| CHOOSING.contains(&word.as_str())) {
            self.odd = Some(text::clip(said, QUOTED));
            return self;
        }
        let mut numbers = words.iter().filter_map(|word| numerals::number_of(word));
        match (numbers.next(), numbers.next()) {
            (Some(number), None) if number > 0 => self.counted(number, words.iter().any(|word| word == "items")),
            _ => self.odd = Some(text::clip(said, QUOTED)),
        }
        self
    }

    /// Another number: of items all together, or of what belongs to an epic.
    fn counted(&mut self, number: u32, is_of_all: bool) {
        let number = usize::try_from(number).unwrap_or(usize::MAX);
        let epics = self.items.epics;
        let stories = if is_of_all { number.saturating_sub(epics) } else { number };
        self.items = Items { items: epics.saturating_add(stories), epics, stories: Some(stories) };
        self.confirmed = 0;
    }

    /// The question about `items`, after what was said to it before.
    pub(super) fn asks(&self, items: &Items) -> Clarification {
        let card = quantity_card(items);
        let choice = |option: &turnwise_intent::behaviour::Choice| match option.action {
            CANCEL => form::cancel(),
            _ => form::choice(format!("{CONFIRMED}{}", items.items), &option.label).confirming(items.items),
        };
        let choices: Vec<Choice> = card.options.iter().map(choice).collect();
        let odd = self.odd.as_ref().map(|said| format!("“{said}” is neither a yes nor another number. "));
        needed(QUANTITY, format!("{}{}", odd.unwrap_or_default(), card.question), choices)
    }
}

/// What is a yes to a number; the choice itself is taken by its value.
const YES: [&str; 12] =
    ["yes", "y", "yep", "yeah", "ok", "okay", "sure", "yes please", "confirm", "go ahead", "do it", "that is right"];
/// Words that make a number that of a choice, which none has here.
const CHOOSING: [&str; 3] = ["option", "choice", "button"];
/// Characters of an odd answer that are quoted back.
const QUOTED: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    fn after(said: &[&str]) -> Quantity {
        let answer = |said: &&str| ClarifiedAnswer {
            topic: QUANTITY.to_owned(),
            answer: (*said).to_owned(),
            said_in: None,
            assumed: false,
        };
        let answers: Vec<ClarifiedAnswer> = said.iter().map(answer).collect();
        Quantity::of(Items { items: 6, epics: 1, stories: Some(5) }, &answers)
    }

    #[test]
    fn only_a_plain_yes_confirms_and_only_what_was_asked() {
        assert_eq!(after(&["y"]).confirmed, 6);
        assert_eq!(after(&["confirm_quantity:6"]).confirmed, 6);
        for odd in ["banana", "yes but later", "maybe", "confirm_quantity", "between 2 and 4", "0", "option 2"] {
            let heard = after(&[odd]);
            assert_eq!((heard.confirmed, heard.items.items), (0, 6), "{odd}");
            assert!(heard.odd.is_some(), "{odd}");
        }
    }

    #[test]
    fn another_number_is_asked_about_in_place_of_the_first() {
        let heard = after(&["make it 3 stories"]);
        assert_eq!((heard.items.items, heard.confirmed, heard.odd), (4, 0, None));
        assert_eq!(after(&["y", "8 items"]).items.items, 8);
        assert_eq!(after(&["7", "ok"]).confirmed, 8);
    }
}
