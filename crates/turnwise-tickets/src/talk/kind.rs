//! The bot as it is registered: opened over a tracker, with what is told of it at the start. Unknown keys of its
//! section are refused, because a misspelt one must not be a setting that does nothing. Next: `bot`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use turnwise_assistant::{Failure, FailureKind, Kind, Opened, Reopened, Reruns, RowsWanted, Settings, profiled};
use turnwise_core::{FactName, SourceStamp, Table, ToolName, text};

use super::bot::{Bot, Named};
use crate::thread::Threads;
use crate::tracker::files::Files;
use crate::tracker::{Tracker as _, TrackerError};

/// The ticket bot.
pub const KIND: Kind = Kind { name: "tickets", open, examine, rerun, shown, schemas: &[] };

/// Its section of the configuration.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    /// How it is addressed by commands, without the slash.
    bot: Option<String>,
    /// The folder of tickets, where none is named on the command line.
    folder: Option<PathBuf>,
}

fn open(settings: Settings) -> Result<Opened, Failure> {
    let Settings { reader, data, state, options, .. } = settings;
    let options = options_of(options)?;
    let (folder, files) = files(&data, options.folder, state.as_deref())?;
    let mut overview = vec![told(&files)?];
    overview.extend(profiled::told(reader.profile()));
    overview.push(reader.profile().greeting.clone());
    let threads = Threads::new(state.map(|state| state.join(THREADS)));
    let bot = options.bot.unwrap_or_else(|| BOT.to_owned());
    let named = Named { bot, source: Some(folder.display().to_string()) };
    let mark = KIND.mark(&data);
    let assistant = Arc::new(Bot::new(reader, Arc::new(files), threads, named));
    Ok(Opened { assistant, overview, noticed: None, mark })
}

fn options_of(options: serde_json::Value) -> Result<Options, Failure> {
    if options.is_null() {
        return Ok(Options::default());
    }
    serde_json::from_value(options).map_err(|error| {
        Failure::new(FailureKind::Usage, format!("assistants.tickets in the configuration: {error}"))
            .hint("there are bot and folder")
    })
}

/// The folder of tickets: that of the command line, of the configuration, or beside the conversations.
fn files(data: &[PathBuf], set: Option<PathBuf>, state: Option<&Path>) -> Result<(PathBuf, Files), Failure> {
    let wrong = |told: String| {
        Failure::new(FailureKind::Usage, told)
            .hint("--data FOLDER names the folder in which tickets are kept as files")
            .hint("or write assistants: {tickets: {folder: FOLDER}} in turnwise.yaml")
    };
    let beside = || state.map(|state| state.join(TICKETS));
    let folder = match data {
        [] => set.or_else(beside).ok_or_else(|| wrong("no place for tickets was named".to_owned()))?,
        [folder] => folder.clone(),
        several => return Err(wrong(format!("tickets go to one folder, and {} were named", several.len()))),
    };
    let files = Files::open(&folder).map_err(unusable)?;
    Ok((folder, files))
}

fn unusable(error: TrackerError) -> Failure {
    Failure::new(FailureKind::Operator, error.to_string().trim_end_matches('.').to_owned())
}

fn told(files: &Files) -> Result<String, Failure> {
    let count = files.count().map_err(unusable)?;
    Ok(format!("Tickets go to {} ({} so far).", files.told(), text::count(count, "ticket")))
}

fn examine(data: &[PathBuf]) -> Result<String, Failure> {
    told(&files(data, None, None)?.1)
}

fn shown(path: &Path) -> PathBuf {
    path.to_owned()
}

/// Nothing of the bot is a finding that could be found again: its steps create tickets.
fn rerun(data: &[PathBuf], _: &[&SourceStamp]) -> Result<Reopened, Failure> {
    files(data, None, None)?;
    Ok(Reopened { by: Box::new(NotAgain), renamed: Vec::new() })
}

/// What is done once.
struct NotAgain;

impl Reruns for NotAgain {
    fn stamp(&self, _: &str) -> Option<SourceStamp> {
        None
    }

    fn rerun(
        &self,
        tool: &ToolName,
        _: &BTreeMap<String, String>,
        _: &[&Table],
        _: RowsWanted,
    ) -> Result<(Table, String), String> {
        Err(format!("`{tool}` writes to a tracker and is not run again for a proof"))
    }

    fn told(&self, tool: &ToolName, _: &BTreeMap<String, String>, _: &[FactName]) -> String {
        tool.to_string()
    }
}

/// How it is addressed where nobody named it.
const BOT: &str = "turnwise";
/// The folder of what threads remember.
const THREADS: &str = "threads";
/// The folder of tickets where none is named.
const TICKETS: &str = "tickets";
