//! What goes into a store and what comes out of it, as values. All stores speak of the same records, so that one
//! contract suite holds for all. Next: `memory`.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnwise_core::{
    AssistantName, Conversation, ConversationId, Effect, Event, InputKey, PersonId, Phase, Receipt, Sequence,
    Timestamp, text,
};

use super::{StoreError, limits};

/// One turn to be stored.
#[derive(Clone, Debug)]
pub struct Turn {
    /// The conversation.
    pub conversation: ConversationId,
    /// The last event the decision rests on; 0 for a new conversation.
    pub expected: Sequence,
    /// What is appended, in order.
    pub events: Vec<Event>,
    /// The conversation after these events.
    pub state: Arc<Conversation>,
    /// Whether `state` is kept as a snapshot.
    pub snapshot: bool,
    /// The keys under which the input may come again; at least one.
    pub keys: Vec<InputKey>,
    /// What the input is answered with then.
    pub result: TurnResult,
    /// The work whose outcome the input reports, as it was claimed; absent for a person's input.
    pub reported: Option<Reported>,
    /// Work that is over.
    pub finished: Vec<Effect>,
    /// Work that begins, claimed by `owner`.
    pub started: Vec<Effect>,
    /// Who performs it.
    pub owner: Owner,
    /// Until when the claim holds unless renewed.
    pub until: Timestamp,
    /// When.
    pub at: Timestamp,
}

/// The result of a turn: given back again when its input comes again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnResult {
    /// What became of a person's input; reports get none.
    pub receipt: Option<Receipt>,
    /// The first event of the turn.
    pub first: Sequence,
    /// The last event of the turn; before `first` when the turn had none.
    pub last: Sequence,
    /// A digest of what the input said (SHA-256, hexadecimal), so that a key used again for something else is noticed;
    /// absent for reports, whose keys are the driver's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Whether this is the result of an earlier delivery, repeated.
    #[serde(skip)]
    pub duplicate: bool,
}

/// Work whose outcome is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported {
    /// The work.
    pub effect: Effect,
    /// The claim under which it was done.
    pub fence: Fence,
}

/// What became of storing a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// It is stored.
    Stored,
    /// The input was here before; this is its first result, and nothing else happened.
    Duplicate(TurnResult),
    /// The conversation has moved on: read what is new and decide again.
    Conflict,
    /// The work was taken over by another driver, whose report counts instead.
    Fenced,
}

/// What became of deleting a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deleted {
    /// It is gone.
    Gone,
    /// There was none of that id.
    NotThere,
    /// Work of it is under way; stop it first.
    Busy,
}

/// One run of one driver, unique for all time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Owner(String);

/// Counts up with every claim of one piece of work, so that a holder that lost its claim is told from the one that has
/// it (fencing).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Fence(u64);

/// A point in the order in which a store took its events in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(u64);

/// Work to be taken over.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The conversation.
    pub conversation: ConversationId,
    /// The last event the claimant knows.
    pub expected: Sequence,
    /// The work.
    pub effects: Vec<Effect>,
    /// By whom.
    pub owner: Owner,
    /// Until when.
    pub until: Timestamp,
    /// Leases that ran out by now are free.
    pub now: Timestamp,
}

/// What became of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// This much of it was free and is the claimant's now.
    Granted(Vec<Reported>),
    /// The conversation has moved on.
    Conflict,
}

/// Work held under a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The conversation.
    pub conversation: ConversationId,
    /// The work.
    pub effect: Effect,
    /// The claim it is held under.
    pub fence: Fence,
}

/// Work that nobody holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abandoned {
    /// The conversation.
    pub conversation: ConversationId,
    /// The work.
    pub effect: Effect,
    /// The last claim on it: how often it was taken up.
    pub fence: Fence,
}

/// An event with its place in the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// Its place.
    pub sequence: Sequence,
    /// What is true since.
    pub event: Event,
}

/// A conversation as stored: the latest snapshot and the events after it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The snapshot; absent when there is none yet.
    pub snapshot: Option<Conversation>,
    /// The events after it, in order.
    pub events: Vec<Recorded>,
}

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Its id.
    pub id: ConversationId,
    /// The assistant it is with.
    pub assistant: AssistantName,
    /// Its first message, cut short.
    pub title: Option<String>,
    /// Where it stands.
    pub phase: Phase,
    /// Its last turn.
    pub active_at: Timestamp,
    /// Who takes part, in order of their names.
    pub members: Vec<PersonId>,
}

/// What grew in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Where the store stands.
    pub upto: Position,
    /// The conversations that grew, with their last events.
    pub grown: Vec<(ConversationId, Sequence)>,
}

impl Turn {
    /// The last event of the conversation once this turn is stored.
    #[must_use]
    pub fn last(&self) -> Sequence {
        Sequence::new(self.expected.number() + self.events.len() as u64)
    }

    /// The events with their places in the log.
    pub fn recorded(&self) -> impl Iterator<Item = Recorded> + '_ {
        let first = self.expected.number() + 1;
        let place = |(number, event): (u64, &Event)| Recorded { sequence: Sequence::new(number), event: event.clone() };
        (first..).zip(&self.events).map(place)
    }

    /// What a person called the conversation in this turn.
    #[must_use]
    pub fn renamed(&self) -> Option<String> {
        self.events.iter().rev().find_map(|event| match event {
            Event::Titled { title, .. } => Some(title.clone()),
            _ => None,
        })
    }

    /// What the conversation is called if this is its first message.
    #[must_use]
    pub fn title(&self) -> Option<String> {
        self.events.iter().find_map(|event| match event {
            Event::MessageReceived { text, .. } => Some(text::clip(text, limits::TITLE_CHARACTERS)),
            _ => None,
        })
    }
}

impl TurnResult {
    /// The same, as the answer to a second delivery.
    #[must_use]
    pub fn repeated(mut self) -> Self {
        self.duplicate = true;
        self
    }
}

impl Owner {
    /// Wraps an id that nobody else uses.
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// The id.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Something that a channel was delivered and that is not taken in yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The channel's name.
    pub channel: String,
    /// The same for every delivery of one thing.
    pub key: InputKey,
    /// What was delivered, in the channel's own form.
    pub content: String,
}

/// What a process that begins finds delivered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenUp {
    /// To be taken in, in the order they came.
    pub deliveries: Vec<Delivery>,
    /// Taken up too often; they stay where they are.
    pub given_up: Vec<Delivery>,
}

impl fmt::Display for Owner {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Fence {
    /// The fence of a first claim.
    pub const FIRST: Self = Self(1);

    /// The fence after the `number`th claim.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number of the claim, from 1.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl Position {
    /// The `number`th event taken in; 0 before the first.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// How many events were taken in.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0
    }
}

impl Loaded {
    /// The conversation: the snapshot with the events folded in.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when an event does not fit; the log was changed by something else.
    pub fn fold(self, id: &ConversationId, assistant: &AssistantName) -> Result<Conversation, StoreError> {
        let mut conversation = self.snapshot.unwrap_or_else(|| Conversation::new(assistant.clone()));
        for recorded in &self.events {
            let damaged =
                |reason: String| StoreError::Damaged { conversation: id.clone(), sequence: recorded.sequence, reason };
            if recorded.sequence.number() != conversation.sequence().number() + 1 {
                return Err(damaged(format!("it follows {}, so events are missing", conversation.sequence())));
            }
            conversation.apply(&recorded.event).map_err(|error| damaged(error.to_string()))?;
        }
        Ok(conversation)
    }
}
