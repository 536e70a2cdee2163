//! The companion as the engine meets it: how messages are read, what is planned and answered, and how steps are run. It
//! knows no engine, no surface and no other assistant. Next: `companion` for the trait, `draft` for changes, `answer`
//! for questions.

mod answer;
mod beside;
mod companion;
mod context;
mod draft;
mod files;
mod kind;
mod model;
mod past;
mod place;
mod reader;
mod run;
mod setup;
mod steps;
mod told;

pub use kind::KIND;
