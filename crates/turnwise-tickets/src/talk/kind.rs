//! The bot as it is registered: opened over a tracker, with what is told of it at the start. Unknown keys of its
//! section are refused, because a misspelt one must not be a setting that does nothing. Next: `bot`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use turnwise_assistant::{Failure, FailureKind, Kind, Opened, Reopened, Settings, profiled};
use turnwise_core::{SourceStamp, text};

use super::bot::{Bot, Named};
use crate::thread::Threads;
use crate::tracker::files::Files;
use crate::tracker::jira::{Account, Jira};
use crate::tracker::{Tracker, TrackerError};

/// The ticket bot.
pub const KIND: Kind = Kind { name: "tickets", open, examine, rerun, shown, schemas: &[], is_for_editors: false };

/// Its section of the configuration.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    /// How it is addressed by commands, without the slash.
    bot: Option<String>,
    /// The folder of tickets, where none is named on the command line.
    folder: Option<PathBuf>,
    /// A project of Jira, instead of a folder.
    jira: Option<JiraOptions>,
}

/// Where tickets go where they go to Jira.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct JiraOptions {
    /// Its address.
    site: String,
    /// The key of the project.
    project: String,
    /// The address of the account.
    user: String,
    /// A file with its token; without it the variable counts.
    token_file: Option<PathBuf>,
}

fn open(settings: Settings) -> Result<Opened, Failure> {
    let Settings { reader, data, state, options, .. } = settings;
    let mut options = options_of(options)?;
    let bot = options.bot.take().unwrap_or_else(|| BOT.to_owned());
    let place = place(&data, options, state.as_deref())?;
    let mut overview = vec![place.told];
    overview.extend(profiled::told(reader.profile()));
    overview.push(reader.profile().greeting.clone());
    let threads = Threads::new(state.map(|state| state.join(THREADS)));
    let named = Named { bot, source: place.source };
    let mark = KIND.mark(&[place.mark]);
    let assistant = Arc::new(Bot::new(reader, place.tracker, threads, named));
    Ok(Opened { assistant, overview, noticed: None, mark })
}

/// Where tickets go.
struct Place {
    tracker: Arc<dyn Tracker>,
    told: String,
    source: Option<String>,
    /// What conversations are told apart by: those over another tracker are others.
    mark: PathBuf,
}

fn place(data: &[PathBuf], options: Options, state: Option<&Path>) -> Result<Place, Failure> {
    let Some(jira) = options.jira else {
        let (folder, files) = files(data, options.folder, state)?;
        let told = told(&files)?;
        let source = Some(folder.display().to_string());
        return Ok(Place { tracker: Arc::new(files), told, source, mark: folder });
    };
    if !data.is_empty() || options.folder.is_some() {
        let told = "tickets go to Jira, and a folder was named as well".to_owned();
        return Err(Failure::new(FailureKind::Usage, told).hint("leave one of them out: --data, folder or jira"));
    }
    let JiraOptions { site, project, user, token_file } = jira;
    let mark = PathBuf::from(format!("{site}/{project}"));
    let account = Account { site: site.trim_end_matches('/').to_owned(), project, user, token: token(token_file)? };
    let jira = Jira::open(account).map_err(unusable)?;
    let told = format!("Tickets go to {}.", jira.told());
    Ok(Place { tracker: Arc::new(jira), told, source: None, mark })
}

/// The token in the file, or in the environment.
fn token(file: Option<PathBuf>) -> Result<String, Failure> {
    let wrong = |told: String| Failure::new(FailureKind::Usage, told).hint(format!("or set {TOKEN} instead"));
    let token = match &file {
        Some(file) => std::fs::read_to_string(file)
            .map_err(|error| wrong(format!("jira.token_file: {} cannot be read ({error})", file.display())))?,
        None => std::env::var(TOKEN).unwrap_or_default(),
    };
    match token.trim() {
        "" => Err(Failure::new(FailureKind::Usage, format!("tickets go to Jira, and {TOKEN} is not set"))
            .hint("a token is made at id.atlassian.com; set the variable, or name a file: jira: {token_file: FILE}")),
        token => Ok(token.to_owned()),
    }
}

fn options_of(options: serde_json::Value) -> Result<Options, Failure> {
    if options.is_null() {
        return Ok(Options::default());
    }
    serde_json::from_value(options).map_err(|error| {
        Failure::new(FailureKind::Usage, format!("assistants.tickets in the configuration: {error}"))
            .hint("there are bot, folder and jira: {site, project, user, token_file}")
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
    Ok(Reopened::done_once("writes to a tracker"))
}

/// The variable of the token.
const TOKEN: &str = "JIRA_API_TOKEN";
/// How it is addressed where nobody named it.
const BOT: &str = "turnwise";
/// The folder of what threads remember.
const THREADS: &str = "threads";
/// The folder of tickets where none is named.
const TICKETS: &str = "tickets";
