//! Opening: arguments become an assistant, a store, and the right conversation. All commands open the same way, so
//! that one finds what another kept. Next: `chat`, `ask`.

use std::path::PathBuf;
use std::sync::Arc;

use turnwise_core::{AssistantName, Conversation, ConversationId, InputBody, PersonId, Phase};
use turnwise_intent::IntentReader;

use super::args::{DataArguments, FlowArguments, StoreArguments};
use super::model;
use super::place::Place;
use super::traces::{self, TraceArguments};
use crate::assistant;
use crate::channel::link::Which;
use crate::driver::{Driver, Listing, Over, Session, SystemClock};
use crate::store::{MemoryStore, SqliteStore, Store, Summary};
use turnwise_assistant::{Failure, FailureKind, Opened, Outlets, Progress, Settings};

/// The person at this machine's keyboard.
#[must_use]
pub fn person() -> PersonId {
    let name = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
    PersonId::new(name.filter(|name| !name.is_empty()).unwrap_or_else(|| NOBODY_NAMED.to_owned()))
}

/// Whom others read of where the system names nobody.
const NOBODY_NAMED: &str = "someone at this machine";

/// The files and folders to read; none where none was named, which each assistant may refuse.
///
/// # Errors
/// When the sample data cannot be written.
fn data(arguments: &DataArguments) -> Result<Vec<PathBuf>, Failure> {
    if arguments.sample { Ok(vec![Place::open()?.sample()?]) } else { Ok(arguments.data.clone()) }
}

/// The assistant `name` over the data that the arguments name. The data is read on a thread of its own, so that a
/// prompt can be drawn meanwhile.
///
/// # Errors
/// When no such assistant works, or what it is to work on cannot be read as a whole.
pub async fn load(name: &str, arguments: &DataArguments, flow: FlowArguments, kept: Kept) -> Result<Opened, Failure> {
    let (name, arguments) = (name.to_owned(), arguments.clone());
    let reading = tokio::task::spawn_blocking(move || loaded(&name, &arguments, flow, kept));
    reading.await.map_err(|panicked| {
        Failure::new(FailureKind::Defect, "reading the data broke down")
            .hint("please report this with the kind of data it happened on")
            .caused_by(panicked)
    })?
}

/// The same, on this thread.
///
/// # Errors
/// As [`load`].
pub fn loaded(name: &str, arguments: &DataArguments, flow: FlowArguments, kept: Kept) -> Result<Opened, Failure> {
    let kind = assistant::named(name)?;
    let reader = super::flow::applied(reader(kind.name)?, flow);
    let models = model::opened(kind.name, &arguments.model)?;
    let told = models.told();
    let section = super::config::section(kind.name)?;
    let (data, state) = (data(arguments)?, kept.state.map(|state| state.join(kind.name)));
    let Kept { below, outlets, progress, .. } = kept;
    let told_to = progress.clone();
    let opened = (kind.open)(Settings { reader, data, below, models, state, outlets, section, progress });
    told_to.end();
    let mut opened = opened?;
    opened.overview.extend(told);
    Ok(opened)
}

/// Where assistants keep what is theirs, and whom they tell how far they are.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The folder below which each conversation has its files; without one, people write where they say.
    pub below: Option<PathBuf>,
    /// The folder below which each assistant keeps what outlives a conversation; without one it keeps that in memory.
    pub state: Option<PathBuf>,
    /// The surface that holds conversations, where one can be spoken to.
    pub outlets: Outlets,
    /// Where it is told how far the opening of one is.
    pub progress: Progress,
}

impl Kept {
    /// Beside the database of conversations: what assistants keep belongs to them. The folder is not made here.
    ///
    /// # Errors
    /// When there is no state folder.
    pub fn beside(store: &StoreArguments, below: Option<PathBuf>) -> Result<Self, Failure> {
        let database = match &store.db {
            _ if store.ephemeral => None,
            Some(file) => Some(file.clone()),
            None => Some(Place::open()?.database()),
        };
        Ok(Self { below, state: database.map(|file| file.with_extension("d")), ..Self::default() })
    }
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

/// Chooses the conversation with `assistant` over what bears this `mark`; where a `member` is named, among those they
/// take part in.
///
/// # Errors
/// When the one asked for is not there, and whatever the store says.
pub async fn choose(
    driver: &Driver,
    assistant: &AssistantName,
    mark: &str,
    which: &Which,
    member: Option<&PersonId>,
) -> Result<Chosen, Failure> {
    let new =
        || Chosen { id: ConversationId::new(format!("{}-{mark}", Driver::new_conversation_id())), resumed: false };
    if *which == Which::New {
        return Ok(new());
    }
    let taken = |summary: Summary| Chosen { id: summary.id, resumed: true };
    if let Which::Named(id) = which {
        let found = driver.conversations(&Listing::of(ConversationId::new(id))).await?.pop();
        // That of somebody else is none, whatever its id.
        let is_theirs = |found: &Summary| member.is_none_or(|member| found.members.contains(member));
        return found.filter(is_theirs).map(taken).ok_or_else(|| no_such(&ConversationId::new(id)));
    }
    let over = Over { assistant: assistant.clone(), ending: format!("-{mark}") };
    let listing = Listing { over: vec![over], member: member.cloned(), ..Listing::default() };
    let latest = driver.conversations(&listing).await?.into_iter().next();
    match (latest, which) {
        (Some(latest), Which::Latest) => Ok(taken(latest)),
        (Some(latest), _) if is_unfinished(driver, &latest).await? => Ok(taken(latest)),
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

/// What is told where there is no conversation `id`, or none of theirs.
pub fn no_such(id: &ConversationId) -> Failure {
    Failure::new(FailureKind::Usage, format!("there is no conversation {id}"))
        .hint("--resume without an id takes the latest over this data")
        .hint("a conversation kept with --db FILE needs the same --db FILE")
}
