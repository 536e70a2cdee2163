//! Tables and cells: the shape of every value that comes out of data. They are kept free of any engine's types, so
//! that facts, cards and logs outlive the engine. Next: `fact`.

use std::fmt;

use serde::{Deserialize, Serialize};

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
                // Two decimals read well for money and averages; tiny values (shares, rates) keep four significant
                // digits.
                if *value == 0.0 || value.abs() >= 1.0 { write!(out, "{value:.2}") } else { write!(out, "{value:.4}") }
            }
            Self::Text(value) => out.write_str(value),
        }
    }
}

impl Table {
    /// A table that holds all of its rows.
    #[must_use]
    pub fn whole(columns: Vec<String>, rows: Vec<Vec<Cell>>) -> Self {
        let total_rows = rows.len() as u64;
        Self { columns, rows, total_rows }
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
