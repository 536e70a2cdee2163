//! What a word means, said in brackets right behind it: "total sales (quantity times price)". It holds for this
//! question alone, so it is no fact; it is understood like any other statement, and where it comes to no number of the
//! data the brackets are left to be read as they stand. Next: `understand`.

use super::understand::{self, Meaning};
use crate::catalogue::Catalogue;
use crate::lexicon::{Concept, lexicon, stem_phrase};
use crate::words;

/// Words between the parts of a formula.
const OPERATORS: [&str; 6] = ["times", "x", "×", "*", "minus", "less"];
/// Words that a name of money has at most.
const TERM_WORDS_MAX: usize = 2;

/// A word with its formula.
pub struct Formula {
    /// The word, as typed.
    pub term: String,
    /// The formula, as typed.
    pub means: String,
    /// The brackets with all that is in them.
    pub brackets: String,
    /// What it comes to.
    pub meaning: Meaning,
}

/// The formula in brackets of `text`, where there is one and the data has its numbers.
pub fn of(catalogue: &Catalogue, text: &str) -> Option<Formula> {
    let start = text.find('(')?;
    let end = start + text.get(start..)?.find(')')?;
    let inside = text.get(start + 1..end)?.trim();
    let is_formula = inside.split_whitespace().any(|word| OPERATORS.contains(&words::fold(word).as_str()));
    let before: Vec<&str> = text.get(..start)?.split_whitespace().collect();
    let term = (1..=TERM_WORDS_MAX).rev().find_map(|count| {
        let term = before.get(before.len().checked_sub(count)?..)?.join(" ");
        (lexicon().concept(&stem_phrase(&words::fold(&term))) == Some(Concept::Money)).then_some(term)
    });
    let term = term.filter(|_| is_formula)?;
    let meaning = understand::understand(catalogue, &term, inside).ok()?;
    let number = meaning.amount.is_some() && meaning.carrier.is_none();
    let brackets = text.get(start..=end)?.to_owned();
    number.then(|| Formula { term, means: inside.to_owned(), brackets, meaning })
}
