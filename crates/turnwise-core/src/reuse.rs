//! What of a plan need not be done, because an earlier version of it did it: facts are resolved once, and what must not
//! run twice does not. Next: `run`, in which such steps count as done.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Conversation, EffectClass, Fact, FactName, Plan, PlanId, Run, RunId, Step, StepId};

/// What must not run twice and was done or begun, over all versions of a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ventured {
    plan: Option<PlanId>,
    done: Vec<Step>,
    /// Begun, and nobody heard what became of it.
    begun: Vec<Step>,
}

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Became {
    Begun,
    Done,
    /// It is known that it had no effect, or that it failed.
    Ended,
}

impl Ventured {
    fn note(&mut self, plan: PlanId, step: &Step, became: Became) {
        if self.plan != Some(plan) {
            *self = Self { plan: Some(plan), ..Self::default() };
        }
        if let Some(at) = self.begun.iter().position(|begun| begun.is_same_work(step)) {
            self.begun.remove(at);
        }
        match became {
            Became::Begun => self.begun.push(step.clone()),
            Became::Done => self.done.push(step.clone()),
            Became::Ended => {}
        }
    }
}

impl Conversation {
    /// Notes what became of a step, where it must not run twice.
    pub(crate) fn note_ventured(&mut self, id: StepId, became: Became) {
        let Some(run) = self.run.as_deref() else { return };
        let Some(step) = run.plan().step(id).filter(|step| step.effect == EffectClass::OnceOnly) else { return };
        Arc::make_mut(&mut self.ventured).note(run.plan().id(), step, became);
    }

    /// Steps of `plan` whose facts were all resolved by an earlier version of it (CF-22: reuse by name), as far as
    /// they do the same. What must not run twice and did run is among them as long as it, and what it works on, is as
    /// it was; where it does something else now it is not, whatever its facts are called.
    #[must_use]
    pub fn reusable_steps(&self, plan: &Plan) -> Vec<StepId> {
        // What rests on a statement that was superseded since is resolved afresh.
        let is_good = |fact: &Arc<Fact>| fact.plan == plan.id() && !self.facts.is_outdated(fact);
        let resolved = |step: &Step| step.produces.iter().all(|name| self.facts.get(name).is_some_and(is_good));
        let before = self.run.as_deref().filter(|run| run.plan().id() == plan.id());
        let reusable = |step: &Step| {
            !step.produces.is_empty()
                && step.effect != EffectClass::OnceOnly
                && resolved(step)
                // A step that concludes words its answer, so it always runs.
                && !plan.draft().concludes(step)
                && (step.effect == EffectClass::Pure || !before.is_some_and(|run| does_otherwise(run.plan(), step)))
        };
        let mut done: Vec<&Step> = match self.ventured.plan == Some(plan.id()) {
            true => self.ventured.done.iter().collect(),
            // A conversation that was kept before this was noted.
            false => before.into_iter().flat_map(Run::done_once).collect(),
        };
        let mut kept = Vec::new();
        for step in plan.steps() {
            let was_done = done.iter().position(|old| old.is_same_work(step) && resolved(step));
            let is_fed_alike = |from: &Step| {
                let looks_alike =
                    from.effect == EffectClass::Pure && !before.is_some_and(|run| does_otherwise(run.plan(), from));
                kept.contains(&from.id) || looks_alike
            };
            let from = |name: &FactName| plan.steps().iter().find(|other| other.produces.contains(name));
            let was_done = was_done.filter(|_| step.needs.iter().filter_map(from).all(is_fed_alike));
            if let Some(at) = was_done {
                done.remove(at);
            }
            if was_done.is_some() || reusable(step) {
                kept.push(step.id);
            }
        }
        kept
    }

    /// Steps of `plan` that an earlier version began, and of which nobody heard what became: they may have had their
    /// effect.
    pub(crate) fn begun_before<'p>(&self, plan: &'p Plan) -> Vec<&'p Step> {
        let begun = |step: &&Step| self.ventured.begun.iter().any(|old| old.is_same_work(step));
        let is_of_plan = self.ventured.plan == Some(plan.id());
        plan.steps().iter().filter(|_| is_of_plan).filter(begun).collect()
    }

    /// A run of `plan` begins: what it does once more was not done for it, whatever comes of it.
    pub(crate) fn forget_redone(&mut self, plan: &Plan, kept: &[StepId]) {
        let redone = |old: &Step| plan.steps().iter().any(|step| step.is_same_work(old) && !kept.contains(&step.id));
        if self.ventured.plan == Some(plan.id()) && self.ventured.done.iter().any(redone) {
            Arc::make_mut(&mut self.ventured).done.retain(|old| !redone(old));
        }
    }

    /// A run of `plan` in which `kept` count as done, and said what they said.
    pub(crate) fn next_run(&self, id: RunId, plan: &Arc<Plan>, kept: &[StepId]) -> Run {
        let mut run = Run::new(id, Arc::clone(plan), self.sequence, kept);
        if let Some(before) = self.run.as_deref().filter(|before| before.plan().id() == plan.id()) {
            run.take_answers(before, kept);
        }
        run
    }
}

/// Whether the step of `plan` that produces what `step` produces does something else.
fn does_otherwise(plan: &Plan, step: &Step) -> bool {
    let old = |name: &FactName| plan.steps().iter().find(|old| old.produces.contains(name));
    step.produces.iter().filter_map(old).any(|old| !old.is_same_work(step))
}
