//! Words of a change that say how it relates to what was asked before and nothing else: "the same for Germany", "the
//! year before", "only those with more than 7". They are put into words that are read the same way everywhere. Next:
//! `refine`, which makes the change.

use super::form::{Condition, Dimension, Filter, QueryForm};
use super::lexicon::{Concept, Order};
use super::period::{Grain, Period};

/// Openings that repeat the question, the longest first.
const SAME: [&str; 8] = [
    "do the same but ",
    "do the same ",
    "show the same ",
    "the same thing ",
    "the same but ",
    "the same again ",
    "the same ",
    "same ",
];
/// The last number again, for each of some groups.
const THE_NUMBER: [&str; 6] = [
    "the number for each ",
    "the number per ",
    "the count for each ",
    "that for each ",
    "it for each ",
    "this for each ",
];
/// Words before an opening that say nothing.
const BEFORE: [&str; 4] = ["and ", "now ", "then ", "please "];

/// `change` without what only repeats the question, and with times said backwards put in order.
pub fn plain(change: &str) -> String {
    let mut rest = change.trim().to_owned();
    for word in BEFORE {
        rest = without_opening(&rest, word);
    }
    for opening in SAME {
        let cut = without_opening(&rest, opening);
        if cut != rest {
            rest = cut;
            break;
        }
    }
    for opening in ["show ", "give me ", "show me ", "what is "] {
        let cut = without_opening(&rest, opening);
        if let Some(group) = THE_NUMBER.iter().find_map(|said| cut.strip_prefix(said)) {
            rest = format!("by {group}");
        }
    }
    for (said, meant) in [
        ("the year before", "last year"),
        ("a year before", "last year"),
        ("a year earlier", "last year"),
        ("the month before", "last month"),
        ("a month earlier", "last month"),
        ("the quarter before", "last quarter"),
        ("a quarter earlier", "last quarter"),
    ] {
        rest = replaced(&rest, said, meant);
    }
    rest
}

fn without_opening(text: &str, opening: &str) -> String {
    match text.get(..opening.len()) {
        Some(start) if start.eq_ignore_ascii_case(opening) => text[opening.len()..].to_owned(),
        _ => text.to_owned(),
    }
}

/// Replaces `said` at the end of `text`, in whatever letters; "the year before 2020" is another time.
fn replaced(text: &str, said: &str, meant: &str) -> String {
    let trimmed = text.trim_end_matches(['?', '.', '!', ' ']);
    let Some(at) = trimmed.len().checked_sub(said.len()) else { return text.to_owned() };
    match trimmed.get(at..) {
        Some(end) if end.eq_ignore_ascii_case(said) => format!("{}{meant}", &trimmed[..at]),
        _ => text.to_owned(),
    }
}

/// "The same for channels", where the next word is what it is for.
pub fn is_same_for(change: &str) -> bool {
    let words = super::words::split(change);
    let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let at = folded.iter().position(|word| *word == "same").unwrap_or(folded.len());
    at <= 3 && folded.iter().skip(at + 1).find(|word| !FILLERS.contains(word)).is_some_and(|word| *word == "for")
}

/// Words between "the same" and what it is for.
const FILLERS: [&str; 4] = ["thing", "but", "again", "question"];
/// Words of "put these in the order of their names" that say nothing else.
const ORDERING: [&str; 17] = [
    "sort", "sorted", "order", "ordered", "it", "them", "that", "this", "these", "by", "the", "and", "now", "please",
    "their", "result", "results",
];

/// "Sort by name", "order it alphabetically", "sort by country" of numbers by country: the order wanted.
pub fn sorts_by_name(form: &QueryForm, change: &str) -> Option<Order> {
    let words = super::words::split(change);
    let sorts = |word: &str| matches!(word, "sort" | "sorted" | "order" | "ordered");
    if !words.iter().take(3).any(|word| sorts(&word.folded)) {
        return None;
    }
    let mut order = Order::Ascending;
    let kept: Vec<&super::words::Word> =
        words.iter().filter(|word| !ORDERING.contains(&word.folded.as_str())).collect();
    let text: Vec<&str> = kept.iter().map(|word| word.folded.as_str()).collect();
    let mut text = text.as_slice();
    if let (["alphabetically" | "name" | "names", rest @ ..], true) = (text, text.len() > 3) {
        text = rest;
    }
    if let [rest @ .., "descending" | "backwards" | "reversed"] = text {
        (order, text) = (Order::Descending, rest);
    } else if let [rest @ .., "ascending"] = text {
        text = rest;
    }
    let is_group = |dimension: &Dimension| match dimension {
        Dimension::Thing(mention) => {
            let own: Vec<String> = super::words::split(&mention.words).into_iter().map(|word| word.stem).collect();
            own == kept.iter().take(text.len()).map(|word| word.stem.clone()).collect::<Vec<_>>()
        }
        Dimension::Time(_) => false,
    };
    match text {
        ["name" | "names" | "alphabetically" | "alphabet" | "alphabetical"]
        | ["a", "to", "z"]
        | ["from", "a", "to", "z"] => Some(order),
        ["z", "to", "a"] | ["from", "z", "to", "a"] => Some(Order::Descending),
        [] => None,
        _ if form.dimensions.first().is_some_and(is_group) => Some(order),
        _ => None,
    }
}

/// "Only those over 7" of numbers by group is a test on the groups' number, where no other number was said.
pub fn tests_groups(form: &QueryForm, other: &mut QueryForm) {
    let Some(measure) = form.measures.first().filter(|_| !form.dimensions.is_empty()) else { return };
    let unsaid = |filter: &Filter| match filter {
        Filter::Number { of, unit: None, .. } => of.words == "amount" && of.concept() == Some(Concept::Money),
        _ => false,
    };
    let (bare, rest): (Vec<Filter>, Vec<Filter>) = std::mem::take(&mut other.filters).into_iter().partition(unsaid);
    other.filters = rest;
    for filter in bare {
        if let Filter::Number { comparator, value, .. } = filter {
            let measure = measure.clone();
            other.notes.push(format!("The limit {value} is one of {}.", measure.of.words));
            other.conditions.push(Condition { measure, comparator, value, average: false });
        }
    }
}

/// "Last year" beside a question about 2024 is the year before that one, and not the last of the data.
pub fn before_it(form: &QueryForm, wanted: &[Period]) -> Option<(Period, String)> {
    let ([own], [Period::Relative { grain, offset: -1 }]) = (form.periods.as_slice(), wanted) else { return None };
    let period = match (own, grain) {
        (Period::Part { year: Some(_), .. }, Grain::Year) => {
            let year = own.year()?.checked_sub(1)?;
            let Period::Part { grain, number, .. } = own else { return None };
            Period::Part { grain: *grain, number: *number, year: Some(year) }
        }
        (Period::Year(_), Grain::Year) | (Period::Part { year: Some(_), .. }, Grain::Month | Grain::Quarter) => {
            own.previous()?
        }
        _ => return None,
    };
    let note =
        format!("“Last {}” is taken as {}, before the {} asked about.", grain.name(), period.label(), own.label());
    Some((period, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_repeats_the_question_goes_and_the_rest_stays() {
        for (said, plain_text) in [
            ("the same for Germany", "for Germany"),
            ("And the same but by month?", "by month?"),
            ("compared to the year before?", "compared to last year"),
            ("the year before 2020", "the year before 2020"),
            ("only Canada", "only Canada"),
        ] {
            assert_eq!(plain(said), plain_text);
        }
    }
}
