//! Files that are too large to be loaded: which those are, and who reads them instead. With DuckDB built in, all tables
//! in files go to it as soon as they are large together, so that they can still be joined; without it, what would fill
//! the memory is refused. Next: `server::duckdb`.

use std::fs;
use std::path::Path;

use super::discover::{FileFormat, Format, Found};
use super::{SourceError, limits};

/// What is said first to whoever has more data than fits.
#[cfg(feature = "duckdb")]
pub const HINT: &str = "write it as CSV or Parquet, which are read in place, or ";
/// What is said first to whoever has more data than fits.
#[cfg(not(feature = "duckdb"))]
pub const HINT: &str = "install Turnwise with DuckDB, which reads such CSV and Parquet files where they are (`cargo install \
                        --path crates/turnwise --features duckdb-bundled`), or ";

/// Takes the files that are read in place out of `files`: those with tables in them, if they weigh more than `large`
/// together and there is an engine for them.
///
/// # Errors
/// When there is no such engine and they would fill the memory.
pub fn take(files: &mut Vec<Found>, large: u64) -> Result<Vec<Found>, SourceError> {
    let mut total = 0_u64;
    let mut over = None;
    for found in files.iter() {
        if let Format::File(format @ (FileFormat::Delimited | FileFormat::Parquet)) = found.format {
            total = total.saturating_add(weight(size(&found.path)?, format));
            if total > limits::MEMORY_BYTES_MAX && over.is_none() {
                over = Some(found.path.clone());
            }
        }
    }
    if cfg!(feature = "duckdb") && total > large {
        let is_large = |found: &mut Found| {
            matches!(found.format, Format::File(FileFormat::Delimited | FileFormat::Parquet))
                // An empty file is told by who loads it.
                && size(&found.path).is_ok_and(|bytes| bytes > 0)
        };
        return Ok(files.extract_if(.., is_large).collect());
    }
    match over {
        Some(path) => Err(SourceError::TooMuch { path }),
        None => Ok(Vec::new()),
    }
}

/// What a file weighs when it is loaded.
pub fn weight(bytes: u64, format: FileFormat) -> u64 {
    match format {
        FileFormat::Parquet => bytes.saturating_mul(limits::PARQUET_WEIGHT),
        FileFormat::Spreadsheet => bytes.saturating_mul(limits::SPREADSHEET_WEIGHT),
        // Held as values while it is loaded.
        FileFormat::Json => bytes.saturating_mul(limits::JSON_WEIGHT),
        FileFormat::Delimited | FileFormat::JsonLines => bytes,
    }
}

fn size(path: &Path) -> Result<u64, SourceError> {
    let unreadable = |error: std::io::Error| SourceError::unreadable(path.to_owned(), &error);
    Ok(fs::metadata(path).map_err(unreadable)?.len())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A file of this size that takes no room on the disk.
    fn sparse(folder: &Path, name: &str, bytes: u64, format: FileFormat) -> Found {
        let path = folder.join(name);
        fs::File::create(&path).unwrap().set_len(bytes).unwrap();
        Found { path, format: Format::File(format) }
    }

    #[test]
    fn small_files_are_loaded_and_large_ones_are_read_in_place_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let small = sparse(folder.path(), "a.csv", 1_000, FileFormat::Delimited);
        let lines = sparse(folder.path(), "b.jsonl", 1_000, FileFormat::JsonLines);
        let mut files = vec![small.clone(), lines.clone()];
        assert_eq!(take(&mut files, limits::LARGE_BYTES_MIN).unwrap(), []);
        assert_eq!(files.len(), 2);
        // Compressed, so it weighs more than its size.
        let large = sparse(folder.path(), "c.parquet", limits::MEMORY_BYTES_MAX / 3, FileFormat::Parquet);
        files.push(large.clone());
        let taken = take(&mut files, limits::LARGE_BYTES_MIN);
        if cfg!(feature = "duckdb") {
            assert_eq!((taken.unwrap(), files), (vec![small, large], vec![lines]));
        } else {
            let error = taken.unwrap_err().to_string();
            assert!(error.contains("c.parquet") && error.contains("--features duckdb-bundled"), "{error}");
        }
    }
}
