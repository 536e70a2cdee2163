//! What a form leaves open and its task or its other parts settle: that it is a comparison or a forecast, and which
//! year or period is meant. Next: `draft`.

use jiff::civil::Date;
use turnwise_core::PlanKind;

use super::form::{Analysis, Dimension, Filter, QueryForm};
use super::lexicon::Concept;
use super::period::{Grain, Period};
use super::read::VALUES_JOINED;

/// The reader may know that it is a comparison or a forecast where the words alone leave it open.
pub fn kind(form: &mut QueryForm, kind: PlanKind) {
    let several = form.periods.len() > 1;
    match (kind, form.analysis) {
        (PlanKind::Compare, Analysis::Plain) if several => form.analysis = Analysis::Compare,
        (PlanKind::Predict, Analysis::Plain | Analysis::Trend) if asks_ahead(form) => {
            form.analysis = Analysis::Forecast(0)
        }
        _ => {}
    }
}

fn asks_ahead(form: &QueryForm) -> bool {
    let ahead = |period: &Period| match period {
        Period::Relative { offset, .. } => *offset > 0,
        Period::NextFew { .. } => true,
        _ => false,
    };
    let amount = |concept: Concept| matches!(concept, Concept::Money | Concept::Quantity);
    form.periods.iter().any(ahead) && form.measures.iter().any(|measure| measure.of.concept().is_some_and(amount))
}

/// "Q3 and Q4 2024" means the same year; "2024 compared with the previous year" means the year before that.
pub fn periods(form: &mut QueryForm) {
    let year = form.periods.iter().rev().find_map(Period::year);
    let part = |period: &Period| matches!(period, Period::Part { year: None, .. });
    for period in &mut form.periods {
        if let (true, Some(year)) = (part(period), year) {
            *period = period.clone().in_year(year);
        }
    }
    if form.analysis != Analysis::Compare {
        return;
    }
    // "compare Q1 with Q2" may be said as "compare between Q1 and Q2".
    if let [Period::Between(first, second)] = form.periods.as_slice() {
        form.periods = vec![(**first).clone(), (**second).clone()];
    }
    // The change is that from the earlier to the later, in whatever order they are said.
    if form.periods.iter().all(|period| period.year().is_some()) {
        form.periods.sort_by_key(|period| period.span(Date::ZERO).and_then(|span| span.from));
    }
    if let [first, second] = form.periods.as_slice() {
        let before = |period: &Period| matches!(period, Period::Relative { offset: -1, .. });
        let other = match (before(first), before(second)) {
            (true, false) => second.clone(),
            (false, true) => first.clone(),
            _ => return,
        };
        if let Some(previous) = other.previous() {
            form.periods = vec![previous, other];
        }
    } else if let [only] = form.periods.as_slice()
        && !form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Time(Grain::Year)))
        && !has_sides(form)
        && let (Some(previous), true) = (only.previous(), form.measures.len() < 2)
        && form.dimensions.is_empty()
    {
        form.periods = vec![previous, only.clone()];
    }
}

/// Whether two values are set side by side, or were meant to be: then no other period is made up.
fn has_sides(form: &QueryForm) -> bool {
    let mut values = form.filters.iter().filter_map(|filter| match filter {
        Filter::Value { words, negated: false, .. } => Some(words),
        _ => None,
    });
    values.clone().count() > 1 || values.any(|words| words.contains(VALUES_JOINED))
}
