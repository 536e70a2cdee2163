//! What is at hand before anything was asked: the tables with their first rows, because nobody can ask about data they
//! have not seen. Next: `data_analyst`.

use std::time::Duration;

use turnwise_assistant::{ColumnAtHand, TableAtHand, TableNames};

use super::Analyst;
use super::source::{ColumnKind, QueryLimits, SourceTable, Workbench};

impl Analyst {
    /// The tables there are, each with its first rows. Blocks.
    #[must_use]
    pub fn at_hand(&self) -> Vec<TableAtHand> {
        self.bench.tables().iter().take(TABLES_MAX).map(|table| shown(&self.bench, table)).collect()
    }

    /// What all tables and their columns are called.
    #[must_use]
    pub fn names(&self) -> Vec<TableNames> {
        let names = |table: &SourceTable| TableNames {
            table: table.name.clone(),
            columns: table.columns.iter().map(|column| column.name.clone()).collect(),
        };
        self.bench.tables().iter().map(names).collect()
    }
}

/// A table as it is shown. One whose rows cannot be read just now is shown without.
fn shown(bench: &Workbench, table: &SourceTable) -> TableAtHand {
    let columns: Vec<_> = table.columns.iter().filter(|column| column.kind != ColumnKind::Blob).collect();
    let names: Vec<String> = columns.iter().map(|column| table.dialect.quoted(&column.name)).collect();
    let sql = format!("SELECT {} FROM {} LIMIT {ROWS}", names.join(", "), table.sql_name);
    let limits = QueryLimits { rows_max: ROWS, timeout: PATIENCE };
    let first = bench.query_over(std::slice::from_ref(&table.name), &sql, &[], limits, || false);
    TableAtHand {
        name: table.name.clone(),
        rows: table.rows,
        columns: columns
            .iter()
            .map(|column| ColumnAtHand { name: column.name.clone(), kind: kind(column.kind) })
            .collect(),
        first: first.map(|rows| rows.rows).unwrap_or_default(),
    }
}

fn kind(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer | ColumnKind::Real => "number",
        ColumnKind::Date => "date",
        ColumnKind::Boolean => "yes or no",
        ColumnKind::Text | ColumnKind::Blob => "text",
    }
}

/// As many rows as tell what a table holds.
const ROWS: usize = 5;

/// As many tables as anybody looks through.
const TABLES_MAX: usize = 60;

/// A preview is not worth waiting longer for.
const PATIENCE: Duration = Duration::from_secs(3);
