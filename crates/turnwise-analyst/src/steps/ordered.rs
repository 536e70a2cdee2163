//! The order of two times that are set against each other. A change is that from the earlier to the later, in whatever
//! order they were said: "why did it drop in February compared to January" speaks of February against January. Where
//! the data end decides which January a month without a year is, so it is asked of the data. Next: `calendar`.

use super::super::catalogue::Catalogue;
use super::super::form::{Analysis, QueryForm};
use super::super::period::Period;

/// The form with the times that it compares in the order of time; what is said beside it, likewise.
pub fn in_time_order(catalogue: &Catalogue, form: &QueryForm) -> QueryForm {
    let beside = form.beside.iter().map(|other| in_time_order(catalogue, other)).collect();
    let mut form = QueryForm { beside, ..form.clone() };
    if !compares_times(&form) {
        return form;
    }
    let between = match form.periods.as_slice() {
        [Period::Between(from, to)] => Some(vec![(**from).clone(), (**to).clone()]),
        _ => None,
    };
    let said = between.clone().unwrap_or_else(|| form.periods.clone());
    let mut dated: Vec<_> =
        said.iter().map(|period| (super::calendar::begins(catalogue, &form, period), period.clone())).collect();
    // Times that begin together stay as they were said.
    dated.sort_by_key(|(begins, _)| *begins);
    let ordered: Vec<Period> = dated.into_iter().map(|(_, period)| period).collect();
    if ordered == said {
        return form;
    }
    // A claim without a side is one about the side said first, wherever that stands now.
    if let (Some(claim), Analysis::Compare, Some(first)) = (&mut form.claim, form.analysis, said.first()) {
        claim.of.get_or_insert_with(|| first.label());
    }
    form.periods = match (between, ordered.as_slice()) {
        (Some(_), [from, to]) => vec![Period::Between(Box::new(from.clone()), Box::new(to.clone()))],
        _ => ordered,
    };
    form
}

/// Whether two times of the form are sides of a change.
fn compares_times(form: &QueryForm) -> bool {
    match form.analysis {
        Analysis::Compare | Analysis::Explain => form.periods.len() > 1,
        Analysis::Growth => form.ranking.is_some() && !form.periods.is_empty(),
        Analysis::Plain
        | Analysis::Share
        | Analysis::Trend
        | Analysis::Forecast(_)
        | Analysis::Outliers
        | Analysis::Cumulative
        | Analysis::Ratio => false,
    }
}
