//! Open questions to a person, and how they end. A question waits as long as it takes (CF-17): silence, closing or an
//! error is never an answer. Next: `decide::answer`.

use serde::{Deserialize, Serialize};

use crate::patch::Patch;
use crate::{
    ApprovalMode, Clarification, Decider, Effect, FactName, PendingId, PersonId, PlanId, PlanKind, PointSort, Reading,
    RunId, Sequence, StepId, Timestamp,
};

/// A question that waits for a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pending {
    /// Its id; survives reloads.
    pub id: PendingId,
    /// Counts up whenever what a person is asked to decide on changes; a decision must name the current one.
    pub ui_version: u32,
    /// The event that opened it.
    pub opened: Sequence,
    /// Whether it is shown again after a digression; "hold on" turns that off.
    pub quiet: bool,
    /// Whether the talk went elsewhere since it was last shown. Until it is shown again, a bare yes may mean something
    /// else and is not taken as its answer.
    pub digressed: bool,
    /// When it was asked; absent in logs of before this was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// Who may answer; empty for anyone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvers: Vec<PersonId>,
    /// From when on it cannot be answered any more; it then ends as expired. By default never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Timestamp>,
    /// Where the run would wait for the person between its steps; absent for what is no plan, and in older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoints: Option<ApprovalMode>,
    /// Whether a fix of what failed can be proposed; of no other question.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_fixable: bool,
    /// What is asked.
    pub kind: PendingKind,
}

/// What a person is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "asks", rename_all = "snake_case")]
pub enum PendingKind {
    /// May this version of the plan run?
    Approval {
        /// The plan.
        plan: PlanId,
        /// The version the question is about; no other version is approved by its answer.
        version: u32,
    },
    /// The assistant needs to know something before it can draft.
    Clarification {
        /// What it asks.
        clarification: Clarification,
    },
    /// The plan was rejected, or stopped to be changed, without saying what should be different.
    Redirection,
    /// The message could mean several things.
    WhichReading {
        /// The message.
        text: String,
        /// The likely readings, best first.
        options: Vec<Reading>,
        /// The words of the message that name things the assistant knows.
        grounding: Vec<String>,
    },
    /// A run failed: retry, replan or abandon?
    Failure {
        /// The run.
        run: RunId,
    },
    /// The run waits at a step boundary: go on, change something, or stop?
    Paused {
        /// The run.
        run: RunId,
    },
    /// Did an attempt at a step that must not run twice have its effect?
    UnknownOutcome {
        /// The run.
        run: RunId,
        /// The step.
        step: StepId,
        /// The attempt.
        attempt: u32,
        /// What is known about it.
        reason: String,
    },
    /// Really forget a fact that others rest on? They go with it.
    ConfirmForget {
        /// The fact.
        name: FactName,
    },
    /// Is what was talked over to be planned now?
    TalkedOver {
        /// What was said, in order.
        points: Vec<String>,
        /// How the plan should be shaped.
        kind: PlanKind,
        /// Which points, from 0, are questions of their own rather than said about the one before; older logs do not
        /// say.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        own: Vec<usize>,
        /// What each point is to the task; empty where all are simply wanted.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sorts: Vec<PointSort>,
    },
    /// Did what ran without being asked about meet the need (FL-06)?
    Satisfaction {
        /// The run.
        run: RunId,
    },
    /// Really leave?
    ConfirmExit,
}

/// How a question ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// An unambiguous yes.
    Approved,
    /// A no.
    Rejected,
    /// A change was asked for instead.
    Changed,
    /// Answered with a choice or words.
    Answered,
    /// Dropped together with what it was about.
    Cancelled,
    /// Overtaken by a newer question or task.
    Superseded,
    /// Nobody answered while it could be answered.
    Expired,
}

/// A question that ended, as it is remembered: what a second answer is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolved {
    /// The question.
    pub pending: PendingId,
    /// How it ended.
    pub resolution: Resolution,
    /// Through whom; absent where nobody decided, and in logs of before this was noted.
    #[serde(default)]
    pub by: Option<Decider>,
}

/// What a decision refers to: the same reference is a button's value, a command-line id and a page's form field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionRef {
    /// The question.
    pub pending: PendingId,
    /// The version of it the person saw.
    pub ui_version: u32,
}

/// A person's decision, given by a control rather than by words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Verdict {
    /// Yes to an approval or confirmation.
    Approve,
    /// Yes to an approval, with a remark that changes nothing.
    ApproveNoting {
        /// The remark.
        note: String,
    },
    /// No to an approval or confirmation.
    Reject,
    /// No to an approval, saying why.
    RejectBecause {
        /// Why.
        reason: String,
    },
    /// Other structure for the plan that waits: it becomes a new version, which waits in turn.
    Edit {
        /// Applied in order.
        patches: Vec<Patch>,
    },
    /// Go back to planning with this change.
    Change {
        /// In the person's words.
        change: String,
    },
    /// Drop it.
    Cancel,
    /// The choice with this number, from 1.
    Choose {
        /// From 1, in the order shown.
        number: usize,
    },
    /// An answer in the person's own words.
    Say {
        /// The words.
        text: String,
    },
    /// Go on after a pause.
    Resume,
    /// Run the failed plan again.
    Retry,
    /// Plan again, with the failure as context.
    Replan,
    /// Give the failed run up.
    Abandon,
}

impl Verdict {
    /// The person's own words in it, if there are any.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        match self {
            Self::ApproveNoting { note: words }
            | Self::RejectBecause { reason: words }
            | Self::Change { change: words }
            | Self::Say { text: words } => Some(words),
            Self::Approve
            | Self::Reject
            | Self::Edit { .. }
            | Self::Cancel
            | Self::Choose { .. }
            | Self::Resume
            | Self::Retry
            | Self::Replan
            | Self::Abandon => None,
        }
    }
}

impl Pending {
    /// The work of waiting for its end, if it has one.
    pub(crate) fn expiry(&self) -> Option<Effect> {
        self.expires.map(|at| Effect::ExpireAt { at, pending: self.id })
    }

    /// Whether `person` may answer it.
    #[must_use]
    pub fn may_be_answered_by(&self, person: &PersonId) -> bool {
        self.approvers.is_empty() || self.approvers.contains(person)
    }

    /// The reference a decision on it must carry.
    #[must_use]
    pub fn reference(&self) -> DecisionRef {
        DecisionRef { pending: self.id, ui_version: self.ui_version }
    }
}

impl Resolved {
    /// What whoever decides on it again is told.
    #[must_use]
    pub fn told(&self, now: Timestamp) -> String {
        let by = self.by.as_ref().map(|by| format!(" {}", by.told(now))).unwrap_or_default();
        match self.resolution {
            Resolution::Expired => "This question has expired; nothing was executed.".to_owned(),
            Resolution::Superseded => "This question was already replaced by a newer one.".to_owned(),
            how => format!("This question was already {}{by}.", how.word()),
        }
    }

    /// Whether it ended as `wish` would have it; to wish the same again is no mistake.
    #[must_use]
    pub fn grants(&self, wish: &Verdict) -> bool {
        match self.resolution {
            Resolution::Approved => matches!(wish, Verdict::Approve | Verdict::ApproveNoting { .. } | Verdict::Resume),
            Resolution::Rejected => matches!(wish, Verdict::Reject | Verdict::RejectBecause { .. }),
            Resolution::Cancelled => matches!(wish, Verdict::Cancel | Verdict::Abandon),
            Resolution::Answered | Resolution::Changed | Resolution::Superseded | Resolution::Expired => false,
        }
    }
}

impl Resolution {
    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Changed => "changed",
            Self::Answered => "answered",
            Self::Cancelled => "cancelled",
            Self::Superseded => "replaced by a newer one",
            Self::Expired => "expired",
        }
    }
}
