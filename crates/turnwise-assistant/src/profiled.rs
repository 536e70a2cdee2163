//! What a profile settles for the engine, the same for every assistant: the one mapping from profile to policy, and
//! what of it a person is told at the start. Next: `turnwise_core::Policy`.

use turnwise_core::{Command, PersonId, Policy};
use turnwise_intent::Profile;

/// The policy of an assistant with this profile. What no profile knows, such as examples that fit the data at hand, the
/// assistant adds.
#[must_use]
pub fn policy(profile: &Profile) -> Policy {
    let command = |command: &turnwise_intent::Command| Command {
        name: command.name.clone(),
        help: command.help.clone(),
        asks: command.asks.clone(),
    };
    Policy {
        commands: profile.commands.iter().map(command).collect(),
        approvers: profile.approval.only.iter().map(PersonId::new).collect(),
        approval_seconds_max: profile.approval.expires_after_seconds,
        flow: profile.flow,
        ..Policy::default()
    }
}

/// What a person should know of an assistant's flow before they ask anything; nothing where every plan is asked about.
#[must_use]
pub fn told(profile: &Profile) -> Option<String> {
    let told = profile.flow.told();
    (!told.is_empty()).then(|| format!("Configured: {}.", told.join("; ")))
}
