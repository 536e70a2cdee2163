//! Writing results to files: "… and append it to log.csv", "save it as report.jsonl". The only effects the analyst has.
//!
//! Appending must not happen twice, so it takes two steps: a look at the end of the file, whose outcome is a fact in
//! the log, and the appending, which only happens if the file still ends there. After a crash the same fact tells
//! whether the rows are there. Saving replaces the whole file at once and may run again. Both need a permit, and both
//! are planned with the file's name, so that what is approved is what is written. Next: `clause` for the words, `Room`
//! for where files are, `target` for one that is asked for, `append` and `save` for the effects.

mod append;
mod clause;
mod rows;
mod save;
mod state;
mod target;

use serde::{Deserialize, Serialize};
use turnwise_core::{
    FactName, FactValue, LookUp, NewFact, Permit, SourceKind, StepOutcome, StepTask, Table, WrittenFile,
};

pub use clause::{Asked, Wish, asked};
pub use save::NOTHING;
pub use state::State;
pub use target::{Place, check, resolve, unreadable};

pub use turnwise_assistant::Room;

use super::{steps, wording};
use turnwise_assistant::quoted;

/// What is done with the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Manner {
    /// Rows are added at its end.
    Append,
    /// It is written as a whole.
    Save,
}

/// A file to be written, as the plan's form keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Write {
    /// What is done with it.
    pub manner: Manner,
    /// The file as plans call it: the whole path with links resolved, or the name alone where a conversation has a
    /// folder of its own.
    pub path: String,
}

/// Whether a tool changes something, and so needs a permit.
pub fn is_effect(tool: &str) -> bool {
    matches!(tool, steps::APPEND | steps::SAVE)
}

/// Looks at the end of a file; what it finds is what appending goes by. It must be what the plan said.
pub fn inspect(room: &Room, task: &StepTask, name: FactName) -> Result<NewFact, StepOutcome> {
    let (file, planned) = (argument(task, steps::FILE)?, argument(task, steps::NOW)?);
    let path = room.place(file).map_err(failed)?;
    let state = State::of(&path).map_err(|error| failed(unreadable(file, &error)))?;
    // The plan said how the file stands; appending to what it has become since is not what was approved.
    if state.in_words() != planned {
        return Err(failed(format!(
            "{} is not as it was when the plan was made, so nothing is appended. Say replan and then “the same \
             again”, and the plan says how it stands now.",
            quoted(file)
        )));
    }
    Ok(found(task, name, FactValue::Table(state.table()), Vec::new()))
}

/// Writes a file. The permit must cover this very attempt, arguments included: one kept from another is refused.
pub fn run(room: &Room, task: &StepTask, permit: &Permit, stop: &dyn Fn() -> bool) -> StepOutcome {
    if !permit.covers(task) {
        return failed("This is not what was approved, so nothing was written. This is a defect.".to_owned());
    }
    let written = match task.work.tool.as_str() {
        steps::APPEND => append::append(room, task, stop),
        steps::SAVE => save::save(room, task, stop),
        other => Err(failed(format!("The analyst has no tool `{other}` that writes."))),
    };
    written.and_then(|done_now| done(task, done_now)).unwrap_or_else(|outcome| outcome)
}

/// Whether an attempt at writing, of which nobody heard again, did write.
pub fn look_up(room: &Room, task: &StepTask) -> LookUp {
    if task.work.tool.as_str() != steps::APPEND {
        return LookUp::CannotTell { reason: format!("`{}` keeps no record of what it did", task.work.tool) };
    }
    match append::look_up(room, task) {
        Ok(append::Found::Nothing) => LookUp::DidNotHappen,
        Ok(append::Found::Rows(there)) => match done(task, there) {
            Ok(StepOutcome::Done { facts, answer }) => LookUp::Happened { facts, answer },
            Ok(_) | Err(_) => LookUp::CannotTell { reason: "its outcome cannot be put together again".to_owned() },
        },
        Ok(append::Found::Other(reason)) => LookUp::CannotTell { reason },
        Err(reason) => LookUp::CannotTell { reason },
    }
}

/// What a step did to its file.
pub struct Written {
    /// In words.
    said: String,
    /// The file afterwards.
    file: WrittenFile,
}

/// The outcome of a step that wrote: its fact says what, and where the plan ends with it, the rows are the answer.
fn done(task: &StepTask, Written { said, file }: Written) -> Result<StepOutcome, StepOutcome> {
    let name = task.work.produces.first().cloned();
    let name = name.ok_or_else(|| failed(format!("{} produces nothing.", task.work.id)))?;
    let answer = task.concludes.as_ref().map(|conclusion| {
        let rows = task.inputs.iter().find(|fact| task.work.needs.first() == Some(fact.name()));
        let mut answer = match rows {
            Some(rows) => wording::answer(conclusion, &rows.body),
            None => wording::answer(conclusion, &found(task, name.clone(), FactValue::Text(String::new()), Vec::new())),
        };
        answer.text = format!("{} {said}", answer.text).trim().to_owned();
        answer
    });
    let mut fact = found(task, name, FactValue::Text(said), task.work.needs.clone());
    fact.written = Some(file);
    Ok(StepOutcome::Done { facts: vec![fact], answer })
}

fn found(task: &StepTask, name: FactName, value: FactValue, derived_from: Vec<FactName>) -> NewFact {
    let stamps = task.inputs.iter().flat_map(|fact| fact.body.stamps.iter().cloned()).collect();
    let source = if derived_from.is_empty() { SourceKind::Document } else { SourceKind::Derived };
    NewFact {
        derived_from,
        query: Some(steps::step_text(&task.work.tool, &task.work.arguments, &task.work.needs)),
        stamps,
        ..NewFact::new(name, value, source)
    }
}

fn failed(error: String) -> StepOutcome {
    StepOutcome::Failed { error }
}

fn argument<'a>(task: &'a StepTask, name: &str) -> Result<&'a str, StepOutcome> {
    let value = task.work.arguments.get(name);
    value.map(String::as_str).ok_or_else(|| failed(format!("{} has no `{name}`.", task.work.id)))
}

/// The rows to be written: the first fact the step needs, whole.
fn rows_of(task: &StepTask) -> Result<&Table, String> {
    let Some(name) = task.work.needs.first() else { return Err(format!("{} has no rows to write.", task.work.id)) };
    let Some(FactValue::Table(table)) = table_of(task, name) else { return Err(format!("`{name}` has no rows.")) };
    if (table.rows.len() as u64) < table.total_rows {
        return Err(format!(
            "The result has {} rows, of which a conversation keeps {}; only a whole result is written. Ask for fewer \
             rows, as in “top 100”.",
            table.total_rows,
            table.rows.len()
        ));
    }
    Ok(table)
}

fn table_of<'a>(task: &'a StepTask, name: &FactName) -> Option<&'a FactValue> {
    task.inputs.iter().find(|fact| fact.name() == name).map(|fact| &fact.body.value)
}
