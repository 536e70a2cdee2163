//! The copilot through the real program: recipes and written steps become plans that run after a yes and never before
//! it, tools of other programs are called as they were approved, and what a server claims of itself changes nothing.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod amended;
mod at_once;
mod desk;
#[path = "../dying/mod.rs"]
mod dying;
mod everyday;
mod further;
mod held;
mod killed;
mod kills;
mod lacking;
mod liar;
mod mcp;
mod mcp_web;
mod model;
mod model_tasks;
#[path = "../node/mod.rs"]
mod node;
mod outlived;
mod recipes;
mod servers;
mod stale;
mod talked;
mod tasks;
mod written;
