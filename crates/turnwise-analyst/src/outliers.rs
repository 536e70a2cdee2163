//! Values far from the rest, by Tukey's fences (J. W. Tukey, Exploratory Data Analysis, 1977): beyond one and a half
//! times the distance of the quartiles from them. It assumes no distribution and a few wild values do not move it,
//! unlike a number of standard deviations. Where the quartiles are equal, groups are judged by the modified z-score
//! with the mean absolute deviation instead (B. Iglewicz and D. Hoaglin, How to Detect and Handle Outliers, 1993),
//! and the result says so. Next: `steps::outliers`, which plans it.

use turnwise_core::{Cell, Table};

use super::compute::Calculated;

/// Said with every plan that uses it.
pub const METHOD: &str = "Outliers are told by Tukey's fences: values more than 1.5 times the distance between the \
                          quartiles below the first or above the third.";

/// Before a number of rows beyond which there may be more.
pub const AT_LEAST: &str = "At least ";

/// How many distances of the quartiles a value may lie beyond them.
const REACH: f64 = 1.5;
/// Fewest values among which one can be unusual.
const VALUES_MIN: usize = 8;

/// Modified z-score beyond which a value is unusual.
const SCORE_MAX: f64 = 3.5;
/// Mean absolute deviations in one standard deviation of a normal distribution.
const MEAN_DEVIATIONS: f64 = 1.253_314;

/// What is expected: the bounds of the usual, the quartiles they come from, and of how many values.
struct Fences {
    low: f64,
    high: f64,
    first: f64,
    third: f64,
    values: u64,
}

impl Fences {
    fn new(first: f64, third: f64, values: u64) -> Self {
        let reach = REACH * (third - first);
        Self { low: first - reach, high: third + reach, first, third, values }
    }

    fn note(&self, outside: &str) -> String {
        let show = |value: f64| Cell::real(value).to_string();
        if self.third <= self.first {
            let text = "the middle half of the values are all";
            return format!(
                "No fences can be drawn: {text} {}. Ask for values over or under a limit.",
                show(self.first)
            );
        }
        format!("{} Quartiles: {} and {}.", self.told(outside), show(self.first), show(self.third))
    }

    fn told(&self, outside: &str) -> String {
        let (low, high) = (Cell::real(self.low), Cell::real(self.high));
        format!("{outside} of {} values lie outside {low} to {high}.", self.values)
    }

    /// Around the median, where the quartiles are equal and some value differs from it.
    #[expect(clippy::cast_precision_loss, reason = "among the groups of a table")]
    fn by_mean_deviation(self, sorted: &[f64]) -> (Self, Option<String>) {
        let deviations: f64 = sorted.iter().map(|value| (value - self.first).abs()).sum();
        let reach = SCORE_MAX * MEAN_DEVIATIONS * deviations / sorted.len() as f64;
        if self.third > self.first || reach <= 0.0 {
            return (self, None);
        }
        let note = format!(
            "The middle half of the values are all {}, so values are unusual here whose modified z-score, by the mean \
             absolute deviation, is over {SCORE_MAX}.",
            Cell::real(self.first)
        );
        let (low, high) = (self.first - reach, self.first + reach);
        (Self { low, high, first: low, third: high, ..self }, Some(note))
    }

    fn is_outside(&self, value: f64) -> bool {
        self.third > self.first && (value < self.low || value > self.high)
    }

    fn beside(&self, row: &[Cell]) -> Vec<Cell> {
        row.iter().cloned().chain([Cell::real(self.low), Cell::real(self.high)]).collect()
    }
}

fn columns(own: &[String]) -> Vec<String> {
    own.iter().cloned().chain(["expected from".to_owned(), "expected to".to_owned()]).collect()
}

fn too_few(table: &Table, values: u64) -> Calculated {
    let note = format!("{values} values are too few to tell unusual ones: at least {VALUES_MIN} are needed.");
    Calculated { table: Table::whole(columns(&table.columns), Vec::new()), notes: vec![note] }
}

/// The groups whose number, the last column, lies beyond the fences.
pub fn among_groups(table: &Table) -> Result<Calculated, String> {
    // Rows that belong to no group are none that could be unusual among the groups.
    let named = |row: &Vec<Cell>| row.len() < 2 || row.iter().rev().skip(1).any(|cell| *cell != Cell::Null);
    let number = |row: &Vec<Cell>| row.last().filter(|_| named(row)).and_then(Cell::as_number);
    let mut values: Vec<f64> = table.rows.iter().filter_map(number).collect();
    if values.len() < VALUES_MIN {
        return Ok(too_few(table, values.len() as u64));
    }
    values.sort_by(f64::total_cmp);
    let (first, third) = (quantile(&values, 0.25), quantile(&values, 0.75));
    let (fences, otherwise) = Fences::new(first, third, values.len() as u64).by_mean_deviation(&values);
    let outside = |row: &&Vec<Cell>| number(row).is_some_and(|value| fences.is_outside(value));
    let rows: Vec<Vec<Cell>> = table.rows.iter().filter(outside).map(|row| fences.beside(row)).collect();
    let mut notes: Vec<String> = match otherwise {
        None => vec![fences.note(&rows.len().to_string())],
        Some(note) => vec![note, fences.told(&rows.len().to_string())],
    };
    let nameless = table.rows.iter().filter(|row| !named(row)).count();
    if nameless > 0 {
        notes.push("Rows that belong to no group were left out.".to_owned());
    }
    let missing = table.rows.len() - nameless - values.len();
    if missing > 0 {
        notes.push(format!("{missing} groups without a value were left out."));
    }
    Ok(Calculated { table: Table::whole(columns(&table.columns), rows), notes })
}

/// The rows beyond the fences: `quartiles` are the first and third with the number of values, `top` and `bottom` the
/// rows with the highest and lowest values.
pub fn among_rows(quartiles: &Table, top: &Table, bottom: &Table, column: &str) -> Result<Calculated, String> {
    let at = top.columns.iter().position(|name| name == column);
    let at = at.ok_or_else(|| format!("there is no column “{column}” to look at"))?;
    let found = quartiles.rows.first().map(|row| row.iter().map(Cell::as_number).collect::<Vec<_>>());
    let (first, third, values) = match found.as_deref() {
        Some([Some(first), Some(third), Some(values)]) => (*first, *third, *values),
        _ => return Ok(too_few(top, 0)),
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of rows")]
    let fences = Fences::new(first, third, values as u64);
    if fences.values < VALUES_MIN as u64 {
        return Ok(too_few(top, fences.values));
    }
    let number = |row: &&Vec<Cell>| row.get(at).and_then(Cell::as_number);
    let above: Vec<&Vec<Cell>> = top
        .rows
        .iter()
        .filter(|row| number(row).is_some_and(|v| fences.third > fences.first && v > fences.high))
        .collect();
    let below: Vec<&Vec<Cell>> = bottom
        .rows
        .iter()
        .filter(|row| number(row).is_some_and(|v| fences.third > fences.first && v < fences.low))
        .collect();
    // Where every row that was looked at lies outside, more may.
    let is_cut = |outside: usize, looked: &Table| outside > 0 && outside == looked.rows.len();
    let least = if is_cut(above.len(), top) || is_cut(below.len(), bottom) { AT_LEAST } else { "" };
    let rows: Vec<Vec<Cell>> = above.into_iter().chain(below).map(|row| fences.beside(row)).collect();
    let note = fences.note(&format!("{least}{}", rows.len()));
    Ok(Calculated { table: Table::whole(columns(&top.columns), rows), notes: vec![note] })
}

/// The value below which that part of the sorted values lies, between two of them where it falls there.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "positions among the groups of a table"
)]
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = part * (sorted.len().saturating_sub(1)) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    let value = |at: usize| sorted.get(at).copied().unwrap_or_default();
    value(low) + (value(high) - value(low)) * place.fract()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn days(values: &[i64]) -> Table {
        let row = |(at, value): (usize, &i64)| vec![Cell::Text(format!("day {at}")), Cell::Integer(*value)];
        Table::whole(vec!["day".to_owned(), "n".to_owned()], values.iter().enumerate().map(row).collect())
    }

    #[test]
    fn a_value_far_from_the_rest_is_told_with_what_was_expected() {
        let found = among_groups(&days(&[10, 12, 11, 13, 12, 11, 10, 90, 12])).unwrap();
        assert_eq!(found.table.rows.len(), 1);
        assert_eq!(found.table.rows[0][0], Cell::Text("day 7".to_owned()));
        // Quartiles 11 and 12: the fences are 9.5 and 13.5.
        assert_eq!(found.table.rows[0][2..], [Cell::Real(9.5), Cell::Real(13.5)]);
        assert_eq!(found.notes, ["1 of 9 values lie outside 9.50 to 13.50. Quartiles: 11.00 and 12.00."]);
    }

    #[test]
    fn rows_without_a_group_are_no_group_that_is_unusual() {
        let mut table = days(&[10, 12, 11, 13, 12, 11, 10, 11, 12]);
        table.rows.push(vec![Cell::Null, Cell::Integer(90)]);
        let found = among_groups(&table).unwrap();
        assert!(found.table.rows.is_empty(), "{:?}", found.table);
        assert_eq!(found.notes.last().map(String::as_str), Some("Rows that belong to no group were left out."));
    }

    #[test]
    fn nothing_is_called_unusual_among_a_few_or_where_most_are_alike() {
        assert!(among_groups(&days(&[1, 1, 90])).unwrap().notes[0].contains("too few"));
        let alike = among_groups(&days(&[1, 1, 1, 1, 1, 1, 1, 1])).unwrap();
        assert!(alike.table.rows.is_empty() && alike.notes[0].contains("No fences"), "{:?}", alike.notes);
    }

    #[test]
    fn where_most_are_alike_the_mean_deviation_decides_and_says_so() {
        let mut values = vec![10; 30];
        values.extend([11, 90]);
        let found = among_groups(&days(&values)).unwrap();
        assert_eq!(found.table.rows.len(), 1, "{:?}", found.table);
        assert_eq!(found.table.rows[0][1], Cell::Integer(90));
        assert!(found.notes[0].contains("modified z-score"), "{:?}", found.notes);
    }
}
