//! Columns that hold parts of one: a discount of 15 % written as 0.15. Whoever speaks of percents of such a column
//! means the hundredth of the number. Next: `build`, `read/percents.rs`.

use turnwise_core::{Cell, Table};

use super::{ColumnPart, TableEntry, build};
use crate::source::{ColumnKind, EngineId, QueryError, Workbench};

/// Marks the columns of `table` whose every value lies between 0 and 1.
pub fn find(bench: &Workbench, table: &mut TableEntry) -> Result<(), QueryError> {
    let likely = |at: &usize| {
        let column = &table.columns[*at];
        column.kind == ColumnKind::Real && column.part == ColumnPart::Attribute
    };
    let likely: Vec<usize> = (0..table.columns.len()).filter(likely).collect();
    if likely.is_empty() {
        return Ok(());
    }
    let looks = likely.iter().map(|&at| {
        let name = table.dialect.quoted(&table.columns[at].name);
        format!("MIN({name}), MAX({name})")
    });
    let (looks, derived) = (looks.collect::<Vec<_>>().join(", "), table.dialect.derived());
    let sql = format!("SELECT {looks} FROM {}{derived}", table.sample_name);
    let found = match build::query(bench, table, &sql, 1) {
        // A server's table may be too large to be looked through; then nothing is known of it.
        Err(QueryError::TimedOut { .. }) if table.engine != EngineId::default() => Table::default(),
        found => found?,
    };
    let Some(row) = found.rows.first() else { return Ok(()) };
    for (at, ends) in likely.into_iter().zip(row.chunks(2)) {
        table.columns[at].fraction = is_fraction(ends);
    }
    Ok(())
}

fn is_fraction(ends: &[Cell]) -> bool {
    match ends.iter().filter_map(Cell::as_number).collect::<Vec<f64>>().as_slice() {
        [least, most] => *least >= 0.0 && *most <= 1.0 && *most > 0.0,
        _ => false,
    }
}
