//! Ways along keys from a table to others, always from many rows to one, so that following one never doubles a row.
//! Next: `resolve`, which picks the table to start from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Join;
use crate::assistant::analyst::form::TableId;

/// A join, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JoinId(pub usize);

/// Joins to follow one after the other; empty for the table itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(pub Vec<JoinId>);

/// Longest way followed: beyond it the relation is no longer what a person means by two words in one sentence.
const PATH_LENGTH_MAX: usize = 6;

/// Ways kept to one table: with more than this nobody could choose among them.
const PATHS_KEPT_MAX: usize = 8;

/// For each table, every table it reaches with the ways there, shortest first.
pub fn reach(tables: usize, joins: &[Join]) -> Vec<BTreeMap<TableId, Vec<Path>>> {
    (0..tables).map(|at| reach_from(TableId(at), joins)).collect()
}

fn reach_from(start: TableId, joins: &[Join]) -> BTreeMap<TableId, Vec<Path>> {
    let mut found: BTreeMap<TableId, Vec<Path>> = BTreeMap::from([(start, vec![Path::default()])]);
    let mut frontier: Vec<(TableId, Path, Vec<TableId>)> = vec![(start, Path::default(), vec![start])];
    for _ in 0..PATH_LENGTH_MAX {
        let mut next = Vec::new();
        for (at, path, seen) in &frontier {
            let onward = joins.iter().enumerate().filter(|(_, join)| join.from == *at);
            for (number, join) in onward {
                let mut longer = path.clone();
                longer.0.push(JoinId(number));
                let known = found.entry(join.to).or_default();
                if known.len() < PATHS_KEPT_MAX {
                    known.push(longer.clone());
                    // A table already on the way (an employee's manager) is an end, not a thoroughfare.
                    if !seen.contains(&join.to) {
                        let mut seen = seen.clone();
                        seen.push(join.to);
                        next.push((join.to, longer, seen));
                    }
                }
            }
        }
        frontier = next;
    }
    found
}

impl super::Catalogue {
    /// The ways from `from` to `to`, shortest first; none when no keys lead there.
    pub fn paths(&self, from: TableId, to: TableId) -> &[Path] {
        self.reach.get(from.0).and_then(|reach| reach.get(&to)).map_or(&[], Vec::as_slice)
    }

    /// The tables from which `to` can be reached, itself included.
    pub fn reaching(&self, to: TableId) -> impl Iterator<Item = TableId> + '_ {
        self.reach.iter().enumerate().filter(move |(_, reach)| reach.contains_key(&to)).map(|(at, _)| TableId(at))
    }
}
