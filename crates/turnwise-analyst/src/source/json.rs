//! JSON documents: an array of objects is a table; of an object, every array of objects in it is one, called by its
//! key, and an object without such arrays is a row. Next: `json_lines`, which has the columns.

use std::fmt;
use std::path::Path;

use rusqlite::Connection;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use super::assemble::TableNames;
use super::database::Described;
use super::json_lines::{self, Members, Unit};
use super::{SourceError, text};

/// Loads the tables of the document; a single one is called by its file, several by their keys.
pub fn load(
    connection: &mut Connection,
    path: &Path,
    names: &mut TableNames<'_>,
    content: &[u8],
) -> Result<Vec<Described>, SourceError> {
    let text = text::decode(path, content)?;
    let malformed = |error: serde_json::Error| SourceError::Malformed {
        path: path.to_owned(),
        line: error.line() as u64,
        problem: format!(
            "this is neither an array of objects nor an object (column {}: {})",
            error.column(),
            json_lines::without_place(&error)
        ),
    };
    if !text.trim_start().starts_with('{') {
        let rows: Vec<Members> = serde_json::from_str(&text).map_err(malformed)?;
        return Ok(vec![named(connection, path, names.of_file(), &rows)?]);
    }
    let root: Members = serde_json::from_str(&text).map_err(malformed)?;
    let (tables, rest): (Vec<_>, Vec<_>) = root.0.iter().partition(|(_, value)| is_table(value));
    if tables.is_empty() {
        return Ok(vec![named(connection, path, names.of_file(), &[root])?]);
    }
    let alone = tables.len() == 1;
    let mut described = Vec::with_capacity(tables.len());
    for (key, _) in &tables {
        // Read again for the order of keys, which a value forgets.
        let rows = rows_of(&text, key).map_err(malformed)?;
        let name = if alone { names.of_file() } else { names.claim(key) };
        described.push(named(connection, path, name, &rows)?);
    }
    if let (Some(first), false) = (described.first_mut(), rest.is_empty()) {
        let keys: Vec<&str> = rest.iter().map(|(key, _)| key.as_str()).collect();
        let keys = turnwise_core::text::clip(&keys.join(", "), KEYS_SHOWN_MAX);
        first.notes.push(format!("Beside its tables the file holds {keys}; that is not read."));
    }
    Ok(described)
}

fn named(
    connection: &mut Connection,
    path: &Path,
    (name, renamed): (String, Option<String>),
    rows: &[Members],
) -> Result<Described, SourceError> {
    let mut described = json_lines::table(connection, path, &name, Unit::Object, |each| {
        rows.iter().zip(1..).try_for_each(|(row, number)| each(row, number))
    })?;
    described.notes.splice(0..0, renamed);
    Ok(described)
}

fn is_table(value: &Value) -> bool {
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(Value::is_object))
}

/// The rows under a key of the root.
fn rows_of(text: &str, key: &str) -> serde_json::Result<Vec<Members>> {
    struct Under<'a>(&'a str);

    impl<'de> Visitor<'de> for Under<'_> {
        type Value = Vec<Members>;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("one JSON object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut rows = Vec::new();
            while let Some(key) = map.next_key::<String>()? {
                if key == self.0 {
                    rows = map.next_value()?;
                } else {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            Ok(rows)
        }
    }

    let mut reader = serde_json::Deserializer::from_str(text);
    let rows = (&mut reader).deserialize_map(Under(key))?;
    reader.end()?;
    Ok(rows)
}

/// Characters of the keys shown in a note.
const KEYS_SHOWN_MAX: usize = 80;
