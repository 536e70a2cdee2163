//! What rows are said to have done, where other rows stand for it: "buyers who ordered", "patients who came", "members
//! who placed their first order", "repeat customers". Next: `returning`, for when and how often.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, ColumnId, Filter, TableId, Thing};
use super::super::lexicon::{Concept, Order, Role, Signal};
use super::super::words;
use super::moments;
use super::qualify::{is_filler, table_of};
use super::said::is;
use super::spot::Spotted;
use super::verbs;

/// Verbs that say no more than that it was done.
const LIGHT: [&str; 13] =
    ["placed", "place", "made", "make", "had", "have", "has", "took", "take", "submitted", "with", "got", "whose"];
/// Verbs for coming, and what rows of it are called.
const COMING: [&str; 8] = ["came", "come", "visited", "visit", "attended", "turned up", "showed up", "seen"];
const VISITS: [&str; 8] =
    ["visit", "appointment", "consultation", "booking", "admission", "stay", "reservation", "attendance"];
/// Words between rows and what they did.
const BETWEEN: [&str; 12] =
    ["who", "that", "which", "have", "has", "had", "did", "do", "who have", "that have", "already", "ever"];
/// Words that deny it.
const NOT: [&str; 7] = ["not", "didnt", "havent", "hasnt", "dont", "hadnt", "doesnt"];
/// Words before rows that did it more than once.
const REPEAT: [&str; 3] = ["repeat", "returning", "recurring"];
/// Phrases between rows and what they did.
const BETWEEN_MAX: usize = 5;

/// What rows were said to have done.
#[derive(Debug)]
pub struct Acted {
    /// Where the rows stand.
    pub home: usize,
    /// The first phrase that says it, and the one behind the last.
    pub from: usize,
    pub end: usize,
    /// The rows of what was done.
    pub table: TableId,
    /// Whether the first or the last of them is spoken of.
    pub order: Option<Order>,
    /// Whether it was not done.
    pub negated: bool,
    /// How often, where a word before the rows said it.
    pub repeated: bool,
    /// Whether it was said by a verb alone, or with rows that it was done to.
    pub object: bool,
    /// Whether it was said by the rows themselves: "who placed an order", "with orders".
    pub light: bool,
    /// What the rows must be like: "who ordered Chai".
    pub such: Vec<Filter>,
}

impl Acted {
    fn new(home: usize, from: usize, end: usize, table: TableId) -> Self {
        let (order, such) = (None, Vec::new());
        Self { home, from, end, table, order, negated: false, repeated: false, object: false, light: false, such }
    }
}

/// Finds what rows were said to have done.
pub fn find(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Option<Acted> {
    let home = spans.iter().position(|span| {
        table_of(span)
            .is_some_and(|table| catalogue.table(table).key.is_some() && dated(catalogue, table).next().is_some())
    })?;
    let table = table_of(&spans[home])?;
    described(catalogue, spans, home, table).or_else(|| done(catalogue, spans, home, table))
}

/// "Repeat customers", "first-time buyers".
fn described(catalogue: &Catalogue, spans: &mut Vec<Spotted>, home: usize, table: TableId) -> Option<Acted> {
    let before = home.checked_sub(1)?;
    let repeated = is(&spans[before], &REPEAT) && spans[before].values.is_empty();
    let times = is(&spans[before], &["time", "timer"]).then(|| before.checked_sub(1)).flatten();
    let first = times.filter(|at| end_said(&spans[*at]) == Some(Order::Ascending));
    let cut = if repeated { before } else { first? };
    let deed = usual(catalogue, table)?;
    spans.drain(cut..home);
    let order = first.map(|_| Order::Ascending);
    Some(Acted { order, repeated, ..Acted::new(cut, cut + 1, cut + 1, deed) })
}

/// "Buyers who ordered", "who did not come", "whose last order".
fn done(catalogue: &Catalogue, spans: &[Spotted], home: usize, table: TableId) -> Option<Acted> {
    let (mut at, mut negated, mut order, mut light) = (home + 1, false, None, false);
    let mut from = home + 1;
    let mut such: Vec<Filter> = Vec::new();
    while let Some(span) = spans.get(at).filter(|_| at <= home + BETWEEN_MAX) {
        if let Some(end) = end_said(span) {
            order = Some(end);
        } else if is(span, &NOT) {
            negated = true;
        } else if is(span, &LIGHT) {
            light = true;
        } else if let Some(deed) = verb(catalogue, span, table) {
            // Where somebody came from is what they are like, and nothing that they did.
            let comes_from = spans.get(at + 1).is_some_and(|next| next.text.to_lowercase().starts_with("from"));
            if comes_from && visits(catalogue, &span.text.to_lowercase(), table).is_some() {
                return None;
            }
            return with_object(catalogue, spans, Acted { order, negated, ..Acted::new(home, from, at + 1, deed) });
        } else if let Some(deed) = table_of(span).filter(|deed| light && refers(catalogue, *deed, table)) {
            return Some(Acted { order, negated, light, such, ..Acted::new(home, from, at + 1, deed) });
        } else if is_doing(catalogue, span, table) {
            light = true;
        } else if light && !span.values.is_empty() && !span.is_name() {
            // "Who had cancelled orders"
            let (words, found) = (span.text.clone(), span.values.clone());
            such.push(Filter::Value { words, found, negated: false });
        } else if span.role() == Some(Role::In) || (!span.values.is_empty() && !span.is_name()) {
            // "Buyers from Germany who ordered"
            (from, negated, order, light) = (at + 1, false, None, false);
        } else if !(is_filler(span) || is(span, &BETWEEN)) {
            return None;
        }
        at += 1;
    }
    None
}

/// "Accounts that opened a ticket": any verb will do where rows follow that belong to them.
fn is_doing(catalogue: &Catalogue, span: &Spotted, home: TableId) -> bool {
    let word = span.text.to_lowercase();
    let weak = matches!(span.role(), Some(Role::Link | Role::Ignore) | None) && span.signal.is_none() | is_filler(span);
    // "Opened" may be the date of the tickets, but not of the accounts.
    let theirs = |candidate: &Candidate| match candidate.thing {
        Thing::Column(column) => moments::is_date(catalogue, column) && column.table != home,
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    let plain =
        span.names.iter().all(theirs) && span.values.is_empty() && span.period.is_none() && span.number.is_none();
    weak && plain && !span.quoted && word.ends_with("ed") && !word.contains(' ')
}

/// What it was done to: rows of the deeds themselves, or such as they refer to.
fn with_object(catalogue: &Catalogue, spans: &[Spotted], mut acted: Acted) -> Option<Acted> {
    let own = table_of(spans.get(acted.home)?)?;
    let at = acted.end + spans.iter().skip(acted.end).take_while(|span| is_filler(span)).count();
    let Some(object) = spans.get(at).and_then(table_of) else {
        let such = |span: &&Spotted| !span.values.is_empty() && !span.is_name() && span.period.is_none();
        for span in spans.iter().skip(at).take_while(such) {
            let (words, found) = (span.text.clone(), span.values.clone());
            acted.such.push(Filter::Value { words, found, negated: false });
        }
        if !acted.such.is_empty() {
            acted.end = at + acted.such.len();
        }
        return Some(acted);
    };
    if refers(catalogue, object, own) {
        acted.table = object;
    } else if catalogue.paths(acted.table, object).is_empty() || object == own {
        return None;
    } else {
        acted.object = true;
    }
    acted.end = at + 1;
    Some(acted)
}

/// The rows that a verb speaks of, where they belong to those of `home`.
pub fn verb(catalogue: &Catalogue, span: &Spotted, home: TableId) -> Option<TableId> {
    let said = span.text.to_lowercase();
    if span.quoted || span.period.is_some() || span.number.is_some() || !span.values.is_empty() || said.len() < 4 {
        return None;
    }
    let weak =
        matches!(span.role(), Some(Role::Bought | Role::Spent | Role::Link | Role::Ignore | Role::Command) | None);
    let named = span.is_name() && !span.verb;
    if !weak || named || matches!(span.signal, Some(Signal::Superlative(..) | Signal::Comparative(..))) {
        return None;
    }
    // A date of their own that is called so is what happened to themselves.
    let of_home = |column: &ColumnId| column.table == home;
    if moments::of_verb(catalogue, &said).iter().any(of_home) {
        return None;
    }
    let deeds = verbs::deeds(catalogue, &said).unwrap_or_default();
    let tables = deeds.iter().filter_map(|candidate| match candidate.thing {
        Thing::Table(table) => Some(table),
        Thing::Column(_) | Thing::Concept(_) => None,
    });
    let mut fitting = tables.filter(|table| refers(catalogue, *table, home));
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => return Some(only),
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    if span.role() == Some(Role::Bought) {
        return sales(catalogue, home);
    }
    visits(catalogue, &said, home)
}

/// The rows of coming, where the verb is one for it: the only ones called so that belong to those of `home`.
pub fn visits(catalogue: &Catalogue, verb: &str, home: TableId) -> Option<TableId> {
    if !words::verb_roots(verb).iter().any(|root| COMING.contains(&root.as_str())) {
        return None;
    }
    let called = |table: &TableId| {
        let stems = &catalogue.table(*table).stems;
        stems.last().is_some_and(|last| VISITS.contains(&last.as_str())) && refers(catalogue, *table, home)
    };
    let mut visits = catalogue.tables().map(|(table, _)| table).filter(called);
    let only = visits.next()?;
    visits.next().is_none().then_some(only)
}

/// The rows that people of a table usually have to do with: what they buy, or the only ones that belong to them.
fn usual(catalogue: &Catalogue, home: TableId) -> Option<TableId> {
    let mut all = dated(catalogue, home);
    match (all.next(), all.next()) {
        (Some(only), None) => Some(only),
        _ => sales(catalogue, home),
    }
}

/// The dated rows of what was bought, nearest to whoever bought it.
pub fn sales(catalogue: &Catalogue, home: TableId) -> Option<TableId> {
    let sold =
        catalogue.measures(Concept::Money).iter().find(|source| !catalogue.paths(source.table, home).is_empty())?;
    let path = catalogue.paths(sold.table, home).first()?;
    let along = std::iter::once(sold.table).chain(path.0.iter().map(|join| catalogue.join(*join).to));
    let fitting: Vec<TableId> = along.filter(|table| *table != home && is_dated(catalogue, *table)).collect();
    // The lines of dated orders have their time.
    let lines = || {
        let dated =
            |(table, _): (TableId, _)| is_dated(catalogue, table) && !catalogue.paths(sold.table, table).is_empty();
        catalogue.tables().any(dated).then_some(sold.table)
    };
    fitting.last().copied().or_else(lines)
}

/// The dated tables whose rows refer to those of `home`.
pub fn dated(catalogue: &Catalogue, home: TableId) -> impl Iterator<Item = TableId> + '_ {
    let mut tables: Vec<TableId> = catalogue.referrers(home).map(|join| join.from).collect();
    tables.sort_unstable();
    tables.dedup();
    tables.into_iter().filter(move |table| *table != home && is_dated(catalogue, *table))
}

pub fn refers(catalogue: &Catalogue, table: TableId, home: TableId) -> bool {
    table != home && is_dated(catalogue, table) && !catalogue.paths(table, home).is_empty()
}

fn is_dated(catalogue: &Catalogue, table: TableId) -> bool {
    moments::main(catalogue, table).is_some()
}

/// "First" and "last", of a time.
pub fn end_said(span: &Spotted) -> Option<Order> {
    match (span.text.to_lowercase().as_str(), span.role()) {
        ("first" | "earliest", _) => Some(Order::Ascending),
        ("last" | "latest" | "most recent", _) if span.period.is_none() => Some(Order::Descending),
        _ => None,
    }
}

/// The rows of what was done, as they are named.
pub fn named(catalogue: &Catalogue, table: TableId) -> Spotted {
    let names = vec![Candidate { thing: Thing::Table(table), score: 100 }];
    Spotted { text: catalogue.plural(table), names, ..Spotted::default() }
}
