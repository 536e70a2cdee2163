//! What a word may mean here: tables, columns and values whose names are like it, as far as the place where it stands
//! allows them. What is near the rest of the question comes first. Next: `similar`.

use std::collections::BTreeSet;

use turnwise_core::Choice;

use super::possible::{self, Kind, Possible};
use super::similar::Similar;
use super::term::{Place, Term};
use crate::catalogue::{Catalogue, plural};
use crate::words;

/// Names compared for one word, those near the rest of the question first: about a second and a half at the first such
/// question over a thousand tables, and some milliseconds at the next.
const COMPARED_MAX: usize = 1_024;
/// How like a name must be to be proposed. Between things that have nothing to do with each other it is 0.2 to 0.4.
const LIKENESS_MIN: f32 = 0.42;
/// The same for columns and values where rows may be meant as well: a column between is mostly an absurd guess.
const LIKENESS_COLUMN_MIN: f32 = 0.45;
/// The same for what can stand in few places: a number behind "average", a value or a yes/no column where something is
/// tested.
const LIKENESS_EXPECTED_MIN: f32 = 0.37;
/// What a name that the place lets expect is ahead of another one.
const EXPECTED: f32 = 0.1;
/// How like people are to people, at least.
const PEOPLE: f32 = 0.45;
/// How like a name is that has the first letters of the words: "single sign-on" and `sso`.
const INITIALS: f32 = 0.8;
/// Proposals that are worth trying.
const TRIED_MAX: usize = 10;
/// Letters that stand for words.
const INITIALS_MIN: usize = 3;

/// Something a word may mean.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// The words that are read in its place.
    pub means: String,
    /// Whether they are rows.
    pub is_rows: bool,
    label: String,
}

impl Proposal {
    /// As it is offered.
    pub fn choice(&self) -> Choice {
        Choice { value: self.means.clone(), label: self.label.clone() }
    }
}

/// The likeliest meanings of `term`, the likeliest first; `texts` are the question with its changes.
///
/// # Errors
/// When likeness cannot be told.
pub fn for_term(
    catalogue: &Catalogue,
    similar: &Similar,
    texts: &[String],
    term: &Term,
) -> Result<Vec<Proposal>, String> {
    let place = term.place;
    let mut found = possible::of(catalogue, texts, |kind| allows(place, kind));
    let mut names = BTreeSet::new();
    found.retain(|one| names.contains(&one.name) || (names.len() < COMPARED_MAX && names.insert(one.name.clone())));
    let scores = scores(catalogue, similar, &found, term)?;
    let likely = found.into_iter().zip(scores).filter(|(one, score)| *score >= least(place, one.kind()));
    let ahead = |kind: Kind| if is_expected(place, kind) { EXPECTED } else { 0.0 };
    let mut likely: Vec<(Possible, f32)> =
        likely.map(|(one, score)| (one.clone(), score + ahead(one.kind()))).collect();
    likely.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut kept: Vec<Proposal> = Vec::new();
    for (one, _) in likely {
        if kept.len() >= TRIED_MAX {
            break;
        }
        let Some((name, label)) = one.named(catalogue) else { continue };
        let means = if one.kind() == Kind::Table && is_plural(&term.words) { plural(&name) } else { name };
        // The same words for two things would be one choice with two labels.
        if !kept.iter().any(|other| other.means == means) {
            kept.push(Proposal { means, is_rows: one.kind() == Kind::Table, label });
        }
    }
    Ok(kept)
}

/// How like the word each of `found` is.
fn scores(catalogue: &Catalogue, similar: &Similar, found: &[Possible], term: &Term) -> Result<Vec<f32>, String> {
    let word = compared(&term.words);
    let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
    let likeness = similar.to(&word, &names)?;
    let initials = initials(&word);
    let people: BTreeSet<_> = if term.is_person { catalogue.people().collect() } else { BTreeSet::new() };
    let score = |(one, likeness): (&Possible, f32)| {
        let person = if one.table().is_some_and(|table| people.contains(&table)) { PEOPLE } else { 0.0 };
        let is_short = initials.as_ref().is_some_and(|short| one.name.split(' ').any(|part| part == short));
        likeness.max(person).max(if is_short { INITIALS } else { 0.0 })
    };
    Ok(found.iter().zip(likeness).map(score).collect())
}

fn is_plural(term: &str) -> bool {
    let last = term.rsplit(' ').next().map(words::fold).unwrap_or_default();
    words::singular(&last) != last
}

/// The word as names are written.
fn compared(term: &str) -> String {
    term.split_whitespace().map(|word| words::singular(&words::fold(word))).collect::<Vec<_>>().join(" ")
}

fn initials(word: &str) -> Option<String> {
    let letters: String = word.split([' ', '-']).filter_map(|part| part.chars().next()).collect();
    (letters.len() >= INITIALS_MIN).then_some(letters)
}

fn allows(place: Place, kind: Kind) -> bool {
    use Kind::{Date, Flag, Number, Table, Text, Value};
    match place {
        Place::Condition => matches!(kind, Flag | Value | Table | Number | Date | Text),
        Place::Gathered => matches!(kind, Number | Table),
        Place::Group => matches!(kind, Table | Text | Date | Flag),
        Place::Modifier => matches!(kind, Value | Flag | Table | Number),
        Place::Said => matches!(kind, Value | Flag),
        Place::Thing => matches!(kind, Table | Number | Text | Date | Flag),
    }
}

fn least(place: Place, kind: Kind) -> f32 {
    let narrow = kind != Kind::Table && place != Place::Thing && is_expected(place, kind);
    match kind {
        _ if narrow => LIKENESS_EXPECTED_MIN,
        Kind::Table => LIKENESS_MIN,
        Kind::Number | Kind::Text | Kind::Date | Kind::Flag | Kind::Value => LIKENESS_COLUMN_MIN,
    }
}

fn is_expected(place: Place, kind: Kind) -> bool {
    use Kind::{Flag, Number, Table, Text, Value};
    match place {
        Place::Condition => kind == Flag,
        Place::Gathered => kind == Number,
        Place::Group => matches!(kind, Table | Text),
        Place::Modifier | Place::Said => matches!(kind, Value | Flag),
        Place::Thing => kind == Table,
    }
}
