//! Loading files into the in-memory database, by format. Next: `database` for what is read in place instead.

use rusqlite::Connection;

use super::SourceError;
use super::database::Described;
use super::discover::{Found, SUPPORTED};

/// Loads the file as a table of this name; gives its description and the bytes it was made of.
pub fn load(_: &mut Connection, found: &Found, _: &str) -> Result<(Described, Vec<u8>), SourceError> {
    Err(SourceError::Unsupported { path: found.path.clone(), hint: format!("name {SUPPORTED}") })
}
