//! The periods of a series, whether rows lie in them or not. A query gives only periods that have rows, and a month
//! without any would otherwise be passed over as if time had a hole: here it is put in, with 0 where nothing is
//! nothing (counts and sums) and without a value where nothing has none (averages). It also says which periods the
//! data do not cover whole. Next: `steps::calendar`, which makes one, and `compute`, which uses it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use turnwise_core::{Cell, Table};

use super::catalogue::plural;
use super::compute::key_text;
use super::period::Grain;
use super::whole::WHOLE_ROWS_MAX;

/// Periods named in a sentence; more are counted.
const NAMED_MAX: usize = 5;

/// A date that is written "2024-01-31".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub Date);

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(serde::de::Error::custom)
    }
}

/// A period that the data do not cover whole, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// Its first day.
    pub start: Day,
    /// "the data ends on 2025-05-12".
    pub why: String,
}

/// Which periods a series has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calendar {
    /// Their length.
    pub grain: Grain,
    /// The columns that say which period a row is of.
    pub times: Vec<String>,
    /// The columns in front of the numbers.
    pub labels: usize,
    /// The numbers that are 0 in a period without rows; others are missing there.
    pub zero: Vec<String>,
    /// The first day asked about; without one a series begins with its first row.
    pub from: Option<Day>,
    /// The day after the last.
    pub until: Day,
    /// Periods at either end that are not whole.
    pub cut: Vec<Cut>,
}

impl Calendar {
    /// The period a row is of, by its first day.
    pub fn period_of(&self, columns: &[String], row: &[Cell]) -> Option<Date> {
        let place = |name: &String| columns.iter().position(|column| column == name);
        let cells: Option<Vec<Cell>> = self.times.iter().map(|name| row.get(place(name)?).cloned()).collect();
        start_of(&cells?, self.grain)
    }

    /// Whether the data reach into the period that begins on `start`.
    pub fn covers(&self, start: Date) -> bool {
        let from = self.from.and_then(|from| self.grain.start(from.0, 0));
        start < self.until.0 && from.is_none_or(|from| from <= start)
    }

    /// Whether the period that begins on `start` is not whole.
    pub fn is_cut(&self, start: Date) -> bool {
        self.cut.iter().any(|cut| cut.start.0 == start)
    }

    /// The last period.
    pub fn last(&self) -> Option<Date> {
        self.grain.start(self.until.0.yesterday().ok()?, 0)
    }

    /// What has to be said about periods that are not whole; `used` says what became of them.
    pub fn told_cut(&self, used: &str) -> Vec<String> {
        let told = |cut: &Cut| format!("{} is incomplete{used}: {}.", name(cut.start.0, self.grain), cut.why);
        self.cut.iter().map(told).collect()
    }
}

/// `table` with a row for every period, and what was put in, one sentence each.
pub fn complete(table: &Table, calendar: &Calendar) -> (Table, Vec<String>) {
    let mut series: Vec<Vec<(Date, Vec<Cell>)>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut undated = 0;
    for row in &table.rows {
        let Some(start) = calendar.period_of(&table.columns, row) else {
            undated += 1;
            continue;
        };
        let at = *places.entry(key_text(&others(table, row, calendar))).or_insert(series.len());
        if at == series.len() {
            series.push(Vec::new());
        }
        series[at].push((start, row.clone()));
    }
    let mut put_in: BTreeSet<Date> = BTreeSet::new();
    let mut placed: Vec<(Date, usize, Vec<Cell>)> = Vec::new();
    for (at, own) in series.into_iter().enumerate() {
        let whole = filled(table, own, calendar, &mut put_in);
        placed.extend(whole.into_iter().map(|(start, row)| (start, at, row)));
        if placed.len() > WHOLE_ROWS_MAX {
            let text =
                format!("With every {} there would be more rows than can be calculated with", calendar.grain.name());
            return (table.clone(), vec![format!("{text}, so those without rows are not put in.")]);
        }
    }
    let by_time = table.columns.first().is_some_and(|column| calendar.times.contains(column));
    placed.sort_by_key(|(start, at, _)| if by_time { (*start, *at, *start) } else { (Date::MIN, *at, *start) });
    let rows = placed.into_iter().map(|(_, _, row)| row).collect();
    let mut notes = told(table, calendar, &put_in);
    if undated > 0 {
        notes.push("What has no date is in no period and was left out.".to_owned());
    }
    (Table::whole(table.columns.clone(), rows), notes)
}

/// The cells of a row that tell its series: neither time nor number.
fn others(table: &Table, row: &[Cell], calendar: &Calendar) -> Vec<Cell> {
    let labels = table.columns.iter().zip(row).take(calendar.labels);
    labels.filter(|(column, _)| !calendar.times.contains(column)).map(|(_, cell)| cell.clone()).collect()
}

/// One series with a row for each of its periods.
fn filled(
    table: &Table,
    own: Vec<(Date, Vec<Cell>)>,
    calendar: &Calendar,
    put_in: &mut BTreeSet<Date>,
) -> Vec<(Date, Vec<Cell>)> {
    let (Some(first), Some(model)) = (own.iter().map(|(start, _)| *start).min(), own.first()) else { return own };
    let asked = calendar.from.and_then(|from| calendar.grain.start(from.0, 0));
    let (mut next, model) = (asked.map_or(first, |asked| asked.min(first)), model.1.clone());
    let held: BTreeSet<Date> = own.iter().map(|(start, _)| *start).collect();
    let mut rows = own;
    while next < calendar.until.0 && rows.len() <= WHOLE_ROWS_MAX {
        if !held.contains(&next) {
            put_in.insert(next);
            rows.push((next, empty(table, &model, next, calendar)));
        }
        let Some(after) = calendar.grain.start(next, 1) else { break };
        next = after;
    }
    rows.sort_by_key(|(start, _)| *start);
    rows
}

/// The row of a period without any.
fn empty(table: &Table, model: &[Cell], start: Date, calendar: &Calendar) -> Vec<Cell> {
    let times = labels(start, calendar.grain);
    let cell = |(at, column): (usize, &String)| {
        if let Some(part) = calendar.times.iter().position(|name| name == column) {
            times.get(part).cloned().unwrap_or(Cell::Null)
        } else if at < calendar.labels {
            model.get(at).cloned().unwrap_or(Cell::Null)
        } else if calendar.zero.contains(column) {
            Cell::Integer(0)
        } else {
            Cell::Null
        }
    };
    table.columns.iter().enumerate().map(cell).collect()
}

fn told(table: &Table, calendar: &Calendar, put_in: &BTreeSet<Date>) -> Vec<String> {
    if put_in.is_empty() {
        return Vec::new();
    }
    let numbers: Vec<&String> = table.columns.iter().skip(calendar.labels).collect();
    let is_zero = |column: &&&String| calendar.zero.contains(column);
    let what = match numbers.iter().filter(is_zero).count() {
        0 => "have no value and are no 0",
        all if all == numbers.len() => "count as 0",
        _ => "count as 0 where something is counted or added up, and have no value elsewhere",
    };
    let listed = listed(&put_in.iter().copied().collect::<Vec<_>>(), calendar.grain);
    vec![format!("{} without rows {what}: {listed}.", super::steps::capital(&plural(calendar.grain.name())))]
}

/// Some periods in words, the rest as a number.
fn listed(starts: &[Date], grain: Grain) -> String {
    let named: Vec<String> = starts.iter().take(NAMED_MAX).map(|start| name(*start, grain)).collect();
    let more = starts.len().saturating_sub(NAMED_MAX);
    if more > 0 { format!("{} and {more} more", named.join(", ")) } else { turnwise_core::text::listed(&named) }
}

/// The periods between the first and the last row that have none, in words; none when there are no such.
pub fn unseen(table: &Table, grain: Grain) -> Option<String> {
    let starts: Vec<Date> = table.rows.iter().filter_map(|row| start_of(row, grain)).collect();
    let (mut next, last) = (*starts.first()?, *starts.last()?);
    let mut missing = Vec::new();
    while next < last && missing.len() <= WHOLE_ROWS_MAX {
        if starts.binary_search(&next).is_err() {
            missing.push(next);
        }
        next = grain.start(next, 1)?;
    }
    (!missing.is_empty()).then(|| listed(&missing, grain))
}

/// How a period is called: "2024-05", "2024-Q2".
pub fn name(start: Date, grain: Grain) -> String {
    match grain {
        Grain::Quarter => format!("{:04}-Q{}", start.year(), (start.month() - 1) / 3 + 1),
        Grain::Year | Grain::Month | Grain::Week | Grain::Day | Grain::Weekday | Grain::Hour => {
            labels(start, grain).iter().map(Cell::to_string).collect::<Vec<_>>().join("-")
        }
    }
}

/// How many periods lie before the one that begins on `start`, from a fixed one on.
pub fn position(start: Date, grain: Grain) -> i64 {
    let (year, month) = (i64::from(start.year()), i64::from(start.month()));
    let days = || i64::from((start - Date::constant(1, 1, 1)).get_days());
    match grain {
        Grain::Year => year,
        Grain::Quarter => year * 4 + (month - 1) / 3,
        Grain::Month => year * 12 + month - 1,
        // The first day of year 1 is a Monday.
        Grain::Week => days().div_euclid(7),
        Grain::Day | Grain::Weekday | Grain::Hour => days(),
    }
}

/// The first day of the period that the first cells of a row name.
pub fn start_of(row: &[Cell], grain: Grain) -> Option<Date> {
    let text = |at: usize| row.get(at).map(Cell::to_string);
    let year = || text(0)?.parse::<i16>().ok();
    match grain {
        Grain::Year => Date::new(year()?, 1, 1).ok(),
        Grain::Quarter => {
            Date::new(year()?, (text(1)?.parse::<i8>().ok()? - 1).checked_mul(3)?.checked_add(1)?, 1).ok()
        }
        Grain::Month => Date::new(year()?, text(1)?.parse().ok()?, 1).ok(),
        Grain::Day => text(0)?.parse().ok(),
        Grain::Week => {
            let written = text(0)?;
            let (year, week) = written.split_once("-W")?;
            let first = Date::new(year.parse().ok()?, 1, 4).ok()?;
            Grain::Week.start(first, week.parse::<i32>().ok()? - 1)
        }
        Grain::Weekday | Grain::Hour => None,
    }
}

/// The cells that name the period that begins on `date`.
pub fn labels(date: Date, grain: Grain) -> Vec<Cell> {
    let year = Cell::Text(format!("{:04}", date.year()));
    match grain {
        Grain::Year => vec![year],
        Grain::Quarter => vec![year, Cell::Integer(i64::from((date.month() - 1) / 3 + 1))],
        Grain::Month => vec![year, Cell::Text(format!("{:02}", date.month()))],
        Grain::Day | Grain::Weekday | Grain::Hour => vec![Cell::Text(date.to_string())],
        Grain::Week => {
            // The Thursday of a week decides the year the week belongs to.
            let thursday = date.checked_add(3.days()).unwrap_or(date);
            let week = (thursday.day_of_year() - 1) / 7 + 1;
            vec![Cell::Text(format!("{:04}-W{week:02}", thursday.year()))]
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    fn calendar(zero: &[&str]) -> Calendar {
        Calendar {
            grain: Grain::Month,
            times: vec!["year".to_owned(), "month".to_owned()],
            labels: 3,
            zero: zero.iter().map(|name| (*name).to_owned()).collect(),
            from: None,
            until: Day(Date::constant(2024, 5, 12)),
            cut: Vec::new(),
        }
    }

    fn table() -> Table {
        let row = |month: &str, country: &str, n: i64| vec![text("2024"), text(month), text(country), Cell::Integer(n)];
        let columns = ["year", "month", "country", "n"].map(str::to_owned).to_vec();
        Table::whole(columns, vec![row("01", "A", 5), row("04", "A", 6), row("04", "B", 7)])
    }

    #[test]
    fn each_series_has_every_month_from_its_first_to_the_end_of_the_data() {
        let (whole, notes) = complete(&table(), &calendar(&["n"]));
        let rows: Vec<String> =
            whole.rows.iter().map(|row| row.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")).collect();
        let expected =
            ["2024 01 A 5", "2024 02 A 0", "2024 03 A 0", "2024 04 A 6", "2024 04 B 7", "2024 05 A 0", "2024 05 B 0"];
        assert_eq!(rows, expected);
        assert_eq!(notes, ["Months without rows count as 0: 2024-02, 2024-03 and 2024-05."]);
    }

    #[test]
    fn an_average_of_nothing_is_missing() {
        let (whole, notes) = complete(&table(), &calendar(&[]));
        assert_eq!(whole.rows[1][3], Cell::Null);
        assert!(notes[0].contains("have no value and are no 0"), "{notes:?}");
    }

    #[test]
    fn weeks_and_days_follow_each_other() {
        for grain in [Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year] {
            let mut at = grain.start(Date::constant(2019, 11, 28), 0).unwrap();
            for _ in 0..40 {
                let next = grain.start(at, 1).unwrap();
                assert_eq!(position(next, grain), position(at, grain) + 1, "{grain:?} {at}");
                assert_eq!(start_of(&labels(at, grain), grain), Some(at), "{grain:?}");
                at = next;
            }
        }
    }
}
