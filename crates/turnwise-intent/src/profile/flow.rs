//! What the section `flow` of `assistant.yaml` does to a reader: how its routing shifts when a reading is acted on
//! (FL-11). Next: `profile`, whose thresholds are shifted.

use turnwise_core::Routing;

/// The threshold in place of `usual`. One that was set for a label by itself is never loosened: it is there because
/// acting on a mistake costs more than asking.
#[must_use]
pub(super) fn shifted(routing: Routing, usual: f32, is_own: bool) -> f32 {
    match routing {
        Routing::Aggressive => (usual + ASKS_MORE).min(usual.max(THRESHOLD_MAX)),
        Routing::Minimal if !is_own => (usual - ASKS_LESS).max(usual.min(THRESHOLD_MIN)),
        Routing::Balanced | Routing::Minimal => usual,
    }
}

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
    use turnwise_core::{ApprovalMode, Flow, Preset, Talk};

    use super::super::{Label, ProfileError};
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
