//! "The state with the highest point": a column that is called so names such a point of every state, and a test on it
//! is none. Which of them is the highest of all is told by the number beside it that is called by the same end; where
//! there is no such number, nothing here tells it. Next: `rank`.

use super::super::catalogue::{Catalogue, ColumnPart};
use super::super::form::{Candidate, ColumnId, Thing};
use super::super::lexicon::{Role, Signal, lexicon};
use super::super::source::ColumnKind;
use super::qualify::{is_filler, table_of};
use super::said::{is, signal};
use super::spot::Spotted;
use super::taken::Told;

/// Puts the number where the name of an end stands as what rows are asked by.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Told {
    let mut told = Told::default();
    let Some((at, column, role)) = (0..spans.len()).find_map(|at| {
        let (column, role) = named(catalogue, &spans[at])?;
        asks_by(spans, at).then_some((at, column, role))
    }) else {
        return told;
    };
    let stem = catalogue.column(column).stems.first().cloned().unwrap_or_default();
    let table = catalogue.table(column.table);
    let numbers =
        table.columns.iter().enumerate().filter(|(_, entry)| entry.is_number() && entry.stems.first() == Some(&stem));
    let numbers: Vec<ColumnId> = numbers.map(|(number, _)| ColumnId { column: number, ..column }).collect();
    let (label, words) = (catalogue.column_label(column), spans[at].text.clone());
    let [number] = numbers[..] else {
        told.doubt = Some(format!(
            "“{words}” is a column here ({label}), which names one in each row: no number beside it tells which is the one \
             of all. Name the number to go by."
        ));
        return told;
    };
    told.notes.push(format!(
        "Which is the one of all is told by {}, as {label} only names it.",
        catalogue.column_label(number)
    ));
    let names = vec![Candidate { thing: Thing::Column(number), score: 100 }];
    let noun = catalogue.column(number).noun();
    let own = Spotted { text: noun, names, pause: spans[at].pause, ends: spans[at].ends, ..Spotted::default() };
    spans.splice(at..=at, [signal(role, &stem), own]);
    told
}

/// The text column that a phrase names, where its name begins with an end.
fn named(catalogue: &Catalogue, span: &Spotted) -> Option<(ColumnId, Role)> {
    let best = span.names.iter().max_by_key(|one| one.score)?;
    let Thing::Column(column) = best.thing else { return None };
    let entry = catalogue.column(column);
    if entry.kind != ColumnKind::Text || entry.part != ColumnPart::Attribute || entry.stems.len() < 2 {
        return None;
    }
    match lexicon().signal(entry.stems.first()?) {
        Some(Signal::Role(role @ (Role::Highest | Role::Lowest))) => Some((column, role)),
        _ => None,
    }
}

/// Whether rows are asked for by it: "which state has the …", "the state with the …", and no more.
fn asks_by(spans: &[Spotted], at: usize) -> bool {
    let last = spans.get(at + 1).is_none();
    let mut before = spans[..at].iter().rev();
    let has = |span: &Spotted| span.role() == Some(Role::With) || is(span, &["has", "have", "had"]);
    let Some(joint) = before.find(|span| has(span) || !is_filler(span)).filter(|span| has(span)) else { return false };
    let rows = before.find(|span| !is_filler(span)).is_some_and(|span| table_of(span).is_some());
    last && rows && !joint.quoted
}
