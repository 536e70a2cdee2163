//! Plans and runs on the wire: the steps of a DAG, what each waits for, and where each stands, so that a client can
//! draw it without asking again. Next: `card`.

use serde::Serialize;
use turnwise_core::{EffectClass, Plan, PlanChange, Run, RunStatus, Step, StepState};
use utoipa::ToSchema;

use super::IdView;

/// A plan.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlanView {
    /// Its id; all versions together.
    pub id: IdView,
    /// This version, from 1.
    pub version: u32,
    /// The problem in short.
    pub title: String,
    /// The task in the person's words, changes included.
    pub problem: String,
    /// The steps in order.
    pub steps: Vec<StepView>,
    /// What is taken for granted, one sentence each.
    pub assumptions: Vec<String>,
    /// How it differs from the version before: lines that begin with `+`, `-` or a space.
    pub changes: Vec<String>,
}

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StepView {
    /// Its number, from 1.
    pub number: u32,
    /// What it does.
    pub description: String,
    /// The tool that does it.
    pub tool: String,
    /// The tool's arguments by name, in order.
    pub arguments: Vec<ArgumentView>,
    /// The steps it waits for.
    pub after: Vec<u32>,
    /// The facts it resolves.
    pub produces: Vec<String>,
    /// `pure`, `idempotent`, `reversible` or `once_only`.
    pub effect: &'static str,
    /// Whether its facts are resolved already and will be reused.
    pub reused: bool,
}

/// An argument of a step's tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ArgumentView {
    /// Its name.
    pub name: String,
    /// Its value; a list or a record is written as JSON.
    pub value: String,
}

/// An execution of a version of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunView {
    /// Its id.
    pub id: IdView,
    /// The version of the plan it executes.
    pub version: u32,
    /// `active`, `completed`, `failed` or `cancelled`.
    pub status: &'static str,
    /// Whether it waits at a step boundary.
    pub paused: bool,
    /// Its steps in order.
    pub steps: Vec<RunStepView>,
}

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunStepView {
    /// Its number, from 1.
    pub number: u32,
    /// What it does.
    pub description: String,
    /// `waiting`, `running`, `backoff`, `unknown`, `done`, `reused`, `failed`, `skipped` or `cancelled`.
    pub state: &'static str,
    /// Why it failed, or failed last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl PlanView {
    pub(super) fn new(plan: &Plan) -> Self {
        let draft = plan.draft();
        Self {
            id: IdView::of(plan.id()),
            version: plan.version(),
            title: draft.title.clone(),
            problem: draft.problem.clone(),
            steps: plan.steps().iter().map(StepView::new).collect(),
            assumptions: draft.assumptions.clone(),
            changes: Vec::new(),
        }
    }

    pub(super) fn with_changes(mut self, changes: &[PlanChange]) -> Self {
        self.changes = changes.iter().map(change).collect();
        self
    }
}

impl ArgumentView {
    fn new((name, value): (&String, &String)) -> Self {
        Self { name: name.clone(), value: value.clone() }
    }
}

impl StepView {
    fn new(step: &Step) -> Self {
        Self {
            number: step.id.number(),
            description: step.description.clone(),
            tool: step.tool.to_string(),
            arguments: step.arguments.iter().map(ArgumentView::new).collect(),
            after: step.after.iter().map(|step| step.number()).collect(),
            produces: step.produces.iter().map(ToString::to_string).collect(),
            effect: match step.effect {
                EffectClass::Pure => "pure",
                EffectClass::Idempotent => "idempotent",
                EffectClass::Reversible => "reversible",
                EffectClass::OnceOnly => "once_only",
            },
            reused: false,
        }
    }
}

impl RunView {
    pub(super) fn new(run: &Run) -> Self {
        let step = |(id, state): (turnwise_core::StepId, StepState)| RunStepView {
            number: id.number(),
            description: run.plan().step(id).map(|step| step.description.clone()).unwrap_or_default(),
            state: state_word(state),
            error: run.error(id).map(str::to_owned),
        };
        Self {
            id: IdView::of(run.id()),
            version: run.plan().version(),
            status: match run.status() {
                RunStatus::Active => "active",
                RunStatus::Completed => "completed",
                RunStatus::Failed => "failed",
                RunStatus::Cancelled => "cancelled",
            },
            paused: run.is_waiting(),
            steps: run.states().map(step).collect(),
        }
    }
}

/// The word for where a step stands.
pub(super) fn state_word(state: StepState) -> &'static str {
    match state {
        StepState::Waiting => "waiting",
        StepState::Running { .. } => "running",
        StepState::Backoff { .. } => "backoff",
        StepState::Unknown { .. } => "unknown",
        StepState::Done => "done",
        StepState::Reused => "reused",
        StepState::Failed => "failed",
        StepState::Skipped => "skipped",
        StepState::Cancelled => "cancelled",
    }
}

fn change(change: &PlanChange) -> String {
    match change {
        PlanChange::Added { description } => format!("+ {description}"),
        PlanChange::Removed { description } => format!("- {description}"),
        PlanChange::Kept { description } | PlanChange::Moved { description, .. } => format!("  {description}"),
        PlanChange::Edited { part, before, after } => format!("~ {}: {before} → {after}", part.word()),
    }
}
