//! Sources beyond files in the process: real servers that the tests start themselves, and the same questions on every
//! engine. A machine without a server says that it skipped; with CI=true that is a failure. Next: `process`, `server`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod across;
#[path = "../analyst/ask.rs"]
#[allow(dead_code, reason = "shared with the tests of the analyst")]
mod ask;
mod documents;
#[cfg(feature = "duckdb")]
mod duckdb;
mod engines;
mod load;
mod mysql;
mod mysql_server;
mod postgres;
mod process;
mod safety;
mod server;

/// Readings are held against their lines by the tests of the analyst; here the same ones are asked of several engines.
mod golden {
    use turnwise_analyst::Analyst;
    use turnwise_core::{DraftOutcome, Task};

    pub fn drafted(_: &str, _: &Analyst, _: &Task, _: &DraftOutcome) {}
}
