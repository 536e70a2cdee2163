//! Whether two plans give the same: their rows are looked at, as far as each is one query that is answered at once.
//! Columns may stand in any order and one may show more than the other; a share may be told as a part or in percent.
//! Next: `super`.

use turnwise_core::{Cell, PlanDraft, Table};

use crate::draft::Surroundings;

/// How far numbers may be apart that are the same.
const NEAR: f64 = 0.001;

/// Whether both give the same; nothing where that cannot be seen.
pub fn are_alike(around: &Surroundings<'_>, one: &PlanDraft, other: &PlanDraft) -> Option<bool> {
    let (one, other) = ((around.result)(one)?, (around.result)(other)?);
    Some(give_alike(&one, &other))
}

/// Whether one holds the rows of the other.
pub fn give_alike(one: &Table, other: &Table) -> bool {
    hold(one, other) || hold(other, one)
}

/// Whether each row of `narrow` stands in a row of `wide` of its own.
fn hold(wide: &Table, narrow: &Table) -> bool {
    let mut given = vec![false; wide.rows.len()];
    wide.total_rows == narrow.total_rows
        && wide.rows.len() == narrow.rows.len()
        && narrow.rows.iter().all(|row| {
            let own = wide.rows.iter().enumerate().position(|(at, other)| !given[at] && row_holds(other, row));
            own.is_some_and(|at| !std::mem::replace(&mut given[at], true))
        })
}

fn row_holds(wide: &[Cell], narrow: &[Cell]) -> bool {
    let mut used = vec![false; wide.len()];
    narrow.iter().all(|cell| {
        let own = wide.iter().enumerate().position(|(at, other)| !used[at] && same(other, cell));
        own.is_some_and(|at| !std::mem::replace(&mut used[at], true))
    })
}

fn same(one: &Cell, other: &Cell) -> bool {
    match (one.as_number(), other.as_number()) {
        (Some(one), Some(other)) => near(one, other) || near(one * 100.0, other) || near(one, other * 100.0),
        _ => one == other,
    }
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() <= NEAR * one.abs().max(other.abs()).max(f64::MIN_POSITIVE)
}
