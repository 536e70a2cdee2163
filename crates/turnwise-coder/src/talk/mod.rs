//! The coder as the engine meets it: how messages are read, what is planned and answered, and how steps are run. It
//! knows no engine, no surface and no other assistant. Next: `coder` for the trait, `draft` for plans, `answer` for
//! questions.

mod answer;
mod build;
mod coder;
mod counted;
mod draft;
mod find;
mod form;
mod hunks;
mod kept;
mod kind;
mod look;
mod names;
mod overview;
mod places;
mod pointed;
mod reader;
mod run;
mod since;
mod steps;

pub use kind::KIND;
