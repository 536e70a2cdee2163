//! Tests of a question as filters of a form. What a column holds decides what can be tested of it, so that a test of
//! the wrong type is told and never tried. Next: `values`.

use super::super::catalogue::{Catalogue, Flag, Written};
use super::super::form::{ColumnId, Filter, Thing};
use super::super::lexicon::{Comparator, Order};
use super::super::period::Period;
use super::super::read::VALUES_JOINED;
use super::super::source::ColumnKind;
use super::names::{Named, Names};
use super::{Is, Name, Problem, Said, Test, period, values};

/// What a yes and a no may be written as, whatever the column writes.
const YES: [&str; 4] = ["yes", "true", "1", "y"];
const NO: [&str; 4] = ["no", "false", "0", "n"];

impl Names<'_> {
    /// The filters of a test.
    pub fn filters(&self, test: &Test) -> Result<Vec<Filter>, Problem> {
        let column = match self.find(&test.column)? {
            Named::Column(column) => column,
            // The rows of a table are tested by what they are called.
            Named::Table(table) => match values::named(self.catalogue, table) {
                Some(Thing::Column(column)) => column,
                Some(_) if matches!(test.is, Is::Equal | Is::NotEqual) => return self.called(test, table),
                Some(_) | None => self.column(&test.column)?,
            },
        };
        if let Some(other) = self.other_column(test) {
            return self.beside(test, column, other?).map(|filter| vec![filter]);
        }
        let of = || self.mention(Named::Column(column));
        match test.is {
            Is::Missing => Ok(vec![Filter::Missing { of: of(), negated: false, unwritten: true }]),
            Is::Present => Ok(vec![Filter::Missing { of: of(), negated: true, unwritten: true }]),
            Is::Contains | Is::StartsWith | Is::EndsWith => self.text(test, column).map(|filter| vec![filter]),
            Is::Highest | Is::Lowest | Is::AboveAverage | Is::BelowAverage => {
                self.against_all(test.is, column).map(|filter| vec![filter])
            }
            Is::Equal | Is::NotEqual | Is::Over | Is::AtLeast | Is::Under | Is::AtMost | Is::Between | Is::During => {
                self.compared(test, column)
            }
        }
    }

    fn compared(&self, test: &Test, column: ColumnId) -> Result<Vec<Filter>, Problem> {
        let entry = self.catalogue.column(column);
        if test.values.is_empty() {
            let wanted = if test.is == Is::Between { "two values" } else { "a value" };
            return Err(Problem::Values { column: self.catalogue.column_label(column), wanted });
        }
        if let (Some(flag), Is::Equal | Is::NotEqual, [value]) = (&entry.flag, test.is, test.values.as_slice())
            && let Some(yes) = truth(flag, value)
        {
            let value = yes == (test.is == Is::Equal);
            return Ok(vec![Filter::Flag { of: self.mention(Named::Column(column)), value }]);
        }
        match entry.kind {
            ColumnKind::Date => self.dated(test, column),
            ColumnKind::Integer | ColumnKind::Real if test.values.iter().all(|value| number(value).is_some()) => {
                self.numbers(test, column)
            }
            // A number that refers to a row is told by the name of that row.
            ColumnKind::Integer | ColumnKind::Text if matches!(test.is, Is::Equal | Is::NotEqual) => {
                self.valued(test, column).map(|filter| vec![filter])
            }
            ColumnKind::Integer | ColumnKind::Real => {
                let value = test.values.iter().find(|value| number(value).is_none()).cloned().unwrap_or_default();
                Err(Problem::NoNumber { column: self.catalogue.column_label(column), value: value.0 })
            }
            ColumnKind::Text => Err(self.wrong(column, "text", "compared by size or time")),
            ColumnKind::Boolean => Err(self.wrong(column, "yes or no", "compared with anything but yes or no")),
            ColumnKind::Blob => Err(self.wrong(column, "no text", "tested")),
        }
    }

    fn wrong(&self, column: ColumnId, holds: &'static str, wanted: &'static str) -> Problem {
        Problem::WrongType { name: self.catalogue.column_label(column), holds, wanted }
    }

    /// The rows of a table by their first and last names.
    fn called(&self, test: &Test, table: super::super::form::TableId) -> Result<Vec<Filter>, Problem> {
        let key = self.catalogue.table(table).key.unwrap_or_default();
        self.valued(test, ColumnId { table, column: key }).map(|filter| vec![filter])
    }

    fn valued(&self, test: &Test, column: ColumnId) -> Result<Filter, Problem> {
        let mut found: Vec<super::super::form::Found> = Vec::new();
        for value in &test.values {
            let own = values::find(self.catalogue, column, value)?;
            match found.iter_mut().find(|other| other.place == own.place && other.via == own.via) {
                Some(other) => other.values.extend(own.values),
                None => found.push(own),
            }
        }
        if found.len() > 1 {
            let column = self.catalogue.column_label(column);
            return Err(Problem::Combination(format!("the values of the test of `{column}` are of different columns")));
        }
        let words: Vec<&str> = test.values.iter().map(|value| value.0.trim()).collect();
        Ok(Filter::Value { words: words.join(VALUES_JOINED), found, negated: test.is == Is::NotEqual })
    }

    fn numbers(&self, test: &Test, column: ColumnId) -> Result<Vec<Filter>, Problem> {
        let values: Vec<f64> = test.values.iter().filter_map(number).collect();
        let one = |comparator: Comparator, value: f64| {
            let of = self.mention(Named::Column(column));
            Filter::Number { of, comparator, value, unit: None }
        };
        let label = || self.catalogue.column_label(column);
        match (test.is, values.as_slice()) {
            (Is::Between, [from, to]) => Ok(vec![one(Comparator::AtLeast, *from), one(Comparator::AtMost, *to)]),
            (Is::Between, _) => Err(Problem::Values { column: label(), wanted: "two values" }),
            (Is::Equal | Is::During, several @ [_, _, ..]) => {
                let sides = several.iter().map(|value| vec![one(Comparator::Equal, *value)]).collect();
                Ok(vec![Filter::Either { sides }])
            }
            (Is::NotEqual, several) => Ok(several.iter().map(|value| one(Comparator::Unequal, *value)).collect()),
            (is, [value]) => comparator(is)
                .map(|comparator| vec![one(comparator, *value)])
                .ok_or_else(|| self.wrong(column, "numbers", "tested so")),
            _ => Err(Problem::Values { column: label(), wanted: "one value" }),
        }
    }

    fn dated(&self, test: &Test, column: ColumnId) -> Result<Vec<Filter>, Problem> {
        let periods: Vec<Period> = test.values.iter().map(period::of).collect::<Result<_, _>>()?;
        let within = |period: Period| Filter::Dated { of: self.mention(Named::Column(column)), period };
        let label = || self.catalogue.column_label(column);
        let wrap = |make: fn(Box<Period>) -> Period| match periods.as_slice() {
            [only] => Ok(vec![within(make(Box::new(only.clone())))]),
            _ => Err(Problem::Values { column: label(), wanted: "one time" }),
        };
        match (test.is, periods.as_slice()) {
            (Is::During | Is::Equal, [only]) => Ok(vec![within(only.clone())]),
            (Is::During | Is::Equal, several) => {
                let sides = several.iter().map(|period| vec![within(period.clone())]).collect();
                Ok(vec![Filter::Either { sides }])
            }
            (Is::Between, [from, to]) => {
                Ok(vec![within(Period::Between(Box::new(from.clone()), Box::new(to.clone())))])
            }
            (Is::Between, _) => Err(Problem::Values { column: label(), wanted: "two times" }),
            (Is::Over, _) => wrap(Period::After),
            (Is::AtLeast, _) => wrap(Period::Since),
            (Is::Under, _) => wrap(Period::Before),
            (Is::AtMost, _) => wrap(Period::Until),
            _ => Err(self.wrong(column, "dates", "tested so; use before, after or during a time")),
        }
    }

    /// A value beside all values of its column.
    fn against_all(&self, is: Is, column: ColumnId) -> Result<Filter, Problem> {
        let entry = self.catalogue.column(column);
        let of = self.mention(Named::Column(column));
        let is_end = matches!(is, Is::Highest | Is::Lowest);
        if !(entry.is_number() || (is_end && entry.kind == ColumnKind::Date)) {
            return Err(self.wrong(column, "no numbers", "compared with all others"));
        }
        Ok(match is {
            Is::Highest => Filter::End { of, order: Order::Descending },
            Is::Lowest => Filter::End { of, order: Order::Ascending },
            Is::BelowAverage => Filter::Average { of, comparator: Comparator::Under },
            _ => Filter::Average { of, comparator: Comparator::Over },
        })
    }

    fn text(&self, test: &Test, column: ColumnId) -> Result<Filter, Problem> {
        if self.catalogue.column(column).kind != ColumnKind::Text {
            return Err(self.wrong(column, "no text", "searched for text"));
        }
        let [value] = test.values.as_slice() else {
            return Err(Problem::Values { column: self.catalogue.column_label(column), wanted: "one text" });
        };
        Ok(Filter::Text {
            of: Some(self.mention(Named::Column(column))),
            text: value.0.trim().to_owned(),
            start: test.is == Is::StartsWith,
            end: test.is == Is::EndsWith,
            negated: false,
        })
    }

    /// The column that stands in the place of a value.
    fn other_column(&self, test: &Test) -> Option<Result<ColumnId, Problem>> {
        let [value] = test.values.as_slice() else { return None };
        let is_name = value.0.contains('.') && number(value).is_none();
        match self.find(&Name(value.0.clone())) {
            Ok(Named::Column(other)) if is_name => Some(Ok(other)),
            _ => None,
        }
    }

    fn beside(&self, test: &Test, first: ColumnId, second: ColumnId) -> Result<Filter, Problem> {
        let (made, value) = match test.is {
            Is::Over => (self.later(first, second)?, true),
            Is::Under => (self.later(second, first)?, true),
            Is::AtMost => (self.later(first, second)?, false),
            Is::AtLeast => (self.later(second, first)?, false),
            _ => {
                let text = "two columns of a row can only be compared by over, under, at_least or at_most";
                return Err(Problem::Combination(text.to_owned()));
            }
        };
        let mut of = self.mention(Named::Column(made));
        of.words = self.catalogue.column_label(made);
        Ok(Filter::Flag { of, value })
    }
}

/// The comparison with a number.
pub fn comparator(is: Is) -> Option<Comparator> {
    Some(match is {
        Is::Equal | Is::During => Comparator::Equal,
        Is::NotEqual => Comparator::Unequal,
        Is::Over => Comparator::Over,
        Is::AtLeast => Comparator::AtLeast,
        Is::Under => Comparator::Under,
        Is::AtMost => Comparator::AtMost,
        Is::Between
        | Is::Contains
        | Is::StartsWith
        | Is::EndsWith
        | Is::Missing
        | Is::Present
        | Is::Highest
        | Is::Lowest
        | Is::AboveAverage
        | Is::BelowAverage => return None,
    })
}

/// A number as people write it.
pub fn number(said: &Said) -> Option<f64> {
    let text = said.0.trim().replace(['_', ' '], "");
    text.parse().ok().or_else(|| text.replace(',', "").parse().ok()).filter(|number: &f64| number.is_finite())
}

/// Whether a value says yes or no of a column; none where it says neither.
fn truth(flag: &Flag, value: &Said) -> Option<bool> {
    let text = value.0.trim().to_lowercase();
    let written = |all: &[String]| all.iter().any(|own| own.eq_ignore_ascii_case(&text));
    match &flag.written {
        Some(Written::Text { yes, .. }) if written(yes) => return Some(true),
        Some(Written::Text { no, .. }) if written(no) => return Some(false),
        _ => {}
    }
    match (YES.contains(&text.as_str()), NO.contains(&text.as_str())) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Whether any of the filters denies something.
pub fn denies(filters: &[Filter]) -> bool {
    filters.iter().any(|filter| match filter {
        Filter::Value { negated, .. } | Filter::Text { negated, .. } | Filter::Weekdays { negated, .. } => *negated,
        Filter::Among { negated, .. } => *negated,
        Filter::Number { comparator, .. } => {
            matches!(comparator, Comparator::Unequal | Comparator::Under | Comparator::AtMost | Comparator::AtLeast)
        }
        Filter::Missing { negated, .. } => !negated,
        Filter::Flag { value, .. } => !value,
        Filter::Never { .. } | Filter::Lacks { .. } | Filter::Outside { .. } => true,
        Filter::Some { filters, .. } => denies(filters),
        Filter::Either { sides } => sides.iter().any(|side| denies(side)),
        Filter::Average { .. } | Filter::End { .. } | Filter::Dated { .. } | Filter::During { .. } => false,
    })
}

/// A catalogue by its names.
pub fn names(catalogue: &Catalogue) -> Names<'_> {
    Names { catalogue }
}
