//! The tests a form's filters come to. Most are one test on a value of the row; those on related rows may be several.
//! Next: `related`, `never`.

use turnwise_core::Cell;

use super::Trouble;
use super::assemble::Frame;
use super::related::Related;
use super::weigh::{Misfit, Reading, Target, Use, weigh_value};
use crate::form::{Filter, Found};
use crate::lexicon::lexicon;
use crate::query::Test;
use crate::source::ColumnKind;

/// Different texts up to which a column is looked through for those that hold several values.
const LISTED_MAX: u64 = 200;
/// A minute in the unit of lengths: a column that does not say its own is hardly in anything longer.
const MINUTE: f64 = 60_000.0;

impl Frame<'_> {
    /// All tests of the form.
    pub fn tests(&mut self) -> Result<Vec<Test>, Misfit> {
        let form = self.form;
        let mut tests: Vec<Test> = Vec::new();
        for filter in &form.filters {
            tests.extend(self.tests_of(filter)?);
        }
        if let Some(period) = form.periods.first() {
            tests.push(self.time_test(period, false)?);
        }
        Ok(tests)
    }

    /// The tests of one filter.
    pub fn tests_of(&mut self, filter: &Filter) -> Result<Vec<Test>, Misfit> {
        let one = match filter {
            Filter::Value { words, found, negated } => return self.value_test(words, found, *negated),
            Filter::Number { of, comparator, value, unit } => {
                let reading = self.weigh_home(of, Use::Number)?;
                self.check_number(&reading)?;
                let value = match unit {
                    Some(unit) => self.in_unit_of(&reading, *value, *unit)?,
                    None => *value,
                };
                self.note_reading(&of.words, &reading);
                Test::Number { of: self.value_of(&reading), comparator: *comparator, value }
            }
            // Airports that are never a destination: no row refers to them by that column.
            Filter::Missing { of, negated: false, .. } if self.is_referred_by(of) => return self.lacks(of),
            Filter::Missing { of, negated, unwritten } => return self.missing(of, *negated, *unwritten),
            Filter::Flag { of, value } => self.flag_test(of, *value)?,
            Filter::Weekdays { days, negated } => self.weekday_test(days, *negated)?,
            Filter::Outside { period } => self.time_test(period, true)?,
            Filter::Dated { of, period } => self.dated_test(of, period)?,
            Filter::Lacks { of } => return self.lacks(of),
            Filter::Among { table, words, rows, negated } => self.among(*table, words, rows, *negated)?,
            Filter::Never { of, filters, periods } => {
                return self.related(&Related { of: of.as_ref(), filters, periods, negated: true });
            }
            Filter::Some { of, filters, periods } => {
                return self.related(&Related { of: of.as_ref(), filters, periods, negated: false });
            }
            Filter::Average { of, comparator } => self.against_average(of, *comparator)?,
            Filter::End { of, order } => self.at_end(of, *order)?,
            Filter::Text { of, text, start, end, negated } => {
                self.text_test(of.as_ref(), text, super::texts::place(*start, *end), *negated)?
            }
            Filter::Either { sides } => self.either(sides)?,
            Filter::During { period } => self.time_test(period, false)?,
        };
        Ok(vec![one])
    }

    /// A value of the row, or of one it refers to. Rows that do not have a value which only other rows below them could
    /// have are those without any such row.
    fn value_test(&mut self, words: &str, found: &[Found], negated: bool) -> Result<Vec<Test>, Misfit> {
        if negated && self.is_below(found) {
            let filters = [Filter::Value { words: words.to_owned(), found: found.to_vec(), negated: false }];
            return self.related(&Related { of: None, filters: &filters, periods: &[], negated: true });
        }
        let reading = weigh_value(self.catalogue, self.form, self.start, words, found)?;
        self.check_negation(words, &reading, negated)?;
        self.cost += reading.cost;
        self.assume(format!("“{words}” is a value of {}.", reading.label));
        let of = self.value_of(&reading);
        let listing = self.values_listing(&reading);
        if !listing.is_empty() {
            self.assume(format!("“{words}” is one of several in a text: every text that lists it counts."));
        }
        let values = reading.values.into_iter().chain(listing).map(Cell::Text).collect();
        Ok(vec![Test::In { of, values, negated }])
    }

    /// Texts of the column that hold the value among others: "Trailers,Deleted Scenes" has trailers.
    fn values_listing(&self, reading: &Reading) -> Vec<String> {
        let Target::Column(column) = reading.target else { return Vec::new() };
        if self.catalogue.values().count(column).is_none_or(|count| count > LISTED_MAX) {
            return Vec::new();
        }
        let lists = |text: &&str| {
            let mut parts = text.split([',', ';', '|']).map(str::trim);
            text.contains([',', ';', '|']) && parts.any(|part| reading.values.iter().any(|value| value == part))
        };
        let found: Vec<String> = self.catalogue.values().of(column).filter(lists).map(str::to_owned).collect();
        // One such text may be a name with a comma in it.
        if found.len() < 2 { Vec::new() } else { found }
    }

    /// Whether a value can be had only over rows that belong to those asked about, with no other thing named between.
    fn is_below(&self, found: &[Found]) -> bool {
        let place = |found: &Found| found.via.map(|via| via.table).or(found.table());
        let named = self.form.context.iter().filter_map(|mention| mention.only_table());
        let mut tables = found.iter().filter_map(place);
        // "On the one list but not on the other" cannot be said of one place in a list.
        let elsewhere = self.form.filters.iter().any(|filter| match filter {
            Filter::Value { found: other, negated: false, .. } => {
                other.iter().any(|other| found.iter().any(|found| found.place == other.place))
            }
            _ => false,
        });
        !tables.any(|table| !self.catalogue.paths(self.home_table, table).is_empty())
            && (elsewhere || named.into_iter().all(|table| table == self.home_table))
    }

    /// A date is not over fifty.
    pub fn check_number(&self, reading: &Reading) -> Result<(), Misfit> {
        match reading.target {
            Target::Column(column) if self.catalogue.column(column).kind == ColumnKind::Date => {
                let text = format!("{} is a date: compare it with a time, as in “since 2020”.", reading.label);
                Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) })
            }
            Target::Column(_) | Target::Rows(_) => Ok(()),
        }
    }

    /// The value in the column's own unit, where its name tells it.
    fn in_unit_of(&mut self, reading: &Reading, value: f64, unit: f64) -> Result<f64, Misfit> {
        let Target::Column(column) = reading.target else { return Ok(value) };
        let stems = &self.catalogue.column(column).stems;
        let own = stems.iter().find_map(|stem| lexicon().unit(lexicon().canonical(stem)));
        let Some(own) = own else {
            if unit > MINUTE {
                let text = format!(
                    "{} does not say what it is measured in, so hours and days cannot be told from it: give the number as \
                     it is written there.",
                    reading.label
                );
                return Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) });
            }
            self.assume(format!("{} is taken to be in the unit you said.", reading.label));
            return Ok(value);
        };
        Ok(value * unit / own.factor)
    }
}
