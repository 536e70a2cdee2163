//! Marks that stand in a text where words of a person's own were defined: what they name is known without looking for
//! it. Next: `definitions/rows.rs`, which puts them there.

use super::super::catalogue::Catalogue;
use super::super::definitions::{self, Mark};
use super::super::form::{Candidate, Thing};
use super::super::words::Word;
use super::spot::{Spotted, start};

/// The phrase of a mark at the start of `words`, with how many words it takes; nothing is corrected in it.
pub fn spotted(catalogue: &Catalogue, words: &[Word]) -> Option<(usize, Spotted, Option<String>)> {
    let mark = definitions::mark(catalogue, words.first()?.quotation.as_ref()?)?;
    let others = words.iter().skip(1).take_while(|word| word.quoted && word.quotation.is_none());
    let length = 1 + others.count();
    let span = Spotted { quoted: false, number: None, unit: None, ..start(words, length) };
    let names = |thing| vec![Candidate { thing, score: 100 }];
    let span = match mark {
        Mark::Value(found) => Spotted { values: vec![found], ..span },
        Mark::Rows { table, noun, singular } => {
            Spotted { text: noun, names: names(Thing::Table(table)), singular, ..span }
        }
        Mark::Amount { column, term } => {
            Spotted { text: term, names: names(Thing::Column(column)), singular: true, ..span }
        }
    };
    Some((length, span, None))
}
