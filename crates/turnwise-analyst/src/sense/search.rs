//! Which piece does what: the cheapest ways to give each piece something it stands for and something to do, found from
//! left to right with the best kept. Next: `build`, which makes a question of a way.

use super::ground::{Ground, Grounded};
use super::pieces::Message;
use super::uses::{self, Use};
use crate::catalogue::Catalogue;
use crate::form::TableId;

/// Ways kept after each piece.
const KEPT_MAX: usize = 120;
/// What a further table costs, and one that no key leads to.
const FURTHER: f64 = 0.5;
const UNLINKED: f64 = 4.0;
/// What it costs to say once more what another piece says.
const AGAIN: f64 = 0.1;
/// How near a word must be to what another one stands for, to say it once more.
const SAID_AGAIN_MIN: f64 = 0.5;
/// Nearness below which a thing is none: the logarithm has to end somewhere.
const NEAR_MIN: f64 = 0.01;

/// What one piece does.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub at: usize,
    pub ground: Option<Grounded>,
    pub does: Use,
}

/// What all pieces do.
#[derive(Clone, Debug, Default)]
pub struct Way {
    pub parts: Vec<Part>,
    pub tables: Vec<TableId>,
    pub cost: f64,
}

impl PartialEq for Grounded {
    fn eq(&self, other: &Self) -> bool {
        self.ground == other.ground
    }
}

/// The ways, the cheapest first.
pub fn ways(catalogue: &Catalogue, message: &Message, grounds: &[Vec<Grounded>]) -> Vec<Way> {
    let mut ways = vec![Way::default()];
    for (at, own) in grounds.iter().enumerate() {
        let mut next: Vec<Way> = Vec::new();
        for way in &ways {
            next.push(with(way, Part { at, ground: None, does: Use::Idle }, uses::idle(message, at), None));
            for grounded in own {
                let near = -grounded.near.max(NEAR_MIN).ln();
                let known = way.parts.iter().any(|part| is_same(part, grounded));
                // "Shaded and unshaded" are two things.
                let denied = message.pieces.get(at).is_some_and(|piece| piece.span.negates);
                if known && !denied && grounded.near >= SAID_AGAIN_MIN {
                    let part = Part { at, ground: Some(grounded.clone()), does: Use::Beside };
                    next.push(with(way, part, near + AGAIN, None));
                }
                let table = grounded.ground.table();
                let further = table.map_or(0.0, |table| distance(catalogue, way, table));
                for (does, cost) in uses::of(message, at, grounded) {
                    // A bound is held once.
                    if matches!(does, Use::Hold(_) | Use::HoldCount(_))
                        && way.parts.iter().any(|part| part.does == does)
                    {
                        continue;
                    }
                    let part = Part { at, ground: Some(grounded.clone()), does };
                    next.push(with(way, part, near + cost + further, table));
                }
            }
        }
        next.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        next.truncate(KEPT_MAX);
        ways = next;
    }
    ways
}

fn with(way: &Way, part: Part, cost: f64, table: Option<TableId>) -> Way {
    let mut way = way.clone();
    way.tables.extend(table.filter(|table| !way.tables.contains(table)));
    way.parts.push(part);
    way.cost += cost;
    way
}

/// Whether a part stands for the same already.
fn is_same(part: &Part, grounded: &Grounded) -> bool {
    let own = part.ground.as_ref().map(|own| &own.ground);
    match (own, &grounded.ground) {
        (Some(Ground::Value(place, _)), Ground::Column(column)) => {
            *place == crate::form::Thing::Column(*column) && part.does != Use::Idle
        }
        (Some(own), other) => own == other && part.does != Use::Idle,
        (None, _) => false,
    }
}

fn distance(catalogue: &Catalogue, way: &Way, table: TableId) -> f64 {
    if way.tables.is_empty() || way.tables.contains(&table) {
        return 0.0;
    }
    let leads = |start: TableId| {
        way.tables.iter().chain([&table]).all(|to| start == *to || !catalogue.paths(start, *to).is_empty())
    };
    if catalogue.tables().any(|(start, _)| leads(start)) { FURTHER } else { UNLINKED }
}
