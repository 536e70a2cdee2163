//! `turnwise chat`: the terminal where there is one, plain lines elsewhere. Both show the same conversation, so
//! that a script sees what a person sees. Next: `channel::terminal`, `channel::line`.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use super::args::ChatArguments;
use super::open::{self, Loaded, Which};
use super::place::Place;
use crate::channel::terminal::{History, Left};
use crate::channel::{Opened, line, terminal};
use crate::driver::Driver;
use crate::failure::{Failure, FailureKind};

/// Holds a chat until the person leaves or the input ends.
///
/// # Errors
/// When it cannot begin or go on.
pub async fn chat(arguments: ChatArguments) -> Result<ExitCode, Failure> {
    let driver = open::driver(&arguments.store)?;
    // A dumb terminal can be written to but not drawn on.
    let is_dumb = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    let code = if io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb {
        on_terminal(&driver, &arguments).await
    } else {
        in_pipe(&driver, &arguments).await
    };
    let ended = driver.shutdown().await;
    let code = code?;
    ended?;
    Ok(code)
}

async fn on_terminal(driver: &Driver, arguments: &ChatArguments) -> Result<ExitCode, Failure> {
    let (history, lost) = history(arguments);
    let opening = async {
        let mut opened = opened(driver, arguments).await?;
        opened.greeting.extend(lost);
        Ok(opened)
    };
    match terminal::run(opening, history).await? {
        Left::ByPerson => Ok(ExitCode::SUCCESS),
        Left::BySignal(code) => Ok(ExitCode::from(code)),
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

async fn in_pipe(driver: &Driver, arguments: &ChatArguments) -> Result<ExitCode, Failure> {
    let lines = line::read_lines(io::BufReader::new(io::stdin()));
    let opened = opened(driver, arguments).await?;
    let ending = line::run(opened, lines, io::stdout()).await?;
    Ok(ExitCode::from(ending.exit_code()))
}

/// Reads the data and opens the conversation.
async fn opened(driver: &Driver, arguments: &ChatArguments) -> Result<Opened, Failure> {
    let Loaded { assistant, overview, paths, .. } = open::load(&arguments.data, arguments.flow, None).await?;
    let which = match (&arguments.resume, arguments.new) {
        (Some(Some(id)), _) => Which::Named(id.clone()),
        (Some(None), _) => Which::Latest,
        (None, true) => Which::New,
        (None, false) => Which::Unfinished,
    };
    let chosen = open::choose(driver, assistant.name(), &paths, &which).await?;
    let mut greeting = overview;
    if chosen.resumed {
        greeting.push(format!("Going on with conversation {}; --new begins a fresh one.", chosen.id));
    }
    let session = driver.open(chosen.id, assistant).await?;
    let person = open::person();
    open::set_mode(&session, &person, &arguments.data).await?;
    Ok(Opened { session, person, greeting, trouble: driver.trouble() })
}
