//! Times of several sides that stand for each other: March of one year beside March of another, the fifth day of a month
//! beside the fifth of the next. What tells the sides apart (the year, the month) is taken off their rows, so that these
//! meet. Next: `compute`, which sets them side by side.

use std::collections::BTreeSet;

use turnwise_core::{Cell, Table};

use super::calendar::{Calendar, start_of};
use super::period::Grain;

/// The sides with the part of their times taken off that is the same all over each of them; none where there is no such.
pub fn sides(inputs: &[&Table]) -> Option<Vec<Table>> {
    let first = inputs.first()?;
    let labels = first.columns.len().checked_sub(1)?;
    if inputs.len() < 2 || inputs.iter().any(|table| table.columns.get(..labels) != first.columns.get(..labels)) {
        return None;
    }
    let names: Vec<&str> = first.columns.iter().take(labels).map(String::as_str).collect();
    match names.as_slice() {
        ["year", "month" | "quarter", ..] => without_first(inputs),
        ["week", ..] => shorter(inputs, "-"),
        ["day", ..] => shorter(inputs, "-").map(|cut| {
            let within = shorter(&cut.iter().collect::<Vec<&Table>>(), "-");
            within.unwrap_or(cut)
        }),
        _ => None,
    }
}

/// Without the first column, where each side has one value in it.
fn without_first(inputs: &[&Table]) -> Option<Vec<Table>> {
    let of = |table: &&Table| table.rows.iter().filter_map(|row| row.first().map(Cell::to_string)).collect();
    let sets: Vec<BTreeSet<String>> = inputs.iter().map(of).collect();
    let cut = |table: &&Table| Table {
        columns: table.columns.iter().skip(1).cloned().collect(),
        rows: table.rows.iter().map(|row| row.iter().skip(1).cloned().collect()).collect(),
        total_rows: table.total_rows,
    };
    sets.iter().all(|set| set.len() <= 1).then(|| inputs.iter().map(cut).collect())
}

/// Without what stands before the mark in the first column, where that is one text on each side.
fn shorter(inputs: &[&Table], mark: &str) -> Option<Vec<Table>> {
    let parts = |row: &Vec<Cell>| {
        let text = row.first()?.to_string();
        text.split_once(mark).map(|(before, after)| (before.to_owned(), after.to_owned()))
    };
    let is_one = |table: &&Table| {
        let before: BTreeSet<Option<String>> = table.rows.iter().map(|row| Some(parts(row)?.0)).collect();
        before.len() <= 1 && !before.contains(&None)
    };
    let cut_row = |row: &Vec<Cell>| {
        let after = parts(row).map_or(Cell::Null, |(_, after)| Cell::Text(after));
        std::iter::once(after).chain(row.iter().skip(1).cloned()).collect()
    };
    let cut = |table: &&Table| Table {
        columns: table.columns.clone(),
        rows: table.rows.iter().map(cut_row).collect(),
        total_rows: table.total_rows,
    };
    inputs.iter().all(is_one).then(|| inputs.iter().map(cut).collect())
}

/// Whether a side that has no row of this name could have had one: behind the end of the data nothing is 0.
pub fn could_be(key: &[Cell], columns: &[String], calendar: Option<&Calendar>) -> bool {
    let Some(calendar) = calendar else { return true };
    let whole = calendar.period_of(columns, key);
    whole.or_else(|| put_back(key, calendar)).is_none_or(|start| calendar.covers(start))
}

/// The period of a time from which [`sides`] took the year, or year and month, off.
fn put_back(key: &[Cell], calendar: &Calendar) -> Option<jiff::civil::Date> {
    let last = calendar.until.0.yesterday().ok()?;
    let first = key.first()?.to_string();
    let year = Cell::Text(format!("{:04}", last.year()));
    let row = match (calendar.grain, first.len()) {
        (Grain::Month | Grain::Quarter, _) => vec![year, key.first()?.clone()],
        (Grain::Day, 2) => vec![Cell::Text(format!("{:04}-{:02}-{first}", last.year(), last.month()))],
        (Grain::Day | Grain::Week, _) => vec![Cell::Text(format!("{:04}-{first}", last.year()))],
        (Grain::Year | Grain::Weekday, _) => return None,
    };
    start_of(&row, calendar.grain)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn days(days: &[&str]) -> Table {
        let row = |day: &&str| vec![Cell::Text((*day).to_owned()), Cell::Integer(1)];
        Table::whole(vec!["day".to_owned(), "n".to_owned()], days.iter().map(row).collect())
    }

    fn first(table: &Table) -> Vec<String> {
        table.rows.iter().map(|row| row[0].to_string()).collect()
    }

    #[test]
    fn days_of_two_months_meet_by_their_number_and_days_of_two_years_by_their_date() {
        let (april, may) = (days(&["2024-04-01", "2024-04-30"]), days(&["2024-05-01", "2024-05-31"]));
        let cut = sides(&[&april, &may]).unwrap();
        assert_eq!((first(&cut[0]), first(&cut[1])), (vec!["01".into(), "30".into()], vec!["01".into(), "31".into()]));
        let (one, other) = (days(&["2023-02-01", "2023-03-01"]), days(&["2024-02-01"]));
        assert_eq!(first(&sides(&[&one, &other]).unwrap()[0]), ["02-01", "03-01"]);
        assert!(sides(&[&days(&["2023-12-31", "2024-01-01"]), &may]).is_none());
    }
}
