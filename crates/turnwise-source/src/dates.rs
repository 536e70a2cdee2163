//! Dates as people write them in files, brought to the form SQLite's date functions read: `2024-03-01` or
//! `2024-03-01 13:05:00`. Times with a zone become UTC. Next: `kinds`, which decides by whole columns.

use std::fmt::Write as _;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};

/// The order of day, month and year in a written date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateOrder {
    /// `2024-03-01`, `2024/03/01`, `2024.3.1`.
    YearMonthDay,
    /// `01/03/2024`, `1.3.2024`, `01-03-2024`.
    DayMonthYear,
    /// `03/01/2024`, `03-01-2024`.
    MonthDayYear,
}

/// The date in `text` in normal form, if it is one written in this order.
pub fn normalised(text: &str, order: DateOrder) -> Option<String> {
    let (date, rest) = split_date(text)?;
    let date = read_date(date, order)?;
    let mut out = date.to_string();
    if rest.is_empty() {
        return Some(out);
    }
    let (time, zone) = read_time(rest)?;
    let moment = DateTime::from_parts(date, time).checked_sub(zone).ok()?;
    out.clear();
    // Writing to a string cannot fail.
    let _ = write!(out, "{} {}", moment.date(), moment.time());
    Some(out)
}

/// Whether SQLite's date functions read the text as it is, which wants two digits everywhere.
pub fn is_iso(text: &str) -> bool {
    let bytes = text.as_bytes();
    let separated = bytes.get(4) == Some(&b'-') && bytes.get(7) == Some(&b'-');
    let timed = bytes.len() >= 16 && matches!(bytes[10], b' ' | b'T') && bytes[13] == b':';
    separated && (bytes.len() == 10 || timed) && normalised(text, DateOrder::YearMonthDay).is_some()
}

/// Splits at the space or `T` between date and time.
fn split_date(text: &str) -> Option<(&str, &str)> {
    // Cheap refusal of what cannot be a date: this runs for every cell of a text column.
    if !text.as_bytes().first()?.is_ascii_digit() || text.len() > LONGEST || !text.is_ascii() {
        return None;
    }
    match text.find([' ', 'T']) {
        Some(at) if at + 1 < text.len() => Some((&text[..at], text[at + 1..].trim_start())),
        Some(_) => None,
        None => Some((text, "")),
    }
}

fn read_date(text: &str, order: DateOrder) -> Option<Date> {
    let separator = text.chars().find(|letter| !letter.is_ascii_digit())?;
    // A dot is written between day and month only where the day comes first.
    let fits = match order {
        DateOrder::YearMonthDay | DateOrder::DayMonthYear => matches!(separator, '-' | '/' | '.'),
        DateOrder::MonthDayYear => matches!(separator, '-' | '/'),
    };
    let mut parts = text.split(separator);
    let (first, second, third) = (parts.next()?, parts.next()?, parts.next()?);
    if !fits || parts.next().is_some() {
        return None;
    }
    let (year, month, day) = match order {
        DateOrder::YearMonthDay => (first, second, third),
        DateOrder::DayMonthYear => (third, second, first),
        DateOrder::MonthDayYear => (third, first, second),
    };
    if year.len() != 4 {
        return None;
    }
    Date::new(i16::try_from(digits(year)?).ok()?, small(month)?, small(day)?).ok()
}

/// Reads `13:05`, `13:05:00`, `13:05:00.250`, each perhaps followed by `Z` or `+02:00`; gives the zone's offset too.
fn read_time(text: &str) -> Option<(Time, SignedDuration)> {
    let (clock, zone) = match text.find(['Z', '+', '-']) {
        Some(at) => (text[..at].trim_end(), read_zone(&text[at..])?),
        None => (text, SignedDuration::ZERO),
    };
    let mut parts = clock.split(':');
    let (hour, minute) = (small(parts.next()?)?, small(parts.next()?)?);
    let (second, fraction) = match parts.next() {
        Some(seconds) => match seconds.split_once('.') {
            Some((whole, fraction)) => (small(whole)?, read_fraction(fraction)?),
            None => (small(seconds)?, 0),
        },
        None => (0, 0),
    };
    if parts.next().is_some() {
        return None;
    }
    Some((Time::new(hour, minute, second, fraction).ok()?, zone))
}

fn read_zone(text: &str) -> Option<SignedDuration> {
    if text == "Z" {
        return Some(SignedDuration::ZERO);
    }
    let (sign, offset) = text.split_at(1);
    let (hours, minutes) = offset.split_once(':').or_else(|| (offset.len() == 4).then(|| offset.split_at(2)))?;
    let (hours, minutes) = (small(hours)?, small(minutes)?);
    if hours > 15 || minutes > 59 {
        return None;
    }
    let seconds = i64::from(hours) * 3_600 + i64::from(minutes) * 60;
    Some(SignedDuration::from_secs(if sign == "-" { -seconds } else { seconds }))
}

/// The nanoseconds in the digits after the point; more than nine digits would be cut, so they are no time.
fn read_fraction(text: &str) -> Option<i32> {
    let length = u32::try_from(text.len()).ok().filter(|length| (1..=9).contains(length))?;
    i32::try_from(digits(text)? * 10_u32.pow(9 - length)).ok()
}

fn small(text: &str) -> Option<i8> {
    if text.len() > 2 { None } else { i8::try_from(digits(text)?).ok() }
}

/// Digits only: `parse` alone would take a sign as well.
fn digits(text: &str) -> Option<u32> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// The longest date with time, fraction and zone.
const LONGEST: usize = 36;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(order: DateOrder, cases: &[(&str, Option<&str>)]) {
        for (text, expected) in cases {
            assert_eq!(normalised(text, order).as_deref(), *expected, "{text}");
        }
    }

    #[test]
    fn year_first() {
        check(
            DateOrder::YearMonthDay,
            &[
                ("2024-03-01", Some("2024-03-01")),
                ("2024/3/1", Some("2024-03-01")),
                ("2024.03.01", Some("2024-03-01")),
                ("2013-01-01T05:00:00Z", Some("2013-01-01 05:00:00")),
                ("2024-03-01 13:05", Some("2024-03-01 13:05:00")),
                ("2024-03-01 13:05:00.25", Some("2024-03-01 13:05:00.25")),
                ("2024-01-01T00:30:00+02:00", Some("2023-12-31 22:30:00")),
                ("2024-12-31T23:30:00-0100", Some("2025-01-01 00:30:00")),
                ("2024-02-30", None),
                ("2024-03", None),
                ("2024-03-01T", None),
                ("2024-03-01 25:00", None),
                ("2024-03/01", None),
                ("24-03-01", None),
                ("2024-03-01 noon", None),
                ("20240301", None),
                ("", None),
            ],
        );
    }

    #[test]
    fn day_first_and_month_first() {
        check(
            DateOrder::DayMonthYear,
            &[
                ("31/12/2024", Some("2024-12-31")),
                ("1.3.2024", Some("2024-03-01")),
                ("01-03-2024 08:00", Some("2024-03-01 08:00:00")),
                ("12/31/2024", None),
                ("2024-03-01", None),
            ],
        );
        check(
            DateOrder::MonthDayYear,
            &[("12/31/2024", Some("2024-12-31")), ("31/12/2024", None), ("12.31.2024", None)],
        );
    }

    #[test]
    fn only_what_sqlite_reads_is_iso() {
        assert!(is_iso("2021-01-01 00:00:00"));
        assert!(is_iso("2021-01-01"));
        assert!(is_iso("2021-01-01T00:00Z"));
        assert!(!is_iso("2021/01/01"));
        assert!(!is_iso("2021-1-1"));
        assert!(!is_iso("2021-01-01 5:00:00"));
        assert!(!is_iso("hello"));
    }
}
