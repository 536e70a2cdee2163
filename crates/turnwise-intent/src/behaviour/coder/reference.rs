//! What "this", "it" and "the file" point to (BH-02): the last applied diff, else the open editor, else the last
//! proposal. Words that name one of the three ("the open file", "the plan") go straight to it where it is there.
//! Next: `signals`, which finds the words that point.

use serde::Serialize;
use turnwise_core::selected::{ReferenceKind, Source};

use super::signals::Signals;
use crate::classify::Context;

/// A resolved reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// Where it leads.
    pub kind: ReferenceKind,
    /// The files there, or the name of the proposal.
    pub files: Vec<String>,
}

/// In the order in which they are tried.
const PRIORITY: [ReferenceKind; 3] =
    [ReferenceKind::LastAppliedDiff, ReferenceKind::LastOpenEditor, ReferenceKind::LastArtifactProposed];

/// What the words may refer to; `None` when nothing is there or the message names its own files.
#[must_use]
pub fn resolve(signals: &Signals, files: &[String], context: &Context) -> Option<Reference> {
    if !files.is_empty() {
        return None;
    }
    let named = signals.names_reference();
    named.into_iter().chain(PRIORITY).find_map(|kind| {
        let files = match kind {
            ReferenceKind::LastAppliedDiff => &context.last_applied_diff,
            ReferenceKind::LastOpenEditor => &context.last_open_editor,
            ReferenceKind::LastArtifactProposed => &context.last_artifact_proposed,
        };
        (!files.is_empty()).then(|| Reference { kind, files: files.clone() })
    })
}

/// The source that follows from a resolved reference. An open editor that nobody points at is no reference.
pub(super) fn source(reference: Option<&Reference>, is_pointing: bool) -> Source {
    let Some(reference) = reference.filter(|_| is_pointing) else { return Source::Fresh };
    let files = reference.files.clone();
    match reference.kind {
        ReferenceKind::LastOpenEditor => Source::ExplicitReference { files },
        ReferenceKind::LastAppliedDiff | ReferenceKind::LastArtifactProposed => {
            Source::FollowUp { files, previous_task: reference.kind }
        }
    }
}
