//! Takes the change of a sum apart: by each dimension, which values changed it how much, and what the rest did. The
//! parts of a dimension add up to the whole change, which is checked. Next: `steps::explain`, which gathers the parts.

use std::collections::BTreeMap;

use turnwise_core::{Cell, Table};

use super::compute::Calculated;
use super::whole_numbers::{are_whole, number};

/// Values told of each dimension; the others are told as one.
const TOLD_MAX: usize = 3;
/// Share of the change by which the parts of a dimension may miss it: sums in another order differ in the last bits.
const MISS_MAX: f64 = 0.001;

/// Where the share of the change stands in a row.
const SHARE_AT: usize = 5;

/// One value's part of the change.
struct Part {
    name: String,
    before: f64,
    after: f64,
}

/// `inputs` are the total before and after, then for each of `dimensions` its groups before and after.
pub fn decompose(inputs: &[&Table], dimensions: &[String], sides: &[String]) -> Result<Calculated, String> {
    let [before, after, groups @ ..] = inputs else { return Err("the totals are missing".to_owned()) };
    let (from, to) = (total(before), total(after));
    let [first, second] = sides else { return Err("a change is between two periods".to_owned()) };
    let mut notes = Vec::new();
    let mut told: Vec<(f64, Vec<Vec<Cell>>)> = Vec::new();
    for (dimension, pair) in dimensions.iter().zip(groups.chunks(2)) {
        let [one, other] = pair else { continue };
        let parts = parts(one, other);
        let sum: f64 = parts.iter().map(|part| part.after - part.before).sum();
        if (sum - (to - from)).abs() > MISS_MAX * (to - from).abs().max(1.0) {
            notes.push(format!("The parts by {dimension} do not add up to the change, so they are not shown."));
            continue;
        }
        told.push(rows(dimension, parts, to - from));
    }
    // The dimension whose few values explain most stands first.
    told.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut all = vec![row("(all)", "", from, to, to - from)];
    all.extend(told.into_iter().flat_map(|(_, rows)| rows));
    if inputs.iter().all(|table| are_whole(table)) {
        all.iter_mut().for_each(|row| told_whole(row));
    }
    let columns = ["by", "value", first, second, "difference", "share of the change"].map(str::to_owned).to_vec();
    if all.len() > 1 {
        notes.push("The differences of each dimension add up to the whole one.".to_owned());
    }
    Ok(Calculated { table: Table::whole(columns, all), notes })
}

fn total(table: &Table) -> f64 {
    table.rows.first().and_then(|row| row.last()).and_then(Cell::as_number).unwrap_or_default()
}

fn name(row: &[Cell]) -> String {
    let labels = row.iter().take(row.len().saturating_sub(1));
    let texts: Vec<String> =
        labels.map(|cell| if *cell == Cell::Null { "(no value)".to_owned() } else { cell.to_string() }).collect();
    texts.join(" ")
}

fn parts(before: &Table, after: &Table) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (table, late) in [(before, false), (after, true)] {
        for row in &table.rows {
            let value = row.last().and_then(Cell::as_number).unwrap_or_default();
            let name = name(row);
            let at = *places.entry(name.clone()).or_insert(parts.len());
            if at == parts.len() {
                parts.push(Part { name, before: 0.0, after: 0.0 });
            }
            if late { parts[at].after += value } else { parts[at].before += value }
        }
    }
    parts
}

fn row(by: &str, value: &str, before: f64, after: f64, whole: f64) -> Vec<Cell> {
    let difference = after - before;
    let share = if whole == 0.0 { Cell::Null } else { Cell::real(difference / whole) };
    vec![
        Cell::Text(by.to_owned()),
        Cell::Text(value.to_owned()),
        Cell::real(before),
        Cell::real(after),
        Cell::real(difference),
        share,
    ]
}

/// The numbers of a row as whole ones, apart from the share.
fn told_whole(row: &mut [Cell]) {
    for cell in row.iter_mut().take(SHARE_AT) {
        if let Cell::Real(value) = cell {
            *cell = number(*value, true);
        }
    }
}

/// The largest parts and the rest as one; with how much of the change the largest one is.
fn rows(dimension: &str, mut parts: Vec<Part>, whole: f64) -> (f64, Vec<Vec<Cell>>) {
    let change = |part: &Part| part.after - part.before;
    let along = |part: &Part| if whole < 0.0 { -change(part) } else { change(part) };
    parts.sort_by(|one, other| along(other).total_cmp(&along(one)));
    let rest = parts.split_off(parts.len().min(TOLD_MAX));
    let strength = parts.first().map_or(0.0, |part| along(part) / whole.abs().max(f64::MIN_POSITIVE));
    let mut rows: Vec<Vec<Cell>> =
        parts.iter().map(|part| row(dimension, &part.name, part.before, part.after, whole)).collect();
    if !rest.is_empty() {
        let (before, after) = rest.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.before, sum.1 + part.after));
        rows.push(row(dimension, &format!("(the other {})", rest.len()), before, after, whole));
    }
    (strength, rows)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn table(rows: &[(&str, f64)]) -> Table {
        let rows = rows.iter().map(|(name, value)| vec![Cell::Text((*name).to_owned()), Cell::Real(*value)]).collect();
        Table::whole(vec!["region".to_owned(), "sales".to_owned()], rows)
    }

    fn whole(value: f64) -> Table {
        Table::whole(vec!["sales".to_owned()], vec![vec![Cell::Real(value)]])
    }

    #[test]
    fn parts_add_up_and_the_rest_is_told_as_one() {
        let before = table(&[("a", 10.0), ("b", 20.0), ("c", 30.0), ("d", 5.0), ("e", 5.0)]);
        let after = table(&[("a", 1.0), ("b", 25.0), ("c", 20.0), ("d", 4.0)]);
        let sides = ["April".to_owned(), "May".to_owned()];
        let found =
            decompose(&[&whole(70.0), &whole(50.0), &before, &after], &["region".to_owned()], &sides).unwrap().table;
        let differences: Vec<f64> = found.rows.iter().map(|row| row[4].as_number().unwrap()).collect();
        assert_eq!(differences[0], -20.0);
        assert!((differences[1..].iter().sum::<f64>() + 20.0).abs() < 1e-9, "{differences:?}");
        assert_eq!(found.rows[1][1], Cell::Text("c".to_owned()), "the largest part along the change comes first");
        assert_eq!(found.rows.last().unwrap()[1], Cell::Text("(the other 2)".to_owned()));
    }

    #[test]
    fn parts_that_do_not_add_up_are_not_shown() {
        let (before, after) = (table(&[("a", 10.0)]), table(&[("a", 9.0)]));
        let sides = ["April".to_owned(), "May".to_owned()];
        let found = decompose(&[&whole(70.0), &whole(50.0), &before, &after], &["region".to_owned()], &sides).unwrap();
        assert_eq!(found.table.rows.len(), 1);
        assert!(found.notes[0].contains("do not add up"), "{:?}", found.notes);
    }
}
