//! The coder: an assistant inside a code base. It answers from the files with their places, and proposes small changes
//! as a difference that is written only after a person approved it, whole or not at all, and that can be taken back.
//!
//! `workspace` reads and never leaves its folder, `code` knows the grammar of some languages, `edit` proposes, applies
//! and undoes, `rules` makes edits of plain orders without a model, `model` has a language model write them, `worker`
//! has another agent do a step in a copy, `talk` is what the engine asks of an assistant. Start at [`KIND`]; what each
//! behaviour must do stands in the profile `assistants/coder`.

pub mod code;
pub mod edit;
mod model;
mod options;
pub mod rules;
mod talk;
mod worker;
pub mod workspace;

pub use talk::KIND;
