//! Which of two readings of the same words is rather meant: rows and a verb instead of a column, a value instead of a
//! column that is called otherwise. Next: `spot`.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, ColumnId, Found, TableId, Thing};
use super::super::lexicon::{Role, Signal};
use super::super::period;
use super::super::words::{self, Word};
use super::qualify::{is_filler, table_of};
use super::said::is;
use super::spot::{self, Spotted};

/// Fit up to which a name means the same as the words and is called otherwise.
const OTHER_WORD: u32 = 85;

/// Columns that a word has to begin to say what the rows are about.
const SHARED_MIN: usize = 2;

/// "Depots opened after 2010" of `depot_opened`: rows, and the verb that says which of their dates is meant.
pub fn without_verb(catalogue: &Catalogue, words: &[Word], found: (usize, Vec<Candidate>)) -> (usize, Vec<Candidate>) {
    let before = found.0.saturating_sub(1);
    let rows = words.get(..before).unwrap_or_default();
    if rows.is_empty() || !is_dated_verb(words, found.0) {
        return found;
    }
    match spot::names(catalogue, rows) {
        Some(rows) if rows.iter().any(|candidate| matches!(candidate.thing, Thing::Table(_))) => (before, rows),
        Some(_) | None => found,
    }
}

/// Whether the last of the first `length` words is the past of a verb, and a time follows.
pub fn is_dated_verb(words: &[Word], length: usize) -> bool {
    let verb = length.checked_sub(1).and_then(|last| words.get(last));
    let rest = words.get(length..).unwrap_or_default();
    verb.is_some_and(|verb| verb.folded.ends_with("ed")) && period::read(rest).is_some()
}

/// "Breeds of cat": what rows hold to the letter is meant, where columns are called otherwise and only mean the same.
pub fn is_value(words: &[Word], length: usize, names: &[Candidate], values: Option<&(usize, Vec<Found>)>) -> bool {
    let own = words.get(..length).map(|own| spot::joined(own, |word| &word.folded)).unwrap_or_default();
    let stems = words.get(..length).map(|own| spot::joined(own, |word| &word.stem)).unwrap_or_default();
    let is_own = |value: &String| [&own, &stems].contains(&&words::fold(value));
    let exact = values
        .is_some_and(|(most, found)| *most == length && found.iter().any(|found| found.values.iter().any(is_own)));
    exact
        && names.iter().all(|candidate| candidate.score <= OTHER_WORD && !matches!(candidate.thing, Thing::Concept(_)))
}

/// "Permit applications" whose columns are the permit's number and type: the word says what the rows are about, also
/// where some other rows that refer to them hold it as a value.
pub fn describe(catalogue: &Catalogue, spans: &mut [Spotted]) {
    for at in 0..spans.len().saturating_sub(1) {
        let (own, next) = (&spans[at], &spans[at + 1]);
        let Some(table) = table_of(next).filter(|_| next.signal.is_none()) else { continue };
        let plain = !own.quoted && !own.pause && own.signal.is_none() && own.names.is_empty() && !own.values.is_empty();
        let elsewhere =
            own.values.iter().all(|found| found.table().is_some_and(|place| refers(catalogue, place, table)));
        if plain && elsewhere && begins_columns(catalogue, table, &own.text) {
            let note = format!("“{}” is taken to say no more than what the {} are of.", own.text, next.text);
            let ignored = Some(Signal::Role(Role::Ignore));
            spans[at] = Spotted { text: own.text.clone(), signal: ignored, note: Some(note), ..Spotted::default() };
        }
    }
}

/// "Customers from York" live there, whatever else of the question is in York as well.
pub fn own_places(catalogue: &Catalogue, spans: &mut [Spotted]) {
    const BETWEEN: [&str; 8] = ["from", "in", "at", "near", "based", "living", "located", "who live"];
    for at in 2..spans.len() {
        if spans[at].values.len() < 2 || spans[at].is_name() || spans[at].signal.is_some() {
            continue;
        }
        let between = |span: &Spotted| is(span, &BETWEEN) || is(span, &["based in", "located in", "living in"]);
        let Some(rows) = spans[..at].iter().rposition(|span| !between(span) && !is_filler(span)) else { continue };
        let linked = spans[rows + 1..at].iter().any(between);
        let Some(table) = table_of(&spans[rows]).filter(|_| linked && spans[rows].signal.is_none()) else { continue };
        let named = |column: usize| catalogue.table(table).is_name_part(column);
        let own =
            |found: &Found| matches!(found.place, Thing::Column(place) if place.table == table && !named(place.column));
        if spans[at].values.iter().any(own) {
            spans[at].values.retain(own);
        }
    }
}

fn refers(catalogue: &Catalogue, from: TableId, to: TableId) -> bool {
    from != to && catalogue.referrers(to).any(|join| join.from == from)
}

/// Whether several columns of a table begin with a word: the number and the type of the permit.
fn begins_columns(catalogue: &Catalogue, table: TableId, word: &str) -> bool {
    let stem = words::singular(&words::fold(word));
    let columns = (0..catalogue.table(table).columns.len()).map(|column| ColumnId { table, column });
    let begins = |column: &ColumnId| {
        let stems = &catalogue.column(*column).stems;
        stems.len() > 1 && stems.first() == Some(&stem)
    };
    columns.filter(begins).count() >= SHARED_MIN
}
