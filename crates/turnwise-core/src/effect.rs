//! Effects: what we ask of the world, as data. They name work by id only; what to do is read from the conversation when
//! the effect is performed ([`Conversation::task`](crate::Conversation::task) and its siblings), so work that was
//! overtaken in the meantime is not started at all. Next: the driver.

use serde::{Deserialize, Serialize};

use crate::{PendingId, RequestId, RunId, StepId, Timestamp};

/// Work for the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
pub enum Effect {
    /// Ask the assistant for a draft.
    DraftPlan {
        /// Reported back under this id.
        request: RequestId,
    },
    /// Ask the assistant to answer.
    AnswerQuestion {
        /// Reported back under this id.
        request: RequestId,
    },
    /// Ask a model which reading of a message is meant.
    Hear {
        /// Reported back under the question to the person that stands meanwhile.
        pending: PendingId,
    },
    /// Run a step.
    StartStep {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt, from 1.
        attempt: u32,
    },
    /// Ask the tool whether an attempt had its effect.
    LookUpStep {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt.
        attempt: u32,
    },
    /// Tell the running steps of a run to give up.
    StopRun {
        /// The run.
        run: RunId,
    },
    /// Report [`Woke`](crate::Report::Woke) at a time.
    WakeAt {
        /// When.
        at: Timestamp,
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt that failed.
        attempt: u32,
    },
    /// Report [`TimedOut`](crate::Report::TimedOut) at a time.
    ExpireAt {
        /// When.
        at: Timestamp,
        /// The question.
        pending: PendingId,
    },
    /// Tell surfaces that the person left.
    CloseSurface,
}
