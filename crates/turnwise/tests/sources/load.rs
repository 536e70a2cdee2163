//! Puts what a workbench holds into a server, so that the same data can be asked about on every engine: tables, types,
//! keys, references and rows are taken from the workbench, and SQL is written from them.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use turnwise_analyst::source::{ColumnKind, QueryLimits, SourceTable, Workbench, quoted};
use turnwise_core::{Cell, Table};

/// Rows of one INSERT.
const ROWS_TOGETHER: usize = 500;

/// What a server calls a date with a time.
#[derive(Clone, Copy)]
pub enum Timed {
    Timestamp,
    Datetime,
}

/// The SQL that makes the same tables with the same rows, in the standard's quotes.
pub fn script(paths: &[PathBuf], timed: Timed) -> String {
    let bench = Workbench::open(paths).unwrap();
    let mut sql = String::new();
    for table in bench.tables() {
        let all = format!("SELECT * FROM {}", table.sql_name);
        let limits = QueryLimits { rows_max: 10_000_000, timeout: Duration::from_secs(300) };
        let rows = bench.query(&all, &[], limits, || false).unwrap();
        write_table(&mut sql, table, &rows, timed);
    }
    for table in bench.tables() {
        for key in &table.foreign_keys {
            let list = |names: &[String]| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
            let (from, to) = (quoted(&table.name), quoted(&key.table));
            let (columns, referred) = (list(&key.columns), list(&key.referred));
            writeln!(sql, "ALTER TABLE {from} ADD FOREIGN KEY ({columns}) REFERENCES {to} ({referred});").unwrap();
        }
    }
    sql
}

fn write_table(sql: &mut String, table: &SourceTable, rows: &Table, timed: Timed) {
    let name = quoted(&table.name);
    let columns: Vec<String> = (table.columns.iter().zip(0..))
        .map(|(column, at)| format!("{} {}", quoted(&column.name), declared(column.kind, rows, at, timed)))
        .collect();
    let keys: Vec<String> =
        table.columns.iter().filter(|column| column.primary_key).map(|column| quoted(&column.name)).collect();
    let key = if keys.is_empty() { String::new() } else { format!(", PRIMARY KEY ({})", keys.join(", ")) };
    writeln!(sql, "CREATE TABLE {name} ({}{key});", columns.join(", ")).unwrap();
    for some in rows.rows.chunks(ROWS_TOGETHER) {
        let values: Vec<String> = some
            .iter()
            .map(|row| {
                let cells: Vec<String> =
                    (row.iter().zip(&table.columns)).map(|(cell, c)| literal(cell, c.kind)).collect();
                format!("({})", cells.join(", "))
            })
            .collect();
        writeln!(sql, "INSERT INTO {name} VALUES {};", values.join(",\n")).unwrap();
    }
}

/// Amounts are exact numbers, as a shop keeps them; dates have a time where any of them has.
fn declared(kind: ColumnKind, rows: &Table, at: usize, called: Timed) -> &'static str {
    match kind {
        ColumnKind::Integer => "bigint",
        ColumnKind::Real => "numeric(18, 6)",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Date => {
            let timed = rows.rows.iter().any(|row| matches!(&row[at], Cell::Text(text) if text.len() > 10));
            match (timed, called) {
                (false, _) => "date",
                (true, Timed::Timestamp) => "timestamp",
                (true, Timed::Datetime) => "datetime(6)",
            }
        }
        // Longest first, so that it can be a key on every server.
        ColumnKind::Text | ColumnKind::Blob => "varchar(500)",
    }
}

fn literal(cell: &Cell, kind: ColumnKind) -> String {
    match (cell, kind) {
        (Cell::Null, _) => "NULL".to_owned(),
        (Cell::Integer(number), ColumnKind::Boolean) => if *number == 0 { "FALSE" } else { "TRUE" }.to_owned(),
        (Cell::Integer(number), _) => number.to_string(),
        (Cell::Real(number), _) => number.to_string(),
        (Cell::Text(text), _) => format!("'{}'", text.replace('\'', "''")),
    }
}
