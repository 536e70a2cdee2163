//! How an assistant goes about its work (FL-04, FL-11): what it asks about before it acts, and where a run waits. A
//! profile settles it, and each conversation may settle parts of it for itself. Next: `decide::Policy`, which holds
//! what is configured.

use serde::{Deserialize, Serialize};

use crate::decide::{ApprovalMode, Talk};

/// How an assistant goes about its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// How readily it asks what is meant.
    pub routing: Routing,
    /// Where a run waits for the person between its steps.
    pub approval_mode: ApprovalMode,
    /// Whether small tasks are put before the person as a plan. Without, a plan that runs without asking is not shown
    /// first; one that has to be approved is always shown.
    pub enable_planning: bool,
    /// Whether plans without effects are asked about. Plans with effects always are.
    pub plan_approval: bool,
    /// Whether small plans without effects, or with effects that can be taken back, run without asking.
    pub auto_approve_simple: bool,
    /// Whether it is asked after such work if it met the need (FL-06); plans that change nothing are not asked about.
    pub satisfaction: bool,
    /// Whether "pause" is offered; where it is not, it is explained what to do instead.
    pub pause_enabled: bool,
    /// Whether a task is talked over before it is planned (FL-07).
    pub conversational: bool,
    /// Whether work may begin from such a talk.
    pub allow_execution_transition: bool,
}

/// How readily an assistant asks what is meant (FL-11 `intelligent_routing`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Routing {
    /// At any doubt.
    Aggressive,
    /// As its thresholds say.
    #[default]
    Balanced,
    /// Seldom: it prefers to act.
    Minimal,
}

/// Settings that go together (FL-11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// Plans are shown and approved before anything runs.
    Complex,
    /// Small tasks without effects run at once.
    Simple,
    /// A task is talked over before it is planned.
    Conversational,
}

/// What of a flow is settled, as the section `flow` of a profile writes it and as a conversation settles it for itself:
/// a preset, and single keys in place of what the preset says. What is absent stays as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlowSettings {
    /// Where the rest starts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// [`Flow::routing`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intelligent_routing: Option<Routing>,
    /// [`Flow::approval_mode`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<ApprovalMode>,
    /// [`Flow::enable_planning`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable_planning: Option<bool>,
    /// [`Flow::plan_approval`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_approval: Option<bool>,
    /// [`Flow::auto_approve_simple`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_approve_simple: Option<bool>,
    /// [`Flow::satisfaction`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub satisfaction: Option<bool>,
    /// [`Flow::pause_enabled`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause_enabled: Option<bool>,
    /// [`Flow::conversational`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversational: Option<bool>,
    /// [`Flow::allow_execution_transition`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_execution_transition: Option<bool>,
}

impl Flow {
    /// The settings of a preset.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        match preset {
            Preset::Complex => Self::default(),
            Preset::Simple => {
                let plain = Self { routing: Routing::Minimal, enable_planning: false, ..Self::default() };
                Self { auto_approve_simple: true, satisfaction: true, ..plain }
            }
            Preset::Conversational => Self { conversational: true, ..Self::default() },
        }
    }

    /// Whether a task is talked over before it is planned.
    #[must_use]
    pub fn talk(&self) -> Talk {
        match (self.conversational, self.allow_execution_transition) {
            (false, _) => Talk::None,
            (true, true) => Talk::First,
            (true, false) => Talk::Only,
        }
    }

    /// Whether small tasks whose effects can be taken back are done at once (FL-05).
    #[must_use]
    pub fn does_at_once(&self) -> bool {
        self.auto_approve_simple || !self.enable_planning
    }

    /// The most steps, all without effects, that a plan may have to run without asking; 0 asks about every plan.
    #[must_use]
    pub fn unasked_steps_max(&self) -> usize {
        match (self.plan_approval, self.does_at_once()) {
            (false, _) => usize::MAX,
            (true, true) => SIMPLE_STEPS_MAX,
            (true, false) => 0,
        }
    }

    /// What it comes to, for people: where it differs from asking about every plan, in whole clauses.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        let usual = Self::default();
        let says_nothing = |key: FlowKey| match key {
            FlowKey::Conversational => self.talk() == Talk::Only,
            FlowKey::ExecutionTransition => self.talk() == Talk::None,
            _ => false,
        };
        let differs = |key: &&FlowKey| {
            let runs_unasked = **key == FlowKey::AutoApproveSimple && self.does_at_once();
            (key.value(self) != key.value(&usual) || runs_unasked) && !says_nothing(**key)
        };
        FlowKey::ALL.iter().filter(differs).map(|key| key.told(self)).collect()
    }
}

impl Default for Flow {
    fn default() -> Self {
        Self {
            routing: Routing::Balanced,
            approval_mode: ApprovalMode::None,
            enable_planning: true,
            plan_approval: true,
            auto_approve_simple: false,
            satisfaction: false,
            pause_enabled: true,
            conversational: false,
            allow_execution_transition: true,
        }
    }
}

impl FlowSettings {
    /// `flow` with what is settled here.
    #[must_use]
    pub fn over(&self, flow: Flow) -> Flow {
        let base = self.preset.map_or(flow, Flow::preset);
        Flow {
            routing: self.intelligent_routing.unwrap_or(base.routing),
            approval_mode: self.approval_mode.unwrap_or(base.approval_mode),
            enable_planning: self.enable_planning.unwrap_or(base.enable_planning),
            plan_approval: self.plan_approval.unwrap_or(base.plan_approval),
            auto_approve_simple: self.auto_approve_simple.unwrap_or(base.auto_approve_simple),
            satisfaction: self.satisfaction.unwrap_or(base.satisfaction),
            pause_enabled: self.pause_enabled.unwrap_or(base.pause_enabled),
            conversational: self.conversational.unwrap_or(base.conversational),
            allow_execution_transition: self.allow_execution_transition.unwrap_or(base.allow_execution_transition),
        }
    }

    /// Whether nothing is settled here.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A key of the flow, by its name in files and commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowKey {
    /// `intelligent_routing`
    Routing,
    /// `approval_mode`
    ApprovalMode,
    /// `enable_planning`
    EnablePlanning,
    /// `plan_approval`
    PlanApproval,
    /// `auto_approve_simple`
    AutoApproveSimple,
    /// `satisfaction`
    Satisfaction,
    /// `pause_enabled`
    PauseEnabled,
    /// `conversational`
    Conversational,
    /// `allow_execution_transition`
    ExecutionTransition,
}

impl FlowKey {
    /// All of them, in the order in which they are told.
    pub const ALL: [Self; 9] = [
        Self::Conversational,
        Self::ExecutionTransition,
        Self::PlanApproval,
        Self::AutoApproveSimple,
        Self::EnablePlanning,
        Self::ApprovalMode,
        Self::Satisfaction,
        Self::PauseEnabled,
        Self::Routing,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Routing => "intelligent_routing",
            Self::ApprovalMode => "approval_mode",
            Self::EnablePlanning => "enable_planning",
            Self::PlanApproval => "plan_approval",
            Self::AutoApproveSimple => "auto_approve_simple",
            Self::Satisfaction => "satisfaction",
            Self::PauseEnabled => "pause_enabled",
            Self::Conversational => "conversational",
            Self::ExecutionTransition => "allow_execution_transition",
        }
    }

    /// The values it may have.
    #[must_use]
    pub fn values(self) -> &'static [&'static str] {
        match self {
            Self::Routing => &["aggressive", "balanced", "minimal"],
            Self::ApprovalMode => &["none", "before_step", "after_step", "both"],
            _ => &["on", "off"],
        }
    }

    /// Its value in `flow`, one of [`FlowKey::values`].
    #[must_use]
    pub fn value(self, flow: &Flow) -> &'static str {
        let switch = |is_on: bool| if is_on { "on" } else { "off" };
        match self {
            Self::Routing => match flow.routing {
                Routing::Aggressive => "aggressive",
                Routing::Balanced => "balanced",
                Routing::Minimal => "minimal",
            },
            Self::ApprovalMode => match flow.approval_mode {
                ApprovalMode::None => "none",
                ApprovalMode::BeforeStep => "before_step",
                ApprovalMode::AfterStep => "after_step",
                ApprovalMode::Both => "both",
            },
            Self::EnablePlanning => switch(flow.enable_planning),
            Self::PlanApproval => switch(flow.plan_approval),
            Self::AutoApproveSimple => switch(flow.auto_approve_simple),
            Self::Satisfaction => switch(flow.satisfaction),
            Self::PauseEnabled => switch(flow.pause_enabled),
            Self::Conversational => switch(flow.conversational),
            Self::ExecutionTransition => switch(flow.allow_execution_transition),
        }
    }

    /// Settles it as `value`, one of [`FlowKey::values`] (`true` and `false` are switches, too); absent takes back what
    /// was settled. Says whether there is such a value.
    #[must_use]
    pub fn settle(self, settings: &mut FlowSettings, value: Option<&str>) -> bool {
        let switch = |value: &str| match value {
            "on" | "true" | "yes" => Some(true),
            "off" | "false" | "no" => Some(false),
            _ => None,
        };
        let place = match self {
            Self::Routing => {
                let routing = |value: &str| match value {
                    "aggressive" => Some(Routing::Aggressive),
                    "balanced" => Some(Routing::Balanced),
                    "minimal" => Some(Routing::Minimal),
                    _ => None,
                };
                settings.intelligent_routing = value.and_then(routing);
                return value.is_none() || settings.intelligent_routing.is_some();
            }
            Self::ApprovalMode => {
                let mode = |value: &str| match value {
                    "none" => Some(ApprovalMode::None),
                    "before_step" => Some(ApprovalMode::BeforeStep),
                    "after_step" => Some(ApprovalMode::AfterStep),
                    "both" => Some(ApprovalMode::Both),
                    _ => None,
                };
                settings.approval_mode = value.and_then(mode);
                return value.is_none() || settings.approval_mode.is_some();
            }
            Self::EnablePlanning => &mut settings.enable_planning,
            Self::PlanApproval => &mut settings.plan_approval,
            Self::AutoApproveSimple => &mut settings.auto_approve_simple,
            Self::Satisfaction => &mut settings.satisfaction,
            Self::PauseEnabled => &mut settings.pause_enabled,
            Self::Conversational => &mut settings.conversational,
            Self::ExecutionTransition => &mut settings.allow_execution_transition,
        };
        *place = value.and_then(switch);
        value.is_none() || place.is_some()
    }

    /// What its value in `flow` comes to, as a clause for people.
    #[must_use]
    pub fn told(self, flow: &Flow) -> String {
        let told = match (self, self.value(flow)) {
            (Self::Routing, "aggressive") => "any doubt about what you mean is asked about",
            (Self::Routing, "minimal") => "small doubts about what you mean are not asked about",
            (Self::Routing, _) => "it is asked what you mean where that is not sure",
            (Self::ApprovalMode, "before_step") => "a run waits for you before each step",
            (Self::ApprovalMode, "after_step") => "a run waits for you after each step",
            (Self::ApprovalMode, "both") => "a run waits for you before its first step and after each one",
            (Self::ApprovalMode, _) => "a run goes through without waiting between its steps",
            (Self::EnablePlanning, "on") => "every plan is shown before it runs",
            (Self::EnablePlanning, _) => "small tasks are not shown as a plan first",
            (Self::PlanApproval, "on") if flow.does_at_once() => "larger plans that change nothing are asked about",
            (Self::PlanApproval, "on") => "plans that change nothing are asked about",
            (Self::PlanApproval, _) => "plans that change nothing run without asking",
            // What is not shown as a plan first is not asked about either.
            (Self::AutoApproveSimple, _) if flow.does_at_once() => {
                return format!(
                    "plans of at most {SIMPLE_STEPS_MAX} steps that change nothing, or only what can be taken back, \
                     run without asking"
                );
            }
            (Self::AutoApproveSimple, _) => "small plans are asked about like any other",
            (Self::Satisfaction, "on") => "after work that was done at once you are asked if it meets your needs",
            (Self::Satisfaction, _) => "you are not asked afterwards if work met your needs",
            (Self::PauseEnabled, "on") => "runs can be paused",
            (Self::PauseEnabled, _) => "runs cannot be paused",
            (Self::Conversational, "on") => "a task is noted first, and planned when you say “implement”",
            (Self::Conversational, _) => "a task is planned at once",
            (Self::ExecutionTransition, "on") => "work may begin from what was talked over",
            (Self::ExecutionTransition, _) => "tasks are noted and talked over; no work is started from here",
        };
        told.to_owned()
    }
}

/// FL-05: one or two clear steps are a simple task.
const SIMPLE_STEPS_MAX: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_what_happens() {
        let usual = Flow::default();
        assert!(usual.told().is_empty());
        let at_once =
            "plans of at most 2 steps that change nothing, or only what can be taken back, run without asking";
        for flow in [Flow { auto_approve_simple: true, ..usual }, Flow { enable_planning: false, ..usual }] {
            assert!(flow.told().iter().any(|told| told == at_once), "{:?}", flow.told());
            assert_eq!(FlowKey::AutoApproveSimple.told(&flow), at_once);
            assert_eq!(FlowKey::PlanApproval.told(&flow), "larger plans that change nothing are asked about");
        }
        let only_talks = Flow { conversational: true, allow_execution_transition: false, ..usual };
        assert_eq!(only_talks.told(), ["tasks are noted and talked over; no work is started from here"]);
    }

    #[test]
    fn every_value_of_a_key_is_settled_and_taken_back() {
        for key in FlowKey::ALL {
            for value in key.values() {
                let mut settings = FlowSettings::default();
                assert!(key.settle(&mut settings, Some(value)), "{} {value}", key.name());
                assert_eq!(key.value(&settings.over(Flow::default())), *value);
                assert!(key.settle(&mut settings, None) && settings.is_empty());
                assert!(!key.settle(&mut settings, Some("nonsense")));
            }
        }
    }
}
