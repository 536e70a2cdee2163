//! How long something takes: "average time to close a ticket", "how many days does shipping take", "days from booking
//! to check-in", "tickets that took longer than 7 days to close", "longest stay". Such words become one name, of a
//! number that two dates of a row make; what is gathered, ranked or tested by it is read as of any other number. The
//! end is the date the verb is in the name of; the beginning is said, or the date the rows begin with. Next: `moments`,
//! `taken`.

use super::super::catalogue::{Amount, Catalogue, Unit};
use super::super::form::{ColumnId, Mention, TableId, Thing};
use super::super::lexicon::{Concept, Order, Role, Signal};
use super::mention::is_measure;
use super::moments;
use super::qualify::{is_filler, table_of};
use super::said::is;
use super::spot::Spotted;
use super::taken::{Taken, Told};

/// Words for time by itself.
const TIME: [&str; 6] = ["time", "times", "duration", "durations", "amount of time", "period"];
/// Words that say no more than that it took time.
const TOOK: [&str; 14] = [
    "take", "takes", "took", "taken", "taking", "needed", "needs", "need", "elapsed", "passed", "pass", "passes",
    "lie", "required",
];
/// Words behind "how" that ask for time.
const HOW: [&str; 4] = ["long", "quickly", "fast", "soon"];
/// Nouns and verbs for the whole time from beginning to end.
const WHOLE: [&str; 13] = [
    "stay",
    "stays",
    "stayed",
    "lifetime",
    "lifetimes",
    "lifespan",
    "tenure",
    "length of stay",
    "last",
    "lasted",
    "lasts",
    "duration",
    "remained",
];
/// Stems of dates at which rows are over.
const OVER: [&str; 11] =
    ["to", "end", "finish", "churn", "terminat", "leav", "depart", "discharg", "checkout", "out", "until"];
/// Phrases between the word for time and what it is of.
const BETWEEN_MAX: usize = 9;

/// What asks for a time, and from which phrase on.
#[derive(Clone, Debug, PartialEq)]
struct Trigger {
    from: usize,
    kind: Kind,
    unit: Option<Unit>,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// "time to", behind whatever gathers it.
    Time,
    /// "how long", "how many days".
    Asked,
    /// "the longest to", "slowest to".
    End(Order),
    /// "longer than 7 days to": the phrases that compare and count.
    Bound { comparator: usize, number: usize },
}

/// Reads how long something takes.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Told {
    let mut told = Told::default();
    let unit = said_unit(spans).and_then(|at| unit_of(spans.get(at + 1)?));
    let mut at = 0;
    while at < spans.len() {
        let found = between(catalogue, spans, at)
            .or_else(|| to_verb(catalogue, spans, at))
            .or_else(|| within(catalogue, spans, at))
            .or_else(|| takes(catalogue, spans, at))
            .or_else(|| verb_time(catalogue, spans, at))
            .or_else(|| whole(catalogue, spans, at));
        if let Some(taken) = found {
            let unit = taken.unit.or(unit);
            taken.put(catalogue, spans, unit, &mut told);
            return told;
        }
        at += 1;
    }
    told
}

/// Where "in hours" stands, wherever that is.
pub fn said_unit(spans: &[Spotted]) -> Option<usize> {
    spans.windows(2).position(|pair| is(&pair[0], &["in"]) && unit_of(&pair[1]).is_some())
}

/// "days between order and delivery", "time from booking to check-in".
fn between(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<Taken> {
    if !is(&spans[at], &["between", "from"]) {
        return None;
    }
    let trigger = trigger(spans, at)?;
    let (joint, first) = date_at(catalogue, spans, at + 1)?;
    if !spans.get(joint).is_some_and(|span| is(span, &["and", "to", "until", "till"])) {
        return None;
    }
    let (end, second) = date_at(catalogue, spans, joint + 1)?;
    let taken = Taken { first: Some(first), ..taken(spans, &trigger, at, end - 1, second) };
    Some(taken)
}

/// The dates some phrases say, and where those end.
fn date_at(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Vec<ColumnId>)> {
    let small = |span: &&Spotted| is_filler(span) || span.role() == Some(Role::Of);
    let begin = at + spans.iter().skip(at).take_while(small).count();
    for length in (1..=3usize).rev() {
        let Some(own) = spans.get(begin..begin + length) else { continue };
        if own
            .iter()
            .any(|span| span.number.is_some() || span.period.is_some() || is(span, &["and", "to", "by", "per"]))
        {
            continue;
        }
        if let Some(dates) = dates_of(catalogue, own).filter(|dates| !dates.is_empty()) {
            return Some((begin + length, dates));
        }
    }
    None
}

fn dates_of(catalogue: &Catalogue, own: &[Spotted]) -> Option<Vec<ColumnId>> {
    if let [single] = own {
        let said = moments::said(catalogue, single);
        if !said.is_empty() {
            return Some(said);
        }
        let verbal = moments::of_verb(catalogue, &single.text);
        if !verbal.is_empty() {
            return Some(verbal);
        }
        return Some(moments::beginning(catalogue, table_of(single)?).into_iter().collect());
    }
    let text = own.iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
    let whole = moments::of_verb(catalogue, &text);
    if !whole.is_empty() {
        return Some(whole);
    }
    // "invoice issue": a verb of that table's rows.
    let [rows, verb] = own else { return None };
    let table = table_of(rows)?;
    Some(moments::said(catalogue, verb).into_iter().filter(|date| date.table == table).collect())
}

/// "time to close", "longer than 7 days to close", "the longest to close".
fn to_verb(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<Taken> {
    let to = is(&spans[at], &["to", "until", "till"]);
    let being = is(&spans[at], &["before"]);
    if !(to || being) {
        return None;
    }
    let trigger = trigger(spans, at)?;
    let (end, dates) = date_at(catalogue, spans, at + 1)?;
    Some(taken(spans, &trigger, at, end - 1, dates))
}

/// "closed within 2 days", "shipped within 3 days of ordering".
fn within(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<Taken> {
    if !is(&spans[at], &["within", "in under", "in less than", "in at most"]) {
        return None;
    }
    let number = spans.get(at + 1)?.number?;
    let unit = unit_of(spans.get(at + 2)?)?;
    let verb = moments::before(spans, at)?;
    let second = moments::said(catalogue, &spans[verb]);
    if second.is_empty() {
        return None;
    }
    let said = spans.get(at + 3).filter(|span| is(span, &["of", "after", "from"]));
    let first = said.and_then(|_| date_at(catalogue, spans, at + 4));
    if said.is_some_and(|span| !is(span, &["from"])) && first.is_none() {
        return None;
    }
    let (to, first) = first.map_or((at + 2, None), |(end, dates)| (end - 1, Some(dates)));
    let words = format!("{} to {}", unit.name(), spans[verb].text);
    let bound = Some((Spotted { signal: Some(Signal::Role(Role::AtMost)), ..spans[at].clone() }, number));
    let taken = Taken { from: verb, to, first, second, unit: Some(unit), words, bound, ..Taken::default() };
    Some(taken)
}

/// "how many days does shipping take", "how long does shipping of parcels take".
fn takes(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<Taken> {
    let trigger = trigger(spans, at).filter(|trigger| trigger.kind == Kind::Asked)?;
    let verb = table_of(&spans[at]).is_none().then(|| moments::said(catalogue, &spans[at]))?;
    let small = |span: &Spotted| is_filler(span) || span.role() == Some(Role::Of) || table_of(span).is_some();
    let more = spans.iter().skip(at + 1).take_while(|span| small(span) && !is(span, &TOOK)).count();
    let behind = at + 1 + more;
    let takes = spans.get(behind).is_some_and(|span| is(span, &TOOK));
    if verb.is_empty() || !takes || spans.get(behind + 1).is_some_and(|next| is(next, &["to"])) {
        return None;
    }
    let mut taken = taken(spans, &trigger, at, at, verb);
    taken.kept.extend(spans[at + 1..behind].iter().filter(|span| table_of(span).is_some()).cloned());
    Some(Taken { to: behind, ..taken })
}

/// "average shipping time": a date called so by its verb cannot be averaged, the time until it can.
fn verb_time(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<Taken> {
    let text = spans[at].text.to_lowercase();
    let together = text.split_once(' ').filter(|(_, time)| TIME.contains(time)).map(|(verb, _)| verb.to_owned());
    let apart = spans.get(at + 1).is_some_and(|next| is(next, &TIME)) && table_of(&spans[at]).is_none();
    let gathers = moments::before(spans, at).is_some_and(|before| is_gathering(&spans[before]));
    let (verb, to) = match together {
        Some(verb) if gathers => (verb, at),
        None if apart => (text, at + 1),
        _ => return None,
    };
    let number = |span: &Spotted| {
        span.names.iter().any(|candidate| match candidate.thing {
            Thing::Column(column) => catalogue.column(column).is_number(),
            _ => false,
        })
    };
    let mut second = moments::of_verb(catalogue, &verb);
    second.retain(|date| moments::is_done(catalogue, *date));
    if second.is_empty() || number(&spans[at]) || spans[at].signal.is_some() {
        return None;
    }
    let words = spans[at..=to].iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
    Some(Taken { from: at, to, second, words, ..Taken::default() })
}

/// "longest stay", "average lifetime of accounts", "how long do rentals last", "how long does a trip take".
fn whole(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<Taken> {
    let own = &spans[at];
    let took = is(own, &TOOK) && !spans.get(at + 1).is_some_and(|next| is(next, &["to"]));
    let mention = Mention { words: own.text.clone(), candidates: own.names.clone() };
    if !(took || is(own, &WHOLE)) || !own.values.is_empty() || is_measure(catalogue, &mention) {
        return None;
    }
    let gathered = !took && moments::before(spans, at).is_some_and(|before| is_gathering(&spans[before]));
    let asked = trigger(spans, at).filter(|trigger| !took || trigger.kind == Kind::Asked);
    let tables = moments::tables(spans);
    if !gathered && asked.is_none() || has_length(catalogue, &tables) {
        return None;
    }
    let over = |date: &ColumnId| moments::is_of(catalogue, *date, &OVER);
    let mut second: Vec<ColumnId> = moments::all(catalogue).filter(over).collect();
    if second.iter().any(|date| tables.contains(&date.table)) {
        second.retain(|date| tables.contains(&date.table));
    }
    // What begins and ends is called so by both of its dates.
    if took || second.iter().any(|date| moments::twin(catalogue, *date).is_some()) {
        second.retain(|date| moments::twin(catalogue, *date).is_some());
    }
    if second.is_empty() {
        return None;
    }
    Some(match asked.filter(|_| !gathered) {
        Some(trigger) => taken(spans, &trigger, at, at, second),
        None => Taken { from: at, to: at, second, words: own.text.clone(), ..Taken::default() },
    })
}

/// Whether rows of one of the tables have a number for how long they take.
fn has_length(catalogue: &Catalogue, tables: &[TableId]) -> bool {
    let has = |concept| {
        catalogue.measures(concept).iter().any(|source| {
            let date = matches!(source.amount, Amount::Column(column) if moments::is_date(catalogue, column));
            tables.contains(&source.table) && !date
        })
    };
    has(Concept::Duration)
}

/// What stands in the place of the phrases from a trigger to an end.
fn taken(spans: &[Spotted], trigger: &Trigger, at: usize, to: usize, second: Vec<ColumnId>) -> Taken {
    let kept = |span: &&Spotted| table_of(span).is_some() || is_aggregate(span);
    let from = trigger.from;
    let begin = match trigger.kind {
        Kind::Bound { number, .. } => number + 2,
        _ => from + 1,
    };
    let kept: Vec<Spotted> = spans.get(begin..at).unwrap_or_default().iter().filter(kept).cloned().collect();
    let what = spans[at..=to]
        .iter()
        .filter(|span| !is(span, &TOOK))
        .map(|span| span.text.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    let time = trigger.unit.map_or("time", Unit::name);
    let joined = what.is_empty() || is(&spans[at], &["to", "between", "from", "until", "till", "before"]);
    let what = if joined { what } else { format!("of {what}") };
    let bound = match trigger.kind {
        Kind::Bound { comparator, number } => spans[number].number.map(|value| (spans[comparator].clone(), value)),
        _ => None,
    };
    let order = match trigger.kind {
        Kind::End(order) => Some(order),
        _ => None,
    };
    Taken {
        from,
        to,
        first: None,
        second,
        unit: trigger.unit,
        words: format!("{time} {what}").trim().to_owned(),
        kept,
        bound,
        order,
        asked: trigger.kind == Kind::Asked,
    }
}

/// What before `at` asks for a time, with nothing between that has a part of its own.
fn trigger(spans: &[Spotted], at: usize) -> Option<Trigger> {
    let mut unit = None;
    for place in (0..at).rev().take(BETWEEN_MAX) {
        let span = &spans[place];
        let before = place.checked_sub(1).and_then(|before| spans.get(before));
        if let Some(own) = unit_of(span) {
            if before.is_some_and(|before| is(before, &["in"])) {
                unit = Some(own);
                continue;
            }
            return counted(spans, place, own);
        }
        if is(span, &["in"]) && unit.is_some() {
            continue;
        }
        if is(span, &HOW) && before.is_some_and(|before| is(before, &["how"])) {
            return Some(Trigger { from: place - 1, kind: Kind::Asked, unit });
        }
        if is(span, &TIME) {
            let order = before.and_then(Spotted::role).and_then(most);
            let from = place - usize::from(order.is_some());
            return Some(Trigger { from, kind: order.map_or(Kind::Time, Kind::End), unit });
        }
        if let Some(Signal::Superlative(order, concept)) = span.signal {
            let order = match concept {
                Concept::Length => order,
                Concept::Speed => reverse(order),
                _ => return None,
            };
            return Some(Trigger { from: place - taking(spans, place), kind: Kind::End(order), unit });
        }
        if !(is_filler(span) || is(span, &TOOK) || is_aggregate(span) || table_of(span).is_some()) {
            return None;
        }
    }
    None
}

/// A unit: "how many days", "number of days", "longer than 7 days", or by itself behind what gathers it.
fn counted(spans: &[Spotted], place: usize, unit: Unit) -> Option<Trigger> {
    let unit = Some(unit);
    let before = moments::before(spans, place);
    let Some(before) = before else { return Some(Trigger { from: place, kind: Kind::Time, unit }) };
    let own = &spans[before];
    if own.role() == Some(Role::Count) {
        let gathered = moments::before(spans, before).is_some_and(|earlier| is_aggregate(&spans[earlier]));
        let kind = if gathered { Kind::Time } else { Kind::Asked };
        return Some(Trigger { from: before, kind, unit });
    }
    if own.number.is_some() {
        let comparator = moments::before(spans, before)?;
        let compares = matches!(
            spans[comparator].signal,
            Some(
                Signal::Comparative(_, Concept::Length)
                    | Signal::Role(Role::Over | Role::Under | Role::AtLeast | Role::AtMost)
            )
        );
        let from = comparator - taking(spans, comparator);
        return compares.then_some(Trigger { from, kind: Kind::Bound { comparator, number: before }, unit });
    }
    is_gathering(own).then_some(Trigger { from: place, kind: Kind::Time, unit })
}

/// The phrases before `at` that say no more than that it took what follows.
fn taking(spans: &[Spotted], at: usize) -> usize {
    let small = |span: &&Spotted| is(span, &TOOK) || is(span, &["the", "that", "which"]);
    let before = spans[..at].iter().rev().take_while(small).count();
    spans[at - before..at].iter().position(|span| is(span, &TOOK)).map_or(0, |first| before - first)
}

fn most(role: Role) -> Option<Order> {
    match role {
        Role::Most => Some(Order::Descending),
        Role::Fewest => Some(Order::Ascending),
        _ => None,
    }
}

fn reverse(order: Order) -> Order {
    match order {
        Order::Ascending => Order::Descending,
        Order::Descending => Order::Ascending,
    }
}

/// Whether it gathers a number.
pub fn is_aggregate(span: &Spotted) -> bool {
    use Role::{Average, Deviation, Highest, Lowest, Median, Percentile, Sum};
    matches!(span.role(), Some(Average | Deviation | Highest | Lowest | Median | Percentile | Sum))
}

/// Whether it gathers a time, or ranks by one.
pub fn is_gathering(span: &Spotted) -> bool {
    is_aggregate(span) || matches!(span.signal, Some(Signal::Superlative(_, Concept::Length)))
}

fn unit_of(span: &Spotted) -> Option<Unit> {
    match span.text.to_lowercase().as_str() {
        "minute" | "minutes" => Some(Unit::Minutes),
        "hour" | "hours" => Some(Unit::Hours),
        "day" | "days" => Some(Unit::Days),
        "week" | "weeks" => Some(Unit::Weeks),
        "month" | "months" => Some(Unit::Months),
        "year" | "years" => Some(Unit::Years),
        _ => None,
    }
}
