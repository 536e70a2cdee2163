//! What it is that was not done: the rows a verb speaks of, seen from those asked about. A verb is taken for rows only
//! where they are called after it, hold a date that is, or were named beside it; all else is unknown, and said to be.
//! Next: `denied`, which makes the sets.

use super::super::catalogue::{Catalogue, ColumnPart};
use super::super::form::{Candidate, ColumnId, Filter, TableId, Thing};
use super::super::lexicon::Role;
use super::super::source::ColumnKind;
use super::acted;
use super::denied::Said;
use super::moments;
use super::qualify::table_of;
use super::spot::Spotted;
use super::verbs;

/// The rows of what was done.
pub enum Deed {
    /// All of a table.
    Rows(TableId),
    /// Those with a date that is the verb's.
    Dated(ColumnId),
    /// Those that the values say.
    Such,
    /// It is said of the rows asked about, and of no others.
    Own,
    /// The verb says of no rows here.
    Unknown,
    /// What it was done to is of rows that nothing links with them.
    Unlinked,
}

/// Those asked about.
pub struct Home {
    /// Where they stand; nowhere where nobody but "who" is named.
    pub at: Option<usize>,
    /// Their table.
    pub table: TableId,
    /// How they are called.
    pub called: String,
    /// Whether they are values of a column, of which the rows that have them tell.
    pub valued: bool,
}

/// The rows asked about, with what they did not do; the people of the data where nobody but "who" is named, and the
/// values of a column where they are its own rows that tell of them.
pub fn asked_about(catalogue: &Catalogue, spans: &[Spotted], said: &Said) -> Option<(Home, Deed)> {
    let keyed = |table: &TableId| catalogue.table(*table).key.is_some();
    let named = |span: &Spotted| span.is_name() || table_of(span).is_some();
    if let Some(at) = (0..said.from).rev().find(|at| named(&spans[*at])) {
        let span = &spans[at];
        if let Some(table) = table_of(span).or_else(|| keyed_by(catalogue, span)).filter(keyed) {
            let home = Home { at: Some(at), table, called: catalogue.plural(table), valued: false };
            let deed = deed(catalogue, spans, said, table);
            return Some((home, deed));
        }
        let table = valued(catalogue, span)?;
        let verb = &spans[said.verb];
        let called = verbs::deeds(catalogue, &verb.text.to_lowercase()).unwrap_or_default();
        let mut tables = called.iter().chain(&verb.names).filter_map(|one| table_in(one.thing));
        let deed = if tables.any(|own| own == table) { Deed::Rows(table) } else { Deed::Unknown };
        return Some((Home { at: Some(at), table, called: span.text.to_lowercase(), valued: true }, deed));
    }
    let asks = spans[said.from..said.at].iter().any(|span| span.role() == Some(Role::Who));
    let mut people = catalogue.people().filter(keyed).filter_map(|table| match deed(catalogue, spans, said, table) {
        Deed::Own | Deed::Unknown | Deed::Unlinked => None,
        found => Some((Home { at: None, table, called: catalogue.plural(table), valued: false }, found)),
    });
    let only = people.next().filter(|_| asks)?;
    people.next().is_none().then_some(only)
}

/// The table that a name is the key of.
fn keyed_by(catalogue: &Catalogue, span: &Spotted) -> Option<TableId> {
    let mut keys = span.names.iter().filter_map(|one| match one.thing {
        Thing::Column(column) => (catalogue.table(column.table).key == Some(column.column)).then_some(column.table),
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    let only = keys.next()?;
    keys.next().is_none().then_some(only)
}

/// The table of the one text column that a name is.
fn valued(catalogue: &Catalogue, span: &Spotted) -> Option<TableId> {
    match span.names.as_slice() {
        [Candidate { thing: Thing::Column(column), .. }] => {
            let entry = catalogue.column(*column);
            (entry.kind == ColumnKind::Text && entry.part == ColumnPart::Attribute).then_some(column.table)
        }
        _ => None,
    }
}

/// What those asked about did not do.
pub fn deed(catalogue: &Catalogue, spans: &[Spotted], said: &Said, home: TableId) -> Deed {
    let verb = &spans[said.verb];
    let text = verb.text.to_lowercase();
    let refers = |table: TableId| acted::refers(catalogue, table, home);
    // A date or a state of their own that is called so is what happened to themselves.
    let own_date = moments::of_verb(catalogue, &text).iter().any(|column| column.table == home);
    let own_value = verb.values.iter().any(|found| found.table() == Some(home));
    let own_name = verb.names.iter().any(|one| matches!(one.thing, Thing::Column(column) if column.table == home));
    if own_date || own_value || (own_name && !verb.verb) {
        return Deed::Own;
    }
    let dates = verb.names.iter().chain(&verb.dates).filter_map(date_in(catalogue));
    let mut dates: Vec<ColumnId> =
        dates.chain(moments::of_verb(catalogue, &text)).filter(|date| refers(date.table)).collect();
    dates.sort_unstable();
    dates.dedup();
    if let Some(table) = said.object.or(table_of(verb)).filter(|table| refers(*table)) {
        // "Attended a class": of the rows it was done to the date says which were.
        let mut own = dates.iter().filter(|date| date.table == table);
        return match (own.next(), own.next()) {
            (Some(only), None) => Deed::Dated(*only),
            _ => Deed::Rows(table),
        };
    }
    let trades = matches!(verb.role(), Some(Role::Sold | Role::Bought)) && verb.values.is_empty();
    let sales = || acted::sales(catalogue, home).filter(|_| trades);
    let visits = || acted::visits(catalogue, &text, home).filter(|table| !is_rivalled(catalogue, *table, &text, home));
    let named = || acted::verb(catalogue, verb, home).filter(|table| !is_rivalled(catalogue, *table, &text, home));
    if let Some(table) = named().or_else(sales).or_else(visits) {
        return Deed::Rows(table);
    }
    let mut called: Vec<TableId> =
        verbs::deeds(catalogue, &text).iter().flatten().filter_map(|one| table_in(one.thing)).collect();
    called.retain(|table| refers(*table));
    if let [only] = called[..] {
        return Deed::Rows(only);
    }
    match dates[..] {
        [only] => Deed::Dated(only),
        [] if said.such.is_empty() => Deed::Unknown,
        [] if said.such.iter().all(|such| below(catalogue, such, home)) => Deed::Such,
        [] if said.such.iter().all(|such| beyond(catalogue, such, home)) => Deed::Unlinked,
        _ => Deed::Unknown,
    }
}

/// Whether rows that are not called after a verb of coming stand for it, while others of those asked about might.
fn is_rivalled(catalogue: &Catalogue, table: TableId, verb: &str, home: TableId) -> bool {
    let called = verbs::deeds(catalogue, verb).unwrap_or_default();
    let coming = acted::visits(catalogue, verb, home) == Some(table);
    let leaf = |other: &TableId| *other != table && acted::dated(catalogue, *other).next().is_none();
    coming
        && !called.iter().any(|one| one.thing == Thing::Table(table))
        && acted::dated(catalogue, home).any(|other| leaf(&other))
}

fn table_in(thing: Thing) -> Option<TableId> {
    match thing {
        Thing::Table(table) => Some(table),
        Thing::Column(_) | Thing::Concept(_) => None,
    }
}

fn date_in(catalogue: &Catalogue) -> impl Fn(&Candidate) -> Option<ColumnId> + '_ {
    |one| match one.thing {
        Thing::Column(column) => moments::is_date(catalogue, column).then_some(column),
        Thing::Table(_) | Thing::Concept(_) => None,
    }
}

/// Whether a value is one of rows that belong to those asked about.
fn below(catalogue: &Catalogue, such: &Filter, home: TableId) -> bool {
    let Filter::Value { found, .. } = such else { return false };
    found.iter().any(|found| found.table().is_some_and(|table| acted::refers(catalogue, table, home)))
}

/// Whether a value is one of rows that nothing links with those asked about.
fn beyond(catalogue: &Catalogue, such: &Filter, home: TableId) -> bool {
    let Filter::Value { found, .. } = such else { return false };
    let linked = |table: TableId| {
        table == home || !catalogue.paths(home, table).is_empty() || !catalogue.paths(table, home).is_empty()
    };
    !found.iter().any(|found| found.table().is_some_and(linked))
}

/// As it is said on the plan.
pub fn called(catalogue: &Catalogue, deed: &Deed) -> String {
    match deed {
        Deed::Rows(table) => catalogue.plural(*table),
        Deed::Dated(column) => format!("{} with {}", catalogue.plural(column.table), catalogue.column_label(*column)),
        Deed::Such | Deed::Own | Deed::Unknown | Deed::Unlinked => "such rows".to_owned(),
    }
}

/// The table of what was done.
pub fn table_of_deed(deed: &Deed) -> Option<TableId> {
    match deed {
        Deed::Rows(table) => Some(*table),
        Deed::Dated(column) => Some(column.table),
        Deed::Such | Deed::Own | Deed::Unknown | Deed::Unlinked => None,
    }
}
