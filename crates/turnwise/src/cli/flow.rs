//! How an assistant goes about its work, where the command line says so: a preset and single settings in place of its
//! profile's `flow`. What differs from asking about everything is told at the start. Next: `open`.

use turnwise_core::{ApprovalMode, Talk};
use turnwise_intent::{Flow, IntentReader, Preset, Profile, Routing};

use super::args::{ApprovalModeArgument, FlowArguments, PresetArgument};

/// The reader with what the arguments say.
#[must_use]
pub fn applied(reader: IntentReader, arguments: FlowArguments) -> IntentReader {
    let mut flow = reader.profile().flow;
    if let Some(preset) = arguments.preset {
        flow = Flow::preset(preset.into());
    }
    if let Some(mode) = arguments.approval_mode {
        flow.approval_mode = mode.into();
    }
    if flow == reader.profile().flow { reader } else { reader.with_flow(flow) }
}

/// What a person should know of it before they ask anything; nothing where every plan is asked about.
#[must_use]
pub fn told(profile: &Profile) -> Option<String> {
    let flow = profile.flow;
    let mut told = Vec::new();
    match flow.talk() {
        Talk::None => {}
        Talk::First => told.push("a task is noted first, and planned when you say “implement”".to_owned()),
        Talk::Only => told.push("tasks are noted and talked over; no work is started from here".to_owned()),
    }
    match flow.unasked_steps_max() {
        0 => {}
        usize::MAX => told.push("plans that change nothing run without asking".to_owned()),
        most => told.push(format!("plans of at most {most} steps that change nothing run without asking")),
    }
    match flow.approval_mode {
        ApprovalMode::None => {}
        ApprovalMode::BeforeStep => told.push("a run waits for you before each step".to_owned()),
        ApprovalMode::AfterStep => told.push("a run waits for you after each step".to_owned()),
        ApprovalMode::Both => told.push("a run waits for you before its first step and after each one".to_owned()),
    }
    match flow.routing {
        Routing::Balanced => {}
        Routing::Aggressive => told.push("any doubt about what you mean is asked about".to_owned()),
        Routing::Minimal => told.push("small doubts about what you mean are not asked about".to_owned()),
    }
    if !flow.pause_enabled {
        told.push("runs cannot be paused".to_owned());
    }
    (!told.is_empty()).then(|| format!("Configured: {}.", told.join("; ")))
}

impl From<PresetArgument> for Preset {
    fn from(preset: PresetArgument) -> Self {
        match preset {
            PresetArgument::Complex => Self::Complex,
            PresetArgument::Simple => Self::Simple,
            PresetArgument::Conversational => Self::Conversational,
        }
    }
}

impl From<ApprovalModeArgument> for ApprovalMode {
    fn from(mode: ApprovalModeArgument) -> Self {
        match mode {
            ApprovalModeArgument::None => Self::None,
            ApprovalModeArgument::BeforeStep => Self::BeforeStep,
            ApprovalModeArgument::AfterStep => Self::AfterStep,
            ApprovalModeArgument::Both => Self::Both,
        }
    }
}
