//! `turnwise backup` and `turnwise restore`: conversations copied whole while they are in use, and put back. Next:
//! `store::sqlite::care`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::place::Place;
use crate::driver::{Clock as _, SystemClock};
use crate::store::StoreError;
use crate::store::sqlite::care::{self, Examined};
use turnwise_assistant::{Failure, FailureKind};

/// `turnwise backup`.
#[derive(Clone, Debug, Args)]
pub struct BackupArguments {
    /// The file to make; it must not be there
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The conversations to copy, instead of those in the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
}

/// `turnwise restore`.
#[derive(Clone, Debug, Args)]
pub struct RestoreArguments {
    /// The file that `turnwise backup` made
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Put it in the place of these conversations, instead of those in the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Do it even though there are conversations; they are kept beside it
    #[arg(long)]
    pub replace: bool,
}

/// Copies the conversations into a new file.
///
/// # Errors
/// When they cannot be read, or the file is there or cannot be written.
pub fn backup(arguments: &BackupArguments) -> Result<ExitCode, Failure> {
    let from = database(arguments.db.as_deref())?;
    if arguments.file.exists() {
        let told = format!("{} is there already and was left as it is", arguments.file.display());
        return Err(Failure::new(FailureKind::Usage, told).hint("name another file"));
    }
    let copied = care::copy(&from, &arguments.file)?;
    super::tell(&format!("{} of {} are in {}.", counted(copied), from.display(), arguments.file.display()))?;
    super::tell(&format!("  turnwise restore '{}' puts them back", arguments.file.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Puts a copy in the place of the conversations.
///
/// # Errors
/// When the copy is not whole, there are conversations and it was not said to replace them, or somebody uses them.
pub fn restore(arguments: &RestoreArguments) -> Result<ExitCode, Failure> {
    let to = database(arguments.db.as_deref())?;
    if to.exists() && !arguments.replace {
        let there = care::examine(&to)?;
        let told = format!("{} holds {}, and was left as it is", to.display(), counted(there));
        return Err(Failure::new(FailureKind::Usage, told).hint("--replace keeps it beside the one that is put back"));
    }
    let mut aside = to.as_os_str().to_owned();
    aside.push(format!(".before-{}", SystemClock.now().as_millis()));
    let kept = care::put_back(&arguments.file, &to, Path::new(&aside)).map_err(|error| match error {
        StoreError::Busy(_) => Failure::new(FailureKind::Usage, format!("{} is in use", to.display()))
            .hint("end the server and all chats first, then restore")
            .caused_by(error),
        error => error.into(),
    })?;
    super::tell(&format!("{} are in {}.", counted(care::examine(&to)?), to.display()))?;
    if let Some(kept) = kept {
        super::tell(&format!("What was there before is in {}.", kept.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The file of conversations that was named, or that of the state folder.
///
/// # Errors
/// When there is no state folder.
pub fn database(named: Option<&Path>) -> Result<PathBuf, Failure> {
    match named {
        Some(file) => Ok(file.to_owned()),
        None => Ok(Place::open()?.database()),
    }
}

fn counted(examined: Examined) -> String {
    turnwise_core::text::count(usize::try_from(examined.conversations).unwrap_or(usize::MAX), "conversation")
}
