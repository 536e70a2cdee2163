//! "Orders purchased per month", of orders with five dates one of which is `purchase_timestamp`: where a time is said,
//! the verb right behind the rows picks the one of their dates that is called by it. Where none or several are, nothing
//! is picked. Next: `deed`, `moments`.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, Thing};
use super::super::lexicon::Role;
use super::super::period::Grain;
use super::moments;
use super::qualify::{is_filler, table_of};
use super::spot::Spotted;

/// Gives verbs the one date that is called by them.
pub fn mark(catalogue: &Catalogue, spans: &mut [Spotted]) {
    let is_time = |span: &Spotted| {
        let role = span.role();
        span.period.is_some() || role == Some(Role::When) || role.and_then(Grain::of).is_some()
    };
    if !spans.iter().any(is_time) {
        return;
    }
    for at in 1..spans.len() {
        if !may_date(&spans[at]) {
            continue;
        }
        let before = spans[..at].iter().rev().find(|span| !is_filler(span));
        let Some(table) = before.filter(|span| !span.pause).and_then(table_of) else { continue };
        let mut dates = moments::of_verb(catalogue, &spans[at].text);
        dates.retain(|date| date.table == table);
        if let ([date], true) = (dates.as_slice(), moments::of_table(catalogue, table).len() > 1) {
            let names = vec![Candidate { thing: Thing::Column(*date), score: 100 }];
            spans[at] = Spotted { names, signal: None, verb: true, ..spans[at].clone() };
        }
    }
}

/// Whether a phrase is the past of a verb that names nothing by itself.
fn may_date(span: &Spotted) -> bool {
    let verb = span.text.to_lowercase();
    let role = matches!(span.role(), Some(Role::Bought | Role::Sold | Role::Spent | Role::Link | Role::Ignore));
    let past = verb.ends_with("ed") || matches!(verb.as_str(), "sold" | "bought" | "paid" | "sent" | "made");
    let concepts = span.names.iter().all(|name| matches!(name.thing, Thing::Concept(_)));
    past && role && concepts && span.values.is_empty() && !span.quoted && !verb.contains(' ')
}
