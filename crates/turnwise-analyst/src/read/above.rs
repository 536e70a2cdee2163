//! Two numbers of one row: "products with stock below the reorder level", "accounts with a balance over their credit
//! limit". The two and what stands between become one name, of a yes/no column that they make. Next: `moments`,
//! `catalogue/made.rs`.

use super::super::catalogue::{Catalogue, Making};
use super::super::form::{Candidate, ColumnId, Mention, TableId, Thing};
use super::super::lexicon::{Comparator, Role, Signal};
use super::mention::is_measure;
use super::moments;
use super::qualify::{is_filler, table_of};
use super::spot::Spotted;

/// What is held against what, where only the second is said: stems of limits, and of what is limited by them.
const LIMITS: [(&[&str], &[&str]); 5] = [
    (&["reorder"], &["stock", "hand", "inventory"]),
    (&["minimum", "stock"], &["stock", "hand", "inventory", "quantity"]),
    (&["credit"], &["balance", "outstanding", "owed"]),
    (&["budget"], &["spent", "actual", "cost", "expense"]),
    (&["capacity"], &["enrolled", "booked", "occupied", "attendance", "registered"]),
];

/// Reads what is said of two numbers; gives what to ask where one of them is missing.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Option<String> {
    let mut at = 0;
    let mut doubt = None;
    while at < spans.len() {
        doubt = doubt.or(compare(catalogue, spans, at));
        at += 1;
    }
    doubt
}

fn compare(catalogue: &Catalogue, spans: &mut Vec<Spotted>, at: usize) -> Option<String> {
    if let Some(comparator) = more(&spans[at]) {
        more_than(catalogue, spans, at, comparator);
        return None;
    }
    let comparator = comparator(&spans[at])?;
    let behind = moments::behind(spans, at)?;
    let numbered = spans.get(behind + 1).is_some_and(|next| next.number.is_some() || next.role() == Some(Role::Of));
    let second = numbers(catalogue, &spans[behind]);
    if second.is_empty() || numbered {
        return None;
    }
    let tables = moments::tables(spans);
    let small = |span: &Spotted| is_filler(span) || matches!(span.role(), Some(Role::Of | Role::With));
    let before = spans.iter().take(at).rposition(|span| !small(span))?;
    let first = numbers(catalogue, &spans[before]);
    let (from, first) = if first.is_empty() { (at, limited(catalogue, &second)) } else { (before, first) };
    let names = made(catalogue, &tables, comparator, &first, &second);
    if !names.is_empty() {
        moments::put(spans, from, behind, names, false);
        return None;
    }
    let is_table = table_of(&spans[before]).is_some();
    let (said, limit) = (&spans[before].text, &spans[behind].text);
    if !is_table {
        return None;
    }
    let said = said.to_lowercase();
    let than = &spans[at].text;
    let asked = format!(
        "What of {said} is {than} their {limit}? Name both numbers, as in “{said} with a … {than} their {limit}”."
    );
    spans.drain(at..=behind);
    Some(asked)
}

/// "A different branch than they came from": a comparison of which nothing says how it compares.
pub fn bare_than(spans: &[Spotted]) -> Option<String> {
    let compares = |span: &Spotted| {
        matches!(span.signal, Some(Signal::Comparative(..)))
            || matches!(
                span.role(),
                Some(Role::More | Role::Over | Role::Under | Role::AtLeast | Role::AtMost | Role::Instead)
            )
            || span.text.to_lowercase().split(' ').any(|word| word.ends_with("er") || matches!(word, "more" | "less"))
    };
    let than = spans.iter().position(|span| span.text.eq_ignore_ascii_case("than"))?;
    if spans[..than].iter().any(compares) {
        return None;
    }
    let near = spans[..than].iter().rev().take(3).rev().chain(&spans[than..]).take(6);
    let said = near.map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
    Some(format!("What is compared with what in “{said}” cannot be told: name both columns."))
}

/// "With more students enrolled than seats": both numbers are said, the first with or without what it is of.
fn more_than(catalogue: &Catalogue, spans: &mut Vec<Spotted>, at: usize, comparator: Comparator) {
    let than = spans.iter().skip(at + 1).take(4).position(|span| span.text.eq_ignore_ascii_case("than"));
    let Some(than) = than.map(|by| at + 1 + by) else { return };
    let Some(behind) = moments::behind(spans, than) else { return };
    let second = numbers(catalogue, &spans[behind]);
    let first: Vec<ColumnId> = spans[at + 1..than].iter().flat_map(|span| numbers(catalogue, span)).collect();
    let named: Vec<Spotted> = [&spans[..at], &spans[behind..]].concat();
    let names = made(catalogue, &moments::tables(&named), comparator, &first, &second);
    if !names.is_empty() {
        moments::put(spans, at, behind, names, false);
    }
}

fn made(
    catalogue: &Catalogue,
    tables: &[TableId],
    comparator: Comparator,
    first: &[ColumnId],
    second: &[ColumnId],
) -> Vec<Candidate> {
    let mut made = Vec::new();
    for one in first {
        for other in second {
            let (making, of, than) = match comparator {
                Comparator::Over => (Making::Above, *one, *other),
                Comparator::Under => (Making::Above, *other, *one),
                Comparator::AtLeast => (Making::AtLeast, *one, *other),
                Comparator::AtMost => (Making::AtLeast, *other, *one),
                Comparator::Equal | Comparator::Unequal => continue,
            };
            made.extend(catalogue.made(making, of, than).map(|column| (column, one.table == other.table)));
        }
    }
    moments::near(catalogue, tables, &made)
}

/// The numbers of the same rows that a limit is the limit of.
fn limited(catalogue: &Catalogue, limits: &[ColumnId]) -> Vec<ColumnId> {
    let has = |column: ColumnId, words: &[&str]| {
        let stems = &catalogue.column(column).stems;
        words.iter().any(|word| stems.iter().any(|stem| stem == word))
    };
    let mut found = Vec::new();
    for limit in limits {
        let stems = &catalogue.column(*limit).stems;
        let known = LIMITS.iter().find(|(words, _)| words.iter().all(|word| stems.iter().any(|stem| stem == word)));
        let Some((_, words)) = known else { continue };
        let columns =
            (0..catalogue.table(limit.table).columns.len()).map(|column| ColumnId { table: limit.table, column });
        found.extend(columns.filter(|own| {
            own != limit && catalogue.column(*own).is_number() && has(*own, words) && !has(*own, &["order", "reserved"])
        }));
    }
    found
}

/// The number columns a phrase names.
fn numbers(catalogue: &Catalogue, span: &Spotted) -> Vec<ColumnId> {
    let mention = Mention { words: span.text.clone(), candidates: span.names.clone() };
    if !span.is_name() || span.number.is_some() || mention.table().is_some() || !is_measure(catalogue, &mention) {
        return Vec::new();
    }
    let best = mention.candidates.iter().filter(|candidate| matches!(candidate.thing, Thing::Column(_)));
    let best = best.map(|candidate| candidate.score).max().unwrap_or_default();
    let columns = mention.candidates.iter().filter(|candidate| candidate.score == best);
    let columns = columns.filter_map(|candidate| match candidate.thing {
        Thing::Column(column) => Some(column),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    columns.filter(|column| catalogue.column(*column).is_number()).collect()
}

fn comparator(span: &Spotted) -> Option<Comparator> {
    match span.signal? {
        Signal::Role(Role::Over) => Some(Comparator::Over),
        Signal::Role(Role::Under) => Some(Comparator::Under),
        Signal::Role(Role::AtLeast) => Some(Comparator::AtLeast),
        Signal::Role(Role::AtMost) => Some(Comparator::AtMost),
        Signal::Comparative(comparator, _) => Some(comparator),
        Signal::Role(_) | Signal::Superlative(..) => None,
    }
}

/// "more" and "fewer", where "than" comes later.
fn more(span: &Spotted) -> Option<Comparator> {
    if span.is_name() || !span.values.is_empty() {
        return None;
    }
    match span.text.to_lowercase().as_str() {
        "more" | "higher" | "greater" => Some(Comparator::Over),
        "fewer" | "less" | "lower" => Some(Comparator::Under),
        _ => None,
    }
}
