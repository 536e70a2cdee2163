//! The payload of `intent_received` (BH-11). Its keys are those that consumers of the log already read, which is why
//! the behaviour is spelt `behavior` here and nowhere else. Next: `reference`.

use serde::Serialize;

use super::reference::{Reference, ReferenceKind};
use super::scope::Scope;
use crate::behaviour::as_code;
use crate::profile::Behaviour;

/// What is logged of a selection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IntentReceived {
    /// What the system does.
    #[serde(rename = "behavior", serialize_with = "as_code")]
    pub behaviour: Behaviour,
    /// What the request rests on.
    pub context_source: Source,
    /// How sure the rules are.
    pub confidence: f32,
    /// One readable sentence.
    pub reasoning: String,
    /// How much it concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detected_scope: Option<Scope>,
    /// The files it names or refers to.
    pub referenced_files: Vec<String>,
}

/// What a request rests on (BH-04).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Source {
    /// On its own words.
    Fresh,
    /// On what was done or proposed before.
    FollowUp {
        /// The files of the earlier task.
        files: Vec<String>,
        /// What the earlier task left: an applied diff or a proposal.
        previous_task: ReferenceKind,
    },
    /// On something that is pointed at ("this file").
    ExplicitReference {
        /// The files pointed at.
        files: Vec<String>,
    },
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
