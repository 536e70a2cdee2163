//! The trackers of the ticket bot, through the real program, each with a stand-in that keeps what it is given and can
//! be made to fail.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

#[allow(dead_code, reason = "shared with the tests of the server")]
#[path = "../server/client.rs"]
mod client;
mod doubled;
mod github;
mod jira;
#[path = "../node/mod.rs"]
mod node;
#[allow(dead_code, reason = "shared with the tests of Slack")]
#[path = "../slack/peer.rs"]
mod peer;
mod prism;
mod stand_in;
