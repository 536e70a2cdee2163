//! Running a step of a proof again: the same query over the data at hand, or the same calculation over what its inputs
//! come to now. It needs no plan, no approval and no conversation, because it changes nothing. Next: `proof::rerun`.

use std::time::Duration;

use turnwise_core::{Cell, SourceStamp, Table, limits};

use super::Analyst;
use super::compute::{self, Calculation};
use super::source::QueryLimits;
use super::steps;
use crate::digest;
use crate::proof::document::Work;
use crate::proof::limits::RERUN_SECONDS_MAX;
use crate::proof::rerun::Rerun;

impl Rerun for Analyst {
    fn stamp(&self, source: &str) -> Option<SourceStamp> {
        let table = self.bench.tables().iter().find(|table| table.stamp.name == source)?;
        self.bench.current_stamp(table).ok()
    }

    fn rerun(&self, work: &Work, inputs: &[&Table]) -> Result<(Table, String), String> {
        let argument = |name: &str| work.arguments.get(name).map_or("null", String::as_str);
        match work.tool.as_str() {
            steps::QUERY => {
                let parameters: Vec<Cell> = serde_json::from_str(argument("parameters"))
                    .map_err(|error| format!("its parameters cannot be read: {error}"))?;
                let timeout = Duration::from_secs(RERUN_SECONDS_MAX);
                let limits = QueryLimits { rows_max: limits::FACT_ROWS_MAX, timeout };
                self.bench.sealed(argument("sql"), &parameters, limits, || false).map_err(|error| error.to_string())
            }
            steps::COMPUTE => {
                let calculation: Calculation = serde_json::from_str(argument("calculation"))
                    .map_err(|error| format!("its calculation cannot be read: {error}"))?;
                let done = compute::calculate(&calculation, inputs).map_err(|error| error.to_string())?;
                let digest = digest::of(&done.table);
                let mut table = done.table;
                // As the conversation kept it: what builds on it saw no more rows.
                table.rows.truncate(limits::FACT_ROWS_MAX);
                Ok((table, digest))
            }
            other => Err(format!("the analyst has no tool `{other}`")),
        }
    }
}
