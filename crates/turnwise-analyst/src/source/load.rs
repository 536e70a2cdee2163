//! Loading files into the in-memory database, by format. What all formats share (names, notes, stamps) is done here
//! once. Next: `delimited`, `json_lines`, `parquet_file`.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use turnwise_core::SourceStamp;

use super::database::Described;
use super::discover::FileFormat;
use super::stamp::{self, Marks};
use super::{SourceError, delimited, json_lines, large, limits, parquet_file};

/// Loads the file as a table of this name; gives its description and the stamp of what was read.
pub fn load(
    connection: &mut Connection,
    path: &Path,
    format: FileFormat,
    name: &str,
) -> Result<(Described, SourceStamp, Marks), SourceError> {
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
    let mut of_text = |load: fn(&mut Connection, &Path, &str, &[u8]) -> Result<Described, SourceError>| {
        let content = fs::read(path).map_err(unreadable)?;
        let described = load(connection, path, name, &content)?;
        Ok((described, stamp::stamp_of_content(&file_name, &content, &marks)))
    };
    let (mut described, stamp) = match format {
        FileFormat::Delimited => of_text(delimited::load)?,
        FileFormat::JsonLines => of_text(json_lines::load)?,
        FileFormat::Parquet => {
            let described = parquet_file::load(connection, path, name)?;
            (described, stamp::stamp(&file_name, path).map_err(unreadable)?)
        }
    };
    cut(&mut described.notes);
    Ok((described, stamp, marks))
}

/// Keeps the first notes; a table with hundreds of odd columns would bury them.
fn cut(notes: &mut Vec<String>) {
    if notes.len() > limits::NOTES_MAX {
        let left_out = notes.len() - (limits::NOTES_MAX - 1);
        notes.truncate(limits::NOTES_MAX - 1);
        notes.push(format!("{left_out} more notes of this kind are left out."));
    }
}
