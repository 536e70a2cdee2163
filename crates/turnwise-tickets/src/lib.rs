//! The ticket bot: talk in a thread becomes tickets, reviews and decisions. Whatever would exist afterwards is shown
//! whole before, created once, and found again after a crash.
//!
//! `draft` makes tickets of words, `tracker` is where they are created, `review` looks at proposals, `thread` remembers
//! what outlives a message, `context` what was decided, `decision` posts it, `talk` is what the engine asks of an
//! assistant. Start at [`KIND`]; what a message means stands in the profile `assistants/tickets`.

pub mod context;
pub mod decision;
pub mod draft;
pub mod review;
mod shorten;
mod talk;
pub mod thread;
pub mod tracker;
mod words;

pub use talk::KIND;
