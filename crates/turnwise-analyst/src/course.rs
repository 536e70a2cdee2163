//! Series period by period: what each changed against the one before, and running totals. Where there is a series per
//! group, a period is put beside the one before it of the same group. Next: `compute`.

use std::collections::BTreeMap;

use turnwise_core::{Cell, Table};

use super::compute::{Calculated, key_text, plain, rate};
use super::whole_numbers::{are_whole, difference, number};

/// Columns that say when, as queries name them.
const TIMES: [&str; 6] = ["year", "quarter", "month", "week", "day", "weekday"];

/// What tells the series of a row apart: its columns but the times and the number.
fn series_of(table: &Table, row: &[Cell]) -> String {
    let labels = table.columns.iter().zip(row).take(table.columns.len().saturating_sub(1));
    let own = labels.filter(|(column, _)| !TIMES.contains(&column.as_str())).map(|(_, cell)| cell.clone());
    key_text(&own.collect::<Vec<_>>())
}

/// The place of a row on the axis of years, quarters or months; none for others.
fn place(table: &Table, row: &[Cell]) -> Option<i64> {
    let number = |name: &str| {
        let at = table.columns.iter().position(|column| column == name)?;
        row.get(at)?.to_string().parse::<i64>().ok()
    };
    let year = number("year")?;
    let part = |name, parts: i64| number(name).map(|part| year * parts + part);
    Some(part("quarter", 4).or(part("month", 12)).unwrap_or(year))
}

/// Each row related to the one before.
pub fn growth(table: &Table) -> Calculated {
    let mut columns = table.columns.clone();
    columns.extend(["difference".to_owned(), "change".to_owned()]);
    let mut last: BTreeMap<String, (Cell, Option<i64>)> = BTreeMap::new();
    let mut rows = Vec::new();
    let mut gaps = 0;
    for own in &table.rows {
        let (now, at) = (own.last().cloned().unwrap_or(Cell::Null), place(table, own));
        let (mut before, place) = last.insert(series_of(table, own), (now.clone(), at)).unwrap_or((Cell::Null, None));
        // The period before is missing, not the one with which this could be compared.
        if matches!((place, at), (Some(before), Some(now)) if now - before > 1) {
            before = Cell::Null;
            gaps += 1;
        }
        let mut row = own.clone();
        row.extend([difference(&before, &now), rate(&before, &now)]);
        rows.push(row);
    }
    let mut grown = plain(Table { columns, rows, total_rows: table.total_rows });
    if gaps > 0 {
        let text = "come after a time without rows, so their change is not known";
        grown.notes.push(format!("{gaps} periods {text}."));
    }
    grown
}

/// Each row added to those before it; a missing number adds nothing.
pub fn cumulate(table: &Table) -> Calculated {
    let mut columns = table.columns.clone();
    columns.push("running total".to_owned());
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    let whole = are_whole(table);
    let rows = table.rows.iter().map(|own| {
        let sum = sums.entry(series_of(table, own)).or_default();
        *sum += own.last().and_then(Cell::as_number).unwrap_or_default();
        let mut row = own.clone();
        row.push(number(*sum, whole));
        row
    });
    let rows = rows.collect();
    plain(Table { columns, rows, total_rows: table.total_rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_series() -> Table {
        let row = |name: &str, year: &str, n: i64| {
            vec![Cell::Text(name.to_owned()), Cell::Text(year.to_owned()), Cell::Integer(n)]
        };
        let columns = ["country", "year", "n"].map(str::to_owned).to_vec();
        Table::whole(
            columns,
            vec![row("A", "2023", 10), row("A", "2024", 15), row("B", "2023", 2), row("B", "2024", 1)],
        )
    }

    #[test]
    fn the_first_period_of_a_group_has_none_before_it() {
        let grown = growth(&two_series()).table;
        let differences: Vec<Cell> = grown.rows.iter().map(|row| row[3].clone()).collect();
        assert_eq!(differences, [Cell::Null, Cell::Integer(5), Cell::Null, Cell::Integer(-1)]);
    }

    #[test]
    fn a_year_after_a_gap_is_not_compared_with_the_one_before_the_gap() {
        let mut table = two_series();
        table.rows[1][1] = Cell::Text("2026".to_owned());
        let grown = growth(&table);
        assert_eq!(grown.table.rows[1][3], Cell::Null);
        assert_eq!(grown.notes.len(), 1);
    }

    #[test]
    fn running_totals_start_anew_for_each_group() {
        let summed = cumulate(&two_series()).table;
        let totals: Vec<Cell> = summed.rows.iter().map(|row| row[3].clone()).collect();
        assert_eq!(totals, [10, 25, 2, 3].map(Cell::Integer));
    }
}
