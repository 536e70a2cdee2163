//! How likely each reading is: what is meant is one of them or none, and their shares come of what each costs. Those
//! that are seen to give the same share one. Next: `costs` for the prices, `results` for what plans give.

use super::Planned;
use super::costs::Costs;
use super::pieces::{Message, Place};
use super::results::Looks;
use super::uses;
use crate::linking::raised;

/// How likely a reading must be by itself to be looked at: others change nothing.
const LOOKED_AT_MIN: f64 = 0.03;

/// What it costs that none of the readings is meant.
pub fn none(message: &Message) -> Costs {
    let mut costs = Costs::one("none");
    let spoken = || message.pieces.iter().filter(|piece| piece.silent.is_none());
    let count = |of: usize| of as f64;
    costs.add("none for each piece", count(spoken().count()));
    costs.add("none for each unknown", count(spoken().filter(|piece| piece.span.is_unknown()).count()));
    costs.add("none for each denied", count(spoken().filter(|piece| piece.place == Place::Denied).count()));
    costs.add("none for each bound", count(message.bounds.len()));
    costs.add("none for each period", count(message.periods.len()));
    costs.add("none for each grain", count(message.grains.len()));
    costs.add("none for each small word", message.small + message.when);
    costs.add(format!("none where it {}", uses::asked(message)), 1.0);
    for (is, reason) in [
        (message.beyond, "none beyond"),
        (message.open, "none open"),
        (message.compared, "none compared"),
        (message.how.is_some(), "none gathered"),
        (!message.in_units.is_empty(), "none in units"),
    ] {
        if is {
            costs.add(reason, 1.0);
        }
    }
    costs
}

/// The readings, the likeliest first, each with its share; of those that give the same the first, with that of all.
pub fn pooled(looks: &Looks<'_>, message: &Message, planned: Vec<Planned>) -> Vec<Planned> {
    let scores: Vec<f64> =
        planned.iter().map(|one| -one.reading.costs.total()).chain([-none(message).total()]).collect();
    let mut groups: Vec<Planned> = Vec::new();
    for (mut one, share) in planned.into_iter().zip(raised(&scores)) {
        one.share = share;
        let same =
            |group: &&mut Planned| share >= LOOKED_AT_MIN && looks.are_alike(&group.plan, &one.plan).unwrap_or(false);
        match groups.iter_mut().find(same) {
            Some(group) => group.share += share,
            None => groups.push(one),
        }
    }
    groups.sort_by(|one, other| other.share.total_cmp(&one.share));
    groups
}
