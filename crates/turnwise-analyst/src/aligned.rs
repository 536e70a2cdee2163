//! Times of several sides that stand for each other: March of one year beside March of another, the fifth day of a
//! month beside the fifth of the next. What tells the sides apart (the year, the month) is taken off their rows, so
//! that these meet. Next: `compute`, which sets them side by side.

use std::collections::BTreeSet;

use turnwise_core::{Cell, Table};

use super::calendar::{Calendar, start_of};
use super::period::Grain;

/// The sides with the part of their times taken off that is the same all over each of them; none where there is none.
pub fn sides(inputs: &[&Table]) -> Option<Vec<Table>> {
    let first = inputs.first()?;
    let labels = first.columns.len().checked_sub(1)?;
    if inputs.len() < 2 || inputs.iter().any(|table| table.columns.get(..labels) != first.columns.get(..labels)) {
        return None;
    }
    let names: Vec<&str> = first.columns.iter().take(labels).map(String::as_str).collect();
    let place = |wanted: &str| names.iter().position(|name| *name == wanted);
    let parted = place("year").filter(|at| matches!(names.get(at + 1), Some(&("month" | "quarter"))));
    if let Some(at) = parted {
        return without_column(inputs, at);
    }
    if let Some(at) = place("week") {
        return shorter(inputs, at);
    }
    let cut = shorter(inputs, place("day")?)?;
    let within = shorter(&cut.iter().collect::<Vec<&Table>>(), place("day")?);
    Some(within.unwrap_or(cut))
}

/// Without a column, where each side has one value in it.
fn without_column(inputs: &[&Table], at: usize) -> Option<Vec<Table>> {
    let of = |table: &&Table| table.rows.iter().filter_map(|row| row.get(at).map(Cell::to_string)).collect();
    let sets: Vec<BTreeSet<String>> = inputs.iter().map(of).collect();
    let cut = |table: &&Table| {
        let mut table = (*table).clone();
        table.columns.remove(at);
        table.rows.iter_mut().for_each(|row| {
            row.remove(at);
        });
        table
    };
    sets.iter().all(|set| set.len() <= 1).then(|| inputs.iter().map(cut).collect())
}

/// Between the parts of a date.
const MARK: char = '-';

/// Without the first part of a column's dates, where that is one text on each side.
fn shorter(inputs: &[&Table], at: usize) -> Option<Vec<Table>> {
    let parts = |row: &Vec<Cell>| {
        let text = row.get(at)?.to_string();
        text.split_once(MARK).map(|(before, after)| (before.to_owned(), after.to_owned()))
    };
    let is_one = |table: &&Table| {
        let before: BTreeSet<Option<String>> = table.rows.iter().map(|row| Some(parts(row)?.0)).collect();
        before.len() <= 1 && !before.contains(&None)
    };
    let cut = |table: &&Table| {
        let mut table = (*table).clone();
        for row in &mut table.rows {
            let after = parts(row).map_or(Cell::Null, |(_, after)| Cell::Text(after));
            if let Some(cell) = row.get_mut(at) {
                *cell = after;
            }
        }
        table
    };
    inputs.iter().all(is_one).then(|| inputs.iter().map(cut).collect())
}

/// Whether a side that has no row of this name could have had one: behind the end of the data nothing is 0.
pub fn could_be(key: &[Cell], columns: &[String], calendar: Option<&Calendar>) -> bool {
    let Some(calendar) = calendar else { return true };
    let whole = calendar.period_of(columns, key);
    whole.or_else(|| put_back(key, columns, calendar)).is_none_or(|start| calendar.covers(start))
}

/// The period of a time from which [`sides`] took the year, or year and month, off.
fn put_back(key: &[Cell], columns: &[String], calendar: &Calendar) -> Option<jiff::civil::Date> {
    let last = calendar.until.0.yesterday().ok()?;
    let cell = key.get(columns.iter().position(|column| calendar.times.last() == Some(column))?)?;
    let (first, year) = (cell.to_string(), Cell::Text(format!("{:04}", last.year())));
    let row = match (calendar.grain, first.len()) {
        (Grain::Month | Grain::Quarter, _) => vec![year, cell.clone()],
        (Grain::Day, 2) => vec![Cell::Text(format!("{:04}-{:02}-{first}", last.year(), last.month()))],
        (Grain::Day | Grain::Week, _) => vec![Cell::Text(format!("{:04}-{first}", last.year()))],
        (Grain::Year | Grain::Weekday | Grain::Hour, _) => return None,
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
