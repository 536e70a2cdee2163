//! Tables and cells: the shape of every value that comes out of data. They are kept free of any engine's types, so
//! that facts, cards and logs outlive the engine. Next: `fact`.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text;

/// One value. Dates and times are text in ISO 8601, as the engine gives them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Cell {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// A real number; never NaN or infinite (those are read as [`Cell::Null`]).
    Real(f64),
    /// Text.
    Text(String),
}

/// Rows under named columns, perhaps fewer rows than there are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Column names, as shown.
    pub columns: Vec<String>,
    /// The rows kept; each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// How many rows there are in all; more than `rows.len()` when the rest was left out.
    pub total_rows: u64,
}

impl Cell {
    /// A real number, or null where it is not finite.
    #[must_use]
    pub fn real(value: f64) -> Self {
        if value.is_finite() { Self::Real(value) } else { Self::Null }
    }

    /// The number in it, if it is one.
    #[must_use]
    pub fn as_number(&self) -> Option<f64> {
        match self {
            // Precision beyond 2^53 does not matter for charts and shares, the only callers.
            #[expect(clippy::cast_precision_loss, reason = "display and charts only")]
            Self::Integer(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            Self::Null | Self::Text(_) => None,
        }
    }

    /// As a figure that says how much: the thousands of a large one are set apart. Not for numbers that name something,
    /// as keys do.
    #[must_use]
    pub fn figure(&self) -> String {
        let told = self.to_string();
        let is_large = self.as_number().is_some_and(|value| value.abs() >= APART_FROM);
        let (sign, digits) = told.strip_prefix('-').map_or(("", told.as_str()), |digits| ("-", digits));
        let (whole, part) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
        match whole.parse() {
            Ok(whole) if is_large => format!("{sign}{}{part}", text::thousands(whole)),
            _ => told,
        }
    }

    /// Whether it is a number.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Integer(_) | Self::Real(_))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => out.write_str("–"),
            Self::Integer(value) => write!(out, "{value}"),
            Self::Real(value) => {
                // Two decimals read well for money and averages, four for shares. What those would tell as nothing, or
                // as digits that are not there, is told by its significant ones.
                match value.abs() {
                    0.0 => write!(out, "{value:.2}"),
                    size if !(PLAIN_FROM..EXACT_BELOW).contains(&size) => out.write_str(&scientific(*value)),
                    size if size >= 1.0 => write!(out, "{value:.2}"),
                    size if size >= FOUR_DECIMALS_FROM => write!(out, "{value:.4}"),
                    size => {
                        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 3 and 9")]
                        let zeros = -size.log10().floor() as usize;
                        let digits = format!("{value:.*}", zeros + SIGNIFICANT_DIGITS - 1);
                        out.write_str(digits.trim_end_matches('0'))
                    }
                }
            }
            Self::Text(value) => out.write_str(value),
        }
    }
}

/// Four significant digits and the power of ten: "1.235e-12".
fn scientific(value: f64) -> String {
    let text = format!("{value:.*e}", SIGNIFICANT_DIGITS - 1);
    match text.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// Below, digits are read at a glance, and years are written so.
const APART_FROM: f64 = 1e4;
/// Digits told of a number that two or four decimals do not fit.
const SIGNIFICANT_DIGITS: usize = 4;
/// From here on real numbers hold no whole ones apart, so further digits would be made up.
const EXACT_BELOW: f64 = 1e16;
/// From here on four decimals tell at least two digits.
const FOUR_DECIMALS_FROM: f64 = 1e-3;
/// Below, zeros would have to be counted.
const PLAIN_FROM: f64 = 1e-9;

impl Table {
    /// A table that holds all of its rows.
    #[must_use]
    pub fn whole(columns: Vec<String>, rows: Vec<Vec<Cell>>) -> Self {
        let total_rows = rows.len() as u64;
        Self { columns, rows, total_rows }
    }

    /// Whether rows were left out.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.total_rows > self.rows.len() as u64
    }

    /// Lets go of all rows behind the first `rows_max`; how many there are in all is still known.
    pub fn keep_first(&mut self, rows_max: usize) {
        self.rows.truncate(rows_max);
        self.rows.shrink_to_fit();
    }

    /// The single cell of a one-by-one table.
    #[must_use]
    pub fn scalar(&self) -> Option<&Cell> {
        match self.rows.as_slice() {
            [row] if self.total_rows == 1 => match row.as_slice() {
                [cell] => Some(cell),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_but_zero_is_told_as_zero() {
        for (value, told) in [
            (0.0, "0.00"),
            (0.25, "0.2500"),
            (12.345, "12.35"),
            (0.0012, "0.0012"),
            (0.000_12, "0.00012"),
            (0.000_001_2, "0.0000012"),
            (-0.000_003_456_78, "-0.000003457"),
            (1e-12, "1e-12"),
            (5e300, "5e300"),
            (-1.234_56e20, "-1.235e20"),
        ] {
            assert_eq!(Cell::Real(value).to_string(), told);
        }
    }

    #[test]
    fn a_large_figure_has_its_thousands_apart() {
        for (cell, told) in [
            (Cell::Integer(2_024), "2024"),
            (Cell::Integer(-1_234_567), "-1,234,567"),
            (Cell::Real(490_819.71), "490,819.71"),
            (Cell::Real(-10_000.0), "-10,000.00"),
            (Cell::Real(9_999.5), "9999.50"),
            (Cell::Real(1.2e17), "1.2e17"),
            (Cell::Text("12345".to_owned()), "12345"),
            (Cell::Null, "–"),
        ] {
            assert_eq!(cell.figure(), told);
        }
    }
}
