//! Where a person's input came from, and what stood before them when they sent it. Words are said about what was on the
//! screen; by the time they arrive something else may wait there. Next: `decide::seen`, which compares both.

use serde::{Deserialize, Serialize};

use crate::{
    Conversation, DecisionRef, Pending, PersonId, Phase, Plan, PlanId, Sequence, SurfaceName, SurfaceSession,
    Surroundings, Timestamp,
};

/// Where a person's input came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The surface it was given on; absent where nobody says.
    pub surface: Option<Surface>,
    /// What stood before the person when they sent it; absent where the surface cannot know.
    pub seen: Option<Seen>,
    /// What lay open before them, where the surface can tell.
    #[serde(default, skip_serializing_if = "Surroundings::is_empty")]
    pub around: Surroundings,
    /// What the assistant reads, in its own words: where it is found again when another process takes the conversation
    /// up. Filled in by the driver.
    pub sources: Vec<String>,
}

/// A surface as the log knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surface {
    /// What people call it.
    pub name: SurfaceName,
    /// One opening of it, so that a window knows its own decisions from those of others.
    pub session: SurfaceSession,
    /// Whether a program speaks through it that may not decide in a person's place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_program: bool,
}

/// What stood before a person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// The question that plain words would have answered.
    pub question: Option<DecisionRef>,
    /// The plan that waited, ran or had failed.
    pub plan: Option<PlanVersion>,
}

/// A version of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanVersion {
    /// The plan.
    pub plan: PlanId,
    /// The version, from 1.
    pub version: u32,
}

/// Who ended a question, where and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decider {
    /// Who.
    pub person: PersonId,
    /// Where; absent where the surface did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surface: Option<Surface>,
    /// When.
    pub at: Timestamp,
}

impl Seen {
    /// What a surface shows that has drawn the conversation's events up to `shown`.
    #[must_use]
    pub fn at(conversation: &Conversation, shown: Sequence) -> Self {
        let question = conversation.pending().iter().rev().find(|pending| pending.opened <= shown);
        let is_in_view = match conversation.phase() {
            Phase::AwaitingApproval | Phase::Executing | Phase::Failed => true,
            // The plan of a task that is over, or about to be replaced, is not what words are about.
            Phase::Idle | Phase::Planning => false,
        };
        let plan = conversation.plan().filter(|_| is_in_view).map(|plan| PlanVersion::of(plan));
        Self { question: question.map(Pending::reference), plan }
    }
}

impl PlanVersion {
    /// That of `plan`.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        Self { plan: plan.id(), version: plan.version() }
    }
}

impl Decider {
    /// `by ada (command line) at 10:12 UTC`; the day is named unless it is that of `now`.
    #[must_use]
    pub fn told(&self, now: Timestamp) -> String {
        let surface = self.surface.as_ref().map(|surface| format!(" ({})", surface.name)).unwrap_or_default();
        format!("by {}{surface} at {}", self.person, crate::text::moment(self.at, now))
    }
}
