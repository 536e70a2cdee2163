//! `turnwise why`: how a message is read and why, with scores and thresholds. Next: `turnwise_intent`.

use std::process::ExitCode;

use turnwise_core::{Card, MessageReading, ReadContext};

use super::args::WhyArguments;
use super::open;
use crate::channel::draw::{Look, Paint, card, paint, visible};
use crate::failure::Failure;

/// Prints the readings of `--text`.
///
/// # Errors
/// When there is no such assistant.
pub fn why(arguments: &WhyArguments) -> Result<ExitCode, Failure> {
    let reader = open::reader(&arguments.assistant)?;
    let (heading, readings) = match reader.read(&arguments.text, &ReadContext::default()) {
        MessageReading::Understood { requests, segments } => {
            let does = if requests.len() == segments.len() { "" } else { " (later words overrule earlier ones)" };
            (format!("Understood{does}:"), segments)
        }
        MessageReading::Unsure { options } => {
            ("Not sure enough to act; it would ask. The likely readings:".into(), options)
        }
        MessageReading::UnknownCommand { command, nearest } => {
            let near = nearest.map(|nearest| format!("; the nearest is {nearest}")).unwrap_or_default();
            (format!("There is no command {command}{near}."), Vec::new())
        }
        MessageReading::Empty => ("There is nothing to read.".to_owned(), Vec::new()),
    };
    println!("{}", visible(&heading));
    for line in card(&Card::Why { readings }, Look::pipe()) {
        println!("{}", paint(&line, Paint::Plain));
    }
    Ok(ExitCode::SUCCESS)
}
