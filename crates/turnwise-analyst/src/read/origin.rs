//! Places by another name than the data's: "Dutch" of `NL`, "the US" of United States, "Italian" of Italy, "Asian" of
//! Asia, found where a column of places holds any name or code of that place. Of what is no country the rule is that of
//! English endings and nothing more: what it does not lead to stays unknown and is said to be. Next: `spot`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::super::catalogue::Catalogue;
use super::super::form::{Found, Thing};
use super::super::words::{Word, WordKind};
use super::spot::{Spotted, start};

/// How columns of places are called.
const PLACES: [&str; 8] = ["country", "nation", "nationality", "continent", "region", "origin", "land", "area"];
/// Endings of adjectives, and what the name of the place has in their stead.
const ENDINGS: [&str; 6] = ["ian", "ese", "ean", "an", "n", "i"];
const INSTEAD: [&str; 5] = ["", "a", "y", "e", "o"];
/// Letters that must be left.
const ROOT_MIN: usize = 4;
/// Words of the longest name of a country.
const WORDS_MAX: usize = 4;

/// A country as it is called.
#[derive(Debug, Deserialize)]
struct Country {
    names: Vec<String>,
    codes: Vec<String>,
    adjectives: Vec<String>,
}

#[expect(clippy::expect_used, reason = "the list is part of the program, and a test reads it")]
fn countries() -> &'static [Country] {
    static COUNTRIES: LazyLock<Vec<Country>> =
        LazyLock::new(|| serde_saphyr::from_str(include_str!("countries.yaml")).expect("BUG: the list is wrong"));
    &COUNTRIES
}

/// The values that hold the country that `words` begin with, by whatever name or code, and how many words name it.
fn country_of(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Vec<Found>)> {
    let usable = |word: &&Word| word.kind == WordKind::Word && !word.quoted;
    let most = words.iter().take(WORDS_MAX).take_while(usable).count();
    (1..=most).rev().find_map(|length| {
        let own = words.get(..length).filter(|own| own.iter().any(Word::is_capitalised))?;
        let said = own.iter().map(|word| word.folded.as_str()).collect::<Vec<_>>().join(" ");
        // "us" are people.
        if said.len() < 4 && own.iter().any(|word| word.raw.chars().any(char::is_lowercase)) {
            return None;
        }
        let fits =
            |country: &&Country| country.names.contains(&said) || (length == 1 && country.adjectives.contains(&said));
        let country = countries().iter().find(fits)?;
        let all = country.names.iter().chain(&country.codes);
        let found: Vec<Found> = all
            .flat_map(|name| {
                let stems: Vec<String> = super::super::words::split(name).into_iter().map(|word| word.stem).collect();
                catalogue.values().find(&stems).iter().filter(|found| is_place(catalogue, found.place)).cloned()
            })
            .collect();
        (!found.is_empty()).then_some((length, found))
    })
}

/// The phrase that names a country, with what it is read as.
pub fn spotted(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted, Option<String>)> {
    let (length, values) = country_of(catalogue, words)?;
    let whole = values.first().and_then(|found| found.values.first()).cloned().unwrap_or_default();
    let span = start(words.get(..length).unwrap_or(words), length);
    let note = format!("“{}” is read as {whole}.", span.text);
    Some((length, Spotted { values, ..span }, Some(note)))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_has_a_name_and_two_codes_and_no_name_is_of_two() {
        let mut seen = std::collections::BTreeSet::new();
        for country in countries() {
            assert!(!country.names.is_empty() && country.codes.len() == 2, "{country:?}");
            for name in country.names.iter().chain(&country.adjectives) {
                assert!(seen.insert(name.clone()), "{name} is of two");
            }
        }
    }
}
