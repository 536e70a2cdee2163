//! Columns named at the end, behind what they are shown of: "patients without appointments, name and registration
//! date", "the heaviest shipment: number, carrier and weight", "cinemas in Kiel and when they opened". Next: `shown`.

use super::super::catalogue::{Catalogue, Display};
use super::super::form::{Candidate, Thing};
use super::super::lexicon::Role;
use super::compose::is_date;
use super::items::{Item, Wish, is_separator, item};
use super::qualify::{is_filler, table_of};
use super::spot::Spotted;

/// Takes the columns off the end of `spans`.
pub fn split(catalogue: &Catalogue, spans: &mut Vec<Spotted>) -> Option<Wish> {
    let (at, wish) = when(catalogue, spans).or_else(|| listed(catalogue, spans))?;
    spans.truncate(at);
    while spans.last().is_some_and(is_separator) {
        spans.pop();
    }
    if let Some(last) = spans.last_mut() {
        last.pause = false;
    }
    Some(wish)
}

/// "and when they opened".
fn when(catalogue: &Catalogue, spans: &[Spotted]) -> Option<(usize, Wish)> {
    let at = spans.iter().rposition(|span| span.role() == Some(Role::When))?;
    let joined = at.checked_sub(1).filter(|before| *before > 0 && is_separator(&spans[*before]))?;
    let [verb] = spans.get(at + 1..)?.iter().filter(|span| !is_filler(span)).collect::<Vec<_>>()[..] else {
        return None;
    };
    let names: Vec<Candidate> = verb.names.iter().copied().filter(|one| is_dated(catalogue, one)).collect();
    let item = Item { words: verb.text.clone(), names, is_name: false, table: None, qualifier: None };
    let items = vec![rows(&spans[..joined])?, item];
    items.iter().all(|item| item.is_name || !item.names.is_empty()).then(|| (joined, Wish { items, ..Wish::default() }))
}

/// The rows themselves, by what they are called: what is named behind them is shown beside that.
fn rows(spans: &[Spotted]) -> Option<Item> {
    let head = spans.iter().find(|span| table_of(span).is_some() && !span.verb)?;
    let words = head.text.clone();
    Some(Item { words, names: Vec::new(), is_name: true, table: table_of(head), qualifier: None })
}

fn is_dated(catalogue: &Catalogue, one: &Candidate) -> bool {
    matches!(one.thing, Thing::Column(column) if is_date(catalogue, column))
}

/// ", name and registration date", behind a name or a value that a comma or a colon closes.
fn listed(catalogue: &Catalogue, spans: &[Spotted]) -> Option<(usize, Wish)> {
    let named = |at: usize| spans.iter().take(at).any(|span| table_of(span).is_some());
    let starts = (1..spans.len()).filter(|at| spans[at - 1].pause && !spans[at - 1].ends && named(*at));
    starts.into_iter().find_map(|start| {
        // A list that began before goes on: "names, ages and towns of members".
        let continues = spans.get(start - 1).is_some_and(|before| before.is_name() && table_of(before).is_none());
        if continues {
            return None;
        }
        let mut wish = Wish::default();
        // Rows that nothing names are told by what is listed of them.
        let called = |item: &Item| item.table.is_none_or(|table| catalogue.table(table).display != Display::Nothing);
        wish.items.extend(rows(&spans[..start]).filter(called));
        let called = wish.items.len();
        let mut at = start + spans.iter().skip(start).take_while(|span| is_separator(span)).count();
        let with = spans.get(at).is_some_and(|span| span.text.eq_ignore_ascii_case("with"));
        at += usize::from(with);
        while at < spans.len() {
            let (item, next) = item(catalogue, spans, at)?;
            let over = next >= spans.len() || is_separator(&spans[next]) || spans[next - 1].pause;
            if !over || item.words.is_empty() {
                return None;
            }
            wish.items.push(item);
            at = next + usize::from(spans.get(next).is_some_and(is_separator));
        }
        let least = if with { 0 } else { 1 };
        (wish.items.len() > least + called).then_some((start, wish))
    })
}
