//! Keeping a chart in a file. A file that holds something else is never lost without the person saying so, and a file
//! is whole or not there: it is written beside its place and moved into it. Next: `svg`, `picture`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use turnwise_core::{Existing, Ground};

use super::{Chart, picture, svg};

/// How a file is written; its ending says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Vectors; text stays text.
    Svg,
    /// Pixels.
    Png,
}

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Where it is, whole.
    pub path: PathBuf,
    /// What happened.
    pub how: How,
    /// Letters that the built-in font lacks.
    pub missing_letters: usize,
}

/// What happened to the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// There was nothing.
    Written,
    /// There was something else, which is gone.
    Replaced,
    /// It was there already, the same to the byte.
    There,
}

/// Why a chart was not kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The ending says no format.
    #[error("{file}: a chart is kept as .svg or .png, and the ending says which")]
    Ending {
        /// As named.
        file: String,
    },
    /// Something else is there.
    #[error("{path} exists already and was left as it is")]
    Exists {
        /// The file.
        path: String,
    },
    /// The picture cannot be made.
    #[error("the picture cannot be made: {reason}")]
    Drawing {
        /// Why.
        reason: String,
    },
    /// The system refuses.
    #[error("{path} cannot be written: {source}")]
    Writing {
        /// The file.
        path: String,
        /// What the system says.
        source: io::Error,
    },
}

impl Format {
    /// The format a name ends in.
    #[must_use]
    pub fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

impl Kept {
    /// What the person is told.
    #[must_use]
    pub fn told(&self) -> String {
        let path = self.path.display();
        let told = match self.how {
            How::Written => format!("The chart is in {path}."),
            How::Replaced => format!("The chart is in {path}; what was there before is replaced."),
            How::There => format!("The chart is in {path} already, exactly the same."),
        };
        if self.missing_letters == 0 {
            return told;
        }
        format!("{told} The built-in font lacks some of its letters, which show as boxes; an .svg file has them all.")
    }
}

/// Writes the chart to `file`, in the format of its ending.
///
/// # Errors
/// When the ending says no format, something else is there, or the system refuses.
pub fn keep(chart: &Chart, file: &Path, existing: Existing, ground: Ground) -> Result<Kept, KeepError> {
    let format = Format::of(file).ok_or_else(|| KeepError::Ending { file: file.display().to_string() })?;
    let (bytes, missing_letters) = drawn(chart, format, ground)?;
    let writing = |source: io::Error| KeepError::Writing { path: file.display().to_string(), source };
    let how = match fs::read(file) {
        Ok(there) if there == bytes => How::There,
        Ok(_) if existing == Existing::Stays => {
            return Err(KeepError::Exists { path: file.display().to_string() });
        }
        Ok(_) => How::Replaced,
        Err(error) if error.kind() == io::ErrorKind::NotFound => How::Written,
        Err(error) => return Err(writing(error)),
    };
    match how {
        How::There => {}
        How::Written => write_new(file, &bytes).map_err(writing)?,
        How::Replaced => write_over(file, &bytes).map_err(writing)?,
    }
    let path = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    Ok(Kept { path, how, missing_letters })
}

/// The chart as the bytes of a file, and how many of its letters the built-in font lacks.
///
/// # Errors
/// When the picture cannot be made.
pub fn drawn(chart: &Chart, format: Format, ground: Ground) -> Result<(Vec<u8>, usize), KeepError> {
    match format {
        Format::Svg => Ok((svg::svg(chart, ground).into_bytes(), 0)),
        Format::Png => picture::png(chart, ground).map_err(|reason| KeepError::Drawing { reason }),
    }
}

/// Writes a file that must not be there: whoever came in between keeps theirs.
fn write_new(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut out = fs::OpenOptions::new().write(true).create_new(true).open(file)?;
    let written = io::Write::write_all(&mut out, bytes);
    if written.is_err() {
        // Half a picture is worse than none; that it cannot be taken away either is told by the error before.
        let _ = fs::remove_file(file);
    }
    written
}

/// Writes beside the file and moves it into its place, so that the old one stays until the new one is whole.
fn write_over(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let beside = file.with_file_name(name);
    write_new(&beside, bytes)?;
    fs::rename(&beside, file).inspect_err(|_| {
        let _ = fs::remove_file(&beside);
    })
}
