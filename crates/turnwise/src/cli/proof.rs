//! `turnwise proof export`: a kept conversation's conclusion as a file that others can verify. Nothing is run again, so
//! the data need not be there. Next: `crate::proof`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use turnwise_core::{FactName, Timestamp};

use super::args::StoreArguments;
use super::{open, past};
use crate::driver::{Clock as _, SystemClock};
use crate::proof::collect::{CollectError, Wanted, collect};
use crate::proof::{Form, write};
use turnwise_assistant::{Failure, FailureKind};

/// `turnwise proof`.
#[derive(Clone, Debug, Args)]
pub struct ProofArguments {
    /// What to do with proofs
    #[command(subcommand)]
    pub command: ProofCommand,
}

/// The commands under `turnwise proof`.
#[derive(Clone, Debug, Subcommand)]
pub enum ProofCommand {
    /// Write the proof of a kept conversation's last conclusion, or of other facts of it
    Export(ExportArguments),
}

/// `turnwise proof export`.
#[derive(Clone, Debug, Args)]
pub struct ExportArguments {
    /// The conversation, by its id or the beginning of it; the last one if left out
    #[arg(value_name = "CONVERSATION")]
    pub conversation: Option<String>,
    /// Prove this fact instead of the last conclusion; may be given several times
    #[arg(long, value_name = "NAME", conflicts_with = "all")]
    pub fact: Vec<String>,
    /// Prove everything that was found
    #[arg(long)]
    pub all: bool,
    /// How it is written; by the name of the output file if left out, else Markdown
    #[arg(long, value_enum)]
    pub format: Option<ProofForm>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The file the conversation is kept in, instead of the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
}

/// How a proof is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProofForm {
    /// For reading anywhere.
    Md,
    /// One page with the derivation drawn.
    Html,
    /// For machines.
    Json,
}

/// Names offered when there is no such fact.
const OFFERED_MAX: usize = 8;

/// Does what the command under `proof` says.
///
/// # Errors
/// When there is nothing to prove, or the file cannot be written.
pub async fn proof(arguments: ProofArguments) -> Result<ExitCode, Failure> {
    match arguments.command {
        ProofCommand::Export(arguments) => export(arguments).await,
    }
}

async fn export(arguments: ExportArguments) -> Result<ExitCode, Failure> {
    let store = StoreArguments { db: arguments.db.clone(), ephemeral: false };
    if let Some(file) = store.db.as_ref().filter(|file| !file.exists()) {
        return Err(Failure::new(FailureKind::Usage, format!("there is no database {}", file.display())));
    }
    let driver = open::driver(&store)?;
    let made = made(&driver, &arguments, SystemClock.now()).await;
    driver.shutdown().await?;
    let text = made?;
    match &arguments.output {
        None => std::io::stdout()
            .write_all(text.as_bytes())
            .map_err(|error| Failure::new(FailureKind::Operator, "the proof cannot be written").caused_by(error))?,
        Some(file) => {
            std::fs::write(file, &text).map_err(|error| {
                Failure::new(FailureKind::Operator, format!("{} cannot be written ({error})", file.display()))
            })?;
            super::tell(&format!("Written: {}", file.display()))?;
            super::tell(&format!(
                "  turnwise verify '{0}' checks it, turnwise verify '{0}' --data PATH runs it again",
                file.display()
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn made(driver: &crate::driver::Driver, arguments: &ExportArguments, now: Timestamp) -> Result<String, Failure> {
    let store = driver.store();
    let conversation = past::conversation(store.as_ref(), arguments.conversation.as_deref()).await?;
    let wanted = match (arguments.fact.as_slice(), arguments.all) {
        (_, true) => Wanted::All,
        ([], false) => Wanted::Last,
        (names, false) => Wanted::Named(names.iter().map(FactName::new).collect()),
    };
    let proof = collect(store.as_ref(), &conversation, &wanted, now).await.map_err(failure)?;
    Ok(write(&proof, form(arguments)))
}

/// The form asked for, else the one that the file's name says, else Markdown, which can be read where it is printed.
fn form(arguments: &ExportArguments) -> Form {
    let by_name = |file: &PathBuf| match Path::new(file).extension()?.to_str()? {
        "json" => Some(Form::Json),
        "html" | "htm" => Some(Form::Html),
        _ => None,
    };
    match arguments.format {
        Some(ProofForm::Json) => Form::Json,
        Some(ProofForm::Html) => Form::Html,
        Some(ProofForm::Md) => Form::Markdown,
        None => arguments.output.as_ref().and_then(by_name).unwrap_or(Form::Markdown),
    }
}

pub(super) fn failure(error: CollectError) -> Failure {
    match error {
        CollectError::Store(error) => Failure::from(error),
        CollectError::Nothing(_) => Failure::new(FailureKind::Usage, error.to_string())
            .hint("run a plan first, or name another conversation: turnwise proof export ID"),
        CollectError::NoFact(_, ref known) => {
            let names: Vec<&str> = known.iter().take(OFFERED_MAX).map(FactName::as_str).collect();
            let rest = known.len().saturating_sub(names.len());
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            Failure::new(FailureKind::Usage, error.to_string()).hint(format!("it knows {}{more}", names.join(", ")))
        }
    }
}
