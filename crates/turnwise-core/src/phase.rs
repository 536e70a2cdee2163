//! The five phases and the one function that says which transition is legal (CF-15). Everything else that wants to
//! change the phase goes through [`transition`]; there is no second table. Next: `conversation`.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a conversation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Nothing is planned, waiting or running.
    #[default]
    Idle,
    /// A plan is being drafted, or the draft waits for a clarification.
    Planning,
    /// A plan waits for a person's decision.
    AwaitingApproval,
    /// An approved plan runs.
    Executing,
    /// A run failed and waits for retry, replan or abandon.
    Failed,
}

/// What moves a conversation from phase to phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// A new task.
    PlanNew,
    /// A refinement of the active plan.
    PlanContinue,
    /// A question; never changes the phase.
    Query,
    /// The draft is ready to be decided on.
    PlanReady,
    /// The draft could not be made, or was given up.
    PlanAbandoned,
    /// The plan was approved.
    Approve,
    /// The plan was rejected, to be planned anew.
    Reject,
    /// The person suggested a change.
    Suggest,
    /// Every step is done.
    Complete,
    /// A step failed for good.
    Fail,
    /// Run the failed plan again.
    Retry,
    /// Plan again.
    Replan,
    /// Give the failed run up.
    Abandon,
    /// Stop what runs or waits.
    Cancel,
    /// Run the last plan again.
    Redo,
    /// Nobody decided in the time there was.
    Expire,
    /// What was to take the place of a failed run could not be planned.
    FallBack,
}

/// A transition that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{trigger}` is not possible while {from}: {}", hint(*from))]
pub struct IllegalTransition {
    /// The phase it was tried in.
    pub from: Phase,
    /// What was tried.
    pub trigger: Trigger,
}

/// The phase after `trigger`, or an error that names both ends.
///
/// Beyond the table of CF-15: `cancel` also ends planning, waiting and failure (spec 1, settled choices: "stop" means
/// cancel while something runs or waits), `plan_abandoned` ends a draft that could not be made, a new task while one
/// is being planned, waits or has failed replaces it, `redo` runs the last approved plan from idle,
/// `expire` ends a wait for approval where a time was set for it, and `fall_back` gives a failed run back its place
/// when what was to take it cannot be planned.
///
/// # Errors
/// [`IllegalTransition`] for every pair that is not listed.
pub fn transition(from: Phase, trigger: Trigger) -> Result<Phase, IllegalTransition> {
    use Phase::{AwaitingApproval, Executing, Failed, Idle, Planning};
    use Trigger as T;
    let to = match (from, trigger) {
        (any, T::Query) => any,
        (_, T::PlanContinue) => Planning,
        (Idle | Planning | AwaitingApproval | Failed, T::PlanNew) => Planning,
        (Planning, T::PlanReady) => AwaitingApproval,
        (Planning, T::PlanAbandoned) => Idle,
        (AwaitingApproval, T::Approve) => Executing,
        (AwaitingApproval, T::Reject | T::Suggest) => Planning,
        (Executing, T::Complete) => Idle,
        (Executing, T::Fail) => Failed,
        (Failed, T::Retry) => Executing,
        (Failed | Executing, T::Replan) => Planning,
        (Failed, T::Abandon) => Idle,
        (Planning | AwaitingApproval | Executing | Failed, T::Cancel) => Idle,
        (Idle, T::Redo) => Executing,
        (AwaitingApproval, T::Expire) => Idle,
        (Planning, T::FallBack) => Failed,
        (from, trigger) => return Err(IllegalTransition { from, trigger }),
    };
    Ok(to)
}

impl Phase {
    /// Whether a plan may be approved now (CF-16).
    #[must_use]
    pub fn can_execute(self) -> bool {
        self == Self::AwaitingApproval
    }

    /// Whether a failed run may be tried again now (CF-16).
    #[must_use]
    pub fn can_retry(self) -> bool {
        self == Self::Failed
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Idle => "idle",
            Self::Planning => "planning",
            Self::AwaitingApproval => "awaiting_approval",
            Self::Executing => "executing",
            Self::Failed => "failed",
        })
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::PlanNew => "plan_new",
            Self::PlanContinue => "plan_continue",
            Self::Query => "query",
            Self::PlanReady => "plan_ready",
            Self::PlanAbandoned => "plan_abandoned",
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Suggest => "suggest",
            Self::Complete => "complete",
            Self::Fail => "fail",
            Self::Retry => "retry",
            Self::Replan => "replan",
            Self::Abandon => "abandon",
            Self::Cancel => "cancel",
            Self::Redo => "redo",
            Self::Expire => "expire",
            Self::FallBack => "fall_back",
        })
    }
}

fn hint(from: Phase) -> &'static str {
    match from {
        Phase::Idle => "nothing is planned or running",
        Phase::Planning => "the plan is still being drafted",
        Phase::AwaitingApproval => "a plan waits for your decision",
        Phase::Executing => "a plan is running; say \"stop\" first",
        Phase::Failed => "a run has failed; say retry, replan or abandon",
    }
}
