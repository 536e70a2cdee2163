//! Which groups grew the most: each group's number in two times, and the first by the difference. "Grew the most" names
//! a winner; a series of every period does not. Next: `shape`.

use jiff::civil::Date;
use turnwise_core::{FactName, Presentation};

use super::super::compute::Calculation;
use super::super::form::{Aggregate, Analysis, QueryForm, Ranking};
use super::super::period::Period;
use super::super::resolve::{self, Trouble};
use super::Builder;
use super::shape::{numbers, take};

/// The groups by how much their number grew from one time to the other.
pub fn grown_most(
    builder: &mut Builder<'_>,
    form: &QueryForm,
    ranking: &Ranking,
) -> Result<(FactName, Presentation), Trouble> {
    let plain = QueryForm { analysis: Analysis::Plain, ranking: None, ..form.clone() };
    let (from, to) = two_times(builder, &plain)?;
    let labels = vec![from.label(), to.label()];
    let mut facts = Vec::new();
    for period in [from, to] {
        facts.push(numbers(builder, &QueryForm { periods: vec![period], ..plain.clone() }, &|_| {})?.0);
    }
    let zero = plain.measures.iter().all(|measure| matches!(measure.aggregate, Aggregate::Sum | Aggregate::Count));
    let words = plain.measures.first().map_or("", |measure| measure.of.words.as_str());
    let name = format!("{words} compared {}", labels.join(" and "));
    let calculation = Calculation::Compare { sides: labels.clone(), missing_is_zero: zero, numbers: 1 };
    let fact = builder.compute(&format!("Compare {}", labels.join(" with ")), &name, &calculation, facts)?;
    builder
        .assume(&format!("Growth is the difference between {} and {}, not the rate of change.", labels[0], labels[1]));
    let limit = ranking.limit.unwrap_or(1);
    take(builder, &format!("first {limit} of {name}"), "difference", ranking.order, limit, true, fact)
}

/// The two times said; without any, the last two whole years of the data.
fn two_times(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(Period, Period), Trouble> {
    match form.periods.as_slice() {
        [Period::Between(from, to)] => return Ok(((**from).clone(), (**to).clone())),
        [from, to] => return Ok((from.clone(), to.clone())),
        [only] => {
            if let Some(before) = only.previous() {
                return Ok((before, only.clone()));
            }
        }
        _ => {}
    }
    let ask = || Trouble::Impossible("Grew from when to when? Say it, as in “from 2023 to 2024”.".to_owned());
    if !form.periods.is_empty() {
        return Err(ask());
    }
    let measure = form.measures.first().ok_or_else(ask)?;
    let probe = resolve::measure(builder.catalogue, form, measure)?;
    let first = probe.query.sources.first().map(|source| builder.catalogue.table(source.table));
    let range = first.and_then(|table| table.axes.first()).and_then(|axis| axis.range);
    let (first, last) = range.ok_or_else(ask)?;
    let whole = last.last_of_year() == last;
    let year = if whole { last.year() } else { last.year() - 1 };
    let from = Date::new(year - 1, 1, 1).map_err(|_| ask())?;
    if from < first.first_of_year() {
        return Err(ask());
    }
    builder.assume(&format!("As no times were said, {year} is compared with {}.", year - 1));
    Ok((Period::Year(year - 1), Period::Year(year)))
}
