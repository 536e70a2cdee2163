//! Two dates of a row as the dialects set them against each other: how much time lies between them, and which is the
//! later one. A date without an hour is a whole day, so then only days are compared. Next: `sql`.

use crate::catalogue::Unit;
use crate::source::Dialect;

/// How a dialect sets two dates of a row against each other.
pub trait Lasting: Copy {
    /// Which dialect it is.
    fn dialect(self) -> Dialect;

    /// The time from one date to another, none where one of them is missing; `clock` when both have an hour.
    fn lasting(self, from: &str, until: &str, unit: Unit, clock: bool) -> String {
        let days = if clock { self.time_between(from, until) } else { self.days_between(from, until) };
        match unit {
            Unit::Days => days,
            Unit::Minutes => format!("({days}) * 1440.0"),
            Unit::Hours => format!("({days}) * 24.0"),
            Unit::Weeks => format!("({days}) / 7.0"),
            Unit::Months => format!("({days}) / {}", Unit::Months.days()),
            Unit::Years => format!("({days}) / {}", Unit::Years.days()),
        }
    }

    /// Whether a date lies on a day, which is a date without an hour.
    fn same_day(self, date: &str, day: &str) -> String {
        match self.dialect() {
            // Only one side is worked out, so that the other may be looked up.
            Dialect::Sqlite => format!("date({date}) = {day}"),
            Dialect::Postgres | Dialect::Duckdb => format!("CAST({date} AS date) = CAST({day} AS date)"),
            Dialect::Mysql => format!("DATE({date}) = DATE({day})"),
        }
    }

    fn days_between(self, from: &str, until: &str) -> String {
        match self.dialect() {
            Dialect::Sqlite => format!("julianday(date({until})) - julianday(date({from}))"),
            Dialect::Postgres => format!("CAST({until} AS date) - CAST({from} AS date)"),
            Dialect::Mysql => format!("DATEDIFF({until}, {from})"),
            Dialect::Duckdb => format!("DATE_DIFF('day', CAST({from} AS DATE), CAST({until} AS DATE))"),
        }
    }

    /// Days with their fraction.
    fn time_between(self, from: &str, until: &str) -> String {
        match self.dialect() {
            // Days since long ago have no more digits than milliseconds need; seconds are whole.
            Dialect::Sqlite => format!("(unixepoch({until}) - unixepoch({from})) / 86400.0"),
            Dialect::Postgres => {
                let stamp = |of: &str| format!("CAST({of} AS timestamp)");
                let span = format!("EXTRACT(EPOCH FROM {} - {})", stamp(until), stamp(from));
                format!("CAST({span} AS double precision) / 86400.0")
            }
            Dialect::Mysql => format!("TIMESTAMPDIFF(SECOND, {from}, {until}) / 86400E0"),
            Dialect::Duckdb => {
                let stamp = |of: &str| format!("CAST({of} AS TIMESTAMP)");
                format!("DATE_DIFF('second', {}, {}) / 86400.0", stamp(from), stamp(until))
            }
        }
    }

    /// Whether a date is after another; `clock` when both have an hour.
    fn later(self, of: &str, than: &str, clock: bool) -> String {
        let day = |date: &str| match self.dialect() {
            Dialect::Sqlite => format!("date({date})"),
            Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => format!("CAST({date} AS date)"),
        };
        let moment = |date: &str| match self.dialect() {
            // However the two are written.
            Dialect::Sqlite => format!("datetime({date})"),
            Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => date.to_owned(),
        };
        let written = |date: &str| if clock { moment(date) } else { day(date) };
        format!("({} > {})", written(of), written(than))
    }
}

impl Lasting for Dialect {
    fn dialect(self) -> Dialect {
        self
    }
}
