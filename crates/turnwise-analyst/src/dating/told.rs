//! What a plan says of the date its rows are dated by: which it is, which others there were and how many rows lack
//! them, and what it leaves out. One line, and none where there was no choice and every row has its date. Next: `mod`.

use super::By;
use super::count::{self, Filled, Look};
use super::found::Dating;
use crate::catalogue::Catalogue;
use crate::form::ColumnId;

/// Other dates named.
const OTHERS_NAMED_MAX: usize = 3;

/// The line of a plan; nothing where there is none.
pub fn told(catalogue: &Catalogue, dating: &Dating, by: &By, look: Look<'_>) -> String {
    let all = count::of(catalogue, dating, look);
    let name = name(catalogue, dating, dating.date.column);
    let without = left_out(catalogue, dating, &all);
    let said = match by {
        By::Rows => String::new(),
        By::Change => ", as you said".to_owned(),
        By::Fact(place) => format!(", as {place}"),
    };
    if dating.others.is_empty() {
        return match (without, said.is_empty()) {
            (Some(without), _) => format!("Dated by {name}{said}; {without}."),
            (None, true) => String::new(),
            (None, false) => format!("Dated by {name}{said}."),
        };
    }
    // Of several times, and of one that is still to come, nothing is said by the rows of one alone.
    let within = Some(count::in_time(catalogue, dating, look)).filter(|within| dating.is_all && within.rows > 0);
    let others = others(catalogue, dating, within.as_ref().unwrap_or(&all));
    let without = without.map_or_else(String::new, |without| format!(" {without}."));
    format!("Dated by {name}{said}; {others}.{without}")
}

/// A date's name; with its table where there is more than one.
fn name(catalogue: &Catalogue, dating: &Dating, column: usize) -> String {
    let date = ColumnId { column, ..dating.date };
    match dating.rows.sources.len() {
        0 | 1 => catalogue.column(date).name.clone(),
        _ => catalogue.column_label(date),
    }
}

/// "12 of 252 rows have no scheduled_at and are left out".
fn left_out(catalogue: &Catalogue, dating: &Dating, all: &Filled) -> Option<String> {
    let missing = all.missing(dating.date.column);
    let name = &catalogue.column(dating.date).name;
    let rows = of_rows(missing, all);
    match (missing, dating.leaves_out) {
        (0, _) => None,
        (1, true) => Some(format!("{rows} has no {name} and is left out")),
        (1, false) => Some(format!("{rows} has no {name} and is shown without a date")),
        (_, true) => Some(format!("{rows} have no {name} and are left out")),
        (_, false) => Some(format!("{rows} have no {name} and are shown without a date")),
    }
}

fn of_rows(some: u64, all: &Filled) -> String {
    let noun = if all.rows == 1 { "row" } else { "rows" };
    let whole = if all.is_of_table { " of the whole table" } else { "" };
    format!("{some} of {} {noun}{whole}", all.rows)
}

/// "seen_at is the other date (empty for 41 of 252 rows)".
fn others(catalogue: &Catalogue, dating: &Dating, within: &Filled) -> String {
    let name = |column: &usize| catalogue.column(ColumnId { column: *column, ..dating.date }).name.clone();
    let empty = |column: &usize| match within.missing(*column) {
        0 => String::new(),
        missing if missing == within.rows && missing > 1 => format!(" (empty for all {missing} rows)"),
        missing => format!(" (empty for {})", of_rows(missing, within)),
    };
    let other = |column: &usize| format!("{}{}", name(column), empty(column));
    match dating.others.as_slice() {
        [only] => format!("{} is the other date{}", name(only), empty(only)),
        several => {
            let named: Vec<String> = several.iter().take(OTHERS_NAMED_MAX).map(other).collect();
            let more = several.len().saturating_sub(named.len());
            match (named.split_last(), more) {
                (Some((last, rest)), 0) => format!("the other dates are {} and {last}", rest.join(", ")),
                _ => format!("the other dates are {} and {more} more", named.join(", ")),
            }
        }
    }
}
