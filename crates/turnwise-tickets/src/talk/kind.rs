//! The bot as it is registered: opened over a tracker, with what is told of it at the start. Unknown keys of its
//! section are refused, because a misspelt one must not be a setting that does nothing. Next: `bot`.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use turnwise_assistant::{Failure, FailureKind, Finding, Kind, Looking, Opened, Reopened, Section, Settings, profiled};
use turnwise_core::{SourceStamp, text};

use super::bot::{Bot, Keeps, Named};
use crate::context::Contexts;
use crate::decision::Board;
use crate::draft::{TicketKind, is_field_name};
use crate::thread::Threads;
use crate::tracker::files::Files;
use crate::tracker::github::{self, GitHub};
use crate::tracker::jira::{Account, Jira};
use crate::tracker::{PATIENCE, Tracker, TrackerError};

/// The ticket bot.
pub const KIND: Kind = Kind {
    name: "tickets",
    open,
    examine,
    settings,
    look,
    rerun,
    shown,
    schemas: &[],
    tasks: &[],
    is_for_editors: false,
};

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
    /// The issues of a repository on GitHub, instead of a folder.
    github: Option<GitHubOptions>,
}

/// Where tickets go where they go to GitHub.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GitHubOptions {
    /// The repository: `owner/name`.
    repository: String,
    /// A file with the token; without it the variable counts.
    token_file: Option<PathBuf>,
    /// Where its methods are called, for those who run GitHub themselves.
    api: Option<String>,
    /// How many milliseconds an answer is waited for.
    patience_ms: Option<NonZeroU32>,
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
    /// How many milliseconds an answer is waited for.
    patience_ms: Option<NonZeroU32>,
    /// Names of fields here, each with the field of Jira that it is.
    #[serde(default)]
    fields: BTreeMap<String, String>,
    /// How the project calls kinds of tickets, where not as we do.
    #[serde(default)]
    kinds: BTreeMap<TicketKind, String>,
    /// How the link is called that a new ticket gets to one that exists.
    link_type: Option<String>,
}

fn open(settings: Settings) -> Result<Opened, Failure> {
    let Settings { reader, data, state, outlets, section, .. } = settings;
    let mut options: Options = section.read()?;
    let bot = options.bot.take().unwrap_or_else(|| BOT.to_owned());
    let place = place(&data, options, state.as_deref())?;
    let mut overview = vec![place.told];
    overview.extend(profiled::told(reader.profile()));
    overview.push(reader.profile().greeting.clone());
    let kept = |name: &str| state.as_ref().map(|state| state.join(name));
    // Beside the tickets where these are files, so that a team finds both in one place.
    let decisions = place.folder.as_ref().map(|folder| folder.join(DECISIONS)).or_else(|| kept(DECISIONS));
    let keeps = Keeps {
        threads: Threads::new(kept(THREADS)),
        contexts: Contexts::new(kept(CONTEXT)),
        board: Board::new(outlets, decisions),
    };
    let named = Named { bot, source: place.source };
    let mark = KIND.mark(&[place.mark]);
    let assistant = Arc::new(Bot::new(reader, place.tracker, keeps, named));
    Ok(Opened { assistant, overview, noticed: None, mark })
}

/// Where tickets go.
struct Place {
    tracker: Arc<dyn Tracker>,
    told: String,
    source: Option<String>,
    /// The folder, where they go to one.
    folder: Option<PathBuf>,
    /// What conversations are told apart by: those over another tracker are others.
    mark: PathBuf,
}

fn place(data: &[PathBuf], options: Options, state: Option<&Path>) -> Result<Place, Failure> {
    let named = [options.jira.is_some(), options.github.is_some(), !data.is_empty() || options.folder.is_some()];
    if named.iter().filter(|is_named| **is_named).count() > 1 {
        let told = "tickets go to one place, and several were named".to_owned();
        return Err(
            Failure::new(FailureKind::Usage, told).hint("leave all but one of them: --data, folder, jira, github")
        );
    }
    if let Some(github) = options.github {
        return on_github(github);
    }
    let Some(jira) = options.jira else {
        let (folder, files) = files(data, options.folder, state)?;
        let told = told(&files)?;
        let source = Some(folder.display().to_string());
        return Ok(Place { tracker: Arc::new(files), told, source, folder: Some(folder.clone()), mark: folder });
    };
    let JiraOptions { site, project, user, token_file, patience_ms, fields, kinds, link_type } = jira;
    let fields = fields_named(fields)?;
    let link_type = link_type.unwrap_or_else(|| LINK_TYPE.to_owned());
    let mark = PathBuf::from(format!("{site}/{project}"));
    let (site, token) = (site.trim_end_matches('/').to_owned(), token(token_file, JIRA)?);
    let account = Account { site, project, user, token, patience: patience(patience_ms), fields, kinds, link_type };
    let jira = Jira::open(account).map_err(unusable)?;
    let told = format!("Tickets go to {}.", jira.told());
    Ok(Place { tracker: Arc::new(jira), told, source: None, folder: None, mark })
}

/// The names of fields as they are said and shown: “story points”.
fn fields_named(fields: BTreeMap<String, String>) -> Result<BTreeMap<String, String>, Failure> {
    let wrong =
        |told: String| Failure::new(FailureKind::Usage, told).hint("for example {story points: customfield_10016}");
    let mut named: BTreeMap<String, String> = BTreeMap::new();
    for (name, id) in fields {
        let said = text::words(&name.replace('_', " ")).join(" ");
        if !is_field_name(&said) {
            return Err(wrong(format!("jira.fields: “{name}” cannot be said; a name is one to three plain words")));
        }
        let is_id = !id.is_empty() && id.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if !is_id {
            return Err(wrong(format!("jira.fields: “{id}” is no field of Jira; name its id")));
        }
        if let Some((other, _)) = named.iter().find(|(_, known)| **known == id) {
            return Err(wrong(format!("jira.fields: “{other}” and “{said}” are the same field, {id}")));
        }
        if named.insert(said.clone(), id).is_some() {
            return Err(wrong(format!("jira.fields: “{said}” is there twice")));
        }
    }
    Ok(named)
}

fn on_github(options: GitHubOptions) -> Result<Place, Failure> {
    let GitHubOptions { repository, token_file, api, patience_ms } = options;
    let api = api.unwrap_or_else(|| GITHUB_API.to_owned()).trim_end_matches('/').to_owned();
    let mark = PathBuf::from(format!("{api}/{repository}"));
    let account =
        github::Account { api, repository, token: token(token_file, GITHUB)?, patience: patience(patience_ms) };
    let github = GitHub::open(account).map_err(unusable)?;
    let told = format!("Tickets go to {}.", github.told());
    Ok(Place { tracker: Arc::new(github), told, source: None, folder: None, mark })
}

fn patience(set: Option<NonZeroU32>) -> Duration {
    set.map_or(PATIENCE, |milliseconds| Duration::from_millis(milliseconds.get().into()))
}

/// How a token is named.
struct TokenOf {
    tracker: &'static str,
    key: &'static str,
    variable: &'static str,
    made_at: &'static str,
}

/// The token in the file, or in the environment.
fn token(file: Option<PathBuf>, of: TokenOf) -> Result<String, Failure> {
    let TokenOf { tracker, key, variable, made_at } = of;
    let wrong = |told: String| Failure::new(FailureKind::Usage, told).hint(format!("or set {variable} instead"));
    let token = match &file {
        Some(file) => std::fs::read_to_string(file)
            .map_err(|error| wrong(format!("{key}.token_file: {} cannot be read ({error})", file.display())))?,
        None => std::env::var(variable).unwrap_or_default(),
    };
    match token.trim() {
        "" => Err(Failure::new(FailureKind::Usage, format!("tickets go to {tracker}, and {variable} is not set"))
            .hint(format!(
                "a token is made at {made_at}; set the variable, or name a file: {key}: {{token_file: FILE}}"
            ))),
        token => Ok(token.to_owned()),
    }
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

fn settings(section: &Section) -> Result<(), Failure> {
    section.read::<Options>().map(drop)
}

/// Whether the tracker lets us in; nothing is created.
fn look(section: Section, _: PathBuf) -> Looking {
    Looking::by(async move {
        let Ok(options) = section.read::<Options>() else { return Vec::new() };
        vec![Finding { what: "tracker".to_owned(), told: looked_at(options).await }]
    })
}

async fn looked_at(options: Options) -> Result<String, Failure> {
    if let Options { jira: None, github: None, folder, .. } = &options {
        match folder {
            None => return Ok("tickets go beside the conversations".to_owned()),
            // A folder would be made by being opened.
            Some(folder) if !folder.exists() => {
                return Ok(format!("tickets will go to {}, which is not there yet", folder.display()));
            }
            Some(_) => {}
        }
    }
    let place = place(&[], options, None)?;
    place
        .tracker
        .look()
        .await
        .map_err(|error| unusable(error).hint("mend assistants: {tickets: …} in turnwise.yaml"))?;
    Ok(place.told.trim_end_matches('.').to_owned())
}

fn shown(path: &Path) -> PathBuf {
    path.to_owned()
}

/// Nothing of the bot is a finding that could be found again: its steps create tickets.
fn rerun(data: &[PathBuf], _: &[&SourceStamp]) -> Result<Reopened, Failure> {
    files(data, None, None)?;
    Ok(Reopened::done_once("writes to a tracker"))
}

/// The tokens there are.
const JIRA: TokenOf = TokenOf { tracker: "Jira", key: "jira", variable: "JIRA_API_TOKEN", made_at: "id.atlassian.com" };
const GITHUB: TokenOf =
    TokenOf { tracker: "GitHub", key: "github", variable: "GITHUB_TOKEN", made_at: "github.com/settings/tokens" };
/// The link that every Jira has at first.
const LINK_TYPE: &str = "Relates";
/// Where GitHub's methods are called.
const GITHUB_API: &str = "https://api.github.com";
/// How it is addressed where nobody named it.
const BOT: &str = "turnwise";
/// The folder of what threads remember.
const THREADS: &str = "threads";
/// The folder of what was stated.
const CONTEXT: &str = "context";
/// The file of decisions, for conversations that no channel holds.
const DECISIONS: &str = "decisions.md";
/// The folder of tickets where none is named.
const TICKETS: &str = "tickets";
