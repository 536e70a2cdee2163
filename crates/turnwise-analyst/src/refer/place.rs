//! One row of the last result by its place: "the first one", "the last of them". What is asked of it is asked of that
//! row alone, by what tells it apart. Next: `make`, which makes the form.

use super::super::form::{Dimension, QueryForm};
use super::super::words::{Word, split};
use super::about::{self, About, Place};
use super::make::Making;

/// Places in a list, counted from 0.
const PLACES: [(&str, usize); 10] = [
    ("first", 0),
    ("second", 1),
    ("third", 2),
    ("fourth", 3),
    ("fifth", 4),
    ("sixth", 5),
    ("seventh", 6),
    ("eighth", 7),
    ("ninth", 8),
    ("tenth", 9),
];

/// A place that was said, with the message in which one of the rows stands for it.
pub struct Placed {
    /// The words that said it.
    pub said: String,
    pub place: Place,
    /// The message with the name of one row in its place.
    pub rest: String,
}

/// The place in the last result that `text` speaks of.
pub fn placed(text: &str, about: &About) -> Option<Placed> {
    let words = split(text);
    let folded = |at: usize| words.get(at).filter(|word| !word.quoted).map_or("", |word| word.folded.as_str());
    for at in 0..words.len() {
        let place = match folded(at) {
            "last" => Some(Place::Last),
            said => PLACES.iter().find(|(word, _)| *word == said).map(|(_, place)| Place::Nth(*place)),
        };
        let Some(place) = place.filter(|_| at > 0 && folded(at - 1) == "the") else { continue };
        let noun = words.get(at + 1).is_some_and(|word| about.stems.contains(&word.stem) && word.stem == word.folded);
        let taken = match (folded(at + 1), folded(at + 2)) {
            ("one", _) => 2,
            ("of", "them" | "these" | "those") => 3,
            // The first or last customer is one by its date.
            _ if noun && !matches!(place, Place::Nth(0) | Place::Last) => 2,
            _ => continue,
        };
        let kept = |words: &[Word]| words.iter().map(|word| word.raw.clone()).collect::<Vec<_>>().join(" ");
        let pause = if words[at + taken - 1].pause { "," } else { "" };
        let rest = format!("{} this {}{pause} {}", kept(&words[..at - 1]), about.noun, kept(&words[at + taken..]));
        return Some(Placed {
            said: kept(&words[at - 1..at + taken]),
            place,
            rest: rest.trim_end_matches([' ', ',']).to_owned(),
        });
    }
    None
}

impl Making<'_> {
    /// The row at a place, as a list of its own.
    pub fn one_row(&self, said: &str, place: Place) -> Result<QueryForm, String> {
        let (kept, found) = about::shown(self.task).map_or((0, 0), |table| (table.rows.len(), table.total_rows));
        if let Place::Nth(at) = place
            && at >= kept
        {
            return Err(match kept as u64 == found {
                true => format!("The last result has {found} rows, so “{said}” is none of them."),
                false => format!(
                    "Of the {found} rows of the last result the first {kept} are kept, and “{said}” is none of those."
                ),
            });
        }
        if place == Place::Last && kept as u64 != found {
            return Err(format!(
                "Of the {found} rows of the last result the first {kept} are kept, and the last is none of those: ask \
                 for them the other way round, as in “lowest first”."
            ));
        }
        let Some(filter) = self.found(place) else {
            return Err(format!(
                "“{said}” would be one of the {} of the last result, and what tells them apart was not shown: ask for \
                 their names or keys first.",
                self.about.plural
            ));
        };
        let before = self.form;
        let mut row = QueryForm {
            filters: vec![filter],
            answers: before.answers.clone(),
            applied: before.applied.clone(),
            catalogue: before.catalogue.clone(),
            meanings: before.meanings.clone(),
            stated: before.stated.clone(),
            ..QueryForm::default()
        };
        if self.about.is_rows() {
            row.subject = Some(self.about.mention());
        } else {
            row.dimensions = vec![Dimension::Thing(self.about.mention())];
        }
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::form::TableId;
    use super::{About, Place, placed};

    #[test]
    fn a_place_in_the_list_is_told_from_an_end_of_time() {
        let about = About {
            table: TableId(0),
            column: None,
            noun: "customer".to_owned(),
            plural: "customers".to_owned(),
            stems: vec!["customer".to_owned()],
        };
        for (text, place, rest) in [
            ("what is the email of the first one?", Some(Place::Nth(0)), "what is the email of this customer"),
            ("for the last of them, show the city", Some(Place::Last), "for this customer, show the city"),
            ("where does the second customer live?", Some(Place::Nth(1)), "where does this customer live"),
            ("who is the first customer?", None, ""),
            ("the first name of each", None, ""),
        ] {
            let found = placed(text, &about);
            assert_eq!(found.as_ref().map(|found| found.place), place, "{text}");
            assert_eq!(found.map_or_else(String::new, |found| found.rest), rest, "{text}");
        }
    }
}
