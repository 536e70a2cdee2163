//! `turnwise chat`: the terminal where there is one, plain lines elsewhere. Both show the same conversation, so
//! that a script sees what a person sees. Next: `channel::terminal`, `channel::line`, `attach` for `--server`.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

use turnwise_core::Mode;

use super::args::ChatArguments;
use super::attach::{self, Onlooker};
use super::open;
use super::place::Place;
use super::taking_up::TakingUp;
use super::traces;
use crate::channel::link::{Local, Notices, Which};
use crate::channel::terminal::{History, Left};
use crate::channel::{self, line, terminal};
use crate::driver::Driver;
use turnwise_assistant::{Failure, FailureKind};

/// Holds a chat until the person leaves or the input ends.
///
/// # Errors
/// When it cannot begin or go on.
pub async fn chat(arguments: ChatArguments) -> Result<ExitCode, Failure> {
    // A dumb terminal can be written to but not drawn on.
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb;
    if let Some(server) = &arguments.server.server {
        let onlooker = if is_terminal { Onlooker::Person } else { Onlooker::Program };
        let mode = arguments.data.mode.map(Mode::from);
        let which = which(&arguments);
        let opening = attach::open(server, &arguments.server, onlooker, &arguments.assistant, &which, mode);
        return held(is_terminal, opening, &arguments).await;
    }
    let driver = open::recorded_driver(&arguments.store, &arguments.traces)?;
    let code = held(is_terminal, opened(&driver, &arguments, is_terminal), &arguments).await;
    let ended = driver.shutdown().await;
    traces::tell_trouble(driver.telemetry());
    let code = code?;
    ended?;
    Ok(code)
}

/// Holds the conversation that is being opened, on the terminal or in a pipe.
async fn held(
    is_terminal: bool,
    opening: impl Future<Output = Result<channel::Opened, Failure>>,
    arguments: &ChatArguments,
) -> Result<ExitCode, Failure> {
    if !is_terminal {
        let lines = line::read_lines(io::BufReader::new(io::stdin()));
        let ending = line::run(opening.await?, lines, io::stdout()).await?;
        return Ok(ExitCode::from(ending.exit_code()));
    }
    let (history, lost) = history(arguments);
    let opening = async {
        let mut opened = opening.await?;
        opened.greeting.extend(lost);
        Ok(opened)
    };
    match terminal::run(opening, history).await? {
        Left::ByPerson => Ok(ExitCode::SUCCESS),
        Left::BySignal(code) => Ok(ExitCode::from(code)),
    }
}

fn which(arguments: &ChatArguments) -> Which {
    match (&arguments.resume, arguments.new) {
        (Some(Some(id)), _) => Which::Named(id.clone()),
        (Some(None), _) => Which::Latest,
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
async fn opened(driver: &Driver, arguments: &ChatArguments, is_terminal: bool) -> Result<channel::Opened, Failure> {
    let kept = open::Kept::beside(&arguments.store, None)?;
    let opening = open::load(&arguments.assistant, &arguments.data, arguments.flow, kept.clone());
    let opened = opening.await?;
    let assistant = Arc::clone(&opened.assistant);
    let person = open::person();
    // An assistant at the side of one person goes on with what that person said, on a machine that several share.
    let member = assistant.goes_along().then_some(&person);
    let chosen = open::choose(driver, assistant.name(), &opened.mark, &which(arguments), member).await?;
    let mut greeting = opened.overview.clone();
    if chosen.resumed {
        greeting.push(format!("Going on with conversation {}; --new begins a fresh one.", chosen.id));
    }
    let session = driver.open(chosen.id, assistant).await?;
    open::set_mode(&session, &person, &arguments.data).await?;
    let (sender, notices) = Notices::channel();
    Notices::of_driver(sender.clone(), driver.trouble());
    if is_terminal {
        // A script is over in a moment: it would only begin what it has to leave again.
        let tell = move |told| drop(sender.send(told));
        driver.look_after(Arc::new(TakingUp::new(vec![opened], kept, tell)));
    }
    Ok(channel::Opened { link: Arc::new(Local::new(session, person)), greeting, notices })
}
