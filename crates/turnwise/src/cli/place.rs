//! Where things are kept: the state folder (`TURNWISE_STATE`, else the system's folder for state) with the database,
//! the input history and the sample data. Next: `open`.

use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use turnwise_assistant::{Failure, FailureKind};

/// The state folder, which exists.
#[derive(Clone, Debug)]
pub struct Place {
    folder: PathBuf,
}

impl Place {
    /// The state folder of this person, made if it is not there.
    ///
    /// # Errors
    /// When there is no home folder, or the folder cannot be made.
    pub fn open() -> Result<Self, Failure> {
        let folder = match std::env::var_os("TURNWISE_STATE").filter(|value| !value.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => of_system()?.join("turnwise"),
        };
        std::fs::create_dir_all(&folder).map_err(|error| {
            let message = format!("the state folder {} cannot be made ({error})", folder.display());
            Failure::new(FailureKind::Operator, message).hint(STATE_HINT)
        })?;
        Ok(Self { folder })
    }

    /// The database of conversations.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.folder.join("turnwise.db")
    }

    /// Where the server writes results.
    #[must_use]
    pub fn results(&self) -> PathBuf {
        self.folder.join("files")
    }

    /// What was typed before.
    #[must_use]
    pub fn history(&self) -> PathBuf {
        self.folder.join("history")
    }

    /// The folder with the fits of a person's own profiles.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn fits(&self) -> Result<PathBuf, Failure> {
        let folder = self.folder.join("fits");
        std::fs::create_dir_all(&folder).map_err(|error| {
            Failure::new(FailureKind::Operator, format!("{} cannot be made ({error})", folder.display()))
                .hint(STATE_HINT)
        })?;
        Ok(folder)
    }

    /// The folder with the sample data, generated when it is not complete.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn sample(&self) -> Result<PathBuf, Failure> {
        let folder = self.folder.join("sample");
        sample(&folder)?;
        Ok(folder)
    }
}

/// Fills `folder` with the sample data unless a mark says that it is complete and of this version.
fn sample(folder: &Path) -> Result<(), Failure> {
    let mark = folder.join(".complete");
    let version = env!("CARGO_PKG_VERSION");
    if std::fs::read_to_string(&mark).is_ok_and(|found| found == version) {
        return Ok(());
    }
    let unwritable = |error: &dyn std::fmt::Display| {
        Failure::new(FailureKind::Operator, error.to_string())
            .hint(STATE_HINT)
            .hint("or write it elsewhere with `turnwise sample DIR` and name it with --data DIR")
    };
    crate::sample::generate(folder, crate::sample::SEED).map_err(|error| unwritable(&error))?;
    std::fs::write(&mark, version).map_err(|error| unwritable(&error))
}

fn of_system() -> Result<PathBuf, Failure> {
    let strategy = etcetera::choose_base_strategy().map_err(|error| {
        Failure::new(FailureKind::Operator, "there is no home folder to keep state in")
            .hint(STATE_HINT)
            .caused_by(error)
    })?;
    Ok(strategy.state_dir().unwrap_or_else(|| strategy.data_dir()))
}

const STATE_HINT: &str = "set TURNWISE_STATE to a folder that can be written";
