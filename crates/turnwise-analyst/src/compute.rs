//! Calculations on facts: the first few, side by side, shares, growth, continuation. Each takes tables whose last
//! columns are numbers and whose other columns say what they are of. Next: `forecast`, `run`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use turnwise_core::{Cell, Table, limits};

use super::aligned;
use super::calendar::{self, Calendar};
use super::course;
use super::decompose;
use super::forecast;
use super::lexicon::{Comparator, Order};
use super::outliers;
use super::period::Grain;
use super::several;
use super::whole_numbers::difference;

/// What a step calculates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Calculation {
    /// The first rows by a column; a tie for the only place keeps all that tie.
    Take {
        /// The column.
        column: String,
        /// Which end.
        order: Order,
        /// How many.
        limit: usize,
        /// Whether rows that nothing names are left out: the missing group wins no ranking.
        #[serde(default)]
        named: bool,
    },
    /// The rows in the order of their names.
    ByName {
        /// Which end comes first.
        order: Order,
    },
    /// The rows above or below the average of all.
    AgainstAverage {
        /// The column.
        column: String,
        /// How they compare.
        comparator: Comparator,
    },
    /// The same number for several sides, with difference and change where there are two.
    Compare {
        /// The sides' names, in the order of the facts.
        sides: Vec<String>,
        /// Whether a group that one side lacks counts as zero there.
        missing_is_zero: bool,
        /// How many numbers each side has, the last columns of it.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        numbers: usize,
    },
    /// The change of a total, taken apart: the total before and after, then each dimension's groups before and after.
    Decompose {
        /// The dimensions, in the order of the facts.
        dimensions: Vec<String>,
        /// The two periods.
        sides: Vec<String>,
    },
    /// Each number divided by the total, which is the first fact.
    Share,
    /// The number before the last divided by the last.
    Ratio {
        /// How the quotient is called.
        label: String,
    },
    /// Several tables with the same groups as one.
    Combine,
    /// The same for counts: a group that one of them lacks counts as 0 there.
    CombineCounts,
    /// A series as it is, with every period.
    Course,
    /// Each row related to the one before.
    Growth,
    /// Each row added to those before it.
    Cumulate,
    /// The groups whose number lies beyond the fences.
    Outliers,
    /// The rows whose value lies beyond the fences: quartiles, highest and lowest rows.
    OutlierRows {
        /// The column of the value.
        column: String,
    },
    /// The series continued.
    Forecast {
        /// Its step.
        grain: Grain,
        /// How many steps.
        periods: usize,
    },
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Calculated {
    /// The rows.
    pub table: Table,
    /// What has to be known about them, one sentence each.
    pub notes: Vec<String>,
}

/// What is known of the times of the facts when the plan is made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The periods of each fact, where it is a series.
    pub calendars: Vec<Option<Calendar>>,
    /// What has to be said of the times, one sentence each.
    pub said: Vec<String>,
}

/// Calculates over whole series: periods without rows are put in first, as far as `timing` knows them.
///
/// # Errors
/// What is wrong with the facts.
pub fn timed(calculation: &Calculation, inputs: &[&Table], timing: &Timing) -> Result<Calculated, String> {
    // Whoever hands in a part of the rows would get a total, a share or a rank of that part, which looks as right.
    if let Some(cut) = inputs.iter().find(|table| table.is_cut()) {
        return Err(format!(
            "there are {} rows and only {} of them are at hand: ask for a shorter time or larger groups",
            cut.total_rows,
            cut.rows.len()
        ));
    }
    let mut notes: Vec<String> = Vec::new();
    let mut whole: Vec<Table> = Vec::new();
    for (at, table) in inputs.iter().enumerate() {
        let Some(calendar) = timing.calendars.get(at).and_then(Option::as_ref) else {
            whole.push((*table).clone());
            continue;
        };
        let (table, told) = calendar::complete(table, calendar);
        whole.push(table);
        notes.extend(told.into_iter().filter(|note| !notes.contains(note)).collect::<Vec<_>>());
    }
    let inputs: Vec<&Table> = whole.iter().collect();
    let mut done = calculate(calculation, &inputs, &timing.calendars)?;
    let told = notes.into_iter().chain(timing.said.iter().cloned());
    let fresh: Vec<String> = told.filter(|note| !done.notes.contains(note)).collect();
    done.notes.extend(fresh);
    Ok(done)
}

fn calculate(
    calculation: &Calculation,
    inputs: &[&Table],
    calendars: &[Option<Calendar>],
) -> Result<Calculated, String> {
    let calendar = calendars.first().and_then(Option::as_ref);
    let first = inputs.first().ok_or("a calculation needs a fact to start from")?;
    match calculation {
        Calculation::Take { column, order, limit, named } => take(first, column, *order, *limit, *named),
        Calculation::ByName { order } => Ok(by_name(first, *order)),
        Calculation::Compare { sides, missing_is_zero, numbers } if *numbers > 1 => {
            several::compare_each(inputs, sides, *missing_is_zero, *numbers, calendars)
        }
        Calculation::Compare { sides, missing_is_zero, .. } => compare(inputs, sides, *missing_is_zero, calendars),
        Calculation::AgainstAverage { column, comparator } => against_average(first, column, *comparator),
        Calculation::Decompose { dimensions, sides } => decompose::decompose(inputs, dimensions, sides),
        Calculation::Share => share(first, inputs.get(1).ok_or("a share needs the parts beside the total")?),
        Calculation::Combine => combine(inputs).map(plain),
        Calculation::CombineCounts => combine(inputs).map(|table| plain(zeroed(table, inputs))),
        Calculation::Ratio { label } => Ok(ratio(first, label)),
        Calculation::Course => Ok(plain((*first).clone())),
        Calculation::Growth => Ok(course::growth(first)),
        Calculation::Cumulate => Ok(course::cumulate(first)),
        Calculation::Outliers => outliers::among_groups(&whole_periods(first, calendar)),
        Calculation::OutlierRows { column } => match inputs {
            [quartiles, top, bottom] => outliers::among_rows(quartiles, top, bottom, column),
            _ => Err("outliers among rows need the quartiles and both ends".to_owned()),
        },
        Calculation::Forecast { grain, periods } => forecast::continue_series(first, *grain, *periods, calendar),
    }
}

/// Rows by their first column, whatever the case of its letters, and then by the next; missing names come last.
fn by_name(table: &Table, order: Order) -> Calculated {
    let folded = |row: &[Cell]| -> Vec<(bool, String)> {
        row.iter().map(|cell| (*cell == Cell::Null, cell.to_string().to_lowercase())).collect()
    };
    let number = |row: &[Cell]| row.first().and_then(Cell::as_number);
    let mut rows = table.rows.clone();
    rows.sort_by(|one, other| {
        let by = match (number(one), number(other)) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            _ => folded(one).cmp(&folded(other)),
        };
        if order == Order::Descending { by.reverse() } else { by }
    });
    plain(Table::whole(table.columns.clone(), rows))
}

/// Rows fetched beyond the limit of a ranking, so that ties can be told.
pub const TIES_MAX: usize = 20;

pub fn plain(table: Table) -> Calculated {
    Calculated { table, notes: Vec::new() }
}

fn take(table: &Table, column: &str, order: Order, limit: usize, named: bool) -> Result<Calculated, String> {
    let at = table.columns.iter().position(|name| name == column);
    let at = at.ok_or_else(|| format!("there is no column “{column}” to order by"))?;
    let mut rows: Vec<Vec<Cell>> = table.rows.iter().filter(|row| row.get(at) != Some(&Cell::Null)).cloned().collect();
    let missing = table.rows.len() - rows.len();
    let all = rows.len();
    if named {
        let is_named = |row: &[Cell]| match row.first() {
            Some(Cell::Null) | None => row.iter().any(|cell| matches!(cell, Cell::Text(_))),
            Some(_) => true,
        };
        rows.retain(|row| is_named(row.get(..at).unwrap_or(row)));
    }
    let nameless = all - rows.len();
    rows.sort_by(|one, other| {
        let by = compare_cells(one.get(at), other.get(at));
        // Equal rows stay in the order they came in, which the query decides.
        if order == Order::Descending { by.reverse() } else { by }
    });
    let mut notes = Vec::new();
    if nameless > 0 {
        notes.push("Rows that belong to no group were left out of the ranking.".to_owned());
    }
    let last = limit.checked_sub(1).and_then(|last| rows.get(last)).and_then(|row| row.get(at)).cloned();
    let is_tied = |row: &&Vec<Cell>| compare_cells(row.get(at), last.as_ref()).is_eq();
    let tied = rows.iter().skip(limit).take_while(is_tied).count();
    // Rows that were not fetched may tie as well.
    let cut = table.rows.len() == limits::FACT_ROWS_MAX || (limit > 1 && table.rows.len() == limit + TIES_MAX);
    let least = if tied > 0 && limit + tied == rows.len() && cut { "At least " } else { "" };
    match (limit, tied) {
        (_, 0) => rows.truncate(limit),
        (1, tied) => {
            rows.truncate(1 + tied);
            notes.push(format!("{least}{} rows tie for the first place.", 1 + tied));
        }
        (_, tied) => {
            rows.truncate(limit);
            notes.push(format!("{least}{tied} more have the same {column} as the last one shown."));
        }
    }
    if missing > 0 {
        notes.push(format!("{missing} rows without {column} were left out."));
    }
    Ok(Calculated { table: Table::whole(table.columns.clone(), rows), notes })
}

#[expect(clippy::cast_precision_loss, reason = "counts of rows are small")]
fn against_average(table: &Table, column: &str, comparator: Comparator) -> Result<Calculated, String> {
    let at = table.columns.iter().position(|name| name == column);
    let at = at.ok_or_else(|| format!("there is no column “{column}” to compare"))?;
    let number = |row: &Vec<Cell>| row.get(at).and_then(Cell::as_number);
    let numbers: Vec<f64> = table.rows.iter().filter_map(number).collect();
    if numbers.is_empty() {
        return Err("no row has a number to average".to_owned());
    }
    let average = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let passes = |value: f64| match comparator {
        Comparator::Over => value > average,
        Comparator::AtLeast => value >= average,
        Comparator::Under => value < average,
        Comparator::AtMost => value <= average,
        Comparator::Equal => (value - average).abs() < f64::EPSILON,
        Comparator::Unequal => (value - average).abs() >= f64::EPSILON,
    };
    let rows: Vec<Vec<Cell>> = table.rows.iter().filter(|row| number(row).is_some_and(passes)).cloned().collect();
    let note = format!("The average of the {} groups is {}.", numbers.len(), Cell::real(average));
    Ok(Calculated { table: Table::whole(table.columns.clone(), rows), notes: vec![note] })
}

fn compare_cells(one: Option<&Cell>, other: Option<&Cell>) -> std::cmp::Ordering {
    match (one, other) {
        (Some(Cell::Text(one)), Some(Cell::Text(other))) => one.cmp(other),
        (one, other) => {
            let number = |cell: Option<&Cell>| cell.and_then(Cell::as_number).map_or(f64::NEG_INFINITY, rounded);
            number(one).total_cmp(&number(other))
        }
    }
}

/// To a millionth: sums of the same values in another order differ in the last bits, which is no difference.
fn rounded(value: f64) -> f64 {
    if value.abs() < 1e9 { (value * 1e6).round() / 1e6 } else { value }
}

/// A period that is not whole is no unusual one.
fn whole_periods(table: &Table, calendar: Option<&Calendar>) -> Table {
    let is_whole = |row: &&Vec<Cell>| {
        calendar
            .is_none_or(|calendar| calendar.period_of(&table.columns, row).is_none_or(|start| !calendar.is_cut(start)))
    };
    let rows: Vec<Vec<Cell>> = table.rows.iter().filter(is_whole).cloned().collect();
    let left_out = (table.rows.len() - rows.len()) as u64;
    Table { columns: table.columns.clone(), rows, total_rows: table.total_rows - left_out }
}

fn one() -> usize {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
fn is_one(numbers: &usize) -> bool {
    *numbers == 1
}

/// The number of each side in each group, with difference and change where there are two.
///
/// # Errors
/// What is wrong with the sides.
pub fn compare(
    inputs: &[&Table],
    sides: &[String],
    missing_is_zero: bool,
    calendars: &[Option<Calendar>],
) -> Result<Calculated, String> {
    if let Some(cut) = aligned::sides(inputs) {
        return compare(&cut.iter().collect::<Vec<&Table>>(), sides, missing_is_zero, calendars);
    }
    let labels = inputs.first().map_or(0, |table| table.columns.len().saturating_sub(1));
    let mut columns: Vec<String> =
        inputs.first().map(|table| table.columns.iter().take(labels).cloned().collect()).unwrap_or_default();
    columns.extend(sides.iter().cloned());
    let keys = keys(inputs, labels);
    let two = inputs.len() == 2;
    if two {
        columns.extend(["difference".to_owned(), "change".to_owned()]);
    }
    let places: Vec<_> = inputs.iter().map(|table| places(table, labels)).collect();
    let rows = keys
        .into_iter()
        .map(|key| {
            let mut row = key.clone();
            let value = |(at, table): (usize, &&Table)| {
                let own = places.get(at).and_then(|places| places.get(&key_text(&key)));
                let calendar = calendars.get(at).and_then(Option::as_ref);
                let is_zero = missing_is_zero && aligned::could_be(&key, &table.columns, calendar);
                value_of(own.and_then(|row| row.get(labels)), is_zero)
            };
            let values: Vec<Cell> = inputs.iter().enumerate().map(value).collect();
            let change = match values.as_slice() {
                [one, other] => vec![difference(one, other), rate(one, other)],
                _ => Vec::new(),
            };
            row.extend(values.into_iter().chain(change));
            row
        })
        .collect();
    Ok(plain(Table::whole(columns, rows)))
}

/// The change as a part of what it starts from; from nothing there is none.
pub fn rate(from: &Cell, to: &Cell) -> Cell {
    match (from.as_number(), to.as_number()) {
        (Some(from), Some(to)) if from != 0.0 => Cell::real((to - from) / from.abs()),
        _ => Cell::Null,
    }
}

/// The groups of all tables, in the order they first occur.
fn keys(inputs: &[&Table], labels: usize) -> Vec<Vec<Cell>> {
    let mut keys: Vec<Vec<Cell>> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for row in inputs.iter().flat_map(|table| &table.rows) {
        let key: Vec<Cell> = row.iter().take(labels).cloned().collect();
        if seen.insert(key_text(&key)) {
            keys.push(key);
        }
    }
    keys
}

pub fn key_text(key: &[Cell]) -> String {
    key.iter().map(|cell| format!("{cell:?}")).collect::<Vec<_>>().join("\u{1f}")
}

/// The first row of each group.
fn places(table: &Table, labels: usize) -> BTreeMap<String, &Vec<Cell>> {
    let mut places = BTreeMap::new();
    for row in &table.rows {
        if let Some(key) = row.get(..labels) {
            places.entry(key_text(key)).or_insert(row);
        }
    }
    places
}

fn value_of(found: Option<&Cell>, missing_is_zero: bool) -> Cell {
    let value = found.cloned().unwrap_or(Cell::Null);
    if value == Cell::Null && missing_is_zero { Cell::Integer(0) } else { value }
}

fn share(total: &Table, parts: &Table) -> Result<Calculated, String> {
    let whole = total.rows.first().and_then(|row| row.last()).and_then(Cell::as_number);
    let whole = whole.filter(|whole| *whole != 0.0).ok_or("the total is nothing, so there are no shares of it")?;
    let mut columns = parts.columns.clone();
    columns.push("share".to_owned());
    let rows = parts.rows.iter().map(|row| {
        let mut row = row.clone();
        let part = row.last().and_then(Cell::as_number);
        row.push(part.map_or(Cell::Null, |part| Cell::real(part / whole)));
        row
    });
    let rows = rows.collect();
    Ok(plain(Table { columns, rows, total_rows: parts.total_rows }))
}

/// With 0 for each number that is missing.
fn zeroed(table: Table, inputs: &[&Table]) -> Table {
    let labels = inputs.iter().map(|table| table.columns.len()).min().unwrap_or(1).saturating_sub(1);
    let mut table = table;
    for cell in table.rows.iter_mut().flat_map(|row| row.iter_mut().skip(labels)) {
        if *cell == Cell::Null {
            *cell = Cell::Integer(0);
        }
    }
    table
}

/// Nothing divided by something is 0; something divided by nothing is no number.
fn ratio(table: &Table, label: &str) -> Calculated {
    let mut columns = table.columns.clone();
    columns.push(label.to_owned());
    let mut undivided = 0;
    let rows = table.rows.iter().map(|own| {
        let number = |back: usize| own.len().checked_sub(back).and_then(|at| own.get(at)).and_then(Cell::as_number);
        let quotient = match (number(2), number(1)) {
            (Some(of), Some(by)) if by != 0.0 => Cell::real(of / by),
            _ => Cell::Null,
        };
        undivided += usize::from(quotient == Cell::Null);
        own.iter().cloned().chain([quotient]).collect()
    });
    let rows = rows.collect();
    let notes = if undivided > 0 {
        vec![format!("{undivided} rows have nothing to divide, or to divide by, and so no {label}.")]
    } else {
        Vec::new()
    };
    Calculated { table: Table { columns, rows, total_rows: table.total_rows }, notes }
}

/// The last column of each further table goes beside the columns of the first.
fn combine(inputs: &[&Table]) -> Result<Table, String> {
    let labels = inputs.iter().map(|table| table.columns.len()).min().unwrap_or(1).saturating_sub(1);
    let mut columns: Vec<String> =
        inputs.first().map(|table| table.columns.iter().take(labels).cloned().collect()).unwrap_or_default();
    if inputs.iter().any(|table| table.columns.iter().take(labels).ne(columns.iter().take(labels))) {
        return Err("the numbers are not by the same groups, so they cannot stand side by side".to_owned());
    }
    for column in inputs.iter().flat_map(|table| table.columns.iter().skip(labels)) {
        let same = columns.iter().filter(|own| *own == column).count();
        columns.push(if same == 0 { column.clone() } else { format!("{column} {}", same + 1) });
    }
    let places: Vec<_> = inputs.iter().map(|table| places(table, labels)).collect();
    let rows = keys(inputs, labels)
        .into_iter()
        .map(|key| {
            let mut row = key.clone();
            let text = key_text(&key);
            for (table, places) in inputs.iter().zip(&places) {
                let width = table.columns.len() - labels;
                let values = places.get(&text).and_then(|row| row.get(labels..)).map(<[Cell]>::to_vec);
                row.extend(values.unwrap_or_else(|| vec![Cell::Null; width]));
            }
            row
        })
        .collect();
    Ok(Table::whole(columns, rows))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn table(columns: &[&str], rows: &[(&str, i64)]) -> Table {
        let rows =
            rows.iter().map(|(name, value)| vec![Cell::Text((*name).to_owned()), Cell::Integer(*value)]).collect();
        Table::whole(columns.iter().map(|name| (*name).to_owned()).collect(), rows)
    }

    #[test]
    fn a_tie_for_the_first_place_keeps_all_that_tie() {
        let all = table(&["name", "n"], &[("a", 3), ("b", 5), ("c", 5)]);
        let first = Calculation::Take { column: "n".to_owned(), order: Order::Descending, limit: 1, named: false };
        let taken = calculate(&first, &[&all], &[]).unwrap();
        assert_eq!(taken.table.rows.len(), 2);
        assert_eq!(taken.notes, ["2 rows tie for the first place."]);
    }

    #[test]
    fn growth_from_nothing_has_no_rate() {
        let all = table(&["year", "n"], &[("2023", 0), ("2024", 5)]);
        let grown = calculate(&Calculation::Growth, &[&all], &[]).unwrap().table;
        assert_eq!(grown.rows[1][2], Cell::Integer(5));
        assert_eq!(grown.rows[1][3], Cell::Null);
    }

    #[test]
    fn shares_of_nothing_are_refused() {
        let total = Table::whole(vec!["n".to_owned()], vec![vec![Cell::Integer(0)]]);
        let parts = table(&["name", "n"], &[("a", 0)]);
        assert!(calculate(&Calculation::Share, &[&total, &parts], &[]).unwrap_err().contains("nothing"));
    }
}
