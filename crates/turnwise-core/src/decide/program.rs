//! Programs: what comes through a surface of theirs is said by nobody who may decide. They ask, see and order; nothing
//! they say loosens how work is gone about here, lifts what has to hold or gives a yes. From their first word on, what
//! changes something is asked about in that conversation, whatever is configured and whoever orders it: a queue, or
//! another process, may take up later what they said. Next: `control`, `settings`.

use super::turn::Turn;
use crate::{Control, Conversation, Fact, FactKind, Outcome, Pending, PendingKind, Surface, Surroundings};

impl Conversation {
    /// Whether a program that may not decide has spoken here.
    #[must_use]
    pub fn hears_program(&self) -> bool {
        self.hears_program
    }

    /// Where a message came from.
    pub(crate) fn heard_from(&mut self, surface: Option<&Surface>, around: &Surroundings) {
        self.hears_program |= surface.is_some_and(|surface| surface.is_program);
        std::sync::Arc::make_mut(&mut self.recent).lay_open(around);
    }
}

impl Pending {
    /// Whether words on it start nothing that a person has to approve: what is meant may be said by anyone.
    #[must_use]
    pub fn may_be_talked_about(&self) -> bool {
        match &self.kind {
            PendingKind::Clarification { .. }
            | PendingKind::WhichReading { .. }
            | PendingKind::TalkedOver { .. }
            | PendingKind::Redirection => true,
            PendingKind::Approval { .. }
            | PendingKind::Failure { .. }
            | PendingKind::Paused { .. }
            | PendingKind::Satisfaction { .. }
            | PendingKind::UnknownOutcome { .. }
            | PendingKind::ConfirmForget { .. }
            | PendingKind::ConfirmExit => false,
        }
    }
}

/// Whether a program must not give this command; refused if so.
pub(super) fn may_not(turn: &mut Turn<'_>, command: Control) -> bool {
    !may_be_said(command) && refused(turn)
}

/// What shows something, stops something, or has more asked about.
fn may_be_said(command: Control) -> bool {
    match command {
        Control::Help
        | Control::Status
        | Control::Facts
        | Control::ShowPlan
        | Control::Why
        | Control::Queue
        | Control::Receipts
        | Control::Edit
        | Control::Flow
        | Control::SwitchMode(_)
        | Control::Cancel
        | Control::Replan
        | Control::Pause
        | Control::AskFirst => true,
        Control::Reset | Control::Redo | Control::Exit | Control::Resume | Control::RunReads => false,
    }
}

/// Whether a program must not answer `question`; refused if so.
pub(super) fn may_not_answer(turn: &mut Turn<'_>, question: &Pending) -> bool {
    !question.may_be_talked_about() && refused(turn)
}

/// Whether a program must not have `fact` forgotten; refused if so.
pub(super) fn may_not_forget(turn: &mut Turn<'_>, fact: &Fact) -> bool {
    fact.kind() == FactKind::Constraint && refused(turn)
}

/// Whether a program speaks, which is then refused.
pub(super) fn refused(turn: &mut Turn<'_>) -> bool {
    if turn.is_by_program() {
        turn.say(BY_PEOPLE, None);
        turn.note(Outcome::Refused, BY_PEOPLE);
    }
    turn.is_by_program()
}

/// What is told of a conversation in which a program speaks, where it would otherwise do more unasked.
pub(super) const ASKED_ABOUT: &str =
    "A program speaks in this conversation, so a plan that changes something is asked about in any case.";
const BY_PEOPLE: &str = "That is for a person to say, not for a program. Nothing was changed by it.";
