//! Two numbers of which only the first has a test, in the word right before what it counts: "number of cancelled orders
//! and total revenue". The test stays with that number, and the plan says so. Next: `apart`, `merge`.

use super::super::catalogue::Catalogue;
use super::super::form::{Filter, QueryForm};
use super::super::lexicon::Role;
use super::super::read::{self, Spotted};
use super::merge::merged;

/// What becomes of two numbers of which the first has a test of its own.
pub enum Attributed {
    /// Both in one form, with the test on the first.
    Form(Box<QueryForm>),
    /// They do not go together.
    Open,
}

/// Both questions in one, with the test of the first on its own number; none where the test may be meant for both.
pub fn only_first(catalogue: &Catalogue, said: &str, left: &QueryForm, right: &QueryForm) -> Option<Attributed> {
    let (word, rows) = attribute(catalogue, said)?;
    let plain = |form: &QueryForm| form.conditions.is_empty() && form.ranking.is_none() && !form.count_groups;
    let held = |form: &QueryForm| form.measures.iter().any(|measure| !measure.holds.is_empty());
    let tested = |filter: &Filter| matches!(filter, Filter::Value { .. } | Filter::Flag { .. });
    let own = !left.filters.is_empty() && left.filters.iter().all(tested) && right.filters.is_empty();
    if !own || !plain(left) || !plain(right) || held(left) || held(right) || !left.periods.is_empty() {
        return None;
    }
    let mut first = left.clone();
    // What stands at the end groups both, and is the time of both.
    if first.dimensions.is_empty() {
        first.dimensions.clone_from(&right.dimensions);
    }
    first.periods.clone_from(&right.periods);
    // An average over groups is one number, beside which the first has no place.
    let over_groups = right.measures.iter().any(|measure| measure.over_groups.is_some());
    let Some(mut both) = merged(first, right.clone()).filter(|both| !over_groups && both.beside.is_empty()) else {
        return Some(Attributed::Open);
    };
    both.notes.push(format!("“{word}” is said of the {rows} that are counted, and not of the other number."));
    Some(Attributed::Form(Box::new(both)))
}

/// The word for a value or a state right before the rows that end the clause, and those rows.
fn attribute(catalogue: &Catalogue, said: &str) -> Option<(String, String)> {
    let spans = read::spot(catalogue, said).spans;
    let [before @ .., word, rows] = spans.as_slice() else { return None };
    let table = rows.names.iter().any(|name| matches!(name.thing, super::super::form::Thing::Table(_)));
    let says = |span: &Spotted| span.role().is_none() && (!span.values.is_empty() || span.is_name());
    let counted = before.last().is_some_and(|span| matches!(span.role(), Some(Role::Count | Role::Of)));
    (table && says(word) && counted).then(|| (word.text.clone(), rows.text.to_lowercase()))
}
