//! The sample data set: a small shop that sells office goods over four years, made from a seed so that the first chat
//! has something to talk about without any download. The same seed gives the same bytes on every machine, so answers in
//! the documentation stay true. Next: `shop` for what is invented, `files` for how it is written.

mod files;
mod names;
mod random;
mod shop;

use std::path::{Path, PathBuf};

/// The seed of the data set shown in the documentation.
pub const SEED: u64 = 2_022;

/// Why the sample could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The folder cannot be made or written.
    #[error("The sample data cannot be written to {} ({source}): name a folder that can be written.", path.display())]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The Parquet library refused our own table; a defect of Turnwise.
    #[error("The sample orders could not be encoded ({0}): please report this.")]
    Encoding(#[from] parquet::errors::ParquetError),
    /// The CSV library refused our own table; a defect of Turnwise.
    #[error("A sample table could not be encoded ({0}): please report this.")]
    Table(#[from] csv::Error),
}

/// Writes `regions.csv`, `customers.csv`, `products.csv` and `orders.parquet` into the folder, which is made if it is
/// not there, and gives their paths. Files of these names are replaced, each at once, so a reader never sees half of
/// one.
///
/// # Errors
/// The folder cannot be made or written.
pub fn generate(folder: &Path, seed: u64) -> Result<Vec<PathBuf>, SampleError> {
    files::write(folder, &shop::Shop::invent(seed))
}

#[cfg(test)]
mod tests;
