//! Proofs: how a conclusion was found, as a file that somebody else can check without us. A proof holds every fact
//! of the chain with its query, rows, sources and assumptions, each linked by hash to the one before and to its
//! inputs, and ends in a seal over all bytes of the file, so that one changed byte anywhere is found. A seal shows
//! that a file was edited; it does not show who made it, because whoever edits can seal again.
//!
//! `collect` makes a proof of a kept conversation, `json`, `markdown` and `html` write it, `check` reads it back
//! and `rerun` compares it with the data at hand. Next: `document` for what a proof holds.

pub mod check;
pub mod collect;
pub mod difference;
pub mod document;
mod graph;
mod html;
pub mod limits;
mod markdown;
pub mod rerun;
pub mod seal;

use document::Proof;

/// How a proof is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For machines; the other two carry it inside.
    Json,
    /// For reading anywhere.
    Markdown,
    /// One page, with the derivation drawn.
    Html,
}

/// The proof as the bytes of a file, sealed.
#[must_use]
pub fn write(proof: &Proof, form: Form) -> String {
    match form {
        Form::Json => seal::json(proof),
        Form::Markdown => seal::comment(markdown::page(proof)),
        Form::Html => seal::comment(html::page(proof)),
    }
}

#[cfg(test)]
mod tests;
