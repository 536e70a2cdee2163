//! One number divided by another, over the same groups. Both are shown beside it, so that whoever reads it can divide
//! again. Next: `shape`.

use turnwise_core::{FactName, Presentation};

use super::super::compute::Calculation;
use super::super::form::{Analysis, QueryForm, Ranking};
use super::super::query::{Expression, Test};
use super::super::resolve::{self, Resolved, Trouble};
use super::Builder;
use super::shape::{numbers, take};

/// The two numbers and what one is per the other.
pub fn ratio(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let [left, right] = form.measures.as_slice() else {
        return Err(Trouble::Impossible("A ratio is between two numbers: name both.".to_owned()));
    };
    let plain = QueryForm { analysis: Analysis::Plain, ranking: None, ..form.clone() };
    let plain = of_same_rows(builder, &plain).unwrap_or(plain);
    let one = resolve::measure(builder.catalogue, &plain, left)?;
    let other = resolve::measure(builder.catalogue, &plain, right)?;
    if times(&one) != times(&other) {
        let text = format!(
            "“{}” and “{}” have dates of their own, so one time cannot be said of both: ask for each apart.",
            left.of.words, right.of.words
        );
        return Err(Trouble::Impossible(text));
    }
    let label = format!("{} per {}", one.label, other.label);
    let (fact, name) = numbers(builder, &plain, &|_| {})?;
    let calculation = Calculation::Ratio { label: label.clone() };
    let described = format!("Divide {} by {}", one.label, other.label);
    let fact = builder.compute(&described, &format!("ratio of {name}"), &calculation, vec![fact])?;
    if form.dimensions.is_empty() {
        return Ok((fact, Presentation::Value));
    }
    match &form.ranking {
        Some(Ranking { order, limit: Some(limit), .. }) => {
            take(builder, &format!("first {limit} of ratio of {name}"), &label, *order, *limit, true, fact)
        }
        _ => Ok((fact, Presentation::Table)),
    }
}

/// "Loans per member in 2023": within a time both are of the same rows, so that the members are those who had loans.
fn of_same_rows(builder: &Builder<'_>, form: &QueryForm) -> Option<QueryForm> {
    if form.periods.is_empty() {
        return None;
    }
    let rows = form.measures.iter().map(|measure| &measure.of).filter(|of| of.only_table().is_some()).cloned();
    let context = form.context.iter().cloned().chain(rows).collect();
    let same = QueryForm { context, ..form.clone() };
    let fits = same.measures.iter().all(|measure| resolve::measure(builder.catalogue, &same, measure).is_ok());
    fits.then_some(same)
}

/// The tables and places of the dates that a query tests.
fn times(
    resolved: &Resolved,
) -> Vec<(Option<super::super::form::TableId>, Option<super::super::catalogue::AxisPlace>)> {
    let tested = resolved.query.tests.iter().filter_map(|test| match test {
        Test::Time { of: Expression::Date { source, place }, .. } => {
            Some((resolved.query.sources.get(*source).map(|source| source.table), Some(place.clone())))
        }
        _ => None,
    });
    tested.collect()
}
