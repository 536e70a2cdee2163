//! What was selected for a message, noted before anything is done about it (BH-11): first what, then the mode that
//! follows from it. A decision on something that waits is none of it, and neither is the answer to a question: “y”,
//! “2” or “retry” choose what is offered. Words that go on with a run (“carry on”) are selected, also where one waits.
//! Assistants that select nothing leave no such events. Next: `message`.

use super::message::asks_why;
use super::turn::Turn;
use super::{answer, pause};
use crate::selected::{DerivedMode, Selected};
use crate::{Event, PendingKind, Reply};

/// Notes what is selected for words that have just come, unless they may be the answer to what is asked: such ones are
/// noted once they turn out to be none.
pub(super) fn note_at_first(turn: &mut Turn<'_>, words: &str, grounding: &[String]) {
    let context = turn.read_context(grounding);
    let Some(selected) = turn.reader.selected(words, &context) else { return };
    let decides = || {
        let reply = turn.reader.reply(words, &context);
        !matches!(reply, Reply::Change { .. } | Reply::Question | Reply::Other)
    };
    let is_fixable = turn.state().question().is_some_and(|question| question.is_fixable);
    let asks_for_fix = is_fixable && turn.reader.asks_for_fix(words);
    let may_answer = match turn.state().question().map(|question| &question.kind) {
        None => pause::way_chosen(turn, words).is_some(),
        Some(PendingKind::Failure { .. }) => answer::failure_verdict(words).is_some() || asks_for_fix,
        Some(PendingKind::Paused { .. }) => {
            pause::chosen(words).is_some() || (decides() && !pause::means_resume(words))
        }
        Some(PendingKind::Approval { .. }) => decides(),
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
    if !may_answer && !asks_why(&turn.reader.read(words, &context)) {
        emit(turn, selected);
    }
}

/// Notes what is selected for `words`, once in a turn.
pub(super) fn note(turn: &mut Turn<'_>, words: &str, grounding: &[String]) {
    if let Some(selected) = turn.reader.selected(words, &turn.read_context(grounding)) {
        emit(turn, selected);
    }
}

fn emit(turn: &mut Turn<'_>, selected: Selected) {
    let Some(message) = turn.message().filter(|_| !turn.has_selected()) else { return };
    let mode = DerivedMode::of(selected.behaviour);
    turn.emit(Event::IntentReceived { message, selected });
    turn.emit(Event::ModeSet { message, mode });
}
