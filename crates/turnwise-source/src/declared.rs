//! What a database column holds: its declared type, checked against a sample of its values. SQLite lets any column hold
//! anything, and knows no dates and booleans, so neither source alone can be trusted. Next: `database`.

use rusqlite::types::ValueRef;

use super::{ColumnKind, dates};

/// The values of a column that were looked at, counted by what they are.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    integers: u32,
    /// Those of the integers that are 0 or 1.
    truths: u32,
    reals: u32,
    texts: u32,
    /// Those of the texts that are ISO dates.
    dates: u32,
    blobs: u32,
}

impl Sample {
    /// Counts one value.
    pub fn add(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Null => {}
            ValueRef::Integer(number) => {
                self.integers += 1;
                self.truths += u32::from(number == 0 || number == 1);
            }
            ValueRef::Real(_) => self.reals += 1,
            ValueRef::Text(text) => {
                self.texts += 1;
                self.dates += u32::from(std::str::from_utf8(text).is_ok_and(dates::is_iso));
            }
            ValueRef::Blob(_) => self.blobs += 1,
        }
    }

    /// What the column holds, with a note where declaration and values differ.
    pub fn judge(&self, column: &str, declaration: &str) -> (ColumnKind, Option<String>) {
        let declared = Declared::parse(declaration);
        let kind = self.kind(declared);
        let expected = match declared {
            Declared::Integer => Some(ColumnKind::Integer),
            Declared::Real => Some(ColumnKind::Real),
            Declared::Date => Some(ColumnKind::Date),
            Declared::Boolean => Some(ColumnKind::Boolean),
            // Whole and real numbers are both what these promise.
            Declared::Number | Declared::Text | Declared::Blob | Declared::Nothing => None,
        };
        let note =
            expected.filter(|expected| *expected != kind && !(is_number(*expected) && is_number(kind))).map(|_| {
                format!("The column {column} is declared {declaration} but holds {}; it is read as that.", words(kind))
            });
        (kind, note)
    }

    fn kind(&self, declared: Declared) -> ColumnKind {
        let all = self.integers + self.reals + self.texts + self.blobs;
        if all == 0 {
            return declared.without_values();
        }
        if self.blobs == all {
            return ColumnKind::Blob;
        }
        if self.texts > 0 || self.blobs > 0 {
            return if self.dates == all { ColumnKind::Date } else { ColumnKind::Text };
        }
        if self.reals > 0 {
            return ColumnKind::Real;
        }
        match declared {
            Declared::Boolean if self.truths == all => ColumnKind::Boolean,
            // Amounts that happen to be whole are still amounts.
            Declared::Real => ColumnKind::Real,
            _ => ColumnKind::Integer,
        }
    }
}

/// What a declaration promises: SQLite's affinities, with the dates and booleans it treats as plain numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Integer,
    Real,
    /// `NUMERIC`, or a word SQLite does not know.
    Number,
    Date,
    Boolean,
    Text,
    Blob,
    Nothing,
}

impl Declared {
    /// SQLite's own rules in their order (datatype3, section 3.1), after the words for dates and booleans.
    fn parse(declaration: &str) -> Self {
        let word = declaration.to_ascii_uppercase();
        let has = |part: &str| word.contains(part);
        if word.trim().is_empty() {
            Self::Nothing
        } else if has("DATE") || has("TIMESTAMP") {
            Self::Date
        } else if has("BOOL") {
            Self::Boolean
        } else if has("INT") {
            Self::Integer
        } else if has("CHAR") || has("CLOB") || has("TEXT") {
            Self::Text
        } else if has("BLOB") {
            Self::Blob
        } else if has("REAL") || has("FLOA") || has("DOUB") || has("MONEY") || has_decimals(&word) {
            Self::Real
        } else {
            Self::Number
        }
    }

    fn without_values(self) -> ColumnKind {
        match self {
            Self::Integer => ColumnKind::Integer,
            Self::Real | Self::Number => ColumnKind::Real,
            Self::Date => ColumnKind::Date,
            Self::Boolean => ColumnKind::Boolean,
            Self::Text | Self::Nothing => ColumnKind::Text,
            Self::Blob => ColumnKind::Blob,
        }
    }
}

/// Whether a declaration such as `NUMERIC(10,2)` keeps digits after the point.
fn has_decimals(word: &str) -> bool {
    word.split_once(',')
        .is_some_and(|(_, scale)| scale.trim_end_matches(')').trim().parse().is_ok_and(|scale: u32| scale > 0))
}

fn is_number(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Integer | ColumnKind::Real)
}

fn words(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "whole numbers",
        ColumnKind::Real => "numbers",
        ColumnKind::Date => "dates",
        ColumnKind::Boolean => "true and false",
        ColumnKind::Text => "text or a mixture",
        ColumnKind::Blob => "bytes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(declaration: &str, values: &[ValueRef<'_>], kind: ColumnKind, noted: bool) {
        let mut sample = Sample::default();
        for value in values {
            sample.add(*value);
        }
        let (found, note) = sample.judge("c", declaration);
        assert_eq!((found, note.is_some()), (kind, noted), "{declaration} with {values:?}: {note:?}");
    }

    #[test]
    fn declarations_that_the_values_keep() {
        let date = ValueRef::Text(b"2021-01-01 00:00:00");
        check("INTEGER", &[ValueRef::Integer(7), ValueRef::Null], ColumnKind::Integer, false);
        check("NUMERIC(10,2)", &[ValueRef::Real(0.99), ValueRef::Integer(1)], ColumnKind::Real, false);
        check("NUMERIC(10,2)", &[ValueRef::Integer(1)], ColumnKind::Real, false);
        check("NUMERIC", &[ValueRef::Integer(1)], ColumnKind::Integer, false);
        check("NVARCHAR(160)", &[ValueRef::Text(b"a")], ColumnKind::Text, false);
        check("DATETIME", &[date], ColumnKind::Date, false);
        check("TEXT", &[date, ValueRef::Null], ColumnKind::Date, false);
        check("BOOLEAN", &[ValueRef::Integer(1), ValueRef::Integer(0)], ColumnKind::Boolean, false);
        check("", &[ValueRef::Integer(7)], ColumnKind::Integer, false);
        check("BLOB", &[ValueRef::Blob(&[1])], ColumnKind::Blob, false);
    }

    #[test]
    fn declarations_that_the_values_break_are_noted() {
        check("INTEGER", &[ValueRef::Integer(7), ValueRef::Text(b"n/a")], ColumnKind::Text, true);
        check("DATE", &[ValueRef::Integer(1_700_000_000)], ColumnKind::Integer, true);
        check("DATE", &[ValueRef::Text(b"tomorrow")], ColumnKind::Text, true);
        check("BOOLEAN", &[ValueRef::Integer(2)], ColumnKind::Integer, true);
    }

    #[test]
    fn empty_columns_are_what_they_are_declared() {
        check("DATE", &[], ColumnKind::Date, false);
        check("VARCHAR(3)", &[ValueRef::Null], ColumnKind::Text, false);
    }
}
