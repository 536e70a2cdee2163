//! How many of the rows asked for have each of their dates. They are counted when a question is planned: only so is the
//! answer right under every test there may be, and statistics kept from the start would know none but the simplest. It
//! costs one look at the rows, and only where a date is known to be missing at all; in a large table or a slow one what
//! is known of the whole table has to do. Next: `told`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use turnwise_core::{Cell, Table};

use super::found::{self, Dating};
use crate::catalogue::{AxisPlace, Catalogue};
use crate::form::{Aggregate, ColumnId};
use crate::query::{DatePart, Expression, Gathered, Query};
use crate::source::QueryLimits;
use crate::sql;

/// Runs one query over tables by their names; nothing where that takes too long.
#[derive(Clone, Copy)]
#[expect(clippy::type_complexity, reason = "this is the one place where it is written out")]
pub struct Look<'a>(pub &'a dyn Fn(&[String], &str, &[Cell]) -> Option<Table>);

/// What a look at the rows may cost: a person waits for the plan.
pub const LIMITS: QueryLimits = QueryLimits { rows_max: 1, timeout: Duration::from_millis(500) };

/// Rows of a table up to which they are counted: that many take some forty milliseconds (100 ms were measured for half
/// a million), and a table of the usual size one or two. Beyond it what is known of the whole table has to do.
const ROWS_COUNTED_MAX: u64 = 200_000;
/// Rows that are looked at for which of two dates is nearer to another: ten milliseconds, and as telling as all.
const ROWS_COMPARED_MAX: u64 = 10_000;

/// How many rows have each of some dates.
pub struct Filled {
    /// All rows.
    pub rows: u64,
    /// Those that have a date, by its column.
    dates: Vec<(usize, u64)>,
    /// Whether it is said of the whole table, as the rows asked for could not be counted.
    pub is_of_table: bool,
}

impl Filled {
    /// The rows that have a date.
    pub fn count(&self, column: usize) -> u64 {
        self.dates.iter().find(|(other, _)| *other == column).map_or(0, |(_, count)| *count)
    }

    /// The rows that lack it.
    pub fn missing(&self, column: usize) -> u64 {
        self.rows.saturating_sub(self.count(column))
    }

    /// The part of the rows that have it.
    #[expect(clippy::cast_precision_loss, reason = "a share of rows needs no more")]
    pub fn share(&self, column: usize) -> f64 {
        if self.rows == 0 { 0.0 } else { self.count(column) as f64 / self.rows as f64 }
    }
}

/// `look` that looks for the same only once: what decides is also told.
pub fn once(look: Look<'_>) -> impl Fn(&[String], &str, &[Cell]) -> Option<Table> {
    let known: RefCell<BTreeMap<String, Option<Table>>> = RefCell::default();
    move |tables: &[String], sql: &str, parameters: &[Cell]| {
        let asked = format!("{sql} {parameters:?}");
        let found = known.borrow().get(&asked).cloned();
        found.unwrap_or_else(|| {
            let found = (look.0)(tables, sql, parameters);
            known.borrow_mut().insert(asked, found.clone());
            found
        })
    }
}

/// Of the rows of `dating`, whenever they were.
pub fn of(catalogue: &Catalogue, dating: &Dating, look: Look<'_>) -> Filled {
    let rest = dating.rows.tests.iter().filter(|test| !found::is_about(test, dating.source, dating.date));
    let rows = Query { tests: rest.cloned().collect(), ..dating.rows.clone() };
    counted(catalogue, dating, rows, look)
}

/// Of the rows of `dating` in the time asked about.
pub fn in_time(catalogue: &Catalogue, dating: &Dating, look: Look<'_>) -> Filled {
    counted(catalogue, dating, dating.rows.clone(), look)
}

fn counted(catalogue: &Catalogue, dating: &Dating, rows: Query, look: Look<'_>) -> Filled {
    let columns: Vec<usize> = std::iter::once(dating.date.column).chain(dating.others.iter().copied()).collect();
    let known = is_known_whole(catalogue, dating.date, &columns);
    let known = known.or_else(|| looked(catalogue, dating, &columns, rows, look));
    known.unwrap_or_else(|| of_table(catalogue, dating.date, &columns))
}

/// What needs no look: no row lacks any of the dates, so that none of those asked for does.
fn is_known_whole(catalogue: &Catalogue, date: ColumnId, columns: &[usize]) -> Option<Filled> {
    let whole = of_table(catalogue, date, columns);
    columns.iter().all(|column| whole.missing(*column) == 0).then_some(whole)
}

fn looked(catalogue: &Catalogue, dating: &Dating, columns: &[usize], rows: Query, look: Look<'_>) -> Option<Filled> {
    let tables = rows.sources.iter().map(|source| catalogue.table(source.table));
    if tables.clone().any(|table| table.rows > ROWS_COUNTED_MAX) {
        return None;
    }
    let count = |label: String, of| Gathered { label, aggregate: Aggregate::Count, of, with: None };
    let date = |column: &usize| {
        let of = Expression::Date { source: dating.source, place: AxisPlace::Column(*column) };
        count(format!("date {column}"), Some(of))
    };
    let gathered = std::iter::once(count("rows".to_owned(), None)).chain(columns.iter().map(date)).collect();
    let names: Vec<String> = tables.map(|table| table.name.clone()).collect();
    let statement = sql::write(catalogue, &Query { gathered, ..rows });
    let table = (look.0)(&names, &statement.text, &statement.parameters)?;
    let counts: Vec<u64> = table.rows.first()?.iter().filter_map(whole_number).collect();
    let (rows, counts) = counts.split_first()?;
    (counts.len() == columns.len()).then(|| Filled {
        rows: *rows,
        dates: columns.iter().copied().zip(counts.iter().copied()).collect(),
        is_of_table: false,
    })
}

fn whole_number(cell: &Cell) -> Option<u64> {
    match cell {
        Cell::Integer(number) => u64::try_from(*number).ok(),
        Cell::Null | Cell::Real(_) | Cell::Text(_) => None,
    }
}

/// What is known of a whole table. A date that could not be looked through is taken to be there.
fn of_table(catalogue: &Catalogue, date: ColumnId, columns: &[usize]) -> Filled {
    let table = catalogue.table(date.table);
    let missing = |column: usize| {
        table.axes.iter().find(|axis| axis.place == AxisPlace::Column(column)).and_then(|axis| axis.missing)
    };
    let dates = columns.iter().map(|column| (*column, table.rows.saturating_sub(missing(*column).unwrap_or(0))));
    Filled { rows: table.rows, dates: dates.collect(), is_of_table: true }
}

/// Of some dates the one that falls on the day of `date` most often, where a row has both: of the dates that stand in
/// for the day somebody was seen, the day it was to be comes before the day it was booked.
pub fn nearest(catalogue: &Catalogue, date: ColumnId, others: &[usize], look: Look<'_>) -> usize {
    let first = others.first().copied().unwrap_or(date.column);
    if others.len() < 2 {
        return first;
    }
    let table = catalogue.table(date.table);
    let day = |column: usize| sql::part_of(table, DatePart::Day, &AxisPlace::Column(column));
    let same = |other: &usize| format!("SUM(CASE WHEN {} = {} THEN 1 ELSE 0 END)", day(date.column), day(*other));
    let sums: Vec<String> = others.iter().map(same).collect();
    let (sums, rows, alias) = (sums.join(", "), &table.sample_name, table.dialect.derived());
    let sql = format!("SELECT {sums} FROM (SELECT * FROM {rows}{alias} LIMIT {ROWS_COMPARED_MAX}) AS near");
    let found = (look.0)(std::slice::from_ref(&table.name), &sql, &[]);
    let counts: Vec<u64> =
        found.iter().flat_map(|table| table.rows.first()).flatten().filter_map(whole_number).collect();
    if counts.len() != others.len() {
        return first;
    }
    let most = counts.iter().max();
    others.iter().zip(&counts).find(|(_, count)| Some(*count) == most).map_or(first, |(other, _)| *other)
}
