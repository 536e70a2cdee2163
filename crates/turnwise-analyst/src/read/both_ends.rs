//! Both ends of one date at once: "when were the first and the latest order?", "earliest and latest payment date". The
//! rows at both ends cannot stand in one list, but the two dates are the least and the greatest there is. Next: `rank`,
//! `totals` for one end.

use super::super::form::{Aggregate, Measure, Mention};
use super::super::lexicon::{Concept, Order, Role, Signal};
use super::compose::{Composer, is_date};
use super::qualify::is_filler;
use super::said;
use super::slots::Walker;
use super::spot::Spotted;

/// What is said where both ends are asked for and more than their dates.
const BOTH: &str = "Both ends at once cannot be had in one list: ask for one of them.";
/// Words for when something was.
const DATES: [&str; 6] = ["date", "dates", "day", "days", "time", "times"];

/// "What are the dates of the first and the last payment" asks when they were.
pub fn rewrite(spans: &mut Vec<Spotted>) {
    let Some(start) = (0..spans.len()).find(|at| are_both(spans, *at)) else { return };
    let opens = |span: &Spotted| is_filler(span) || matches!(span.role(), Some(Role::Wh | Role::Command | Role::In));
    let Some(said) = spans[..start].iter().position(|span| said::is(span, &DATES)) else { return };
    let links = |span: &Spotted| is_filler(span) || span.role() == Some(Role::Of);
    if spans[..said].iter().all(opens) && spans[said + 1..start].iter().all(links) {
        spans.splice(..start, [said::signal(Role::When, "when")]);
    }
}

/// Whether one end, "and" and the other end begin here.
fn are_both(spans: &[Spotted], at: usize) -> bool {
    let mut said = spans.iter().skip(at).filter(|span| !is_filler(span));
    let ends = (said.next().and_then(end), said.next().and_then(Spotted::role), said.next().and_then(end));
    matches!(ends, (Some(one), Some(Role::And), Some(other)) if one != other) && end(&spans[at]).is_some()
}

/// The end of a date that a phrase says.
fn end(span: &Spotted) -> Option<Order> {
    match span.signal {
        Some(Signal::Superlative(order, Concept::Date)) => Some(order),
        Some(Signal::Role(Role::Last)) if said::is(span, &["last"]) => Some(Order::Descending),
        Some(_) | None => None,
    }
}

impl Walker<'_> {
    /// Notes that the other end of what is ranked was said before: of dates it may be had, of rows not.
    pub fn note_other_end(&mut self, order: Order, concept: Concept, limit: Option<usize>) {
        let before = self.slots.ranking.as_ref();
        let Some((other, limited)) = before.and_then(|ranked| {
            let (concept, _) = ranked.property.as_ref()?;
            (ranked.order != order).then_some((*concept, ranked.limit.is_some()))
        }) else {
            return;
        };
        if concept == Concept::Date && other == Concept::Date && !limited && limit.is_none() {
            self.slots.both_ends = true;
        } else {
            self.slots.doubt.get_or_insert(BOTH.to_owned());
        }
    }

    /// "Earliest and latest payment date": true where that is all that is asked of the rows.
    pub fn take_both_ends(&mut self, mention: &Mention) -> bool {
        let slots = &self.slots;
        let alone = slots.asked.is_none() && slots.counted.is_none() && slots.loose.is_empty();
        let date = mention.table().is_none() && mention.columns().any(|column| is_date(self.catalogue, column));
        if !(slots.both_ends && alone && date && slots.measures.is_empty()) {
            return false;
        }
        self.slots.both_ends = false;
        self.slots.ranking = None;
        self.slots.when = false;
        self.slots.measures.extend(both_of(mention));
        true
    }
}

impl Composer<'_> {
    /// Both ends that nobody took are those of rows, and a number of rows at an end that nothing took is not
    /// understood.
    pub fn doubt_ends(&mut self) {
        if self.slots.both_ends {
            self.read.doubt.get_or_insert(BOTH.to_owned());
        }
        self.read.unknown.extend(self.slots.most_limit.map(|limit| limit.to_string()));
    }
}

/// The least and the greatest of a date.
pub fn both_of(date: &Mention) -> [Measure; 2] {
    [Aggregate::Minimum, Aggregate::Maximum].map(|aggregate| Measure::new(aggregate, date.clone()))
}
