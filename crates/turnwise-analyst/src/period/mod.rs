//! Times as people say them ("Q3 2024", "last quarter of 2025", "since March", "between 2022 and 2024") and what they
//! come to as dates. Relative times count from the last date of the data, not from a clock, and say so. Next: `read`,
//! which finds them in words.

mod read;

use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::lexicon::Role;

pub use read::{read, spell_out};

/// How it begins to be said that a period has no rows.
pub const NO_DATA: &str = "There is no data for “";

/// A length of time that rows are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grain {
    Day,
    Week,
    Month,
    Quarter,
    Year,
    /// Monday to Sunday, whatever the date.
    Weekday,
    /// The hour of the day, whatever the date.
    Hour,
}

/// A time as said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    Year(i16),
    /// A half, quarter or month of a year, of the latest such in the data when no year is said.
    Part {
        grain: PartGrain,
        number: i8,
        year: Option<i16>,
    },
    Day {
        year: i16,
        month: i8,
        day: i8,
    },
    /// A day of the latest such year in the data.
    DayOfYear {
        month: i8,
        day: i8,
    },
    /// `offset` grains after the current one; "last month" is −1.
    Relative {
        grain: Grain,
        offset: i32,
    },
    /// The last `count` grains, the current one included.
    LastFew {
        grain: Grain,
        count: i32,
    },
    /// The `count` grains after the current one.
    NextFew {
        grain: Grain,
        count: i32,
    },
    Since(Box<Period>),
    After(Box<Period>),
    Before(Box<Period>),
    Until(Box<Period>),
    Between(Box<Period>, Box<Period>),
}

/// A part of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartGrain {
    Half,
    Quarter,
    Month,
}

/// A time as dates: from the first, up to but without the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Option<Date>,
    pub until: Option<Date>,
}

impl PartGrain {
    fn months(self) -> i8 {
        match self {
            Self::Half => 6,
            Self::Quarter => 3,
            Self::Month => 1,
        }
    }
}

impl Grain {
    /// Its name, also that of its column.
    pub fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::Weekday => "weekday",
            Self::Hour => "hour",
        }
    }

    /// The grain a single word names.
    pub fn of(role: Role) -> Option<Self> {
        Some(match role {
            Role::Day | Role::GrainDay => Self::Day,
            Role::Week | Role::GrainWeek => Self::Week,
            Role::Month | Role::GrainMonth => Self::Month,
            Role::Quarter | Role::GrainQuarter => Self::Quarter,
            Role::Year | Role::GrainYear => Self::Year,
            Role::Weekday => Self::Weekday,
            Role::Hour => Self::Hour,
            _ => return None,
        })
    }

    /// The first day of the grain that `date` is in, moved by `offset` grains; none beyond the calendar.
    pub fn start(self, date: Date, offset: i32) -> Option<Date> {
        let span = match self {
            Self::Day | Self::Weekday | Self::Hour => offset.days(),
            Self::Week => offset.weeks(),
            Self::Month => offset.months(),
            Self::Quarter => offset.checked_mul(3)?.months(),
            Self::Year => offset.years(),
        };
        let first = match self {
            Self::Day | Self::Weekday | Self::Hour => date,
            Self::Week => date.checked_sub(i32::from(date.weekday().to_monday_zero_offset()).days()).ok()?,
            Self::Month => date.first_of_month(),
            Self::Quarter => Date::new(date.year(), (date.month() - 1) / 3 * 3 + 1, 1).ok()?,
            Self::Year => date.first_of_year(),
        };
        first.checked_add(span).ok()
    }
}

impl Period {
    /// The dates it comes to, when the data ends on `last`; none when it is beyond the calendar.
    pub fn span(&self, last: Date) -> Option<Span> {
        let closed = |from: Date, until: Date| Span { from: Some(from), until: Some(until) };
        Some(match self {
            Self::Year(year) => closed(Date::new(*year, 1, 1).ok()?, Date::new(year.checked_add(1)?, 1, 1).ok()?),
            Self::Part { grain, number, year } => {
                let from = part_start(*grain, *number, *year, last)?;
                closed(from, from.checked_add(i32::from(grain.months()).months()).ok()?)
            }
            Self::Day { year, month, day } => {
                let from = Date::new(*year, *month, *day).ok()?;
                closed(from, from.tomorrow().ok()?)
            }
            Self::DayOfYear { month, day } => {
                let this = Date::new(last.year(), *month, *day).ok().filter(|date| *date <= last);
                let from = this.or_else(|| Date::new(last.year() - 1, *month, *day).ok())?;
                closed(from, from.tomorrow().ok()?)
            }
            Self::Relative { grain, offset } => closed(grain.start(last, *offset)?, grain.start(last, offset + 1)?),
            Self::LastFew { grain, count } => {
                closed(grain.start(last, 1i32.checked_sub(*count)?)?, grain.start(last, 1)?)
            }
            Self::NextFew { grain, count } => closed(grain.start(last, 1)?, grain.start(last, count.checked_add(1)?)?),
            Self::Since(start) => Span { from: start.span(last)?.from, until: None },
            Self::After(end) => Span { from: end.span(last)?.until, until: None },
            Self::Before(start) => Span { from: None, until: start.span(last)?.from },
            Self::Until(end) => Span { from: None, until: end.span(last)?.until },
            Self::Between(start, end) => Span { from: start.span(last)?.from, until: end.span(last)?.until },
        })
    }

    /// The same time with `year` where it said none.
    pub fn in_year(self, year: i16) -> Self {
        match self {
            Self::Part { grain, number, year: None } => Self::Part { grain, number, year: Some(year) },
            Self::DayOfYear { month, day } => Self::Day { year, month, day },
            Self::Since(inner) => Self::Since(Box::new(inner.in_year(year))),
            Self::After(inner) => Self::After(Box::new(inner.in_year(year))),
            Self::Before(inner) => Self::Before(Box::new(inner.in_year(year))),
            Self::Until(inner) => Self::Until(Box::new(inner.in_year(year))),
            Self::Between(start, end) => Self::Between(Box::new(start.in_year(year)), Box::new(end.in_year(year))),
            Self::Year(_)
            | Self::Part { .. }
            | Self::Day { .. }
            | Self::Relative { .. }
            | Self::LastFew { .. }
            | Self::NextFew { .. } => self,
        }
    }

    /// The year it lies in, if it says one.
    pub fn year(&self) -> Option<i16> {
        match self {
            Self::Year(year) | Self::Day { year, .. } => Some(*year),
            Self::Part { year, .. } => *year,
            Self::Since(inner) | Self::After(inner) | Self::Before(inner) | Self::Until(inner) => inner.year(),
            Self::Between(_, end) => end.year(),
            Self::DayOfYear { .. } | Self::Relative { .. } | Self::LastFew { .. } | Self::NextFew { .. } => None,
        }
    }

    /// Whether what it comes to depends on where the data ends.
    pub fn is_relative(&self) -> bool {
        match self {
            Self::Year(_) | Self::Day { .. } => false,
            Self::Part { year, .. } => year.is_none(),
            Self::DayOfYear { .. } | Self::Relative { .. } | Self::LastFew { .. } | Self::NextFew { .. } => true,
            Self::Since(inner) | Self::After(inner) | Self::Before(inner) | Self::Until(inner) => inner.is_relative(),
            Self::Between(start, end) => start.is_relative() || end.is_relative(),
        }
    }

    /// The period of the same length before it: what "compared with last year" means.
    pub fn previous(&self) -> Option<Self> {
        Some(match self {
            Self::Year(year) => Self::Year(year.checked_sub(1)?),
            Self::Part { grain, number, year: Some(year) } => {
                let most = 12 / grain.months();
                let (number, year) = if *number > 1 { (number - 1, *year) } else { (most, year.checked_sub(1)?) };
                Self::Part { grain: *grain, number, year: Some(year) }
            }
            Self::Relative { grain, offset } => Self::Relative { grain: *grain, offset: offset.checked_sub(1)? },
            _ => return None,
        })
    }

    /// How people write it.
    pub fn label(&self) -> String {
        match self {
            Self::Year(year) => year.to_string(),
            Self::Part { grain, number, year } => {
                let part = match grain {
                    PartGrain::Half => format!("H{number}"),
                    PartGrain::Quarter => format!("Q{number}"),
                    PartGrain::Month => month_name(*number).to_owned(),
                };
                year.map_or_else(|| part.clone(), |year| format!("{part} {year}"))
            }
            Self::Day { year, month, day } => format!("{year:04}-{month:02}-{day:02}"),
            Self::DayOfYear { month, day } => format!("{} {day}", month_name(*month)),
            Self::Relative { grain, offset: 0 } => format!("this {}", grain.name()),
            Self::Relative { grain, offset: -1 } => format!("last {}", grain.name()),
            Self::Relative { grain, offset: 1 } => format!("next {}", grain.name()),
            Self::Relative { grain, offset } => format!("{} {}s before this one", -offset, grain.name()),
            Self::LastFew { grain, count } => format!("last {count} {}s", grain.name()),
            Self::NextFew { grain, count } => format!("next {count} {}s", grain.name()),
            Self::Since(inner) => format!("since {}", inner.label()),
            Self::After(inner) => format!("after {}", inner.label()),
            Self::Before(inner) => format!("before {}", inner.label()),
            Self::Until(inner) => format!("until {}", inner.label()),
            Self::Between(start, end) => format!("{} to {}", start.label(), end.label()),
        }
    }
}

/// The latest such part that has begun by `last`, or that of the year said.
fn part_start(grain: PartGrain, number: i8, year: Option<i16>, last: Date) -> Option<Date> {
    let month = (number.checked_sub(1)?).checked_mul(grain.months())?.checked_add(1)?;
    let wanted = Date::new(year.unwrap_or(last.year()), month, 1).ok()?;
    if year.is_none() && wanted > last { Date::new(last.year().checked_sub(1)?, month, 1).ok() } else { Some(wanted) }
}

/// Months of the year as people call them.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn month_name(number: i8) -> &'static str {
    usize::try_from(number - 1).ok().and_then(|at| MONTHS.get(at)).copied().unwrap_or("month")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::words;

    fn check(text: &str, expected: &str) {
        let words = words::split(text);
        let (length, period) = read(&words).unwrap_or_else(|| panic!("no time in `{text}`"));
        assert_eq!(length, words.len(), "`{text}` was read in part: {period:?}");
        let span = period.span(Date::constant(2025, 12, 22)).unwrap();
        let side = |date: Option<Date>| date.map_or_else(String::new, |date| date.to_string());
        assert_eq!(format!("{}..{}", side(span.from), side(span.until)), expected, "{text}");
    }

    #[test]
    fn times_are_read_as_people_say_them() {
        for (text, expected) in [
            ("2024", "2024-01-01..2025-01-01"),
            ("Q3 2024", "2024-07-01..2024-10-01"),
            ("third quarter of 2024", "2024-07-01..2024-10-01"),
            ("2024 Q3", "2024-07-01..2024-10-01"),
            ("last quarter of 2025", "2025-10-01..2026-01-01"),
            ("last quarter", "2025-07-01..2025-10-01"),
            ("last year", "2024-01-01..2025-01-01"),
            ("past 3 months", "2025-10-01..2026-01-01"),
            ("since March", "2025-03-01.."),
            ("since March 2023", "2023-03-01.."),
            ("after 2023", "2024-01-01.."),
            ("before 2022", "..2022-01-01"),
            ("between 2022 and 2024", "2022-01-01..2025-01-01"),
            ("from March to May 2024", "2024-03-01..2024-06-01"),
            ("January to March 2023", "2023-01-01..2023-04-01"),
            ("5 March 2024", "2024-03-05..2024-03-06"),
            ("2024-03", "2024-03-01..2024-04-01"),
            ("H1 2024", "2024-01-01..2024-07-01"),
            ("first half of 2024", "2024-01-01..2024-07-01"),
            ("until June 2022", "..2022-07-01"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_part_without_year_is_the_latest_in_the_data() {
        let words = words::split("May");
        let (_, period) = read(&words).unwrap();
        let span = period.span(Date::constant(2024, 3, 1)).unwrap();
        assert_eq!(span.from, Some(Date::constant(2023, 5, 1)));
        assert!(read(&words::split("may we")).is_none());
    }
}
