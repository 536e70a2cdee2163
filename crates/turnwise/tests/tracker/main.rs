//! The trackers of the ticket bot, through the real program, each with a stand-in that keeps what it is given and can
//! be made to fail.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod github;
mod jira;
#[path = "../node/mod.rs"]
mod node;
mod prism;
mod stand_in;
