//! What the dialects write differently: parts of dates, gathering functions, orders, bounds. Each function has one arm
//! for each dialect, so that a new one cannot be forgotten anywhere. Next: `sql`, which puts the clauses together.

use turnwise_core::Cell;

use crate::form::Aggregate;
use crate::query::DatePart;
use crate::source::Dialect;

/// The weekdays by their ISO number, from 1.
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// What a dialect writes in its own way.
pub trait Written: Copy {
    /// Which dialect it is.
    fn dialect(self) -> Dialect;

    /// The placeholder of a value, from 1.
    fn placeholder(self, number: usize) -> String {
        match self.dialect() {
            Dialect::Sqlite => format!("?{number}"),
            Dialect::Postgres | Dialect::Duckdb => format!("${number}"),
            // Taken in the order in which they stand: `sql` binds them in that order.
            Dialect::Mysql => "?".to_owned(),
        }
    }

    /// A date made of numbers in columns; none where the year is missing.
    fn date_of_parts(self, year: &str, month: &str, day: &str) -> String {
        match self.dialect() {
            // A missing year would be printed as 0000 and count as a date.
            Dialect::Sqlite => {
                format!("CASE WHEN {year} IS NOT NULL THEN printf('%04d-%02d-%02d', {year}, {month}, {day}) END")
            }
            Dialect::Postgres => {
                let whole = |of: &str| format!("CAST({of} AS integer)");
                format!("make_date({}, {}, {})", whole(year), whole(month), whole(day))
            }
            // No day there is gives no date, as a missing year does.
            Dialect::Mysql => format!("CAST(CONCAT({year}, '-', {month}, '-', {day}) AS DATE)"),
            Dialect::Duckdb => {
                let whole = |of: &str| format!("TRY_CAST({of} AS INTEGER)");
                let (year, month, day) = (whole(year), whole(month), whole(day));
                format!("TRY_CAST(printf('%04d-%02d-%02d', {year}, {month}, {day}) AS DATE)")
            }
        }
    }

    /// First and last name as one, none where both are missing.
    fn full_name(self, first: &str, last: &str) -> String {
        match self.dialect() {
            Dialect::Sqlite | Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => {
                format!("NULLIF(TRIM(COALESCE({first}, '') || ' ' || COALESCE({last}, '')), '')")
            }
        }
    }

    /// A part of a date.
    fn part_of(self, part: DatePart, date: &str) -> String {
        match self.dialect() {
            Dialect::Sqlite => part_in_sqlite(part, date),
            Dialect::Postgres => part_in_postgres(part, date),
            Dialect::Mysql => part_in_mysql(part, date),
            Dialect::Duckdb => part_in_duckdb(part, date),
        }
    }

    /// A bound of time, as the dates it is compared with are.
    fn time_bound(self, placeholder: &str) -> String {
        match self.dialect() {
            // Dates are ISO texts, which sort as dates do.
            Dialect::Sqlite => placeholder.to_owned(),
            Dialect::Postgres | Dialect::Duckdb => format!("CAST({placeholder} AS timestamp)"),
            Dialect::Mysql => format!("CAST({placeholder} AS DATETIME)"),
        }
    }

    /// A test for true or false; `bound` is the placeholder of 1 or 0 where the dialect stores numbers.
    fn flag(self, of: &str, value: bool, bound: impl FnOnce() -> String) -> String {
        match self.dialect() {
            Dialect::Sqlite => format!("{of} = {}", bound()),
            Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => {
                format!("{of} IS {}", if value { "TRUE" } else { "FALSE" })
            }
        }
    }

    /// A value as it is written.
    fn literal(self, cell: &Cell) -> String {
        match cell {
            Cell::Text(text) => {
                let text = text.replace('\'', "''");
                let text = if matches!(self.dialect(), Dialect::Mysql) { text.replace('\\', "\\\\") } else { text };
                format!("'{text}'")
            }
            Cell::Null => "NULL".to_owned(),
            Cell::Integer(number) => number.to_string(),
            // As people read it, it may be rounded.
            Cell::Real(number) => format!("{number:?}"),
        }
    }

    /// 100 where `of` is one of the values, or the truth said; else 0. The values are those of a yes/no column, which
    /// are words for yes and no.
    fn holds(self, of: &str, value: bool, values: &[Cell]) -> String {
        let values: Vec<String> = values.iter().map(|value| self.literal(value)).collect();
        let test = match values.as_slice() {
            [] => self.flag(of, value, || u8::from(value).to_string()),
            values => format!("{of} IN ({})", values.join(", ")),
        };
        format!("CASE WHEN {test} THEN 100.0 ELSE 0.0 END")
    }

    /// A pattern matched whatever the case.
    fn like(self, of: &str, pattern: &str) -> String {
        match self.dialect() {
            Dialect::Sqlite => format!("{of} LIKE {pattern} ESCAPE '\\'"),
            Dialect::Postgres | Dialect::Duckdb => format!("{of} ILIKE {pattern} ESCAPE '\\'"),
            Dialect::Mysql => format!("LOWER({of}) LIKE LOWER({pattern}) ESCAPE '\\'"),
        }
    }

    /// Whether values of another kind have to be made texts before they are compared with texts.
    fn is_strict(self) -> bool {
        match self.dialect() {
            Dialect::Sqlite => false,
            Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb => true,
        }
    }

    /// Whether median, percentile and correlation have to be made of places and averages within the group.
    fn ranks_by_windows(self) -> bool {
        match self.dialect() {
            Dialect::Sqlite | Dialect::Postgres | Dialect::Duckdb => false,
            Dialect::Mysql => true,
        }
    }

    /// The value as text.
    fn as_text(self, of: &str) -> String {
        match self.dialect() {
            Dialect::Sqlite | Dialect::Postgres | Dialect::Duckdb => format!("CAST({of} AS text)"),
            Dialect::Mysql => format!("CAST({of} AS CHAR)"),
        }
    }

    /// Texts in the order of their letters' codes, which is the same on every server.
    fn in_code_order(self, of: &str) -> String {
        match self.dialect() {
            // DuckDB compares texts by their bytes, as SQLite does.
            Dialect::Sqlite | Dialect::Duckdb => of.to_owned(),
            Dialect::Postgres => format!("{of} COLLATE \"C\""),
            Dialect::Mysql => format!("CONVERT({of} USING utf8mb4) COLLATE utf8mb4_bin"),
        }
    }

    /// Rising order with missing values first, as SQLite has it.
    fn missing_first(self, of: &str) -> String {
        match self.dialect() {
            Dialect::Sqlite | Dialect::Mysql => of.to_owned(),
            Dialect::Postgres | Dialect::Duckdb => format!("{of} NULLS FIRST"),
        }
    }

    /// An order with missing values last.
    fn missing_last(self, of: &str, direction: &str) -> String {
        match self.dialect() {
            Dialect::Sqlite | Dialect::Postgres | Dialect::Duckdb => format!("{of} {direction} NULLS LAST"),
            // Missing values are the lowest here.
            Dialect::Mysql if direction == "DESC" => format!("{of} DESC"),
            Dialect::Mysql => format!("{of} IS NULL, {of} {direction}"),
        }
    }

    /// A gathered number to order by. `label` is its name among the columns, `number` what it is made of.
    fn ordered<'a>(self, label: &'a str, number: &'a str) -> &'a str {
        match self.dialect() {
            Dialect::Sqlite | Dialect::Postgres | Dialect::Duckdb => label,
            // The name of a gathered number cannot be tested for being missing here.
            Dialect::Mysql => number,
        }
    }

    /// A gathered number rounded, to order by. `label` is its name among the columns, `number` what it is made of.
    fn rounded(self, label: &str, number: &str) -> String {
        match self.dialect() {
            Dialect::Sqlite => format!("ROUND({label}, 6)"),
            // Names of columns cannot be calculated with in an order here.
            Dialect::Postgres => format!("ROUND(CAST({number} AS numeric), 6)"),
            Dialect::Mysql | Dialect::Duckdb => format!("ROUND({number}, 6)"),
        }
    }

    /// Rows gathered to a number; `with` is the other number of a correlation.
    fn gather(self, aggregate: Aggregate, of: &str, with: Option<&str>) -> String {
        let with = with.unwrap_or("NULL");
        match (aggregate, self.dialect()) {
            (Aggregate::Count, _) => format!("COUNT({of})"),
            (Aggregate::CountDistinct, _) => format!("COUNT(DISTINCT {of})"),
            (Aggregate::Sum, _) => format!("SUM({of})"),
            (Aggregate::Average | Aggregate::Share(_), _) => format!("AVG({of})"),
            (Aggregate::AverageEach, _) => {
                let rows = format!("COUNT(DISTINCT CASE WHEN {of} IS NOT NULL THEN {with} END)");
                format!("SUM({of}) * 1.0 / NULLIF({rows}, 0)")
            }
            (Aggregate::Minimum, _) => format!("MIN({of})"),
            (Aggregate::Maximum, _) => format!("MAX({of})"),
            (Aggregate::Range, _) => format!("MAX({of}) - MIN({of})"),
            (Aggregate::Median, Dialect::Sqlite) => format!("median({of})"),
            (Aggregate::Deviation, Dialect::Sqlite) => format!("stddev({of})"),
            (Aggregate::Deviation, Dialect::Postgres | Dialect::Mysql | Dialect::Duckdb) => {
                format!("STDDEV_SAMP({of})")
            }
            (Aggregate::Percentile(percent), Dialect::Sqlite) => format!("percentile({of}, {percent})"),
            (Aggregate::Correlation, Dialect::Sqlite) => format!("corr({of}, {with})"),
            (Aggregate::Correlation, Dialect::Postgres | Dialect::Duckdb) => {
                format!("CORR(CAST({of} AS double precision), CAST({with} AS double precision))")
            }
            // The two as they differ from their averages; the spread of either may be none.
            (Aggregate::Correlation, Dialect::Mysql) => {
                format!("SUM({of} * {with}) / NULLIF(SQRT(SUM({of} * {of}) * SUM({with} * {with})), 0)")
            }
            (Aggregate::Median | Aggregate::Percentile(_), Dialect::Postgres) => {
                format!("PERCENTILE_CONT({}) WITHIN GROUP (ORDER BY {of})", part_below(aggregate))
            }
            (Aggregate::Median | Aggregate::Percentile(_), Dialect::Duckdb) => {
                // Of exact numbers it would have no more digits than they have.
                format!("QUANTILE_CONT(CAST({of} AS DOUBLE), {})", part_below(aggregate))
            }
            (Aggregate::Median | Aggregate::Percentile(_), Dialect::Mysql) => format!("SUM({of} * {with})"),
        }
    }
}

impl Written for Dialect {
    fn dialect(self) -> Dialect {
        self
    }
}

/// For a dialect without median and percentile: how near a row is to the wanted place among those `within`, 1 at it
/// and nothing from the next row on. The values times this add up to the number between the two nearest rows.
pub(super) fn nearness(aggregate: Aggregate, of: &str, within: &str) -> String {
    let place = format!("ROW_NUMBER() OVER ({within} ORDER BY {of} IS NULL, {of})");
    let wanted = format!("{} * (COUNT({of}) OVER ({within}) - 1)", part_below(aggregate));
    format!("GREATEST(0, 1 - ABS({place} - 1 - {wanted}))")
}

/// For a dialect without correlation: how far `of` is from its average over the rows `within` that have `with` too.
pub(super) fn apart(of: &str, with: &str, within: &str) -> String {
    let both = format!("CASE WHEN {with} IS NOT NULL THEN {of} + 0E0 END");
    format!("{both} - AVG({both}) OVER ({within})")
}

/// The part of the rows that lies below the number.
fn part_below(aggregate: Aggregate) -> f64 {
    match aggregate {
        Aggregate::Percentile(percent) => percent / 100.0,
        _ => 0.5,
    }
}

fn part_in_sqlite(part: DatePart, date: &str) -> String {
    match part {
        DatePart::Year => format!("strftime('%Y', {date})"),
        DatePart::Quarter => format!("(CAST(strftime('%m', {date}) AS INTEGER) + 2) / 3"),
        DatePart::Month => format!("strftime('%m', {date})"),
        DatePart::Week => format!("strftime('%G-W%V', {date})"),
        DatePart::Day => format!("strftime('%Y-%m-%d', {date})"),
        DatePart::Hour => format!("CAST(strftime('%H', {date}) AS INTEGER)"),
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
        DatePart::Hour => format!("CAST(EXTRACT(HOUR FROM CAST({date} AS timestamp)) AS integer)"),
        DatePart::WeekdayNumber => format!("CAST(EXTRACT(ISODOW FROM {date}) AS integer)"),
        DatePart::Weekday => weekday(&format!("EXTRACT(ISODOW FROM {date})"), |number| number.to_string()),
    }
}

fn part_in_mysql(part: DatePart, date: &str) -> String {
    match part {
        DatePart::Year => format!("DATE_FORMAT({date}, '%Y')"),
        DatePart::Quarter => format!("QUARTER({date})"),
        DatePart::Month => format!("DATE_FORMAT({date}, '%m')"),
        // Both letters count weeks as ISO 8601 does.
        DatePart::Week => format!("DATE_FORMAT({date}, '%x-W%v')"),
        DatePart::Day => format!("DATE_FORMAT({date}, '%Y-%m-%d')"),
        DatePart::Hour => format!("HOUR(CAST({date} AS DATETIME))"),
        DatePart::WeekdayNumber => format!("(WEEKDAY({date}) + 1)"),
        DatePart::Weekday => weekday(&format!("WEEKDAY({date}) + 1"), |number| number.to_string()),
    }
}

fn part_in_duckdb(part: DatePart, date: &str) -> String {
    match part {
        DatePart::Year => format!("STRFTIME({date}, '%Y')"),
        DatePart::Quarter => format!("QUARTER({date})"),
        DatePart::Month => format!("STRFTIME({date}, '%m')"),
        DatePart::Week => format!("STRFTIME({date}, '%G-W%V')"),
        DatePart::Day => format!("STRFTIME({date}, '%Y-%m-%d')"),
        DatePart::Hour => format!("HOUR(CAST({date} AS TIMESTAMP))"),
        DatePart::WeekdayNumber => format!("ISODOW({date})"),
        DatePart::Weekday => weekday(&format!("ISODOW({date})"), |number| number.to_string()),
    }
}

fn weekday(number: &str, written: impl Fn(usize) -> String) -> String {
    let cases: Vec<String> =
        (1..).zip(WEEKDAYS).map(|(at, name)| format!("WHEN {} THEN '{name}'", written(at))).collect();
    format!("CASE {number} {} END", cases.join(" "))
}
