//! Tables with one row for each day, like a record of the weather: what happened at a time belongs to the row of its
//! day, though no key says so. Only a table whose date tells its rows apart is one, so that no row is ever doubled.
//! Next: `keys` for links by keys, `read/days.rs` for the words.

use turnwise_core::Cell;

use super::{AxisPlace, Join, TableEntry, build};
use crate::form::{ColumnId, TableId};
use crate::source::{Dialect, EngineId, QueryError, Workbench};

/// Rows a table has at least to be a record of days, and the least share of the days between its first and its last.
const ROWS_MIN: u64 = 14;
const DAYS_COVERED_MIN: f64 = 0.5;

/// The links by day to tables that have a row for each day; such a table's date becomes its key.
pub fn find(bench: &Workbench, tables: &mut [TableEntry], joins: &[Join]) -> Result<Vec<Join>, QueryError> {
    let mut calendars: Vec<ColumnId> = Vec::new();
    for (at, table) in tables.iter_mut().enumerate() {
        let linked = joins.iter().any(|join| join.from == TableId(at) || join.to == TableId(at));
        if let Some(day) = day_of(table).filter(|_| !linked)
            && is_one_a_day(bench, table, day)?
        {
            table.key = Some(day);
            calendars.push(ColumnId { table: TableId(at), column: day });
        }
    }
    let mut found = Vec::new();
    for calendar in calendars {
        let to = &tables[calendar.table.0];
        for (at, from) in tables.iter().enumerate().filter(|(at, _)| *at != calendar.table.0) {
            let Some(date) = date_of(from).filter(|_| from.engine == to.engine && overlap(from, to)) else { continue };
            found.push(Join {
                from: TableId(at),
                from_columns: vec![date],
                to: calendar.table,
                to_columns: vec![calendar.column],
                whole: false,
                by_day: true,
                singles_out: false,
            });
        }
    }
    Ok(found)
}

/// The date a table has no other key than, where it is a day without hours and nearly every day has one.
fn day_of(table: &TableEntry) -> Option<usize> {
    let axis = table.axes.iter().find(|axis| !axis.named_only)?;
    let AxisPlace::Column(day) = axis.place else { return None };
    let (first, last) = axis.range?;
    let days = f64::from(first.until(last).ok()?.get_days()) + 1.0;
    #[expect(clippy::cast_precision_loss, reason = "a count of days is small")]
    let covered = table.rows as f64 / days;
    let own = table.key.is_none_or(|key| key == day) && !axis.clock;
    (own && table.rows >= ROWS_MIN && covered >= DAYS_COVERED_MIN).then_some(day)
}

/// The date that says on which day rows happened.
fn date_of(table: &TableEntry) -> Option<usize> {
    let mut axes = table.axes.iter().filter(|axis| !axis.named_only);
    axes.find_map(|axis| match axis.place {
        AxisPlace::Column(date) => Some(date),
        AxisPlace::Parts { .. } => None,
    })
}

/// Whether the two have a time in common.
fn overlap(one: &TableEntry, other: &TableEntry) -> bool {
    let range = |table: &TableEntry| {
        let mut axes = table.axes.iter().filter(|axis| !axis.named_only);
        axes.find(|axis| matches!(axis.place, AxisPlace::Column(_))).and_then(|axis| axis.range)
    };
    match (range(one), range(other)) {
        (Some((first, last)), Some((begin, end))) => first <= end && begin <= last,
        _ => false,
    }
}

/// Whether no day has two rows.
fn is_one_a_day(bench: &Workbench, table: &TableEntry, day: usize) -> Result<bool, QueryError> {
    let column = table.dialect.quoted(&table.columns[day].name);
    // SQLite joins texts, so that each has to be no more than its day.
    let plain = match table.dialect {
        Dialect::Sqlite => format!(" AND COUNT(*) = SUM({column} = date({column}))"),
        Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => String::new(),
    };
    let test = table.dialect.truth(&format!("COUNT(*) = COUNT(DISTINCT {column}){plain}"));
    let sql = format!("SELECT {test} FROM {}{}", table.sql_name, table.dialect.derived());
    match build::query(bench, table, &sql, 1) {
        Err(QueryError::TimedOut { .. }) if table.engine != EngineId::default() => Ok(false),
        found => Ok(found?.scalar() == Some(&Cell::Integer(1))),
    }
}

impl super::Catalogue {
    /// The tables with one row for each day.
    pub fn calendars(&self) -> impl Iterator<Item = TableId> + '_ {
        self.joins.iter().filter(|join| join.by_day).map(|join| join.to)
    }

    /// Whether a table has one row for each day, to which others are linked by day.
    pub fn is_calendar(&self, table: TableId) -> bool {
        self.calendars().any(|calendar| calendar == table)
    }
}
