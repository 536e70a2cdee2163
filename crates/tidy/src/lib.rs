//! Rules of this repository that no compiler checks, as tests: heads of files, lengths, ids, dependencies, words.
//!
//! The rules are the files in `tests/`; this library holds what they share, so that each rule reads as a few lines. It
//! depends on nothing but the standard library: a tool that guards the dependency list should not grow it. A scanner
//! over masked text (see [`mask`]) is enough, because the rules ask for lines, names and braces, not for types.
//! Start reading at `tests/shape.rs`.

mod items;
mod mask;
mod offenders;
mod paths;
mod ratchet;
mod repository;
mod source;
mod words;

pub use items::{Function, IdField, functions, public_id_fields};
pub use mask::mask;
pub use offenders::Offenders;
pub use paths::{ModulePath, crate_paths};
pub use ratchet::Ratchet;
pub use repository::{read, root, source_files, text_files};
pub use source::SourceFile;
pub use words::{find_word, words_of};
