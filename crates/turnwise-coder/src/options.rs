//! What an operator settles for the coder: its section of turnwise.yaml. A key that means nothing is an error.
//! Next: `worker`.

use serde::Deserialize;
use turnwise_assistant::{Failure, Section};

/// The section `assistants: { coder: … }`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Options {
    /// Another agent that does what no rule and no model here does.
    pub worker: Option<WorkerOptions>,
}

/// The other agent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorkerOptions {
    /// The program, with its arguments; it speaks the Agent Client Protocol.
    pub command: Vec<String>,
    /// Seconds it may work on one task.
    #[serde(default = "seconds")]
    pub seconds: u32,
}

impl WorkerOptions {
    /// What people call it.
    pub(crate) fn name(&self) -> String {
        turnwise_core::text::clip(&self.command.join(" ").split_whitespace().collect::<Vec<_>>().join(" "), NAME_WIDTH)
    }
}

impl Options {
    /// Reads the section.
    ///
    /// # Errors
    /// When it holds what means nothing.
    pub(crate) fn read(section: &Section) -> Result<Self, Failure> {
        let options: Self = section.read()?;
        let wrong = |told: &str| section.wrong(told).hint(HINT);
        match &options.worker {
            Some(worker) if worker.command.first().is_none_or(|program| program.trim().is_empty()) => {
                Err(wrong("worker: command: it names no program"))
            }
            Some(worker) if !(1..=SECONDS_MAX).contains(&worker.seconds) => {
                Err(wrong(&format!("worker: seconds: it is a number from 1 to {SECONDS_MAX}")))
            }
            _ => Ok(options),
        }
    }
}

/// A section as it is written.
const HINT: &str = "assistants: { coder: { worker: { command: [PROGRAM, ARGUMENT, …] } } }";

/// What an agent may take unless it is said otherwise.
fn seconds() -> u32 {
    600
}

/// Characters of a worker's command that are shown; the whole stands in the step.
const NAME_WIDTH: usize = 60;
/// What it may be allowed: an hour.
const SECONDS_MAX: u32 = 3_600;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use std::path::Path;

    use serde_json::{Value, json};

    use super::*;

    fn read(section: &Value) -> Result<Options, Failure> {
        let text = json!({"assistants": {"coder": section}}).to_string();
        Options::read(&Section::of(Path::new("turnwise.yaml"), &text, "coder"))
    }

    #[test]
    fn a_section_that_means_nothing_is_refused_by_name() {
        for (section, told) in [
            (json!({"workers": {}}), "there is no setting `workers`"),
            (json!({"worker": {"command": []}}), "names no program"),
            (json!({"worker": {"command": ["a"], "seconds": 0}}), "a number from 1 to 3600"),
            (json!({"worker": {"command": "a"}}), "at line 1"),
        ] {
            let error = read(&section).unwrap_err();
            assert!(error.message().contains(told), "{section}: {}", error.message());
        }
        let worker = read(&json!({"worker": {"command": ["a", "b"]}})).unwrap().worker.unwrap();
        assert_eq!((worker.command.len(), worker.seconds), (2, 600));
    }
}
