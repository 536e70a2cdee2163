//! Rows told by what they did, and when: "buyers who ordered in 2023 but not in 2024", "patients who came for the first
//! time in March", "members who borrowed more than once", "whose last visit was in 2023". What was done are rows of
//! another table, and the time is theirs: each such saying becomes the rows that have them, have none of them, or have
//! so many. Next: `acted` for what was done; `resolve/related.rs`.

use super::super::catalogue::Catalogue;
use super::super::form::{Filter, Mention, Thing};
use super::super::lexicon::{Order, Role};
use super::super::period::{Grain, Period};
use super::acted::{self, Acted, end_said};
use super::denied::{self, Denied};
use super::end_named;
use super::qualify::is_filler;
use super::said::{is, signal};
use super::spot::Spotted;
use super::taken::Told;

/// Words for once more.
const AGAIN: [&str; 5] = ["again", "once more", "also", "too", "as well"];
/// Words for not any more, behind what was done.
const SINCE: [&str; 8] =
    ["since", "since then", "afterwards", "after that", "thereafter", "later", "again", "any more"];
/// Words that begin what was not done.
const BUT_NOT: [&str; 8] = ["but not", "not", "never", "but never", "but no longer", "no longer", "none", "but none"];

/// What was said behind what was done.
#[derive(Debug, Default)]
struct Tail {
    /// The phrase behind it.
    end: usize,
    /// The phrase of the time that stands first.
    period: Option<Spotted>,
    /// Further times of which each must have one.
    some: Vec<Period>,
    /// Times in which there must be none.
    never: Vec<Period>,
    /// How often.
    count: Option<(Spotted, Spotted)>,
    /// Whether two times stand side by side, and nothing says whether both are meant.
    unclear: bool,
    /// Whether it was in that time only.
    only: bool,
    /// Times of which one is enough.
    either: Vec<Period>,
}

/// Reads what rows did, what they did not do, and when.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Denied {
    let ends = end_named::rewrite(catalogue, spans);
    let mut denied = denied::rewrite(catalogue, spans);
    denied::rewrite_different(catalogue, spans);
    for told in [ends, done(catalogue, spans)] {
        denied.notes.extend(told.notes);
        denied.doubt = denied.doubt.or(told.doubt);
    }
    denied
}

/// Reads what rows did.
fn done(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Told {
    let mut told = Told::default();
    let mut found = spans.clone();
    let Some(mut acted) = acted::find(catalogue, &mut found) else { return told };
    let mut tail = Tail::read(&found, &mut acted);
    tail.times(&acted);
    // The share of buyers who ordered is one of all buyers, and not of the orders.
    let shared = found.iter().any(|span| span.role() == Some(Role::Share));
    let shared = shared && !acted.negated && tail.count.is_none() && acted.order.is_none();
    let doubt = tail.doubt(&found, &acted);
    let apart = !tail.some.is_empty()
        || !tail.never.is_empty()
        || !tail.either.is_empty()
        || (shared && tail.is_whole(&found, &acted));
    if doubt.is_some() {
        told.doubt = doubt;
    } else if apart && found[tail.end..].iter().any(is_grain) {
        let text = "Who did it for the first time, or in two times, can be found for one time after the other: leave \
                    out by what time they are grouped.";
        told.doubt = Some(text.to_owned());
    } else if apart {
        *spans = found;
        put_tests(catalogue, spans, &acted, &tail, &mut told);
    } else if acted.order.is_none() && acted.such.is_empty() && tail.stands(&found, &acted) && !acted.light {
        *spans = found;
        put_rows(catalogue, spans, &acted, tail);
    }
    told
}

fn is_grain(span: &Spotted) -> bool {
    span.role().and_then(Grain::of).is_some()
}

/// The rows that pass: each test by itself, as different rows may pass them.
fn put_tests(catalogue: &Catalogue, spans: &mut Vec<Spotted>, acted: &Acted, tail: &Tail, told: &mut Told) {
    let plural = catalogue.plural(acted.table);
    let of = || Some(Mention::of(plural.clone(), Thing::Table(acted.table)));
    let first = tail.period.iter().filter_map(|span| span.period.clone());
    let (mut tests, mut said) = (Vec::new(), Vec::new());
    for period in first.chain(tail.some.iter().cloned()) {
        said.push(format!("have {plural} {}", when(&period)));
        tests.push(Filter::Some { of: of(), filters: acted.such.clone(), periods: vec![period] });
    }
    if !tail.either.is_empty() {
        let others = tail.either.iter().map(|period| {
            said.push(format!("or {}", when(period)));
            Filter::Some { of: of(), filters: acted.such.clone(), periods: vec![period.clone()] }
        });
        let sides = tests.drain(..).chain(others).map(|test| vec![test]).collect();
        tests.push(Filter::Either { sides });
    }
    if tests.is_empty() && tail.never.is_empty() {
        said.push(format!("have {plural}"));
        tests.push(Filter::Some { of: of(), filters: acted.such.clone(), periods: Vec::new() });
    }
    for period in &tail.never {
        said.push(format!("have none {}", when(period)));
        tests.push(Filter::Never { of: of(), filters: acted.such.clone(), periods: vec![period.clone()] });
    }
    let pause = spans[acted.from..tail.end].last().is_some_and(|last| last.pause);
    let home = &mut spans[acted.home];
    told.notes.push(format!(
        "Those {} are meant that {}.",
        home.text.to_lowercase(),
        said.join(" and ").replace(" and or ", " or ")
    ));
    home.tests.extend(tests);
    home.pause |= pause;
    spans.drain(acted.from..tail.end);
}

/// The rows that have such, so many of them, or none, in the words those are read by.
fn put_rows(catalogue: &Catalogue, spans: &mut Vec<Spotted>, acted: &Acted, tail: Tail) {
    let (role, text) = if acted.negated { (Role::Without, "with no") } else { (Role::With, "with") };
    let mut own = vec![signal(role, text)];
    own.extend(tail.count.into_iter().flat_map(|(comparator, number)| [comparator, number]));
    own.push(acted::named(catalogue, acted.table));
    own.extend(tail.period.into_iter().flat_map(|period| [signal(Role::In, "in"), period]));
    if let Some(last) = spans[acted.from..tail.end].last() {
        let (pause, ends) = (last.pause, last.ends);
        if let Some(own) = own.last_mut() {
            (own.pause, own.ends) = (pause, ends);
        }
    }
    spans.splice(acted.from..tail.end, own);
}

/// A time as it stands behind what happened then.
pub fn when(period: &Period) -> String {
    let begins = matches!(period, Period::Before(_) | Period::Until(_) | Period::After(_) | Period::Since(_));
    if begins { period.label() } else { format!("in {}", period.label()) }
}

impl Tail {
    /// What is said behind the deed, and whether that was the first of them.
    fn read(spans: &[Spotted], acted: &mut Acted) -> Self {
        let mut tail = Self { end: acted.end, ..Self::default() };
        if acted.repeated {
            tail.count = Some((signal(Role::Over, "more than"), number(1.0)));
        }
        let both = tail.skip(spans, &["both", "in both"]) | tail.skip_in_both(spans);
        tail.read_count(spans);
        tail.read_first(spans, acted);
        tail.only = tail.count.is_none() && tail.skip(spans, &["only", "just", "only in"]);
        tail.read_period(spans);
        tail.read_first(spans, acted);
        tail.read_count(spans);
        let open = acted.order.is_none() && !acted.negated && tail.count.is_none();
        let first = tail.period.as_ref().and_then(|span| span.period.clone());
        if let Some(first) = first.filter(|_| open) {
            let mut end = 0;
            while end != tail.end {
                end = tail.end;
                tail.read_more(spans, &first, both);
            }
        }
        tail
    }

    /// What the first and the last come to.
    fn times(&mut self, acted: &Acted) {
        let Some(period) = self.period.as_ref().and_then(|span| span.period.as_ref()) else { return };
        match acted.order {
            Some(Order::Ascending) => self.never.extend(before(period)),
            Some(Order::Descending) => self.never.extend(after(period)),
            None if self.only => {
                self.never.extend(before(period));
                self.never.extend(after(period));
            }
            None => {}
        }
    }

    /// What cannot be told of what was done.
    fn doubt(&self, spans: &[Spotted], acted: &Acted) -> Option<String> {
        let next = spans.get(self.end + skipped(spans, self.end));
        let grouped = next.is_some_and(|next| matches!(next.role(), Some(Role::Group | Role::Each)));
        let own = spans[acted.home..acted.end].iter().any(|span| is(span, &["whose", "their", "its", "his", "her"]));
        let gathered = spans.iter().take(acted.home).any(super::lasting::is_gathering);
        let excluded =
            next.is_some_and(|next| matches!(next.role(), Some(Role::Not | Role::Without)) || is(next, &["but"]));
        let text = if self.unclear {
            "In each of these times, or in both? Say “both in … and in …” for those who did in both, or “by year” for the \
             numbers side by side."
        } else if acted.order.is_some() && self.period.is_none() && own {
            "Of each one's own first or last only the time can be told here: say when, as in “whose first … was in 2024”."
        } else if (self.count.is_some() || acted.repeated) && (grouped || gathered) {
            "How many did it so often can be counted, or they can be listed, but neither grouped nor added up at once."
        } else if self.period.is_some() && excluded && self.never.is_empty() {
            "What is left out behind the time could not be put together with it: say “who … in … but not in …”."
        } else {
            return None;
        };
        Some(text.to_owned())
    }

    /// Whether nothing more is said of what was done, so that rows can stand for the verb.
    fn is_whole(&self, spans: &[Spotted], acted: &Acted) -> bool {
        let said = self.count.is_some() || self.period.is_some();
        let next = spans.get(self.end + skipped(spans, self.end));
        // "Climbed by" says who did it, and not what it is grouped by.
        let grouped = |next: &Spotted| {
            matches!(next.role(), Some(Role::Group | Role::Each | Role::Sorted)) && (said || !is(next, &["by"]))
        };
        let over = next.is_none_or(grouped) || spans.get(self.end - 1).is_some_and(|last| last.pause || last.ends);
        over && (said || !acted.object) && spans.get(acted.home + 1).is_none_or(|next| next.text != "is")
    }

    /// Whether rows can stand for the verb: nothing more is said of it, or when it was.
    fn stands(&self, spans: &[Spotted], acted: &Acted) -> bool {
        self.period.is_some() || self.is_whole(spans, acted)
    }

    /// "And again in 2024", "but not in 2024", "and never since".
    fn read_more(&mut self, spans: &[Spotted], first: &Period, both: bool) {
        let at = self.end + skipped(spans, self.end);
        let Some(joint) = spans.get(at) else { return };
        if joint.role() == Some(Role::Or) {
            return self.read_either(spans, at);
        }
        let as_well = is(joint, &["as well as"]);
        let joins = as_well || joint.role() == Some(Role::And) || is(joint, &["but"]);
        let mut from = if joins { at + 1 + skipped(spans, at + 1) } else { at };
        if spans.get(from).is_some_and(|span| is(span, &BUT_NOT)) {
            return self.read_none(spans, from, first);
        }
        let again = spans.get(from).is_some_and(|span| is(span, &AGAIN));
        from += usize::from(again);
        from += skipped(spans, from);
        from += usize::from(spans.get(from).is_some_and(|span| span.role() == Some(Role::In)));
        let Some(period) = spans.get(from).and_then(|span| span.period.clone()).filter(|_| joins) else { return };
        let end = from + 1;
        let later = spans.get(end + skipped(spans, end)).is_some_and(|span| is(span, &AGAIN));
        if both || again || as_well || later {
            self.some.push(period);
            self.end = end;
            self.skip(spans, &AGAIN);
        } else {
            self.unclear = spans.get(end + skipped(spans, end)).is_none();
        }
    }

    /// "In 2023 or in 2024".
    fn read_either(&mut self, spans: &[Spotted], at: usize) {
        let mut from = at + 1 + skipped(spans, at + 1);
        from += usize::from(spans.get(from).is_some_and(|span| span.role() == Some(Role::In)));
        if let Some(period) = spans.get(from).and_then(|span| span.period.clone()) {
            self.either.push(period);
            self.end = from + 1;
        }
    }

    fn read_none(&mut self, spans: &[Spotted], at: usize, first: &Period) {
        let mut from = at + 1 + skipped(spans, at + 1);
        from += usize::from(spans.get(from).is_some_and(|span| span.role() == Some(Role::In)));
        let period = spans.get(from).and_then(|span| span.period.clone());
        let since = spans.get(from).is_some_and(|span| is(span, &SINCE));
        let none = period.or_else(|| after(first).filter(|_| since));
        if let Some(none) = none {
            self.never.push(none);
            self.end = from + 1;
            self.skip(spans, &SINCE);
        }
    }

    /// "For the first time".
    fn read_first(&mut self, spans: &[Spotted], acted: &mut Acted) {
        let mut at = self.end + skipped(spans, self.end);
        at += usize::from(spans.get(at).is_some_and(|span| span.role() == Some(Role::In)));
        at += skipped(spans, at);
        let order = spans.get(at).and_then(end_said);
        let time = spans.get(at + 1).is_some_and(|span| is(span, &["time"]));
        if let (Some(order), true, None) = (order, time, acted.order) {
            acted.order = Some(order);
            self.end = at + 2;
        }
    }

    /// "More than once", "only once", "at least 3 times", "twice".
    fn read_count(&mut self, spans: &[Spotted]) {
        if self.count.is_some() {
            return;
        }
        let at = self.end + skipped(spans, self.end);
        let Some(first) = spans.get(at) else { return };
        let role = first.role();
        let only = role == Some(Role::Only);
        let compares =
            only || matches!(role, Some(Role::Over | Role::AtLeast | Role::Under | Role::AtMost | Role::Exactly));
        let Some((value, end)) = times(spans, if compares { at + 1 } else { at }) else { return };
        let comparator = if compares && !only { first.clone() } else { signal(Role::Exactly, "exactly") };
        self.count = Some((comparator, number(value)));
        self.end = end;
    }

    fn read_period(&mut self, spans: &[Spotted]) {
        let mut at = self.end + skipped(spans, self.end);
        at += usize::from(spans.get(at).is_some_and(|span| span.role() == Some(Role::In)));
        at += skipped(spans, at);
        if let Some(span) = spans.get(at).filter(|span| span.period.is_some()) {
            self.period = Some(span.clone());
            self.end = at + 1;
        }
    }

    /// "In both 2023 and 2024".
    fn skip_in_both(&mut self, spans: &[Spotted]) -> bool {
        let at = self.end + skipped(spans, self.end);
        let within = spans.get(at).is_some_and(|span| span.role() == Some(Role::In));
        let found = within && spans.get(at + 1).is_some_and(|span| is(span, &["both"]));
        if found {
            self.end = at + 2;
        }
        found
    }

    fn skip(&mut self, spans: &[Spotted], words: &[&str]) -> bool {
        let at = self.end + skipped(spans, self.end);
        let found = spans.get(at).is_some_and(|span| is(span, words));
        if found {
            self.end = at + 1;
        }
        found
    }
}

/// How many phrases at a place say nothing.
fn skipped(spans: &[Spotted], at: usize) -> usize {
    spans.iter().skip(at).take_while(|span| is_filler(span) && !is(span, &AGAIN)).count()
}

fn number(value: f64) -> Spotted {
    Spotted { text: value.to_string(), number: Some(value), ..Spotted::default() }
}

/// "Once", "twice", "3 times", and where it ends.
pub fn times(spans: &[Spotted], at: usize) -> Option<(f64, usize)> {
    let span = spans.get(at)?;
    if is(span, &["once", "a single time"]) {
        return Some((1.0, at + 1));
    }
    if is(span, &["twice"]) {
        return Some((2.0, at + 1));
    }
    let often = spans.get(at + 1).is_some_and(|next| is(next, &["times", "time"]));
    span.number.filter(|_| often).map(|number| (number, at + 2))
}

/// The time before another.
pub fn before(period: &Period) -> Option<Period> {
    match period {
        Period::Before(_) | Period::Until(_) => None,
        Period::After(end) => Some(Period::Until(end.clone())),
        Period::Since(start) | Period::Between(start, _) => Some(Period::Before(start.clone())),
        other => Some(Period::Before(Box::new(other.clone()))),
    }
}

/// The time after another.
pub fn after(period: &Period) -> Option<Period> {
    match period {
        Period::Since(_) | Period::After(_) => None,
        Period::Before(start) => Some(Period::Since(start.clone())),
        Period::Until(end) | Period::Between(_, end) => Some(Period::After(end.clone())),
        other => Some(Period::After(Box::new(other.clone()))),
    }
}
