//! The standing yes: a person says once that plans which change nothing need not be asked about in this conversation.
//! It is `plan_approval` of the configuration, said for one conversation and taken back by a word; a plan with an
//! effect is asked about as ever. Next: `report`, which starts what need not be asked about.

use super::turn::Turn;
use super::{answer, say, seen, settings};
use crate::{Conversation, Flow, FlowSettings, Outcome, Pending, PendingKind};

impl Conversation {
    /// Whether a person said that plans which change nothing run without asking here.
    #[must_use]
    pub fn runs_reads_unasked(&self) -> bool {
        self.settings.plan_approval == Some(false)
    }
}

/// Gives it. A plan that waits is approved by the same word, where it changes nothing and stands before the person.
pub(super) fn give(turn: &mut Turn<'_>) {
    if !answer::may_run(turn) {
        return;
    }
    if !turn.policy.approvers.is_empty() {
        turn.refuse(
            "Here every plan needs the yes of somebody who may give it, so none runs unasked. Nothing was settled.",
        );
        return;
    }
    let question = turn.state().question().cloned();
    let waits = question.filter(|question| matches!(question.kind, PendingKind::Approval { .. }));
    if waits.is_some() && !turn.state().plan().is_some_and(|plan| plan.changes_nothing()) {
        turn.refuse("This plan changes something, so it is asked about by itself: y or n. Nothing was settled.");
        return;
    }
    let settings = turn.state().settings();
    settings::set(turn, FlowSettings { plan_approval: Some(false), ..settings });
    turn.say(
        "From now on plans that change nothing run without asking in this conversation. “ask first” takes that back.",
        None,
    );
    turn.note(Outcome::Applied, "Plans that change nothing run without asking in this conversation.");
    if let Some(question) = waits {
        approve_what_waits(turn, &question);
    }
}

fn approve_what_waits(turn: &mut Turn<'_>, question: &Pending) {
    if question.digressed || seen::is_unseen(turn, question) {
        say::remind(turn, question, "The plan that waited before is still asked about.");
    } else {
        answer::approve(turn, question, None);
    }
}

/// Takes it back: every plan is asked about, whatever is configured. What runs goes on; it was begun under the yes.
pub(super) fn take_back(turn: &mut Turn<'_>) {
    let (settings, configured) = (turn.state().settings(), turn.policy.flow);
    let asks = |flow: Flow| flow.unasked_steps_max() == 0 && !flow.does_at_once();
    let asked_already = !turn.policy.approvers.is_empty() || asks(turn.flow());
    let plain = FlowSettings { plan_approval: None, ..settings };
    let asked = match asks(plain.over(configured)) {
        true => plain,
        false => FlowSettings {
            plan_approval: Some(true),
            auto_approve_simple: Some(false),
            enable_planning: Some(true),
            ..settings
        },
    };
    settings::set(turn, asked);
    let said = match asked_already {
        false => "Every plan of this conversation is asked about again.",
        true => "Every plan of this conversation is asked about already.",
    };
    turn.say(said, None);
    super::act::remind_of_question(turn);
    turn.note(Outcome::Applied, said);
}
