//! The settings of a flow with their three presets (FL-11), and the choices of every checkpoint (FL-02, FL-03, FL-06).
//! Codes are fixed; labels are what an assistant shows. Next: `mod`, which opens the checkpoints.

use serde::Serialize;

use crate::behaviour::Choice;

/// How readily a request is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Routing {
    /// Any missing part is asked for.
    Aggressive,
    /// What a plan would have to guess at is asked for.
    Balanced,
    /// Only a request that says nothing at all is asked about.
    Minimal,
}

/// When a step waits for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalMode {
    /// Never, apart from what policy demands.
    None,
    /// Before each step.
    BeforeStep,
    /// After each step.
    AfterStep,
    /// Before and after.
    Both,
}

/// The settings of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FlowConfig {
    /// How readily it asks.
    pub intelligent_routing: Routing,
    /// When steps wait.
    pub approval_mode: ApprovalMode,
    /// Whether tasks are planned.
    pub enable_planning: bool,
    /// Whether a plan waits for approval.
    pub plan_approval: bool,
    /// Whether simple tasks run without a plan.
    pub auto_approve_simple: bool,
    /// Whether it talks before it works.
    pub conversational: bool,
    /// Whether talk may turn into work.
    pub allow_execution_transition: bool,
    /// Whether a run can be paused.
    pub pause_enabled: bool,
}

/// The three sets of settings that come with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Flow 1: clarify, plan, approve, execute.
    Complex,
    /// Flow 2: do it, then check.
    Simple,
    /// Flow 3: conversation that turns into work.
    Conversational,
}

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

impl Preset {
    /// The preset of this name, by what it is for or by the number of its flow.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "complex" | "flow1" => Some(Self::Complex),
            "simple" | "flow2" => Some(Self::Simple),
            "conversational" | "flow3" => Some(Self::Conversational),
            _ => None,
        }
    }

    /// Its settings.
    #[must_use]
    pub fn config(self) -> FlowConfig {
        let plain = FlowConfig {
            intelligent_routing: Routing::Balanced,
            approval_mode: ApprovalMode::None,
            enable_planning: true,
            plan_approval: true,
            auto_approve_simple: false,
            conversational: false,
            allow_execution_transition: false,
            pause_enabled: true,
        };
        match self {
            Self::Complex => {
                FlowConfig { intelligent_routing: Routing::Aggressive, approval_mode: ApprovalMode::Both, ..plain }
            }
            Self::Simple => FlowConfig {
                intelligent_routing: Routing::Minimal,
                approval_mode: ApprovalMode::AfterStep,
                enable_planning: false,
                plan_approval: false,
                auto_approve_simple: true,
                ..plain
            },
            Self::Conversational => FlowConfig { conversational: true, allow_execution_transition: true, ..plain },
        }
    }
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
