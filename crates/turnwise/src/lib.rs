//! The shell of Turnwise: driver, stores and channels around the pure core.
//!
//! `driver` is the only place where effects happen; `store` keeps what must not be lost; `assistant` lists the
//! assistants, each a crate of its own; `channel` turns what people do into inputs and draws cards. Start reading at
//! `assistant`.

pub mod assistant;
pub mod channel;
pub mod cli;
pub mod driver;
pub mod outgoing;
pub mod proof;
pub mod sample;
pub mod store;
pub mod telemetry;
