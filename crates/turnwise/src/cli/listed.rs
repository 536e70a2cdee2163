//! Lists on standard output, for people and for pipes: as wide as a terminal is, and drawn as its environment wants.
//! Next: `conversations`, `pending`.

use std::io::{self, IsTerminal, Write};

use crate::channel::draw::{Line, Look, Paint, paint};
use turnwise_assistant::{Failure, FailureKind};

/// How a list looks there.
pub fn look() -> Look {
    match io::stdout().is_terminal() {
        true => Look::terminal(crossterm::terminal::size().map_or(80, |(columns, _)| columns)),
        false => Look::pipe(),
    }
}

/// Writes its lines.
///
/// # Errors
/// When nothing can be written.
pub fn put(lines: &[Line]) -> Result<(), Failure> {
    let mut out = io::stdout();
    let how = if out.is_terminal() { Paint::of_environment() } else { Paint::Plain };
    lines
        .iter()
        .try_for_each(|line| writeln!(out, "{}", paint(line, how)))
        .map_err(|error| Failure::new(FailureKind::Operator, "the list cannot be written").caused_by(error))
}
