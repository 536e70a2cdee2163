//! What has to hold, in a person's words, for assistants that hold their steps against it: it is kept from the message
//! on that says it, whatever becomes of the plan it was said of. It is looked at again where a plan is approved and
//! before a step starts. What that means of a step is the assistant's to know. Next: `answer`, `settle`.

use super::learn;
use super::turn::Turn;
use crate::{Conversation, Event, FactKind, FactValue, Plan, RunEvent, SourceKind, Step, StepState};

/// Keeps what `words` say has to hold.
pub(super) fn keep(turn: &mut Turn<'_>, words: &str) {
    for said in turn.reader.constraints(words) {
        learn::settled(turn, "constraint", FactKind::Constraint, &said);
    }
}

/// What has to hold, as it was said.
fn all(state: &Conversation) -> Vec<String> {
    let held = state.facts().values().filter(|fact| fact.kind() == FactKind::Constraint);
    let held = held.filter(|fact| fact.body.source == SourceKind::Person);
    held.filter_map(|fact| match &fact.body.value {
        FactValue::Text(said) => Some(said.clone()),
        FactValue::Table(_) => None,
    })
    .collect()
}

/// The first of `steps` that would break what has to hold, as a sentence.
fn broken_by<'a>(turn: &Turn<'_>, steps: impl Iterator<Item = &'a Step>) -> Option<String> {
    let held = all(turn.state());
    if held.is_empty() {
        return None;
    }
    steps.into_iter().find_map(|step| turn.reader.breaks(step, &held))
}

/// Why `plan` cannot be run as it is; what is done of it counts for nothing.
pub(super) fn against(turn: &Turn<'_>, plan: &Plan) -> Option<String> {
    let done = turn.state().reusable_steps(plan);
    broken_by(turn, plan.steps().iter().filter(|step| !done.contains(&step.id)))
}

/// Has the run wait where a step that is left would break what has to hold, and says which; none where none does, or
/// where it waits already.
pub(super) fn pauses(turn: &mut Turn<'_>) -> Option<String> {
    let run = turn.state().active_run().filter(|run| run.allowance() != Some(0))?;
    let id = run.id();
    let is_left = |step: &&Step| run.state(step.id) == Some(StepState::Waiting);
    let why = broken_by(turn, run.plan().steps().iter().filter(is_left))?;
    turn.emit(Event::Run(RunEvent::Paced { run: id, steps: Some(0), by_hand: true }));
    Some(why)
}
