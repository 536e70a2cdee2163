//! Running a step again without a conversation: the same query over the data at hand, or the same calculation over
//! what its inputs come to now. It needs no plan and no approval, because it changes nothing. Next: `run`, which
//! does the same within a run.

use std::collections::BTreeMap;
use std::time::Duration;

use turnwise_core::{Cell, FactName, SourceStamp, Table, ToolName, limits};

use super::Analyst;
use super::compute::{self, Calculation, Timing};
use super::source::{QueryError, QueryLimits};
use super::steps;
use super::whole::Extent;
use turnwise_assistant::digest;

/// Time a query may take when it is run again: as long as it had when it was found. A proof is made by somebody else,
/// and may hold a query that never ends.
const TIME_MAX: Duration = Duration::from_secs(limits::STEP_TIMEOUT_SECONDS as u64);

impl Analyst {
    /// The stamp of the source of this name as it is now; none when it is not among the data.
    #[must_use]
    pub fn stamp(&self, source: &str) -> Option<SourceStamp> {
        let table = self.bench.tables().iter().find(|table| table.stamp.name == source)?;
        self.bench.current_stamp(table).ok()
    }

    /// A step's work as it is shown to people.
    #[must_use]
    pub fn told(tool: &ToolName, arguments: &BTreeMap<String, String>, needs: &[FactName]) -> String {
        steps::step_text(tool, arguments, needs)
    }

    /// Runs a step's work again over the data and all rows of its inputs; gives its rows and the digest of all. Of a
    /// query these are those that a fact keeps, unless something is calculated from them.
    ///
    /// # Errors
    /// Why it cannot be run.
    pub fn rerun(
        &self,
        tool: &str,
        arguments: &BTreeMap<String, String>,
        inputs: &[&Table],
        extent: Extent,
    ) -> Result<(Table, String), String> {
        let argument = |name: &str| arguments.get(name).map_or("null", String::as_str);
        match tool {
            steps::QUERY => {
                let parameters: Vec<Cell> = serde_json::from_str(argument("parameters"))
                    .map_err(|error| format!("its parameters cannot be read: {error}"))?;
                let limits = QueryLimits { rows_max: extent.rows_max(), timeout: TIME_MAX };
                let tables: Vec<String> = serde_json::from_str(argument("tables"))
                    .map_err(|error| format!("its tables cannot be read: {error}"))?;
                let done = self.bench.sealed(&tables, argument("sql"), &parameters, limits, || false);
                done.map_err(|error| match error {
                    QueryError::TimedOut { seconds } => format!("it was stopped after {seconds} s"),
                    other => other.to_string(),
                })
            }
            steps::COMPUTE => {
                let calculation: Calculation = serde_json::from_str(argument("calculation"))
                    .map_err(|error| format!("its calculation cannot be read: {error}"))?;
                let timing: Option<Timing> = serde_json::from_str(argument(steps::TIMING))
                    .map_err(|error| format!("its periods cannot be read: {error}"))?;
                let done = compute::timed(&calculation, inputs, &timing.unwrap_or_default())
                    .map_err(|error| error.to_string())?;
                let digest = digest::of(&done.table);
                Ok((done.table, digest))
            }
            other => Err(format!("the analyst does not run `{other}` again")),
        }
    }
}
