//! The steps of a run as AG-UI tells them: each begins and ends by its name, which is open only once, and none is open
//! when a run is over. In it is the call of its tool, with what it is called with and what came of it; a call that the
//! client has already is not told again. Next: `stream`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value, json};
use turnwise_core::{Answer, Fact, Plan, Run, RunEvent, RunId, StepId, StepState};

use super::event::AgentEvent;
use super::ids::{AgentMessageId, ToolCallId};

/// The steps that were begun and did not end.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// Which plan runs: it says what its steps are called.
    plan: Option<Arc<Plan>>,
    open: BTreeMap<StepId, Open>,
    /// The calls that the client has.
    known: BTreeSet<String>,
}

/// A step that was begun.
#[derive(Debug)]
struct Open {
    name: String,
    call: ToolCallId,
}

impl Steps {
    /// Those of a run that may be under way; none has begun for whoever is told, who has the calls that are `known`.
    pub(super) fn of(run: Option<&Run>, known: BTreeSet<String>) -> Self {
        Self { plan: run.map(|run| Arc::clone(run.plan())), open: BTreeMap::new(), known }
    }

    /// Begins the steps that are under way already.
    pub(super) fn under_way(&mut self, run: &Run) -> Vec<AgentEvent> {
        let at_work = |(step, state): (StepId, StepState)| match state {
            StepState::Running { attempt } => Some((step, attempt)),
            _ => None,
        };
        let begun: Vec<(StepId, u32)> = run.states().filter_map(at_work).collect();
        begun.into_iter().flat_map(|(step, attempt)| self.begin(run.id(), step, attempt)).collect()
    }

    /// What a client is told of what happened to a run.
    pub(super) fn told(&mut self, event: &RunEvent) -> Vec<AgentEvent> {
        match event {
            RunEvent::Approved { plan, .. } => {
                let ended = self.close();
                self.plan = Some(Arc::clone(plan));
                ended
            }
            RunEvent::StepStarted { run, step, attempt } => self.begin(*run, *step, *attempt),
            RunEvent::Paced { .. } => Vec::new(),
            RunEvent::StepCompleted { step, facts, answer, .. } => self.end(*step, &found(facts, answer.as_ref())),
            RunEvent::StepPostponed { step, error, .. } => {
                self.end(*step, &json!({ "status": "postponed", "error": error }))
            }
            RunEvent::StepLost { step, reason, .. } => {
                self.end(*step, &json!({ "status": "unknown", "error": reason }))
            }
            RunEvent::StepFailed { step, error, .. } => self.end(*step, &json!({ "status": "failed", "error": error })),
            RunEvent::Completed { .. } | RunEvent::Failed { .. } | RunEvent::Stopped { .. } => {
                let left: Vec<StepId> = self.open.keys().copied().collect();
                left.into_iter().flat_map(|step| self.end(step, &json!({ "status": "stopped" }))).collect()
            }
        }
    }

    /// Ends all that are open. What such a call comes to is told by a later run only where its step is still under way
    /// when that begins; else it is in the facts and in what is said.
    pub(super) fn close(&mut self) -> Vec<AgentEvent> {
        let open = std::mem::take(&mut self.open);
        open.into_values().map(|open| AgentEvent::StepFinished { step_name: open.name }).collect()
    }

    /// Begins a step that is not open, and the call of its tool.
    fn begin(&mut self, run: RunId, step: StepId, attempt: u32) -> Vec<AgentEvent> {
        if self.open.contains_key(&step) {
            return Vec::new();
        }
        let work = self.plan.as_ref().and_then(|plan| plan.step(step));
        let name = work.map_or_else(|| step.to_string(), |work| format!("{}. {}", step.number(), work.description));
        let call = ToolCallId::of(run, step, attempt);
        let mut told = vec![AgentEvent::StepStarted { step_name: name.clone() }];
        if let Some(work) = work.filter(|_| self.known.insert(call.as_str().to_owned())) {
            let arguments: Map<String, Value> =
                work.arguments.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            let delta = Value::Object(arguments).to_string();
            told.extend([
                AgentEvent::ToolCallStart { tool_call_id: call.clone(), tool_call_name: work.tool.to_string() },
                AgentEvent::ToolCallArgs { tool_call_id: call.clone(), delta },
                AgentEvent::ToolCallEnd { tool_call_id: call.clone() },
            ]);
        }
        self.open.insert(step, Open { name, call });
        told
    }

    /// Ends a step that is open with what its call came to.
    fn end(&mut self, step: StepId, came_to: &Value) -> Vec<AgentEvent> {
        let Some(Open { name, call }) = self.open.remove(&step) else { return Vec::new() };
        let result = AgentEvent::ToolCallResult {
            message_id: AgentMessageId::result(&call),
            tool_call_id: call,
            content: came_to.to_string(),
            role: "tool",
        };
        vec![result, AgentEvent::StepFinished { step_name: name }]
    }
}

/// What a step found: the names of its facts, whose rows are had by them, and the answer in words.
fn found(facts: &[Arc<Fact>], answer: Option<&Answer>) -> Value {
    let names: Vec<String> = facts.iter().map(|fact| fact.name().to_string()).collect();
    let mut found = json!({ "status": "completed", "facts": names });
    if let Some(answer) = answer {
        found["answer"] = json!(answer.text);
    }
    found
}
