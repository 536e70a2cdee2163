//! The steps of a run as AG-UI tells them: each begins and ends by its name, which is open only once, and none is open
//! when a run is over. Next: `stream`.

use std::collections::BTreeMap;
use std::sync::Arc;

use turnwise_core::{Plan, Run, RunEvent, StepId, StepState};

use super::event::AgentEvent;

/// The steps that were begun and did not end.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// Which plan runs: it says what its steps are called.
    plan: Option<Arc<Plan>>,
    open: BTreeMap<StepId, String>,
}

impl Steps {
    /// Those of a run that may be under way; none has begun for whoever is told.
    pub(super) fn of(run: Option<&Run>) -> Self {
        Self { plan: run.map(|run| Arc::clone(run.plan())), open: BTreeMap::new() }
    }

    /// Begins the steps that are under way already.
    pub(super) fn under_way(&mut self, run: &Run) -> Vec<AgentEvent> {
        let at_work = |state: StepState| matches!(state, StepState::Running { .. });
        let begun: Vec<StepId> = run.states().filter(|(_, state)| at_work(*state)).map(|(step, _)| step).collect();
        begun.into_iter().filter_map(|step| self.begin(step)).collect()
    }

    /// What a client is told of what happened to a run.
    pub(super) fn told(&mut self, event: &RunEvent) -> Vec<AgentEvent> {
        match event {
            RunEvent::Approved { plan, .. } => {
                let ended = self.close();
                self.plan = Some(Arc::clone(plan));
                ended
            }
            RunEvent::StepStarted { step, .. } => self.begin(*step).into_iter().collect(),
            RunEvent::Paced { .. } => Vec::new(),
            RunEvent::StepCompleted { step, .. }
            | RunEvent::StepPostponed { step, .. }
            | RunEvent::StepLost { step, .. }
            | RunEvent::StepFailed { step, .. } => {
                let ended = self.open.remove(step).map(|step_name| AgentEvent::StepFinished { step_name });
                ended.into_iter().collect()
            }
            RunEvent::Completed { .. } | RunEvent::Failed { .. } | RunEvent::Stopped { .. } => self.close(),
        }
    }

    /// Ends all that are open.
    pub(super) fn close(&mut self) -> Vec<AgentEvent> {
        let open = std::mem::take(&mut self.open);
        open.into_values().map(|step_name| AgentEvent::StepFinished { step_name }).collect()
    }

    /// Begins a step that is not open.
    fn begin(&mut self, step: StepId) -> Option<AgentEvent> {
        if self.open.contains_key(&step) {
            return None;
        }
        let work = self.plan.as_ref().and_then(|plan| plan.step(step));
        let name = work.map_or_else(|| step.to_string(), |work| format!("{}. {}", step.number(), work.description));
        self.open.insert(step, name.clone());
        Some(AgentEvent::StepStarted { step_name: name })
    }
}
