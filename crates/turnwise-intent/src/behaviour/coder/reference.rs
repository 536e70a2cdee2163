//! What "this", "it" and "the file" point to (BH-02): the last applied diff, else the open editor, else the last
//! proposal. Words that name one of the three ("the open file", "the plan") go straight to it where it is there.
//! Next: `signals`, which finds the words that point.

use serde::Serialize;

use super::signals::Signals;
use crate::classify::Context;

/// Where a reference leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ReferenceKind {
    /// The diff applied last.
    LastAppliedDiff,
    /// The file open in the editor.
    LastOpenEditor,
    /// The plan, diff or checkpoint proposed last.
    LastArtifactProposed,
}

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
