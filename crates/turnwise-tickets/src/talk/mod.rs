//! The bot as the engine meets it: how messages are read in their thread, what is drafted, asked and answered, and how
//! steps are run. It knows no engine, no surface and no other assistant. Next: `bot` for the trait, `plan` for tickets,
//! `answer` for everything that creates nothing.

mod answer;
mod bot;
mod deciding;
mod duplicates;
mod form;
mod kind;
mod known;
mod made;
mod offers;
mod overheard;
mod plan;
mod quantity;
mod reader;
mod run;
mod sheet;
mod steps;

pub use kind::KIND;
