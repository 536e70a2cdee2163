//! The plan of a running total: the series, and each period added to those before it. Only what adds up has one, which
//! is told here before anything runs. Next: `course` for the sum.

use turnwise_core::{FactName, Presentation};

use super::super::compute::Calculation;
use super::super::form::{Aggregate, QueryForm};
use super::super::resolve::Trouble;
use super::Builder;
use super::shape::{numbers, series};

/// Adds the steps of a running total.
pub fn cumulated(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let adds_up = |aggregate: Aggregate| matches!(aggregate, Aggregate::Sum | Aggregate::Count);
    let [measure] = form.measures.as_slice() else {
        return Err(Trouble::Impossible("A running total is of one number: ask for the others apart.".to_owned()));
    };
    if !adds_up(measure.aggregate) || measure.over_groups.is_some() || form.ranking.is_some() {
        let text = "Only totals and counts add up from period to period: averages and the like have no running total.";
        return Err(Trouble::Impossible(text.to_owned()));
    }
    let series = series(builder, form)?;
    let (fact, name) = numbers(builder, &series, &|_| {})?;
    let timing = super::calendar::timing(builder, &series, "");
    let description = "Add each period to those before it";
    let fact =
        builder.compute_over(description, &format!("running {name}"), &Calculation::Cumulate, vec![fact], &timing)?;
    Ok((fact, Presentation::Line))
}
