//! The plan that finds outliers: the numbers of all groups and the fences beyond which one is unusual; or, among rows,
//! the quartiles of all and the rows at both ends. Next: `super::super::outliers` for the method.

use turnwise_core::{FactName, Presentation, limits};

use super::super::compute::Calculation;
use super::super::form::{Aggregate, Analysis, Dimension, Filter, Measure, Mention, QueryForm, RankBy, Ranking, Thing};
use super::super::lexicon::Order;
use super::super::outliers::METHOD;
use super::super::resolve::{self, Trouble};
use super::Builder;
use super::shape::{capital, numbers};
use super::tested::about;

/// Rows looked at from each end.
const ROWS_FROM_END: usize = limits::FACT_ROWS_MAX / 2;

/// Adds the steps that find the outliers of `form`.
pub fn outliers(builder: &mut Builder<'_>, form: &QueryForm) -> Result<(FactName, Presentation), Trouble> {
    let [measure] = form.measures.as_slice() else {
        return Err(Trouble::Impossible("Outliers are looked for in one number: ask for the others apart.".to_owned()));
    };
    if form.periods.len() > 1 || !form.conditions.is_empty() {
        let text = "Outliers are looked for in one time and without a condition on groups.";
        return Err(Trouble::Impossible(text.to_owned()));
    }
    builder.assume(METHOD);
    if form.dimensions.is_empty() {
        return among_rows(builder, form, measure);
    }
    let plain = QueryForm { analysis: Analysis::Plain, ranking: None, ..form.clone() };
    let (fact, name) = numbers(builder, &plain, &|_| {})?;
    let calculation = Calculation::Outliers;
    let timing = super::calendar::timing(builder, &plain, " and left out");
    let description = "Take those beyond the fences";
    let fact = builder.compute_over(description, &format!("outliers of {name}"), &calculation, vec![fact], &timing)?;
    Ok((fact, if form.dimensions.iter().all(is_time) { Presentation::Bars } else { Presentation::Table }))
}

fn is_time(dimension: &Dimension) -> bool {
    matches!(dimension, Dimension::Time(_))
}

/// Every row is a value of its own.
fn among_rows(
    builder: &mut Builder<'_>,
    form: &QueryForm,
    measure: &Measure,
) -> Result<(FactName, Presentation), Trouble> {
    let plain = QueryForm { analysis: Analysis::Plain, ranking: None, ..form.clone() };
    let of = &measure.of;
    let wanted = match measure.aggregate {
        Aggregate::Sum | Aggregate::Average | Aggregate::Maximum | Aggregate::Minimum => {
            Measure::new(measure.aggregate, of.clone())
        }
        _ => return Err(Trouble::Impossible(per_what(&of.words))),
    };
    // What the words stand for is settled once, so that all steps speak of the same column.
    let resolved = resolve::measure(builder.catalogue, &plain, &wanted)?;
    let Some((table, column)) = resolve::column_of(&resolved) else {
        return Err(Trouble::Impossible(per_what(&of.words)));
    };
    for assumption in &resolved.assumptions {
        builder.assume(assumption);
    }
    let column = super::super::form::ColumnId { table, column };
    let of = Mention::of(of.words.clone(), Thing::Column(column));
    let gathered = [Aggregate::Percentile(25.0), Aggregate::Percentile(75.0), Aggregate::Count];
    let measures = gathered.map(|aggregate| Measure::new(aggregate, of.clone())).to_vec();
    let (quartiles, _) = numbers(builder, &QueryForm { measures, ..plain.clone() }, &|_| {})?;
    let mut facts = vec![quartiles];
    let mut label = String::new();
    for (order, end) in [(Order::Descending, "highest"), (Order::Ascending, "lowest")] {
        let ranking = Some(Ranking { order, limit: Some(ROWS_FROM_END), by: RankBy::Property(of.clone()) });
        let subject = Some(Mention::of(builder.catalogue.plural(table), Thing::Table(table)));
        let filters: Vec<Filter> = plain.filters.clone();
        let listed = QueryForm { measures: Vec::new(), subject, ranking, filters, ..plain.clone() };
        let mut resolved = resolve::list(builder.catalogue, &listed)?;
        resolved.query.limit = Some(ROWS_FROM_END);
        label = resolved.query.columns.last().map_or_else(String::new, |output| output.label.clone());
        let name = format!("{end} {label}{}", about(&listed));
        facts.push(builder.query(&capital(&format!("order by {label}, {end} first")), &name, &resolved)?);
    }
    let name = format!("outliers of {label}{}", about(form));
    let calculation = Calculation::OutlierRows { column: label };
    let fact = builder.compute("Take the rows beyond the fences", &name, &calculation, facts)?;
    Ok((fact, Presentation::Table))
}

fn per_what(words: &str) -> String {
    format!("Outliers of “{words}” among what? Say it, as in “outliers in {words} by month”.")
}
