//! A value or a number behind the name of its column, or before it: "zip code 94107", "customer with id 10", "district
//! 1 or 2", ""Second time" as order detail". What is not found in the data is looked for in the column all the same: an
//! empty answer that says so is honest, and a test that was dropped is not. Next: `valued`.

use super::super::catalogue::{Catalogue, Display};
use super::super::form::{Candidate, ColumnId, Filter, Found, Mention, Thing};
use super::super::lexicon::{Comparator, Role, Signal, lexicon};
use super::super::source::ColumnKind;
use super::super::words;
use super::qualify::{is_filler, table_of};
use super::spot::Spotted;

/// Words for what tells rows apart, where no column is called so.
const KEYS: [&str; 6] = ["id", "ids", "identifier", "number", "no", "code"];
/// Small words between a name and its value.
const SMALL_MAX: usize = 4;
/// How much worse than the best a reading of the column may fit.
const FIT: u32 = 10;

/// The test that begins at `at`.
pub fn said_of(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    name_then_literal(catalogue, spans, at)
        .or_else(|| literal_as_name(catalogue, spans, at))
        .or_else(|| part_of_name(catalogue, spans, at))
}

fn name_then_literal(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let first = &spans[at];
    if first.pause || first.quoted || is_wanted_otherwise(spans, at) {
        return None;
    }
    let (value, denied, linked) = behind(spans, at + 1)?;
    if let Some(missing) = missing(catalogue, spans, at, value, denied) {
        return Some((value + 1 - at, missing, None));
    }
    // "Keepers who are 45" is about no keeper of that number.
    if table_of(first).is_some() && !spans.get(value)?.quoted {
        return None;
    }
    let columns = columns_of(catalogue, spans, at, spans.get(value)?);
    if columns.is_empty() {
        return None;
    }
    if spans.get(value)?.number.is_some() && spans.get(value)?.values.is_empty() {
        return numbers(catalogue, spans, at, value, &columns, denied);
    }
    let literal = spans.get(value)?;
    // "Location of the club named X": the name is that of the club.
    let naming = spans.iter().take(value).skip(at + 1).any(is_naming) && table_of(first).is_none();
    if naming {
        return None;
    }
    let elsewhere = literal.quoted && linked && !literal.values.is_empty();
    let foreign =
        literal.values.iter().all(|found| !columns.iter().any(|column| found.place == Thing::Column(*column)));
    let unknown = literal.is_unknown() && (literal.quoted || is_code(&literal.text));
    let named = literal.quoted && literal.values.is_empty();
    if !(unknown || named || (elsewhere && foreign)) {
        return None;
    }
    let span = sought(catalogue, &columns, &literal.text, denied)?;
    Some((value + 1 - at, Spotted { pause: literal.pause, ..span }, None))
}

/// "Commission is not null", "phone is unknown": the column has no value, where nothing in it is spelt so.
fn missing(catalogue: &Catalogue, spans: &[Spotted], at: usize, value: usize, denied: bool) -> Option<Spotted> {
    let said = spans.get(value).filter(|said| said.values.is_empty() && value > at + 1)?;
    let empty = matches!(said.text.to_lowercase().as_str(), "null" | "empty" | "blank" | "unknown" | "missing");
    let of = Mention { words: spans[at].text.clone(), candidates: spans[at].names.clone() };
    let column = of.columns().next().is_some() && table_of(&spans[at]).is_none() && !catalogue.is_flag_mention(&of);
    let test = Filter::Missing { of, negated: denied, unwritten: true };
    (empty && column).then(|| Spotted { text: said.text.clone(), tests: vec![test], ..Spotted::default() })
}

/// Whether a word says what something is called.
fn is_naming(span: &Spotted) -> bool {
    matches!(span.text.to_lowercase().as_str(), "named" | "called" | "titled" | "entitled" | "name" | "known")
}

/// Whether the name is what is grouped, counted or gathered by: "by rating 5" tests nothing.
fn is_wanted_otherwise(spans: &[Spotted], at: usize) -> bool {
    let before = spans.iter().take(at).rev().find(|span| span.role() != Some(Role::Ignore));
    // "Coached by the rank 1 coach" is no group.
    let article =
        at.checked_sub(1).and_then(|at| spans.get(at)).is_some_and(|span| span.text.eq_ignore_ascii_case("the"));
    before.filter(|before| !(article && before.role() == Some(Role::Group))).is_some_and(|before| match before.signal {
        Some(Signal::Role(role)) => matches!(
            role,
            Role::Group
                | Role::Each
                | Role::Sorted
                | Role::Count
                | Role::Average
                | Role::Sum
                | Role::Median
                | Role::Top
                | Role::Bottom
                | Role::Over
                | Role::Under
                | Role::AtLeast
                | Role::AtMost
                | Role::Between
        ),
        Some(Signal::Superlative(..) | Signal::Comparative(..)) => true,
        None => false,
    })
}

/// Where the value behind a name stands, whether it is denied, and whether a word links the two.
fn behind(spans: &[Spotted], from: usize) -> Option<(usize, bool, bool)> {
    let (mut denied, mut linked) = (false, false);
    for (at, span) in spans.iter().enumerate().skip(from).take(SMALL_MAX + 1) {
        let word = span.text.to_lowercase();
        let beside = matches!(word.as_str(), "either" | "number" | "value" | "equal to");
        let says = matches!(span.role(), Some(Role::Exactly | Role::Of)) || (beside && !span.is_name());
        match span.role() {
            _ if span.quoted || span.number.is_some() => return Some((at, denied, linked)),
            Some(Role::Not) if !span.text.to_lowercase().contains("in") => (denied, linked) = (true, true),
            Some(Role::Ignore) => linked |= !matches!(span.text.to_lowercase().as_str(), "the" | "a" | "an"),
            _ if says => linked = true,
            _ => return Some((at, denied, linked)),
        }
        if span.pause {
            return None;
        }
    }
    None
}

/// The columns that are named there; "id" is that of the rows named before it.
fn columns_of(catalogue: &Catalogue, spans: &[Spotted], at: usize, literal: &Spotted) -> Vec<ColumnId> {
    let first = &spans[at];
    let best = first.names.iter().map(|candidate| candidate.score).max();
    let fits = |candidate: &&Candidate| best.is_some_and(|best| candidate.score + FIT >= best);
    let named = first.names.iter().filter(fits).filter_map(|candidate| match candidate.thing {
        Thing::Column(column) => Some(column),
        // "the club Rowing" is the club of that name, and "invoice 404" that of the number.
        Thing::Table(table) if literal.quoted => match catalogue.table(table).display {
            Display::Column(column) => Some(ColumnId { table, column }),
            Display::FullName { .. } | Display::Nothing => None,
        },
        Thing::Table(_) | Thing::Concept(_) => None,
    });
    let named: Vec<ColumnId> = named.collect();
    let word = first.text.to_lowercase();
    if !named.is_empty() || !KEYS.contains(&word.as_str()) || !(first.is_unknown() || is_filler(first)) {
        return if first.is_name() { named } else { Vec::new() };
    }
    let small = |span: &&Spotted| is_filler(span) || matches!(span.role(), Some(Role::With | Role::Of));
    let owner = spans.iter().take(at).rev().find(|span| !small(span)).and_then(table_of);
    let key = owner.and_then(|table| catalogue.table(table).key.map(|column| ColumnId { table, column }));
    key.into_iter().collect()
}

/// "district 1 or 2", "price of 5 dollars".
fn numbers(
    catalogue: &Catalogue,
    spans: &[Spotted],
    at: usize,
    value: usize,
    columns: &[ColumnId],
    denied: bool,
) -> Option<(usize, Spotted, Option<Mention>)> {
    let kind = |column: &ColumnId| catalogue.column(*column).kind;
    let countable: Vec<ColumnId> = columns
        .iter()
        .copied()
        .filter(|column| matches!(kind(column), ColumnKind::Integer | ColumnKind::Real))
        .collect();
    let next = spans.get(value + 1);
    let grows = next.is_some_and(|next| matches!(next.role(), Some(Role::OrMore | Role::OrLess)));
    // "Ranges of the 3 mountains with …" are those of three.
    let limits = next.is_some_and(|next| {
        let one = next.singular && table_of(next).is_some() && value == at + 1;
        next.is_name() && !one && !spans[value].pause && next.unit.is_none()
    });
    let the = spans[value - 1].text.eq_ignore_ascii_case("the");
    if grows || limits || the || spans[value].period.is_some() {
        return None;
    }
    if countable.is_empty() {
        let texts: Vec<ColumnId> = columns.iter().copied().filter(|column| kind(column) == ColumnKind::Text).collect();
        let span = sought(catalogue, &texts, &spans[value].text, denied)?;
        return Some((value + 1 - at, Spotted { pause: spans[value].pause, ..span }, None));
    }
    let unit = next.and_then(|next| next.unit);
    let mut length = value + 1 - at + usize::from(unit.is_some());
    let mut values = vec![spans[value].number?];
    let others = if unit.is_some() { Vec::new() } else { joined_numbers(spans, at + length) };
    length += 2 * others.len();
    values.extend(others);
    let candidates: Vec<Candidate> = spans[at]
        .names
        .iter()
        .copied()
        .filter(|candidate| matches!(candidate.thing, Thing::Column(column) if countable.contains(&column)))
        .collect();
    let candidates = if candidates.is_empty() {
        countable.iter().map(|column| Candidate { thing: Thing::Column(*column), score: 100 }).collect()
    } else {
        candidates
    };
    let of = Mention { words: spans[at].text.clone(), candidates };
    let tests = number_tests(&of, &values, unit.map(|unit| unit.factor), denied);
    let pause = spans.get(at + length - 1).is_some_and(|last| last.pause);
    Some((length, Spotted { text: spans[at].text.clone(), tests, pause, ..Spotted::default() }, None))
}

/// The numbers that are joined to the one before `from`: "1, 2 or 3".
fn joined_numbers(spans: &[Spotted], from: usize) -> Vec<f64> {
    let mut values = Vec::new();
    let mut at = from;
    while let (Some(joint), Some(other)) = (spans.get(at), spans.get(at + 1)) {
        let last = spans.get(at + 2);
        let ends = last.is_none_or(|last| !last.is_name() && last.unit.is_none());
        let joins = matches!(joint.role(), Some(Role::Or | Role::And)) && other.period.is_none() && ends;
        let Some(number) = other.number.filter(|_| joins) else { break };
        values.push(number);
        at += 2;
    }
    values
}

/// The test that a number is one of these, or none of them.
fn number_tests(of: &Mention, values: &[f64], unit: Option<f64>, denied: bool) -> Vec<Filter> {
    let comparator = if denied { Comparator::Unequal } else { Comparator::Equal };
    let test = |value: &f64| Filter::Number { of: of.clone(), comparator, value: *value, unit };
    let tests: Vec<Filter> = values.iter().map(test).collect();
    match tests.as_slice() {
        [_] => tests,
        _ if denied => tests,
        _ => vec![Filter::Either { sides: tests.into_iter().map(|test| vec![test]).collect() }],
    }
}

/// A code as people type it: capitals or digits.
fn is_code(text: &str) -> bool {
    let has = |test: fn(char) -> bool| text.chars().any(test);
    has(char::is_uppercase) || has(|c| c.is_ascii_digit())
}

/// The test on a column of something that the data was not found to hold.
fn sought(catalogue: &Catalogue, columns: &[ColumnId], text: &str, denied: bool) -> Option<Spotted> {
    let is_text = |column: &&ColumnId| catalogue.column(**column).kind == ColumnKind::Text;
    let found: Vec<Found> = columns
        .iter()
        .filter(is_text)
        .map(|column| Found { place: Thing::Column(*column), values: vec![text.to_owned()], end: None, via: None })
        .collect();
    let first = columns.iter().find(is_text)?;
    let note = format!("“{text}” was not found in {} when the data was opened.", catalogue.column_label(*first));
    let test = Filter::Value { words: text.to_owned(), found, negated: denied };
    Some(Spotted { text: text.to_owned(), tests: vec![test], note: Some(note), ..Spotted::default() })
}

/// ""Second time" as order detail", "Android as their platform".
fn literal_as_name(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let literal = &spans[at];
    if literal.is_name() || literal.signal.is_some() || (literal.values.is_empty() && !literal.quoted) {
        return None;
    }
    if !spans.get(at + 1)?.text.eq_ignore_ascii_case("as") {
        return None;
    }
    let small = spans.iter().skip(at + 2).take_while(|span| is_filler(span)).count();
    let name = spans.get(at + 2 + small).filter(|span| span.is_name())?;
    let columns = columns_of(catalogue, spans, at + 2 + small, literal);
    let kept: Vec<Found> = literal
        .values
        .iter()
        .filter(|found| columns.iter().any(|column| found.place == Thing::Column(*column)))
        .cloned()
        .collect();
    let length = 3 + small;
    if kept.is_empty() {
        let span = sought(catalogue, &columns, &literal.text, false).filter(|_| literal.quoted)?;
        return Some((length, Spotted { pause: name.pause, ..span }, None));
    }
    let (text, quoted) = (literal.text.clone(), literal.quoted);
    Some((length, Spotted { text, quoted, values: kept, pause: name.pause, ..Spotted::default() }, None))
}

/// "Colorado state", "status Y" of `state_province_county` and `order_status_code`: the word beside a value is a part
/// of the name of the column it is in.
fn part_of_name(catalogue: &Catalogue, spans: &[Spotted], at: usize) -> Option<(usize, Spotted, Option<Mention>)> {
    let (first, next) = (&spans[at], spans.get(at + 1)?);
    if first.pause {
        return None;
    }
    let small =
        if first.is_unknown() { spans.iter().skip(at + 1).take_while(|span| is_filler(span)).count() } else { 0 };
    let (word, value, length) =
        if first.is_unknown() { (first, spans.get(at + 1 + small)?, 2 + small) } else { (next, first, 2) };
    if !word.is_unknown() || word.quoted || value.values.is_empty() || value.is_name() || value.signal.is_some() {
        return None;
    }
    let stem = words::singular(&words::fold(&word.text));
    let stem = lexicon().canonical(&stem);
    let own = |found: &&Found| match found.place {
        Thing::Column(column) => catalogue.column(column).stems.iter().any(|own| lexicon().canonical(own) == stem),
        Thing::Table(_) | Thing::Concept(_) => false,
    };
    let kept: Vec<Found> = value.values.iter().filter(own).cloned().collect();
    let pause = spans.get(at + length - 1).is_some_and(|last| last.pause);
    let (text, quoted) = (value.text.clone(), value.quoted);
    (!kept.is_empty()).then(|| (length, Spotted { text, quoted, pause, values: kept, ..Spotted::default() }, None))
}
