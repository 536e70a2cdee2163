//! Columns that hold years by themselves and are not called so: `founded`, `opened`, a text of four digits. A question
//! that names such a column beside a time means a test on it. Next: `build`.

use turnwise_core::{Cell, Table};

use super::{ColumnPart, TableEntry};
use crate::lexicon::lexicon;
use crate::source::{ColumnKind, EngineId, QueryError, Workbench};
use crate::sql::dialect::Written as _;

/// The years that people speak of.
const YEARS: (f64, f64) = (1000.0, 2199.0);
/// Words in a column's name that say it holds a time, beside the pasts of verbs.
const TIMES: [&str; 14] = [
    "year", "yr", "since", "season", "birth", "debut", "start", "end", "founding", "opening", "creation", "vintage",
    "office", "edition",
];

/// The columns of `table` whose every value is a year.
pub fn find(bench: &Workbench, table: &TableEntry) -> Result<Vec<usize>, QueryError> {
    let likely: Vec<usize> = (0..table.columns.len()).filter(|&at| is_likely(table, at)).collect();
    if likely.is_empty() {
        return Ok(Vec::new());
    }
    let looks = likely.iter().map(|&at| {
        let name = table.dialect.quoted(&table.columns[at].name);
        let length = format!("LENGTH({})", table.dialect.as_text(&name));
        format!("MIN({name}), MAX({name}), MIN({length}), MAX({length})")
    });
    let (looks, derived) = (looks.collect::<Vec<_>>().join(", "), table.dialect.derived());
    let sql = format!("SELECT {looks} FROM {}{derived}", table.sample_name);
    let found = match super::build::query(bench, table, &sql, 1) {
        // A server's table may be too large to be looked through; then nothing is known of it.
        Err(QueryError::TimedOut { .. }) if table.engine != EngineId::default() => Table::default(),
        found => found?,
    };
    let Some(row) = found.rows.first() else { return Ok(Vec::new()) };
    let years = likely.iter().zip(row.chunks(4)).filter(|(_, ends)| ends.len() == 4 && holds_years(ends));
    Ok(years.map(|(&at, _)| at).collect())
}

fn is_likely(table: &TableEntry, at: usize) -> bool {
    let column = &table.columns[at];
    let plain = column.part == ColumnPart::Attribute && table.key != Some(at);
    let kind = matches!(column.kind, ColumnKind::Integer | ColumnKind::Text);
    let named = column.stems.iter().any(|stem| {
        let past = stem.len() > 4 && stem.ends_with("ed");
        past || TIMES.contains(&stem.as_str()) || lexicon().is_origin(stem)
    });
    plain && kind && named
}

/// Whether the least, the greatest and their lengths are those of years.
fn holds_years(ends: &[Cell]) -> bool {
    let number = |cell: &Cell| match cell {
        Cell::Text(text) => text.parse::<f64>().ok(),
        other => other.as_number(),
    };
    let numbers: Vec<f64> = ends.iter().filter_map(number).collect();
    match numbers.as_slice() {
        [least, most, shortest, longest] => {
            YEARS.0 <= *least && *most <= YEARS.1 && (*shortest - 4.0).abs() < 0.5 && (*longest - 4.0).abs() < 0.5
        }
        _ => false,
    }
}
