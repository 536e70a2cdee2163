//! What the engine asks of an assistant, for the copilot: reading, drafting, answering, running. Next: `copilot`.

mod answer;
mod copilot;
mod draft;
mod kind;
mod reader;
mod run;

pub use kind::KIND;
