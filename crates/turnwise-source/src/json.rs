//! JSON documents: an array of objects is a table; of an object, every array of objects in it is one, called by its
//! key unless that says nothing, and an object without such arrays is a row. Next: `nested`, which takes what is
//! inside apart.

use std::path::Path;

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::assemble::TableNames;
use super::database::Described;
use super::json_lines::{self, Unit};
use super::{SourceError, nested, text};

/// Loads the tables of the document; those of an object are called by their keys, others by the file.
pub fn load(
    connection: &mut Connection,
    path: &Path,
    names: &mut TableNames<'_>,
    content: &[u8],
) -> Result<Vec<Described>, SourceError> {
    let (text, guess) = text::decode(path, content)?;
    let malformed = |error: serde_json::Error| SourceError::Malformed {
        path: path.to_owned(),
        line: error.line() as u64,
        problem: format!(
            "this is neither an array of objects nor an object (column {}: {})",
            error.column(),
            json_lines::without_place(&error)
        ),
    };
    let mut described = Vec::new();
    if !text.trim_start().starts_with('{') {
        // Read as objects, so that what is none is named with its place.
        let rows: Vec<Map<String, Value>> = serde_json::from_str(&text).map_err(malformed)?;
        let rows: Vec<Value> = rows.into_iter().map(Value::Object).collect();
        described = nested::load(connection, path, names.of_file(), names, Unit::Object, &Array(&rows))?;
        described[0].notes.splice(0..0, guess);
        return Ok(described);
    }
    let root: Value = serde_json::from_str(&text).map_err(malformed)?;
    let (tables, rest): (Vec<_>, Vec<_>) =
        root.as_object().into_iter().flatten().partition(|(_, value)| is_table(value));
    let claimed: Vec<_> = match tables.as_slice() {
        [] => vec![names.of_file()],
        [(key, _)] if is_envelope(key) => vec![names.of_file()],
        tables => tables.iter().map(|(key, _)| names.of_key(key)).collect(),
    };
    for ((_, value), name) in tables.iter().zip(claimed.clone()) {
        let rows = Array(value.as_array().map_or(&[][..], Vec::as_slice));
        described.extend(nested::load(connection, path, name, names, Unit::Object, &rows)?);
    }
    if let (true, Some(name)) = (tables.is_empty(), claimed.into_iter().next()) {
        described = nested::load(connection, path, name, names, Unit::Object, &Array(std::slice::from_ref(&root)))?;
    } else if !rest.is_empty() {
        let keys: Vec<&str> = rest.iter().map(|(key, _)| key.as_str()).collect();
        let keys = turnwise_core::text::clip(&keys.join(", "), KEYS_SHOWN_MAX);
        described[0].notes.push(format!("Beside its tables the file holds {keys}; that is not read."));
    }
    described[0].notes.splice(0..0, guess);
    Ok(described)
}

/// The objects of an array.
struct Array<'a>(&'a [Value]);

impl nested::Rows for Array<'_> {
    fn each(&self, each: &mut dyn FnMut(&Value, u64) -> Result<(), SourceError>) -> Result<(), SourceError> {
        self.0.iter().zip(1..).try_for_each(|(row, number)| each(row, number))
    }
}

fn is_table(value: &Value) -> bool {
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(Value::is_object))
}

/// Whether a key only says that there are rows: those of `{"data": […]}` are what the file is called by.
fn is_envelope(key: &str) -> bool {
    ENVELOPES.iter().any(|word| key.trim().eq_ignore_ascii_case(word))
}

/// Keys that programs put around whatever rows they give out.
const ENVELOPES: [&str; 14] = [
    "data", "items", "results", "result", "rows", "records", "values", "value", "list", "entries", "elements",
    "objects", "content", "response",
];

/// Characters of the keys shown in a note.
const KEYS_SHOWN_MAX: usize = 80;
