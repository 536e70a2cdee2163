//! The printable form of a decision reference: what a button carries and a decision brings back. Next: `routes`.

use std::fmt;

use turnwise_core::{DecisionRef, PendingId};

/// A decision reference as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reference(DecisionRef);

impl Reference {
    pub(super) fn of(reference: DecisionRef) -> Self {
        Self(reference)
    }

    /// Reads the text again; `None` for anything else.
    pub(super) fn parse(text: &str) -> Option<DecisionRef> {
        let (pending, version) = text.strip_prefix('q')?.split_once('.')?;
        Some(DecisionRef { pending: PendingId::new(pending.parse().ok()?), ui_version: version.parse().ok()? })
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "q{}.{}", self.0.pending.number(), self.0.ui_version)
    }
}
