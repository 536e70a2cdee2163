//! The conversation: everything that is true between a person and an assistant, as the fold of its events. The large
//! parts (plan, run, facts) stand behind `Arc`, so that `decide` can look ahead on a copy. Next: `apply`, `decide`.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::heard::Recent;
use crate::hearing::OpenHearing;
use crate::permit::{NoPermit, Permit};
use crate::reuse::Ventured;
use crate::{
    AssistantName, ClarifiedAnswer, Conclusion, Effect, Fact, FactName, FactStore, FlowSettings, Heard, MessageId,
    MessageReading, Mode, ModelsUsed, Pending, PendingId, PendingKind, PersonId, Phase, Plan, PlanKind, QueryKind,
    Question, Queue, Receipt, RequestId, Resolved, Run, RunId, RunStatus, Sequence, StepId, StepState, StepTask, Task,
    Upstream,
};

/// A conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversation {
    pub(crate) assistant: AssistantName,
    #[serde(default)]
    pub(crate) sources: Vec<String>,
    pub(crate) sequence: Sequence,
    pub(crate) mode: Mode,
    pub(crate) mode_is_explicit: bool,
    pub(crate) phase: Phase,
    pub(crate) counters: Counters,
    pub(crate) task: Option<Arc<ActiveTask>>,
    pub(crate) plan: Option<Arc<Plan>>,
    pub(crate) run: Option<Arc<Run>>,
    pub(crate) result: Option<FactName>,
    pub(crate) pending: Vec<Pending>,
    pub(crate) resolved: VecDeque<Resolved>,
    pub(crate) facts: Arc<FactStore>,
    pub(crate) questions: Vec<OpenQuestion>,
    pub(crate) queue: Queue,
    pub(crate) receipts: Arc<VecDeque<Receipt>>,
    pub(crate) last_read: Option<Arc<(MessageId, MessageReading)>>,
    pub(crate) left: bool,
    /// The task asked for last, where it could not be planned: what leans on it has no result to lean on.
    #[serde(default)]
    pub(crate) unanswered: Option<String>,
    /// What a person called it; absent while nobody did.
    #[serde(default)]
    pub(crate) title: Option<String>,
    /// How work is gone about here, as far as it was settled for this conversation alone.
    #[serde(default, skip_serializing_if = "FlowSettings::is_empty")]
    pub(crate) settings: FlowSettings,
    /// What must not run twice and was done or begun for the plan at hand.
    #[serde(default)]
    pub(crate) ventured: Arc<Ventured>,
    /// Who takes part; at most `limits::MEMBERS_MAX`.
    #[serde(default)]
    pub(crate) members: BTreeSet<PersonId>,
    /// Who took part and left; at most as many.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) gone: BTreeSet<PersonId>,
    /// What was said lately.
    #[serde(default)]
    pub(crate) recent: Arc<Recent>,
    /// What language models took.
    #[serde(default)]
    pub(crate) models: ModelsUsed,
    /// What a model is asked to hear.
    #[serde(default)]
    pub(crate) hearing: Option<OpenHearing>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) hears_program: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) talked: Option<Arc<PendingKind>>,
}

/// The next number of each kind of id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counters {
    pub(crate) message: u64,
    pub(crate) request: u64,
    pub(crate) pending: u64,
    pub(crate) plan: u64,
    pub(crate) run: u64,
    pub(crate) fact: u64,
    pub(crate) ui_version: u32,
}

/// The task at hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActiveTask {
    pub(crate) problem: String,
    pub(crate) kind: PlanKind,
    pub(crate) changes: Vec<String>,
    pub(crate) answers: Vec<ClarifiedAnswer>,
    /// How many of them the plan on offer rests on: what was answered about a change goes with the change.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) answers_held: usize,
    pub(crate) clarifications: usize,
    /// The message it came in; older logs do not say.
    #[serde(default)]
    pub(crate) begun_in: Option<MessageId>,
    /// Who asked for it last; older logs do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) asker: Option<PersonId>,
    /// The profile's label of the request that began it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) intent: Option<String>,
    /// The messages that asked for what is being drafted: their receipts say what became of it.
    #[serde(default)]
    pub(crate) asked_in: Vec<MessageId>,
    /// The drafting request that is open; a report under another one is dropped.
    pub(crate) request: Option<RequestId>,
    /// Whether nothing is drafted under that request before what must not run twice, and runs, is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_held: bool,
    /// The plan the changes are about; a new task has none.
    pub(crate) base: Option<Arc<Plan>>,
    /// The version before `base`, for showing what changed.
    #[serde(default)]
    pub(crate) before: Option<Arc<Plan>>,
    /// Whether the base was put before the person by this task. A change that cannot be planned then leaves it
    /// standing.
    pub(crate) is_offered: bool,
    /// The task whose plan waited when this one came: it waits again when this one cannot be planned.
    #[serde(default)]
    pub(crate) displaced: Option<Arc<ActiveTask>>,
    /// Whether its run had failed when another task came.
    #[serde(default)]
    pub(crate) has_failed: bool,
    pub(crate) failure: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl ActiveTask {
    pub(crate) fn new(problem: String, kind: PlanKind, request: Option<RequestId>) -> Self {
        Self {
            problem,
            kind,
            changes: Vec::new(),
            answers: Vec::new(),
            answers_held: 0,
            clarifications: 0,
            begun_in: None,
            asker: None,
            intent: None,
            asked_in: Vec::new(),
            request,
            is_held: false,
            base: None,
            before: None,
            is_offered: false,
            displaced: None,
            has_failed: false,
            failure: None,
        }
    }

    /// Begun by a message, where one began it.
    pub(crate) fn said_in(self, message: Option<MessageId>) -> Self {
        Self { begun_in: message, asked_in: message.into_iter().collect(), ..self }
    }
}

/// A person's question that is being answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OpenQuestion {
    pub(crate) request: RequestId,
    #[serde(default)]
    pub(crate) message: Option<MessageId>,
    pub(crate) text: String,
    pub(crate) kind: QueryKind,
    pub(crate) target: Option<String>,
}

impl Conversation {
    /// A conversation before its first event.
    #[must_use]
    pub fn new(assistant: AssistantName) -> Self {
        Self {
            assistant,
            title: None,
            settings: FlowSettings::default(),
            ventured: Arc::default(),
            sources: Vec::new(),
            sequence: Sequence::new(0),
            mode: Mode::default(),
            mode_is_explicit: false,
            phase: Phase::default(),
            counters: Counters { message: 1, request: 1, pending: 1, plan: 1, run: 1, fact: 1, ui_version: 1 },
            task: None,
            plan: None,
            run: None,
            result: None,
            pending: Vec::new(),
            resolved: VecDeque::new(),
            facts: Arc::default(),
            questions: Vec::new(),
            queue: Queue::default(),
            receipts: Arc::default(),
            last_read: None,
            left: false,
            unanswered: None,
            members: BTreeSet::new(),
            gone: BTreeSet::new(),
            recent: Arc::default(),
            models: ModelsUsed::default(),
            hearing: None,
            hears_program: false,
            talked: None,
        }
    }

    /// The assistant it is with.
    #[must_use]
    pub fn assistant(&self) -> &AssistantName {
        &self.assistant
    }

    /// What the assistant read when it began, in its own words; empty where it did not say.
    #[must_use]
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// The last event applied; 0 before the first.
    #[must_use]
    pub fn sequence(&self) -> Sequence {
        self.sequence
    }

    /// The session's mode.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Where it stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The task in the person's words, while one is being planned, decided on, run or has failed.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.task.as_ref().map(|task| task.problem.as_str())
    }

    /// The active plan, or the last one.
    #[must_use]
    pub fn plan(&self) -> Option<&Arc<Plan>> {
        self.plan.as_ref()
    }

    /// The active run, or the last one.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        self.run.as_deref()
    }

    /// The open questions, oldest first.
    #[must_use]
    pub fn pending(&self) -> &[Pending] {
        &self.pending
    }

    /// The newest open question: the one that plain words answer.
    #[must_use]
    pub fn question(&self) -> Option<&Pending> {
        self.pending.last()
    }

    /// The facts held.
    #[must_use]
    pub fn facts(&self) -> &FactStore {
        &self.facts
    }

    /// The fact that held the last result.
    #[must_use]
    pub fn result(&self) -> Option<&Arc<Fact>> {
        self.facts.get(self.result.as_ref()?)
    }

    /// What waits until the run is over.
    #[must_use]
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// The latest receipts, oldest first.
    pub fn receipts(&self) -> impl DoubleEndedIterator<Item = &Receipt> {
        self.receipts.iter()
    }

    /// How the last message was read.
    #[must_use]
    pub fn last_read(&self) -> Option<&MessageReading> {
        self.last_read.as_ref().map(|read| &read.1)
    }

    /// Whether the person has left since the last message.
    #[must_use]
    pub fn left(&self) -> bool {
        self.left
    }

    /// How the question `id` ended, while that is remembered.
    #[must_use]
    pub fn resolved(&self, id: PendingId) -> Option<&Resolved> {
        self.resolved.iter().rev().find(|resolved| resolved.pending == id)
    }

    /// How much there is to write down of it beyond its log: steps and facts. A snapshot costs in proportion.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.plan.as_ref().map_or(0, |plan| plan.steps().len()) + self.facts.len()
    }

    /// Whether work was asked for whose result is awaited. Waiting for a question to expire is no work.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.outstanding().iter().any(|effect| !matches!(effect, Effect::ExpireAt { .. }))
    }

    /// The drafting request `request` as work, unless it was superseded.
    #[must_use]
    pub fn task(&self, request: RequestId) -> Option<Task> {
        let task = self.task.as_ref().filter(|task| task.request == Some(request))?;
        let facts = match self.mode {
            Mode::Exploratory => self.facts.values().cloned().collect(),
            // CF-21: fresh context in proof mode, except what a replan may reuse by name (CF-22). What the person
            // stated is no earlier result; the plan says where it rests on it.
            Mode::Proof => {
                let reusable = |fact: &&Arc<Fact>| task.base.as_ref().is_some_and(|base| fact.plan == base.id());
                self.facts.values().filter(|fact| fact.is_statement() || reusable(fact)).cloned().collect()
            }
        };
        Some(Task {
            problem: task.problem.clone(),
            kind: task.kind,
            mode: self.mode,
            changes: task.changes.clone(),
            answers: task.answers.clone(),
            previous: task.base.clone(),
            failure: task.failure.clone(),
            facts,
            heard: Heard {
                message: task.asked_in.last().copied().or(task.begun_in),
                person: task.asker.clone().or_else(|| self.only_member()),
                intent: task.intent.clone(),
                recent: self.recent.utterances(),
                around: self.recent.around().clone(),
                routing: self.own_routing(),
            },
        })
    }

    /// The question `request` as work, unless it was given up.
    #[must_use]
    pub fn question_task(&self, request: RequestId) -> Option<Question> {
        let open = self.questions.iter().find(|open| open.request == request)?;
        Some(Question {
            text: open.text.clone(),
            kind: open.kind,
            target: open.target.clone(),
            plan: self.plan.clone(),
            facts: self.facts.values().filter(|fact| !self.facts.is_outdated(fact)).cloned().collect(),
            heard: Heard {
                message: open.message,
                person: self.recent.person(open.message).cloned().or_else(|| self.only_member()),
                intent: self.recent.intent(open.message, &open.text).map(str::to_owned),
                recent: self.recent.utterances(),
                around: self.recent.around().clone(),
                routing: self.own_routing(),
            },
        })
    }

    /// The person it is with, where there is one alone.
    fn only_member(&self) -> Option<PersonId> {
        self.members.first().filter(|_| self.members.len() == 1).cloned()
    }

    /// An attempt at a step as work, with the permit to do it.
    ///
    /// # Errors
    /// [`NoPermit`] unless the run was approved, is active, and this attempt is the current one.
    pub fn step_task(&self, run: RunId, step: StepId, attempt: u32) -> Result<(StepTask, Permit), NoPermit> {
        let permit = self.permit(run, step, attempt)?;
        let task = self.active_run().and_then(|active| self.work(active, step, attempt));
        Ok((task.ok_or(NoPermit::NotRunning(run, step))?, permit))
    }

    /// May this attempt run now? The only place that mints a [`Permit`].
    ///
    /// # Errors
    /// [`NoPermit`] unless the run was approved, is active, and this attempt is the current one.
    pub fn permit(&self, run: RunId, step: StepId, attempt: u32) -> Result<Permit, NoPermit> {
        let active = self.active_run().filter(|active| active.id() == run);
        let Some(active) = active else { return Err(NoPermit::NotRunning(run, step)) };
        if active.state(step) != Some(StepState::Running { attempt }) {
            return Err(NoPermit::NotCurrent(run, step, attempt));
        }
        Ok(Permit::mint(run, step, attempt, active.approved(), Arc::clone(active.plan())))
    }

    /// The work that was asked for and is not over, read from the state alone: what a process that takes the
    /// conversation up again has to perform.
    #[must_use]
    pub fn outstanding(&self) -> Vec<Effect> {
        let drafted = self.task.as_ref().filter(|task| !task.is_held).and_then(|task| task.request);
        let draft = drafted.map(|request| Effect::DraftPlan { request });
        let answers = self.questions.iter().map(|open| Effect::AnswerQuestion { request: open.request });
        let expiries = self.pending.iter().filter_map(Pending::expiry);
        let hearing = self.hearing.map(|open| Effect::Hear { pending: open.pending });
        let mut effects: Vec<Effect> = draft.into_iter().chain(answers).chain(hearing).chain(expiries).collect();
        let Some(run) = self.active_run() else { return effects };
        for step in run.held() {
            let Some(state) = run.state(step) else { continue };
            match state {
                StepState::Unknown { attempt } if !self.is_asked_about(run.id(), step) => {
                    effects.push(Effect::LookUpStep { run: run.id(), step, attempt });
                }
                StepState::Unknown { .. } => {}
                StepState::Running { attempt } => effects.push(Effect::StartStep { run: run.id(), step, attempt }),
                StepState::Backoff { attempt, until } => {
                    effects.push(Effect::WakeAt { at: until, run: run.id(), step, attempt });
                }
                StepState::Waiting
                | StepState::Done
                | StepState::Reused
                | StepState::Failed
                | StepState::Skipped
                | StepState::Cancelled => {}
            }
        }
        effects
    }

    /// An attempt whose outcome is unknown as work to be looked up; looking has no effects and needs no permit.
    #[must_use]
    pub fn look_up_task(&self, run: RunId, step: StepId, attempt: u32) -> Option<StepTask> {
        let active = self.active_run().filter(|active| active.id() == run)?;
        (active.state(step) == Some(StepState::Unknown { attempt })).then(|| self.work(active, step, attempt))?
    }

    fn work(&self, active: &Run, step: StepId, attempt: u32) -> Option<StepTask> {
        let plan = active.plan();
        let work = plan.step(step)?.clone();
        let inputs = work.needs.iter().filter_map(|name| self.facts.get(name).cloned()).collect();
        let draft = plan.draft();
        let behind = draft.behind(&work).into_iter().map(|made| Upstream {
            work: made.clone(),
            fact: made.produces.iter().find_map(|name| self.facts.get(name).cloned()),
        });
        let behind = behind.collect();
        let concludes = draft.concludes(&work).then(|| match draft.named_result(&work) {
            Some(named) => Conclusion {
                problem: named.title.clone().unwrap_or_else(|| work.description.clone()),
                presentation: named.presentation,
                form: named.form.clone(),
            },
            None => Conclusion {
                problem: draft.problem.clone(),
                presentation: draft.presentation,
                form: draft.form.clone(),
            },
        });
        // What runs without being asked about was approved by nobody; whoever wanted it has it done.
        let approved = active.approver().filter(|person| self.took_part(person)).cloned();
        let asker = || self.task.as_ref().and_then(|task| task.asker.clone());
        let by = approved.or_else(asker).or_else(|| self.only_member());
        Some(StepTask { run: active.id(), step, attempt, work, by, inputs, behind, concludes })
    }

    fn is_asked_about(&self, run: RunId, step: StepId) -> bool {
        self.pending.iter().any(|pending| match pending.kind {
            PendingKind::UnknownOutcome { run: about, step: of, .. } => about == run && of == step,
            PendingKind::Approval { .. }
            | PendingKind::Clarification { .. }
            | PendingKind::Redirection
            | PendingKind::WhichReading { .. }
            | PendingKind::Failure { .. }
            | PendingKind::Paused { .. }
            | PendingKind::ConfirmForget { .. }
            | PendingKind::TalkedOver { .. }
            | PendingKind::Satisfaction { .. }
            | PendingKind::ConfirmExit => false,
        })
    }

    pub(crate) fn active_run(&self) -> Option<&Run> {
        self.run.as_deref().filter(|run| self.phase == Phase::Executing && run.status() == RunStatus::Active)
    }
}
