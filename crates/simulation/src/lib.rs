//! A seeded simulation of the whole engine: the real driver, twice, over one store, with people who press everything,
//! a store that fails and stalls, processes that die at any write, and tools that break down. Time is virtual and all
//! chance comes from the seed, so a seed is a history that can be played again. After every turn and at every effect
//! in the world, an observer that stands outside checks what must never happen (`Violation`).
//!
//! It is a crate of its own so that virtual time is linked into nothing that people use. Start reading at `history`;
//! for the rules `violation`, for faults `faults`, for bugs planted on purpose `planted`.

mod chance;
mod describe;
mod faults;
mod history;
mod ledger;
mod legal;
mod people;
mod planted;
mod process;
mod surface;
mod tools;
mod violation;
mod watch;
mod words;
mod world;

pub use history::{Outcome, Transcript, play};
pub use planted::Planted;
pub use violation::Violation;
pub use watch::Tally;
