//! Lists of conversations: which ones are wanted, and where a page goes on. What is wanted is said to the store,
//! because a list that is cut before it is filtered hides what it should show. Next: `record` for what is listed.

use turnwise_core::{AssistantName, ConversationId, PersonId, Timestamp};

use super::Summary;

/// Which conversations a list holds: those for which everything holds that is said here. Nothing said means all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// This one.
    pub id: Option<ConversationId>,
    /// Its id begins so.
    pub beginning: Option<String>,
    /// It is one of these.
    pub over: Vec<Over>,
    /// This person takes part.
    pub member: Option<PersonId>,
    /// Where its questions stand.
    pub questions: Questions,
    /// It comes after this place.
    pub after: Option<Place>,
}

/// The conversations with an assistant that are over the same things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// The assistant.
    pub assistant: AssistantName,
    /// How their ids end.
    pub ending: String,
}

/// Where the questions of a conversation stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Questions {
    /// Anywhere.
    #[default]
    Any,
    /// One is open, as far as the store knows: of a conversation that had no turn for long it may not.
    Open,
}

/// A place in a list: behind the conversation that is named.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Its last turn when it was listed.
    pub active_at: Timestamp,
    /// Its id: conversations of the same moment are listed by their ids.
    pub id: ConversationId,
}

impl Listing {
    /// The conversation `id` alone.
    #[must_use]
    pub fn of(id: ConversationId) -> Self {
        Self { id: Some(id), ..Self::default() }
    }
}

impl Summary {
    /// Where it stands in a list.
    #[must_use]
    pub fn place(&self) -> Place {
        Place { active_at: self.active_at, id: self.id.clone() }
    }
}
