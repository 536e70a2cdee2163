//! The units that numbers are in by the names of their columns: minutes of `duration_min`, a day of `day_rate`. A
//! number in another unit would be another number. Next: `build`.

use super::ground::{Ground, Grounded};
use super::pieces::Message;
use super::search::Way;
use super::uses::Use;
use crate::catalogue::Catalogue;
use crate::period::Grain;

/// Whether a number of the question is in that unit by its name: minutes of `duration_min`.
pub fn is_in(catalogue: &Catalogue, way: &Way, unit: &str) -> bool {
    let says = |stem: &String| unit.starts_with(stem.as_str()) || stem.starts_with(unit.trim_end_matches('s'));
    way.parts.iter().any(|part| match (&part.ground, part.does) {
        (_, Use::Idle) | (None, _) => false,
        (Some(Grounded { ground: Ground::Column(column), .. }), _) => catalogue.column(*column).stems.iter().any(says),
        (Some(_), _) => false,
    })
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
