//! What was done to rows, told by a column that says by whom: "referred donors" have a `referred_by`, "approved claims"
//! an `approved_by`. That is a test, and behind "by" it says whose rows are meant, where grouping by it would answer
//! another question. Next: `selves` for who did it to whom.

use super::super::catalogue::Catalogue;
use super::super::form::{ColumnId, Filter, Mention, TableId, Thing};
use super::super::lexicon::Role;
use super::super::words;
use super::qualify::table_of;
use super::said::{is, signal};
use super::spot::Spotted;

/// Reads what was done to rows as a test on them.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    let mut at = 0;
    while at + 1 < spans.len() {
        if let Some(of) = done_to(catalogue, spans, at) {
            let words = format!("{} {}", spans[at].text, spans[at + 1].text);
            spans.remove(at);
            let label = catalogue.column_label(of);
            spans[at].tests.push(Filter::Missing {
                of: Mention::of(words.clone(), Thing::Column(of)),
                negated: true,
                unwritten: false,
            });
            spans[at].note = Some(format!("“{words}” are those with a {label}."));
            if let Some(by) = at.checked_sub(1).filter(|by| is(&spans[*by], &["by"])) {
                spans[by] = signal(Role::Of, "of");
            }
        }
        at += 1;
    }
}

/// The column that says by whom, where a phrase says that it was done to the rows named behind it.
fn done_to(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<ColumnId> {
    let deed = spans[at].text.to_lowercase();
    let named = !spans[at].values.is_empty() || spans[at].quoted || spans[at].signal.is_some();
    let table = table_of(&spans[at + 1]).filter(|_| !spans[at + 1].singular && spans[at + 1].tests.is_empty())?;
    if named || spans[at].pause || deed.contains(' ') || !deed.ends_with("ed") {
        return None;
    }
    let roots = words::verb_roots(&deed);
    let columns = catalogue.table(table).columns.iter().enumerate();
    let mut by = columns.filter(|(_, column)| match column.stems.as_slice() {
        [verb, .., by] => by == "by" && words::verb_roots(verb).iter().any(|root| roots.contains(root)),
        _ => false,
    });
    let column = by.next().map(|(column, _)| ColumnId { table, column })?;
    by.next().is_none().then_some(column).filter(|column| is_alone(catalogue, table, *column, &roots))
}

/// Whether no date or yes/no of the rows says the same.
fn is_alone(catalogue: &Catalogue, table: TableId, by: ColumnId, roots: &[String]) -> bool {
    let mut others = catalogue.table(table).columns.iter().enumerate().filter(|(at, _)| *at != by.column);
    !others.any(|(_, column)| {
        column.stems.first().is_some_and(|verb| words::verb_roots(verb).iter().any(|root| roots.contains(root)))
    })
}
