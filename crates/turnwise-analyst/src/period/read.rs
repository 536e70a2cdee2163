//! Reads times out of words: dates, years, parts of years, relative times and spans of them. Next: `spot`, which asks
//! it for the longest at each place.

use jiff::civil::Date;

use super::{Grain, MONTHS, PartGrain, Period};
use crate::lexicon::{Role, Signal, lexicon};
use crate::words::{Word, WordKind};

/// "the first and the second half of 2013" with what the first leaves out: "the first half and the second half of
/// 2013".
pub fn spell_out(words: &mut Vec<Word>) {
    let mut at = 0;
    while at + 2 < words.len() {
        let joined = matches!(words[at + 1].folded.as_str(), "and" | "or" | "vs" | "versus" | "with");
        let other = at + 2 + usize::from(words[at + 2].folded == "the");
        let grain = match role(words, other + 1) {
            Some(Role::Half) => Some((PartGrain::Half, 2)),
            Some(Role::Quarter) => Some((PartGrain::Quarter, 4)),
            _ => None,
        };
        let both = ordinal(&words[at], grain).zip(words.get(other).and_then(|word| ordinal(word, grain)));
        if joined
            && both.is_some()
            && let Some(part) = words.get(other + 1).cloned()
        {
            words.insert(at + 1, part);
        }
        at += 1;
    }
}

/// Reads a time at the start of `words`: how many words it takes, and the time.
pub fn read(words: &[Word]) -> Option<(usize, Period)> {
    let first = words.first()?;
    let opened = role(words, 0);
    let wrap = |make: fn(Box<Period>) -> Period| {
        let skip = usize::from(matches!(role(words, 1), Some(Role::Ignore | Role::In)));
        let skip = skip + year_of(words.get(1 + skip..).unwrap_or_default());
        read_point(words.get(1 + skip..)?).map(|(length, point)| (length + 1 + skip, make(Box::new(point))))
    };
    match opened {
        Some(Role::Since) => return wrap(Period::Since),
        Some(Role::After) => return wrap(Period::After),
        Some(Role::Before) => return wrap(Period::Before),
        Some(Role::Until) => return wrap(Period::Until),
        _ => {}
    }
    if opened == Some(Role::Between) || first.folded == "from" {
        let (length, start) = read_point(words.get(1..)?)?;
        let joiner = words.get(1 + length).map(|word| word.folded.as_str());
        if matches!(joiner, Some("and" | "to" | "until" | "till" | "through")) {
            let (rest, end) = read_point(words.get(length + 2..)?)?;
            return Some((length + rest + 2, between(start, end)));
        }
        return None;
    }
    let (length, start) = read_point(words)?;
    if let Some(open) = open_end(words.get(length..).unwrap_or_default(), &start) {
        return Some((length + 2, open));
    }
    let joiner = words.get(length).map(|word| word.folded.as_str());
    if matches!(joiner, Some("to" | "through" | "until" | "till"))
        && let Some((rest, end)) = words.get(length + 1..).and_then(read_point)
    {
        return Some((length + rest + 1, between(start, end)));
    }
    Some((length, start))
}

/// "2000 or before", "2010 and later", where no other time follows.
fn open_end(behind: &[Word], point: &Period) -> Option<Period> {
    let joins = matches!(behind.first()?.folded.as_str(), "or" | "and");
    let other = behind.get(2..).is_some_and(|rest| read_point(rest).is_some());
    if !joins || other || !matches!(point, Period::Year(_) | Period::Day { .. } | Period::Part { .. }) {
        return None;
    }
    match behind.get(1)?.folded.as_str() {
        "before" | "earlier" => Some(Period::Until(Box::new(point.clone()))),
        "after" | "later" | "since" => Some(Period::Since(Box::new(point.clone()))),
        _ => None,
    }
}

fn between(start: Period, end: Period) -> Period {
    let start = match end.year() {
        Some(year) => start.in_year(year),
        None => start,
    };
    Period::Between(Box::new(start), Box::new(end))
}

fn role(words: &[Word], at: usize) -> Option<Role> {
    match lexicon().signal(&words.get(at)?.folded) {
        Some(Signal::Role(role)) => Some(role),
        Some(Signal::Superlative(..) | Signal::Comparative(..)) | None => None,
    }
}

/// Words that only say that a year follows: "year of 2000".
fn year_of(words: &[Word]) -> usize {
    let said = words.first().is_some_and(|word| matches!(word.folded.as_str(), "year" | "years"));
    let of = said && words.get(1).is_some_and(|word| matches!(word.folded.as_str(), "of"));
    let length = usize::from(said) + usize::from(of);
    if words.get(length).and_then(as_year).is_some() { length } else { 0 }
}

/// A time without "since" or "between" before it.
fn read_point(words: &[Word]) -> Option<(usize, Period)> {
    let said = year_of(words);
    if let Some(year) = words.get(said).and_then(as_year).filter(|_| said > 0) {
        return Some((said + 1, Period::Year(year)));
    }
    read_date(words).or_else(|| read_part(words)).or_else(|| read_relative(words)).or_else(|| {
        let year = as_year(words.first()?)?;
        if let Some((length, Period::Part { grain, number, year: None })) = words.get(1..).and_then(read_bare_part) {
            return Some((length + 1, Period::Part { grain, number, year: Some(year) }));
        }
        Some((1, Period::Year(year)))
    })
}

fn as_year(word: &Word) -> Option<i16> {
    let plausible = word.raw.len() == 4 && !word.currency && word.raw.chars().all(|c| c.is_ascii_digit());
    word.raw.parse::<i16>().ok().filter(|year| plausible && (1800..=2199).contains(year))
}

/// `2024-03`, `2024-03-05`, `5 March 2024`, `March 5 2024`.
fn read_date(words: &[Word]) -> Option<(usize, Period)> {
    let first = words.first()?;
    if first.kind == WordKind::Date {
        let mut parts = first.raw.split('-');
        let year = parts.next()?.parse().ok()?;
        let month: i8 = parts.next()?.parse().ok()?;
        return match parts.next() {
            Some(day) => Some((1, checked_day(year, month, day.parse().ok()?)?)),
            None if (1..=12).contains(&month) => {
                Some((1, Period::Part { grain: PartGrain::Month, number: month, year: Some(year) }))
            }
            None => None,
        };
    }
    let second = words.get(1)?;
    let (day, month) = match (as_day(first), as_day(second)) {
        (Some(day), None) => (day, month_of(second)?),
        (None, Some(day)) => (day, month_of(first)?),
        _ => return None,
    };
    match words.get(2).and_then(as_year) {
        Some(year) => Some((3, checked_day(year, month, day)?)),
        // A leap year knows every day there is.
        None => checked_day(2000, month, day).map(|_| (2, Period::DayOfYear { month, day })),
    }
}

fn checked_day(year: i16, month: i8, day: i8) -> Option<Period> {
    Date::new(year, month, day).ok().map(|_| Period::Day { year, month, day })
}

fn as_day(word: &Word) -> Option<i8> {
    match word.kind {
        #[expect(clippy::cast_possible_truncation, reason = "checked to be a small whole number")]
        WordKind::Number(value) if value.fract() == 0.0 && (1.0..=31.0).contains(&value) => Some(value as i8),
        WordKind::Number(_) | WordKind::Word | WordKind::Date => None,
    }
}

fn month_of(word: &Word) -> Option<i8> {
    let folded = word.folded.as_str();
    let at = MONTHS.iter().position(|name| {
        let name = name.to_ascii_lowercase();
        name == folded
            || (folded.len() >= 3 && name.get(..3) == Some(folded))
            || (folded == "sept" && name == "september")
    })?;
    i8::try_from(at + 1).ok()
}

/// A half, quarter or month, with its year where one follows ("Q3 of 2024") .
fn read_part(words: &[Word]) -> Option<(usize, Period)> {
    let (length, part) = read_bare_part(words)?;
    let Period::Part { grain, number, .. } = part else { return None };
    let skip = usize::from(matches!(role(words, length), Some(Role::Of | Role::In)));
    match words.get(length + skip).and_then(as_year) {
        Some(year) => Some((length + skip + 1, Period::Part { grain, number, year: Some(year) })),
        None => Some((length, part)),
    }
}

fn read_bare_part(words: &[Word]) -> Option<(usize, Period)> {
    let first = words.first()?;
    let part = |grain, number| Period::Part { grain, number, year: None };
    for (letter, grain, most) in [('q', PartGrain::Quarter, 4), ('h', PartGrain::Half, 2)] {
        let number = first.folded.strip_prefix(letter).and_then(|rest| rest.parse::<i8>().ok());
        if let Some(number) = number.filter(|number| (1..=most).contains(number)) {
            return Some((1, part(grain, number)));
        }
    }
    let grain = match role(words, 1) {
        Some(Role::Quarter) => Some((PartGrain::Quarter, 4)),
        Some(Role::Half) => Some((PartGrain::Half, 2)),
        _ => None,
    };
    if let (Some((grain, most)), Some(number)) = (grain, ordinal(first, grain)) {
        return (1..=most).contains(&number).then(|| (2, part(grain, number)));
    }
    // "quarter 3"
    if role(words, 0) == Some(Role::Quarter)
        && let Some(number) = words.get(1).and_then(as_day).filter(|number| *number <= 4)
    {
        return Some((2, part(PartGrain::Quarter, number)));
    }
    let month = month_of(first)?;
    // "may", "march", "mar", "sun" are words of their own: only a capital makes them months here.
    let doubtful = matches!(first.folded.as_str(), "may" | "march" | "mar" | "dec" | "jan");
    (!doubtful || first.is_capitalised() || words.get(1).and_then(as_year).is_some())
        .then(|| (1, part(PartGrain::Month, month)))
}

fn ordinal(word: &Word, grain: Option<(PartGrain, i8)>) -> Option<i8> {
    let (part, most) = grain?;
    match word.folded.as_str() {
        "first" => Some(1),
        "second" => Some(2),
        "third" => Some(3),
        "fourth" => Some(4),
        "last" if part == PartGrain::Half => Some(most),
        _ => as_day(word).filter(|_| word.raw.ends_with(|c: char| c.is_alphabetic())),
    }
}

/// "last quarter", "last quarter of 2025", "this year", "past 3 months".
fn read_relative(words: &[Word]) -> Option<(usize, Period)> {
    let opened = role(words, 0)?;
    let step = match opened {
        Role::Last => -1,
        Role::This => 0,
        Role::Next => 1,
        _ => return None,
    };
    if let Some(grain) = role(words, 1).and_then(Grain::of).filter(|grain| *grain != Grain::Hour) {
        let skip = usize::from(matches!(role(words, 2), Some(Role::Of | Role::In)));
        if let (Some(year), -1, true) = (words.get(2 + skip).and_then(as_year), step, skip == 1) {
            return last_of_year(grain, year).map(|period| (4, period));
        }
        return Some((2, Period::Relative { grain, offset: step }));
    }
    let count = i32::from(as_day(words.get(1)?)?);
    let grain = role(words, 2).and_then(Grain::of).or_else(|| plural_grain(words.get(2)?));
    let grain = grain.filter(|grain| *grain != Grain::Hour)?;
    match step {
        -1 => Some((3, Period::LastFew { grain, count })),
        1 => Some((3, Period::NextFew { grain, count })),
        _ => None,
    }
}

fn last_of_year(grain: Grain, year: i16) -> Option<Period> {
    match grain {
        Grain::Quarter => Some(Period::Part { grain: PartGrain::Quarter, number: 4, year: Some(year) }),
        Grain::Month => Some(Period::Part { grain: PartGrain::Month, number: 12, year: Some(year) }),
        Grain::Day => Some(Period::Day { year, month: 12, day: 31 }),
        Grain::Week | Grain::Year | Grain::Weekday | Grain::Hour => None,
    }
}

fn plural_grain(word: &Word) -> Option<Grain> {
    match lexicon().signal(&word.stem) {
        Some(Signal::Role(role)) => Grain::of(role),
        Some(Signal::Superlative(..) | Signal::Comparative(..)) | None => None,
    }
}
