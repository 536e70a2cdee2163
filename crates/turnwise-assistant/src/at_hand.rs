//! What an assistant has at hand before anything was asked: its tables with their first rows, so that a person sees
//! what can be asked about. Next: [`TableAtHand`].

use turnwise_core::Cell;

/// A table that can be asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct TableAtHand {
    /// Its name as the person knows it.
    pub name: String,
    /// How many rows it had when it was read.
    pub rows: u64,
    /// Its columns, in order.
    pub columns: Vec<ColumnAtHand>,
    /// Its first rows, a cell for each column.
    pub first: Vec<Vec<Cell>>,
}

/// A column of a table that can be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnAtHand {
    /// Its name.
    pub name: String,
    /// `number`, `text`, `date` or `yes or no`.
    pub kind: &'static str,
}

/// What a table and its columns are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableNames {
    /// The table.
    pub table: String,
    /// Its columns, in order.
    pub columns: Vec<String>,
}
