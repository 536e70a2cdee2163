//! What a profile settles for the engine, the same for every assistant: the one mapping from profile to policy, and
//! what of it a person is told at the start. Next: `turnwise_core::Policy`.

use turnwise_core::{ApprovalMode, Command, PersonId, Policy, Talk};
use turnwise_intent::{Profile, Routing};

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
        approval_mode: profile.flow.approval_mode,
        pause_enabled: profile.flow.pause_enabled,
        talk: profile.flow.talk(),
        auto_approve_steps_max: profile.flow.unasked_steps_max(),
        reversible_unasked: profile.flow.does_at_once(),
        satisfaction: profile.flow.satisfaction,
        auto_plans_shown: profile.flow.enable_planning,
        ..Policy::default()
    }
}

/// What a person should know of an assistant's flow before they ask anything; nothing where every plan is asked about.
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
        most => told.push(format!(
            "plans of at most {most} steps that change nothing, or only what can be taken back, run without asking"
        )),
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
