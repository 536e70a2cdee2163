//! How an assistant goes about its work, where the command line says so: a preset and single settings in place of its
//! profile's `flow`. Next: `assistant::profiled` for what comes of it.

use turnwise_core::ApprovalMode;
use turnwise_intent::{Flow, IntentReader, Preset};

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
