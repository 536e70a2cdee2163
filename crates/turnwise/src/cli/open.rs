//! Opening: arguments become an assistant, a store, and the right conversation. All commands open the same way, so
//! that one finds what another kept. Next: `chat`, `ask`.

use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use turnwise_core::{AssistantName, Conversation, ConversationId, InputBody, PersonId, Phase, text};
use turnwise_intent::IntentReader;

use super::args::{DataArguments, FlowArguments, StoreArguments};
use super::place::Place;
use super::traces::{self, TraceArguments};
use crate::assistant::Assistant;
use crate::assistant::analyst::source::{SourceError, shown};
use crate::assistant::analyst::{Analyst, AnalystError, DataAnalyst, Overview, TableOverview};
use crate::channel::link::Which;
use crate::driver::{Driver, Session, SystemClock};
use crate::failure::{Failure, FailureKind};
use crate::store::{MemoryStore, SqliteStore, Store, Summary};

/// The person at this machine's keyboard.
#[must_use]
pub fn person() -> PersonId {
    let name = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    PersonId::new(name.filter(|name| !name.is_empty()).unwrap_or_else(|| NOBODY_NAMED.to_owned()))
}

/// Whom others read of where the system names nobody.
const NOBODY_NAMED: &str = "someone at this machine";

/// The files and folders to read.
///
/// # Errors
/// When none was named, or the sample data cannot be written.
pub fn data(arguments: &DataArguments) -> Result<Vec<PathBuf>, Failure> {
    if arguments.sample {
        return Ok(vec![Place::open()?.sample()?]);
    }
    if arguments.data.is_empty() {
        return Err(Failure::new(FailureKind::Usage, "no data was named")
            .hint("--data PATH reads CSV, TSV, Parquet, JSON lines or SQLite files, or a folder of them")
            .hint("--data postgres://user@host/database reads a PostgreSQL database, mysql://user@host/database a MySQL one")
            .hint("--data FOLDER reads documents too")
            .hint("--sample tries it on sample data"));
    }
    Ok(arguments.data.clone())
}

/// The assistant that the arguments name, over their data, and the files and folders it was read from. The data is read
/// on a thread of its own, so that a prompt can be drawn meanwhile. Each conversation has a folder for its files `below` the
/// one that is given; without one, people write where they say.
///
/// # Errors
/// When there is no such assistant, no data was named, or it cannot be read as a whole.
pub async fn load(arguments: &DataArguments, flow: FlowArguments, below: Option<PathBuf>) -> Result<Loaded, Failure> {
    let arguments = arguments.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let paths = data(&arguments)?;
        assistant(&arguments.assistant, paths, flow, below)
    });
    reading.await.map_err(|panicked| {
        Failure::new(FailureKind::Defect, "reading the data broke down")
            .hint("please report this with the kind of data it happened on")
            .caused_by(panicked)
    })?
}

/// An assistant and its data.
pub struct Loaded {
    /// The assistant.
    pub assistant: Arc<dyn Assistant>,
    /// What it knows, one paragraph each.
    pub overview: Vec<String>,
    /// What was noticed while the data was read, which may explain an answer.
    pub noticed: Option<String>,
    /// What its data was read from.
    pub paths: Vec<PathBuf>,
}

fn assistant(name: &str, paths: Vec<PathBuf>, flow: FlowArguments, below: Option<PathBuf>) -> Result<Loaded, Failure> {
    let reader = super::flow::applied(reader(name)?, flow);
    let greeting = reader.profile().greeting.clone();
    let analyst = Analyst::open(&paths).map_err(unreadable)?;
    let known = analyst.overview();
    let mut overview: Vec<String> = holds(&known).into_iter().chain(writings(&known)).collect();
    let noticed = noticed(&analyst);
    overview.extend(noticed.clone());
    overview.extend(super::flow::told(reader.profile()));
    overview.push(greeting);
    overview.extend(tries(&known));
    let assistant = DataAnalyst::new(reader, analyst).over(&paths);
    let assistant = Arc::new(match below {
        None => assistant,
        Some(folder) => assistant.keeping_below(folder),
    });
    Ok(Loaded { assistant, overview, noticed, paths })
}

/// What was noticed while the data was read: mixed columns, files passed over. Said at once, because it explains later
/// answers.
fn noticed(analyst: &Analyst) -> Option<String> {
    let bench = analyst.workbench();
    let of_tables =
        bench.tables().iter().flat_map(|table| table.notes.iter().map(|note| format!("{}: {note}", table.name)));
    let notes: Vec<String> =
        analyst.unread().into_iter().chain(bench.notes().iter().cloned()).chain(of_tables).collect();
    let rest = notes.len().saturating_sub(NOTES_SHOWN_MAX);
    let more = if rest > 0 { format!("\n… and {}", text::count(rest, "more note")) } else { String::new() };
    (!notes.is_empty()).then(|| format!("Noticed: {}{more}", notes[..notes.len() - rest].join("\n         ")))
}

/// Questions that work on this very data.
fn tries(overview: &Overview) -> Option<String> {
    let examples: Vec<String> =
        overview.examples.iter().take(TRIES_SHOWN_MAX).map(|text| format!("“{text}”")).collect();
    (!examples.is_empty()).then(|| format!("Try {}.", examples.join(", or ")))
}

/// The tables in one sentence; of many, the first.
fn holds(overview: &Overview) -> Option<String> {
    let name = |table: &TableOverview| {
        format!("{} ({})", table.name, text::count(usize::try_from(table.rows).unwrap_or(usize::MAX), "row"))
    };
    let shown: Vec<String> = overview.tables.iter().take(TABLES_SHOWN_MAX).map(name).collect();
    let rest = overview.tables.len().saturating_sub(TABLES_SHOWN_MAX);
    let more = if rest > 0 { format!(" and {}", text::count(rest, "more table")) } else { String::new() };
    (!shown.is_empty()).then(|| format!("Data: {}{more}.", shown.join(", ")))
}

/// The documents in one sentence; of many, the first.
fn writings(overview: &Overview) -> Option<String> {
    let shown: Vec<String> = overview
        .documents
        .iter()
        .take(TABLES_SHOWN_MAX)
        .map(|(name, passages)| format!("{name} ({})", text::count(*passages, "passage")))
        .collect();
    let rest = overview.documents.len().saturating_sub(TABLES_SHOWN_MAX);
    let more = if rest > 0 { format!(" and {}", text::count(rest, "more document")) } else { String::new() };
    (!shown.is_empty()).then(|| format!("Documents: {}{more}.", shown.join(", ")))
}

/// Data that cannot be opened, as a person is told it.
pub fn unreadable(error: AnalystError) -> Failure {
    let kind = match &error {
        AnalystError::Source(SourceError::Engine { .. }) => FailureKind::Defect,
        AnalystError::Source(SourceError::ServerAway { .. }) => FailureKind::Peer,
        AnalystError::Source(_) | AnalystError::Look(_) => FailureKind::Usage,
    };
    Failure::new(kind, error.to_string()).caused_by(error)
}

/// The reader of the assistant `name`.
///
/// # Errors
/// When there is no such assistant, or the person's own profile is wrong.
pub fn reader(name: &str) -> Result<IntentReader, Failure> {
    super::profiles::reader(name)
}

/// A driver over the store that the arguments name. Must be called within a runtime.
///
/// # Errors
/// When the store cannot be opened.
pub fn driver(arguments: &StoreArguments) -> Result<Driver, Failure> {
    Ok(Driver::new(store(arguments)?, Arc::new(SystemClock)))
}

/// The same, for commands that hold conversations: what they spend their time on is recorded where that is wanted.
///
/// # Errors
/// As [`driver`].
pub fn recorded_driver(arguments: &StoreArguments, traces: &TraceArguments) -> Result<Driver, Failure> {
    let store = store(arguments)?;
    Ok(Driver::recorded(store, Arc::new(SystemClock), traces::start(traces)))
}

fn store(arguments: &StoreArguments) -> Result<Arc<dyn Store>, Failure> {
    let store: Arc<dyn Store> = if arguments.ephemeral {
        Arc::new(MemoryStore::default())
    } else {
        let file = match &arguments.db {
            Some(file) => file.clone(),
            None => {
                let place = Place::open().map_err(|failure| {
                    failure.hint("--db FILE keeps conversations elsewhere, --ephemeral keeps nothing")
                })?;
                place.database()
            }
        };
        Arc::new(SqliteStore::open(&file)?)
    };
    Ok(store)
}

/// A conversation chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Its id.
    pub id: ConversationId,
    /// Whether it was there before.
    pub resumed: bool,
}

/// Chooses the conversation with `assistant` over `paths`.
///
/// # Errors
/// When the one asked for is not there, and whatever the store says.
pub async fn choose(
    driver: &Driver,
    assistant: &AssistantName,
    paths: &[PathBuf],
    which: &Which,
) -> Result<Chosen, Failure> {
    let over = data_mark(paths);
    let new =
        || Chosen { id: ConversationId::new(format!("{}-{over}", Driver::new_conversation_id())), resumed: false };
    if *which == Which::New {
        return Ok(new());
    }
    let known = driver.store().conversations().await?;
    let taken = |summary: &Summary| Ok(Chosen { id: summary.id.clone(), resumed: true });
    if let Which::Named(id) = which {
        let found = known.iter().find(|summary| summary.id.as_str() == id);
        return found.map_or_else(|| Err(no_such(id)), taken);
    }
    let is_over = |summary: &&Summary| &summary.assistant == assistant && summary.id.as_str().ends_with(&over);
    match (known.iter().find(is_over), which) {
        (Some(latest), Which::Latest) => taken(latest),
        (Some(latest), _) if is_unfinished(driver, latest).await? => taken(latest),
        (None, Which::Latest) => Err(Failure::new(FailureKind::Usage, "there is no conversation over this data yet")
            .hint("leave --resume out to begin one")),
        _ => Ok(new()),
    }
}

/// Whether something waits or runs in a conversation.
///
/// # Errors
/// Whatever the store says.
pub async fn is_unfinished(driver: &Driver, summary: &Summary) -> Result<bool, Failure> {
    let Some(loaded) = driver.store().load(&summary.id).await? else { return Ok(false) };
    let state: Conversation = loaded.fold(&summary.id, &summary.assistant)?;
    Ok(state.phase() != Phase::Idle || state.question().is_some() || state.is_busy())
}

/// Puts a conversation into the mode the person asked for at the start, unless it is in it.
///
/// # Errors
/// When the input cannot be taken in.
pub async fn set_mode(session: &Session, person: &PersonId, arguments: &DataArguments) -> Result<(), Failure> {
    let Some(mode) = arguments.mode.map(turnwise_core::Mode::from) else { return Ok(()) };
    if session.conversation().mode() != mode {
        session.submit(InputBody::SetMode { person: person.clone(), mode }, Session::new_key(), None).await?;
    }
    Ok(())
}

/// A short mark of the data a conversation is over, the last part of its id: the same files and folders, in whatever
/// order and however they are written, give the same mark.
pub fn data_mark(paths: &[PathBuf]) -> String {
    // A server's address is the same data with another password.
    let whole = |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| shown(path));
    let mut paths: Vec<PathBuf> = paths.iter().map(whole).collect();
    paths.sort();
    paths.dedup();
    let mut hash = Sha256::new();
    for path in &paths {
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(MARK_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

fn no_such(id: &str) -> Failure {
    Failure::new(FailureKind::Usage, format!("there is no conversation {id}"))
        .hint("--resume without an id takes the latest over this data")
        .hint("a conversation kept with --db FILE needs the same --db FILE")
}

/// Notes about the data told at the start.
const NOTES_SHOWN_MAX: usize = 6;
/// Questions offered at the start.
const TRIES_SHOWN_MAX: usize = 3;
/// Tables named at the start.
const TABLES_SHOWN_MAX: usize = 12;
/// Enough that two data sets of one person do not meet by chance.
const MARK_BYTES: usize = 6;

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::data_mark;

    #[test]
    fn the_same_data_has_the_same_mark_in_any_order() {
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(data_mark(&paths(&["src", "Cargo.toml"])), data_mark(&paths(&["Cargo.toml", "./src", "src"])));
        assert_ne!(data_mark(&paths(&["src"])), data_mark(&paths(&["Cargo.toml"])));
    }
}
