//! Steps that put groups against each other: those above the average of all, and the first few of each. They need what
//! all groups come to first, which one query over rows cannot say. Next: `shape`.

use turnwise_core::{FactName, Presentation};

use super::super::compute::Calculation;
use super::super::form::QueryForm;
use super::super::lexicon::Order;
use super::super::query::FirstWithin;
use super::super::resolve::{self, Trouble};
use super::Builder;
use super::shape::numbers;

/// The groups of `fact` that compare with the average of all as the conditions say.
pub fn averages(
    builder: &mut Builder<'_>,
    form: &QueryForm,
    fact: FactName,
    name: &str,
    looked: Presentation,
) -> Result<(FactName, Presentation), Trouble> {
    let Some(condition) = form.conditions.iter().find(|condition| condition.average) else { return Ok((fact, looked)) };
    if form.conditions.len() > 1 || form.count_groups {
        let text = "An average can be the only condition on groups: ask for the others apart from it.".to_owned();
        return Err(Trouble::Impossible(text));
    }
    let column = resolve::measure(builder.catalogue, form, &condition.measure)?.label;
    let side = super::tested::sign(condition.comparator);
    let calculation = Calculation::AgainstAverage { column: column.clone(), comparator: condition.comparator };
    let description = format!("Take those {side} the average {column}");
    let fact = builder.compute(&description, &format!("{name} taken"), &calculation, vec![fact])?;
    Ok((fact, looked))
}

/// The first few of each: ranked within the groups behind the first.
pub fn first_within(
    builder: &mut Builder<'_>,
    form: &QueryForm,
    order: Order,
    limit: Option<usize>,
) -> Result<(FactName, Presentation), Trouble> {
    if form.measures.len() > 1 || !form.conditions.is_empty() {
        let text = "The first of each can go by one number only, without a condition on it.".to_owned();
        return Err(Trouble::Impossible(text));
    }
    let limit = limit.unwrap_or(1);
    let (fact, _) = numbers(builder, form, &|resolved| {
        let within = (1..resolved.query.groups.len()).collect();
        resolved.label = format!("first {limit} {}", resolved.label);
        resolved.query.first_within = Some(FirstWithin { within, order, limit });
    })?;
    builder.assume("Of each group the first are shown, with all that tie for the last place.");
    Ok((fact, Presentation::Table))
}
