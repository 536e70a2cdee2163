//! The units that numbers are in by the names of their columns: minutes of `duration_min`, a day of `day_rate`. A
//! number in another unit would be another number. Next: `build`.

use super::ground::{Ground, Grounded};
use super::pieces::Message;
use super::search::Way;
use super::uses::Use;
use crate::catalogue::Catalogue;
use crate::form::ColumnId;
use crate::lexicon::{Concept, lexicon};
use crate::period::Grain;

/// Whether a number of the question is in that unit by its name: minutes of `duration_min`.
pub fn is_in(catalogue: &Catalogue, way: &Way, unit: &str) -> bool {
    way.parts.iter().any(|part| match (&part.ground, part.does) {
        (_, Use::Idle) | (None, _) => false,
        (Some(Grounded { ground: Ground::Column(column), .. }), _) => says(catalogue, *column, unit),
        (Some(_), _) => false,
    })
}

/// Whether a column says by its name that it is in a unit: `dur_min`, `est_hrs`.
pub fn says(catalogue: &Catalogue, column: ColumnId, unit: &str) -> bool {
    let whole = unit.trim_end_matches('s');
    let says = |stem: &String| unit.starts_with(stem.as_str()) || stem.starts_with(whole) || is_short(stem, whole);
    catalogue.column(column).stems.iter().any(says)
}

/// Whether a word is another one with letters left out: "hrs" for "hours".
fn is_short(short: &str, whole: &str) -> bool {
    let mut rest = whole.chars();
    let begins = short.chars().next() == whole.chars().next();
    begins && short.len() > 1 && short.trim_end_matches('s').chars().all(|letter| rest.any(|other| other == letter))
}

/// Whether a unit is one of money, which no name of a number has to say.
pub fn is_money(unit: &str) -> bool {
    lexicon().unit(unit.trim_end_matches('s')).is_some_and(|unit| unit.concept == Concept::Money)
}

/// The lengths of time that rows are grouped by: not those that a number is for each of by its name, as the price of a
/// day is. None where a number is said to be for each of one and is not.
pub fn grains(catalogue: &Catalogue, message: &Message, way: &Way) -> Option<Vec<Grain>> {
    let says = |grain: Grain| {
        way.parts.iter().any(|part| match (&part.ground, part.does) {
            (_, Use::Idle) | (None, _) => false,
            (Some(Grounded { ground: Ground::Column(column), .. }), _) => catalogue
                .column(*column)
                .stems
                .iter()
                .any(|stem| stem.starts_with(grain.name()) || stem == "daily" && grain == Grain::Day),
            (Some(_), _) => false,
        })
    };
    let open = message.units.iter().any(|grain| !says(*grain));
    (!open).then(|| message.grains.iter().copied().filter(|grain| !says(*grain)).collect())
}
