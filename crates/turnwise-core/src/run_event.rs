//! What becomes of a run, as events: approved, paced, its steps, its end. They are kept apart from the other events
//! because the driver's work reports in them. Next: `event`, whose log they are part of.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Answer, ApprovalMode, Fact, PersonId, Plan, RunId, StepId, Timestamp, Trigger};

/// What happens to a run. Permits rest on `Approved` alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum RunEvent {
    /// A person approved; the run begins. Permits rest on this event alone.
    Approved {
        /// Who.
        person: PersonId,
        /// The run.
        run: RunId,
        /// The plan and version approved, as it was shown.
        plan: Arc<Plan>,
        /// Steps whose facts are already resolved under their names.
        kept: Vec<StepId>,
        /// What moved the conversation to executing: `approve`, `retry` or `redo`.
        trigger: Trigger,
        /// The remark that came with a yes.
        note: Option<String>,
        /// Where the run waits for the person between its steps, as it was asked about; absent in older logs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checkpoints: Option<ApprovalMode>,
    },
    /// At most this many further steps start before the run waits for the person; without a number, all of them.
    Paced {
        /// The run.
        run: RunId,
        /// How many.
        steps: Option<u32>,
        /// Whether a person said to wait, and not how work is gone about: then only a person lets it go on.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_hand: bool,
    },
    /// An attempt at a step began.
    StepStarted {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// From 1.
        attempt: u32,
    },
    /// A step is done.
    StepCompleted {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// What it resolved.
        facts: Vec<Arc<Fact>>,
        /// The answer, from the concluding step.
        answer: Option<Answer>,
    },
    /// An attempt failed in a way that may pass.
    StepPostponed {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt that failed.
        attempt: u32,
        /// What happened.
        error: String,
        /// When the next attempt starts.
        until: Timestamp,
    },
    /// Nobody knows whether an attempt at a step that must not run twice had its effect.
    StepLost {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt.
        attempt: u32,
        /// What is known about it.
        reason: String,
    },
    /// A step failed for good.
    StepFailed {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// What happened.
        error: String,
    },
    /// Every step is done.
    Completed {
        /// The run.
        run: RunId,
    },
    /// Nothing can go on after a failure.
    Failed {
        /// The run.
        run: RunId,
    },
    /// A person stopped the run. No effect of it starts after this event.
    Stopped {
        /// The run.
        run: RunId,
        /// What stopped it: `cancel`, `replan` or `plan_continue`.
        trigger: Trigger,
    },
}
