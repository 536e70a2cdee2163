//! Sources of data: files and databases loaded or attached once, then only read. Whoever plans sees [`SourceTable`]s;
//! steps run SQL through [`Workbench::query`]. Nothing here knows a word of any question: what data says of itself is
//! all there is. Next: `workbench`.

mod address;
mod assemble;
mod cache;
mod database;
mod dates;
mod declared;
mod delimited;
mod dialect;
mod discover;
mod engine;
mod error;
mod fill;
mod functions;
mod guard;
mod json;
mod json_lines;
mod kinds;
mod large;
pub mod limits;
mod load;
mod names;
mod nested;
mod numerals;
mod parquet_file;
mod parquet_value;
mod pool;
mod server;
mod spreadsheet;
mod stamp;
mod text;
mod totals;
mod workbench;

pub use address::{is_address, shown};
pub use dialect::Dialect;
pub use discover::{DocumentFile, DocumentFormat, SUPPORTED};
pub use error::{QueryError, SourceError};
pub use names::quoted;
pub use stamp::{Freshness, Marks};
pub use workbench::{Opening, QueryLimits, Workbench};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use turnwise_core::SourceStamp;

/// A table the analyst can read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceTable {
    /// Its name as the person knows it (file stem or table name).
    pub name: String,
    /// How SQL names it: quoted, with its schema where there is one.
    pub sql_name: String,
    /// Its columns in order.
    pub columns: Vec<SourceColumn>,
    /// Rows when it was loaded.
    pub rows: u64,
    /// Whether it is a view: other tables put together, so that it holds nothing of its own.
    pub is_view: bool,
    /// Foreign keys as declared by the source; files declare none.
    pub foreign_keys: Vec<ForeignKey>,
    /// The file or database it comes from, as it was then.
    pub stamp: SourceStamp,
    /// What was noticed while loading (mixed types, ragged rows…), one sentence each, shown to the person.
    pub notes: Vec<String>,
    /// The engine that has it; only tables of one engine can be read together.
    pub engine: EngineId,
    /// What that engine speaks.
    pub dialect: Dialect,
    /// How SQL names some of its rows, where all are too many to look through.
    pub sample_name: Option<String>,
    /// What its makers say about it.
    pub comments: Comments,
}

/// An engine of a workbench: the one in this process, or a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineId(usize);

/// What the makers of a table say about it and its columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comments {
    /// About the table.
    pub table: Option<String>,
    /// About columns, by name.
    pub columns: BTreeMap<String, String>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceColumn {
    /// Its name as the source has it.
    pub name: String,
    /// What it holds.
    pub kind: ColumnKind,
    /// Whether it is (part of) the primary key.
    pub primary_key: bool,
}

/// What a column holds, by declaration or by its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ColumnKind {
    /// Whole numbers.
    Integer,
    /// Real numbers.
    Real,
    /// Dates, or dates with time, as ISO 8601 text that SQLite's date functions read.
    Date,
    /// True or false, stored as 1 and 0.
    Boolean,
    /// Text.
    Text,
    /// Bytes; never shown or computed with.
    Blob,
}

/// A declared reference from one table to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForeignKey {
    /// The referring columns.
    pub columns: Vec<String>,
    /// The table referred to, by its `SourceTable::name`.
    pub table: String,
    /// The columns referred to.
    pub referred: Vec<String>,
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_files;
#[cfg(test)]
mod tests_nested;
#[cfg(test)]
mod tests_spreadsheet;
