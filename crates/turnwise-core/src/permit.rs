//! Permits: proof that a step may have effects now. Only [`Conversation::permit`](crate::Conversation::permit) mints
//! one, from an approval in the log; nothing an assistant, a prompt or a stored effect says can make one. Next:
//! `assistant`.
//!
//! What a permit protects: no code outside core can make one, copy one or read one from a file, so a tool that asks for
//! one cannot be called before a person approved, whoever calls it. It names its attempt and carries the plan as it was
//! approved, so a tool that asks [`Permit::covers`] refuses another step, another attempt and changed arguments.
//!
//! What it does not protect: an assistant's code that opens a file or a connection by itself, without a tool that asks
//! for a permit. A permit that is kept still covers its own step, after a stop and a second time; that is why a tool
//! looks at the cancellation as the last thing before its effect, and why one that must not run twice keeps its own
//! account. And whether a tool changes something is what the assistant declares of it.

use std::sync::Arc;

use crate::{Plan, RunId, Sequence, StepId, StepTask};

/// May this attempt at this step run? Holding one is the answer yes.
///
/// It cannot be put together:
///
/// ```compile_fail
/// # use turnwise_core::{Permit, RunId, StepId, Sequence};
/// let forged = Permit { run: RunId::new(1), step: StepId::new(1), attempt: 1, approved: Sequence::new(1) };
/// ```
///
/// nor minted outside of core:
///
/// ```compile_fail
/// let mint = turnwise_core::Permit::mint;
/// ```
///
/// nor copied from a real one:
///
/// ```compile_fail
/// fn twice(permit: &turnwise_core::Permit) -> turnwise_core::Permit {
///     permit.clone()
/// }
/// ```
///
/// nor read from what somebody wrote:
///
/// ```compile_fail
/// let forged: turnwise_core::Permit = serde_json::from_str("{}").unwrap();
/// ```
///
/// while a tool may ask for one and look at it:
///
/// ```
/// fn tool(permit: &turnwise_core::Permit, task: &turnwise_core::StepTask) -> bool {
///     permit.covers(task)
/// }
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Permit {
    run: RunId,
    step: StepId,
    attempt: u32,
    approved: Sequence,
    plan: Arc<Plan>,
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
    pub(crate) fn mint(run: RunId, step: StepId, attempt: u32, approved: Sequence, plan: Arc<Plan>) -> Self {
        Self { run, step, attempt, approved, plan }
    }

    /// Whether it is for this attempt at this step, with these very arguments as they were approved.
    #[must_use]
    pub fn covers(&self, task: &StepTask) -> bool {
        (self.run, self.step, self.attempt) == (task.run, task.step, task.attempt)
            && self.plan.step(self.step) == Some(&task.work)
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
