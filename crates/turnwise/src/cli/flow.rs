//! How an assistant goes about its work, where the command line says so: a preset and single settings in place of its
//! profile's `flow`. Next: `assistant::profiled` for what comes of it.

use turnwise_core::{ApprovalMode, FlowSettings, Preset};
use turnwise_intent::IntentReader;

use super::args::{ApprovalModeArgument, FlowArguments, PresetArgument};

/// The reader with what the arguments say.
#[must_use]
pub fn applied(reader: IntentReader, arguments: FlowArguments) -> IntentReader {
    let preset = arguments.preset.map(Into::into);
    let approval_mode = arguments.approval_mode.map(Into::into);
    let flow = FlowSettings { preset, approval_mode, ..FlowSettings::default() }.over(reader.profile().flow);
    if flow == reader.profile().flow { reader } else { reader.with_flow(flow) }
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
