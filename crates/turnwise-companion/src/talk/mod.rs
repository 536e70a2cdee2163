//! The companion as the engine meets it: how messages are read, what is planned and answered, and how steps are run. It
//! knows no engine, no surface and no other assistant. Next: `companion` for the trait, `draft` for changes, `answer`
//! for questions.

mod answer;
mod begin;
mod beside;
mod brief;
mod companion;
mod content;
mod context;
mod correcting;
mod desk;
mod draft;
mod files;
mod grounds;
mod kind;
mod known;
mod model;
mod moving;
mod oneself;
mod past;
mod people;
mod place;
mod reader;
mod run;
mod setup;
mod several;
mod steps;
mod taking;
mod told;
mod undoing;

pub use kind::KIND;

#[cfg(test)]
mod blind;

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod seeded;

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod wall;

#[cfg(test)]
#[allow(clippy::panic, reason = "tests fail by panicking")]
mod weeks;
