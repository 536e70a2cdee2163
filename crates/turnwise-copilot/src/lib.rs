//! The copilot: an assistant that does tasks with tools. What it does comes from a recipe, from steps a person writes
//! down, or, where one was named, from a language model; each of them ends in a plan whose every call can be read
//! before it is approved.
//!
//! `tool` is what a tool is and the ones built in, `mcp` those of other programs, `orders` reads steps a person
//! writes, `amend` changes of a plan, `limits` what it has to keep to, `recipe` finds and fills recipes, `model` has a
//! language model write steps, `planned` makes steps of calls, `talk` is what the engine asks of an assistant. Start at
//! [`KIND`]; how messages are read stands in the profile `assistants/copilot`.

mod amend;
mod limits;
mod mcp;
mod model;
mod options;
mod orders;
mod planned;
mod recipe;
mod said;
mod talk;
mod tool;

pub use talk::KIND;
