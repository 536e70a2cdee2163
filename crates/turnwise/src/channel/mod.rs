//! Channels: each turns what people do into inputs and draws cards, and knows nothing of the others. Next: `draw` for
//! how cards look, `terminal` for the interactive surface, `line` for pipes.

mod blanks;
mod diff;
pub mod draw;
pub mod editor;
pub mod ending;
pub mod feed;
pub mod handles;
pub mod help;
pub mod http;
pub mod keeping;
pub mod line;
pub mod link;
pub mod markdown;
pub mod mcp;
pub mod plan_text;
pub mod remote;
mod revise;
pub mod shelf;
pub(crate) mod signals;
pub mod slack;
pub mod terminal;
pub mod vocabulary;
pub mod web;
pub mod wire;

use std::sync::Arc;

use link::{Link, Notices};
use vocabulary::Vocabulary;

/// A conversation as a channel gets it.
pub struct Opened {
    /// The conversation.
    pub link: Arc<dyn Link>,
    /// What is said first, one line each.
    pub greeting: Vec<String>,
    /// What goes wrong in the background.
    pub notices: Notices,
    /// What may be typed in it.
    pub vocabulary: Vocabulary,
}
