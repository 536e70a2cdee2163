//! The shell of Turnwise: driver, stores, assistants and channels around the pure core.
//!
//! `driver` is the only place where effects happen; `store` keeps what must not be lost; `assistant` answers, plans and
//! runs steps; `chart` draws results; `channel` turns what people do into inputs and draws cards. Start reading at
//! `assistant`.

pub mod assistant;
pub mod channel;
pub mod chart;
pub mod cli;
pub mod comma;
pub mod digest;
pub mod driver;
pub mod failure;
pub mod outgoing;
pub mod proof;
pub mod sample;
pub mod store;
pub mod telemetry;
