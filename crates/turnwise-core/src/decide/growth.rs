//! Growth: a step finds that what is wanted would go beyond what was approved. Nothing of it is done: the run stops,
//! and the same plan with the step as it would be done is put before the person as its next version, which they approve
//! or not like any other. Steps that are done are kept. Next: `report`, which offers it.

use std::sync::Arc;

use super::report;
use super::turn::Turn;
use crate::{Effect, EffectClass, Event, Plan, PlanningEvent, Resolution, RunEvent, RunId, Step, Trigger};

/// The step `work` of `run` asks to be done as `instead`, because of `difference`.
pub(super) fn asks(turn: &mut Turn<'_>, run: RunId, work: &Step, difference: &str, instead: &Step) {
    let step = work.id;
    let before = turn.state().run().map(|active| Arc::clone(active.plan()));
    let grown = before.as_ref().map(|before| grown(turn, before, work, instead));
    let (before, plan) = match (before, grown) {
        (Some(before), Some(Ok(plan))) => (before, plan),
        (_, Some(Err(error))) => return turn.emit(Event::Run(RunEvent::StepFailed { run, step, error })),
        _ => return,
    };
    turn.emit(Event::Run(RunEvent::StepFailed { run, step, error: difference.to_owned() }));
    turn.emit(Event::Run(RunEvent::Stopped { run, trigger: Trigger::Replan }));
    turn.perform(Effect::StopRun { run });
    turn.close_all(Resolution::Superseded);
    turn.say(format!("{difference} Nothing of that was done yet; it waits for your yes."), None);
    let request = turn.next_request();
    let (trigger, message) = (Trigger::Replan, None);
    turn.emit(Event::Planning(PlanningEvent::DraftRequested { request, trigger, change: None, answer: None, message }));
    report::offer_to_wait(turn, request, Arc::new(plan), Some(&before));
}

/// The plan with the step as it would be done.
fn grown(turn: &Turn<'_>, before: &Plan, work: &Step, instead: &Step) -> Result<Plan, String> {
    let is_same_place = instead.id == work.id
        && instead.after == work.after
        && instead.produces == work.produces
        && instead.needs == work.needs;
    let is_as_grave = instead.effect == work.effect || instead.effect == EffectClass::OnceOnly;
    if !is_same_place || !is_as_grave {
        return Err("the step asked to be another one than it is; this is a defect of the assistant".to_owned());
    }
    let mut draft = before.draft().clone();
    for step in draft.steps.iter_mut().filter(|step| step.id == work.id) {
        *step = instead.clone();
    }
    Plan::check(before.id(), before.version() + 1, draft, &report::known_facts(turn))
        .map_err(|error| format!("what the step would do makes no plan ({error})"))
}
