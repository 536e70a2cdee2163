//! `decide`: what a turn comes to. Pure: the conversation, an input, the policy, a reader and the time go in; events
//! and effects come out. Nothing waits here and nothing is mutated.
//!
//! `turn` collects what is decided; `message` routes a person's words by state first and by reading second; `answer`
//! takes answers to open questions; `act` and `control` do what was asked; `report` takes in the results of our own
//! work; `settle` starts whatever should be happening. Next: `turn`.

mod act;
mod answer;
mod control;
mod failure;
mod lost;
mod message;
mod patching;
mod pause;
mod queue;
mod report;
mod say;
mod settle;
mod turn;

use serde::{Deserialize, Serialize};

use crate::{Control, Conversation, Effect, Event, Input, InputBody, Outcome, Reader, Timestamp, limits};
use turn::Turn;

/// What a turn comes to: events to append in one transaction, then effects to perform.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decision {
    /// In order.
    pub events: Vec<Event>,
    /// In order; performed only after the events are durable.
    pub effects: Vec<Effect>,
}

/// What an assistant's profile and the operator settle for the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The slash commands there are, for help.
    pub commands: Vec<Command>,
    /// Things to say, for help.
    pub examples: Vec<String>,
    /// Steps running at once.
    pub slots: usize,
    /// Milliseconds before the first retry of a step; doubled for each further one.
    pub backoff_ms: u32,
    /// Where a run waits for the person between its steps (FL-04).
    pub approval_mode: ApprovalMode,
    /// Whether "pause" is offered; where it is not, it is explained what to do instead.
    pub pause_enabled: bool,
    /// Plans of at most this many steps, all of them without effects, run without being asked about; 0, the default,
    /// asks about every plan.
    pub auto_approve_steps_max: usize,
}

/// Where a run waits for the person between its steps (FL-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalMode {
    /// Nowhere: the approved plan simply runs.
    #[default]
    None,
    /// Before each step.
    BeforeStep,
    /// After each step.
    AfterStep,
    /// Before the first step and after each one.
    Both,
}

impl ApprovalMode {
    /// How many steps may start when a plan is approved.
    fn at_approval(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::AfterStep => Some(1),
            Self::BeforeStep | Self::Both => Some(0),
        }
    }

    /// How many steps may start when the person says to go on.
    fn at_resumption(self) -> Option<u32> {
        match self {
            Self::None => None,
            Self::AfterStep | Self::BeforeStep | Self::Both => Some(1),
        }
    }
}

/// A slash command, declared once: help, completion and dispatch read the same entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// With its slash.
    pub name: String,
    /// What it does, in a few words.
    pub help: String,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            commands: Vec::new(),
            examples: Vec::new(),
            slots: limits::STEPS_PARALLEL_MAX,
            backoff_ms: 500,
            approval_mode: ApprovalMode::None,
            pause_enabled: true,
            auto_approve_steps_max: 0,
        }
    }
}

/// Decides one input.
#[must_use]
pub fn decide(
    conversation: &Conversation,
    input: &Input,
    policy: &Policy,
    reader: &dyn Reader,
    now: Timestamp,
) -> Decision {
    let mut turn = Turn::new(conversation, policy, reader, now);
    match &input.body {
        InputBody::Message { person, text, grounding } => {
            turn.receive(person, text);
            message::route(&mut turn, text, grounding);
        }
        InputBody::Decide { person, reference, verdict } => {
            turn.receive(person, &answer::in_words(verdict));
            answer::by_control(&mut turn, *reference, verdict);
        }
        InputBody::Stop { person } => {
            turn.receive(person, "stop");
            control::cancel(&mut turn);
        }
        InputBody::Join { person } => turn.join(person),
        InputBody::Press { person, control, words } => {
            let label = say::control_label(*control);
            let typed = words.as_ref().map_or_else(|| label.clone(), |words| format!("{label} {words}"));
            turn.receive(person, &typed);
            match control {
                Control::Queue => queue::command(&mut turn, words.as_deref()),
                other => control::act(&mut turn, *other, true),
            }
        }
        InputBody::SetMode { person, mode } => {
            turn.receive(person, &format!("mode {mode}"));
            control::act(&mut turn, Control::SwitchMode(*mode), true);
            turn.note(Outcome::Applied, format!("The mode is {mode}."));
        }
        InputBody::Report(report) => report::take_in(&mut turn, report),
    }
    settle::settle(&mut turn);
    turn.finish()
}
