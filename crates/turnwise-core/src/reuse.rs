//! What of a plan need not be done, because an earlier version of it did it: facts are resolved once, and what must not
//! run twice does not. Next: `run`, in which such steps count as done.

use std::sync::Arc;

use crate::{Conversation, Fact, FactName, Plan, Run, RunId, Step, StepId};

impl Conversation {
    /// Steps of `plan` whose facts were all resolved by an earlier version of it (CF-22: reuse by name). What must not
    /// run twice and did run is among them as long as it, and what it waits for, is as it was.
    #[must_use]
    pub fn reusable_steps(&self, plan: &Plan) -> Vec<StepId> {
        // What rests on a statement that was superseded since is resolved afresh.
        let is_good = |fact: &Arc<Fact>| fact.plan == plan.id() && !self.facts.is_outdated(fact);
        let resolved = |name: &FactName| self.facts.get(name).is_some_and(is_good);
        let reusable = |step: &Step| {
            !step.produces.is_empty()
                && step.produces.iter().all(resolved)
                // A step that concludes words its answer, so it always runs.
                && !plan.draft().concludes(step)
        };
        let before = self.run.as_deref().filter(|run| run.plan().id() == plan.id());
        let mut done: Vec<&Step> = before.into_iter().flat_map(Run::done_once).collect();
        let mut kept = Vec::new();
        for step in plan.steps() {
            let same = |old: &&Step| old.is_same_work(step) && step.produces.iter().all(resolved);
            let was_done = done.iter().position(same).filter(|_| step.after.iter().all(|id| kept.contains(id)));
            if let Some(at) = was_done {
                done.remove(at);
            }
            if was_done.is_some() || reusable(step) {
                kept.push(step.id);
            }
        }
        kept
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
