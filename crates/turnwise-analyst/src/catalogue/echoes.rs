//! Columns that say once more what a row is called: a local name beside the name, a short form of it. A value found in
//! both is no matter of choice where it is never in one row of the one and in another row of the other. That is looked
//! for in the data, and never taken from what a column is called. Next: `values`; `resolve::echoes` makes use of it.

use std::collections::BTreeSet;

use turnwise_core::Cell;

use super::{Display, TableEntry, ValueIndex};
use crate::form::{ColumnId, TableId, Thing};
use crate::source::{QueryError, Workbench};
use crate::words;

/// Pairs of a name and what echoes it that are looked at; with more nothing is known of the column.
const PAIRS_MAX: usize = 5_000;

/// The columns of which every value that is also a name stands in a row of that name.
pub fn find(bench: &Workbench, tables: &[TableEntry], values: &ValueIndex) -> Result<BTreeSet<ColumnId>, QueryError> {
    let display = |table: TableId| match tables.get(table.0)?.display {
        Display::Column(column) => Some(ColumnId { table, column }),
        Display::FullName { .. } | Display::Nothing => None,
    };
    let mut shared: BTreeSet<(ColumnId, ColumnId)> = BTreeSet::new();
    for found in values.lists() {
        let columns: Vec<ColumnId> = found
            .iter()
            .filter_map(|found| match found.place {
                Thing::Column(column) => Some(column),
                Thing::Table(_) | Thing::Concept(_) => None,
            })
            .collect();
        for column in &columns {
            let name = display(column.table).filter(|name| name != column && columns.contains(name));
            shared.extend(name.map(|name| (name, *column)));
        }
    }
    let mut echoes = BTreeSet::new();
    for (name, column) in shared {
        if is_echo(bench, &tables[name.table.0], values, name, column)? {
            echoes.insert(column);
        }
    }
    Ok(echoes)
}

fn is_echo(
    bench: &Workbench,
    table: &TableEntry,
    values: &ValueIndex,
    name: ColumnId,
    column: ColumnId,
) -> Result<bool, QueryError> {
    let dialect = table.dialect;
    let quoted = |column: ColumnId| dialect.quoted(&table.columns[column.column].name);
    let (own, other, derived) = (quoted(name), quoted(column), dialect.derived());
    let sql = format!(
        "SELECT DISTINCT {own} AS a, {other} AS b FROM {}{derived} WHERE {own} IS NOT NULL AND {other} IS NOT NULL \
         LIMIT {}",
        table.sql_name,
        PAIRS_MAX + 1
    );
    let pairs = super::build::query(bench, table, &sql, PAIRS_MAX + 1)?.rows;
    let names: BTreeSet<String> = values.of(name).map(key).collect();
    let apart = |row: &Vec<Cell>| match row.as_slice() {
        [one, other] => {
            let (one, other) = (key(&one.to_string()), key(&other.to_string()));
            names.contains(&other) && one != other
        }
        _ => true,
    };
    Ok(pairs.len() <= PAIRS_MAX && !pairs.iter().any(apart))
}

/// What a value is found by.
fn key(value: &str) -> String {
    words::split(value).into_iter().map(|word| word.stem).collect::<Vec<_>>().join(" ")
}
