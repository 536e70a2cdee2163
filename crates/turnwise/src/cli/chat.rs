//! `turnwise chat`: the terminal where there is one, plain lines elsewhere. Both show the same conversation, so
//! that a script sees what a person sees. Next: `channel::terminal`, `channel::line`, `shelf`, `attach`
//! for `--server`.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

use turnwise_core::{AssistantName, ConversationId, Mode, PersonId};

use super::args::ChatArguments;
use super::attach::{self, Onlooker};
use super::loading;
use super::open;
use super::place::Place;
use super::shelf::{OwnShelf, Stay};
use super::traces;
use crate::assistant::DEFAULT;
use crate::channel::link::Which;
use crate::channel::remote::RemoteShelf;
use crate::channel::shelf::Shelf;
use crate::channel::terminal::{Chosen, History, Left};
use crate::channel::{self, line, terminal};
use crate::driver::{Driver, Listing, Over};
use turnwise_assistant::{Failure, FailureKind};

/// Holds a chat until the person leaves or the input ends.
///
/// # Errors
/// When it cannot begin or go on.
pub async fn chat(mut arguments: ChatArguments) -> Result<ExitCode, Failure> {
    // A dumb terminal can be written to but not drawn on.
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb;
    if let Some(server) = arguments.server.server.clone() {
        let onlooker = if is_terminal { Onlooker::Person } else { Onlooker::Program };
        let server = attach::server(&server, &arguments.server, onlooker)?;
        let shelf = Arc::new(RemoteShelf::new(server.clone()));
        if let Some(left) = choose(&mut arguments, &*shelf, is_terminal).await? {
            return Ok(code(left));
        }
        let mode = arguments.data.mode.map(Mode::from);
        let which = which(&arguments);
        let opening = attach::open(server, &arguments.assistant, &which, mode);
        return held(is_terminal, opening, shelf, &arguments).await;
    }
    let driver = Arc::new(open::recorded_driver(&arguments.store, &arguments.traces)?);
    let stay = if is_terminal { Stay::Person } else { Stay::Script };
    let code = held_here(&driver, stay, arguments).await;
    let ended = driver.shutdown().await;
    traces::tell_trouble(driver.telemetry());
    let code = code?;
    ended?;
    Ok(code)
}

/// Holds a conversation of this machine.
async fn held_here(driver: &Arc<Driver>, stay: Stay, mut arguments: ChatArguments) -> Result<ExitCode, Failure> {
    let is_terminal = stay == Stay::Person;
    let shelf = Arc::new(OwnShelf::new(Arc::clone(driver), open::person(), &arguments, stay)?);
    if let Some(left) = choose(&mut arguments, &*shelf, is_terminal).await? {
        return Ok(code(left));
    }
    let shown = Arc::clone(&shelf);
    held(is_terminal, opened(driver, &shelf, &arguments), shown, &arguments).await
}

/// Lets the person choose among their conversations where they asked for that; how they left, if they chose none. In a
/// pipe nobody chooses: there the latest is meant.
async fn choose(arguments: &mut ChatArguments, shelf: &dyn Shelf, is_terminal: bool) -> Result<Option<Left>, Failure> {
    if !is_terminal || arguments.resume != Some(None) {
        return Ok(None);
    }
    match terminal::choose(shelf).await? {
        Chosen::Nothing(left) => Ok(Some(left)),
        Chosen::Opens(id) => {
            arguments.resume = Some(Some(id.to_string()));
            // It is over what it was begun over, whatever is named or set up for new ones.
            arguments.data.data.clear();
            arguments.data.sample = false;
            Ok(None)
        }
    }
}

/// Holds the conversation that is being opened, on the terminal or in a pipe.
async fn held(
    is_terminal: bool,
    opening: impl Future<Output = Result<channel::Opened, Failure>>,
    shelf: Arc<dyn Shelf>,
    arguments: &ChatArguments,
) -> Result<ExitCode, Failure> {
    if !is_terminal {
        let lines = line::read_lines(io::BufReader::new(io::stdin()));
        let opened = loading::shown(|| shelf.stage(), opening).await?;
        let ending = line::run(opened, &*shelf, lines, io::stdout()).await?;
        return Ok(ExitCode::from(ending.exit_code()));
    }
    let (history, lost) = history(arguments);
    let opening = async {
        let mut opened = opening.await?;
        opened.greeting.extend(lost);
        Ok(opened)
    };
    Ok(code(terminal::run(opening, shelf, history).await?))
}

fn code(left: Left) -> ExitCode {
    match left {
        Left::ByPerson => ExitCode::SUCCESS,
        Left::BySignal(code) => ExitCode::from(code),
    }
}

fn which(arguments: &ChatArguments) -> Which {
    match (&arguments.resume, arguments.new) {
        (Some(Some(id)), _) => Which::Named(id.clone()),
        (Some(None), _) => Which::Latest,
        (None, _) if arguments.goes_on => Which::Latest,
        (None, true) => Which::New,
        (None, false) => Which::Unfinished,
    }
}

/// What was typed before; where it cannot be kept, a history for this session and the reason.
fn history(arguments: &ChatArguments) -> (History, Option<String>) {
    if arguments.store.ephemeral {
        return (History::in_memory(), None);
    }
    let kept = Place::open().and_then(|place| {
        let file = place.history();
        History::open(&file).map_err(|error| {
            Failure::new(FailureKind::Operator, format!("{} cannot be used ({error})", file.display()))
        })
    });
    match kept {
        Ok(history) => (history, None),
        Err(failure) => {
            (History::in_memory(), Some(format!("What you type is not kept for later sessions: {failure}")))
        }
    }
}

/// Reads the data and opens the conversation.
async fn opened(driver: &Driver, shelf: &OwnShelf, arguments: &ChatArguments) -> Result<channel::Opened, Failure> {
    let which = which(arguments);
    let person = open::person();
    if let Some(id) = by_itself(driver, arguments, &which, &person).await? {
        let (opened, session) = shelf.take_up(&id).await?;
        open::set_mode(&session, &person, &arguments.data).await?;
        return Ok(opened);
    }
    let opened = shelf.load(&arguments.assistant, &arguments.data).await?;
    // On a machine that several share, everybody goes on with what they said themselves.
    let chosen = open::choose(driver, opened.assistant.name(), &opened.mark, &which, Some(&person)).await?;
    let mut greeting = opened.overview.clone();
    if chosen.resumed {
        greeting.push(format!("Going on with conversation {}; --new begins a fresh one.", chosen.id));
    }
    let (held, session) = shelf.hold(chosen.id, &opened, greeting).await?;
    open::set_mode(&session, &person, &arguments.data).await?;
    Ok(held)
}

/// The conversation that is taken up over what it was begun over, because nothing to work on was named: the one that is
/// named, or the person's latest. None where it says nothing of that, as with assistants that work on no data.
async fn by_itself(
    driver: &Driver,
    arguments: &ChatArguments,
    which: &Which,
    person: &PersonId,
) -> Result<Option<ConversationId>, Failure> {
    if arguments.data.sample || !arguments.data.data.is_empty() {
        return Ok(None);
    }
    let id = match which {
        Which::New | Which::Unfinished => return Ok(None),
        Which::Named(id) => ConversationId::new(id),
        Which::Latest => {
            let assistant = AssistantName::new(&arguments.assistant);
            let named = (arguments.assistant != DEFAULT).then(|| Over { assistant, ending: String::new() });
            let wanted =
                Listing { over: named.into_iter().collect(), member: Some(person.clone()), ..Listing::default() };
            let latest = driver.conversations(&wanted).await?.into_iter().next();
            latest.map(|latest| latest.id).ok_or_else(|| {
                Failure::new(FailureKind::Usage, "there is no conversation of yours yet")
                    .hint("turnwise chat --data FILE begins one")
            })?
        }
    };
    let begun = driver.begun(&id).await?.ok_or_else(|| open::no_such(&id))?;
    Ok((!begun.sources.is_empty()).then_some(id))
}
