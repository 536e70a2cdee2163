//! Runs one step: a query over the sources, or a calculation on facts. What it finds becomes a fact that carries its
//! query, the sources as they were, and what was taken for granted. Next: `wording` for the answer.

use std::time::Duration;

use serde::de::DeserializeOwned;
use turnwise_core::{
    Cell, Confidence, FactName, FactValue, NewFact, SourceKind, SourceStamp, Standing, StepOutcome, StepTask, Table,
    limits,
};

use super::catalogue::Catalogue;
use super::compute::{self, Calculation, Timing};
use super::files::Room;
use super::source::{QueryError, QueryLimits, Workbench};
use super::{absent, drift, files, steps, wording};
use crate::digest;

/// Runs `task` of a conversation whose files are in `room`; `stop` is asked while a query runs.
pub fn run_step(
    bench: &Workbench,
    catalogue: &Catalogue,
    room: &Room,
    task: &StepTask,
    stop: impl Fn() -> bool + Send + 'static,
) -> StepOutcome {
    let Some(name) = task.work.produces.first().cloned() else {
        return StepOutcome::Failed { error: format!("{} produces nothing.", task.work.id) };
    };
    let found = match task.work.tool.as_str() {
        steps::QUERY => query(bench, task, name, stop),
        steps::COMPUTE => compute(task, name),
        steps::INSPECT => files::inspect(room, task, name),
        other => Err(StepOutcome::Failed { error: format!("The analyst has no tool `{other}`.") }),
    };
    match found {
        Ok(fact) => {
            let answer = task.concludes.as_ref().map(|conclusion| {
                let mut answer = wording::answer(conclusion, &fact);
                for note in absent::note(catalogue, conclusion, &fact).into_iter().chain(drift::notes(bench, &fact)) {
                    answer.text = format!("{} {note}", answer.text);
                }
                answer
            });
            StepOutcome::Done { facts: vec![fact], answer }
        }
        Err(outcome) => outcome,
    }
}

fn failed(error: impl Into<String>) -> StepOutcome {
    StepOutcome::Failed { error: error.into() }
}

fn argument<T: DeserializeOwned>(task: &StepTask, name: &str) -> Result<T, StepOutcome> {
    let text = task.work.arguments.get(name).map_or("null", String::as_str);
    serde_json::from_str(text).map_err(|error| failed(format!("{} has a wrong `{name}`: {error}.", task.work.id)))
}

fn query(
    bench: &Workbench,
    task: &StepTask,
    name: FactName,
    stop: impl Fn() -> bool + Send + 'static,
) -> Result<NewFact, StepOutcome> {
    let sql = task.work.arguments.get("sql").ok_or_else(|| failed(format!("{} has no query.", task.work.id)))?;
    let parameters: Vec<Cell> = argument(task, "parameters")?;
    let tables: Vec<String> = argument(task, "tables")?;
    let mut assumptions: Vec<String> = argument(task, "assumes")?;
    // Plans of older logs do not say what they were made over.
    let planned: Option<Vec<String>> = argument(task, "sources")?;
    let timeout = Duration::from_secs(u64::from(task.work.timeout_seconds));
    // Plans of older logs rest on no definitions and do not say so.
    let rests_on: Option<Vec<FactName>> = argument(task, "rests_on")?;
    let rows_max = limits::FACT_ROWS_MAX;
    let limits = QueryLimits { rows_max, timeout };
    let (table, digest) = bench.sealed(&tables, sql, &parameters, limits, stop).map_err(outcome_of)?;
    let stamps = stamps(bench, &tables)?;
    assumptions.extend(planned.iter().flat_map(|planned| drift::since_planned(planned, &stamps)));
    Ok(NewFact {
        name,
        value: FactValue::Table(table),
        source: SourceKind::Data,
        confidence: Confidence::CERTAIN,
        derived_from: rests_on.unwrap_or_default(),
        query: Some(steps::step_text(&task.work.tool, &task.work.arguments, &task.work.needs)),
        stamps,
        assumptions,
        standing: Standing { digest: Some(digest), ..Standing::default() },
        written: None,
    })
}

fn outcome_of(error: QueryError) -> StepOutcome {
    match error {
        QueryError::Stopped => StepOutcome::Cancelled,
        QueryError::Busy | QueryError::ConnectionLost { .. } => StepOutcome::Transient { error: error.to_string() },
        QueryError::TimedOut { .. }
        | QueryError::Refused { .. }
        | QueryError::Wrong { .. }
        | QueryError::Failed { .. }
        | QueryError::Apart { .. }
        | QueryError::SourceGone { .. } => failed(error.to_string()),
    }
}

/// The sources read, as they are now.
fn stamps(bench: &Workbench, tables: &[String]) -> Result<Vec<SourceStamp>, StepOutcome> {
    let mut stamps: Vec<SourceStamp> = Vec::new();
    for name in tables {
        let Some(source) = bench.tables().iter().find(|table| table.name == *name) else {
            return Err(failed(format!("There is no table `{name}` in the data any more.")));
        };
        let stamp = bench.current_stamp(source).map_err(|error| failed(error.to_string()))?;
        if !stamps.contains(&stamp) {
            stamps.push(stamp);
        }
    }
    Ok(stamps)
}

fn compute(task: &StepTask, name: FactName) -> Result<NewFact, StepOutcome> {
    let calculation: Calculation = argument(task, "calculation")?;
    // Plans of older logs know no periods beside those with rows.
    let timing: Option<Timing> = argument(task, steps::TIMING)?;
    let mut tables: Vec<&Table> = Vec::new();
    for needed in &task.work.needs {
        let fact = task.inputs.iter().find(|fact| fact.name() == needed);
        match fact.map(|fact| &fact.body.value) {
            Some(FactValue::Table(table)) => tables.push(table),
            Some(FactValue::Text(_)) => {
                return Err(failed(format!("`{needed}` is a text and cannot be calculated with.")));
            }
            None => return Err(failed(format!("`{needed}` is not known, so {} cannot run.", task.work.id))),
        }
    }
    let done = compute::timed(&calculation, &tables, &timing.unwrap_or_default())
        .map_err(|error| failed(format!("Nothing to show: {error}.")))?;
    let mut stamps: Vec<SourceStamp> = Vec::new();
    for stamp in task.inputs.iter().flat_map(|fact| &fact.body.stamps) {
        if !stamps.contains(stamp) {
            stamps.push(stamp.clone());
        }
    }
    let mut drifted: Vec<String> = Vec::new();
    for note in task.inputs.iter().flat_map(|fact| &fact.body.assumptions).filter(|known| drift::is_note(known)) {
        if !drifted.contains(note) {
            drifted.push(note.clone());
        }
    }
    Ok(NewFact {
        name,
        standing: Standing { digest: Some(digest::of(&done.table)), ..Standing::default() },
        written: None,
        value: FactValue::Table(done.table),
        source: SourceKind::Derived,
        confidence: Confidence::CERTAIN,
        derived_from: task.work.needs.clone(),
        query: Some(steps::step_text(&task.work.tool, &task.work.arguments, &task.work.needs)),
        stamps,
        assumptions: done.notes.into_iter().chain(drifted).collect(),
    })
}
