//! `turnwise conversations`: what was talked over and can be taken up again, for people and for programs that have no
//! terminal to pick from a list. Next: `shelf`, `listed`, `channel::shelf`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp as Moment;
use serde::Serialize;

use super::args::StoreArguments;
use super::listed::{look, put};
use super::open;
use super::shelf::OwnShelf;
use crate::channel::shelf::{self, Kept, Stands};
use crate::driver::{Clock as _, SystemClock};
use turnwise_assistant::{Failure, FailureKind};

/// `turnwise conversations`.
#[derive(Clone, Debug, Args)]
pub struct ConversationsArguments {
    /// As one JSON array
    #[arg(long)]
    pub json: bool,
    /// The file the conversations are kept in, instead of the state folder
    #[arg(long, value_name = "FILE")]
    pub db: Option<PathBuf>,
}

/// Lists the conversations of whoever asks.
///
/// # Errors
/// When the store cannot be read, or the list cannot be written.
pub async fn conversations(arguments: ConversationsArguments) -> Result<ExitCode, Failure> {
    let driver = open::driver(&StoreArguments { db: arguments.db, ephemeral: false })?;
    let listed = OwnShelf::listed(&driver, &open::person()).await;
    driver.shutdown().await?;
    let listed = listed?;
    if arguments.json {
        let items: Vec<Item<'_>> = listed.iter().map(Item::of).collect();
        let json = serde_json::to_string(&items)
            .map_err(|error| Failure::new(FailureKind::Defect, "the list cannot be put into JSON").caused_by(error))?;
        super::tell(&json)?;
        return Ok(ExitCode::SUCCESS);
    }
    put(&shelf::lines(&listed, None, SystemClock.now(), look()))?;
    Ok(ExitCode::SUCCESS)
}

/// A conversation as a program gets it.
#[derive(Serialize)]
struct Item<'a> {
    id: &'a str,
    title: Option<&'a str>,
    assistant: &'a str,
    /// RFC 3339.
    active_at: String,
    /// `asks` (a question waits for you), `asks_others`, `works` or `rests`.
    state: &'static str,
}

impl<'a> Item<'a> {
    fn of(kept: &'a Kept) -> Self {
        Self {
            id: kept.id.as_str(),
            title: kept.title.as_deref(),
            assistant: &kept.assistant,
            active_at: Moment::from_millisecond(kept.active_at.as_millis())
                .map_or_else(|_| String::new(), |at| at.to_string()),
            state: match kept.stands {
                Stands::Asks => "asks",
                Stands::AsksOthers(_) => "asks_others",
                Stands::Works => "works",
                Stands::Rests => "rests",
            },
        }
    }
}
