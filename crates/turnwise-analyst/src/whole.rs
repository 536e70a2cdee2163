//! All rows of what a step calculates with. A fact keeps the first of many rows, so that a log stays small; a total, a
//! share or a rank over these alone would be wrong without anybody seeing it. What was cut is therefore found again, by
//! the steps that found it, which change nothing. Next: `run`, which calculates, and `rerun`, which checks proofs.

use std::borrow::Cow;

use turnwise_core::{Fact, FactName, FactValue, StepOutcome, StepTask, Table, Upstream, limits};

use super::run::{asked, calculated, failed};
use super::source::Workbench;
use super::steps;

/// Rows that are calculated with: the most that a few copies of fit into the memory of a small machine.
pub const WHOLE_ROWS_MAX: usize = 500_000;

/// How much of a result is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The rows that a fact keeps.
    Kept,
    /// All rows, because something is worked out from them.
    Whole,
}

impl Extent {
    /// Rows taken in at most.
    pub fn rows_max(self) -> usize {
        match self {
            Self::Kept => limits::FACT_ROWS_MAX,
            Self::Whole => WHOLE_ROWS_MAX,
        }
    }
}

/// What `task` calculates with, in the order it needs them, each with all of its rows.
///
/// # Errors
/// What cannot be had as a whole, and why.
pub fn inputs<'a>(
    bench: &Workbench,
    task: &'a StepTask,
    stop: &(impl Fn() -> bool + Clone + Send + 'static),
) -> Result<Vec<Cow<'a, Table>>, StepOutcome> {
    let whole = |needed: &FactName| {
        let fact = task.inputs.iter().find(|fact| fact.name() == needed);
        match fact.map(|fact| &fact.body.value) {
            Some(FactValue::Table(table)) if !table.is_cut() => Ok(Cow::Borrowed(table)),
            Some(FactValue::Table(_)) => again(bench, &task.behind, needed, stop).map(Cow::Owned),
            Some(FactValue::Text(_)) => Err(failed(format!("`{needed}` is a text and cannot be calculated with."))),
            None => Err(failed(format!("`{needed}` is not known, so {} cannot run.", task.work.id))),
        }
    };
    task.work.needs.iter().map(whole).collect()
}

/// Finds all rows of a fact by doing again what found it.
fn again(
    bench: &Workbench,
    behind: &[Upstream],
    name: &FactName,
    stop: &(impl Fn() -> bool + Clone + Send + 'static),
) -> Result<Table, StepOutcome> {
    let Some(made) = behind.iter().find(|made| made.work.produces.contains(name)) else {
        let kept = limits::FACT_ROWS_MAX;
        return Err(failed(format!(
            "Only the first {kept} rows of `{name}` were kept, and how the others were found is not known here: ask for \
             it again."
        )));
    };
    let table = match made.work.tool.as_str() {
        steps::QUERY => {
            let (table, digest) = asked(bench, &made.work, Extent::Whole, stop.clone())?;
            if made.fact.as_ref().is_some_and(|fact| is_other(fact, &table, &digest)) {
                let text = "the data changed since, so its rows do not fit together any more: ask the question again.";
                return Err(failed(format!("`{name}` was found before, and {text}")));
            }
            table
        }
        steps::COMPUTE => {
            let needs = made.work.needs.iter().map(|needed| match held(behind, needed) {
                Some(table) => Ok(Cow::Borrowed(table)),
                None => again(bench, behind, needed, stop).map(Cow::Owned),
            });
            let inputs: Vec<Cow<'_, Table>> = needs.collect::<Result<_, _>>()?;
            calculated(&made.work, &inputs.iter().map(AsRef::as_ref).collect::<Vec<_>>())?.table
        }
        _ => return Err(failed(format!("`{name}` is no result of the data and cannot be calculated with."))),
    };
    if table.is_cut() {
        let total = table.total_rows;
        return Err(failed(format!(
            "Nothing to show: `{name}` has {total} rows, more than the {WHOLE_ROWS_MAX} that can be calculated with. \
             Ask for a shorter time or larger groups."
        )));
    }
    Ok(table)
}

/// A fact that was kept with all of its rows.
fn held<'a>(behind: &'a [Upstream], name: &FactName) -> Option<&'a Table> {
    let fact = behind.iter().filter_map(|made| made.fact.as_deref()).find(|fact| fact.name() == name)?;
    match &fact.body.value {
        FactValue::Table(table) if !table.is_cut() => Some(table),
        FactValue::Table(_) | FactValue::Text(_) => None,
    }
}

/// Whether the rows found now are not those of the fact.
fn is_other(fact: &Fact, table: &Table, digest: &str) -> bool {
    match (&fact.body.value, &fact.body.standing.digest) {
        (_, Some(known)) => known != digest,
        // Facts of older logs have no digest.
        (FactValue::Table(kept), None) => {
            let first = table.rows.iter().take(kept.rows.len());
            kept.total_rows != table.total_rows || !kept.rows.iter().eq(first)
        }
        (FactValue::Text(_), None) => true,
    }
}
