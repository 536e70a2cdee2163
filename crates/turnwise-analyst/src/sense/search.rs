//! Which piece does what: the cheapest ways to give each piece something it stands for and something to do, found from
//! left to right with the best kept. Next: `build`, which makes a question of a way.

use std::rc::Rc;

use super::costs::Costs;
use super::ground::{Ground, Grounded};
use super::pieces::Message;
use super::uses::{self, Chance, Use};
use crate::catalogue::Catalogue;
use crate::form::TableId;

/// Ways kept after each piece.
const KEPT_MAX: usize = 120;
/// How near a word must be to what another one stands for, to say it once more.
const SAID_AGAIN_MIN: f64 = 0.5;

/// What all pieces do.
#[derive(Clone, Debug, Default)]
pub struct Way {
    pub parts: Vec<Rc<Chance>>,
    pub tables: Vec<TableId>,
    /// What it costs that they do so together.
    pub together: Costs,
    pub cost: f64,
}

impl Way {
    /// What all of it costs, and why.
    pub fn costs(&self) -> Costs {
        let mut costs = self.together.clone();
        self.parts.iter().for_each(|part| costs.add_all(&part.costs));
        costs
    }
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
        let chances: Vec<Rc<Chance>> = uses::chances(message, at, own).into_iter().map(Rc::new).collect();
        let mut next: Vec<Way> = Vec::new();
        for way in &ways {
            for grounded in own {
                let known = way.parts.iter().any(|part| is_same(part, grounded));
                // "Shaded and unshaded" are two things.
                let denied = message.pieces.get(at).is_some_and(|piece| piece.span.negates);
                if known && !denied && grounded.near >= SAID_AGAIN_MIN {
                    let mut costs = uses::far(message, at, grounded);
                    costs.add("again", 1.0);
                    let again = Chance { at, ground: Some(grounded.clone()), does: Use::Beside, costs };
                    next.push(with(way, &Rc::new(again), &Costs::default(), None));
                }
            }
            for chance in &chances {
                // A bound is held once.
                if matches!(chance.does, Use::Hold(_) | Use::HoldCount(_))
                    && way.parts.iter().any(|part| part.does == chance.does)
                {
                    continue;
                }
                let table = chance.ground.as_ref().and_then(|ground| ground.ground.table());
                let further = table.map_or_else(Costs::default, |table| distance(catalogue, way, table));
                next.push(with(way, chance, &further, table));
            }
        }
        next.sort_by(|one, other| one.cost.total_cmp(&other.cost));
        next.truncate(KEPT_MAX);
        ways = next;
    }
    ways
}

fn with(way: &Way, part: &Rc<Chance>, together: &Costs, table: Option<TableId>) -> Way {
    let mut way = way.clone();
    way.tables.extend(table.filter(|table| !way.tables.contains(table)));
    way.parts.push(part.clone());
    way.together.add_all(together);
    way.cost += part.costs.total() + together.total();
    way
}

/// Whether a part stands for the same already.
fn is_same(part: &Chance, grounded: &Grounded) -> bool {
    let own = part.ground.as_ref().map(|own| &own.ground);
    match (own, &grounded.ground) {
        (Some(Ground::Value(place, _)), Ground::Column(column)) => {
            *place == crate::form::Thing::Column(*column) && part.does != Use::Idle
        }
        (Some(own), other) => own == other && part.does != Use::Idle,
        (None, _) => false,
    }
}

/// What it costs to go to a further table, and to one that no key leads to.
fn distance(catalogue: &Catalogue, way: &Way, table: TableId) -> Costs {
    if way.tables.is_empty() || way.tables.contains(&table) {
        return Costs::default();
    }
    let leads = |start: TableId| {
        way.tables.iter().chain([&table]).all(|to| start == *to || !catalogue.paths(start, *to).is_empty())
    };
    let linked = catalogue.tables().any(|(start, _)| leads(start));
    Costs::one(if linked { "further table" } else { "unlinked table" })
}
