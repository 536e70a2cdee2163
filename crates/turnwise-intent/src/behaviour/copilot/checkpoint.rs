//! The points at which a person decides, and the choices of each (FL-02, FL-03, FL-06). Codes are fixed; labels are what
//! an assistant shows. What an assistant does at which point is its flow. Next: `mod`, which opens them, `profile::Flow`.

use serde::Serialize;

use crate::behaviour::Choice;

/// A point at which a person decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Checkpoint {
    /// Something is missing.
    Clarification,
    /// A plan is ready.
    PlanApproval,
    /// A simple task is done.
    Satisfaction,
    /// The same, where the surface shows a dialog.
    SatisfactionDialog,
    /// Steps are running.
    ExecutionControl,
    /// The talk goes on.
    Conversation,
}

impl Checkpoint {
    /// What can be chosen, in this order.
    #[must_use]
    pub fn options(self) -> Vec<Choice> {
        let choices: &[(&str, &str)] = match self {
            Self::Clarification => &[("Submit", "submit"), ("Skip", "skip")],
            Self::PlanApproval => {
                &[("Approve", "approve"), ("Modify", "modify"), ("Re-plan", "replan"), ("Cancel", "cancel")]
            }
            Self::Satisfaction => {
                &[("Yes, done", "satisfied"), ("Needs changes", "needs_changes"), ("Start over", "start_over")]
            }
            Self::SatisfactionDialog => {
                &[("Satisfied", "satisfied"), ("Needs Changes", "needs_changes"), ("Start Over", "start_over")]
            }
            Self::ExecutionControl => &[("Pause", "pause")],
            Self::Conversation => &[("Implement Now", "implement_now")],
        };
        choices.iter().map(|(label, action)| Choice::new(*label, action)).collect()
    }
}
