//! `decide`: what a turn comes to. Pure: the conversation, an input, the policy, a reader and the time go in; events and
//! effects come out. Nothing waits here and nothing is mutated.

use serde::{Deserialize, Serialize};

use crate::{Conversation, Effect, Event, Input, Reader, Timestamp, limits};

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
        Self { commands: Vec::new(), examples: Vec::new(), slots: limits::STEPS_PARALLEL_MAX, backoff_ms: 500 }
    }
}

/// Decides one input.
#[must_use]
pub fn decide(
    _conversation: &Conversation,
    _input: &Input,
    _policy: &Policy,
    _reader: &dyn Reader,
    _now: Timestamp,
) -> Decision {
    Decision::default()
}
