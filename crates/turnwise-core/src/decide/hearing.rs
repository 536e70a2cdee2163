//! A model hears what the reader was not sure of, beside the question to the person: what it is sure of settles the
//! question if it still stands, and else nothing comes of it. Next: `crate::hearing` for what it may settle.

use super::turn::Turn;
use super::{act, report, say};
use crate::hearing::{OpenHearing, may_settle};
use crate::{AsideEvent, Effect, Event, HeardAs, MessageReading, Pending, PendingId, PendingKind, Resolution, Tier};

/// Has a model asked which reading is meant, where there is one to ask.
pub(super) fn begin(turn: &mut Turn<'_>, question: &Pending) {
    let PendingKind::WhichReading { options, .. } = &question.kind else { return };
    let phase = turn.state().phase();
    if !turn.policy.hears || !options.iter().any(|option| may_settle(&option.act, phase)) {
        return;
    }
    let pending = question.id;
    turn.emit(Event::Aside(AsideEvent::HearingBegun { pending, message: turn.message() }));
    turn.perform(Effect::Hear { pending });
}

/// Takes in what a model heard.
pub(super) fn over(turn: &mut Turn<'_>, pending: PendingId, heard: Option<&HeardAs>) {
    let Some(OpenHearing { message, .. }) = turn.state().hearing.filter(|open| open.pending == pending) else {
        report::drop_report(turn, format!("what was heard beside {pending} is not waited for any more"));
        return;
    };
    turn.emit(Event::Aside(AsideEvent::HearingOver { pending }));
    let question = turn.state().question().filter(|open| open.id == pending).cloned();
    let (Some(question), Some(heard)) = (question, heard) else { return };
    let PendingKind::WhichReading { options, grounding, .. } = &question.kind else { return };
    let Some(option) = heard.number.checked_sub(1).and_then(|at| options.get(at)) else { return };
    if !may_settle(&option.act, turn.state().phase()) {
        return;
    }
    let mut chosen = option.clone();
    chosen.tier = Tier::Model;
    chosen.reason = format!("the model {} is sure of it", heard.by);
    turn.close(question.id, Resolution::Answered);
    turn.say(format!("The model {} takes it as: {}.", heard.by, say::reading_label(&chosen)), None);
    if let Some(message) = message {
        turn.answers(message);
        let (requests, segments) = (vec![chosen.clone()], vec![chosen.clone()]);
        turn.emit(Event::MessageRead { message, reading: MessageReading::Understood { requests, segments } });
    }
    act::act(turn, &chosen, grounding);
}
