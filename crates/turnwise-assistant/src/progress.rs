//! Progress: how far an assistant is with reading what it works on, for whoever waits for it. The one side tells, the
//! other looks when it wants to; nothing waits for either. Next: [`Stage`].

use std::sync::{Arc, Mutex, PoisonError};

/// Where the opening of an assistant stands; clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Mutex<Option<Stage>>>);

/// What is being done, while it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// A file is read.
    Reading {
        /// What it is called.
        file: String,
        /// How long it is.
        bytes: u64,
        /// How much of it is done; nothing where that is not known.
        percent: Option<u64>,
    },
    /// What was read of files at an earlier start is taken up again.
    TakingUp {
        /// How many files.
        files: usize,
    },
    /// What was read is kept for the next start.
    Keeping,
    /// What was read is looked through.
    Looking,
}

impl Progress {
    /// Tells where it stands.
    pub fn tell(&self, stage: Stage) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(stage);
    }

    /// Where it stands, as far as that was told.
    #[must_use]
    pub fn stage(&self) -> Option<Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// There is nothing to wait for any more.
    pub fn end(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Stage {
    /// In words for whoever waits.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            Self::Reading { file, bytes, percent: Some(percent) } => {
                format!("Reading {file}: {percent} % of {}", megabytes(*bytes))
            }
            Self::Reading { file, bytes, percent: None } => format!("Reading {file} ({})", megabytes(*bytes)),
            Self::TakingUp { files: 1 } => "Taking up what was read of the file before".to_owned(),
            Self::TakingUp { files } => format!("Taking up what was read of {files} files before"),
            Self::Keeping => "Keeping what was read for the next start".to_owned(),
            Self::Looking => "Looking through the data".to_owned(),
        }
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_seen_by_all_until_it_is_over() {
        let (progress, other) = (Progress::default(), Progress::default());
        let seen = progress.clone();
        progress.tell(Stage::Reading { file: "sales.csv".to_owned(), bytes: 120_000_000, percent: Some(34) });
        assert_eq!(seen.stage().map(|stage| stage.told()).as_deref(), Some("Reading sales.csv: 34 % of 120 MB"));
        assert_eq!(other.stage(), None);
        progress.end();
        assert_eq!(seen.stage(), None);
    }
}
