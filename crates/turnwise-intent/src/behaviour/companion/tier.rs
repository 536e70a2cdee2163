//! How much of a project goes into a prompt (CP-11), and the constants of prompts in one place (CP-14).
//! Next: `intents`.

use serde::Serialize;

/// Turns of the conversation in a prompt, the most recent ones (CP-12).
pub const TURNS_IN_CONTEXT: usize = 10;

/// Notes in a prompt, newest first.
pub const NOTES_IN_CONTEXT: usize = 20;

/// Tokens that the context of a project may take; over it only labels and counts are given.
pub const CONTEXT_TOKENS_MAX: usize = 2_000;

/// Characters of a field of the seed.
pub const SEED_CHARACTERS_MAX: usize = 200;

/// Characters of a note.
pub const NOTE_CHARACTERS_MAX: usize = 150;

/// What is told of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextTier {
    /// Its seed.
    SeedOnly,
    /// Its seed and the most recent notes.
    SeedRecent,
    /// Its notes in groups, each with a summary.
    Grouped,
}

/// The tier of a project with or without notes and groups of notes.
#[must_use]
pub fn tier(has_notes: bool, has_groups: bool) -> ContextTier {
    match (has_notes, has_groups) {
        (_, true) => ContextTier::Grouped,
        (true, false) => ContextTier::SeedRecent,
        (false, false) => ContextTier::SeedOnly,
    }
}
