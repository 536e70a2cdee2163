//! What a person rejected, so that it is not proposed again: lines of `rejected.jsonl` beside the profile's own files,
//! one for each, appended and never rewritten. To have something proposed again, delete its line. Next: `proposals`.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use turnwise_intent::{Label, levelled};

use crate::cli::own::unwritable;
use turnwise_assistant::{Failure, FailureKind};

/// A rejected proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rejection {
    /// The words.
    pub text: String,
    /// What they were proposed for.
    pub label: String,
    /// Why it was rejected, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What was rejected so far.
#[derive(Clone, Debug, Default)]
pub struct Rejected(BTreeSet<(String, String)>);

impl Rejected {
    /// Whether these words were rejected for this label.
    pub fn has(&self, text: &str, label: &Label) -> bool {
        self.0.contains(&(levelled(text), label.to_string()))
    }
}

/// Reads what was rejected for the profile in `folder`.
///
/// # Errors
/// When the file is there and cannot be read, with the line.
pub fn read(folder: &Path) -> Result<Rejected, Failure> {
    let path = path(folder);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Rejected::default()),
        Err(error) => {
            let message = format!("{} cannot be read ({error})", path.display());
            return Err(Failure::new(FailureKind::Usage, message).hint("mend the file, or move it away to begin anew"));
        }
    };
    let mut rejected = Rejected::default();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let Rejection { text, label, .. } = serde_json::from_str(line).map_err(|error| {
            Failure::new(FailureKind::Usage, format!("{}, line {number}: {error}", path.display()))
                .hint("mend or delete that line")
                .caused_by(error)
        })?;
        rejected.0.insert((levelled(&text), label));
    }
    Ok(rejected)
}

/// Adds `rejections`.
///
/// # Errors
/// When they cannot be written.
pub fn add(folder: &Path, rejections: &[Rejection]) -> Result<PathBuf, Failure> {
    let path = path(folder);
    let failed = |error: std::io::Error| unwritable(&path, error);
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut lines = String::new();
    for rejection in rejections {
        let line = serde_json::to_string(rejection).map_err(|error| {
            Failure::new(FailureKind::Defect, "a rejection cannot be put into JSON").caused_by(error)
        })?;
        lines.push_str(&line);
        lines.push('\n');
    }
    let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
    // One write, so that two commands at once do not mix their lines.
    file.write_all(lines.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
    Ok(path)
}

fn path(folder: &Path) -> PathBuf {
    folder.join("rejected.jsonl")
}
