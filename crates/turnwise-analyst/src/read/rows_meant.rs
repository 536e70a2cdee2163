//! Values that stand for rows: "the five heaviest dogs" are the rows whose species is dog, "inspections that failed"
//! those with the result "fail", and "sold or scrapped" are two states although "sold" is a word of its own elsewhere.
//! Next: `spot`.

use super::super::catalogue::{Catalogue, Display};
use super::super::form::{Candidate, Found, TableId, Thing};
use super::super::lexicon::Role;
use super::super::words;
use super::qualify::table_of;
use super::spot::{Spotted, Spotting};

/// Different values up to which a column tells kinds and states.
const KINDS_MAX: u64 = 60;
/// Different values up to which a verb is looked for among them.
const STATES_MAX: u64 = 12;

/// Says which values stand for rows.
pub fn mark(catalogue: &Catalogue, spotting: &mut Spotting) {
    join_states(&mut spotting.spans);
    drop_kinds(&mut spotting.spans);
    if let Some((at, table, note)) = meant(catalogue, &spotting.spans) {
        let names = vec![Candidate { thing: Thing::Table(table), score: 100 }];
        let (pause, ends, bracket) = {
            let value = &mut spotting.spans[at];
            let said = (value.pause, value.ends, value.bracket);
            (value.pause, value.ends, value.bracket) = (false, false, false);
            said
        };
        let rows = Spotted { text: catalogue.plural(table), names, pause, ends, bracket, ..Spotted::default() };
        spotting.spans.insert(at + 1, rows);
        spotting.notes.push(note);
    }
}

/// "Each package type" where there are packages, and only customers have a type: the packages are its kinds.
fn drop_kinds(spans: &mut Vec<Spotted>) {
    let tables = |span: &Spotted| -> Vec<TableId> {
        let column = |thing: Thing| match thing {
            Thing::Column(column) => Some(column.table),
            Thing::Table(_) | Thing::Concept(_) => None,
        };
        span.names.iter().filter_map(|name| column(name.thing)).collect()
    };
    let kind = |at: &usize| {
        let (one, kind) = (&spans[at - 1], &spans[*at]);
        let said = matches!(kind.text.to_lowercase().as_str(), "type" | "types" | "kind" | "kinds");
        let column = one.is_name() && table_of(one).is_none() && one.signal.is_none() && !tables(one).is_empty();
        said && column && !one.pause && !tables(kind).iter().any(|table| tables(one).contains(table))
    };
    if let Some(at) = (1..spans.len()).find(kind) {
        let gone = spans.remove(at);
        let kept = &mut spans[at - 1];
        (kept.pause, kept.ends, kept.bracket) = (gone.pause, gone.ends, gone.bracket);
    }
}

/// "Sold or scrapped": what is joined with a state, and is one of the same column, is one.
fn join_states(spans: &mut [Spotted]) {
    for at in 0..spans.len().saturating_sub(2) {
        let joins = matches!(spans[at + 1].role(), Some(Role::Or | Role::And));
        let is_state = |span: &Spotted| span.signal.is_none() && span.names.is_empty() && !span.values.is_empty();
        if !joins {
            continue;
        }
        for (one, other) in [(at, at + 2), (at + 2, at)] {
            let shared = |found: &Found| spans[other].values.iter().any(|state| state.place == found.place);
            let verb = matches!(spans[one].role(), Some(Role::Sold | Role::Bought | Role::Spent | Role::Link));
            if verb && is_state(&spans[other]) && spans[one].values.iter().any(shared) {
                spans[one].signal = None;
                spans[one].names = Vec::new();
            }
        }
    }
}

/// The value said in the plural that stands for rows, where nothing else names them.
fn meant(catalogue: &Catalogue, spans: &[Spotted]) -> Option<(usize, TableId, String)> {
    if spans.iter().any(|span| table_of(span).is_some()) {
        return None;
    }
    let plural = |span: &Spotted| {
        let last = span.text.split(' ').next_back().unwrap_or_default().to_lowercase();
        let whole = span.values.iter().flat_map(|found| &found.values);
        let written = whole.filter(|value| words::fold(value).ends_with(&last)).count();
        span.signal.is_none() && span.names.is_empty() && !span.quoted && last.ends_with('s') && written == 0
    };
    let mut said = spans.iter().enumerate().filter(|(_, span)| !span.values.is_empty() && plural(span));
    let (at, span) = said.next()?;
    let [Found { place: Thing::Column(column), values, .. }] = span.values.as_slice() else { return None };
    let table = column.table;
    let named = catalogue.table(table).display == Display::Column(column.column);
    let kinds = catalogue.values().count(*column).is_some_and(|count| count <= KINDS_MAX);
    // What is named besides are columns of these rows, so that nothing else is asked about.
    let own = |span: &Spotted| {
        span.names.is_empty()
            || span.signal.is_some()
            || span.names.iter().any(|name| matches!(name.thing, Thing::Column(column) if column.table == table))
    };
    let held = |span: &Spotted| span.values.is_empty() || span.values.iter().any(|found| found.table() == Some(table));
    let alone = spans.iter().all(|span| own(span) && held(span));
    let value = values.first().filter(|_| !named && kinds && alone && said.next().is_none())?;
    let note = format!(
        "“{}” are the {} whose {} is “{value}”.",
        span.text,
        catalogue.plural(table),
        catalogue.column(*column).noun()
    );
    Some((at, table, note))
}

/// The state that a verb tells: "failed" of the result "fail", "rejected" of "reject".
pub fn done(catalogue: &Catalogue, verb: &str) -> Option<Vec<Found>> {
    let root = verb.strip_suffix("ed").filter(|root| root.len() > 2)?;
    [root.to_owned(), format!("{root}e")].iter().find_map(|root| {
        let found = catalogue.values().find(std::slice::from_ref(root)).iter();
        let states = found.filter(|found| match found.place {
            Thing::Column(column) => catalogue.values().count(column).is_some_and(|count| count <= STATES_MAX),
            Thing::Table(_) | Thing::Concept(_) => false,
        });
        let states: Vec<Found> = states.cloned().collect();
        (!states.is_empty()).then_some(states)
    })
}
