//! Adjectives of places: "Italian" of Italy, "Asian" of Asia, found where a column of places holds that name. The rule
//! is that of English endings and nothing more: what it does not lead to stays unknown and is said to be. Next: `spot`.

use super::super::catalogue::Catalogue;
use super::super::form::{Found, Thing};

/// How columns of places are called.
const PLACES: [&str; 8] = ["country", "nation", "nationality", "continent", "region", "origin", "land", "area"];
/// Endings of adjectives, and what the name of the place has in their stead.
const ENDINGS: [&str; 6] = ["ian", "ese", "ean", "an", "n", "i"];
const INSTEAD: [&str; 5] = ["", "a", "y", "e", "o"];
/// Letters that must be left.
const ROOT_MIN: usize = 4;

/// The values of columns of places that a capitalised word is the adjective of, if they are one place.
pub fn place_of(catalogue: &Catalogue, word: &str) -> Option<Vec<Found>> {
    let roots = ENDINGS.iter().filter_map(|ending| word.strip_suffix(ending)).filter(|root| root.len() >= ROOT_MIN);
    let mut names: Vec<String> = roots.flat_map(|root| INSTEAD.iter().map(move |end| format!("{root}{end}"))).collect();
    // "German" of Germany.
    names.push(format!("{word}y"));
    let mut found: Option<(String, Vec<Found>)> = None;
    for name in names {
        let places = catalogue.values().find(std::slice::from_ref(&name)).iter();
        let kept: Vec<Found> = places.filter(|found| is_place(catalogue, found.place)).cloned().collect();
        match &found {
            _ if kept.is_empty() => {}
            None => found = Some((name, kept)),
            Some((other, _)) if *other == name => {}
            Some(_) => return None,
        }
    }
    found.map(|(_, places)| places)
}

/// Whether a column is called as those of places are; a table of places has their names.
fn is_place(catalogue: &Catalogue, place: Thing) -> bool {
    let Thing::Column(column) = place else { return false };
    let table = catalogue.table(column.table);
    let own = &catalogue.column(column).stems;
    let is_name = own.iter().any(|stem| matches!(stem.as_str(), "name" | "title"));
    let of_places = |stems: &[String]| stems.iter().any(|stem| PLACES.contains(&stem.as_str()));
    of_places(own) || (is_name && of_places(&table.stems))
}
