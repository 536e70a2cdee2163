//! Digests of results: one SHA-256 over all rows, so that a proof can tell later whether a query still gives the
//! same, also where only the first rows are kept.
//!
//! What is hashed is plain JSON lines in UTF-8, so that anybody can do it again: the array of column names, then
//! each row as an array, each line ended by a line feed. Whole numbers have no point and real ones have one, in the
//! shortest form that reads back as the same number. Next: `turnwise::proof`.

use std::io;

use sha2::{Digest as _, Sha256};
use turnwise_core::{Cell, Table};

/// A digest in the making.
#[derive(Debug)]
pub struct RowDigest(Sha256);

impl RowDigest {
    /// Of a result with these columns.
    #[must_use]
    pub fn begin(columns: &[String]) -> Self {
        let mut digest = Self(Sha256::new());
        digest.line(columns);
        digest
    }

    /// Takes the next row in.
    pub fn row(&mut self, cells: &[Cell]) {
        self.line(cells);
    }

    /// The digest with its kind: `sha256:…`.
    #[must_use]
    pub fn end(self) -> String {
        labelled(self.0)
    }

    #[expect(clippy::expect_used, reason = "texts and finite numbers always have a JSON form")]
    fn line<T: serde::Serialize>(&mut self, values: &[T]) {
        let line = serde_json::to_vec(values).expect("BUG: cells and names are values JSON has");
        self.0.update(&line);
        self.0.update(b"\n");
    }
}

/// The digest of a table that holds all of its rows.
#[must_use]
pub fn of(table: &Table) -> String {
    let mut digest = RowDigest::begin(&table.columns);
    table.rows.iter().for_each(|row| digest.row(row));
    digest.end()
}

/// The digest of the first `rows_max` rows of a table.
#[must_use]
pub fn of_first(table: &Table, rows_max: usize) -> String {
    let mut digest = RowDigest::begin(&table.columns);
    table.rows.iter().take(rows_max).for_each(|row| digest.row(row));
    digest.end()
}

/// The digest of bytes, with its kind.
#[must_use]
pub fn of_bytes(bytes: &[u8]) -> String {
    let mut hasher = Sha256::new();
    hasher.update(bytes);
    labelled(hasher)
}

/// The digest of all that `reader` has, with its kind, without holding it.
///
/// # Errors
/// When it cannot be read to its end.
pub fn of_reader(mut reader: impl io::Read) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(labelled(hasher)),
            read => hasher.update(&buffer[..read]),
        }
    }
}

fn labelled(hasher: Sha256) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(71);
    text.push_str("sha256:");
    for byte in hasher.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_the_documented_lines() {
        let rows = vec![vec![Cell::Text("a\"b".to_owned()), Cell::Integer(1)], vec![Cell::Null, Cell::Real(2.0)]];
        let table = Table::whole(vec!["name".to_owned(), "n".to_owned()], rows);
        assert_eq!(of(&table), of_bytes(b"[\"name\",\"n\"]\n[\"a\\\"b\",1]\n[null,2.0]\n"));
    }
}
