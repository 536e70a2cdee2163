//! What the engine asks of an assistant, for the copilot: reading, drafting, answering, running. Each is a file of its
//! own, because only `run` may have an effect. Next: `copilot`.

mod answer;
mod asking;
mod copilot;
mod draft;
mod further;
mod kind;
mod lacking;
mod reader;
mod run;
mod talked;

pub(crate) use further::wanted_behind;
pub use kind::KIND;
