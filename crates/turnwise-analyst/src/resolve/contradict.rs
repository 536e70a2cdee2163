//! What cannot be true of any row, or is true of all: a column that is two values at once, and a number that goes
//! together with itself. Such an answer would look like one, so it is refused. Next: `assemble`.

use super::{Resolved, Trouble};
use crate::catalogue::Catalogue;
use crate::form::{ColumnId, Measure};
use crate::lexicon::Comparator;
use crate::query::{Expression, Query, Test};
use turnwise_core::Cell;

/// `resolved`, unless it says of a column that it is two values at once.
pub fn possible(catalogue: &Catalogue, resolved: Resolved) -> Result<Resolved, Trouble> {
    above_and_below(catalogue, &resolved.query)?;
    let wanted = resolved.query.tests.iter().filter_map(|test| match test {
        Test::In { of, values, negated: false } => Some((of, values)),
        _ => None,
    });
    let wanted: Vec<(&Expression, &Vec<Cell>)> = wanted.collect();
    for (at, (of, values)) in wanted.iter().enumerate() {
        let apart = |(other, others): &&(&Expression, &Vec<Cell>)| {
            other == of && !others.iter().any(|other| values.contains(other))
        };
        if let Some((_, others)) = wanted.iter().skip(at + 1).find(apart) {
            let (one, other) = (listed(values), listed(others));
            let column = column_of(&resolved.query, of).map(|column| catalogue.column_label(column));
            let place = column.map_or_else(String::new, |column| format!(" ({column})"));
            return Err(Trouble::Impossible(format!(
                "“{one}” and “{other}” are values of the same column{place}, and no row has both. If either will do, \
                 say “{one} or {other}”; to set them side by side, begin with “compare” and say “{one} and {other}”."
            )));
        }
    }
    Ok(resolved)
}

/// Refuses a number that would have to be above one bound and below a lower one.
fn above_and_below(catalogue: &Catalogue, query: &Query) -> Result<(), Trouble> {
    let numbers = query.tests.iter().filter_map(|test| match test {
        Test::Number { of, comparator, value } => Some((of, *comparator, *value)),
        _ => None,
    });
    let numbers: Vec<(&Expression, Comparator, f64)> = numbers.collect();
    for (of, comparator, low) in &numbers {
        let above = matches!(comparator, Comparator::Over | Comparator::AtLeast);
        let below = |(other, comparator, high): &&(&Expression, Comparator, f64)| {
            other == of && matches!(comparator, Comparator::Under | Comparator::AtMost) && high < low
        };
        let is = |comparator: &Comparator| *comparator == Comparator::Equal;
        let other_one = |(other, other_is, number): &&(&Expression, Comparator, f64)| {
            other == of && is(other_is) && (number - low).abs() > f64::EPSILON
        };
        if let Some((_, _, number)) = numbers.iter().find(other_one).filter(|_| is(comparator)) {
            return Err(Trouble::Impossible(format!(
                "No row has both {low} and {number} at once: say “or” for either."
            )));
        }
        if let Some((_, _, high)) = numbers.iter().find(below).filter(|_| above) {
            let column =
                column_of(query, of).map_or_else(|| "value".to_owned(), |column| catalogue.column_label(column));
            return Err(Trouble::Impossible(format!(
                "No row has a {column} above {low} and below {high} at once. If either will do, ask for the two one after \
                 the other; for what has a row of each kind, say “both”."
            )));
        }
    }
    Ok(())
}

/// `resolved`, unless it correlates a column with itself.
pub fn of_two(catalogue: &Catalogue, measure: &Measure, resolved: Resolved) -> Result<Resolved, Trouble> {
    let gathered = resolved.query.gathered.first();
    let (Some(with), Some((Some(of), Some(other)))) =
        (&measure.with, gathered.map(|gathered| (&gathered.of, &gathered.with)))
    else {
        return Ok(resolved);
    };
    if of != other {
        return Ok(resolved);
    }
    let same = column_of(&resolved.query, of);
    let label = same.map_or_else(String::new, |column| format!(" ({})", catalogue.column_label(column)));
    let mut meant: Vec<ColumnId> = measure.of.columns().chain(with.columns()).collect();
    meant.retain(|column| Some(*column) != same && catalogue.column(*column).is_number());
    meant.sort_by_key(|column| (column.table, column.column));
    meant.dedup();
    let names: Vec<String> = meant.into_iter().map(|column| catalogue.column_label(column)).collect();
    let instead = if names.is_empty() {
        "Name another number by the whole name of its column.".to_owned()
    } else {
        format!("Name the other by the whole name of its column: {}.", names.join(", "))
    };
    Err(Trouble::Impossible(format!(
        "“{}” and “{}” come to the same column{label}, and a number always goes together with itself. {instead}",
        measure.of.words, with.words
    )))
}

fn column_of(query: &Query, of: &Expression) -> Option<ColumnId> {
    let Expression::Column { source, column } = of else { return None };
    Some(ColumnId { table: query.sources.get(*source)?.table, column: *column })
}

fn listed(values: &[Cell]) -> String {
    let texts = values.iter().map(|value| match value {
        Cell::Text(text) => text.clone(),
        other => format!("{other:?}"),
    });
    texts.collect::<Vec<String>>().join(" or ")
}
