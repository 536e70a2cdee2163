//! `turnwise why`: how a message is read and why, with scores and thresholds. A reading that cannot be explained
//! cannot be trusted with a yes. Next: `turnwise_intent`.

use std::process::ExitCode;

use turnwise_core::{Card, MessageReading, ReadContext, Reader as _, Reading};
use turnwise_intent::{Label, Profile};

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
    for reading in readings {
        let thresholds = thresholds(reader.profile(), &reading);
        for line in card(&Card::Why { readings: vec![reading] }, Look::pipe()) {
            println!("{}", paint(&line, Paint::Plain));
        }
        println!("    {thresholds}");
    }
    Ok(ExitCode::SUCCESS)
}

/// What the reading had to reach to be acted on.
fn thresholds(profile: &Profile, reading: &Reading) -> String {
    let primary = Label::primary(&reading.intent);
    let of_primary = format!("threshold {primary} {:.2}", profile.threshold(&primary));
    match &reading.sub {
        None => of_primary,
        Some(_) => {
            let label = Label { primary: reading.intent.clone(), sub: reading.sub.clone() };
            format!("{of_primary}, {label} {:.2}", profile.threshold(&label))
        }
    }
}
