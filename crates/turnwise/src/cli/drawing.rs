//! `turnwise ask --chart FILE`: the result of the question as a chart in a file. What cannot become a file is told
//! before anything runs. Next: `channel::keeping`.

use turnwise_core::{Conversation, Existing, FactValue, Ground, Presentation};

use super::args::{ChartArguments, Theme};
use crate::channel::ending::Ending;
use crate::channel::keeping;
use turnwise_assistant::{Failure, FailureKind};
use turnwise_chart::{Format, KeepError, natural};

/// Whether the file's name can hold a chart.
///
/// # Errors
/// When its ending says no format.
pub fn check(arguments: &ChartArguments) -> Result<(), Failure> {
    match &arguments.file {
        Some(file) if Format::of(file).is_none() => {
            let error = KeepError::Ending { file: file.display().to_string() };
            Err(Failure::new(FailureKind::Usage, error.to_string()).hint("--chart result.svg"))
        }
        Some(_) | None => Ok(()),
    }
}

/// Draws the result of what ended, where a chart was asked for; what was done, in words.
///
/// # Errors
/// When there is nothing to draw, something else is in the file's place, or it cannot be written.
pub fn draw(arguments: &ChartArguments, state: &Conversation, ended: Ending) -> Result<Option<String>, Failure> {
    let Some(file) = arguments.file.as_ref().filter(|_| ended == Ending::Done) else { return Ok(None) };
    let Some(fact) = state.result() else {
        return Err(Failure::new(FailureKind::Usage, "no chart was written: the answer came without a result to draw"));
    };
    let plan = state.plan().filter(|plan| plan.draft().result == *fact.name());
    let fact = plan.and_then(|plan| state.facts().get(plan.draft().drawn_from())).unwrap_or(fact);
    let planned = plan.map_or(Presentation::Table, |plan| plan.draft().presentation);
    let presentation = match &fact.body.value {
        // The rows may say more than the plan: shares are parts of a whole, whatever the plan shows them as.
        FactValue::Table(table) => natural(table, planned).presentation(),
        FactValue::Text(_) => planned,
    };
    let existing = if arguments.replace { Existing::Replaced } else { Existing::Stays };
    let ground = match arguments.theme {
        Some(Theme::Light) => Ground::Light,
        Some(Theme::Dark) => Ground::Dark,
        None => Ground::AsViewed,
    };
    keeping::draw(state, fact, presentation, &keeping::asked(file, existing, ground)).map(Some)
}
