//! "What about store orders" after "online orders": the same rows by another word for their kind. The word before
//! stands for a kind that gives way, and both together are not meant. Next: `refine`.

use super::super::form::{Filter, Mention, QueryForm};
use super::super::read::Manner;
use super::super::steps;
use super::super::words;

/// Takes out of `form` the kind of rows that `other`, the reading of `change`, names another kind in the place of.
pub fn take_out(form: &mut QueryForm, other: &QueryForm, manner: Manner, change: &str) {
    let said = words::split(change);
    let folded: Vec<&str> = said.iter().map(|word| word.folded.as_str()).collect();
    let asks = matches!(folded.as_slice(), ["what" | "how", "about", ..] | ["and", "what" | "how", "about", ..]);
    let [wanted] = other.filters.as_slice() else { return };
    if !(asks || manner.instead) || manner.also || manner.only || !other.measures.is_empty() {
        return;
    }
    let Some(noun) = said.iter().rev().find(|word| !matches!(word.folded.as_str(), "instead" | "then" | "now")) else {
        return;
    };
    let is_kind = |own: &Filter| match (own, wanted) {
        (Filter::Flag { of, .. }, Filter::Flag { of: other, .. }) if is_one(of, other) => false,
        (Filter::Flag { of, .. }, Filter::Flag { .. } | Filter::Value { negated: false, .. }) => {
            let own = words::split(&of.words);
            own.len() > 1 && own.last().is_some_and(|last| last.stem == noun.stem)
        }
        _ => false,
    };
    let Some(at) = form.filters.iter().position(is_kind) else { return };
    let own = form.filters.remove(at);
    form.notes.push(format!("“{}” stands in the place of “{}”.", steps::test(wanted), steps::test(&own)));
}

fn is_one(one: &Mention, other: &Mention) -> bool {
    matches!((one.best(), other.best()), (Some(one), Some(other)) if one.thing == other.thing)
}
