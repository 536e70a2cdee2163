//! Plans: DAGs of steps with a version (CF-19). A [`Plan`] can only be made through [`Plan::check`], so whoever holds
//! one knows that its steps are numbered 1..=n, that every reference exists and that there is no cycle. Next: `run`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::patch::Reshaped;
use crate::{FactName, PlanId, PlanKind, StepId, ToolName, limits};

/// What a step may do to the world, and so what may happen after a crash in its middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectClass {
    /// Changes nothing; may run any number of times.
    Pure,
    /// Changes something, but the same whether it runs once or more.
    Idempotent,
    /// The same, and the assistant can take it back.
    Reversible,
    /// Must not run twice.
    OnceOnly,
}

/// How results want to be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Presentation {
    /// One value.
    Value,
    /// Rows.
    Table,
    /// Bars: the columns before the first figures label them; numbers that only say when are labels.
    Bars,
    /// A line over time, with labels and figures as for bars.
    Line,
    /// Parts of a whole, one beside the other.
    Stacked,
    /// Two figures against each other, a point a row.
    Scatter,
}

impl Presentation {
    /// As a person would say it.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Value => "in words",
            Self::Table => "as a table",
            Self::Bars => "as a bar chart",
            Self::Line => "as a line chart",
            Self::Stacked => "as a chart of stacked bars",
            Self::Scatter => "as a scatter chart",
        }
    }

    /// Whether it is drawn.
    #[must_use]
    pub fn is_chart(self) -> bool {
        matches!(self, Self::Bars | Self::Line | Self::Stacked | Self::Scatter)
    }
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its number.
    pub id: StepId,
    /// What it does, for people: one short line.
    pub description: String,
    /// The tool that does it.
    pub tool: ToolName,
    /// The tool's arguments, by name, in canonical order.
    pub arguments: BTreeMap<String, String>,
    /// The facts it needs; each is produced by a step of `after` or known when the plan was made.
    pub needs: Vec<FactName>,
    /// The facts it produces.
    pub produces: Vec<FactName>,
    /// The steps it waits for.
    pub after: Vec<StepId>,
    /// What it may do to the world.
    pub effect: EffectClass,
    /// How often it is tried again after a transient failure, by itself and stated on the card.
    pub retries: u32,
    /// Seconds it may take.
    pub timeout_seconds: u32,
}

/// Seconds a step may take unless it says otherwise.
const STEP_TIMEOUT_SECONDS: u32 = 60;

impl Step {
    /// A step without effects that needs nothing, waits for nothing and is tried once, for a minute at most.
    #[must_use]
    pub fn new(id: StepId, description: impl Into<String>, tool: ToolName) -> Self {
        Self {
            id,
            description: description.into(),
            tool,
            arguments: BTreeMap::new(),
            needs: Vec::new(),
            produces: Vec::new(),
            after: Vec::new(),
            effect: EffectClass::Pure,
            retries: 0,
            timeout_seconds: STEP_TIMEOUT_SECONDS,
        }
    }

    /// Whether `other` does just what this does, wherever it stands and however it is told.
    #[must_use]
    pub fn is_same_work(&self, other: &Self) -> bool {
        self.tool == other.tool
            && self.arguments == other.arguments
            && self.effect == other.effect
            && self.needs == other.needs
            && self.produces == other.produces
    }
}

/// A plan as an assistant drafts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanDraft {
    /// The problem in short; shown truncated.
    pub title: String,
    /// The task in the person's words, changes included.
    pub problem: String,
    /// How the plan is shaped.
    pub kind: PlanKind,
    /// The steps, numbered 1..=n in order.
    pub steps: Vec<Step>,
    /// What is taken for granted, one sentence each; shown on the card.
    pub assumptions: Vec<String>,
    /// The fact that answers the task; produced by a step.
    pub result: FactName,
    /// How the answer wants to be looked at.
    pub presentation: Presentation,
    /// The assistant's own form of the task, opaque to the engine: what a refinement starts from.
    pub form: String,
    /// What it comes to besides, or instead of, one answer.
    #[serde(default, skip_serializing_if = "Endings::are_plain")]
    pub endings: Endings,
}

impl PlanDraft {
    /// A plain plan titled by its problem, with one answer looked at as a value.
    #[must_use]
    pub fn new(problem: impl Into<String>, steps: Vec<Step>, result: FactName) -> Self {
        let problem = problem.into();
        Self {
            title: problem.clone(),
            problem,
            kind: PlanKind::Plain,
            steps,
            assumptions: Vec::new(),
            result,
            presentation: Presentation::Value,
            form: String::new(),
            endings: Endings::default(),
        }
    }
}

/// What a plan comes to where that is not the one answer it was drafted for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endings {
    /// Results that are each shown under their own name, `result` among them; empty when `result` is the one answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<NamedResult>,
    /// Descriptions of the steps a person left out, so that what is shown can say that it is not the whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// What a person changed of its structure, so that it can be done again to a plan that takes its place.
    #[serde(default, skip_serializing_if = "Reshaped::is_empty")]
    pub reshaped: Reshaped,
    /// The rows a picture of `result` is drawn from, where it cannot be drawn itself: of a correlation the points.
    /// Boxed because hardly any plan has it, and a draft travels in reports that are to stay small.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<Box<FactName>>,
}

/// One of several results of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedResult {
    /// The fact; produced by a step.
    pub fact: FactName,
    /// What it answers; absent for what one step found, which is named after that step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How it wants to be looked at.
    pub presentation: Presentation,
    /// The assistant's own form of what it answers; empty where nobody asked for just this.
    pub form: String,
}

impl Endings {
    /// Whether there is just the one answer the plan was drafted for, as it was drafted.
    #[must_use]
    pub fn are_plain(&self) -> bool {
        self.results.is_empty() && self.left_out.is_empty() && self.reshaped.is_empty() && self.drawn.is_none()
    }
}

impl PlanDraft {
    /// The result that `step` concludes with, where there are several; see [`PlanDraft::concludes`].
    #[must_use]
    pub fn named_result(&self, step: &Step) -> Option<&NamedResult> {
        self.endings.results.iter().find(|named| step.produces.contains(&named.fact))
    }

    /// Whether what `step` finds is shown as a result.
    #[must_use]
    pub fn concludes(&self, step: &Step) -> bool {
        match self.endings.results.as_slice() {
            [] => step.produces.contains(&self.result),
            _ => self.named_result(step).is_some(),
        }
    }

    /// The fact that a picture of the result is drawn from.
    #[must_use]
    pub fn drawn_from(&self) -> &FactName {
        self.endings.drawn.as_deref().filter(|fact| self.producer(fact).is_some()).unwrap_or(&self.result)
    }

    /// The step that produces `fact`.
    #[must_use]
    pub fn producer(&self, fact: &FactName) -> Option<&Step> {
        self.steps.iter().find(|step| step.produces.contains(fact))
    }

    /// The steps whose facts `step` builds on, directly or through others.
    #[must_use]
    pub fn behind(&self, step: &Step) -> Vec<&Step> {
        let mut wanted: Vec<&FactName> = step.needs.iter().collect();
        let mut behind: Vec<&Step> = Vec::new();
        while let Some(name) = wanted.pop() {
            let Some(made) = self.producer(name).filter(|made| behind.iter().all(|known| known.id != made.id)) else {
                continue;
            };
            wanted.extend(&made.needs);
            behind.push(made);
        }
        behind
    }
}

/// A checked plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "PlanParts", into = "PlanParts")]
pub struct Plan {
    id: PlanId,
    version: u32,
    draft: PlanDraft,
    /// For each step (by index), the indices of the steps that wait for it. Derived, so that a finished step finds
    /// what it unblocks without a scan of the plan.
    dependants: Vec<Vec<u32>>,
}

/// Why a draft is no plan. The assistant is to blame, not the person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No steps.
    #[error("the plan has no steps")]
    Empty,
    /// More steps than the limit.
    #[error("the plan has {0} steps; at most {max} are possible", max = limits::PLAN_STEPS_MAX)]
    TooLong(usize),
    /// Steps are not numbered 1..=n.
    #[error("{0} stands where step {1} belongs")]
    Numbering(StepId, u32),
    /// A step waits for one that does not exist.
    #[error("{0} waits for {1}, which does not exist")]
    UnknownStep(StepId, StepId),
    /// Steps wait for each other.
    #[error("steps wait for each other: {0} is part of a cycle")]
    Cycle(StepId),
    /// Two steps produce one fact.
    #[error("{0} and {1} both produce `{2}`")]
    ProducedTwice(StepId, StepId, FactName),
    /// A step needs a fact that a step produces which it does not wait for.
    #[error("{0} needs `{1}`, which neither an earlier step of its chain nor the session has")]
    MissingFact(StepId, FactName),
    /// The result is produced by no step.
    #[error("no step produces the result `{0}`")]
    NoResult(FactName),
}

#[derive(Clone, Serialize, Deserialize)]
struct PlanParts {
    id: PlanId,
    version: u32,
    #[serde(flatten)]
    draft: PlanDraft,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    known: BTreeSet<FactName>,
}

impl Plan {
    /// Checks `draft` and makes it version `version` of plan `id`; `known` holds the fact names of the session that
    /// steps may need without producing them.
    ///
    /// # Errors
    /// [`PlanError`], naming the first step that is wrong.
    pub fn check(id: PlanId, version: u32, draft: PlanDraft, known: &BTreeSet<FactName>) -> Result<Self, PlanError> {
        check_numbering(&draft.steps)?;
        let dependants = dependants(&draft.steps)?;
        check_acyclic(&draft.steps, &dependants)?;
        check_facts(&draft, known)?;
        Ok(Self { id, version, draft, dependants })
    }

    /// The plan, all versions together.
    #[must_use]
    pub fn id(&self) -> PlanId {
        self.id
    }

    /// This version, from 1.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// What was drafted.
    #[must_use]
    pub fn draft(&self) -> &PlanDraft {
        &self.draft
    }

    /// Whether no step has an effect.
    #[must_use]
    pub fn changes_nothing(&self) -> bool {
        self.steps().iter().all(|step| step.effect == EffectClass::Pure)
    }

    /// The steps in order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.draft.steps
    }

    /// The step `id`, if the plan has it.
    #[must_use]
    pub fn step(&self, id: StepId) -> Option<&Step> {
        let index = usize::try_from(id.number().checked_sub(1)?).ok()?;
        self.draft.steps.get(index)
    }

    /// The steps that wait directly for `id`.
    pub fn dependants(&self, id: StepId) -> impl Iterator<Item = &Step> {
        let index = id.number().saturating_sub(1) as usize;
        let list: &[u32] = self.dependants.get(index).map_or(&[], Vec::as_slice);
        list.iter().filter_map(|&at| self.draft.steps.get(at as usize))
    }
}

fn check_numbering(steps: &[Step]) -> Result<(), PlanError> {
    if steps.is_empty() {
        return Err(PlanError::Empty);
    }
    if steps.len() > limits::PLAN_STEPS_MAX {
        return Err(PlanError::TooLong(steps.len()));
    }
    for (expected, step) in (1u32..).zip(steps) {
        if step.id.number() != expected {
            return Err(PlanError::Numbering(step.id, expected));
        }
    }
    Ok(())
}

fn dependants(steps: &[Step]) -> Result<Vec<Vec<u32>>, PlanError> {
    let mut waiting = vec![Vec::new(); steps.len()];
    for (at, step) in (0u32..).zip(steps) {
        for before in &step.after {
            let slot = (before.number() as usize).checked_sub(1).and_then(|index| waiting.get_mut(index));
            let Some(slot) = slot else { return Err(PlanError::UnknownStep(step.id, *before)) };
            if slot.last() != Some(&at) {
                slot.push(at);
            }
        }
    }
    Ok(waiting)
}

/// Kahn's algorithm: what cannot be taken off in order is part of a cycle, or waits for one.
fn check_acyclic(steps: &[Step], dependants: &[Vec<u32>]) -> Result<(), PlanError> {
    let mut blocked: Vec<usize> = vec![0; steps.len()];
    for list in dependants {
        for &at in list {
            blocked[at as usize] += 1;
        }
    }
    let mut free: Vec<usize> = (0..steps.len()).filter(|&at| blocked[at] == 0).collect();
    let mut taken = 0;
    while let Some(at) = free.pop() {
        taken += 1;
        for &next in &dependants[at] {
            blocked[next as usize] -= 1;
            if blocked[next as usize] == 0 {
                free.push(next as usize);
            }
        }
    }
    if taken == steps.len() {
        return Ok(());
    }
    let stuck = (0..steps.len()).find(|&at| blocked[at] > 0).unwrap_or_default();
    Err(PlanError::Cycle(steps[stuck].id))
}

fn check_facts(draft: &PlanDraft, known: &BTreeSet<FactName>) -> Result<(), PlanError> {
    let mut producer: BTreeMap<&FactName, StepId> = BTreeMap::new();
    for step in &draft.steps {
        for name in &step.produces {
            if let Some(first) = producer.insert(name, step.id) {
                return Err(PlanError::ProducedTwice(first, step.id, name.clone()));
            }
        }
    }
    for step in &draft.steps {
        for name in &step.needs {
            let produced_before = producer.get(name).is_some_and(|from| step.after.contains(from));
            if !produced_before && (producer.contains_key(name) || !known.contains(name)) {
                return Err(PlanError::MissingFact(step.id, name.clone()));
            }
        }
    }
    let results = std::iter::once(&draft.result).chain(draft.endings.results.iter().map(|named| &named.fact));
    match results.into_iter().find(|fact| !producer.contains_key(fact)) {
        Some(fact) => Err(PlanError::NoResult(fact.clone())),
        None => Ok(()),
    }
}

impl From<Plan> for PlanParts {
    fn from(plan: Plan) -> Self {
        let produced: BTreeSet<&FactName> = plan.draft.steps.iter().flat_map(|step| &step.produces).collect();
        let known = plan
            .draft
            .steps
            .iter()
            .flat_map(|step| &step.needs)
            .filter(|name| !produced.contains(name))
            .cloned()
            .collect();
        Self { id: plan.id, version: plan.version, draft: plan.draft, known }
    }
}

impl TryFrom<PlanParts> for Plan {
    type Error = PlanError;

    fn try_from(parts: PlanParts) -> Result<Self, PlanError> {
        Self::check(parts.id, parts.version, parts.draft, &parts.known)
    }
}
