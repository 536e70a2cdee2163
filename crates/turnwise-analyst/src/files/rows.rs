//! Rows as bytes: CSV with a header, or one JSON object a line. Numbers are written in full, not as they are shown.
//! Next: `append`.

use std::path::Path;

use serde_json::{Map, Number, Value};
use turnwise_core::{Cell, Table};

use turnwise_assistant::comma;

/// How a file holds rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated, the columns' names first.
    Csv,
    /// One JSON object a line.
    JsonLines,
}

impl Format {
    /// By the end of the name.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "csv" => Some(Self::Csv),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            _ => None,
        }
    }

    /// The rows as the file's whole content.
    pub fn whole(self, table: &Table) -> Result<Vec<u8>, String> {
        let mut bytes = self.header(table)?;
        bytes.extend(self.rows(table)?);
        Ok(bytes)
    }

    /// What stands before the first row.
    pub fn header(self, table: &Table) -> Result<Vec<u8>, String> {
        match self {
            Self::Csv => comma::header(&table.columns).map_err(unwritten),
            Self::JsonLines => Ok(Vec::new()),
        }
    }

    /// The rows alone.
    pub fn rows(self, table: &Table) -> Result<Vec<u8>, String> {
        match self {
            Self::Csv => comma::rows(&table.rows).map_err(unwritten),
            Self::JsonLines => {
                let lines = table.rows.iter().map(|row| json(&table.columns, row));
                Ok(lines.flat_map(|line| format!("{line}\n").into_bytes()).collect())
            }
        }
    }

    /// The names of `columns` as a file has them.
    pub fn names(self, columns: &[String]) -> Vec<String> {
        match self {
            Self::Csv => columns.iter().map(|name| comma::shown(name)).collect(),
            Self::JsonLines => columns.to_vec(),
        }
    }

    /// The columns a file that is not empty has, where it says so.
    pub fn columns(self, start: &[u8]) -> Option<Vec<String>> {
        match self {
            Self::Csv => {
                let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(start);
                let first = reader.records().next()?.ok()?;
                Some(first.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect())
            }
            Self::JsonLines => None,
        }
    }
}

fn unwritten(error: csv::Error) -> String {
    format!("The rows cannot be written as CSV: {error}.")
}

fn json(columns: &[String], row: &[Cell]) -> Value {
    let value = |cell: &Cell| match cell {
        Cell::Null => Value::Null,
        Cell::Integer(value) => Value::from(*value),
        Cell::Real(value) => Number::from_f64(*value).map_or(Value::Null, Value::Number),
        Cell::Text(value) => Value::from(value.as_str()),
    };
    let mut object = Value::Object(columns.iter().cloned().zip(row.iter().map(value)).collect::<Map<String, Value>>());
    // A file must not depend on whether something else in the program makes the JSON library keep another order.
    object.sort_all_objects();
    object
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::*;

    fn table() -> Table {
        let row = |name: &str, value: Cell| vec![Cell::Text(name.to_owned()), value];
        let rows = vec![row("a \"b\", c", Cell::Real(0.1 + 0.2)), row("d\ne", Cell::Null), row("f", Cell::Integer(7))];
        Table::whole(vec!["name".to_owned(), "amount".to_owned()], rows)
    }

    #[test]
    fn numbers_are_whole_and_texts_are_quoted_where_they_must_be() {
        let csv = String::from_utf8(Format::Csv.whole(&table()).unwrap()).unwrap();
        assert_eq!(csv, "name,amount\n\"a \"\"b\"\", c\",0.30000000000000004\n\"d\ne\",\nf,7\n");
        let json = String::from_utf8(Format::JsonLines.whole(&table()).unwrap()).unwrap();
        assert_eq!(json.lines().count(), 3);
        assert_eq!(json.lines().next_back().unwrap(), r#"{"amount":7,"name":"f"}"#);
    }

    #[test]
    fn a_file_tells_its_columns() {
        assert_eq!(Format::Csv.columns("\u{feff}name,amount\nx".as_bytes()).unwrap(), ["name", "amount"]);
        assert_eq!(Format::JsonLines.columns(b"{}"), None);
    }
}
