//! What a person named, resolved to files and their formats. It looks before anything is read, so that a wrong name
//! ends in one message and not in half a load. Next: `workbench`.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::{SourceError, database, limits};

/// The formats read, as shown to people.
pub const SUPPORTED: &str = "CSV (.csv, .tsv, .txt), spreadsheets (.xlsx), Parquet (.parquet), JSON (.json, .jsonl, \
                             .ndjson), SQLite (.sqlite, .sqlite3, .db), or documents (.md, .txt, .html, .pdf)";

/// How a source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// An SQLite database, read in place.
    Database,
    /// A file, loaded.
    File(FileFormat),
    /// A document, searched.
    Document(DocumentFormat),
}

/// How a document is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentFormat {
    /// Markdown.
    Markdown,
    /// Text without marks.
    Plain,
    /// HTML.
    Html,
    /// PDF.
    Pdf,
}

/// A document to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentFile {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// How it is read.
    pub format: DocumentFormat,
}

/// How a file is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Fields between delimiters.
    Delimited,
    /// JSON: an array of objects, or an object with such arrays.
    Json,
    /// One JSON object a line.
    JsonLines,
    /// Parquet.
    Parquet,
    /// A spreadsheet, whose sheets are tables.
    Spreadsheet,
}

/// A file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it is, absolute.
    pub path: PathBuf,
    /// How it is read.
    pub format: Format,
}

/// What was named, resolved.
#[derive(Debug, Default)]
pub struct Discovery {
    /// Files in the order named, each once; those of a folder by name.
    pub files: Vec<Found>,
    /// What of a folder is not read.
    pub notes: Vec<String>,
}

/// Resolves files and folders. A file that was named must be readable; of a folder, other files are passed over with
/// a note.
pub fn discover(paths: &[PathBuf]) -> Result<Discovery, SourceError> {
    if paths.is_empty() {
        return Err(SourceError::NothingNamed);
    }
    let mut discovery = Discovery::default();
    for path in paths {
        let unreadable = |error: std::io::Error| SourceError::unreadable(path.clone(), &error);
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(SourceError::NotFound { path: path.clone(), nearest: nearest(path) });
            }
            Err(error) => return Err(unreadable(error)),
        };
        if metadata.is_dir() {
            discovery.add_folder(path)?;
        } else if !metadata.is_file() {
            // A pipe has no end to wait for and cannot be read twice.
            let hint = "it is a pipe or device; save its content to a file and name that".to_owned();
            return Err(SourceError::Unsupported { path: path.clone(), hint });
        } else {
            discovery.add(&Found { path: std::path::absolute(path).map_err(unreadable)?, format: format_of(path)? });
        }
    }
    if discovery.files.len() > limits::FILES_MAX {
        let what = "Files to load".to_owned();
        return Err(SourceError::TooMany { what, count: discovery.files.len(), limit: limits::FILES_MAX });
    }
    Ok(discovery)
}

impl Discovery {
    fn add(&mut self, found: &Found) {
        if !self.files.contains(found) {
            self.files.push(found.clone());
        }
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), SourceError> {
        let unreadable = |error: std::io::Error| SourceError::unreadable(folder.to_owned(), &error);
        let mut entries: Vec<PathBuf> = fs::read_dir(folder)
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
            .map_err(unreadable)?;
        entries.sort();
        let before = self.files.len();
        let mut passed_over = Vec::new();
        for path in entries.iter().filter(|path| !is_hidden(path) && !is_companion(path)) {
            if path.is_file() && is_data(path)? {
                let format = match format_of(path)? {
                    // Tables are not kept in text files unasked: most are notes.
                    Format::File(FileFormat::Delimited) if extension(path) == "txt" => {
                        Format::Document(DocumentFormat::Plain)
                    }
                    format => format,
                };
                self.add(&Found { path: std::path::absolute(path).map_err(unreadable)?, format });
            } else {
                passed_over.push(file_name(path));
            }
        }
        if self.files.len() == before {
            return Err(SourceError::NoData { path: folder.to_owned() });
        }
        if !passed_over.is_empty() {
            let listed = passed_over.join(", ");
            self.notes.push(format!("Not read from the folder {}: {listed}.", folder.display()));
        }
        Ok(())
    }
}

/// Whether a file found in a folder is read.
fn is_data(path: &Path) -> Result<bool, SourceError> {
    match format_of(path) {
        Ok(Format::File(_) | Format::Database | Format::Document(_)) => Ok(true),
        Err(SourceError::Unsupported { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The format by the first bytes where they tell, else by extension.
fn format_of(path: &Path) -> Result<Format, SourceError> {
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(database::MAGIC.len() as u64).read_to_end(&mut start))
        .map_err(|error| SourceError::unreadable(path.to_owned(), &error))?;
    if start == database::MAGIC {
        return Ok(Format::Database);
    }
    if start.starts_with(b"PAR1") {
        return Ok(Format::File(FileFormat::Parquet));
    }
    match extension(path).as_str() {
        "txt" if is_prose(path) => Ok(Format::Document(DocumentFormat::Plain)),
        "csv" | "tsv" | "txt" | "tab" => Ok(Format::File(FileFormat::Delimited)),
        "md" | "markdown" => Ok(Format::Document(DocumentFormat::Markdown)),
        "html" | "htm" | "xhtml" => Ok(Format::Document(DocumentFormat::Html)),
        "pdf" => Ok(Format::Document(DocumentFormat::Pdf)),
        "json" => Ok(Format::File(FileFormat::Json)),
        "jsonl" | "ndjson" => Ok(Format::File(FileFormat::JsonLines)),
        "xlsx" | "xlsm" => Ok(Format::File(FileFormat::Spreadsheet)),
        "parquet" => Ok(Format::File(FileFormat::Parquet)),
        "sqlite" | "sqlite3" | "db" => Ok(Format::Database),
        other => Err(SourceError::Unsupported { path: path.to_owned(), hint: hint_for(other) }),
    }
}

/// Whether a text file is prose: its first lines do not have the same number of any delimiter.
fn is_prose(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(PROSE_BYTES).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if start.len() as u64 == PROSE_BYTES {
        lines.pop();
    }
    let is_table = [',', ';', '\t', '|'].into_iter().any(|delimiter| {
        let counts: Vec<usize> = lines.iter().map(|line| line.matches(delimiter).count()).collect();
        let first = counts.first().copied().unwrap_or_default();
        // Quoted fields may hold delimiters too, so most lines are enough.
        first > 0 && counts.iter().filter(|count| **count == first).count() * 10 >= counts.len() * 8
    });
    read.is_ok() && lines.len() > 1 && !is_table
}

/// Bytes looked at to tell prose from a table.
const PROSE_BYTES: u64 = 16 * 1024;

fn hint_for(extension: &str) -> String {
    match extension {
        "xls" | "xlsb" | "ods" | "numbers" => "save it as .xlsx, or its sheets as CSV, and name that".to_owned(),
        "gz" | "zip" | "zst" | "bz2" | "xz" | "tar" | "7z" => "unpack it first and name what was in it".to_owned(),
        "docx" | "doc" | "odt" | "rtf" | "epub" => "save it as PDF, HTML or text and name that".to_owned(),
        "duckdb" | "mdb" | "accdb" => "export its tables as CSV or Parquet and name those".to_owned(),
        _ => format!("name {SUPPORTED}"),
    }
}

/// The neighbour whose name takes the fewest edits to become what was named, if it is near enough to be meant; for a
/// path that goes wrong earlier, the neighbour of the folder where it does.
pub fn nearest(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_string_lossy().to_lowercase();
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !parent.exists() {
        return nearest(parent);
    }
    let neighbours = fs::read_dir(parent).ok()?;
    let (distance, name) = neighbours
        .filter_map(Result::ok)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .map(|name| (edit_distance(&wanted, &name.to_lowercase()), name))
        .min()?;
    (distance <= wanted.chars().count().div_ceil(3)).then_some(name)
}

/// Levenshtein's distance by two rows of its table.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let replaced = above[column] + usize::from(letter != *other);
            current.push(replaced.min(above[column + 1] + 1).min(current[column] + 1));
        }
        above = current;
    }
    above[right.len()]
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Files SQLite keeps beside a database; they are read with it.
fn is_companion(path: &Path) -> bool {
    let name = file_name(path);
    ["-wal", "-shm", "-journal"].iter().any(|suffix| name.ends_with(suffix))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(OsStr::new("?")).to_string_lossy().into_owned()
}
