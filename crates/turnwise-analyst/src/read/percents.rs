//! Percents of a column that holds parts of one: "a discount of at least 15%" where the data have 0.15. The number is
//! read as its hundredth, which the plan says. Next: `tests_on_numbers`, `catalogue/fractions.rs`.

use super::super::catalogue::Catalogue;
use super::super::form::{ColumnId, Thing};
use super::super::lexicon::Role;
use super::qualify::is_filler;
use super::said::{bounds, is};
use super::spot::Spotted;

/// How percents are said in words.
const PERCENT: [&str; 4] = ["percent", "pct", "per cent", "percents"];

/// Reads percents as what the columns hold; gives what to say of it.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Vec<String> {
    let mut notes = Vec::new();
    let mut at = 0;
    while at < spans.len() {
        if spans[at].number.is_some() && says_percent(spans, at) {
            notes.extend(settle(catalogue, spans, at));
        }
        at += 1;
    }
    notes
}

/// "15%", "15 percent", the first of "10 to 15 percent".
fn says_percent(spans: &[Spotted], at: usize) -> bool {
    let said = |at: usize| spans.get(at + 1).is_some_and(|next| is(next, &PERCENT));
    let joint = spans.get(at + 1).is_some_and(|next| next.role() == Some(Role::And) || is(next, &["to"]));
    let other = spans.get(at + 2).filter(|_| joint).is_some_and(|other| other.number.is_some());
    spans[at].percent || said(at) || (other && (spans[at + 2].percent || said(at + 2)))
}

fn settle(catalogue: &Catalogue, spans: &mut Vec<Spotted>, at: usize) -> Option<String> {
    let word = spans.get(at + 1).is_some_and(|next| is(next, &PERCENT));
    let compares = |span: &Spotted| {
        is_filler(span)
            || span.number.is_some()
            || is(span, &["to"])
            || is(span, &PERCENT)
            || bounds(span)
            || matches!(span.role(), Some(Role::And | Role::Of | Role::With | Role::Not))
    };
    let numbers = |span: &Spotted| columns(catalogue, span);
    let before = spans[..at].iter().rev().find(|span| !compares(span)).map(numbers).unwrap_or_default();
    let behind = spans[at + 1 + usize::from(word)..].iter().find(|span| !compares(span));
    let own = if before.is_empty() { behind.map(numbers).unwrap_or_default() } else { before };
    if own.is_empty() {
        return None;
    }
    if word {
        spans.remove(at + 1);
    }
    let fractions = own.iter().all(|column| catalogue.column(*column).fraction);
    let value = spans[at].number?;
    let label = catalogue.column_label(own[0]);
    spans[at].percent = false;
    if !fractions {
        return Some(format!("“{value}%” is read as {value}, as {label} holds other numbers than parts of one."));
    }
    let part = value / 100.0;
    spans[at].number = Some(part);
    Some(format!("“{value}%” is read as {part}, as the values looked at in {label} are all from 0 to 1."))
}

/// The number columns a phrase names best.
fn columns(catalogue: &Catalogue, span: &Spotted) -> Vec<ColumnId> {
    let best = span.names.iter().map(|name| name.score).max().unwrap_or_default();
    let names = span.names.iter().filter(|name| name.score == best);
    let columns = names.filter_map(|name| match name.thing {
        Thing::Column(column) => Some(column),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    columns.filter(|column| catalogue.column(*column).is_number()).collect()
}
