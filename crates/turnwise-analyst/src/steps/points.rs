//! The points of a correlation: one number says how two go together, and a picture of it needs the rows themselves.
//! They are asked for beside the number and never change it. Next: `shape`.

use turnwise_core::FactName;

use super::super::form::{Aggregate, QueryForm};
use super::super::query::{Output, Query, Test};
use super::super::resolve::{self, Trouble};
use super::Builder;
use super::shape::capital;
use super::tested::about;

/// Adds the step that finds the points of the one correlation of `form`; none where rows are no points of it.
pub fn of_correlation(builder: &mut Builder<'_>, form: &QueryForm) -> Result<Option<FactName>, Trouble> {
    let [measure] = form.measures.as_slice() else { return Ok(None) };
    let plain = form.dimensions.is_empty() && form.conditions.is_empty() && form.ranking.is_none();
    if measure.aggregate != Aggregate::Correlation || !plain || measure.over_groups.is_some() {
        return Ok(None);
    }
    let mut resolved = resolve::measure(builder.catalogue, form, measure)?;
    let query = &resolved.query;
    let pair = query.gathered.first().and_then(|gathered| Some((gathered.of.clone()?, gathered.with.clone()?)));
    let (Some((of, with)), None) = (pair, &query.once_per) else { return Ok(None) };
    let named = |words: &str, other: &str| if words == other { format!("{words} 2") } else { words.to_owned() };
    let first = measure.of.words.clone();
    let second = named(measure.with.as_ref().map_or("other", |with| with.words.as_str()), &first);
    let present = [&of, &with].map(|of| Test::Missing { of: of.clone(), negated: true });
    let name = format!("points of {first} and {second}{}", about(form));
    resolved.query = Query {
        tests: query.tests.iter().cloned().chain(present).collect(),
        gathered: Vec::new(),
        columns: vec![Output { label: first, expression: of }, Output { label: second, expression: with }],
        ..query.clone()
    };
    builder.query(&capital(&name), &name, &resolved).map(Some)
}
