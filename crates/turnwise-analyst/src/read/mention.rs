//! What a mention can be used as: an amount that is gathered, or something else. Asked by every part of reading, so it
//! stands apart from all of them. Next: `slots`.

use super::super::catalogue::Catalogue;
use super::super::form::{Candidate, Mention, Thing};
use super::super::lexicon::Concept;

/// A mention of a concept by itself.
pub fn concept_mention(words: &str, concept: Concept) -> Mention {
    Mention { words: words.to_owned(), candidates: vec![Candidate { thing: Thing::Concept(concept), score: 85 }] }
}

/// Whether a mention can be gathered: a concept of amounts, or a column of numbers.
pub fn is_measure(catalogue: &Catalogue, mention: &Mention) -> bool {
    let concept = mention.concept().is_some_and(|concept| !matches!(concept, Concept::Date | Concept::Age));
    let best = mention.best();
    let number = best.is_some_and(|best| match best.thing {
        Thing::Column(column) => catalogue.column(column).is_number(),
        Thing::Table(_) | Thing::Concept(_) => false,
    });
    (concept && mention.table().is_none()) || number
}
