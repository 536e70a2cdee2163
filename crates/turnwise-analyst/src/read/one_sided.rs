//! "Fees paid versus billed", of which only the one was read: a comparison with one side is none, so it is refused by
//! name. Next: `compose`.

use super::super::form::{Analysis, Filter, QueryForm};
use super::super::lexicon::Role;
use super::spot::Spotted;

/// The words behind "versus", where something stands on both sides of it.
pub fn other_side(spans: &[Spotted]) -> Option<String> {
    let at = spans.iter().position(|span| span.role() == Some(Role::Versus)).filter(|at| *at > 0)?;
    let behind: Vec<&str> = spans[at + 1..].iter().map(|span| span.text.as_str()).collect();
    (!behind.is_empty()).then(|| behind.join(" "))
}

/// Why the one number that was read of two is not shown by itself.
pub fn doubt(behind: &str, form: &QueryForm) -> Option<String> {
    let tests = |filter: &Filter| matches!(filter, Filter::Value { .. } | Filter::Flag { .. } | Filter::Either { .. });
    let [measure] = form.measures.as_slice() else { return None };
    let lone = form.analysis == Analysis::Compare
        && form.periods.is_empty()
        && form.conditions.is_empty()
        && form.claim.is_none()
        && !form.filters.iter().any(tests);
    lone.then(|| {
        format!(
            "Only “{}” was understood of the two sides of “versus”, and not what “{behind}” is to be: name both numbers \
             as they are called, joined by “and”.",
            measure.of.words
        )
    })
}
