//! Columns that no table has but that two of its columns make: the days from one date to another, whether one date is
//! after another, whether one number is above another. Such a column is nothing but its number, which lies beyond those
//! of all tables and says what it is made of, so nothing is kept for the many pairs there may be. Next:
//! `read/lasting.rs` for the words that mean one, `resolve/lasting.rs`, which writes them out.

use std::sync::LazyLock;

use super::{AxisPlace, Catalogue, ColumnEntry, ColumnPart, Flag, Path};
use crate::form::{ColumnId, TableId};
use crate::source::ColumnKind;
use crate::words;

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
    /// Whether the two are the same: a trip's start and its end.
    Same,
    /// Whether the first, a number or a date, is above that of the row of the same table that the second refers to.
    OverTheirs,
    /// Whether it is below that.
    UnderTheirs,
    /// Whether it is the same as that.
    SameTheirs,
    /// Whether any row of the same table refers to it by the column.
    Referred,
    /// Whether more rows refer to it by the first column than by the second.
    MoreReferring,
    /// Whether the first column, a number, is above 0; the second is the same.
    Positive,
}

impl Making {
    /// Whether the second column leads to another row, of which the first is taken once more.
    pub fn is_of_two_rows(self) -> bool {
        matches!(self, Self::OverTheirs | Self::UnderTheirs | Self::SameTheirs)
    }
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
const MAKINGS: [Making; 16] = [
    Making::Later,
    Making::Above,
    Making::AtLeast,
    Making::Time(Unit::Minutes),
    Making::Time(Unit::Hours),
    Making::Time(Unit::Days),
    Making::Time(Unit::Weeks),
    Making::Time(Unit::Months),
    Making::Time(Unit::Years),
    Making::Same,
    Making::OverTheirs,
    Making::UnderTheirs,
    Making::SameTheirs,
    Making::Referred,
    Making::MoreReferring,
    Making::Positive,
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
        Making::Later
        | Making::Above
        | Making::AtLeast
        | Making::Same
        | Making::OverTheirs
        | Making::UnderTheirs
        | Making::SameTheirs
        | Making::Referred
        | Making::MoreReferring
        | Making::Positive => entry("", ColumnKind::Real),
    };
    MAKINGS.iter().map(named).collect()
});
static LATER: LazyLock<ColumnEntry> = LazyLock::new(|| entry("late", ColumnKind::Boolean));
static ABOVE: LazyLock<ColumnEntry> = LazyLock::new(|| entry("above", ColumnKind::Boolean));
static BELOW: LazyLock<ColumnEntry> = LazyLock::new(|| entry("below", ColumnKind::Boolean));
static REFERRED: LazyLock<ColumnEntry> = LazyLock::new(|| entry("referred", ColumnKind::Boolean));
static POSITIVE: LazyLock<ColumnEntry> = LazyLock::new(|| entry("above 0", ColumnKind::Boolean));
static SAME: LazyLock<ColumnEntry> = LazyLock::new(|| entry("same", ColumnKind::Boolean));

fn entry(name: &str, kind: ColumnKind) -> ColumnEntry {
    let flag = (kind == ColumnKind::Boolean).then_some(Flag { written: None, unsaid: 0, rows: 0 });
    let (name, stems) = (name.to_owned(), words::split_name(name));
    ColumnEntry { name, stems, kind, part: ColumnPart::Attribute, distinct: None, flag, fraction: false }
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
            Making::Above | Making::AtLeast | Making::OverTheirs => &ABOVE,
            Making::UnderTheirs => &BELOW,
            Making::Same | Making::SameTheirs => &SAME,
            Making::Positive => &POSITIVE,
            Making::Referred | Making::MoreReferring => &REFERRED,
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
            Making::Same => format!("{first} the same as {second}"),
            Making::OverTheirs | Making::UnderTheirs => {
                let dated = catalogue.column(self.first).kind == ColumnKind::Date;
                let beside = match (dated, self.making == Making::OverTheirs) {
                    (true, true) => "after",
                    (true, false) => "before",
                    (false, true) => "above",
                    (false, false) => "below",
                };
                format!("{first} {beside} that of {second}")
            }
            Making::SameTheirs => format!("{first} the same as that of {second}"),
            Making::Referred => format!("a row that some {second} refers to"),
            Making::MoreReferring => format!("more rows by {first} than by {second}"),
            Making::Positive => format!("{first} above 0"),
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

    /// The column that says how something of a row compares with the same of the row that `role` refers to. None where
    /// that is no row of the same table, or where a row has several or none of it.
    pub fn made_of_theirs(&self, making: Making, of: ColumnId, role: ColumnId) -> Option<ColumnId> {
        let own = self.only_path(role.table, of.table).is_some() || self.current_of(of.table, role.table).is_some();
        let column = Made { making, first: of, second: role }.position().filter(|_| own && of != role)?;
        self.is_of_itself(role).then_some(ColumnId { table: role.table, column })
    }

    /// The column that says whether any row refers to a row of the same table by `role`.
    pub fn made_of_referred(&self, role: ColumnId) -> Option<ColumnId> {
        let column = Made { making: Making::Referred, first: role, second: role }.position()?;
        self.is_of_itself(role).then_some(ColumnId { table: role.table, column })
    }

    /// The column that says whether more rows refer to a row by one of their columns than by another.
    pub fn made_of_counts(&self, more: ColumnId, less: ColumnId) -> Option<ColumnId> {
        let to = |column: ColumnId| self.role_join(column).map(|join| self.join(join).to);
        let table = to(more).filter(|table| to(less) == Some(*table) && more.table == less.table)?;
        let column = Made { making: Making::MoreReferring, first: more, second: less }.position()?;
        (more != less).then_some(ColumnId { table, column })
    }

    /// The column that says whether a number is above 0.
    pub fn made_of_positive(&self, of: ColumnId) -> Option<ColumnId> {
        let column = Made { making: Making::Positive, first: of, second: of }.position()?;
        self.column(of).is_number().then_some(ColumnId { table: of.table, column })
    }

    /// The shortest way to a table, where no other is as short.
    pub fn only_path(&self, from: TableId, to: TableId) -> Option<&Path> {
        let paths = self.paths(from, to);
        let shortest = paths.first().filter(|path| !path.0.iter().any(|id| self.join(*id).by_day))?;
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
