//! Two questions in one answer: numbers of the same groups stand in one table, each with the tests that only it has;
//! what cannot stand in one table is answered beside it. Next: `joined`.

use super::super::form::{Analysis, Filter, Measure, QueryForm};

/// Most questions that one message may ask.
const BESIDE_MAX: usize = 3;

/// `form` with what `other` asks.
pub fn merged(form: QueryForm, other: QueryForm) -> Option<QueryForm> {
    if is_same(&shown_less(&form), &shown_less(&other)) {
        return Some(QueryForm { notes: both(&form.notes, &other.notes), ..other });
    }
    match numbers(&form, &other) {
        Some(one) => Some(one),
        None => beside(form, other),
    }
}

/// A further question of its own.
pub fn beside(mut form: QueryForm, other: QueryForm) -> Option<QueryForm> {
    let room = form.beside.len() < BESIDE_MAX && other.beside.is_empty() && other.writes.is_empty();
    let known = is_same(&form, &other) || form.beside.iter().any(|known| is_same(known, &other));
    if !room || known {
        return None;
    }
    form.beside.push(other);
    Some(form)
}

/// Numbers of the same groups, each with the tests that only it has.
fn numbers(form: &QueryForm, other: &QueryForm) -> Option<QueryForm> {
    let plain = |form: &QueryForm| {
        !form.measures.is_empty()
            && form.ranking.is_none()
            && form.conditions.is_empty()
            && !form.count_groups
            && form.claim.is_none()
            && form.analysis == Analysis::Plain
            && form.beside.is_empty()
    };
    let alike = form.dimensions == other.dimensions && form.periods == other.periods && form.shown == other.shown;
    if !plain(form) || !plain(other) || !alike || form.versions != other.versions {
        return None;
    }
    let common: Vec<Filter> = form.filters.iter().filter(|filter| other.filters.contains(filter)).cloned().collect();
    let own = |form: &QueryForm| -> Vec<Measure> {
        let tests: Vec<Filter> = form.filters.iter().filter(|filter| !common.contains(filter)).cloned().collect();
        let holding = |measure: &Measure| {
            let holds = measure.holds.iter().chain(&tests).cloned().collect();
            Measure { holds, ..measure.clone() }
        };
        form.measures.iter().map(holding).collect()
    };
    let mut measures = own(form);
    for measure in own(other) {
        if !measures.contains(&measure) {
            measures.push(measure);
        }
    }
    let mut one = QueryForm { measures, notes: both(&form.notes, &other.notes), ..form.clone() };
    // What only says which rows are meant says it of its own number; of several tables none limits the others.
    one.context.retain(|mention| other.context.contains(mention));
    one.filters = common;
    Some(one)
}

fn both(one: &[String], other: &[String]) -> Vec<String> {
    let mut notes = one.to_vec();
    notes.extend(other.iter().filter(|note| !one.contains(note)).cloned());
    notes
}

/// A form without what it shows of its rows.
fn shown_less(form: &QueryForm) -> QueryForm {
    let mut bare = form.clone();
    (bare.attributes, bare.shown, bare.dimensions) = (Vec::new(), Vec::new(), Vec::new());
    bare
}

fn is_same(one: &QueryForm, other: &QueryForm) -> bool {
    let bare = |form: &QueryForm| QueryForm {
        notes: Vec::new(),
        context: Vec::new(),
        applied: Vec::new(),
        beside: Vec::new(),
        ..form.clone()
    };
    bare(one) == bare(other)
}
