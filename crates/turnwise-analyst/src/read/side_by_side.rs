//! "Compare France and Italy by population and area": named rows beside each other, with columns of theirs. It is read
//! as the columns of those rows, because a group by each value of a column is nobody's wish there. Next: `shown`.

use super::super::catalogue::Catalogue;
use super::super::form::{TableId, Thing};
use super::super::lexicon::Role;
use super::items::is_separator;
use super::qualify::is_filler;
use super::said;
use super::spot::Spotted;

/// Puts the columns before the rows they are of.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    if spans.first().and_then(Spotted::role) != Some(Role::Compare) {
        return;
    }
    let Some(by) = spans.iter().position(|span| said::is(span, &["by"])) else { return };
    let joins = |span: &Spotted| {
        is_filler(span) || matches!(span.role(), Some(Role::And | Role::With | Role::Versus)) || is_separator(span)
    };
    let rows: Vec<&Spotted> = spans[1..by].iter().filter(|span| !joins(span)).collect();
    let listed = |span: &&Spotted| !is_separator(span) && !matches!(span.role(), Some(Role::And)) && !is_filler(span);
    let columns: Vec<&Spotted> = spans[by + 1..].iter().filter(listed).collect();
    let Some(table) = table_of_all(catalogue, &rows).filter(|_| rows.len() > 1 && !columns.is_empty()) else { return };
    let own: Option<Vec<Spotted>> = columns.iter().map(|column| column_of(table, column)).collect();
    let Some(own) = own else { return };
    let mut put: Vec<Spotted> = Vec::new();
    for (at, column) in own.iter().enumerate() {
        if at > 0 {
            put.push(said::signal(Role::And, "and"));
        }
        put.push(Spotted { pause: false, ends: false, ..column.clone() });
    }
    put.push(said::signal(Role::Of, "of"));
    put.extend(spans[1..by].iter().map(|span| match span.role() {
        Some(Role::With | Role::Versus) => said::signal(Role::And, "and"),
        _ => span.clone(),
    }));
    *spans = put;
}

/// The table whose rows are all called so.
fn table_of_all(catalogue: &Catalogue, rows: &[&Spotted]) -> Option<TableId> {
    let named =
        |span: &Spotted, table: TableId| span.values.iter().any(|found| catalogue.names_rows(found.place, table));
    let mut tables = catalogue.tables().map(|(id, _)| id);
    let all = |table: &TableId| rows.iter().all(|row| !row.is_name() && named(row, *table));
    let first = tables.find(|table| all(table))?;
    tables.all(|other| !all(&other)).then_some(first)
}

/// The one column of the table that a phrase names.
fn column_of(table: TableId, span: &Spotted) -> Option<Spotted> {
    let own = |thing: Thing| matches!(thing, Thing::Column(column) if column.table == table);
    let best = span.names.iter().filter(|one| own(one.thing)).max_by_key(|one| one.score)?;
    let names = vec![super::super::form::Candidate { thing: best.thing, score: 100 }];
    (span.signal.is_none() && span.number.is_none()).then(|| Spotted { names, ..span.clone() })
}
