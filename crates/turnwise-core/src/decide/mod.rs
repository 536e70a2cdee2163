//! `decide`: what a turn comes to. Pure: the conversation, an input, the policy, a reader and the time go in; events
//! and effects come out. Nothing waits here and nothing is mutated.
//!
//! `turn` collects what is decided; `message` routes a person's words by state first and by reading second; `answer`
//! takes answers to open questions; `act` and `control` do what was asked; `facts`, `learn` and `evict` look after what
//! is known; `report` takes in the results of our own work; `settle` starts whatever should be happening. Next: `turn`.

mod about;
mod act;
mod answer;
mod asked;
mod asked_of;
mod braking;
mod choice;
mod constraints;
mod control;
mod evict;
mod expire;
mod facts;
mod failure;
mod growth;
mod hearing;
mod hedged;
mod learn;
mod likely;
mod lost;
mod message;
mod patching;
mod pause;
mod program;
mod queue;
mod redraft;
mod replaced;
mod report;
mod satisfied;
mod say;
mod seen;
mod selected;
mod settings;
mod settle;
mod several;
mod standing;
mod talk;
mod tried;
mod turn;
mod unplanned;
mod unqueue;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{
    Control, Conversation, Effect, Event, Flow, Input, InputBody, Outcome, PersonId, Reader, Timestamp, limits,
};
use turn::Turn;

/// What a turn comes to: events to append in one transaction, then effects to perform.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// In order.
    pub events: Vec<Event>,
    /// In order; performed only after the events are durable.
    pub effects: Vec<Effect>,
    /// The conversation with these events applied, so that whoever stores them need not apply them again.
    pub state: Conversation,
}

/// What an assistant's profile and the operator settle for the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The slash commands there are, for help.
    pub commands: Vec<Command>,
    /// Things to say, for help.
    pub examples: Vec<String>,
    /// What the assistant's queries are called beside that, in lower case: the name of a language.
    #[serde(default)]
    pub query_words: Vec<String>,
    /// Steps running at once.
    pub slots: usize,
    /// Milliseconds before the first retry of a step; doubled for each further one.
    pub backoff_ms: u32,
    /// How it goes about its work, as far as a conversation settles nothing else for itself (FL-11).
    #[serde(default)]
    pub flow: Flow,
    /// Whether a no to a plan ends its task, where a task is one thing that is done or not. Otherwise it is asked what
    /// should be different, and what is said next changes the plan.
    #[serde(default)]
    pub no_ends: bool,
    /// Whether a question about a task is put to whoever wants the task done: the words of others are then no answer to
    /// it, where several talk in one conversation. A control that answers it is anybody's.
    #[serde(default)]
    pub asks_whoever_ordered: bool,
    /// Who may approve plans; empty, the default, for anyone.
    #[serde(default)]
    pub approvers: Vec<PersonId>,
    /// Seconds after which a plan nobody decided on expires; by default it waits as long as it takes (CF-17).
    #[serde(default)]
    pub approval_seconds_max: Option<u32>,
    /// Whether there is a model to ask which reading of a message is meant, where the reader is not sure (CF-09).
    #[serde(default)]
    pub hears: bool,
    /// Whether the assistant can propose a fix of what failed (BH-10).
    #[serde(default)]
    pub proposes_fixes: bool,
    /// Whether the only likely reading of a message is taken though it is not sure: where work only ever looks, nothing
    /// is lost by it.
    #[serde(default)]
    pub takes_likely: bool,
}

/// Whether a task is talked over before it is planned (FL-07, FL-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Talk {
    /// No: it is planned at once.
    #[default]
    None,
    /// Yes, until the person says to begin.
    First,
    /// Nothing else: no work begins from it.
    Only,
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
    /// What is asked where nothing stands behind it; absent for one that stands alone.
    #[serde(default)]
    pub asks: Option<String>,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            commands: Vec::new(),
            examples: Vec::new(),
            query_words: Vec::new(),
            slots: limits::STEPS_PARALLEL_MAX,
            backoff_ms: 500,
            flow: Flow::default(),
            approvers: Vec::new(),
            approval_seconds_max: None,
            no_ends: false,
            asks_whoever_ordered: false,
            hears: false,
            proposes_fixes: false,
            takes_likely: false,
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
    let mut turn = Turn::new(conversation, &input.origin, policy, reader, now);
    if let Some((person, words)) = input.body.by_person() {
        turn.receive(person, &words);
    }
    expire::due(&mut turn);
    match &input.body {
        InputBody::Message { text, grounding, .. } => {
            let known = learn::known(turn.state(), text, grounding);
            message::route(&mut turn, text, &known);
        }
        InputBody::Decide { reference, verdict, .. } => answer::by_control(&mut turn, *reference, verdict),
        InputBody::Stop { .. } => control::cancel(&mut turn),
        InputBody::Join { person } => turn.join(person),
        InputBody::Leave { person } => turn.leave(person),
        InputBody::Rename { person, title } => turn.rename(person, title),
        InputBody::Press { control: Control::Queue, words, .. } => queue::command(&mut turn, words.as_deref()),
        InputBody::Press { control: Control::Flow, words, .. } => settings::command(&mut turn, words.as_deref()),
        InputBody::Press { control, .. } => control::act(&mut turn, *control, true),
        InputBody::SetMode { mode, .. } => {
            control::act(&mut turn, Control::SwitchMode(*mode), true);
            turn.note(Outcome::Applied, format!("The mode is {mode}."));
        }
        InputBody::Report(report) => report::take_in(&mut turn, report),
    }
    settle::settle(&mut turn);
    turn.finish()
}

impl InputBody {
    /// Who gave it, and what they said or did in words; `None` for our own work.
    fn by_person(&self) -> Option<(&PersonId, Cow<'_, str>)> {
        match self {
            Self::Message { person, text, .. } => Some((person, Cow::Borrowed(text))),
            Self::Decide { person, verdict, .. } => Some((person, Cow::Owned(answer::in_words(verdict)))),
            Self::Stop { person } => Some((person, Cow::Borrowed("stop"))),
            Self::Press { person, control, words: None } => Some((person, Cow::Owned(say::control_label(*control)))),
            // What is in the queue is changed by words; they stand there as they would have been typed.
            Self::Press { person, control: Control::Queue, words: Some(words) } => {
                Some((person, Cow::Owned(format!("/queue {words}"))))
            }
            Self::Press { person, control: Control::Flow, words: Some(words) } => {
                Some((person, Cow::Owned(format!("/flow {words}"))))
            }
            Self::Press { person, control, words: Some(words) } => {
                Some((person, Cow::Owned(format!("{}: {words}", say::control_label(*control)))))
            }
            Self::SetMode { person, mode } => Some((person, Cow::Owned(format!("mode {mode}")))),
            // Who takes part, and what a conversation is called, is neither said nor done in it, and needs no receipt.
            Self::Join { .. } | Self::Leave { .. } | Self::Rename { .. } | Self::Report(_) => None,
        }
    }
}
