//! What a change is made of, as a drawing has it: the parts with their differences. The whole beside its parts would
//! dwarf them, and one period alone shows no change. Next: `choose`.

use turnwise_core::{Cell, Table};

/// The parts of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Changes {
    /// The parts with their differences.
    pub table: Table,
    /// What is not drawn, as a sentence.
    pub note: String,
}

/// The parts of a change; none of a table that explains none. Its columns say what it is: dimension, part, two periods.
#[must_use]
pub fn changes(table: &Table) -> Option<Changes> {
    let [by, value, first, second, difference, share] = table.columns.as_slice() else { return None };
    if [by, value, difference, share] != ["by", "value", DIFFERENCE, "share of the change"] {
        return None;
    }
    let (whole, parts) = table.rows.split_first()?;
    let part =
        |row: &Vec<Cell>| Some(vec![Cell::Text(format!("{} ({})", row.get(1)?, row.first()?)), row.get(4)?.clone()]);
    let rows: Vec<Vec<Cell>> = parts.iter().filter_map(part).collect();
    if rows.is_empty() {
        return None;
    }
    let note = format!(
        "Drawn is what each part changed by from {first} to {second}; the whole, {}, is not drawn, and the parts of each \
         dimension add up to it.",
        whole.get(4)?
    );
    Some(Changes { table: Table::whole(vec!["part".to_owned(), DIFFERENCE.to_owned()], rows), note })
}

const DIFFERENCE: &str = "difference";
