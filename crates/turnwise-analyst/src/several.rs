//! Several numbers of several sides: each number has a row of its own, with its sides beside each other, because a
//! number is compared with its like and with nothing else. Next: `compute`.

use turnwise_core::{Cell, Table};

use super::calendar::Calendar;
use super::compute::{Calculated, compare};

/// What the column is called that says which number a row is of.
pub const MEASURE: &str = "measure";

/// Compares the last `numbers` columns of the sides, one after the other.
///
/// # Errors
/// As [`compare`], and when the sides have not as many columns.
pub fn compare_each(
    inputs: &[&Table],
    sides: &[String],
    missing_is_zero: bool,
    numbers: usize,
    calendars: &[Option<Calendar>],
) -> Result<Calculated, String> {
    let columns = inputs.first().map_or(0, |table| table.columns.len());
    let labels = columns.checked_sub(numbers).ok_or("the sides have fewer columns than numbers to compare")?;
    let mut all: Option<Calculated> = None;
    for at in labels..columns {
        let own: Vec<Table> = inputs.iter().map(|table| only(table, labels, at)).collect();
        let name = inputs.first().and_then(|table| table.columns.get(at)).cloned().unwrap_or_default();
        let mut one = compare(&own.iter().collect::<Vec<&Table>>(), sides, missing_is_zero, calendars)?;
        let place = one.table.columns.iter().position(|column| sides.first() == Some(column)).unwrap_or(labels);
        one.table.columns.insert(place, MEASURE.to_owned());
        one.table.rows.iter_mut().for_each(|row| row.insert(place, Cell::Text(name.clone())));
        all = Some(match all {
            None => one,
            Some(before) => joined(before, one),
        });
    }
    all.ok_or_else(|| "there is no number to compare".to_owned())
}

/// The groups of a table with one of its numbers.
fn only(table: &Table, labels: usize, at: usize) -> Table {
    let kept = |cells: &[Cell]| -> Vec<Cell> {
        let number = cells.get(at).cloned().unwrap_or(Cell::Null);
        cells.iter().take(labels).cloned().chain([number]).collect()
    };
    let columns = table.columns.iter().take(labels).chain(table.columns.get(at)).cloned().collect();
    let rows = table.rows.iter().map(|row| kept(row)).collect();
    Table { columns, rows, total_rows: table.total_rows }
}

/// The rows of both; what is to be known of either is said once.
fn joined(mut one: Calculated, other: Calculated) -> Calculated {
    one.table.total_rows += other.table.total_rows;
    one.table.rows.extend(other.table.rows);
    let fresh: Vec<String> = other.notes.into_iter().filter(|note| !one.notes.contains(note)).collect();
    one.notes.extend(fresh);
    one
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn side(rows: &[(&str, i64, f64)]) -> Table {
        let columns = ["country", "number of orders", "average price"].map(str::to_owned).to_vec();
        let row = |(country, orders, price): &(&str, i64, f64)| {
            vec![Cell::Text((*country).to_owned()), Cell::Integer(*orders), Cell::real(*price)]
        };
        Table::whole(columns, rows.iter().map(row).collect())
    }

    #[test]
    fn each_number_is_compared_with_its_like() {
        let (one, other) = (side(&[("Peru", 2, 10.0)]), side(&[("Peru", 3, 5.0), ("Oman", 1, 1.0)]));
        let sides = ["2023".to_owned(), "2024".to_owned()];
        let found = compare_each(&[&one, &other], &sides, false, 2, &[]).unwrap().table;
        assert_eq!(found.columns, ["country", "measure", "2023", "2024", "difference", "change"]);
        let text: Vec<Vec<String>> =
            found.rows.iter().map(|row| row.iter().take(5).map(Cell::to_string).collect()).collect();
        assert_eq!(text[0], ["Peru", "number of orders", "2", "3", "1"]);
        assert_eq!(text[2], ["Peru", "average price", "10.00", "5.00", "-5.00"]);
        assert_eq!(found.rows.len(), 4);
        assert!(compare_each(&[&one], &sides, false, 9, &[]).is_err());
    }
}
