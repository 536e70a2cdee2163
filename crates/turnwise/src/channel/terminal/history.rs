//! What was typed before, kept per person in the state folder: one JSON string a line, because entries may have several
//! lines. Several terminals may append at once; each line is written in one call. Next: `editor`.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Entries offered, and kept when the file is tidied: more cannot be reached by pressing an arrow key.
const ENTRIES_MAX: usize = 1_000;

/// Entries typed, oldest first.
#[derive(Debug, Default)]
pub struct History {
    entries: Vec<String>,
    file: Option<PathBuf>,
}

impl History {
    /// A history that ends with the session.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// The history kept in `file`, which need not exist. Lines that are no entries (cut short by a crash) are skipped.
    ///
    /// # Errors
    /// When the file exists and cannot be read, or is too long and cannot be rewritten.
    pub fn open(file: &Path) -> io::Result<Self> {
        let text = match fs::read(file) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut entries: Vec<String> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let is_long = entries.len() > 2 * ENTRIES_MAX;
        entries.drain(..entries.len().saturating_sub(ENTRIES_MAX));
        if is_long {
            let kept: String = entries.iter().map(|entry| encode(entry)).collect();
            fs::write(file, kept)?;
        }
        Ok(Self { entries, file: Some(file.to_owned()) })
    }

    /// Adds `entry`, unless it repeats the last one.
    ///
    /// # Errors
    /// When it cannot be written; it is remembered for this session all the same.
    pub fn add(&mut self, entry: &str) -> io::Result<()> {
        if self.entries.last().is_some_and(|last| last == entry) {
            return Ok(());
        }
        self.entries.push(entry.to_owned());
        let Some(file) = &self.file else { return Ok(()) };
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(file)?.write_all(encode(entry).as_bytes())
    }

    /// The entry `back` steps before the present, from 1.
    #[must_use]
    pub fn back(&self, back: usize) -> Option<&str> {
        self.entries.len().checked_sub(back).and_then(|at| self.entries.get(at)).map(String::as_str)
    }

    /// How many steps before the present the nearest entry with `words` in it is, from `back` steps on.
    #[must_use]
    pub fn find(&self, words: &str, back: usize) -> Option<usize> {
        (back.max(1)..=self.entries.len()).find(|back| self.back(*back).is_some_and(|entry| has(entry, words)))
    }
}

/// Whether `words` are in `text`, in large or small letters.
pub(super) fn has(text: &str, words: &str) -> bool {
    text.to_lowercase().contains(&words.to_lowercase())
}

fn encode(entry: &str) -> String {
    format!("{}\n", serde_json::Value::from(entry))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{ENTRIES_MAX, History};

    #[test]
    fn entries_of_several_lines_come_back_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("history");
        let mut history = History::open(&file).unwrap();
        history.add("one").unwrap();
        history.add("two\nlines").unwrap();
        history.add("two\nlines").unwrap();
        let again = History::open(&file).unwrap();
        assert_eq!(again.back(1), Some("two\nlines"));
        assert_eq!(again.back(2), Some("one"));
        assert_eq!(again.back(3), None);
    }

    #[test]
    fn a_broken_line_is_skipped_and_a_long_file_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("history");
        let mut text: String = (0..=2 * ENTRIES_MAX).map(|number| format!("\"{number}\"\n")).collect();
        text.push_str("\"cut sho");
        std::fs::write(&file, text).unwrap();
        let history = History::open(&file).unwrap();
        assert_eq!(history.back(1), Some(format!("{}", 2 * ENTRIES_MAX).as_str()));
        assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), ENTRIES_MAX);
    }
}
