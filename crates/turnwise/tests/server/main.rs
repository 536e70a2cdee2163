//! `turnwise serve` through the real binary and plain sockets: the main job, the rules of keys and decisions, who may
//! see what, broken and hostile requests, and a server that is killed under load. Next: `client`, then one file a
//! concern.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod agreement;
mod agui;
mod apart;
mod cards;
mod clauses;
mod client;
#[path = "../code/mod.rs"]
mod code;
mod converse;
mod encrypted;
mod hostile;
mod killed;
mod lists;
mod once;
mod own_model;
mod people;
mod projects;
mod remote;
mod retention;
mod revising;
mod rules;
#[path = "../screen/mod.rs"]
mod screen;
mod selected;
mod sessions;
mod slow_model;
mod talk;
mod together;
mod traces;
mod unattended;
mod waiting;
mod writing;
