//! Running steps. Every effect of the copilot begins here, and each asks for a permit that covers this very step with
//! the arguments that were shown. Next: `tool` for what a call is.

use tokio_util::sync::CancellationToken;
use turnwise_core::{
    Answer, EffectClass, FactValue, LookUp, NewFact, Permit, Presentation, SourceKind, StepOutcome, StepTask, text,
};

use super::copilot::Copilot;
use crate::planned::{self, PART};
use crate::tool::{Call, Found, Output, Toolbox, Trouble};

/// What a tool may do to the world, from its name alone: what is not known runs once.
pub(super) fn effect_of(toolbox: &Toolbox, name: &str) -> EffectClass {
    let built_in = toolbox.built_in(name).map(|tool| tool.about().effect);
    let of_server = || toolbox.servers().effect_of(name).map(crate::options::Effect::class);
    built_in.or_else(of_server).unwrap_or(EffectClass::OnceOnly)
}

/// Runs a step.
pub(super) async fn run(
    copilot: &Copilot,
    task: &StepTask,
    permit: &Permit,
    cancelled: CancellationToken,
) -> StepOutcome {
    if !permit.covers(task) {
        return failed("This is not what was approved, so nothing was done. This is a defect.");
    }
    let is_once = task.work.effect == EffectClass::OnceOnly;
    let tool = match copilot.toolbox.find(task.work.tool.as_str()).await {
        Ok(tool) => tool,
        Err(error) => return failed(error),
    };
    let (arguments, mark) = match planned::arguments(task, tool.about()) {
        Ok(arguments) => arguments,
        Err(error) => return failed(error),
    };
    let replaces = task.work.arguments.get(planned::REPLACES).cloned();
    let call = Call { arguments, operation: copilot.operation(task), mark, replaces, stop: cancelled };
    match tool.call(call).await {
        Ok(output) => {
            let (fact, answer) = outcome(task, &output);
            StepOutcome::Done { facts: fact.into_iter().collect(), answer }
        }
        Err(Trouble::Failed(error)) => failed(error),
        // What did not happen may be tried again, but a step that runs once is tried again by a person alone.
        Err(Trouble::Passing(error)) if is_once => failed(error),
        Err(Trouble::Passing(error)) => StepOutcome::Transient { error },
        Err(Trouble::Unknown(reason)) if is_once => StepOutcome::Unknown { reason },
        Err(Trouble::Unknown(error)) => StepOutcome::Transient { error },
        Err(Trouble::Stopped) => StepOutcome::Cancelled,
    }
}

/// Whether an attempt at a step, of which nobody heard again, had its effect.
pub(super) async fn look_up(copilot: &Copilot, task: &StepTask) -> LookUp {
    let Some(tool) = copilot.toolbox.built_in(task.work.tool.as_str()) else {
        let reason = format!("“{}” is a tool of another program, which keeps no record for us", task.work.tool);
        return LookUp::CannotTell { reason };
    };
    match tool.look_up(&copilot.operation(task)).await {
        Found::Done(output) => {
            let (fact, answer) = outcome(task, &output);
            LookUp::Happened { facts: fact.into_iter().collect(), answer }
        }
        Found::NotDone => LookUp::DidNotHappen,
        Found::CannotTell(reason) => LookUp::CannotTell { reason },
    }
}

/// What a step resolved, and the answer where the plan ends with it.
fn outcome(task: &StepTask, output: &Output) -> (Option<NewFact>, Option<Answer>) {
    let fact = task.work.produces.first().map(|name| {
        let mut fact = NewFact::new(name.clone(), FactValue::Text(output.text.clone()), SourceKind::Document);
        fact.query = Some(task.work.description.clone());
        if !output.is_whole {
            fact.assumptions.push(PART.to_owned());
        }
        fact
    });
    let answer =
        task.concludes.as_ref().map(|_| Answer { text: shown(output), table: None, presentation: Presentation::Value });
    (fact, answer)
}

/// What a person sees of an output: its beginning, and that there is more.
fn shown(output: &Output) -> String {
    let mut shown = beginning(output.text.trim_end(), LINES_SHOWN);
    if shown.is_empty() {
        shown.push_str("It is done; nothing was printed.");
    }
    if let Some(note) = &output.note {
        shown.push_str(if shown.contains('\n') { "\n" } else { " " });
        shown.push_str(note);
    }
    shown
}

/// The beginning of a text, and how much of it is left out: lines beyond `lines_max`, and letters where lines are long.
pub(super) fn beginning(whole: &str, lines_max: usize) -> String {
    let lines: Vec<&str> = whole.lines().collect();
    let told = lines.iter().take(lines_max).copied().collect::<Vec<_>>().join("\n");
    let mut shown: String = told.chars().take(LETTERS_SHOWN).collect();
    if shown.len() < told.len() {
        let left_out = told.chars().count() - LETTERS_SHOWN;
        shown.push_str(&format!(" …\n… {}", text::count(left_out, "more letter")));
    }
    if lines.len() > lines_max {
        shown.push_str(&format!("\n… {} more lines", lines.len() - lines_max));
    }
    shown
}

fn failed(error: impl Into<String>) -> StepOutcome {
    StepOutcome::Failed { error: error.into() }
}

/// Lines of an output that an answer shows.
const LINES_SHOWN: usize = 40;
/// Letters of a text that are shown, however few lines they are on.
const LETTERS_SHOWN: usize = 8_000;
