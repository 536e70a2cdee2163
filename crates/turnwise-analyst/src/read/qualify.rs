//! Joins phrases that belong together: "track length", "length of tracks", "country Germany". What is left of the
//! table's name decides between readings elsewhere, so it is handed back. Next: `slots`.

use super::super::catalogue::{Amount, Catalogue, ColumnPart};
use super::super::form::{Candidate, Found, Mention, TableId, Thing};
use super::super::lexicon::{Concept, Role};
use super::spot::Spotted;
use super::{literal, text, valued};
use crate::source::ColumnKind;

/// Phrases that are joined at most: "length of the tracks".
const JOINED_MAX: usize = 3;
/// Fit of a name that is called just so.
const WHOLE: u32 = 100;

/// Joins what belongs together in `spans`; returns the tables that qualified something.
pub fn join_neighbours(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Vec<Mention> {
    let mut context = Vec::new();
    let mut at = 0;
    while at + 1 < spans.len() {
        // A test is whole: what would be joined to its name would lose it.
        let rows = |span: &Spotted| !span.tests.is_empty() && span.is_name();
        if !spans[at].tests.is_empty() || spans.iter().skip(at + 1).take(JOINED_MAX).any(rows) {
            at += 1;
            continue;
        }
        let joined = text::text_test(catalogue, spans, at)
            .or_else(|| reference_then_table(catalogue, spans, at))
            .or_else(|| table_then_column(catalogue, spans, at))
            .or_else(|| column_of_table(catalogue, spans, at))
            .or_else(|| valued::name_then_value(catalogue, spans, at))
            .or_else(|| literal::said_of(catalogue, spans, at))
            .or_else(|| value_then_column(spans, at));
        match joined {
            Some((length, mut span, table)) => {
                // What is true of a share of rows stays so: "have the government form Republic".
                span.predicate = spans.iter().skip(at).take(length).all(|span| span.predicate);
                spans.splice(at..at + length, [span]);
                context.extend(table);
            }
            None => at += 1,
        }
    }
    context
}

pub fn table_of(span: &Spotted) -> Option<TableId> {
    if !span.is_name() {
        return None;
    }
    Mention { words: String::new(), candidates: span.names.clone() }.table()
}

/// A property belongs to the rows it is said of: the age of customers is not that of the employees who serve them.
/// Money and quantities are said of whatever they can be divided by.
fn is_property(span: &Spotted) -> bool {
    let all = span.names.iter();
    span.signal.is_none()
        && all.clone().next().is_some()
        && all.clone().all(|candidate| {
            matches!(candidate.thing, Thing::Concept(concept) if !matches!(concept, Concept::Money | Concept::Quantity))
        })
}

pub fn is_filler(span: &Spotted) -> bool {
    matches!(span.role(), Some(Role::Ignore)) && !span.is_name()
}

/// The readings of `span` that lie in `table`.
pub fn within(catalogue: &Catalogue, span: &Spotted, table: TableId) -> Vec<Candidate> {
    let mut found = Vec::new();
    for candidate in &span.names {
        match candidate.thing {
            Thing::Column(column) if column.table == table => found.push(*candidate),
            Thing::Concept(concept) => {
                let own = catalogue.measures(concept).iter().filter(|source| source.table == table);
                // Price times quantity is no column; the concept finds it again because its table is named.
                found.extend(own.map(|source| match source.amount {
                    Amount::Column(column) => Candidate { thing: Thing::Column(column), score: source.score },
                    Amount::Product { .. } | Amount::Difference { .. } => {
                        Candidate { thing: Thing::Concept(concept), score: source.score }
                    }
                }));
            }
            Thing::Table(_) | Thing::Column(_) => {}
        }
    }
    // "Film length", of films with a length and a duration: what is called so, and not what may be meant by it.
    let called = |one: &Candidate| matches!(one.thing, Thing::Column(column) if column.table == table);
    if let Some(whole) = span.names.iter().find(|one| one.score == WHOLE && called(one)) {
        found.retain(|one| one.thing == whole.thing);
    }
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
    found.dedup_by_key(|candidate| candidate.thing);
    found
}

/// "order value" where the lines of the orders have it: numbers of the rows that a row of `table` consists of.
fn within_details(catalogue: &Catalogue, span: &Spotted, table: TableId) -> Vec<Candidate> {
    let own = &catalogue.table(table).stems;
    let details = catalogue.referrers(table).map(|join| join.from).filter(|details| {
        let stems = &catalogue.table(*details).stems;
        *details != table && stems.len() > own.len() && stems.starts_with(own)
    });
    let mut found: Vec<Candidate> = details.flat_map(|details| within(catalogue, span, details)).collect();
    found.retain(|candidate| match candidate.thing {
        Thing::Column(column) => catalogue.column(column).is_number(),
        Thing::Concept(concept) => matches!(concept, Concept::Money | Concept::Quantity),
        Thing::Table(_) => false,
    });
    found
}

/// "destination airport": the column says in which part the airport is meant.
fn reference_then_table(
    catalogue: &Catalogue,
    spans: &[Spotted],
    at: usize,
) -> Option<(usize, Spotted, Option<Mention>)> {
    let first = &spans[at];
    let table = table_of(spans.get(at + 1)?)?;
    let refers = |candidate: &&Candidate| match candidate.thing {
        Thing::Column(column) => match catalogue.column(column).part {
            ColumnPart::Reference(join) => catalogue.join(join).to == table,
            ColumnPart::Key | ColumnPart::Attribute => false,
        },
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    if !first.is_name() || table_of(first).is_some() {
        return None;
    }
    let found: Vec<Candidate> = first.names.iter().filter(refers).copied().collect();
    (!found.is_empty()).then(|| (2, named(&format!("{} {}", first.text, spans[at + 1].text), found), None))
}

/// "track length", "invoice total", "customer city".
fn table_then_column(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let table = table_of(&spans[at]).filter(|_| !spans[at].bracket)?;
    let next = spans.get(at + 1)?;
    // "visits by diagnosis" is about no column that is called by "by".
    let links =
        matches!(next.role(), Some(Role::Group | Role::Each | Role::In | Role::Of | Role::And | Role::Or | Role::With));
    let lacks = next.role() == Some(Role::Without) && spans.get(at + 2).is_some_and(Spotted::is_name);
    if links || lacks || next.names.is_empty() || next.number.is_some() || next.period.is_some() || next.verb {
        return None;
    }
    let best_elsewhere = Mention { words: String::new(), candidates: next.names.clone() }.table();
    if best_elsewhere.is_some() {
        return None;
    }
    // "rentals paid" are rentals, and the state says which of them.
    let state = next.names.iter().any(|candidate| catalogue.is_flag(candidate.thing));
    let grouped = at.checked_sub(1).is_some_and(|before| spans[before].role() == Some(Role::Group));
    if state || (super::deed::is_past(catalogue, next) && !grouped) {
        return None;
    }
    // "visits admitted by Ada" are visits still, and so are "employees who report to each manager" employees.
    let names = next.names.iter().any(|candidate| is_reference(catalogue, candidate));
    let valued = valued::name_then_value(catalogue, spans, at + 1).is_some();
    if (names && valued) || (is_verbal(&next.text) && (names || valued)) {
        return None;
    }
    // "sites opened after 2016" are sites, and the verb says which of their dates is meant.
    if is_dated(catalogue, next) && spans.get(at + 2).is_some_and(|after| after.period.is_some()) {
        return None;
    }
    // "invoice total sales": the total belongs to what follows.
    let sums = next.role() == Some(Role::Sum);
    let follows = spans.get(at + 2).is_some_and(|after| after.is_name() && sums);
    let mut found = within(catalogue, next, table);
    if found.is_empty() {
        found = within_details(catalogue, next, table);
    }
    let words = format!("{} {}", spans[at].text, next.text);
    if found.is_empty() && is_property(next) {
        return Some((2, Spotted { text: words, ..Spotted::default() }, None));
    }
    if found.is_empty() || follows {
        return None;
    }
    Some((2, named(&words, found), Some(Mention::of(spans[at].text.clone(), Thing::Table(table)))))
}

/// Whether a phrase is the past of a verb, and a date of that name.
fn is_dated(catalogue: &Catalogue, span: &Spotted) -> bool {
    let is_date = |candidate: &Candidate| match candidate.thing {
        Thing::Column(column) => catalogue.column(column).kind == ColumnKind::Date || catalogue.is_year(column),
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    span.text.to_lowercase().ends_with("ed") && !span.text.contains(' ') && span.names.iter().any(is_date)
}

/// Whether a phrase is a verb with its preposition: "report to", "admitted by".
pub fn is_verbal(words: &str) -> bool {
    let mut words = words.split_whitespace();
    let last = words.next_back().unwrap_or_default().to_lowercase();
    words.next().is_some() && matches!(last.as_str(), "to" | "by" | "from" | "for" | "with" | "in" | "at" | "of")
}

fn is_reference(catalogue: &Catalogue, candidate: &Candidate) -> bool {
    match candidate.thing {
        Thing::Column(column) => matches!(catalogue.column(column).part, ColumnPart::Reference(_)),
        Thing::Table(_) | Thing::Concept(_) => false,
    }
}

/// "length of tracks", "total of the invoices".
fn column_of_table(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let first = &spans[at];
    if first.names.is_empty() || table_of(first).is_some() || first.number.is_some() {
        return None;
    }
    let state = first.names.iter().any(|candidate| catalogue.is_flag(candidate.thing));
    if state || spans.get(at + 1)?.role() != Some(Role::Of) {
        return None;
    }
    let fillers = spans.iter().skip(at + 2).take_while(|span| is_filler(span)).count();
    let owner = spans.get(at + 2 + fillers)?;
    if let Some(joined) = column_of_reference(catalogue, first, owner) {
        return Some((3 + fillers, joined.0, Some(joined.1)));
    }
    let table = table_of(owner)?;
    let mention = Mention::of(owner.text.clone(), Thing::Table(table));
    // "names of customers" are the customers, whichever columns hold their names.
    if first.text.to_lowercase().starts_with("name") {
        return Some((3 + fillers, owner.clone(), None));
    }
    let found = within(catalogue, first, table);
    if found.is_empty() && is_property(first) {
        let text = format!("{} of {}", first.text, owner.text);
        return Some((3 + fillers, Spotted { text, ..Spotted::default() }, None));
    }
    if found.is_empty() {
        return None;
    }
    Some((3 + fillers, named(&format!("{} {}", owner.text, first.text), found), Some(mention)))
}

/// "altitude of the destination airports": the column of those rows that the reference leads to.
fn column_of_reference(catalogue: &Catalogue, first: &Spotted, owner: &Spotted) -> Option<(Spotted, Mention)> {
    if table_of(owner).is_some() || !owner.is_name() {
        return None;
    }
    let referred = owner.names.iter().find_map(|candidate| match candidate.thing {
        Thing::Column(column) => match catalogue.column(column).part {
            ColumnPart::Reference(join) => Some((column, catalogue.join(join).to)),
            ColumnPart::Key | ColumnPart::Attribute => None,
        },
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    let (column, table) = referred?;
    let found = within(catalogue, first, table);
    let mention = Mention::of(owner.text.clone(), Thing::Column(column));
    (!found.is_empty()).then(|| (named(&format!("{} {}", owner.text, first.text), found), mention))
}

/// "plus plan", "card payment method": the value is looked for where the name behind it says.
fn value_then_column(spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let (value, column) = (&spans[at], spans.get(at + 1)?);
    let place = |found: &Found| column.names.iter().any(|candidate| candidate.thing == found.place);
    let wanted = value.pause || value.signal.is_some();
    if value.is_name() || !column.is_name() || table_of(column).is_some() || (wanted && !column.singular) {
        return None;
    }
    let kept: Vec<Found> = value.values.iter().filter(|found| place(found)).cloned().collect();
    let text = value.text.clone();
    (!kept.is_empty()).then(|| (2, Spotted { text, values: kept, ..Spotted::default() }, None))
}

fn named(words: &str, names: Vec<Candidate>) -> Spotted {
    Spotted { text: words.to_owned(), names, ..Spotted::default() }
}
