//! Commands: a message that begins with `/` is never classified (CF-07). It is one of the profile's commands, or an
//! error that names the nearest one. Next: `rules`.

use crate::nearest::nearest;
use crate::profile::{Command, Profile};
use crate::words::prefix;

/// Bytes of a command name that are looked at; no profile has longer ones.
const COMMAND_BYTES_MAX: usize = 48;

/// What a message that begins with `/` comes to.
#[derive(Clone, Debug)]
pub enum Dispatch<'p> {
    /// A command, and the words behind it.
    Known {
        /// The command.
        command: &'p Command,
        /// What it says and what follows its name, trimmed; absent when that is nothing.
        argument: Option<String>,
    },
    /// No such command.
    Unknown {
        /// As typed, with its slash.
        command: String,
        /// The nearest there is.
        nearest: Option<String>,
    },
}

/// Dispatches `text`; `None` when it does not begin with a slash.
#[must_use]
pub fn dispatch<'p>(profile: &'p Profile, text: &str) -> Option<Dispatch<'p>> {
    let text = text.trim();
    if !text.starts_with('/') {
        return None;
    }
    let (typed, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let typed = prefix(typed, COMMAND_BYTES_MAX);
    let lower = typed.to_lowercase();
    let names =
        |command: &'p Command| std::iter::once(command.name.as_str()).chain(command.also.iter().map(String::as_str));
    if let Some(command) = profile.commands.iter().find(|command| names(command).any(|name| name == lower)) {
        let said = format!("{} {argument}", command.says.as_deref().unwrap_or_default());
        let argument = Some(said.trim().to_owned()).filter(|argument| !argument.is_empty());
        return Some(Dispatch::Known { command, argument });
    }
    let nearest = nearest(&lower, profile.commands.iter().flat_map(names)).map(str::to_owned);
    Some(Dispatch::Unknown { command: typed.to_owned(), nearest })
}
