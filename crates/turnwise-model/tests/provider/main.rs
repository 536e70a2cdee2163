//! Models reached over HTTP: a server in this process speaks the protocols of providers, rightly and wrongly, and what
//! it was sent is looked at.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod failing;
mod keys;
mod server;
mod speaking;
