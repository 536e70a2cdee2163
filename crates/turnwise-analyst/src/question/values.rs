//! Values of a question, found in the data as it spells them. A reader that sees names alone says a value as the person
//! did and guesses its column; where the column does not hold it and exactly one other does, that one is taken, and the
//! plan says so, as it does of every value. Next: `filters`.

use super::super::catalogue::{Catalogue, ColumnPart, Display};
use super::super::form::{ColumnId, Found, TableId, Thing};
use super::super::words;
use super::{Problem, Said};

/// Values told where one is not known.
const NEAREST_MAX: usize = 5;

/// Where `said` is a value, beginning with `column`.
pub fn find(catalogue: &Catalogue, column: ColumnId, said: &Said) -> Result<Found, Problem> {
    let text = said.0.trim();
    let stems: Vec<String> = words::split(text).into_iter().map(|word| word.stem).collect();
    let places = catalogue.values().find(&stems);
    let own = |place: Thing| places.iter().find(|found| found.place == place).cloned();
    if let Some(found) = own(Thing::Column(column)) {
        return Ok(found);
    }
    if let Some(found) = referred(catalogue, column).and_then(|(place, via)| Some(Found { via, ..own(place)? })) {
        return Ok(found);
    }
    // A column whose values were not read is asked for the text as it stands.
    if catalogue.values().spellings(column).next().is_none() {
        return Ok(Found { place: Thing::Column(column), values: vec![text.to_owned()], end: None, via: None });
    }
    let near: Vec<&Found> = places.iter().filter(|found| found.table() == Some(column.table)).collect();
    match (near.as_slice(), places) {
        ([only], _) => Ok((*only).clone()),
        ([], [only]) => Ok(only.clone()),
        _ => Err(unknown(catalogue, column, text, places)),
    }
}

/// The names of the rows that a key or a reference stands for, and by which column they are reached.
fn referred(catalogue: &Catalogue, column: ColumnId) -> Option<(Thing, Option<ColumnId>)> {
    let (table, via): (TableId, Option<ColumnId>) = match catalogue.column(column).part {
        ColumnPart::Reference(join) => (catalogue.join(join).to, Some(column)),
        ColumnPart::Key => (column.table, None),
        ColumnPart::Attribute => return None,
    };
    named(catalogue, table).map(|place| (place, via))
}

/// Where the names of the rows of a table stand.
pub fn named(catalogue: &Catalogue, table: TableId) -> Option<Thing> {
    match catalogue.table(table).display {
        Display::Column(column) => Some(Thing::Column(ColumnId { table, column })),
        Display::FullName { .. } => Some(Thing::Table(table)),
        Display::Nothing => None,
    }
}

fn unknown(catalogue: &Catalogue, column: ColumnId, value: &str, places: &[Found]) -> Problem {
    let stems: Vec<String> = words::split(value).into_iter().map(|word| word.stem).collect();
    let shares = |own: &&str| words::split(own).iter().any(|word| stems.contains(&word.stem));
    let all = || catalogue.values().of(column);
    let mut nearest: Vec<String> = turnwise_intent::nearest(value, all()).map(str::to_owned).into_iter().collect();
    nearest.extend(all().filter(shares).map(str::to_owned).take(NEAREST_MAX));
    let columns = places.iter().filter_map(|found| match found.place {
        Thing::Column(column) => Some(catalogue.column_label(column)),
        Thing::Table(table) => Some(catalogue.table(table).name.clone()),
        Thing::Concept(_) => None,
    });
    nearest.extend(columns.take(NEAREST_MAX));
    nearest.dedup();
    Problem::UnknownValue { column: catalogue.column_label(column), value: value.to_owned(), nearest }
}
