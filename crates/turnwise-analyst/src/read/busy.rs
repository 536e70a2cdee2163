//! "The busiest day for orders": the time with the most of the rows that are named. No number of theirs is asked for,
//! so that it would be taken for a slip or a name. Next: `ends` for the busiest place.

use super::super::catalogue::Catalogue;
use super::super::lexicon::Role;
use super::super::period::Grain;
use super::qualify::{is_filler, table_of};
use super::said::is;
use super::spot::Spotted;

/// Words before the rows that keep a time busy.
const FOR: [&str; 6] = ["for", "of", "in", "with", "by", "in terms of"];

/// Puts the most rows where a time was said to be the busiest.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    let Some(at) = spans.iter().position(|span| is(span, &["busiest"])) else { return };
    let grain = spans.get(at + 1).and_then(Spotted::role).and_then(Grain::of);
    let gathers = spans.iter().any(|span| matches!(span.role(), Some(Role::Count | Role::Sum | Role::Average)));
    let mut rows = (0..spans.len()).filter(|at| table_of(&spans[*at]).is_some());
    let (Some(_), Some(place), None, false) = (grain, rows.next(), rows.next(), gathers) else { return };
    let named = spans.remove(place);
    let (mut from, mut removed) = (place, usize::from(place < at));
    while let Some(before) =
        from.checked_sub(1).filter(|before| is_filler(&spans[*before]) || is(&spans[*before], &FOR))
    {
        if before <= at + 1 - removed && before + 1 >= at.saturating_sub(removed) {
            break;
        }
        spans.remove(before);
        removed += usize::from(before < at);
        from = before;
    }
    let at = at - removed;
    let mut most = super::spot::spot(catalogue, "with the most").spans;
    most.push(named);
    spans.splice(at + 2..at + 2, most);
    spans.remove(at);
}
