//! What is different between the rows of a proof and the rows a query gives now, in words a person can act on. Rows are
//! told apart by their first column where it names each once, else by their place. Next: `rerun`.

use turnwise_core::{Cell, Table};

use super::limits::{DIFFERENCES_MAX, ROUNDING};

/// Whether both hold the same: cell by cell, numbers up to the rounding of another engine version.
#[must_use]
pub fn is_same(before: &Table, now: &Table) -> bool {
    before.columns == now.columns
        && before.total_rows == now.total_rows
        && before.rows.len() == now.rows.len()
        && before.rows.iter().zip(&now.rows).all(|(one, other)| same_row(one, other))
}

fn same_row(one: &[Cell], other: &[Cell]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_cell(one, other))
}

fn same_cell(one: &Cell, other: &Cell) -> bool {
    match (one, other) {
        (Cell::Real(one), Cell::Real(other)) => {
            one.to_bits() == other.to_bits() || (one - other).abs() <= ROUNDING * one.abs().max(other.abs())
        }
        // What is whole was told as a real number in older proofs.
        (Cell::Integer(_), Cell::Real(_)) | (Cell::Real(_), Cell::Integer(_)) => one.as_number() == other.as_number(),
        _ => one == other,
    }
}

/// The differences, one line each; of many, the first.
#[must_use]
pub fn differences(before: &Table, now: &Table) -> Vec<String> {
    if before.columns != now.columns {
        return vec![format!("columns: {} → {}", before.columns.join(", "), now.columns.join(", "))];
    }
    let mut lines = Vec::new();
    if before.total_rows != now.total_rows {
        lines.push(format!("rows: {} → {}", before.total_rows, now.total_rows));
    }
    let by_name = names_rows(before) && names_rows(now);
    let rows = if by_name { by_first(before, now) } else { by_place(before, now) };
    let rest = rows.len().saturating_sub(DIFFERENCES_MAX);
    lines.extend(rows.into_iter().take(DIFFERENCES_MAX));
    if rest > 0 {
        lines.push(format!("… and {rest} more"));
    }
    if lines.is_empty() {
        lines.push("rows beyond those that were kept".to_owned());
    }
    lines
}

/// Whether the first column is a label that each row has once.
fn names_rows(table: &Table) -> bool {
    let labels: Vec<String> = table.rows.iter().filter_map(|row| row.first()).map(Cell::to_string).collect();
    let mut unique = labels.clone();
    unique.sort_unstable();
    unique.dedup();
    table.columns.len() > 1 && unique.len() == labels.len()
}

fn by_first(before: &Table, now: &Table) -> Vec<String> {
    let find = |rows: &Table, label: &str| {
        rows.rows.iter().find(|row| row.first().is_some_and(|cell| cell.to_string() == label)).cloned()
    };
    let mut lines = Vec::new();
    for row in &before.rows {
        let Some(label) = row.first().map(Cell::to_string) else { continue };
        match find(now, &label) {
            None => lines.push(format!("{label}: gone (was {})", shown(&row[1..]))),
            Some(other) if !same_row(row, &other) => lines.extend(cells(before, &label, row, &other)),
            Some(_) => {}
        }
    }
    for row in &now.rows {
        let Some(label) = row.first().map(Cell::to_string) else { continue };
        if find(before, &label).is_none() {
            lines.push(format!("{label}: new ({})", shown(&row[1..])));
        }
    }
    lines
}

fn by_place(before: &Table, now: &Table) -> Vec<String> {
    let pairs = before.rows.iter().zip(&now.rows).enumerate().filter(|(_, (one, other))| !same_row(one, other));
    let single = before.rows.len() == 1;
    let mut lines: Vec<String> = pairs
        .flat_map(|(at, (one, other))| {
            let label = if single { String::new() } else { format!("row {}", at + 1) };
            cells(before, &label, one, other)
        })
        .collect();
    let (old, new) = (before.rows.len(), now.rows.len());
    lines.extend(before.rows.iter().skip(new).map(|row| format!("gone: {}", shown(row))));
    lines.extend(now.rows.iter().skip(old).map(|row| format!("new: {}", shown(row))));
    lines
}

fn cells(table: &Table, label: &str, one: &[Cell], other: &[Cell]) -> Vec<String> {
    let columns = table.columns.iter().zip(one.iter().zip(other));
    let changed = columns.filter(|(_, (one, other))| !same_cell(one, other));
    changed
        .map(|(column, (one, other))| {
            let place = if label.is_empty() { column.clone() } else { format!("{label}, {column}") };
            format!("{place}: {} → {}", exact(one), exact(other))
        })
        .collect()
}

/// Unrounded: a difference in the last digit must be seen.
fn exact(cell: &Cell) -> String {
    match cell {
        Cell::Real(value) => value.to_string(),
        Cell::Null | Cell::Integer(_) | Cell::Text(_) => cell.to_string(),
    }
}

fn shown(row: &[Cell]) -> String {
    row.iter().map(exact).collect::<Vec<_>>().join(", ")
}
