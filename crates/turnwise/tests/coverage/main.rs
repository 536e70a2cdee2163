//! No content word disappears: what a plan does not use is named on it, asked about or refused. The cases that once
//! were answered as if the word had not been said, how seldom a note stands on a question where every word counts, and
//! any question of the suites with a word too many. Next: `through_ask`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod data;
#[path = "../desk/mod.rs"]
mod desk;
mod random;
mod suites;
mod through_ask;
