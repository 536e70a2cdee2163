//! JSON lines: one object a line, its keys as columns in the order they first appear. Values keep the type they are
//! written in; a column that mixes types is text. Next: `nested`, which takes objects inside objects apart, and `fill`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use rusqlite::Connection;
use serde_json::{Map, Value};

use super::assemble::TableNames;
use super::database::Described;
use super::dates::{self, DateOrder};
use super::kinds::{self, Stored};
use super::numerals::{self, Comma, Mark, Writing};
use super::{ColumnKind, SourceColumn, SourceError, fill, nested, text};

/// Loads the content as a table of this name, and its lists as tables of theirs.
pub fn load(
    connection: &mut Connection,
    path: &Path,
    names: &mut TableNames<'_>,
    content: &[u8],
) -> Result<Vec<Described>, SourceError> {
    let (text, guess) = text::decode(path, content)?;
    let lines = Lines { path, text: &text };
    let mut described = nested::load(connection, path, names.of_file(), names, Unit::Line, &lines)?;
    described[0].notes.splice(0..0, guess);
    Ok(described)
}

/// What rows are counted by, for who is told of one.
#[derive(Clone, Copy, Debug)]
pub enum Unit {
    /// Lines of a file.
    Line,
    /// Objects of an array.
    Object,
}

impl Unit {
    fn word(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Object => "object",
        }
    }
}

/// Loads as a table of this name what `for_each` goes through, which is gone through twice.
pub fn table(
    connection: &mut Connection,
    path: &Path,
    name: &str,
    unit: Unit,
    for_each: impl Fn(&mut dyn FnMut(&Row<'_>, u64) -> Result<(), SourceError>) -> Result<(), SourceError>,
) -> Result<Described, SourceError> {
    let mut survey = Survey::default();
    for_each(&mut |row, line| {
        survey.add(row, line);
        Ok(())
    })?;
    if survey.keys.is_empty() {
        return Err(SourceError::Empty { path: path.to_owned(), what: "no object with a value" });
    }
    let mut notes = Vec::new();
    let names = fill::column_names(path, survey.keys.iter().map(String::as_str), &mut notes)?;
    let (columns, marks) = survey.judge(names, unit, &mut notes);
    let rows = fill::fill(connection, path, name, &columns, |inserter| {
        for_each(&mut |row, _| {
            for (key, value) in &row.0 {
                let column = survey.positions[*key];
                inserter.set(column, &store(value, columns[column].kind, marks[column]))?;
            }
            inserter.finish_row()
        })
    })?;
    Ok(Described { name: name.to_owned(), columns, rows, is_view: false, foreign_keys: Vec::new(), notes })
}

/// What stands in the columns of a row.
pub struct Row<'a>(pub Vec<(&'a str, &'a Value)>);

/// The lines of a file.
struct Lines<'a> {
    path: &'a Path,
    text: &'a str,
}

impl nested::Rows for Lines<'_> {
    fn each(&self, each: &mut dyn FnMut(&Value, u64) -> Result<(), SourceError>) -> Result<(), SourceError> {
        for (content, line) in self.text.lines().zip(1..).filter(|(content, _)| !content.trim().is_empty()) {
            let object: Map<String, Value> = serde_json::from_str(content).map_err(|error| SourceError::Malformed {
                path: self.path.to_owned(),
                line,
                problem: format!(
                    "this line is not one JSON object (column {}: {}); write each object on a line of its own",
                    error.column(),
                    without_place(&error)
                ),
            })?;
            each(&Value::Object(object), line)?;
        }
        Ok(())
    }
}

/// What was seen in the whole file.
#[derive(Default)]
struct Survey {
    keys: Vec<String>,
    positions: HashMap<String, usize>,
    seen: Vec<Seen>,
}

/// What was seen under a key.
#[derive(Default)]
struct Seen {
    integers: u64,
    reals: u64,
    truths: u64,
    dates: u64,
    /// Texts that are no dates.
    texts: u64,
    nested: u64,
    /// How numbers among the texts are written, and the first of those that are no plain digits.
    writing: Writing,
    first_written: Option<(String, u64)>,
    /// The kind and line of the first value, and the line of the first of another kind.
    first: Option<(ColumnKind, u64)>,
    first_other: Option<u64>,
}

impl Survey {
    fn add(&mut self, row: &Row<'_>, line: u64) {
        for (key, value) in &row.0 {
            let position = self.positions.get(*key).copied().unwrap_or_else(|| {
                self.positions.insert((*key).to_owned(), self.keys.len());
                self.keys.push((*key).to_owned());
                self.seen.push(Seen::default());
                self.keys.len() - 1
            });
            self.seen[position].add(value, line);
        }
    }

    /// The columns, each with the way in which its texts are numbers, if they are.
    fn judge(&self, names: Vec<String>, unit: Unit, notes: &mut Vec<String>) -> (Vec<SourceColumn>, Vec<Option<Mark>>) {
        let judged = names.into_iter().zip(&self.seen).map(|(name, seen)| {
            let (kind, mark, note) = seen.judge(&name, unit);
            notes.extend(note);
            (SourceColumn { name, kind, primary_key: false }, mark)
        });
        judged.unzip()
    }
}

impl Seen {
    fn add(&mut self, value: &Value, line: u64) {
        let kind = match value {
            Value::Null => return,
            Value::Bool(_) => {
                self.truths += 1;
                ColumnKind::Boolean
            }
            Value::Number(number) if number.is_i64() => {
                self.integers += 1;
                ColumnKind::Real
            }
            // A whole number beyond what SQLite holds would lose digits as a real one.
            Value::Number(number) if number.is_u64() => {
                self.texts += 1;
                ColumnKind::Text
            }
            Value::Number(_) => {
                self.reals += 1;
                ColumnKind::Real
            }
            Value::String(text) if dates::normalised(text, DateOrder::YearMonthDay).is_some() => {
                self.dates += 1;
                ColumnKind::Date
            }
            Value::String(text) => {
                self.texts += 1;
                self.writing.add(text);
                if self.first_written.is_none() && self.writing.is_marked() {
                    self.first_written = Some((text.clone(), line));
                }
                ColumnKind::Text
            }
            Value::Array(_) | Value::Object(_) => {
                self.nested += 1;
                ColumnKind::Blob
            }
        };
        let first = self.first.get_or_insert((kind, line));
        if first.0 != kind {
            self.first_other.get_or_insert(line);
        }
    }

    fn judge(&self, column: &str, unit: Unit) -> (ColumnKind, Option<Mark>, Option<String>) {
        let numbers = self.integers + self.reals;
        let all = numbers + self.truths + self.dates + self.texts + self.nested;
        if all == 0 {
            return (ColumnKind::Text, None, Some(format!("The column {column} has no values.")));
        }
        if let (true, Some((first, line))) = (self.texts == all, &self.first_written)
            && let Ok(mark) = self.writing.judge(Comma::Thousands)
        {
            let kind = if self.writing.has_fractions(mark) { ColumnKind::Real } else { ColumnKind::Integer };
            let place = format!("{} {line}", unit.word());
            return (kind, Some(mark), numerals::told(column, &self.writing, mark, first, &place));
        }
        let kind = if numbers == all {
            if self.reals == 0 { ColumnKind::Integer } else { ColumnKind::Real }
        } else if self.truths == all {
            ColumnKind::Boolean
        } else if self.dates == all {
            ColumnKind::Date
        } else {
            ColumnKind::Text
        };
        (kind, None, (kind == ColumnKind::Text).then(|| self.why_text(column, unit, all)).flatten())
    }

    fn why_text(&self, column: &str, unit: Unit, all: u64) -> Option<String> {
        if self.nested > 0 {
            return Some(format!("The column {column} holds lists or objects, which are kept as JSON text."));
        }
        if self.texts + self.dates == all {
            return None;
        }
        let (_, first) = self.first?;
        let (other, unit) = (self.first_other?, unit.word());
        Some(format!(
            "The column {column} mixes types ({unit} {other} differs from {unit} {first}), so all of it is kept as text."
        ))
    }
}

fn store(value: &Value, kind: ColumnKind, mark: Option<Mark>) -> Stored<'_> {
    if let (Value::String(text), Some(mark)) = (value, mark) {
        return numerals::number(text, mark).map_or(Stored::Text(Cow::Borrowed(text)), kinds::stored);
    }
    match value {
        Value::Null => Stored::Null,
        Value::String(text) if kind == ColumnKind::Date => dates::normalised(text, DateOrder::YearMonthDay)
            .map_or(Stored::Text(Cow::Borrowed(text)), |date| Stored::Text(Cow::Owned(date))),
        Value::String(text) => Stored::Text(Cow::Borrowed(text)),
        Value::Bool(truth) if kind == ColumnKind::Boolean => Stored::Integer(i64::from(*truth)),
        Value::Number(number) if matches!(kind, ColumnKind::Integer | ColumnKind::Real) => number
            .as_i64()
            .map(Stored::Integer)
            .or_else(|| number.as_f64().map(Stored::Real))
            .unwrap_or_else(|| Stored::Text(Cow::Owned(number.to_string()))),
        Value::Bool(_) | Value::Number(_) => Stored::Text(Cow::Owned(value.to_string())),
        Value::Array(_) | Value::Object(_) => {
            // A proof goes by the text, which must not depend on the order in which the JSON library keeps keys.
            let mut nested = value.clone();
            nested.sort_all_objects();
            Stored::Text(Cow::Owned(nested.to_string()))
        }
    }
}

/// The message without the line and column, which are those of the one line parsed.
pub fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    message.split_once(" at line ").map_or(message.clone(), |(before, _)| before.to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn nested_json_is_the_same_text_in_whatever_order_its_keys_were_written() {
        let text = |written: &str| match store(&serde_json::from_str(written).unwrap(), ColumnKind::Text, None) {
            Stored::Text(text) => text.into_owned(),
            other => panic!("{other:?}"),
        };
        assert_eq!(text(r#"[{"b": {"d": 1, "c": 2}, "a": 3}]"#), r#"[{"a":3,"b":{"c":2,"d":1}}]"#);
    }
}
