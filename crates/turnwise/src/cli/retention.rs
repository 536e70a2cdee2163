//! `turnwise retention`: conversations at rest are forgotten once nothing happened in them for a number of days. What
//! runs, waits or failed stays, however old. The server does the same once a day. Next: `store::Store::quiet_since`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use turnwise_core::{Timestamp, text};

use super::args::StoreArguments;
use super::place::Place;
use super::results::Results;
use super::{open, tell};
use crate::driver::{Clock as _, Deleted, Driver, Summary, SystemClock};
use turnwise_assistant::{Failure, FailureKind};

/// `turnwise retention`.
#[derive(Clone, Debug, Args)]
pub struct RetentionArguments {
    /// Forget conversations at rest in which nothing happened for so many days
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub keep_days: u32,
    /// Only show what would go
    #[arg(long)]
    pub dry_run: bool,
    /// The file the conversations are kept in, instead of the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// The folder with the files that conversations on a server saved, as that server was told by --files; without it
    /// the folder files beside the conversations
    #[arg(long, value_name = "FOLDER")]
    pub files: Option<PathBuf>,
}

/// Forgets what is old, or shows it.
///
/// # Errors
/// When the conversations cannot be read or deleted.
pub async fn retention(arguments: RetentionArguments) -> Result<ExitCode, Failure> {
    let driver = open::driver(&StoreArguments { db: arguments.db, ephemeral: false })?;
    let results = match arguments.files {
        Some(folder) => Results::at(folder),
        None => Results::at(Place::open()?.results()),
    };
    let ended = run(&driver, &results, arguments.keep_days, arguments.dry_run).await;
    driver.shutdown().await?;
    ended?;
    Ok(ExitCode::SUCCESS)
}

async fn run(driver: &Driver, results: &Results, keep_days: u32, dry_run: bool) -> Result<(), Failure> {
    if !dry_run {
        let gone = forget(driver, results, keep_days).await?;
        return tell(&told(gone, keep_days, "forgotten"));
    }
    let due = due(driver, keep_days).await?;
    for summary in &due {
        let now = SystemClock.now();
        let title = summary.title.as_deref().unwrap_or("nothing was said");
        tell(&format!("{}  {}  {title}", summary.id, text::moment(summary.active_at, now)))?;
    }
    tell(&told(due.len(), keep_days, "to go; nothing was deleted"))
}

/// Forgets what is old, with the files it saved on a server; how many conversations went.
///
/// # Errors
/// When the conversations cannot be read or deleted, or the files of one that is gone cannot be removed.
pub async fn forget(driver: &Driver, results: &Results, keep_days: u32) -> Result<usize, Failure> {
    let mut gone = 0;
    loop {
        let before = gone;
        for summary in due(driver, keep_days).await? {
            // What another process has taken up meanwhile stays.
            if driver.delete(&summary.id).await? == Deleted::Gone {
                gone += 1;
                results.forget(&summary.id).map_err(|error| {
                    let told = format!("the files of conversation {} cannot be removed ({error})", summary.id);
                    Failure::new(FailureKind::Operator, told).caused_by(error)
                })?;
            }
        }
        if gone == before {
            return Ok(gone);
        }
    }
}

/// In words.
pub fn told(count: usize, keep_days: u32, what: &str) -> String {
    let days = text::count(usize::try_from(keep_days).unwrap_or(usize::MAX), "day");
    format!("{} without a turn for {days}: {what}.", text::count(count, "conversation"))
}

/// The conversations that are to go, longest ago first.
async fn due(driver: &Driver, keep_days: u32) -> Result<Vec<Summary>, Failure> {
    let before = Timestamp::from_millis(SystemClock.now().as_millis() - i64::from(keep_days) * DAY_MS);
    let mut due = Vec::new();
    for summary in driver.store().quiet_since(before).await? {
        if !open::is_unfinished(driver, &summary).await? {
            due.push(summary);
        }
    }
    Ok(due)
}

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
