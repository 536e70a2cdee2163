//! Columns that no table has but that two of its columns make: the days from one date to another, whether one date is
//! after another, whether one number is above another. Such a column is nothing but its number, which lies beyond those
//! of all tables and says what it is made of, so nothing is kept for the many pairs there may be. Next:
//! `read/lasting.rs` for the words that mean one, `resolve/lasting.rs`, which writes them out.

use std::sync::LazyLock;

use super::{AxisPlace, Catalogue, ColumnEntry, ColumnPart, Flag, Path};
use crate::assistant::analyst::form::{ColumnId, TableId};
use crate::assistant::analyst::source::ColumnKind;
use crate::assistant::analyst::words;

/// What two columns make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Making {
    /// The time from the first date to the second.
    Time(Unit),
    /// Whether the first date is after the second.
    Later,
    /// Whether the first number is above the second.
    Above,
    /// Whether the first number is that of the second or above it.
    AtLeast,
}

/// What time is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Minutes,
    Hours,
    Days,
    Weeks,
    Months,
    Years,
}

impl Unit {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Minutes => "minutes",
            Self::Hours => "hours",
            Self::Days => "days",
            Self::Weeks => "weeks",
            Self::Months => "months",
            Self::Years => "years",
        }
    }

    /// How many days it is.
    pub fn days(self) -> f64 {
        match self {
            Self::Minutes => 1.0 / 1440.0,
            Self::Hours => 1.0 / 24.0,
            Self::Days => 1.0,
            Self::Weeks => 7.0,
            Self::Months => 365.25 / 12.0,
            Self::Years => 365.25,
        }
    }
}

/// A column made of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// How.
    pub making: Making,
    /// Of which.
    pub first: ColumnId,
    /// And which other.
    pub second: ColumnId,
}

/// All ways, by the number that stands for each.
const MAKINGS: [Making; 9] = [
    Making::Later,
    Making::Above,
    Making::AtLeast,
    Making::Time(Unit::Minutes),
    Making::Time(Unit::Hours),
    Making::Time(Unit::Days),
    Making::Time(Unit::Weeks),
    Making::Time(Unit::Months),
    Making::Time(Unit::Years),
];
/// Marks the number of a made column; small enough for a number in JSON.
const MARK: u64 = 1 << 52;
/// Bits for the position of a table.
const TABLE_BITS: u32 = 14;
/// Bits for the position of a column in it.
const COLUMN_BITS: u32 = 10;
/// Bits for one of the two columns.
const END_BITS: u32 = TABLE_BITS + COLUMN_BITS;

static TIMES: LazyLock<Vec<ColumnEntry>> = LazyLock::new(|| {
    let named = |making: &Making| match making {
        Making::Time(unit) => entry(unit.name(), ColumnKind::Real),
        Making::Later | Making::Above | Making::AtLeast => entry("", ColumnKind::Real),
    };
    MAKINGS.iter().map(named).collect()
});
static LATER: LazyLock<ColumnEntry> = LazyLock::new(|| entry("late", ColumnKind::Boolean));
static ABOVE: LazyLock<ColumnEntry> = LazyLock::new(|| entry("above", ColumnKind::Boolean));

fn entry(name: &str, kind: ColumnKind) -> ColumnEntry {
    let flag = (kind == ColumnKind::Boolean).then_some(Flag { written: None, unsaid: 0, rows: 0 });
    let (name, stems) = (name.to_owned(), words::split_name(name));
    ColumnEntry { name, stems, kind, part: ColumnPart::Attribute, distinct: None, flag }
}

impl Made {
    /// The made column a position stands for.
    pub fn of(column: usize) -> Option<Self> {
        let number = u64::try_from(column).ok().filter(|number| number & MARK != 0)? & !MARK;
        let end = |number: u64| {
            let number = usize::try_from(number & ((1 << END_BITS) - 1)).ok()?;
            Some(ColumnId { table: TableId(number >> COLUMN_BITS), column: number & ((1 << COLUMN_BITS) - 1) })
        };
        let making = *MAKINGS.get(usize::try_from(number >> (2 * END_BITS)).ok()?)?;
        Some(Self { making, first: end(number >> END_BITS)?, second: end(number)? })
    }

    /// The position that stands for it; none where there are more tables or columns than it can say.
    fn position(self) -> Option<usize> {
        let making = u64::try_from(MAKINGS.iter().position(|making| *making == self.making)?).ok()?;
        let end = |of: ColumnId| {
            let fits = of.table.0 < 1 << TABLE_BITS && of.column < 1 << COLUMN_BITS;
            fits.then_some(u64::try_from((of.table.0 << COLUMN_BITS) | of.column).ok()?)
        };
        usize::try_from(MARK | (making << (2 * END_BITS)) | (end(self.first)? << END_BITS) | end(self.second)?).ok()
    }

    /// What it looks like as a column.
    pub fn entry(self) -> &'static ColumnEntry {
        match self.making {
            Making::Time(_) => {
                let at = MAKINGS.iter().position(|making| *making == self.making).unwrap_or_default();
                &TIMES[at]
            }
            Making::Later => &LATER,
            Making::Above | Making::AtLeast => &ABOVE,
        }
    }

    /// What it is, for people.
    pub fn label(self, catalogue: &Catalogue) -> String {
        let (first, second) = (catalogue.column_label(self.first), catalogue.column_label(self.second));
        match self.making {
            Making::Time(unit) => format!("{} from {first} to {second}", unit.name()),
            Making::Later => format!("{first} after {second}"),
            Making::Above => format!("{first} above {second}"),
            Making::AtLeast => format!("{first} at least {second}"),
        }
    }
}

impl Catalogue {
    /// The column two others make: it is one of the rows that have the one and have or refer to the other. None where
    /// they are of rows that have nothing to do with each other, or in more ways than one.
    pub fn made(&self, making: Making, first: ColumnId, second: ColumnId) -> Option<ColumnId> {
        let table = [first.table, second.table].into_iter().find(|home| {
            let near = |end: TableId| self.only_path(*home, end).is_some_and(|path| path.0.len() <= 1);
            near(first.table) && near(second.table)
        })?;
        let column = Made { making, first, second }.position().filter(|_| first != second)?;
        Some(ColumnId { table, column })
    }

    /// The shortest way to a table, where no other is as short.
    pub fn only_path(&self, from: TableId, to: TableId) -> Option<&Path> {
        let paths = self.paths(from, to);
        let shortest = paths.first()?;
        let rival = paths.get(1).is_some_and(|other| other.0.len() == shortest.0.len());
        (!rival).then_some(shortest)
    }

    /// Whether a date is one of day and hour.
    pub fn has_clock(&self, date: ColumnId) -> bool {
        let own = |axis: &&super::TimeAxis| axis.place == AxisPlace::Column(date.column);
        self.table(date.table).axes.iter().find(own).is_some_and(|axis| axis.clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_made_column_is_told_from_its_position_alone() {
        let end = |table, column| ColumnId { table: TableId(table), column };
        for making in MAKINGS {
            let made = Made { making, first: end(0, 1023), second: end(16383, 7) };
            assert_eq!(made.position().and_then(Made::of), Some(made));
        }
        let wide = Made { making: Making::Later, first: end(0, 1024), second: end(1, 0) };
        assert_eq!(wide.position(), None);
        assert_eq!(Made::of(1023), None);
    }
}
