//! Tests on yes/no columns and shares of them. What the data writes for yes and for no is said with the plan, and how
//! many rows say neither: those are never taken for either. Next: `assemble`.

use super::Trouble;
use super::assemble::Frame;
use super::weigh::{Misfit, Reading, Target, Use, weigh};
use crate::catalogue::{Flag, Made, Path, Written};
use crate::form::{Aggregate, Measure, Mention};
use crate::lexicon::Comparator;
use crate::query::{Expression, Test};
use turnwise_core::{Cell, text};

impl Frame<'_> {
    /// The test that something is so, or is not.
    pub fn flag_test(&mut self, mention: &Mention, value: bool) -> Result<Test, Misfit> {
        let reading = self.weigh_home(mention, Use::Plain)?;
        // Guests with a rental that is not paid are not those without one that is, unless rentals were named.
        if !value && !self.is_named(&reading) {
            self.check_negation(&mention.words, &reading, true)?;
        }
        let of = self.value_of(&reading);
        let Some(flag) = self.flag_at(&reading) else { return Ok(Test::Flag { of, value }) };
        let said = said(mention, value);
        if let Target::Column(column) = reading.target
            && Made::of(column.column).is_some()
        {
            self.assume(format!("“{said}” is read as {}{}.", if value { "" } else { "not " }, reading.label));
            return Ok(Test::Flag { of, value });
        }
        let Some(written) = &flag.written else {
            self.assume(format!("“{said}” is read as {} being {value}{}.", reading.label, unsaid(&flag, "left out")));
            return Ok(Test::Flag { of, value });
        };
        let values = written.cells(value);
        let spelt = spelt(&values);
        if values.is_empty() {
            return self.by_absence(&reading, &said, written, value).map(|negated| Test::Missing { of, negated });
        }
        self.assume(format!("“{said}” is read as {} = {spelt}{}.", reading.label, unsaid(&flag, "left out")));
        if *written == Written::Number {
            return Ok(Test::Number { of, comparator: Comparator::Equal, value: f64::from(u8::from(value)) });
        }
        Ok(Test::In { of, values, negated: false })
    }

    /// A column that only ever says yes says no by saying nothing; one that only ever says no cannot say yes.
    fn by_absence(&mut self, reading: &Reading, said: &str, written: &Written, value: bool) -> Result<bool, Misfit> {
        let other = spelt(&written.cells(!value));
        if value {
            let text =
                format!("{} is {other} or empty in every row, so nothing tells which are “{said}”.", reading.label);
            return Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) });
        }
        self.assume(format!(
            "“{said}” is read as {} having no value: nothing but {other} is ever written there.",
            reading.label
        ));
        Ok(false)
    }

    /// What is averaged for the share of rows that are so.
    pub fn share_of(&mut self, measure: &Measure, value: bool) -> Result<Option<Expression>, Misfit> {
        let Some(mention) = &measure.with else { return self.share_passing(&measure.holds) };
        let mut reading = weigh(self.catalogue, self.form, self.home_table, mention, Use::Plain)?;
        reading.path = Path(self.home_path().0.iter().chain(&reading.path.0).copied().collect());
        self.cost += reading.cost;
        let of = self.value_of(&reading);
        let (all, said) = (self.catalogue.plural(self.home_table), said(mention, value));
        let flag = self.flag_at(&reading);
        let rest = flag.as_ref().map_or_else(String::new, |flag| unsaid(flag, "among all and not among those"));
        let written = flag.and_then(|flag| flag.written);
        let values = written.as_ref().map(|written| written.cells(value)).unwrap_or_default();
        if written.is_some() && values.is_empty() {
            let text = format!("No value of {} says “{said}”, so there is no share of it.", reading.label);
            return Err(Misfit { cost: 0, trouble: Trouble::Impossible(text) });
        }
        let is = if values.is_empty() { value.to_string() } else { spelt(&values) };
        self.assume(format!("Of all {all} asked about, the share whose {} is {is} (“{said}”){rest}.", reading.label));
        Ok(Some(Expression::Holds { of: Box::new(of), value, values }))
    }

    fn is_named(&self, reading: &Reading) -> bool {
        let Target::Column(column) = reading.target else { return false };
        super::named_tables(self.form).contains(&column.table)
    }

    fn flag_at(&self, reading: &Reading) -> Option<Flag> {
        match reading.target {
            Target::Column(column) => self.catalogue.column(column).flag.clone(),
            Target::Rows(_) => None,
        }
    }
}

/// The value asked for by a measure that is a share.
pub fn share(measure: &Measure) -> Option<bool> {
    match measure.aggregate {
        Aggregate::Share(value) => Some(value),
        _ => None,
    }
}

/// What a share is called: "percent of rentals not paid".
pub fn share_label(plural: &str, measure: &Measure, value: bool) -> String {
    let state = measure.with.as_ref().map_or_else(String::new, |with| said(with, value).to_lowercase());
    let state = if measure.with.is_none() { super::shares::state(&measure.holds) } else { state };
    format!("percent of {plural} {state}")
}

fn said(mention: &Mention, value: bool) -> String {
    if value { mention.words.clone() } else { format!("not {}", mention.words) }
}

fn spelt(values: &[Cell]) -> String {
    values.iter().map(Cell::to_string).collect::<Vec<_>>().join(" or ")
}

fn unsaid(flag: &Flag, what: &str) -> String {
    if flag.unsaid == 0 {
        return String::new();
    }
    let rows = text::count(usize::try_from(flag.unsaid).unwrap_or(usize::MAX), "row");
    format!(
        "; {rows} of {} {} neither and {} {what}",
        flag.rows,
        if flag.unsaid == 1 { "says" } else { "say" },
        if flag.unsaid == 1 { "is" } else { "are" }
    )
}
