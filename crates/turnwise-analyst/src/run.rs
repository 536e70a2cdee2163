//! Runs one step: a query over the sources, or a calculation on facts. What it finds becomes a fact that carries its
//! query, the sources as they were, and what was taken for granted. Next: `wording` for the answer.

use std::time::Duration;

use serde::de::DeserializeOwned;
use turnwise_core::{
    Cell, Confidence, FactName, FactValue, NewFact, PlanDraft, SourceKind, SourceStamp, Standing, Step, StepOutcome,
    StepTask, Table, limits,
};

use super::catalogue::Catalogue;
use super::compute::{self, Calculated, Calculation, Timing};
use super::source::{QueryError, QueryLimits, Workbench};
use super::whole::{self, Extent};
use super::{absent, drift, files, steps, wording};
use turnwise_assistant::{Room, digest};

/// Runs `task` of a conversation whose files are in `room`; `stop` is asked while a query runs.
pub fn run_step(
    bench: &Workbench,
    catalogue: &Catalogue,
    room: &Room,
    task: &StepTask,
    stop: impl Fn() -> bool + Clone + Send + 'static,
) -> StepOutcome {
    let Some(name) = task.work.produces.first().cloned() else {
        return StepOutcome::Failed { error: format!("{} produces nothing.", task.work.id) };
    };
    let found = match task.work.tool.as_str() {
        steps::QUERY => query(bench, task, name, stop),
        steps::COMPUTE => compute(bench, task, name, &stop),
        steps::INSPECT => files::inspect(room, task, name),
        other => Err(StepOutcome::Failed { error: format!("The analyst has no tool `{other}`.") }),
    };
    match found {
        Ok(mut fact) => {
            let answer = task.concludes.as_ref().map(|conclusion| {
                let mut answer = wording::answer(conclusion, &fact);
                for note in absent::note(catalogue, conclusion, &fact).into_iter().chain(drift::notes(bench, &fact)) {
                    answer.text = format!("{} {note}", answer.text);
                }
                answer
            });
            // Only now: what is said is said of all rows.
            if let FactValue::Table(table) = &mut fact.value {
                table.keep_first(limits::FACT_ROWS_MAX);
            }
            StepOutcome::Done { facts: vec![fact], answer }
        }
        Err(outcome) => outcome,
    }
}

/// What a look at a result may cost: a person waits for the plan.
const AT_ONCE: QueryLimits = QueryLimits { rows_max: 300, timeout: Duration::from_millis(300) };

/// What a plan of one query gives, where that is answered at once.
pub fn at_once(bench: &Workbench, plan: &PlanDraft) -> Option<Table> {
    let [step] = plan.steps.as_slice() else { return None };
    let read = |name: &str| step.arguments.get(name).map(String::as_str);
    let parameters: Vec<Cell> = serde_json::from_str(read("parameters")?).ok()?;
    // A server is not asked for what nobody approved.
    bench.query(read("sql")?, &parameters, AT_ONCE, || false).ok()
}

/// A step that failed for good.
pub fn failed(error: impl Into<String>) -> StepOutcome {
    StepOutcome::Failed { error: error.into() }
}

fn argument<T: DeserializeOwned>(work: &Step, name: &str) -> Result<T, StepOutcome> {
    let text = work.arguments.get(name).map_or("null", String::as_str);
    serde_json::from_str(text).map_err(|error| failed(format!("{} has a wrong `{name}`: {error}.", work.id)))
}

/// What a step's query gives, and the digest of all its rows.
pub fn asked(
    bench: &Workbench,
    work: &Step,
    extent: Extent,
    stop: impl Fn() -> bool + Send + 'static,
) -> Result<(Table, String), StepOutcome> {
    let sql = work.arguments.get("sql").ok_or_else(|| failed(format!("{} has no query.", work.id)))?;
    let parameters: Vec<Cell> = argument(work, "parameters")?;
    let tables: Vec<String> = argument(work, "tables")?;
    let timeout = Duration::from_secs(u64::from(work.timeout_seconds));
    let limits = QueryLimits { rows_max: extent.rows_max(), timeout };
    bench.sealed(&tables, sql, &parameters, limits, stop).map_err(outcome_of)
}

fn query(
    bench: &Workbench,
    task: &StepTask,
    name: FactName,
    stop: impl Fn() -> bool + Send + 'static,
) -> Result<NewFact, StepOutcome> {
    let work = &task.work;
    let tables: Vec<String> = argument(work, "tables")?;
    let mut assumptions: Vec<String> = argument(work, "assumes")?;
    // Plans of older logs do not say what they were made over.
    let planned: Option<Vec<String>> = argument(work, "sources")?;
    // Plans of older logs rest on no definitions and do not say so.
    let rests_on: Option<Vec<FactName>> = argument(work, "rests_on")?;
    let extent = if task.concludes.as_ref().is_some_and(wording::reads_all) { Extent::Whole } else { Extent::Kept };
    let (table, digest) = asked(bench, work, extent, stop)?;
    let stamps = stamps(bench, &tables)?;
    assumptions.extend(planned.iter().flat_map(|planned| drift::since_planned(planned, &stamps)));
    Ok(NewFact {
        name,
        value: FactValue::Table(table),
        source: SourceKind::Data,
        confidence: Confidence::CERTAIN,
        derived_from: rests_on.unwrap_or_default(),
        query: Some(steps::step_text(&work.tool, &work.arguments, &work.needs)),
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

/// What a step calculates from `inputs`, which hold all of their rows.
pub fn calculated(work: &Step, inputs: &[&Table]) -> Result<Calculated, StepOutcome> {
    let calculation: Calculation = argument(work, "calculation")?;
    // Plans of older logs know no periods beside those with rows.
    let timing: Option<Timing> = argument(work, steps::TIMING)?;
    compute::timed(&calculation, inputs, &timing.unwrap_or_default())
        .map_err(|error| failed(format!("Nothing to show: {error}.")))
}

fn compute(
    bench: &Workbench,
    task: &StepTask,
    name: FactName,
    stop: &(impl Fn() -> bool + Clone + Send + 'static),
) -> Result<NewFact, StepOutcome> {
    let inputs = whole::inputs(bench, task, stop)?;
    let done = calculated(&task.work, &inputs.iter().map(AsRef::as_ref).collect::<Vec<_>>())?;
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
