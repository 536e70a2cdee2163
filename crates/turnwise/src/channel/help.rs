//! Help that a surface adds to what an assistant says it can do: commands and keys that the surface alone knows. Next:
//! `terminal`, `line`.

use turnwise_core::{Card, Event};

use super::shelf;

/// Keys of the terminal, and what they do.
pub const KEYS: [(&str, &str); 6] = [
    ("Tab", "complete a /command, the name of a table or column, an @file; again goes on to the next"),
    ("Ctrl+R", "search what you typed before; again goes further back, Enter takes it, Esc gives it up"),
    ("Ctrl+O", "show the steps and queries of a plan that is one line"),
    ("Ctrl+C", "stop what runs or waits; clear what is typed; leave"),
    ("Alt+Enter", "begin a new line, as Ctrl+J and a backslash at the end do"),
    ("Ctrl+L", "clear the window"),
];

/// Adds the commands of a surface that has the person's conversations to those of an assistant, before help.
pub fn add_commands(commands: &mut Vec<(String, String)>) {
    let at = commands.iter().position(|(name, _)| name == HELP).unwrap_or(commands.len());
    commands.insert(at, (shelf::COMMAND.to_owned(), CONVERSATIONS.to_owned()));
}

/// `event`, with the commands of the surface and its `keys` where it is what was said on asking for help.
#[must_use]
pub fn with(event: Event, keys: &[(&str, &str)]) -> Event {
    match event {
        Event::Said { text, card: Some(Card::Help { mut lines }) } if lines.iter().any(|(name, _)| name == HELP) => {
            add_commands(&mut lines);
            let at = lines.iter().rposition(|(name, _)| name.starts_with('/')).map_or(0, |last| last + 1);
            lines.splice(at..at, keys.iter().map(|(name, help)| ((*name).to_owned(), (*help).to_owned())));
            Event::Said { text, card: Some(Card::Help { lines }) }
        }
        other => other,
    }
}

/// The command that is always in what is said on asking for help.
const HELP: &str = "/help";
const CONVERSATIONS: &str = "your conversations; to look at, and to take one up again";
