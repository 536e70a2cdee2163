//! What is said of the days on which things happened: "trips on snowy days", "revenue on rainy days vs dry days",
//! "average number of trips per day on days without rain". A table with a row for each day has it, and the phrase
//! becomes a yes/no column of that table. Next: `catalogue/days.rs` for such tables, `resolve/groups.rs` for averages.

use super::super::catalogue::Catalogue;
use super::super::form::{Aggregate, Candidate, ColumnId, Dimension, Filter, Mention, QueryForm, TableId, Thing};
use super::super::lexicon::Role;
use super::super::period::Grain;
use super::qualify::is_filler;
use super::said::is;
use super::spot::Spotted;

/// Words for what a day had, with the stems of columns that say how much of it; and words for its having none.
const WEATHERS: [(&[&str], &[&str]); 5] = [
    (
        &["rainy", "rain", "wet", "rained", "raining", "rainfall", "precipitation"],
        &["rain", "rainfall", "precipitation", "precip"],
    ),
    (&["snowy", "snow", "snowed", "snowing", "snowfall"], &["snow", "snowfall"]),
    (&["foggy", "fog"], &["fog"]),
    (&["stormy", "storm"], &["storm"]),
    (&["frosty", "frost"], &["frost"]),
];
const DRY: [&str; 2] = ["dry", "rainless"];
/// Words between days and what they had.
const WHEN: [&str; 6] = ["when", "where", "that", "it", "which", "with"];

/// What a phrase says of days: columns that say so, and whether it denies them.
struct Said {
    names: Vec<Candidate>,
    denied: bool,
}

/// Puts a yes/no column of the days in the place of what is said of them.
pub fn rewrite(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    if catalogue.calendars().next().is_none() {
        return;
    }
    let mut at = 0;
    while at < spans.len() {
        if is(&spans[at], &["days", "day"]) {
            at = said_before(catalogue, spans, at).or_else(|| said_behind(catalogue, spans, at)).unwrap_or(at);
        }
        at += 1;
    }
    both_sides(catalogue, spans);
}

/// "snowy days"; gives where the phrase is then.
fn said_before(catalogue: &Catalogue, spans: &mut Vec<Spotted>, at: usize) -> Option<usize> {
    let said = weather(catalogue, spans.get(at.checked_sub(1)?)?)?;
    let mut from = at - 1;
    put(spans, from, at, said);
    // "rainy and dry days", "rainy vs dry days" are two kinds of days.
    if let Some(other) = from.checked_sub(2).filter(|_| joins(&spans[from - 1]))
        && let Some(said) = weather(catalogue, &spans[other])
    {
        put(spans, other, other, said);
        from = other;
    }
    Some(unlinked(spans, from))
}

/// "days without rain", "days when it snowed".
fn said_behind(catalogue: &Catalogue, spans: &mut Vec<Spotted>, at: usize) -> Option<usize> {
    let lacks = |span: &Spotted| matches!(span.role(), Some(Role::Without | Role::Not));
    let small = |span: &Spotted| is_filler(span) || lacks(span) || is(span, &WHEN) || is(span, &["any"]);
    let skipped = spans.iter().skip(at + 1).take_while(|span| small(span)).count();
    let behind = at + 1 + skipped;
    let Said { names, denied } = spans.get(behind).filter(|_| skipped > 0).and_then(|span| weather(catalogue, span))?;
    let lacking = spans[at + 1..behind].iter().any(lacks);
    put(spans, at, behind, Said { names, denied: denied != lacking });
    Some(unlinked(spans, at))
}

/// Takes off the "on" before the days; where days are counted, they are rows.
fn unlinked(spans: &mut Vec<Spotted>, at: usize) -> usize {
    let counted = at.checked_sub(1).is_some_and(|before| spans[before].role() == Some(Role::Count));
    if let (true, Some(table)) = (counted, flag(&spans[at]).and_then(|(of, _)| of.columns().next()).map(|of| of.table))
    {
        let names = vec![Candidate { thing: Thing::Table(table), score: 100 }];
        spans[at] = Spotted { text: "days".to_owned(), names, ..spans[at].clone() };
        return at;
    }
    let mut at = at;
    while at.checked_sub(1).is_some_and(|before| is(&spans[before], &["on", "the", "all"])) {
        spans.remove(at - 1);
        at -= 1;
    }
    at
}

/// "on rainy days vs dry days": the numbers of both.
fn both_sides(catalogue: &Catalogue, spans: &mut Vec<Spotted>) {
    for at in 0..spans.len().saturating_sub(2) {
        let (Some((one, yes)), Some((other, no))) = (flag(&spans[at]), flag(&spans[at + 2])) else { continue };
        if one.candidates != other.candidates || yes == no || !joins(&spans[at + 1]) {
            continue;
        }
        let text = format!("{} {} {}", spans[at].text, spans[at + 1].text, spans[at + 2].text);
        let (pause, ends) = (spans[at + 2].pause, spans[at + 2].ends);
        let named = Spotted { text, names: one.candidates.clone(), pause, ends, ..Spotted::default() };
        let mut own = super::spot::spot(catalogue, "by").spans;
        own.push(named);
        spans.splice(at..=at + 2, own);
        return;
    }
}

/// What a phrase of days speaks of: "rain" of "days without rain".
fn of_what(text: &str) -> String {
    let text = text.to_lowercase();
    let said = |words: &[&str]| text.split(' ').any(|word| words.contains(&word));
    let stems = WEATHERS.iter().find(|(words, _)| said(words)).or(WEATHERS.first());
    stems.and_then(|(_, stems)| stems.first()).map_or_else(String::new, |stem| (*stem).to_owned())
}

/// What is said of days by a phrase that was put together here, and whether it is so.
fn flag(span: &Spotted) -> Option<(&Mention, bool)> {
    let days = span.text.to_lowercase().split(' ').any(|word| word.starts_with("day"));
    match span.tests.as_slice() {
        [Filter::Flag { of, value }] if days => Some((of, *value)),
        _ => None,
    }
}

fn joins(span: &Spotted) -> bool {
    matches!(span.role(), Some(Role::And | Role::Versus | Role::Compare)) || is(span, &["than", "against"])
}

/// Puts a test in the place of some phrases: a name there might be taken for what is grouped by.
fn put(spans: &mut Vec<Spotted>, from: usize, to: usize, said: Said) {
    let Said { names, denied } = said;
    let mut text = spans[from..=to].iter().map(|span| span.text.as_str()).collect::<Vec<_>>().join(" ");
    if from == to {
        text.push_str(" days");
    }
    let (pause, ends) = (spans[to].pause, spans[to].ends);
    // What is denied is said by the word alone: "not rain", and not "not days without rain".
    let words = if denied { of_what(&text) } else { text.clone() };
    let of = Mention { words, candidates: names };
    let tests = vec![Filter::Flag { of, value: !denied }];
    spans.splice(from..=to, [Spotted { text, tests, pause, ends, ..Spotted::default() }]);
}

/// The columns of days that a word speaks of.
fn weather(catalogue: &Catalogue, span: &Spotted) -> Option<Said> {
    let text = span.text.to_lowercase();
    let denied = DRY.contains(&text.as_str());
    let word = if denied { "rain" } else { text.as_str() };
    let (_, stems) = WEATHERS.iter().find(|(words, _)| words.contains(&word)).filter(|_| !span.quoted)?;
    let says = |column: &ColumnId| catalogue.column(*column).stems.iter().any(|stem| stems.contains(&stem.as_str()));
    let mut calendars: Vec<TableId> = catalogue.calendars().collect();
    calendars.dedup();
    let all = calendars
        .into_iter()
        .flat_map(|table| (0..catalogue.table(table).columns.len()).map(move |column| ColumnId { table, column }));
    let told = all.filter(says).filter_map(|column| {
        let flag = catalogue.is_flag(Thing::Column(column)).then_some(column);
        flag.or_else(|| catalogue.made_of_positive(column))
    });
    let names: Vec<Candidate> = told.map(|column| Candidate { thing: Thing::Column(column), score: 100 }).collect();
    (!names.is_empty()).then_some(Said { names, denied })
}

/// An average per day over days of which something is said is over all such days, also those on which nothing happened.
pub fn settle(catalogue: &Catalogue, form: &mut QueryForm) {
    let [Dimension::Time(Grain::Day)] = form.dimensions.as_slice() else { return };
    let [measure] = form.measures.as_slice() else { return };
    let sums = matches!(measure.aggregate, Aggregate::Count | Aggregate::Sum);
    if measure.over_groups != Some(Aggregate::Average) || !sums {
        return;
    }
    let tested = form.filters.iter().find_map(|filter| match filter {
        Filter::Flag { of, .. } | Filter::Number { of, .. } => {
            of.columns().map(|column| column.table).find(|table| catalogue.is_calendar(*table))
        }
        _ => None,
    });
    if let Some(table) = tested {
        form.dimensions = vec![Dimension::Thing(Mention::of("day", Thing::Table(table)))];
    }
}
