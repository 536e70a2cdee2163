//! Two dates of one row: "late", "on time", "payments that arrived after the due date". What such words say becomes one
//! name, of a yes/no column that the two dates make. Where two pairs of dates may be meant, both are its readings, and
//! the person is asked. Next: `moments`, `catalogue/made.rs`.

use super::super::catalogue::{Catalogue, Made, Making};
use super::super::form::{Candidate, ColumnId, TableId, Thing};
use super::super::lexicon::Role;
use super::moments;
use super::qualify::table_of;
use super::said::{is, signal};
use super::spot::Spotted;

/// Words for what was done after its time.
const LATE: [&str; 4] = ["late", "too late", "belated", "belatedly"];
/// Words for what was not.
const ON_TIME: [&str; 4] = ["on time", "punctual", "punctually", "in time"];
/// Words between "late" and what it means.
const THAT_IS: [&str; 5] = ["e", "ie", "meaning", "that is", "namely"];

/// Reads what is said of two dates.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    let mut at = 0;
    while at < spans.len() {
        compare(catalogue, spans, at);
        at += 1;
    }
    let mut at = 0;
    while at < spans.len() {
        judge(catalogue, spans, at);
        at += 1;
    }
    for at in 0..spans.len() {
        count(catalogue, spans, at);
    }
}

/// "Paid late more than three times": more than three rows of which that is true.
fn count(catalogue: &Catalogue, spans: &mut Vec<Spotted>, at: usize) {
    let made = |candidate: &Candidate| match candidate.thing {
        Thing::Column(column) => Made::of(column.column).is_some().then_some(column.table),
        Thing::Table(_) | Thing::Concept(_) => None,
    };
    let Some(span) = spans.get(at) else { return };
    let Some(table) = span.names.iter().find_map(made) else { return };
    let Some(bound) = moments::behind(spans, at) else { return };
    let compares =
        matches!(spans[bound].role(), Some(Role::Over | Role::AtLeast | Role::Under | Role::AtMost | Role::Exactly));
    let number = bound + usize::from(compares);
    let Some((value, end)) = super::returning::times(spans, number) else { return };
    let own = spans[at].clone();
    let comparator = if compares { spans[bound].clone() } else { signal(Role::Exactly, "exactly") };
    let text = value.to_string();
    let rows = vec![Candidate { thing: Thing::Table(table), score: 100 }];
    let rows = Spotted { text: catalogue.plural(table), names: rows, ..Spotted::default() };
    let value = Spotted { text, number: Some(value), ..Spotted::default() };
    spans.splice(at..end, [signal(Role::With, "with"), comparator, value, rows, own]);
}

/// "arrived after the due date", "shipped date is before the required date".
fn compare(catalogue: &Catalogue, spans: &mut Vec<Spotted>, at: usize) {
    let (after, sign) = match spans[at].role() {
        Some(Role::After) => (true, None),
        Some(Role::Before) => (false, None),
        Some(Role::Over) => (true, Some(false)),
        Some(Role::AtLeast) => (true, Some(true)),
        Some(Role::Under) => (false, Some(false)),
        Some(Role::AtMost) => (false, Some(true)),
        _ => return,
    };
    let Some(behind) = moments::behind(spans, at) else { return };
    let second = moments::said(catalogue, &spans[behind]);
    let timed = spans.get(behind + 1).is_some_and(|next| next.period.is_some() || next.number.is_some());
    if second.is_empty() || timed {
        return;
    }
    // "shipped_date > required_date": by a sign both are named.
    if sign.is_some() && !both_named(catalogue, spans, at, behind) {
        return;
    }
    // "On or before" may have its "on" with the verb: "shipped on or before".
    let on_or = at >= 2 && is(&spans[at - 1], &["or"]) && ends_in(&spans[at - 2], &["on"]);
    let including = sign.unwrap_or(on_or);
    let begin = match on_or {
        true if is(&spans[at - 2], &["on"]) => at - 2,
        true => at - 1,
        false => at,
    };
    let tables = moments::tables(spans);
    let (from, first) = first_date(catalogue, spans, begin, &tables, &second);
    let mut made = Vec::new();
    for one in &first {
        for other in &second {
            let (of, than) = if after == including { (*other, *one) } else { (*one, *other) };
            let same = one.table == other.table;
            made.extend(catalogue.made(Making::Later, of, than).map(|column| (column, same)));
        }
    }
    let names = moments::near(catalogue, &tables, &made);
    if !names.is_empty() {
        moments::put(spans, from, behind, names, including);
    }
}

/// Whether dates are named right before and behind a comparison.
fn both_named(catalogue: &Catalogue, spans: &[Spotted], at: usize, behind: usize) -> bool {
    let named = |place: usize| !moments::named(catalogue, &spans[place]).is_empty();
    moments::before(spans, at).is_some_and(named) && named(behind)
}

/// The date that is compared: the one named or said by the verb before, or the one the rows spoken of are dated by.
fn first_date(
    catalogue: &Catalogue,
    spans: &[Spotted],
    at: usize,
    tables: &[TableId],
    second: &[ColumnId],
) -> (usize, Vec<ColumnId>) {
    let others =
        |dates: Vec<ColumnId>| -> Vec<ColumnId> { dates.into_iter().filter(|date| !second.contains(date)).collect() };
    let mut before = moments::before(spans, at);
    if let Some(place) = before.filter(|place| is(&spans[*place], &THAT_IS)) {
        before = moments::before(spans, place);
    }
    let Some(place) = before else { return (at, Vec::new()) };
    let done = || {
        let done = moments::all(catalogue).filter(|date| moments::is_done(catalogue, *date)).collect();
        matching(catalogue, &others(done), second)
    };
    if is(&spans[place], &LATE) {
        return (place, done());
    }
    // "Arrived after the estimated date": no date is called so, and it is none at which it was ordered.
    let verb = spans[place].role() == Some(Role::Link) && spans[place].text.to_lowercase().ends_with("ed");
    let near: Vec<ColumnId> = if verb && moments::said(catalogue, &spans[place]).is_empty() {
        done().into_iter().filter(|date| tables.contains(&date.table)).collect()
    } else {
        Vec::new()
    };
    if !near.is_empty() {
        return (place, near);
    }
    let said = others(moments::said(catalogue, &spans[place]));
    if !said.is_empty() {
        return (place, said);
    }
    if let Some(found) = done_to(catalogue, spans, place) {
        return (found.0, others(found.1));
    }
    // A joined test is of something else.
    if matches!(spans[place].role(), Some(Role::And | Role::Or | Role::Not)) {
        return (at, Vec::new());
    }
    let own = tables.iter().filter_map(|table| moments::main(catalogue, *table)).collect();
    (at, others(own))
}

/// "Paid an invoice after its due date": the verb's date of the rows that it was done to.
fn done_to(catalogue: &Catalogue, spans: &[Spotted], place: usize) -> Option<(usize, Vec<ColumnId>)> {
    let table = table_of(&spans[place])?;
    let verb = moments::before(spans, place)?;
    let mut dates = moments::of_verb(catalogue, &spans[verb].text);
    dates.retain(|date| date.table == table);
    (!dates.is_empty()).then_some((verb, dates))
}

/// Of the dates at which something was done those that share a word with what they are compared with, where any does.
fn matching(catalogue: &Catalogue, done: &[ColumnId], deadlines: &[ColumnId]) -> Vec<ColumnId> {
    let shared: Vec<ColumnId> =
        done.iter().copied().filter(|date| deadlines.iter().any(|other| shares(catalogue, *date, *other))).collect();
    if shared.is_empty() { done.to_vec() } else { shared }
}

/// Whether two names have a verb in common: `shipped` and `promised_ship_date`.
fn shares(catalogue: &Catalogue, one: ColumnId, other: ColumnId) -> bool {
    let time = |stem: &&String| !matches!(stem.as_str(), "date" | "time" | "at" | "on" | "day");
    let (one, other) = (&catalogue.column(one).stems, &catalogue.column(other).stems);
    one.iter().filter(time).any(|own| other.iter().filter(time).any(|stem| moments::is_form(own, stem)))
}

/// "late" and "on time", where no column says so.
fn judge(catalogue: &Catalogue, spans: &mut Vec<Spotted>, at: usize) {
    let on_time = ends_in(&spans[at], &["on", "in"]) && spans.get(at + 1).is_some_and(|next| is(next, &["time"]));
    let punctual = on_time || is(&spans[at], &ON_TIME);
    if !(punctual || is(&spans[at], &LATE)) || (!on_time && is_known(catalogue, &spans[at])) {
        return;
    }
    let end = at + usize::from(on_time);
    // "Shipped on" is one phrase where a date is called so.
    let at = at + usize::from(on_time && !is(&spans[at], &["on", "in"]));
    let tables = moments::tables(spans);
    let pairs = due(catalogue);
    let (before, behind) = (moments::before(spans, at), moments::behind(spans, end));
    let verb = |place: Option<usize>| {
        let place = place.filter(|place| table_of(&spans[*place]).is_none())?;
        let said = moments::of_verb(catalogue, &spans[place].text);
        let fits = |(done, _): &&(ColumnId, ColumnId)| said.contains(done);
        let own: Vec<(ColumnId, ColumnId)> = pairs.iter().filter(fits).copied().collect();
        (!own.is_empty()).then_some((place, own))
    };
    let (said, noun) = (verb(before), verb(behind));
    let narrowed = said.as_ref().or(noun.as_ref()).map_or_else(|| pairs.clone(), |(_, own)| own.clone());
    let made: Vec<(ColumnId, bool)> = narrowed
        .iter()
        .filter_map(|(done, deadline)| {
            let column = catalogue.made(Making::Later, *done, *deadline)?;
            Some((column, done.table == deadline.table))
        })
        .collect();
    let names = moments::near(catalogue, &tables, &made);
    let Some(first) = names.first().copied() else { return };
    // "Late deliveries" are the rows of it, where no table is called so.
    if let Some((place, _)) = noun.filter(|_| said.is_none() && tables.is_empty())
        && let Thing::Column(column) = first.thing
    {
        spans[place].names = vec![Candidate { thing: Thing::Table(column.table), score: 100 }];
        (spans[place].signal, spans[place].verb) = (None, false);
    }
    let from = said.map_or(at, |(place, _)| place);
    moments::put(spans, from, end, names, punctual);
}

/// When something was done and by when it was to be: dates of one row, or of one and what it refers to. Where a date is
/// called after the very deadline it is the one that is meant.
fn due(catalogue: &Catalogue) -> Vec<(ColumnId, ColumnId)> {
    let deadlines: Vec<ColumnId> =
        moments::all(catalogue).filter(|date| moments::is_deadline(catalogue, *date)).collect();
    let mut pairs = Vec::new();
    for deadline in deadlines {
        let done = |table: TableId| -> Vec<ColumnId> {
            let own = moments::of_table(catalogue, table).into_iter();
            own.filter(|date| moments::is_done(catalogue, *date)).collect()
        };
        let mut near = done(deadline.table);
        if near.is_empty() {
            for join in catalogue.referrers(deadline.table) {
                let theirs = done(join.from);
                let main = moments::main(catalogue, join.from).into_iter().collect();
                near.extend(if theirs.is_empty() { main } else { theirs });
            }
        }
        pairs.extend(matching(catalogue, &near, &[deadline]).into_iter().map(|done| (done, deadline)));
    }
    pairs
}

/// Whether it is said by a column or a value of the data.
fn is_known(catalogue: &Catalogue, span: &Spotted) -> bool {
    let own = |candidate: &Candidate| match candidate.thing {
        Thing::Column(column) => {
            catalogue.is_flag(candidate.thing) || catalogue.column(column).stems.concat() == span.text.to_lowercase()
        }
        Thing::Table(_) => true,
        Thing::Concept(_) => false,
    };
    !span.values.is_empty() || span.names.iter().any(own)
}

/// Whether its last word is one of these.
fn ends_in(span: &Spotted, words: &[&str]) -> bool {
    let text = span.text.to_lowercase();
    !span.quoted && text.split(' ').next_back().is_some_and(|last| words.contains(&last))
}
