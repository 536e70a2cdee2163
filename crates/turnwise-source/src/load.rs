//! Loading files into the in-memory database, by format. What all formats share (names, notes, stamps) is done here
//! once. Next: `delimited`, `json_lines`, `parquet_file`.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use turnwise_assistant::{Progress, Stage};
use turnwise_core::SourceStamp;

use super::assemble::TableNames;
use super::database::Described;
use super::discover::FileFormat;
use super::stamp::{self, Marks};
use super::{SourceError, delimited, json, json_lines, large, limits, parquet_file, spreadsheet};

/// What became of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Loaded {
    /// Its tables.
    pub tables: Vec<Described>,
    /// The stamp of what was read.
    pub stamp: SourceStamp,
    /// What it looked like just before.
    pub marks: Marks,
}

/// Loads the file as its tables.
pub fn load(
    connection: &mut Connection,
    path: &Path,
    format: FileFormat,
    names: &mut TableNames<'_>,
    progress: &Progress,
) -> Result<Loaded, SourceError> {
    let unreadable = |error: std::io::Error| SourceError::unreadable(path.to_owned(), &error);
    let bytes = fs::metadata(path).map_err(unreadable)?.len();
    if large::weight(bytes, format) > limits::IMPORT_BYTES_MAX {
        return Err(SourceError::TooLarge { path: path.to_owned(), bytes });
    }
    if bytes == 0 {
        return Err(SourceError::Empty { path: path.to_owned(), what: "no byte" });
    }
    // Marks come first: a write while the file is being read must count as a change.
    let marks = Marks::read(path).map_err(unreadable)?;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let reading = |percent| Stage::Reading { file: file_name.clone().into_owned(), bytes, percent };
    progress.tell(reading(None));
    let told = |percent| progress.tell(reading(Some(percent)));
    let content = if format == FileFormat::Parquet { Vec::new() } else { fs::read(path).map_err(unreadable)? };
    let mut one = |load: &mut dyn FnMut(&mut Connection, &str) -> Result<Described, SourceError>| {
        let (name, renamed) = names.of_file();
        let mut described = load(connection, &name)?;
        described.notes.splice(0..0, renamed);
        Ok(vec![described])
    };
    let mut described = match format {
        FileFormat::Delimited => one(&mut |to, name| delimited::load(to, path, name, &content, &told))?,
        FileFormat::JsonLines => json_lines::load(connection, path, names, &content)?,
        FileFormat::Parquet => one(&mut |to, name| parquet_file::load(to, path, name))?,
        FileFormat::Json => json::load(connection, path, names, &content)?,
        FileFormat::Spreadsheet => spreadsheet::load(connection, path, names, &content)?,
    };
    let stamp = match format {
        FileFormat::Parquet => stamp::stamp(&file_name, path).map_err(unreadable)?,
        FileFormat::Delimited | FileFormat::Json | FileFormat::JsonLines | FileFormat::Spreadsheet => {
            stamp::stamp_of_content(&file_name, &content, &marks)
        }
    };
    for table in &mut described {
        cut(&mut table.notes);
    }
    Ok(Loaded { tables: described, stamp, marks })
}

/// Keeps the first notes; a table with hundreds of odd columns would bury them.
fn cut(notes: &mut Vec<String>) {
    if notes.len() > limits::NOTES_MAX {
        let left_out = notes.len() - (limits::NOTES_MAX - 1);
        notes.truncate(limits::NOTES_MAX - 1);
        notes.push(format!("{left_out} more notes of this kind are left out."));
    }
}
