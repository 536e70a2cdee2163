//! Tests that say the opposite of one that held before: "and not in Spain?" after "in Spain", "with a commission" after
//! "without one". No row could pass both, so that the new one stands in the place of the old. Next: `refine`.

use super::super::form::{Filter, Mention, QueryForm};
use super::super::period::Period;
use super::super::steps;
use super::shares_place;

/// Takes out of `form` what the tests and times of `other` deny.
pub fn take_out(form: &mut QueryForm, other: &QueryForm) {
    for wanted in &other.filters {
        if let Filter::Outside { period } = wanted {
            let year = form.periods.iter().rev().find_map(Period::year);
            let denied = year.map_or(period.clone(), |year| period.clone().in_year(year));
            form.periods.retain(|own| *own != denied && own != period);
        }
        let Some(at) = form.filters.iter().position(|own| denies(own, wanted)) else { continue };
        let own = form.filters.remove(at);
        form.notes.push(format!("“{}” stands in the place of “{}”.", steps::test(wanted), steps::test(&own)));
    }
    form.filters.retain(|own| !matches!(own, Filter::Outside { period } if other.periods.contains(period)));
}

/// Whether no row can pass both tests because one is the other, denied.
fn denies(own: &Filter, wanted: &Filter) -> bool {
    match (own, wanted) {
        (Filter::Value { found: ours, negated: denied, .. }, Filter::Value { found: theirs, negated: denies, .. })
            if denied != denies =>
        {
            // "In Spain or France" and then "not in Spain" leaves France.
            let (held, left_out) = if *denied { (theirs, ours) } else { (ours, theirs) };
            shares_place(ours, theirs)
                && held.iter().all(|place| {
                    let out = left_out.iter().filter(|out| out.place == place.place);
                    out.clone().count() == 0
                        || out.flat_map(|out| &out.values).filter(|value| place.values.contains(value)).count()
                            >= place.values.len()
                })
        }
        (Filter::Missing { of, negated, .. }, Filter::Missing { of: other, negated: denies, .. }) => {
            negated != denies && is_one(of, other)
        }
        (Filter::Flag { of, value }, Filter::Flag { of: other, value: wanted }) => value != wanted && is_one(of, other),
        (Filter::Weekdays { days, negated }, Filter::Weekdays { days: other, negated: denies }) => {
            negated != denies && days == other
        }
        (
            Filter::Text { of, text, start, end, negated },
            Filter::Text { of: other, text: said, start: starts, end: ends, negated: denies },
        ) => negated != denies && text == said && start == starts && end == ends && of == other,
        (
            Filter::Never { of, filters, periods } | Filter::Some { of, filters, periods },
            Filter::Never { of: other, filters: tests, periods: times }
            | Filter::Some { of: other, filters: tests, periods: times },
        ) => {
            let apart = matches!(own, Filter::Never { .. }) != matches!(wanted, Filter::Never { .. });
            let one = match (of, other) {
                (Some(of), Some(other)) => is_one(of, other),
                (of, other) => of.is_none() && other.is_none(),
            };
            apart && one && filters == tests && periods == times
        }
        _ => false,
    }
}

fn is_one(one: &Mention, other: &Mention) -> bool {
    matches!((one.best(), other.best()), (Some(one), Some(other)) if one.thing == other.thing)
}
