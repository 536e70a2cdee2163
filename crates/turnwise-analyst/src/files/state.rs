//! How a file stands: its length and a digest of its end. Small enough to be a fact in the log, telling enough to know
//! afterwards whether anything was written behind it. Next: `append`.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use sha2::{Digest, Sha256};
use turnwise_core::{Cell, FactValue, Table, text};

/// How a file stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Its length; 0 for a file that is not there yet, because appending makes it.
    pub bytes: u64,
    /// A digest of its last part.
    pub end: String,
}

impl State {
    /// A file with nothing in it, or one that is not there.
    pub fn empty() -> Self {
        Self { bytes: 0, end: digest(&[]) }
    }

    /// How the file at `path` stands; one that is not there is empty.
    pub fn of(path: &Path) -> io::Result<Self> {
        match File::open(path) {
            Ok(mut file) => {
                let bytes = file.metadata()?.len();
                Self::up_to(&mut file, bytes)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::empty()),
            Err(error) => Err(error),
        }
    }

    /// How a file stood when it was `bytes` long, provided that it only grew since.
    pub fn up_to(file: &mut File, bytes: u64) -> io::Result<Self> {
        let from = bytes.saturating_sub(END_BYTES);
        let mut end = vec![0; usize::try_from(bytes - from).unwrap_or(0)];
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(&mut end)?;
        Ok(Self { bytes, end: digest(&end) })
    }

    /// In words, for a plan.
    pub fn in_words(&self) -> String {
        match self.bytes {
            0 => "empty or not there yet".to_owned(),
            _ => format!("{} ending in {}", self.length(), self.end),
        }
    }

    /// The length in words.
    pub fn length(&self) -> String {
        text::count(usize::try_from(self.bytes).unwrap_or(usize::MAX), "byte")
    }

    /// As the value of a fact.
    pub fn table(&self) -> Table {
        let bytes = i64::try_from(self.bytes).unwrap_or(i64::MAX);
        let columns = [BYTES, END].map(str::to_owned).to_vec();
        Table::whole(columns, vec![vec![Cell::Integer(bytes), Cell::Text(self.end.clone())]])
    }

    /// From the value of a fact.
    pub fn of_fact(value: &FactValue) -> Option<Self> {
        let FactValue::Table(table) = value else { return None };
        match table.rows.as_slice() {
            [row] => match row.as_slice() {
                [Cell::Integer(bytes), Cell::Text(end)] => {
                    Some(Self { bytes: u64::try_from(*bytes).ok()?, end: end.clone() })
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(DIGEST_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

const BYTES: &str = "bytes";
const END: &str = "end";
/// Bytes of the end that are looked at: a rewritten file that still ends in the same 64 KiB is as good as the same.
const END_BYTES: u64 = 64 * 1024;
/// Bytes of the digest kept: two ends that a person has do not meet by chance.
const DIGEST_BYTES: usize = 8;
