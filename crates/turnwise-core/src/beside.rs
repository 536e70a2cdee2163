//! What a conversation knows beside its work: what it is called, what language models took, and what lies open before
//! whoever speaks. Surfaces show it and assistants are told it; no decision rests on it. Next: `conversation`.

use crate::{Conversation, ModelsUsed, Surroundings};

impl Conversation {
    /// What a person called it; none while nobody did.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What language models took so far.
    #[must_use]
    pub fn models_used(&self) -> &ModelsUsed {
        &self.models
    }

    /// What lies open before whoever spoke last and could tell.
    #[must_use]
    pub fn around(&self) -> &Surroundings {
        self.recent.around()
    }
}
