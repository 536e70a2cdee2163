//! Permits: proof that a step may have effects now. Only [`Conversation::permit`](crate::Conversation::permit) mints
//! one, from an approval in the log; nothing an assistant, a prompt or a stored effect says can make one. Next:
//! `assistant`.

use crate::{RunId, Sequence, StepId};

/// May this attempt at this step run? Holding one is the answer yes.
#[derive(Debug, PartialEq, Eq)]
pub struct Permit {
    run: RunId,
    step: StepId,
    attempt: u32,
    approved: Sequence,
}

/// Why there is no permit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPermit {
    /// The run is over, was stopped, or never was.
    #[error("{0} is not running, so {1} may not start")]
    NotRunning(RunId, StepId),
    /// The run has moved on: this attempt was not asked for, or is over.
    #[error("attempt {2} of {1} in {0} is not the current one")]
    NotCurrent(RunId, StepId, u32),
}

impl Permit {
    pub(crate) fn mint(run: RunId, step: StepId, attempt: u32, approved: Sequence) -> Self {
        Self { run, step, attempt, approved }
    }

    /// The run it is for.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// The step it is for.
    #[must_use]
    pub fn step(&self) -> StepId {
        self.step
    }

    /// The attempt it is for.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The approval it rests on.
    #[must_use]
    pub fn approved(&self) -> Sequence {
        self.approved
    }
}
