//! What the dialects write differently: parts of dates, gathering functions, orders, bounds. Each function has one arm
//! for each dialect, so that a new one cannot be forgotten anywhere. Next: `sql`, which puts the clauses together.

use crate::assistant::analyst::form::Aggregate;
use crate::assistant::analyst::query::DatePart;
use crate::assistant::analyst::source::Dialect;

/// The weekdays by their ISO number, from 1.
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

impl Dialect {
    /// The placeholder of a value, from 1.
    pub(super) fn placeholder(self, number: usize) -> String {
        match self {
            Self::Sqlite => format!("?{number}"),
            Self::Postgres => format!("${number}"),
        }
    }

    /// A date made of numbers in columns; none where the year is missing.
    pub(super) fn date_of_parts(self, year: &str, month: &str, day: &str) -> String {
        match self {
            // A missing year would be printed as 0000 and count as a date.
            Self::Sqlite => {
                format!("CASE WHEN {year} IS NOT NULL THEN printf('%04d-%02d-%02d', {year}, {month}, {day}) END")
            }
            Self::Postgres => {
                let whole = |of: &str| format!("CAST({of} AS integer)");
                format!("make_date({}, {}, {})", whole(year), whole(month), whole(day))
            }
        }
    }

    /// First and last name as one, none where both are missing.
    pub(super) fn full_name(self, first: &str, last: &str) -> String {
        match self {
            Self::Sqlite | Self::Postgres => {
                format!("NULLIF(TRIM(COALESCE({first}, '') || ' ' || COALESCE({last}, '')), '')")
            }
        }
    }

    /// A part of a date.
    pub(super) fn part_of(self, part: DatePart, date: &str) -> String {
        match self {
            Self::Sqlite => part_in_sqlite(part, date),
            Self::Postgres => part_in_postgres(part, date),
        }
    }

    /// A bound of time, as the dates it is compared with are.
    pub(super) fn time_bound(self, placeholder: &str) -> String {
        match self {
            // Dates are ISO texts, which sort as dates do.
            Self::Sqlite => placeholder.to_owned(),
            Self::Postgres => format!("CAST({placeholder} AS timestamp)"),
        }
    }

    /// A test for true or false; `bound` is the placeholder of 1 or 0 where the dialect stores numbers.
    pub(super) fn flag(self, of: &str, value: bool, bound: impl FnOnce() -> String) -> String {
        match self {
            Self::Sqlite => format!("{of} = {}", bound()),
            Self::Postgres => format!("{of} IS {}", if value { "TRUE" } else { "FALSE" }),
        }
    }

    /// A pattern matched whatever the case.
    pub(super) fn like(self, of: &str, pattern: &str) -> String {
        match self {
            Self::Sqlite => format!("{of} LIKE {pattern} ESCAPE '\\'"),
            Self::Postgres => format!("{of} ILIKE {pattern} ESCAPE '\\'"),
        }
    }

    /// Whether values of another kind have to be made texts before they are compared with texts.
    pub(super) fn is_strict(self) -> bool {
        match self {
            Self::Sqlite => false,
            Self::Postgres => true,
        }
    }

    /// The value as text.
    pub(super) fn as_text(self, of: &str) -> String {
        match self {
            Self::Sqlite | Self::Postgres => format!("CAST({of} AS text)"),
        }
    }

    /// Texts in the order of their letters' codes, which is the same on every server.
    pub(super) fn in_code_order(self, of: &str) -> String {
        match self {
            Self::Sqlite => of.to_owned(),
            Self::Postgres => format!("{of} COLLATE \"C\""),
        }
    }

    /// Rising order with missing values first, as SQLite has it.
    pub(super) fn missing_first(self, of: &str) -> String {
        match self {
            Self::Sqlite => of.to_owned(),
            Self::Postgres => format!("{of} NULLS FIRST"),
        }
    }

    /// An order with missing values last.
    pub(super) fn missing_last(self, of: &str, direction: &str) -> String {
        match self {
            Self::Sqlite | Self::Postgres => format!("{of} {direction} NULLS LAST"),
        }
    }

    /// A gathered number rounded, to order by. `label` is its name among the columns, `number` what it is made of.
    pub(super) fn rounded(self, label: &str, number: &str) -> String {
        match self {
            Self::Sqlite => format!("ROUND({label}, 6)"),
            // Names of columns cannot be calculated with in an order here.
            Self::Postgres => format!("ROUND(CAST({number} AS numeric), 6)"),
        }
    }

    /// Rows gathered to a number; `with` is the other number of a correlation.
    pub(super) fn gather(self, aggregate: Aggregate, of: &str, with: Option<&str>) -> String {
        let with = with.unwrap_or("NULL");
        match (aggregate, self) {
            (Aggregate::Count, _) => format!("COUNT({of})"),
            (Aggregate::CountDistinct, _) => format!("COUNT(DISTINCT {of})"),
            (Aggregate::Sum, _) => format!("SUM({of})"),
            (Aggregate::Average, _) => format!("AVG({of})"),
            (Aggregate::Minimum, _) => format!("MIN({of})"),
            (Aggregate::Maximum, _) => format!("MAX({of})"),
            (Aggregate::Median, Self::Sqlite) => format!("median({of})"),
            (Aggregate::Median, Self::Postgres) => format!("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {of})"),
            (Aggregate::Deviation, Self::Sqlite) => format!("stddev({of})"),
            (Aggregate::Deviation, Self::Postgres) => format!("STDDEV_SAMP({of})"),
            (Aggregate::Percentile(percent), Self::Sqlite) => format!("percentile({of}, {percent})"),
            (Aggregate::Percentile(percent), Self::Postgres) => {
                format!("PERCENTILE_CONT({}) WITHIN GROUP (ORDER BY {of})", percent / 100.0)
            }
            (Aggregate::Correlation, Self::Sqlite) => format!("corr({of}, {with})"),
            (Aggregate::Correlation, Self::Postgres) => {
                format!("CORR(CAST({of} AS double precision), CAST({with} AS double precision))")
            }
        }
    }
}

fn part_in_sqlite(part: DatePart, date: &str) -> String {
    match part {
        DatePart::Year => format!("strftime('%Y', {date})"),
        DatePart::Quarter => format!("(CAST(strftime('%m', {date}) AS INTEGER) + 2) / 3"),
        DatePart::Month => format!("strftime('%m', {date})"),
        DatePart::Week => format!("strftime('%G-W%V', {date})"),
        DatePart::Day => format!("strftime('%Y-%m-%d', {date})"),
        DatePart::WeekdayNumber => format!("CAST(strftime('%u', {date}) AS INTEGER)"),
        DatePart::Weekday => weekday(&format!("strftime('%u', {date})"), |number| format!("'{number}'")),
    }
}

fn part_in_postgres(part: DatePart, date: &str) -> String {
    match part {
        DatePart::Year => format!("TO_CHAR({date}, 'YYYY')"),
        DatePart::Quarter => format!("CAST(EXTRACT(QUARTER FROM {date}) AS integer)"),
        DatePart::Month => format!("TO_CHAR({date}, 'MM')"),
        DatePart::Week => format!("TO_CHAR({date}, 'IYYY-\"W\"IW')"),
        DatePart::Day => format!("TO_CHAR({date}, 'YYYY-MM-DD')"),
        DatePart::WeekdayNumber => format!("CAST(EXTRACT(ISODOW FROM {date}) AS integer)"),
        DatePart::Weekday => weekday(&format!("EXTRACT(ISODOW FROM {date})"), |number| number.to_string()),
    }
}

fn weekday(number: &str, written: impl Fn(usize) -> String) -> String {
    let cases: Vec<String> =
        (1..).zip(WEEKDAYS).map(|(at, name)| format!("WHEN {} THEN '{name}'", written(at))).collect();
    format!("CASE {number} {} END", cases.join(" "))
}
