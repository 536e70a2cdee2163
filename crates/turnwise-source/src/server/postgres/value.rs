//! Values as PostgreSQL sends and takes them, and as facts hold them: dates and times as ISO text, exact numbers as the
//! nearest number there is. Types not listed here never arrive: `describe` has them made texts by the server. Next:
//! `mod`.

use std::error::Error;

use jiff::Span;
use jiff::civil::{Date, DateTime};
use tokio_postgres::types::{FromSql, ToSql, Type};
use turnwise_core::Cell;

/// A value read.
pub struct Read(pub Cell);

impl<'a> FromSql<'a> for Read {
    fn from_sql(of: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(match *of {
            Type::BOOL => Cell::Integer(i64::from(bool::from_sql(of, raw)?)),
            Type::INT2 => Cell::Integer(i64::from(i16::from_sql(of, raw)?)),
            Type::INT4 => Cell::Integer(i64::from(i32::from_sql(of, raw)?)),
            Type::INT8 => Cell::Integer(i64::from_sql(of, raw)?),
            Type::FLOAT4 => Cell::real(f64::from(f32::from_sql(of, raw)?)),
            Type::FLOAT8 => Cell::real(f64::from_sql(of, raw)?),
            Type::NUMERIC => exact(raw).ok_or("a number that ends too early")?,
            Type::DATE => Cell::Text(date(i32::from_be_bytes(raw.try_into()?))),
            Type::TIMESTAMP | Type::TIMESTAMPTZ => Cell::Text(timestamp(i64::from_be_bytes(raw.try_into()?))),
            Type::BYTEA => Cell::Text(format!("({} bytes)", raw.len())),
            _ => Cell::Text(String::from_utf8_lossy(raw).into_owned()),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(Cell::Null))
    }

    fn accepts(of: &Type) -> bool {
        matches!(
            *of,
            Type::BOOL
                | Type::INT2
                | Type::INT4
                | Type::INT8
                | Type::FLOAT4
                | Type::FLOAT8
                | Type::NUMERIC
                | Type::DATE
                | Type::TIMESTAMP
                | Type::TIMESTAMPTZ
                | Type::BYTEA
                | Type::TEXT
                | Type::VARCHAR
                | Type::NAME
                | Type::UNKNOWN
        )
    }
}

/// A value to send, with the type it is sent as.
pub fn sent(cell: &Cell) -> (Box<dyn ToSql + Sync + Send>, Type) {
    match cell {
        Cell::Null => (Box::new(Option::<String>::None), Type::TEXT),
        Cell::Integer(number) => (Box::new(*number), Type::INT8),
        Cell::Real(number) => (Box::new(*number), Type::FLOAT8),
        Cell::Text(text) => (Box::new(text.clone()), Type::TEXT),
    }
}

/// `numeric`: groups of four decimal digits, each as a number of two bytes, with the power of 10 000 of the first.
fn exact(raw: &[u8]) -> Option<Cell> {
    let mut words = raw.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    let (count, weight, sign, scale) = (words.next()?, words.next()?.cast_signed(), words.next()?, words.next()?);
    if sign != NEGATIVE && sign != 0 {
        // Not-a-number and infinity are no values to calculate with.
        return Some(Cell::Null);
    }
    let groups: Vec<u16> = words.take(usize::from(count)).collect();
    if groups.len() < usize::from(count) {
        return None;
    }
    let group = |power: i32| {
        let at = usize::try_from(i32::from(weight) - power).ok();
        at.and_then(|at| groups.get(at)).copied().unwrap_or_default()
    };
    let mut text = if sign == NEGATIVE { "-0".to_owned() } else { "0".to_owned() };
    for power in (0..=i32::from(weight)).rev() {
        text.push_str(&format!("{:04}", group(power)));
    }
    if scale == 0
        && let Ok(whole) = text.parse()
    {
        return Some(Cell::Integer(whole));
    }
    text.push('.');
    for power in 1..=(i32::from(scale) + 3) / 4 {
        text.push_str(&format!("{:04}", group(-power)));
    }
    text.parse().ok().map(Cell::real)
}

const NEGATIVE: u16 = 0x4000;

/// Days since the first of January 2000.
fn date(days: i32) -> String {
    let span = Span::new().try_days(days).ok();
    let day = span.and_then(|span| Date::constant(2000, 1, 1).checked_add(span).ok());
    day.map_or_else(|| beyond(i64::from(days)), |day| day.to_string())
}

/// Microseconds since then; with time zone they count in UTC.
fn timestamp(microseconds: i64) -> String {
    let start = DateTime::constant(2000, 1, 1, 0, 0, 0, 0);
    // A span of this many microseconds may be too long for one unit.
    let (seconds, rest) = (microseconds.div_euclid(1_000_000), microseconds.rem_euclid(1_000_000));
    let time = span(seconds, rest).and_then(|span| start.checked_add(span).ok());
    time.map_or_else(|| beyond(microseconds), |time| time.to_string().replace('T', " "))
}

fn span(seconds: i64, microseconds: i64) -> Option<Span> {
    Span::new().try_seconds(seconds).ok()?.try_microseconds(microseconds).ok()
}

/// Dates that no calendar of ours reaches: PostgreSQL's infinities, and years after 9999.
fn beyond(count: i64) -> String {
    if count < 0 { "before all time".to_owned() } else { "after all time".to_owned() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[track_caller]
    fn check(words: &[u16], expected: Cell) {
        let raw: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        assert_eq!(exact(&raw).unwrap(), expected);
    }

    #[test]
    fn exact_numbers() {
        check(&[0, 0, 0, 0], Cell::Integer(0));
        check(&[2, 1, 0, 0, 1, 2345], Cell::Integer(12_345));
        // 10 000 is one group with the power one; its lower group is not sent.
        check(&[1, 1, 0, 0, 1], Cell::Integer(10_000));
        check(&[2, 0, NEGATIVE, 2, 12, 3400], Cell::Real(-12.34));
        check(&[1, 0xFFFF, 0, 4, 5], Cell::Real(0.0005));
        check(&[1, 0xFFFE, 0, 8, 5], Cell::Real(0.000_000_05));
        check(&[0, 0, 0xC000, 0], Cell::Null);
    }

    #[test]
    fn times() {
        assert_eq!(date(0), "2000-01-01");
        assert_eq!(date(-1), "1999-12-31");
        assert_eq!(date(i32::MAX), "after all time");
        assert_eq!(timestamp(86_400_000_000 + 1_500_000), "2000-01-02 00:00:01.5");
        assert_eq!(timestamp(-1_000_000), "1999-12-31 23:59:59");
        assert_eq!(timestamp(i64::MIN), "before all time");
    }
}
