//! Which events a workflow step accepts (TK-04), and what a stale button is told (TK-05).
//! Next: `mod` for the routing.

use serde::Serialize;

/// A step of the workflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkflowStep {
    /// One ticket is previewed.
    DraftPreview,
    /// Several are.
    MultiTicketPreview,
    /// A decision is.
    DecisionPreview,
    /// A review goes on.
    ReviewActive,
    /// A review was completed.
    ReviewFrozen,
}

/// What a button, command or modal does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkflowEvent {
    /// Accept what is previewed.
    Approve,
    /// Refuse it.
    Reject,
    /// Change it.
    Edit,
    /// Change one of several.
    EditStory,
    /// Drop it.
    Cancel,
    /// Confirm how many there are.
    ConfirmQuantity,
    /// Show the whole review.
    ShowFull,
    /// Approve a decision of the review.
    ApproveDecision,
}

/// A click that came too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stale {
    /// The step has no such event.
    #[error("This action is no longer available. The workflow has moved on.")]
    NotAvailable,
    /// It was made on an older preview.
    #[error("This preview is outdated. Please use the current version.")]
    Outdated,
}

impl WorkflowStep {
    /// The step of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "draft_preview" => Some(Self::DraftPreview),
            "multi_ticket_preview" => Some(Self::MultiTicketPreview),
            "decision_preview" => Some(Self::DecisionPreview),
            "review_active" => Some(Self::ReviewActive),
            "review_frozen" => Some(Self::ReviewFrozen),
            _ => None,
        }
    }

    /// The events it accepts.
    #[must_use]
    pub fn allowed(self) -> &'static [WorkflowEvent] {
        use WorkflowEvent::{Approve, ApproveDecision, Cancel, ConfirmQuantity, Edit, EditStory, Reject, ShowFull};
        match self {
            Self::DraftPreview => &[Approve, Reject, Edit],
            Self::MultiTicketPreview => &[Approve, EditStory, Cancel, ConfirmQuantity],
            Self::DecisionPreview => &[Approve, Edit, Cancel],
            Self::ReviewActive => &[ShowFull, ApproveDecision],
            Self::ReviewFrozen => &[],
        }
    }
}

/// Whether `event` on version `seen` of the preview may be handled at `step`, whose preview is at version `current`.
///
/// # Errors
/// [`Stale`] says what the person is told.
pub fn accept(step: WorkflowStep, event: WorkflowEvent, seen: u32, current: u32) -> Result<WorkflowEvent, Stale> {
    if !step.allowed().contains(&event) {
        return Err(Stale::NotAvailable);
    }
    if seen != current {
        return Err(Stale::Outdated);
    }
    Ok(event)
}
