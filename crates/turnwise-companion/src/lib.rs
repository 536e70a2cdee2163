//! The companion: at the side of one person on their projects. It keeps what they tell as notes, knows where a project
//! stands, finds what was told before, and hands out what came of it, in one voice.
//!
//! `store` keeps projects, notes and documents; every question to it names who asks. `voice` is what it says, as data.
//! `talk` is what the engine asks of an assistant. Start at [`KIND`].

mod folder;
pub mod store;
mod talk;
pub mod voice;

pub use talk::KIND;
