//! The bot as it is registered: opened over a tracker, with what is told of it at the start. Next: `bot`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnwise_assistant::{Failure, FailureKind, Kind, Opened, Reopened, Reruns, RowsWanted, Settings, profiled};
use turnwise_core::{FactName, SourceStamp, Table, ToolName, text};

use super::bot::Bot;
use crate::thread::Threads;
use crate::tracker::files::Files;
use crate::tracker::{Tracker as _, TrackerError};

/// The ticket bot.
pub const KIND: Kind = Kind { name: "tickets", open, examine, rerun, shown, schemas: &[] };

fn open(settings: Settings) -> Result<Opened, Failure> {
    let Settings { reader, data, .. } = settings;
    let (folder, files) = files(&data)?;
    let mut overview = vec![told(&files)?];
    overview.extend(profiled::told(reader.profile()));
    overview.push(reader.profile().greeting.clone());
    let threads = Threads::new(Some(folder.join(THREADS)));
    let source = Some(folder.display().to_string());
    let mark = KIND.mark(&data);
    Ok(Opened {
        assistant: Arc::new(Bot::new(reader, Arc::new(files), threads, source)),
        overview,
        noticed: None,
        mark,
    })
}

fn files(data: &[PathBuf]) -> Result<(PathBuf, Files), Failure> {
    let wrong = |told: String| {
        Failure::new(FailureKind::Usage, told).hint("--data FOLDER names the folder in which tickets are kept as files")
    };
    let folder = match data {
        [] => return Err(wrong("no place for tickets was named".to_owned())),
        [folder] => folder,
        several => return Err(wrong(format!("tickets go to one folder, and {} were named", several.len()))),
    };
    Ok((folder.clone(), Files::open(folder).map_err(unusable)?))
}

fn unusable(error: TrackerError) -> Failure {
    Failure::new(FailureKind::Operator, error.to_string().trim_end_matches('.').to_owned())
}

fn told(files: &Files) -> Result<String, Failure> {
    let count = files.count().map_err(unusable)?;
    Ok(format!("Tickets go to {} ({} so far).", files.told(), text::count(count, "ticket")))
}

fn examine(data: &[PathBuf]) -> Result<String, Failure> {
    told(&files(data)?.1)
}

fn shown(path: &Path) -> PathBuf {
    path.to_owned()
}

/// Nothing of the bot is a finding that could be found again: its steps create tickets.
fn rerun(data: &[PathBuf], _: &[&SourceStamp]) -> Result<Reopened, Failure> {
    files(data)?;
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

/// The folder of what threads remember, beside the tickets.
const THREADS: &str = ".threads";
