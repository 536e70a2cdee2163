//! Tests that a change puts in the place of others: another limit of the same number ("older than 50" after "older than
//! 40"), and another value of what decided which rows were found before. Next: `refine`.

use super::super::form::{Among, Filter, Mention};
use super::super::lexicon::Comparator;
use super::super::steps;

/// How a number that was tested already is tested anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limits {
    /// The limit that is said stands for the one before it.
    Anew,
    /// Both hold, unless no row could pass both.
    Narrowed,
}

/// Puts `wanted` into `filters`, in the place of a limit of the same number where there is one; what is said of that.
pub fn put(filters: &mut Vec<Filter>, wanted: Filter, limits: Limits) -> Option<String> {
    let before = filters.iter().position(|own| is_instead(own, &wanted, limits));
    let Some(at) = before else {
        filters.push(wanted);
        return None;
    };
    let before = std::mem::replace(&mut filters[at], wanted.clone());
    (before != wanted).then(|| format!("“{}” stands in the place of “{}”.", steps::test(&wanted), steps::test(&before)))
}

fn is_instead(own: &Filter, wanted: &Filter, limits: Limits) -> bool {
    use Comparator::{AtLeast, AtMost, Over, Under};
    let (
        Filter::Number { of, comparator, value, unit },
        Filter::Number { of: other, comparator: compares, value: limit, unit: other_unit },
    ) = (own, wanted)
    else {
        return false;
    };
    if !is_one(of, other) {
        return false;
    }
    let side = |comparator: &Comparator| match comparator {
        Over | AtLeast => 1,
        Under | AtMost => 2,
        Comparator::Equal | Comparator::Unequal => 3,
    };
    let (value, limit) = (value * unit.unwrap_or(1.0), limit * other_unit.unwrap_or(1.0));
    let apart = match (side(comparator), side(compares)) {
        (1, 2) => limit <= value,
        (2, 1) => limit >= value,
        _ => false,
    };
    apart || (limits == Limits::Anew && side(comparator) == side(compares))
}

fn is_one(one: &Mention, other: &Mention) -> bool {
    matches!((one.best(), other.best()), (Some(one), Some(other)) if one.thing == other.thing)
}

/// Puts a value in the place of another one of the same column, where that decided which rows were found before.
pub fn put_behind(filters: &mut [Filter], wanted: &Filter, shares: &dyn Fn(&Filter) -> bool) -> bool {
    filters.iter_mut().any(|filter| {
        let Filter::Among { rows: Among::Tested(inner), words, .. } = filter else { return false };
        if let Some(own) = inner.filters.iter_mut().find(|own| shares(own)) {
            *own = wanted.clone();
            *words = format!("{}{}", words.trim_end_matches(" found before"), steps::about(inner));
            return true;
        }
        put_behind(&mut inner.filters, wanted, shares)
    })
}
