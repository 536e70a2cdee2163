//! Cards: how a plan, a question, a run or a result looks, independent of surface. Values only: the terminal, the web
//! page and others draw them. Next: `said` events in `event`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::provenance::ProvenanceNode;
use crate::{Answer, Choice, DecisionRef, Fact, Plan, Reading, Step, StepId, StepState};

/// Something the person is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "card", rename_all = "snake_case")]
pub enum Card {
    /// A plan, and what can be decided on it.
    Plan(PlanCard),
    /// A question with choices; free text is always possible too.
    Question {
        /// What a decision on it refers to.
        reference: DecisionRef,
        /// The choices, in order.
        choices: Vec<Choice>,
    },
    /// The result of a run, or an answer from facts.
    Result {
        /// How it wants to be looked at.
        answer: Answer,
        /// The rows, if there are any.
        fact: Option<Arc<Fact>>,
        /// The chain down to the sources; always there in proof mode.
        provenance: Option<ProvenanceNode>,
    },
    /// Which steps were completed and which were not.
    Steps {
        /// In order.
        steps: Vec<StepLine>,
        /// What can be done with the run, where that is offered.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        ways: Vec<Choice>,
    },
    /// A failed run and the ways on.
    Failure {
        /// What a decision on it refers to.
        reference: DecisionRef,
        /// The step that failed.
        step: StepId,
        /// What it was to do.
        description: String,
        /// What happened.
        error: String,
        /// The choices: retry, replan, abandon.
        choices: Vec<Choice>,
    },
    /// The facts held.
    Facts {
        /// By name.
        facts: Vec<Arc<Fact>>,
    },
    /// Where a value came from.
    Provenance {
        /// The value at the root, sources at the leaves.
        tree: ProvenanceNode,
    },
    /// Commands and things to say.
    Help {
        /// Left: what to type; right: what it does.
        lines: Vec<(String, String)>,
    },
    /// Why a message was read as it was.
    Why {
        /// The readings of its segments.
        readings: Vec<Reading>,
    },
}

impl Card {
    /// Whether it offers what can be done with a run that goes on.
    pub(crate) fn offers_ways(&self) -> bool {
        matches!(self, Self::Steps { ways, .. } if !ways.is_empty())
    }
}

/// A plan as shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanCard {
    /// The plan.
    pub plan: Arc<Plan>,
    /// What a decision on it refers to; absent when it is only shown.
    pub reference: Option<DecisionRef>,
    /// How it differs from the version before; empty for a first version.
    pub changes: Vec<PlanChange>,
    /// Steps whose facts are already resolved and will be reused.
    pub reused: Vec<StepId>,
}

/// One difference between two versions of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum PlanChange {
    /// A step that was not there before.
    Added {
        /// Its description.
        description: String,
    },
    /// A step that is gone.
    Removed {
        /// Its description.
        description: String,
    },
    /// A step that is the same as before.
    Kept {
        /// Its description.
        description: String,
    },
    /// A step that does the same, but waits for more than before.
    Moved {
        /// Its description.
        description: String,
        /// What it waits for now.
        after: Vec<StepId>,
    },
    /// Something is called or shown otherwise; what is done is the same.
    Edited {
        /// What of the plan.
        part: EditedPart,
        /// As it was.
        before: String,
        /// As it is.
        after: String,
    },
}

/// A part of a plan that can be edited without another step being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditedPart {
    /// The plan's title.
    Title,
    /// The name of a step.
    Step,
    /// How the result is looked at.
    Result,
}

impl EditedPart {
    /// The word for people.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Step => "step",
            Self::Result => "result",
        }
    }
}

/// A step and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepLine {
    /// The step.
    pub step: StepId,
    /// What it does.
    pub description: String,
    /// Where it stands.
    pub state: StepState,
}

/// Whether `step` of `plan` waits for one that is as wanted.
fn waits_for(plan: &Plan, step: &Step, wanted: impl Fn(&Step) -> bool) -> bool {
    step.after.iter().filter_map(|id| plan.step(*id)).any(wanted)
}

/// What changed from `before` to `after`: steps are the same when tool, arguments and produced facts are.
#[must_use]
pub fn plan_changes(before: &Plan, after: &Plan) -> Vec<PlanChange> {
    let mut changes = edits(before, after);
    changes.extend(after.steps().iter().flat_map(|step| step_changes(before, after, step)));
    let removed = before.steps().iter().filter(|old| !after.steps().iter().any(|step| is_same(old, step)));
    changes.extend(removed.map(|old| PlanChange::Removed { description: old.description.clone() }));
    changes
}

fn is_same(left: &Step, right: &Step) -> bool {
    left.tool == right.tool && left.arguments == right.arguments && left.produces == right.produces
}

fn step_changes(before: &Plan, after: &Plan, step: &Step) -> Vec<PlanChange> {
    let description = step.description.clone();
    let Some(old) = before.steps().iter().find(|old| is_same(old, step)) else {
        return vec![PlanChange::Added { description }];
    };
    let renamed = (old.description != step.description).then(|| PlanChange::Edited {
        part: EditedPart::Step,
        before: old.description.clone(),
        after: description.clone(),
    });
    let waited = |id: &StepId| after.step(*id).is_some_and(|now| waits_for(before, old, |step| is_same(step, now)));
    let moved = !step.after.iter().all(waited);
    let is_renamed = renamed.is_some();
    let stands = match moved {
        true => Some(PlanChange::Moved { description, after: step.after.clone() }),
        false => (!is_renamed).then_some(PlanChange::Kept { description }),
    };
    renamed.into_iter().chain(stands).collect()
}

/// What is called or shown otherwise. Another task has another title anyway.
fn edits(before: &Plan, after: &Plan) -> Vec<PlanChange> {
    let (old, new) = (before.draft(), after.draft());
    let edited = |part, before: &str, after: &str| PlanChange::Edited {
        part,
        before: before.to_owned(),
        after: after.to_owned(),
    };
    let is_titled = old.problem == new.problem && old.title != new.title;
    let title = is_titled.then(|| edited(EditedPart::Title, &old.title, &new.title));
    let looked = |draft: &crate::PlanDraft| draft.presentation.in_words();
    let is_shown_otherwise = old.result == new.result && looked(old) != looked(new);
    let result = is_shown_otherwise.then(|| edited(EditedPart::Result, looked(old), looked(new)));
    title.into_iter().chain(result).collect()
}
