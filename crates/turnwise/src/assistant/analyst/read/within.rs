//! Parts of a question that can only be told when it is whole: a ranking within groups, and the side a claim speaks of.
//! Next: `compose`.

use super::super::form::{Aggregate, Dimension, Filter, Measure, QueryForm, RankBy};
use super::super::lexicon::Order;

/// Ranked within each group is another question than ranked among all: "longest book per genre".
pub fn rank_within(per: bool, form: &mut QueryForm) {
    let ranked = usize::from(form.subject.is_none());
    let Some(ranking) = form.ranking.as_mut().filter(|_| per && form.dimensions.len() > ranked) else { return };
    if let (Some(subject), RankBy::Property(property)) = (form.subject.take(), ranking.by.clone()) {
        let extreme = if ranking.order == Order::Descending { Aggregate::Maximum } else { Aggregate::Minimum };
        form.measures = vec![Measure::new(extreme, property)];
        form.dimensions.insert(0, Dimension::Thing(subject));
        ranking.by = RankBy::Measure;
    }
    form.first_within = true;
}

/// The side a claim speaks of: the one said first.
pub fn claimed(form: &QueryForm) -> Option<String> {
    if form.periods.len() > 1 {
        return form.periods.first().map(super::super::period::Period::label);
    }
    form.filters.iter().find_map(|filter| match filter {
        Filter::Value { words, .. } => words.split_once(super::VALUES_JOINED).map(|(first, _)| first.to_owned()),
        _ => None,
    })
}
