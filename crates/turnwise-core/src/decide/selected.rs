//! What was selected for a message, noted before anything is done about it (BH-11): first what, then the mode that
//! follows from it. A decision on something that waits is none of it, and neither is the answer to a question.
//! Assistants that select nothing leave no such events. Next: `message`.

use super::turn::Turn;
use crate::selected::DerivedMode;
use crate::{Event, PendingKind, Reply};

/// Notes what is selected for words that have just come, unless they may be the answer to what is asked: such ones are
/// noted once they turn out to be none.
pub(super) fn note_at_first(turn: &mut Turn<'_>, words: &str, grounding: &[String]) {
    if !turn.reader.selects() {
        return;
    }
    let may_answer = match turn.state().question().map(|question| &question.kind) {
        // Whatever is said about a run goes on with it or leaves it.
        None | Some(PendingKind::Failure { .. } | PendingKind::Paused { .. }) => false,
        Some(PendingKind::Approval { .. }) => {
            let reply = turn.reader.reply(words, &turn.read_context(grounding));
            !matches!(reply, Reply::Change { .. } | Reply::Question | Reply::Other)
        }
        Some(
            PendingKind::Clarification { .. }
            | PendingKind::Redirection
            | PendingKind::WhichReading { .. }
            | PendingKind::UnknownOutcome { .. }
            | PendingKind::ConfirmForget { .. }
            | PendingKind::TalkedOver { .. }
            | PendingKind::Satisfaction { .. }
            | PendingKind::ConfirmExit,
        ) => true,
    };
    if !may_answer {
        note(turn, words, grounding);
    }
}

/// Notes what is selected for `words`, once in a turn.
pub(super) fn note(turn: &mut Turn<'_>, words: &str, grounding: &[String]) {
    let Some(message) = turn.message().filter(|_| !turn.has_selected()) else { return };
    let Some(selected) = turn.reader.selected(words, &turn.read_context(grounding)) else { return };
    let mode = DerivedMode::of(selected.behaviour);
    turn.emit(Event::IntentReceived { message, selected });
    turn.emit(Event::ModeSet { message, mode });
}
