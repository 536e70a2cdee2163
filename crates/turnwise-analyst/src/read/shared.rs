//! Names that share their last word: "first and last name", "home, away and total score". Each is spelt out before
//! anything else is read, where all of them are names of the data. Next: `spot`.

use super::super::catalogue::Catalogue;
use super::super::form::Thing;
use super::super::words::{Word, WordKind};

/// Longest row of names that share a word.
const SHARING_MAX: usize = 4;

/// Puts the shared word behind each: "first and last names" becomes "first names and last names".
pub fn spell_out(catalogue: &Catalogue, words: &mut Vec<Word>) {
    let mut at = 0;
    while at < words.len() {
        if let Some((places, shared)) = sharing(catalogue, words, at) {
            for (inserted, place) in places.into_iter().enumerate() {
                let mut own = shared.clone();
                if let Some(before) = words.get_mut(place + inserted) {
                    (own.pause, own.ends) = (before.pause, false);
                    before.pause = false;
                }
                words.insert(place + inserted + 1, own);
            }
        }
        at += 1;
    }
}

/// The places of the words that lack the shared one, which stands behind the last of them.
fn sharing(catalogue: &Catalogue, words: &[Word], start: usize) -> Option<(Vec<usize>, Word)> {
    let plain = |at: usize| words.get(at).filter(|word| word.kind == WordKind::Word && !word.quoted);
    let is_and = |at: usize| plain(at).is_some_and(|word| word.folded == "and");
    let mut places = Vec::new();
    let mut at = start;
    while places.len() < SHARING_MAX {
        let (word, next) = (plain(at)?, plain(at + 1)?);
        if !places.is_empty() && !word.pause && is_named(catalogue, word, next) {
            let shares = |place: &usize| {
                words.get(*place).is_some_and(|own| is_named(catalogue, own, next) && !is_alone(catalogue, own))
            };
            return places.iter().all(shares).then(|| (places.clone(), next.clone()));
        }
        if word.ends || !(word.pause || is_and(at + 1)) {
            return None;
        }
        places.push(at);
        at += 1 + usize::from(is_and(at + 1));
    }
    None
}

fn is_named(catalogue: &Catalogue, word: &Word, shared: &Word) -> bool {
    let found = catalogue.names().find(&[word.stem.clone(), shared.stem.clone()]);
    found.iter().any(|candidate| matches!(candidate.thing, Thing::Column(_)))
}

/// Whether a word names a thing by itself: "city and country name" are the cities and the names of countries.
fn is_alone(catalogue: &Catalogue, word: &Word) -> bool {
    catalogue.names().find(std::slice::from_ref(&word.stem)).iter().any(|candidate| candidate.score >= 90)
}
