//! Linking: what a word that names nothing in the data is likely to stand for here. Every table, column and value near
//! the question is weighed by how near its name is in meaning, of what kind it is and where the word stands; the result
//! is a probability for each and for none of them, fitted on data of other fields (`lessons`), so that what is done
//! about a word hangs on how often that is right and not on a bare likeness. No word of any field is listed. Next:
//! `element` for what is weighed, `features` for what is looked at, `weights` for what it counts.

mod element;
mod features;
#[cfg(test)]
mod fit;
mod role;
mod vectors;
mod weights;

use turnwise_core::Choice;

use super::asked::Term;
use super::catalogue::{Catalogue, plural};
use super::words;
use element::Element;
use features::Context;
use vectors::VIEWS;

pub use element::Kind;
pub use vectors::Vectors;
pub use weights::raised;

/// Elements weighed for one word: those nearest in meaning. More of them cost time, and share out what is left between
/// things nobody means.
const WEIGHED_MAX: usize = 25;
/// Sentences read with a name in the place of the word: each is a pass of the model, some milliseconds.
const SENTENCES_MAX: usize = 10;
/// Letters that stand for words, at least, and how like a name is that has them.
const INITIALS_MIN: usize = 3;
const INITIALS: f32 = 0.8;
/// Meanings handed on; the rest is less likely than any that is worth a trial.
const KEPT_MAX: usize = 8;

/// Something a word may stand for.
#[derive(Clone, Debug)]
pub struct Linked {
    /// The words that are read in its place.
    pub means: String,
    /// How it is offered.
    pub label: String,
    /// Whether it stands for rows.
    pub is_rows: bool,
    /// How likely it is.
    pub probability: f64,
    /// How near its name is by itself, whatever else there is: of things that have nothing to do with each other 0.2
    /// to 0.4.
    pub nearness: f32,
}

impl Linked {
    /// As it is offered.
    pub fn choice(&self) -> Choice {
        Choice::new(self.means.clone(), self.label.clone())
    }
}

/// What a word may stand for, the likeliest first.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// Its meanings.
    pub likely: Vec<Linked>,
    /// How likely it is that none is meant.
    pub none: f64,
}

/// What `term` of `texts` may stand for; `texts` are the question with its changes.
///
/// # Errors
/// When nearness in meaning cannot be told.
pub fn link(catalogue: &Catalogue, vectors: &Vectors, texts: &[String], term: &Term) -> Result<Links, String> {
    let around = element::around(catalogue, texts);
    let context = Context { catalogue, around: &around, term, text: texts.first().map_or("", String::as_str) };
    let (elements, rows) = looked_at(&context, vectors)?;
    let (elements, mut rows) = likeliest(elements, rows);
    features::look_at_sentence(&context, vectors, &elements, &mut rows)?;
    let nearness: Vec<f32> = rows.iter().map(|row| features::nearness(row)).collect();
    let (probabilities, none) = weights::probabilities(&rows);
    let mut sorted: Vec<((Element, f64), f32)> = elements.into_iter().zip(probabilities).zip(nearness).collect();
    sorted.sort_by(|one, other| other.0.1.total_cmp(&one.0.1));
    let mut likely: Vec<Linked> = Vec::new();
    for ((element, probability), nearness) in sorted {
        if likely.len() >= KEPT_MAX {
            break;
        }
        let Some((name, label)) = element.named(catalogue) else { continue };
        let is_rows = element.kind() == Kind::Table;
        let means = if is_rows && is_plural(&term.words) { plural(&name) } else { name };
        // The same words for two things would be one choice with two labels.
        if !likely.iter().any(|other| other.means == means) {
            likely.push(Linked { means, label, is_rows, probability, nearness });
        }
    }
    Ok(Links { likely, none })
}

/// What is weighed, with what is looked at of each and, at last, of none.
fn looked_at(context: &Context<'_>, vectors: &Vectors) -> Result<(Vec<Element>, Vec<Vec<f32>>), String> {
    let word = compared(&context.term.words);
    let all = element::all(context.catalogue, context.around);
    let likeness = vectors.to(&word, &all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>())?;
    let mut near: Vec<(Element, [f32; VIEWS])> = all.into_iter().zip(likeness).collect();
    // "single sign-on" and `sso`: no model knows what is only its letters.
    if let Some(initials) = initials(&word) {
        for (_, near) in near.iter_mut().filter(|(one, _)| one.name.split(' ').any(|part| part == initials)) {
            near[0] = near[0].max(INITIALS);
        }
    }
    near.sort_by(|one, other| other.1[0].total_cmp(&one.1[0]));
    near.truncate(WEIGHED_MAX);
    let rows = features::of(context, vectors, &word, &near)?;
    Ok((near.into_iter().map(|(element, _)| element).collect(), rows))
}

/// Those for which most speaks before the sentence is looked at, which takes a pass of the model for each.
fn likeliest(elements: Vec<Element>, mut rows: Vec<Vec<f32>>) -> (Vec<Element>, Vec<Vec<f32>>) {
    let none = rows.pop();
    let scores = weights::scores(&rows);
    let mut all: Vec<((Element, Vec<f32>), f64)> = elements.into_iter().zip(rows).zip(scores).collect();
    all.sort_by(|one, other| other.1.total_cmp(&one.1));
    let (elements, mut rows): (Vec<Element>, Vec<Vec<f32>>) =
        all.into_iter().take(SENTENCES_MAX).map(|(one, _)| one).unzip();
    rows.extend(none);
    (elements, rows)
}

fn is_plural(term: &str) -> bool {
    let last = term.rsplit(' ').next().map(words::fold).unwrap_or_default();
    words::singular(&last) != last
}

fn initials(word: &str) -> Option<String> {
    let letters: String = word.split([' ', '-']).filter_map(|part| part.chars().next()).collect();
    (letters.len() >= INITIALS_MIN).then_some(letters)
}

/// The word as names are written.
fn compared(term: &str) -> String {
    term.split_whitespace().map(|word| words::singular(&words::fold(word))).collect::<Vec<_>>().join(" ")
}
