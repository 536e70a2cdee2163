//! Times as SQL writes them: parts of a date by `strftime`, `substr` or `YEAR`, and pairs of bounds, which are the
//! year, the quarter or the month between them where they are one. Next: `conditions`.

use sqlparser::ast::{DateTimeField, Expr};

pub use super::super::super::period::MONTHS;
use super::super::{Each, Is, Said, Test};
use super::expression::{amount, arguments, bare, literal, name};

/// What of a date is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Year,
    Month,
    /// January to December, whatever the year.
    MonthOfYear,
    Week,
    Day,
    Weekday,
    Hour,
}

impl Part {
    /// As a question groups by it.
    pub fn each(self) -> Option<Each> {
        Some(match self {
            Self::Year => Each::Year,
            Self::Month => Each::Month,
            Self::MonthOfYear => return None,
            Self::Week => Each::Week,
            Self::Day => Each::Day,
            Self::Weekday => Each::Weekday,
            Self::Hour => Each::Hour,
        })
    }
}

/// The part of a date that `expr` takes, and of what.
pub fn part(expr: &Expr) -> Option<(Part, &Expr)> {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => part(inner),
        Expr::Extract { field, expr, .. } => match field {
            DateTimeField::Year => Some((Part::Year, expr)),
            DateTimeField::Month => Some((Part::MonthOfYear, expr)),
            DateTimeField::Hour => Some((Part::Hour, expr)),
            _ => None,
        },
        Expr::Substring { expr, substring_from: Some(from), substring_for: Some(length), .. } => {
            Some((cut(amount(from)?, amount(length)?)?, expr))
        }
        Expr::Function(function) => {
            let given = arguments(function);
            let part = match (name(function).as_str(), given.as_slice()) {
                ("strftime", [format, of]) => return Some((formatted(&literal(format)?)?, of)),
                ("substr" | "substring", [of, from, length]) => {
                    return Some((cut(amount(from)?, amount(length)?)?, of));
                }
                ("year", [_]) => Part::Year,
                ("month", [_]) => Part::MonthOfYear,
                ("hour", [_]) => Part::Hour,
                ("date", [_]) => Part::Day,
                ("dayofweek" | "weekday", [_]) => Part::Weekday,
                _ => return None,
            };
            Some((part, given.first().copied()?))
        }
        _ => None,
    }
}

fn formatted(format: &str) -> Option<Part> {
    Some(match format {
        "%Y" => Part::Year,
        "%Y-%m" => Part::Month,
        "%m" => Part::MonthOfYear,
        "%W" | "%Y-%W" => Part::Week,
        "%Y-%m-%d" | "%F" => Part::Day,
        "%w" => Part::Weekday,
        "%H" => Part::Hour,
        _ => return None,
    })
}

/// What letters of a date as it is written are.
fn cut(from: f64, length: f64) -> Option<Part> {
    match (from as u32, length as u32) {
        (0 | 1, 4) => Some(Part::Year),
        (0 | 1, 7) => Some(Part::Month),
        (0 | 1, 10) => Some(Part::Day),
        (6, 2) => Some(Part::MonthOfYear),
        _ => None,
    }
}

/// The date and the day that `julianday(…)` and its like are of.
pub fn is_now(expr: &Expr) -> bool {
    match bare(expr) {
        Expr::Value(_) => literal(bare(expr)).is_some_and(|text| text == "now"),
        Expr::Function(function) => {
            name(function).starts_with("current") || arguments(function).first().is_some_and(|first| is_now(first))
        }
        _ => false,
    }
}

/// A date without its time of day.
pub fn day(text: &str) -> String {
    let is_date = text.len() > 10 && text.is_char_boundary(10) && iso(&text[..10]).is_some();
    if is_date { text[..10].to_owned() } else { text.to_owned() }
}

/// Year, month and day.
fn iso(text: &str) -> Option<(i16, i8, i8)> {
    let mut parts = text.split('-').map(str::parse::<i16>);
    let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    let known = parts.next().is_none() && year > 999;
    known.then_some((year, i8::try_from(month).ok()?, i8::try_from(day).ok()?))
}

/// Tests with both bounds of a time as one, and a month with its year.
pub fn merged(mut tests: Vec<Test>) -> Vec<Test> {
    let mut at = 0;
    while at < tests.len() {
        let pair = (at + 1..tests.len()).find_map(|other| Some((other, together(&tests[at], &tests[other])?)));
        match pair {
            Some((other, merged)) => {
                tests.remove(other);
                tests[at] = merged;
            }
            None => {
                if let Some(only) = within(&tests[at]) {
                    tests[at] = only;
                }
                at += 1;
            }
        }
    }
    tests
}

/// `BETWEEN` two days that are the ends of a year, a quarter or a month.
fn within(test: &Test) -> Option<Test> {
    let (Is::Between, [from, to]) = (test.is, test.values.as_slice()) else { return None };
    let time = span(iso(&from.0)?, iso(&to.0)?)?;
    Some(Test { is: Is::During, values: vec![Said(time)], ..test.clone() })
}

fn together(one: &Test, other: &Test) -> Option<Test> {
    if one.column != other.column {
        return None;
    }
    let during = |values: Vec<Said>| Some(Test { is: Is::During, values, ..one.clone() });
    // A month and its year.
    if (one.is, other.is) == (Is::During, Is::During) {
        let (year, months) = match (year(one), year(other)) {
            (Some(year), None) => (year, other),
            (None, Some(year)) => (year, one),
            _ => return None,
        };
        let dated = |said: &Said| {
            let at = MONTHS.iter().position(|month| *month == said.0)?;
            Some(Said(format!("{year}-{:02}", at + 1)))
        };
        return during(months.values.iter().map(dated).collect::<Option<_>>()?);
    }
    let (from, to) = match (one.is, other.is) {
        (Is::AtLeast, Is::Under | Is::AtMost) => (one, other),
        (Is::Under | Is::AtMost, Is::AtLeast) => (other, one),
        _ => return None,
    };
    let ([first], [last]) = (from.values.as_slice(), to.values.as_slice()) else { return None };
    let (begin, end) = (iso(&first.0)?, iso(&last.0)?);
    let end = if to.is == Is::Under { before(end)? } else { end };
    match span(begin, end) {
        Some(time) => during(vec![Said(time)]),
        None => {
            let values = vec![first.clone(), Said(format!("{}-{:02}-{:02}", end.0, end.1, end.2))];
            Some(Test { is: Is::Between, values, ..one.clone() })
        }
    }
}

/// The one year of a test.
fn year(test: &Test) -> Option<&str> {
    match test.values.as_slice() {
        [Said(only)] if only.len() == 4 && only.bytes().all(|digit| digit.is_ascii_digit()) => Some(only),
        _ => None,
    }
}

fn before((year, month, day): (i16, i8, i8)) -> Option<(i16, i8, i8)> {
    let date = jiff::civil::Date::new(year, month, day).ok()?.yesterday().ok()?;
    Some((date.year(), date.month(), date.day()))
}

/// What lies from the first day to the last, where it is a time of its own.
fn span(from: (i16, i8, i8), to: (i16, i8, i8)) -> Option<String> {
    // A day that no month has stands for its last: models write `2024-02-31`.
    let last = |year, month| jiff::civil::Date::new(year, month, 1).ok().map(|date| date.days_in_month());
    let whole = from.0 == to.0 && from.2 == 1 && to.2 >= last(to.0, to.1)?;
    let (year, months) = (from.0, (from.1, to.1));
    match (whole, months) {
        (true, (1, 12)) => Some(year.to_string()),
        (true, (first, last)) if first == last => Some(format!("{year}-{first:02}")),
        (true, (1, 3) | (4, 6) | (7, 9) | (10, 12)) => Some(format!("{year}-Q{}", (months.0 + 2) / 3)),
        _ => None,
    }
}
