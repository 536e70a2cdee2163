//! The analyst asked in plain words over real and made-up data, its answers compared with ones computed independently.
//! Next: `ask` for how a question is run, `chinook` and `own` for the shop database, `warehouse` for plain files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod ask;
mod chains;
mod changes;
mod chinook;
mod company;
mod desk;
mod followups;
mod gaps;
#[path = "../golden/mod.rs"]
mod golden;
mod leaning;
mod lists;
mod made;
mod measures_later;
mod office;
mod opposites;
mod ordinary;
mod own;
mod pieces;
mod plainly;
mod reaches;
mod salad;
mod shop;
mod sides;
mod talk;
mod warehouse;
