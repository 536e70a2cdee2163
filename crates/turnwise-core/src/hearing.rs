//! Hearing: a model is asked which of several readings of a message is meant, while the person is asked too (CF-09).
//! Whoever is first settles it. A model only picks among what the reader found likely, it is heard only where it is
//! sure, and never for anything that stops, starts again, forgets or decides: those stay the person's to say.
//! Next: `decide::hearing`.

use serde::{Deserialize, Serialize};

use crate::{Act, Conversation, MessageId, PendingId, PendingKind, Phase, QueryKind, Reading};

/// What is to be heard, as work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hearing {
    /// The message.
    pub text: String,
    /// The likely readings, best first.
    pub options: Vec<Reading>,
    /// The conversation's phase.
    pub phase: Phase,
    /// Whether a plan is active.
    pub has_plan: bool,
}

/// What a model took a message for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeardAs {
    /// Which of the readings, from 1.
    pub number: usize,
    /// Who says so.
    pub by: String,
}

/// A hearing that is not over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenHearing {
    /// The question to the person that stands meanwhile.
    pub(crate) pending: PendingId,
    /// The message that is heard.
    pub(crate) message: Option<MessageId>,
}

impl Conversation {
    /// The hearing beside the question `pending` as work, unless it is over.
    #[must_use]
    pub fn hearing_task(&self, pending: PendingId) -> Option<Hearing> {
        self.hearing.filter(|open| open.pending == pending)?;
        let question = self.pending().iter().find(|open| open.id == pending)?;
        let PendingKind::WhichReading { text, options, .. } = &question.kind else { return None };
        let (text, options) = (text.clone(), options.clone());
        Some(Hearing { text, options, phase: self.phase(), has_plan: self.plan().is_some() })
    }
}

/// Whether a model may settle that a reading with this act is meant: what is planned by it is still decided on by the
/// person, and what is answered changes nothing. A change of what runs would stop it, and a definition is kept.
pub(crate) fn may_settle(act: &Act, phase: Phase) -> bool {
    match act {
        Act::PlanNew(_) => true,
        Act::PlanContinue => phase != Phase::Executing,
        Act::Query(kind) => *kind != QueryKind::Definition,
        Act::Control(_) => false,
    }
}
