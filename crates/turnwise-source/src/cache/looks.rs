//! Looks: what loaded data was asked when it was looked through, and what came of it. The rows do not change, so the
//! same look gives the same again; it is kept with them, because over millions of rows looking takes as long as
//! loading. Next: `Workbench::look`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use turnwise_core::Table;

use super::entry::{Broken, read_sealed, write_sealed};

/// The looks at the rows of one entry; nothing is kept of them where there is none.
#[derive(Debug, Default)]
pub struct Looks {
    file: Option<PathBuf>,
    kept: Kept,
    is_new: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// The digest of the rows they were at.
    digest: String,
    by_query: BTreeMap<String, Table>,
}

impl Looks {
    /// None yet, at the rows with this digest.
    pub fn begin(file: PathBuf, digest: String) -> Self {
        Self { file: Some(file), kept: Kept { digest, by_query: BTreeMap::new() }, is_new: false }
    }

    /// Those that are kept for the rows with this digest.
    pub fn read(file: PathBuf, digest: &str) -> Result<Self, Broken> {
        Ok(match read_sealed::<Kept>(&file)? {
            Some(kept) if kept.digest == digest => Self { file: Some(file), kept, is_new: false },
            Some(_) | None => Self::begin(file, digest.to_owned()),
        })
    }

    /// What came of this look before.
    pub fn known(&self, sql: &str) -> Option<Table> {
        self.kept.by_query.get(sql).cloned()
    }

    /// Remembers what came of it.
    pub fn learn(&mut self, sql: &str, found: &Table) {
        if self.file.is_some() {
            self.is_new = true;
            self.kept.by_query.insert(sql.to_owned(), found.clone());
        }
    }

    /// Keeps what is new.
    pub fn keep(&mut self) -> std::io::Result<()> {
        match &self.file {
            Some(file) if std::mem::take(&mut self.is_new) => write_sealed(file, &self.kept),
            Some(_) | None => Ok(()),
        }
    }
}
