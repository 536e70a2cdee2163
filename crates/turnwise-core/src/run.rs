//! Runs: one execution of one version of a plan. Scheduling is pure: a run knows which steps are ready, `decide` says
//! which of them start, and reports come back as inputs. Next: `decide::settle`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::chunked::Chunked;
use crate::{Answer, ApprovalMode, EffectClass, PersonId, Plan, RunId, Sequence, Step, StepId, Timestamp};

/// Where a step stands. Small and `Copy`, so that a chunk of them is copied at memory speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum StepState {
    /// Waits for other steps, or for a free slot.
    Waiting,
    /// Runs.
    Running {
        /// From 1.
        attempt: u32,
    },
    /// Failed in a way that may pass; tried again at `until`.
    Backoff {
        /// The attempt that failed, from 1.
        attempt: u32,
        /// When the next attempt starts.
        until: Timestamp,
    },
    /// Nobody knows whether this attempt had its effect: its process died in the middle. It holds its place until that
    /// is looked up or told.
    Unknown {
        /// The attempt, from 1.
        attempt: u32,
    },
    /// Done by this run.
    Done,
    /// Done before: its facts were already resolved under their names.
    Reused,
    /// Failed for good.
    Failed,
    /// Not started, because a step it waits for failed.
    Skipped,
    /// Given up or never started, because the run was stopped.
    Cancelled,
}

/// How a run stands as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Steps run or wait.
    Active,
    /// Every step is done.
    Completed,
    /// At least one step failed, and nothing runs any more.
    Failed,
    /// Stopped by a person.
    Cancelled,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    id: RunId,
    plan: Arc<Plan>,
    approved: Sequence,
    /// Who approved it; absent in older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    approver: Option<PersonId>,
    status: RunStatus,
    states: Chunked<StepState>,
    /// For each step, how many of the steps it waits for are not done yet.
    missing: Chunked<u32>,
    /// Steps that could start now, a bit each: thousands may be ready at once.
    ready: Chunked<u64>,
    ready_count: usize,
    /// Steps that run, are between two attempts, or whose outcome is unknown, in order; few, so that they are found
    /// without a look at all the others.
    held: Vec<StepId>,
    /// How many more steps may start before the run waits for the person; without one, all of them.
    allowance: Option<u32>,
    /// Whether a person said to wait.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    by_hand: bool,
    /// Where it waits for the person between its steps, as it was approved; absent in older logs.
    #[serde(default)]
    checkpoints: Option<ApprovalMode>,
    errors: Arc<BTreeMap<StepId, String>>,
    /// What the concluding step said, kept until the run completes.
    pub(crate) answer: Option<Answer>,
    /// What each concluding step said, where the plan comes to several results.
    #[serde(default)]
    pub(crate) answers: BTreeMap<StepId, Answer>,
}

/// A change of a step's state that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{step} of {run} cannot go from {from:?} to {to:?}")]
pub struct IllegalStep {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: StepId,
    /// Where it stands; absent when the plan has no such step.
    pub from: Option<StepState>,
    /// Where it was to go.
    pub to: StepState,
}

impl Run {
    /// A run of `plan`, approved by event `approved`, in which the steps `kept` count as done already.
    #[must_use]
    pub fn new(id: RunId, plan: Arc<Plan>, approved: Sequence, kept: &[StepId]) -> Self {
        let count = plan.steps().len();
        let missing: Vec<u32> = plan.steps().iter().map(|step| distinct(&step.after)).collect();
        let mut run = Self {
            id,
            plan,
            approved,
            approver: None,
            status: RunStatus::Active,
            states: vec![StepState::Waiting; count].into(),
            missing: missing.into(),
            ready: vec![0; count.div_ceil(WORD)].into(),
            ready_count: 0,
            held: Vec::new(),
            allowance: None,
            by_hand: false,
            checkpoints: None,
            errors: Arc::default(),
            answer: None,
            answers: BTreeMap::new(),
        };
        for &step in kept {
            if let Some(at) = run.index(step) {
                run.states.set(at, StepState::Reused);
            }
        }
        for &step in kept {
            run.count_down_dependants(step);
        }
        for at in 0..count {
            let is_free = run.missing.get(at) == Some(0) && run.states.get(at) == Some(StepState::Waiting);
            run.set_ready(at, is_free);
        }
        run
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> RunId {
        self.id
    }

    /// The plan it executes.
    #[must_use]
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The event that approved it.
    #[must_use]
    pub fn approved(&self) -> Sequence {
        self.approved
    }

    /// The steps that must not run twice and were done.
    pub(crate) fn done_once(&self) -> impl Iterator<Item = &Step> {
        let is_done = |step: &&Step| matches!(self.state(step.id), Some(StepState::Done | StepState::Reused));
        self.plan.steps().iter().filter(|step| step.effect == EffectClass::OnceOnly).filter(is_done)
    }

    /// What the steps `kept` said in an earlier run of the plan is said for this one, too.
    pub(crate) fn take_answers(&mut self, before: &Self, kept: &[StepId]) {
        let plan = Arc::clone(&self.plan);
        for step in kept.iter().filter_map(|id| plan.step(*id)) {
            let Some(same) = before.plan.steps().iter().find(|old| old.is_same_work(step)) else { continue };
            if let Some(said) = before.answers.get(&same.id) {
                self.answers.insert(step.id, said.clone());
            }
            if step.produces.contains(&plan.draft().result) {
                self.answer.clone_from(&before.answer);
            }
        }
    }

    /// How it stands.
    #[must_use]
    pub fn status(&self) -> RunStatus {
        self.status
    }

    /// Where `step` stands, if the plan has it.
    #[must_use]
    pub fn state(&self, step: StepId) -> Option<StepState> {
        self.states.get(self.index(step)?)
    }

    /// All steps and where they stand, in order.
    pub fn states(&self) -> impl Iterator<Item = (StepId, StepState)> + '_ {
        self.states.iter().enumerate().map(|(at, state)| (step_at(at), state))
    }

    /// Steps that run, are between two attempts, or whose outcome is unknown.
    #[must_use]
    pub fn running(&self) -> usize {
        self.held.len()
    }

    /// The steps that [`Run::running`] counts, in order.
    pub fn held(&self) -> impl Iterator<Item = StepId> + '_ {
        self.held.iter().copied()
    }

    /// Steps that could start, at most as many as there are free of `slots`.
    #[must_use]
    pub fn startable(&self, slots: usize) -> Vec<StepId> {
        if self.status != RunStatus::Active {
            return Vec::new();
        }
        let allowed = self.allowance.map_or(usize::MAX, |steps| steps as usize);
        self.ready().take(slots.saturating_sub(self.held.len()).min(allowed)).collect()
    }

    /// Where it waits for the person between its steps, as it was approved.
    #[must_use]
    pub fn checkpoints(&self) -> Option<ApprovalMode> {
        self.checkpoints
    }

    /// Who approved it; the assistant's own name where it runs without being asked about.
    #[must_use]
    pub fn approver(&self) -> Option<&PersonId> {
        self.approver.as_ref()
    }

    pub(crate) fn keep_approver(&mut self, person: PersonId) {
        self.approver = Some(person);
    }

    pub(crate) fn keep_checkpoints(&mut self, checkpoints: Option<ApprovalMode>) {
        self.checkpoints = checkpoints;
    }

    /// How many more steps may start before the run waits for the person; without one, all of them.
    #[must_use]
    pub fn allowance(&self) -> Option<u32> {
        self.allowance
    }

    /// Whether a person said to wait: then only a person lets it go on.
    pub(crate) fn is_paused_by_hand(&self) -> bool {
        self.by_hand
    }

    /// Whether the run stands at a step boundary and waits for the person: nothing runs, something could, none may.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.status == RunStatus::Active && self.allowance == Some(0) && self.held.is_empty() && self.ready_count > 0
    }

    /// The step that would start next.
    #[must_use]
    pub fn next_step(&self) -> Option<StepId> {
        self.ready().next()
    }

    /// Why `step` failed, or failed last time.
    #[must_use]
    pub fn error(&self, step: StepId) -> Option<&str> {
        self.errors.get(&step).map(String::as_str)
    }

    /// The first step that failed for good.
    #[must_use]
    pub fn failed_step(&self) -> Option<StepId> {
        self.states().find(|(_, state)| *state == StepState::Failed).map(|(step, _)| step)
    }

    /// Steps that are done or were reused.
    pub fn finished(&self) -> impl Iterator<Item = StepId> + '_ {
        self.states().filter(|(_, state)| state.is_finished()).map(|(step, _)| step)
    }

    /// Whether nothing runs and nothing can start any more.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.held.is_empty() && self.ready_count == 0
    }

    /// Moves `step` to `to`; the one function that says which moves are legal.
    ///
    /// # Errors
    /// [`IllegalStep`] for every other move, and for a step the plan does not have.
    pub(crate) fn advance(&mut self, step: StepId, to: StepState) -> Result<(), IllegalStep> {
        use StepState::{Backoff, Cancelled, Done, Failed, Reused, Running, Skipped, Unknown, Waiting};
        let from = self.state(step);
        let illegal = IllegalStep { run: self.id, step, from, to };
        let (Some(at), Some(from)) = (self.index(step), from) else { return Err(illegal) };
        match (from, to) {
            (Waiting, Running { attempt: 1 }) if self.missing.get(at) == Some(0) => {
                self.set_ready(at, false);
                self.hold(step);
                self.allowance = self.allowance.map(|steps| steps.saturating_sub(1));
            }
            (Backoff { attempt, .. } | Unknown { attempt }, Running { attempt: next }) if next == attempt + 1 => {}
            (Running { attempt }, Unknown { attempt: same }) if attempt == same => {}
            (Running { attempt }, Backoff { attempt: same, .. }) if attempt == same => {}
            (Running { .. } | Unknown { .. }, Done) => {
                self.release(step);
                self.free_dependants(step);
            }
            (Running { .. }, Failed) => {
                self.release(step);
                self.skip_dependants(step);
            }
            (Running { .. } | Backoff { .. }, Cancelled) => self.release(step),
            (Waiting, Cancelled) => self.set_ready(at, false),
            (
                Waiting
                | Running { .. }
                | Backoff { .. }
                | Unknown { .. }
                | Done
                | Reused
                | Failed
                | Skipped
                | Cancelled,
                _,
            ) => {
                return Err(illegal);
            }
        }
        self.states.set(at, to);
        Ok(())
    }

    /// Sets how many more steps may start before the run waits for the person.
    pub(crate) fn pace(&mut self, steps: Option<u32>, by_hand: bool) {
        (self.allowance, self.by_hand) = (steps, by_hand);
    }

    /// Keeps what `step` said, if it said anything; of several concluding steps by its number.
    pub(crate) fn note_answer(&mut self, step: StepId, answer: Option<&Answer>) {
        let Some(said) = answer else { return };
        self.answer = Some(said.clone());
        if !self.plan.draft().endings.results.is_empty() {
            self.answers.insert(step, said.clone());
        }
    }

    /// Remembers why `step` failed.
    pub(crate) fn note_error(&mut self, step: StepId, error: String) {
        Arc::make_mut(&mut self.errors).insert(step, error);
    }

    /// Ends the run. Whatever was not finished is cancelled when it was stopped.
    pub(crate) fn end(&mut self, status: RunStatus) {
        if status == RunStatus::Cancelled {
            let ended = self.states.iter().zip(self.plan.steps()).map(|(state, step)| {
                match state {
                    // It may have had its effect before it heard of the stop; nobody knows, and so it is shown.
                    StepState::Running { attempt } if step.effect == EffectClass::OnceOnly => {
                        StepState::Unknown { attempt }
                    }
                    StepState::Waiting | StepState::Running { .. } | StepState::Backoff { .. } => StepState::Cancelled,
                    ended => ended,
                }
            });
            self.states = ended.collect::<Vec<_>>().into();
            self.held.clear();
            self.ready = vec![0; self.plan.steps().len().div_ceil(WORD)].into();
            self.ready_count = 0;
        }
        self.status = status;
    }

    /// The steps that could start now, in order.
    fn ready(&self) -> impl Iterator<Item = StepId> + '_ {
        let bits = |(word, bits): (usize, u64)| {
            (0..WORD).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| step_at(word * WORD + bit))
        };
        self.ready.iter().enumerate().filter(|(_, bits)| *bits != 0).flat_map(bits)
    }

    fn set_ready(&mut self, at: usize, is_ready: bool) {
        let (word, bit) = (at / WORD, 1_u64 << (at % WORD));
        let Some(before) = self.ready.get(word).filter(|before| (before & bit != 0) != is_ready) else { return };
        self.ready.set(word, before ^ bit);
        self.ready_count = if is_ready { self.ready_count + 1 } else { self.ready_count - 1 };
    }

    fn hold(&mut self, step: StepId) {
        if let Err(place) = self.held.binary_search(&step) {
            self.held.insert(place, step);
        }
    }

    fn release(&mut self, step: StepId) {
        if let Ok(place) = self.held.binary_search(&step) {
            self.held.remove(place);
        }
    }

    fn index(&self, step: StepId) -> Option<usize> {
        let at = (step.number() as usize).checked_sub(1)?;
        (at < self.plan.steps().len()).then_some(at)
    }

    fn free_dependants(&mut self, step: StepId) {
        self.count_down_dependants(step);
        let plan = Arc::clone(&self.plan);
        for next in plan.dependants(step) {
            let at = next.id.number() as usize - 1;
            if self.missing.get(at) == Some(0) && self.states.get(at) == Some(StepState::Waiting) {
                self.set_ready(at, true);
            }
        }
    }

    fn count_down_dependants(&mut self, step: StepId) {
        let plan = Arc::clone(&self.plan);
        for next in plan.dependants(step) {
            let at = next.id.number() as usize - 1;
            let missing = self.missing.get(at).unwrap_or(0).saturating_sub(1);
            self.missing.set(at, missing);
        }
    }

    fn skip_dependants(&mut self, step: StepId) {
        let plan = Arc::clone(&self.plan);
        let mut open = vec![step];
        while let Some(failed) = open.pop() {
            for next in plan.dependants(failed) {
                let at = next.id.number() as usize - 1;
                if self.states.get(at) == Some(StepState::Waiting) {
                    self.states.set(at, StepState::Skipped);
                    open.push(next.id);
                }
            }
        }
    }
}

impl StepState {
    /// Whether its facts are there.
    #[must_use]
    pub fn is_finished(self) -> bool {
        matches!(self, Self::Done | Self::Reused)
    }

    /// The mark shown before a step (CF-27): done ✓, running ▸, unknown ?, failed ✗, everything not done ○.
    #[must_use]
    pub fn mark(self) -> char {
        match self {
            Self::Done | Self::Reused => '✓',
            Self::Running { .. } | Self::Backoff { .. } => '▸',
            Self::Unknown { .. } => '?',
            Self::Failed => '✗',
            Self::Waiting | Self::Skipped | Self::Cancelled => '○',
        }
    }
}

/// Steps in a word of `ready`.
const WORD: usize = u64::BITS as usize;

fn step_at(index: usize) -> StepId {
    StepId::new(u32::try_from(index + 1).unwrap_or(u32::MAX))
}

/// A step listed twice is waited for once.
fn distinct(after: &[StepId]) -> u32 {
    let mut seen: Vec<StepId> = after.to_vec();
    seen.sort_unstable();
    seen.dedup();
    u32::try_from(seen.len()).unwrap_or(u32::MAX)
}
