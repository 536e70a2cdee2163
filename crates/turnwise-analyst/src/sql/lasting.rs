//! Two dates of a row as the dialects set them against each other: how much time lies between them, and which is the
//! later one. A date without an hour is a whole day, so then only days are compared. Next: `sql`.

use crate::catalogue::Unit;
use crate::source::Dialect;

impl Dialect {
    /// The time from one date to another, none where one of them is missing; `clock` when both have an hour.
    pub(super) fn lasting(self, from: &str, until: &str, unit: Unit, clock: bool) -> String {
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
    pub(super) fn same_day(self, date: &str, day: &str) -> String {
        match self {
            // Only one side is worked out, so that the other may be looked up.
            Self::Sqlite => format!("date({date}) = {day}"),
            Self::Postgres | Self::Duckdb => format!("CAST({date} AS date) = CAST({day} AS date)"),
            Self::Mysql => format!("DATE({date}) = DATE({day})"),
        }
    }

    fn days_between(self, from: &str, until: &str) -> String {
        match self {
            Self::Sqlite => format!("julianday(date({until})) - julianday(date({from}))"),
            Self::Postgres => format!("CAST({until} AS date) - CAST({from} AS date)"),
            Self::Mysql => format!("DATEDIFF({until}, {from})"),
            Self::Duckdb => format!("DATE_DIFF('day', CAST({from} AS DATE), CAST({until} AS DATE))"),
        }
    }

    /// Days with their fraction.
    fn time_between(self, from: &str, until: &str) -> String {
        match self {
            // Days since long ago have no more digits than milliseconds need; seconds are whole.
            Self::Sqlite => format!("(unixepoch({until}) - unixepoch({from})) / 86400.0"),
            Self::Postgres => {
                let stamp = |of: &str| format!("CAST({of} AS timestamp)");
                let span = format!("EXTRACT(EPOCH FROM {} - {})", stamp(until), stamp(from));
                format!("CAST({span} AS double precision) / 86400.0")
            }
            Self::Mysql => format!("TIMESTAMPDIFF(SECOND, {from}, {until}) / 86400E0"),
            Self::Duckdb => {
                let stamp = |of: &str| format!("CAST({of} AS TIMESTAMP)");
                format!("DATE_DIFF('second', {}, {}) / 86400.0", stamp(from), stamp(until))
            }
        }
    }

    /// Whether a date is after another; `clock` when both have an hour.
    pub(super) fn later(self, of: &str, than: &str, clock: bool) -> String {
        let day = |date: &str| match self {
            Self::Sqlite => format!("date({date})"),
            Self::Postgres | Self::Mysql | Self::Duckdb => format!("CAST({date} AS date)"),
        };
        let moment = |date: &str| match self {
            // However the two are written.
            Self::Sqlite => format!("datetime({date})"),
            Self::Postgres | Self::Mysql | Self::Duckdb => date.to_owned(),
        };
        let written = |date: &str| if clock { moment(date) } else { day(date) };
        format!("({} > {})", written(of), written(than))
    }
}
