//! A last row that adds up those above it, written as plain values: counted as data it would count everything twice. It
//! is told by its label and by its numbers together, because a region may be called “Total” and a number may be the sum
//! of others by chance. Next: `spreadsheet` and `delimited`, which leave it out.

use super::numerals::{self, Mark, Number};

/// The numbers of each column so far, added up.
pub struct Sums(Vec<Sum>);

#[derive(Clone, Default)]
struct Sum {
    /// By each of the two ways to read numbers.
    by_mark: [f64; 2],
    numbers: u64,
}

/// The column whose sum gives a row away, with what stands in the row.
pub struct Total {
    /// Its position.
    pub column: usize,
    /// The sum, as it is written.
    pub value: String,
    /// What the row is called.
    pub label: String,
}

impl Total {
    /// What is said of the row that is left out; `place` is where it is.
    pub fn note(&self, place: &str, names: &[String]) -> String {
        let column = names.get(self.column).map_or("its column", String::as_str);
        format!(
            "{place} is left out: it is called “{}”, and its {} in {column} is the sum of the rows above it.",
            self.label, self.value
        )
    }
}

impl Sums {
    /// Nothing in any of these columns.
    pub fn of(columns: usize) -> Self {
        Self(vec![Sum::default(); columns])
    }

    /// Takes up a row.
    pub fn add<'a>(&mut self, fields: impl Iterator<Item = &'a str>) {
        for (sum, field) in self.0.iter_mut().zip(fields) {
            let read = MARKS.map(|mark| number(field, mark));
            sum.numbers += u64::from(read.iter().any(Option::is_some));
            for (by_mark, number) in sum.by_mark.iter_mut().zip(read) {
                *by_mark += number.unwrap_or_default();
            }
        }
    }

    /// What tells that the row below those that were taken up is their total. Nothing in it may be anything else: every
    /// number is the sum of its column, and the label stands where there are no numbers.
    pub fn total<'a>(&self, fields: impl Iterator<Item = &'a str>) -> Option<Total> {
        let (mut label, mut found) = (None, None);
        for (column, (sum, field)) in self.0.iter().zip(fields.map(str::trim)).enumerate() {
            if field.is_empty() {
                continue;
            }
            let is_number = MARKS.into_iter().any(|mark| number(field, mark).is_some());
            if !is_number {
                let is_label = sum.numbers == 0 && label.is_none() && is_label(field);
                label = Some(field.to_owned()).filter(|_| is_label);
                label.as_ref()?;
            } else if !sum.is(field) {
                return None;
            } else if sum.numbers >= ROWS_MIN && found.is_none() && sum.by_mark.iter().any(|sum| *sum != 0.0) {
                found = Some((column, field.to_owned()));
            }
        }
        let (column, value) = found?;
        Some(Total { column, value, label: label? })
    }
}

impl Sum {
    /// Whether a number is the sum, as exactly as it is written.
    fn is(&self, field: &str) -> bool {
        MARKS.into_iter().zip(self.by_mark).any(|(mark, sum)| {
            let point = if mark == Mark::Dot { '.' } else { ',' };
            let behind = field.rsplit_once(point).map_or("", |(_, behind)| behind);
            let digits = behind.chars().filter(char::is_ascii_digit).count();
            let half = 0.5 * 0.1_f64.powi(i32::try_from(digits).unwrap_or(i32::MAX));
            number(field, mark).is_some_and(|number| (number - sum).abs() <= half + sum.abs() * ROUNDING)
        })
    }
}

/// Whether a row that begins so is called a total.
pub fn is_label(field: &str) -> bool {
    let field = field.trim().trim_end_matches(':').trim_end();
    LABELS.iter().any(|label| field.eq_ignore_ascii_case(label))
}

fn number(field: &str, mark: Mark) -> Option<f64> {
    #[allow(clippy::cast_precision_loss, reason = "sums are compared up to rounding")]
    match numerals::number(field, mark)? {
        Number::Integer(number) => Some(number as f64),
        Number::Real(number) => Some(number),
    }
}

const MARKS: [Mark; 2] = [Mark::Dot, Mark::Comma];

/// What such a row is called.
const LABELS: [&str; 6] = ["total", "totals", "grand total", "overall total", "sum", "sum total"];

/// Rows whose sum is hardly there by chance.
const ROWS_MIN: u64 = 3;

/// The part of a sum that adding fractions may be off by.
const ROUNDING: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    fn told(rows: &[&[&str]], last: &[&str]) -> Option<(usize, String)> {
        let mut sums = Sums::of(last.len());
        for row in rows {
            sums.add(row.iter().copied());
        }
        sums.total(last.iter().copied()).map(|total| (total.column, total.label))
    }

    #[test]
    fn a_total_is_told_by_its_label_and_its_sums() {
        let rows: [&[&str]; 3] = [&["Jan", "1,200.00", "0.1"], &["Feb", "800.00", "0.2"], &["Mar", "0.50", "0.3"]];
        let total = Some((1, "Total".to_owned()));
        assert_eq!(told(&rows, &["Total", "2,000.50", "0.6"]), total);
        assert_eq!(told(&rows, &["Total", "2001", ""]), total, "rounded as it is written");
        assert_eq!(told(&rows, &["GRAND TOTAL:", "$2,000.50", ""]), Some((1, "GRAND TOTAL:".to_owned())));
        for other in [
            ["Apr", "2,000.50", "0.6"],
            ["Total", "2,000.50", "0.7"],
            ["Total", "2,100.00", ""],
            ["Total", "2,000.50", "open"],
            ["Total", "", ""],
            ["", "2,000.50", "0.6"],
        ] {
            assert_eq!(told(&rows, &other), None, "{other:?}");
        }
        assert_eq!(told(&rows[..2], &["Total", "2,000.00", "0.3"]), None, "too few rows");
        assert_eq!(told(&[&["1", "2"], &["2", "3"], &["3", "4"]], &["Total", "9"]), None, "among numbers");
    }

    #[test]
    fn fractions_behind_a_comma_are_added_up_too() {
        let rows: [&[&str]; 3] = [&["a", "1.200,50"], &["b", "0,25"], &["c", "10,00"]];
        assert_eq!(told(&rows, &["Sum", "1.210,75"]), Some((1, "Sum".to_owned())));
    }
}
