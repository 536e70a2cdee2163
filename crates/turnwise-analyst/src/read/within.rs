//! Parts of a question that can only be told when it is whole: a ranking within groups, the side a claim speaks of,
//! and what a verb without a time says. Next: `compose`.

use super::super::catalogue::Catalogue;
use super::super::form::{
    Aggregate, Analysis, ColumnId, Dimension, Filter, Measure, Mention, QueryForm, RankBy, TableId, Thing,
};
use super::super::lexicon::Order;
use super::super::source::ColumnKind;

/// The same number said of each of two sides is one: "the number of orders in Rome with the number of orders in Oslo".
pub fn once(measures: Vec<Measure>) -> Vec<Measure> {
    let mut kept: Vec<Measure> = Vec::new();
    for measure in measures {
        let is_same = |other: &Measure| {
            let words = other.of.words.to_lowercase() == measure.of.words.to_lowercase();
            words && Measure { of: measure.of.clone(), ..other.clone() } == measure
        };
        if !kept.iter().any(is_same) {
            kept.push(measure);
        }
    }
    kept
}

/// "orders shipped" without a time are those that have been: the date is there, or the row that holds it.
pub fn happened(catalogue: &Catalogue, timed: Vec<Mention>, form: &mut QueryForm) {
    let dated = form.dimensions.iter().any(|dimension| matches!(dimension, Dimension::Time(_)));
    if dated || !form.periods.is_empty() || form.ranking.is_some() || form.analysis != Analysis::Plain {
        return;
    }
    let home = form.subject.as_ref().or(form.measures.first().map(|measure| &measure.of)).and_then(Mention::table);
    for mention in timed {
        let date = |column: &ColumnId| catalogue.column(*column).kind == ColumnKind::Date;
        let mut columns: Vec<ColumnId> = mention.columns().filter(date).collect();
        columns.sort_by_key(|column| Some(column.table) != home);
        let Some(column) = columns.first() else { continue };
        if Some(column.table) == home {
            let of = Mention::of(mention.words, Thing::Column(*column));
            form.filters.push(Filter::Missing { of, negated: true, unwritten: false });
        } else {
            form.context.push(Mention::of(mention.words, Thing::Table(column.table)));
        }
    }
}

/// "Scores over 90" are the rows that have them.
pub fn listed_by_number(catalogue: &Catalogue, form: &mut QueryForm) {
    if !form.measures.is_empty() || !form.dimensions.is_empty() || form.subject.is_some() {
        return;
    }
    let table = form.filters.iter().find_map(table_of_number);
    if let Some(table) = table {
        form.subject = Some(Mention::of(catalogue.plural(table), Thing::Table(table)));
    }
}

/// The one table that a test on a number is of; of a text or of an either-or, that of what is named in it.
fn table_of_number(filter: &Filter) -> Option<TableId> {
    match filter {
        Filter::Number { of, .. } | Filter::Text { of: Some(of), .. } => {
            let first = of.columns().next()?.table;
            of.columns().all(|column| column.table == first).then_some(first)
        }
        Filter::Either { sides } => sides.iter().flatten().find_map(table_of_number),
        _ => None,
    }
}

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
