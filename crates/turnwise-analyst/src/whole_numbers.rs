//! Numbers worked out from others: whole where all that they come from is whole, so that the difference of two counts
//! is told as a count ("-2053") and not as a measurement ("-2053.00"). Next: `compute`, which works them out.

use turnwise_core::{Cell, Table};

/// Up to here a real number holds every whole one.
const EXACT_MAX: f64 = 9e15;

/// The change from one number to another; none where one of them is missing.
pub fn difference(from: &Cell, to: &Cell) -> Cell {
    if let (Cell::Integer(from), Cell::Integer(to)) = (from, to)
        && let Some(difference) = to.checked_sub(*from)
    {
        return Cell::Integer(difference);
    }
    match (from.as_number(), to.as_number()) {
        (Some(from), Some(to)) => Cell::real(to - from),
        _ => Cell::Null,
    }
}

/// Whether the last column of a table holds whole numbers alone.
pub fn are_whole(table: &Table) -> bool {
    table.rows.iter().all(|row| matches!(row.last(), Some(Cell::Integer(_) | Cell::Null)))
}

/// A number that came out of whole ones alone, or of others too.
#[expect(clippy::cast_possible_truncation, reason = "checked to be exact")]
pub fn number(value: f64, whole: bool) -> Cell {
    if whole && value.abs() < EXACT_MAX && value.fract() == 0.0 {
        Cell::Integer(value as i64)
    } else {
        Cell::real(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_of_whole_numbers_is_whole_as_long_as_there_is_one() {
        assert_eq!(difference(&Cell::Integer(27_004), &Cell::Integer(24_951)), Cell::Integer(-2_053));
        assert_eq!(difference(&Cell::Integer(1), &Cell::Real(1.5)), Cell::Real(0.5));
        assert_eq!(difference(&Cell::Null, &Cell::Integer(1)), Cell::Null);
        assert!(matches!(difference(&Cell::Integer(i64::MIN), &Cell::Integer(i64::MAX)), Cell::Real(_)));
    }
}
