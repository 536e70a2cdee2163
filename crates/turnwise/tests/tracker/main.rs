//! The trackers of the ticket bot, through the real program, each with a stand-in that keeps what it is given and can
//! be made to fail.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod github;
mod jira;
mod stand_in;
