//! How an assistant goes about its work (FL-04, FL-11): what it asks about before it acts, and where a run waits. The
//! section `flow` of `assistant.yaml` sets it, a preset or key by key. Next: `profile`, whose thresholds it shifts.

use serde::{Deserialize, Serialize};
use turnwise_core::{ApprovalMode, Talk};

/// How an assistant goes about its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Whether "pause" is offered.
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

impl Routing {
    /// The threshold in place of `usual`. One that was set for a label by itself is never loosened: it is there because
    /// acting on a mistake costs more than asking.
    #[must_use]
    pub fn shifted(self, usual: f32, is_own: bool) -> f32 {
        match self {
            Self::Aggressive => (usual + ASKS_MORE).min(usual.max(THRESHOLD_MAX)),
            Self::Minimal if !is_own => (usual - ASKS_LESS).max(usual.min(THRESHOLD_MIN)),
            Self::Balanced | Self::Minimal => usual,
        }
    }
}

/// The section as it is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FlowFile {
    preset: Option<Preset>,
    intelligent_routing: Option<Routing>,
    approval_mode: Option<ApprovalMode>,
    enable_planning: Option<bool>,
    plan_approval: Option<bool>,
    auto_approve_simple: Option<bool>,
    satisfaction: Option<bool>,
    pause_enabled: Option<bool>,
    conversational: Option<bool>,
    allow_execution_transition: Option<bool>,
}

impl FlowFile {
    pub(super) fn filled(self) -> Flow {
        let preset = self.preset.map_or_else(Flow::default, Flow::preset);
        Flow {
            routing: self.intelligent_routing.unwrap_or(preset.routing),
            approval_mode: self.approval_mode.unwrap_or(preset.approval_mode),
            enable_planning: self.enable_planning.unwrap_or(preset.enable_planning),
            plan_approval: self.plan_approval.unwrap_or(preset.plan_approval),
            auto_approve_simple: self.auto_approve_simple.unwrap_or(preset.auto_approve_simple),
            satisfaction: self.satisfaction.unwrap_or(preset.satisfaction),
            pause_enabled: self.pause_enabled.unwrap_or(preset.pause_enabled),
            conversational: self.conversational.unwrap_or(preset.conversational),
            allow_execution_transition: self.allow_execution_transition.unwrap_or(preset.allow_execution_transition),
        }
    }
}

/// FL-05: one or two clear steps are a simple task.
const SIMPLE_STEPS_MAX: usize = 2;
/// Added to a threshold where any doubt is asked about.
const ASKS_MORE: f32 = 0.10;
/// Taken off a threshold where acting is preferred.
const ASKS_LESS: f32 = 0.15;
/// Above this nothing but rules would ever be acted on.
const THRESHOLD_MAX: f32 = 0.97;
/// Below this a coin would do as well.
const THRESHOLD_MIN: f32 = 0.55;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests fail by panicking")]
    use super::super::{Label, ProfileError};
    use super::*;
    use crate::{Profile, builtin};

    /// The analyst's profile with this section.
    fn with(section: &str) -> Result<Profile, ProfileError> {
        let (assistant, exemplars) = builtin::texts("analyst").unwrap();
        Profile::parse(&format!("flow:\n{section}\n{assistant}"), exemplars)
    }

    #[test]
    fn a_preset_is_where_single_keys_start_from() {
        let flow = with("  preset: simple\n  approval_mode: both\n  enable_planning: true").unwrap().flow;
        let simple = Flow::preset(Preset::Simple);
        assert_eq!(flow, Flow { approval_mode: ApprovalMode::Both, enable_planning: true, ..simple });
        assert_eq!(flow.unasked_steps_max(), 2);
        assert_eq!(with("  plan_approval: false").unwrap().flow.unasked_steps_max(), usize::MAX);
        assert_eq!(Flow::default().unasked_steps_max(), 0);
        assert_eq!(builtin::analyst().flow, Flow::default());
    }

    #[test]
    fn what_is_misspelt_is_refused_with_its_line() {
        let misspelt = with("  preset: complex\n  aproval_mode: both").unwrap_err().to_string();
        assert_eq!(misspelt, "assistant.yaml, line 3: unknown key `aproval_mode`; did you mean `approval_mode`?");
        let wrong = with("  approval_mode: sometimes").unwrap_err().to_string();
        assert!(wrong.contains("line 2") && wrong.contains("before_step"), "{wrong}");
    }

    #[test]
    fn a_talk_comes_first_where_it_is_configured() {
        let talk = |section: &str| with(section).unwrap().flow.talk();
        assert_eq!(talk("  preset: conversational"), Talk::First);
        assert_eq!(talk("  preset: conversational\n  allow_execution_transition: false"), Talk::Only);
        assert_eq!(talk("  conversational: true\n  approval_mode: both"), Talk::First);
        assert_eq!(talk("  preset: conversational\n  conversational: false"), Talk::None);
        assert_eq!(talk("  allow_execution_transition: false"), Talk::None);
    }

    #[test]
    fn routing_shifts_when_a_reading_is_acted_on() {
        let threshold = |routing: &str, label: &str| {
            with(&format!("  intelligent_routing: {routing}")).unwrap().threshold(&Label::parse(label))
        };
        let near = |left: f32, right: f32| (left - right).abs() < 1e-6;
        assert!(near(threshold("balanced", "plan_new"), 0.80));
        assert!(near(threshold("aggressive", "plan_new"), 0.90));
        assert!(near(threshold("minimal", "plan_new"), 0.65));
        assert!(near(threshold("minimal", "control.reset"), 0.80), "set by itself, never loosened");
    }
}
