//! Values as DuckDB hands and takes them, and as facts hold them: dates and times as ISO text, exact numbers as the
//! nearest number there is. Types not listed here never arrive: `describe` has them made texts. Next: `mod`.

use duckdb::types::{TimeUnit, Value, ValueRef};
use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Span};
use turnwise_core::Cell;

/// A value to send.
pub fn sent(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => Value::BigInt(*number),
        Cell::Real(number) => Value::Double(*number),
        Cell::Text(text) => Value::Text(text.clone()),
    }
}

/// A value read.
pub fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Boolean(truth) => Cell::Integer(i64::from(truth)),
        ValueRef::TinyInt(number) => Cell::Integer(i64::from(number)),
        ValueRef::SmallInt(number) => Cell::Integer(i64::from(number)),
        ValueRef::Int(number) => Cell::Integer(i64::from(number)),
        ValueRef::BigInt(number) => Cell::Integer(number),
        ValueRef::UTinyInt(number) => Cell::Integer(i64::from(number)),
        ValueRef::USmallInt(number) => Cell::Integer(i64::from(number)),
        ValueRef::UInt(number) => Cell::Integer(i64::from(number)),
        ValueRef::UBigInt(number) => whole(&number.to_string()),
        ValueRef::HugeInt(number) => whole(&number.to_string()),
        ValueRef::UHugeInt(number) => whole(&number.to_string()),
        ValueRef::Float(number) => Cell::real(f64::from(number)),
        ValueRef::Double(number) => Cell::real(number),
        ValueRef::Decimal(number) => whole(&number.to_string()),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Text(format!("({} bytes)", bytes.len())),
        ValueRef::Date32(days) => Cell::Text(date(days)),
        ValueRef::Timestamp(unit, count) => Cell::Text(timestamp(unit, count)),
        // Made texts in the tables; where a calculation gives one all the same, its own form has to do.
        other => Cell::Text(format!("{:?}", other.to_owned())),
    }
}

/// An exact number: whole where it has no digits behind the point and is not too large for that.
fn whole(digits: &str) -> Cell {
    match digits.parse() {
        Ok(number) => Cell::Integer(number),
        Err(_) => digits.parse().map_or(Cell::Null, Cell::real),
    }
}

/// Days since the first of January 1970.
fn date(days: i32) -> String {
    let span = Span::new().try_days(days).ok();
    let day = span.and_then(|span| Date::constant(1970, 1, 1).checked_add(span).ok());
    day.map_or_else(|| beyond(i64::from(days)), |day| day.to_string())
}

fn timestamp(unit: TimeUnit, count: i64) -> String {
    let since = match unit {
        TimeUnit::Second => SignedDuration::from_secs(count),
        TimeUnit::Millisecond => SignedDuration::from_millis(count),
        TimeUnit::Microsecond => SignedDuration::from_micros(count),
        TimeUnit::Nanosecond => SignedDuration::from_nanos(count),
    };
    let time = DateTime::constant(1970, 1, 1, 0, 0, 0, 0).checked_add(since).ok();
    time.map_or_else(|| beyond(count), |time| time.to_string().replace('T', " "))
}

/// Dates that no calendar of ours reaches: infinities, and years after 9999.
fn beyond(count: i64) -> String {
    if count < 0 { "before all time".to_owned() } else { "after all time".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers() {
        assert_eq!(date(19_783), "2024-03-01");
        assert_eq!(timestamp(TimeUnit::Microsecond, 1_709_287_200_250_000), "2024-03-01 10:00:00.25");
        assert_eq!(timestamp(TimeUnit::Second, -1), "1969-12-31 23:59:59");
        assert_eq!(timestamp(TimeUnit::Microsecond, i64::MAX), "after all time");
        assert_eq!(cell(ValueRef::HugeInt(7)), Cell::Integer(7));
        assert_eq!(whole("12.50"), Cell::Real(12.5));
        assert_eq!(whole("18446744073709551616"), Cell::Real(18_446_744_073_709_551_616.0));
    }
}
