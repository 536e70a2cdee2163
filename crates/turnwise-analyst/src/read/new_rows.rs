//! "New accounts per year", "new customers in 2024": rows of the time at which they came to be, where a date of theirs
//! says that. Without a time nothing says since when they are new. Next: `dated_verb`.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, ColumnId, TableId, Thing};
use super::super::source::ColumnKind;
use super::qualify::table_of;
use super::said::is;
use super::spot::Spotted;

/// Words of a date at which rows come to be.
const CAME: [&str; 13] = [
    "created",
    "creation",
    "create",
    "signup",
    "sign",
    "joined",
    "join",
    "registered",
    "registration",
    "enrolled",
    "enrollment",
    "hire",
    "hired",
];
/// Times that rows are counted by.
const TIMES: [&str; 10] =
    ["year", "quarter", "month", "week", "day", "yearly", "quarterly", "monthly", "weekly", "daily"];

/// Puts the date they came at in the place of "new".
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Option<String> {
    let timed = spans.iter().any(|span| span.period.is_some() || is(span, &TIMES));
    let at = spans.iter().position(|span| is(span, &["new"]) && span.is_unknown())?;
    let table = spans.get(at + 1).and_then(table_of).filter(|_| timed)?;
    // "New accounts created in 2024" says itself which date it is.
    let dated = |span: &Spotted| span.verb || !span.dates.is_empty();
    if spans.iter().any(dated) {
        return None;
    }
    let date = came(catalogue, table)?;
    let pause = std::mem::take(&mut spans[at + 1].pause);
    let names = vec![Candidate { thing: Thing::Column(date), score: 100 }];
    let text = catalogue.column(date).noun();
    let note = format!("“New {}” are told by {}.", spans[at + 1].text, catalogue.column_label(date));
    spans.insert(at + 2, Spotted { text, names, verb: true, pause, ..Spotted::default() });
    spans.remove(at);
    Some(note)
}

/// The one date of the rows that says when they came to be.
fn came(catalogue: &Catalogue, table: TableId) -> Option<ColumnId> {
    let columns = catalogue.table(table).columns.iter().enumerate();
    let mut dates = columns.filter(|(_, column)| {
        column.kind == ColumnKind::Date && column.stems.iter().any(|stem| CAME.contains(&stem.as_str()))
    });
    let (column, _) = dates.next()?;
    dates.next().is_none().then_some(ColumnId { table, column })
}
