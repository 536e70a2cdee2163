//! Ways along keys from a table to others, always from many rows to one, so that following one never doubles a row.
//! Next: `resolve`, which picks the table to start from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::names::canonical;
use super::{Join, TableEntry};
use crate::form::TableId;

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

/// What a join weighs that leads to a thing in a part of its own ("home cinema"), beside one that is simply of it.
const QUALIFIED: usize = 3;

/// What a link by day weighs, beside one by a key.
const BY_DAY: usize = 4;

/// For each table, every table it reaches with the ways there, lightest first.
pub fn reach(tables: &[TableEntry], joins: &[Join]) -> Vec<BTreeMap<TableId, Vec<Path>>> {
    let weights: Vec<usize> = joins.iter().map(|join| weight_of(tables, join)).collect();
    let mut reach: Vec<_> = (0..tables.len()).map(|at| reach_from(TableId(at), joins)).collect();
    for paths in reach.iter_mut().flat_map(BTreeMap::values_mut) {
        paths.sort_by_key(|path| path.0.iter().map(|join| weights[join.0]).sum::<usize>());
    }
    reach
}

/// A showing is in the cinema of its screen; that a customer who saw it has a home cinema is another matter.
fn weight_of(tables: &[TableEntry], join: &Join) -> usize {
    if join.by_day {
        return BY_DAY;
    }
    if join.singles_out {
        return QUALIFIED;
    }
    let to = &tables[join.to.0];
    let own = |column: &usize| {
        let stems = &tables[join.from.0].columns[*column].stems;
        let rest = match stems.as_slice() {
            [rest @ .., last]
                if !rest.is_empty() && matches!(last.as_str(), "id" | "code" | "no" | "key" | "number") =>
            {
                rest
            }
            all => all,
        };
        let qualified = rest.len() > to.stems.len() && canonical(rest).ends_with(&format!(" {}", canonical(&to.stems)));
        !qualified
    };
    if join.from_columns.iter().all(own) { 1 } else { QUALIFIED }
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
    /// How far a way is, with what leads to a thing in a part of its own for farther.
    pub fn weight(&self, path: &Path) -> usize {
        path.0.iter().map(|join| weight_of(&self.tables, self.join(*join))).sum()
    }

    /// The joins of a way; one that names a single row of many ("the manager") counts twice, because nobody means it
    /// who does not say so.
    pub fn hops(&self, path: &Path) -> u32 {
        path.0.iter().map(|join| 1 + u32::from(self.join(*join).singles_out)).sum()
    }

    /// The ways from `from` to `to`, lightest first; none when no keys lead there.
    pub fn paths(&self, from: TableId, to: TableId) -> &[Path] {
        self.reach.get(from.0).and_then(|reach| reach.get(&to)).map_or(&[], Vec::as_slice)
    }

    /// The tables from which `to` can be reached, itself included.
    pub fn reaching(&self, to: TableId) -> impl Iterator<Item = TableId> + '_ {
        self.reach.iter().enumerate().filter(move |(_, reach)| reach.contains_key(&to)).map(|(at, _)| TableId(at))
    }
}
