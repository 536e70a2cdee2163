//! The order rows are wanted in, where it ends a sentence: "in alphabetical order of last name", "sorted by year and
//! then by name descending", "in descending order of age". Next: `shown`.

use super::super::catalogue::Catalogue;
use super::super::lexicon::{Order, Role};
use super::items::{Item, is_separator, item};
use super::qualify::{is_filler, table_of};
use super::spot::Spotted;

/// An order as said: by what, and where nothing was said, by name.
#[derive(Clone, Debug)]
pub struct Sorting {
    pub order: Order,
    pub keys: Vec<(Item, Order)>,
}

/// Takes the order off the end of `spans`.
pub fn split(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Option<Sorting> {
    let mut first = spans.iter().skip(1).position(begins)? + 1;
    // "by name in descending order": what is ordered by may come first.
    let by = spans.iter().take(first).rposition(|span| span.role() == Some(Role::Group));
    if let Some(by) = by.filter(|by| *by > 0 && direction(&spans[first]).is_some())
        && keys(catalogue, spans.get(by..).unwrap_or_default()).is_some()
    {
        // "Requests by category, most common first" are counted, and the categories put in the order of that.
        if spans[first].text.to_lowercase().ends_with(" first") {
            return None;
        }
        first = by;
    }
    let sorting = keys(catalogue, spans.get(first..)?)?;
    spans.truncate(first);
    while spans.last().is_some_and(|span| is_separator(span) || (span.role() == Some(Role::Ignore) && !span.is_name()))
    {
        spans.pop();
    }
    Some(sorting)
}

/// Whether an order is spoken of.
pub fn is_said(spans: &[Spotted]) -> bool {
    spans.iter().skip(1).any(begins)
}

fn begins(span: &Spotted) -> bool {
    matches!(span.role(), Some(Role::Sorted)) && !span.is_name() || direction(span).is_some()
}

fn direction(span: &Spotted) -> Option<Order> {
    match span.role()? {
        Role::Ascending | Role::Alphabetical => Some(Order::Ascending),
        Role::Descending | Role::AlphabeticalReverse => Some(Order::Descending),
        _ => None,
    }
}

/// All of `spans` as keys with their directions; none where anything else is said.
fn keys(catalogue: &Catalogue, spans: &[Spotted]) -> Option<Sorting> {
    let mut sorting = Sorting { order: Order::Ascending, keys: Vec::new() };
    let (mut at, mut spoken, mut bare) = (0, None, false);
    while let Some(span) = spans.get(at) {
        let links = matches!(span.role(), Some(Role::Of | Role::Group | Role::In | Role::Sorted))
            || span.text.eq_ignore_ascii_case("order");
        if let Some(order) = direction(span) {
            bare |= matches!(span.role(), Some(Role::Alphabetical | Role::AlphabeticalReverse));
            // "by name descending, in descending order by name": behind the key or in front of it.
            match sorting.keys.last_mut().filter(|_| spoken.is_none()) {
                Some(last) if spans.get(at + 1).is_none_or(is_separator) || span.pause => last.1 = order,
                Some(_) | None => spoken = Some(order),
            }
            at += 1;
        } else if let Some((key, next)) = item(catalogue, spans, at) {
            sorting.keys.push((key, spoken.unwrap_or(Order::Ascending)));
            at = next;
        } else if (links && !span.is_name()) || is_separator(span) || is_filler(span) {
            at += 1;
        } else if !sorting.keys.is_empty() && table_of(span).is_some() {
            // "of the last names of the authors": whose they are is known.
            let last = sorting.keys.pop()?;
            sorting.keys.push((last.0.of(table_of(span)?), last.1));
            at += 1;
        } else {
            return None;
        }
    }
    sorting.order = spoken.unwrap_or(Order::Ascending);
    (!sorting.keys.is_empty() || bare).then_some(sorting)
}
