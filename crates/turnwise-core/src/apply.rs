//! `apply`: one event folded into a conversation. It never decides; replay uses only this. An event that does not fit
//! the state means a damaged log and is an error, never a guess. Next: `decide`.

use std::sync::Arc;

use crate::conversation::{ActiveTask, OpenQuestion};
use crate::hearing::OpenHearing;
use crate::reuse::Became;
use crate::run::IllegalStep;
use crate::{
    AsideEvent, ClarifiedAnswer, Conversation, Event, IllegalTransition, KnowledgeEvent, MessageId, Mode, PartRequest,
    PersonId, Phase, Plan, PlanKind, PlanningEvent, QueuedRequest, QueuedTask, Receipt, RequestId, Resolved, Run,
    RunEvent, RunId, RunStatus, Sequence, StepId, StepState, Trigger, limits, transition,
};

/// An event that does not fit the state it is applied to: the log is damaged or from a newer version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalEvent {
    /// A phase that cannot follow.
    #[error(transparent)]
    Phase(#[from] IllegalTransition),
    /// A step state that cannot follow.
    #[error(transparent)]
    Step(#[from] IllegalStep),
    /// A run that is not there.
    #[error("{0} is not the run at hand")]
    UnknownRun(RunId),
    /// A drafting request that is not open.
    #[error("{0} is not the drafting request at hand")]
    UnknownRequest(RequestId),
}

impl Conversation {
    /// Folds `event` in as the next of the log.
    ///
    /// # Errors
    /// [`IllegalEvent`] when it does not fit; the conversation must then not be used any further.
    pub fn apply(&mut self, event: &Event) -> Result<(), IllegalEvent> {
        self.sequence = Sequence::new(self.sequence.number() + 1);
        match event {
            Event::ConversationOpened { assistant, sources, .. } => {
                self.assistant = assistant.clone();
                self.sources.clone_from(sources);
            }
            Event::MemberJoined { person } => self.admit(person),
            Event::MemberLeft { person } => self.let_go(person),
            Event::Titled { title, .. } => self.title = Some(title.clone()),
            Event::PlanApprovalSet { asks, .. } => self.settings.plan_approval = (!asks).then_some(false),
            Event::FlowSettled { settings, checkpoints, .. } => self.settle_flow(*settings, *checkpoints),
            Event::MessageReceived { message, person, text, surface, around, .. } => {
                self.received(*message, person, text);
                self.heard_from(surface.as_ref(), around);
            }
            Event::MessageRead { message, reading } => {
                Arc::make_mut(&mut self.recent).read(*message, reading);
                self.last_read = Some(Arc::new((*message, reading.clone())));
            }
            Event::ModeSwitched { mode, explicit } => {
                self.mode = *mode;
                self.mode_is_explicit |= explicit;
            }
            Event::PendingOpened { pending } => {
                self.counters.pending = pending.id.number() + 1;
                self.counters.ui_version = pending.ui_version + 1;
                self.pending.push(pending.clone());
            }
            Event::PendingClosed { pending, resolution, by } => {
                self.end_question(*pending, *resolution);
                self.hearing.take_if(|open| open.pending == *pending);
                self.resolved.push_back(Resolved { pending: *pending, resolution: *resolution, by: by.clone() });
                trim(&mut self.resolved);
            }
            Event::PendingQuieted { pending } => {
                self.pending.iter_mut().filter(|open| open.id == *pending).for_each(|open| open.quiet = true);
            }
            Event::PendingShown { pending } => {
                for open in self.pending.iter_mut().filter(|open| open.id == *pending) {
                    open.digressed = false;
                }
            }
            Event::ReceiptGiven { receipt } => self.given(receipt),
            Event::FactsEvicted { names, .. } => Arc::make_mut(&mut self.facts).evict(names),
            Event::ConversationReset => self.reset(),
            Event::PersonLeft => self.left = true,
            Event::Said { text, card } => Arc::make_mut(&mut self.recent).told(text, card.as_ref()),
            Event::ModelAsked { call } => self.models.add(call),
            Event::ReplyRead { .. } | Event::ReportDropped { .. } => {}
            Event::IntentReceived { .. } | Event::ModeSet { .. } => {}
            Event::Planning(event) => self.apply_planning(event)?,
            Event::Run(event) => self.apply_run(event)?,
            Event::Aside(event) => self.apply_aside(event),
            Event::Knowledge(event) => self.apply_knowledge(event),
        }
        Ok(())
    }

    fn given(&mut self, receipt: &Receipt) {
        let receipts = Arc::make_mut(&mut self.receipts);
        // A message has one receipt; what became of it later takes the place of what was known at first.
        let before = receipts.iter().position(|known| known.message == receipt.message);
        let by = before.and_then(|at| receipts.remove(at)).and_then(|known| known.by);
        receipts.push_back(Receipt { by: receipt.by.clone().or(by), ..receipt.clone() });
        trim(receipts);
    }

    fn received(&mut self, message: MessageId, person: &PersonId, text: &str) {
        self.counters.message = message.number() + 1;
        self.left = false;
        self.admit(person);
        Arc::make_mut(&mut self.recent).received(message, person, text);
    }

    fn apply_planning(&mut self, event: &PlanningEvent) -> Result<(), IllegalEvent> {
        match event {
            PlanningEvent::TaskStarted { request, problem, kind, message } => {
                self.task_started(*request, problem, *kind, *message)?;
            }
            PlanningEvent::DraftRequested { request, trigger, change, answer, message } => {
                self.go_unless_planning(*trigger)?;
                self.is_drafted(*request, change.clone(), answer.clone(), *message);
            }
            PlanningEvent::ChangeTried { request, change, answer, message, held } => {
                self.is_drafted(*request, change.clone(), answer.clone(), *message);
                self.task_at_hand().is_held = *held;
            }
            PlanningEvent::ChangeDropped => {
                let task = self.task_at_hand();
                task.request = None;
                task.changes.clear();
                task.asked_in.clear();
                task.clarifications = 0;
            }
            PlanningEvent::FailureKept { request } => {
                self.require_request(*request)?;
                self.go(Trigger::FallBack)?;
                let before = self.task_at_hand().displaced.take();
                self.task = before.map(|task| Arc::new(ActiveTask { has_failed: false, ..(*task).clone() }));
                self.plan = self.run.as_ref().map(|run| Arc::clone(run.plan()));
            }
            PlanningEvent::PlanningPaused { trigger } => self.pause_planning(*trigger)?,
            PlanningEvent::TaskSplit { request, next, requests } => {
                self.require_request(*request)?;
                self.split(*next, requests);
            }
            PlanningEvent::DraftUnclear { request } => {
                self.require_request(*request)?;
                let task = self.task_at_hand();
                (task.request, task.clarifications) = (None, task.clarifications + 1);
            }
            PlanningEvent::PlanDrafted { request, plan } => self.plan_drafted(*request, plan)?,
            PlanningEvent::TaskAnswered { request } => {
                self.require_request(*request)?;
                self.go(Trigger::PlanAbandoned)?;
                self.task = None;
                self.unanswered = None;
            }
            PlanningEvent::PlanningFailed { request, .. } => {
                self.require_request(*request)?;
                self.go(Trigger::PlanAbandoned)?;
                let new = self.task.take().filter(|task| task.base.is_none() && task.displaced.is_none());
                self.unanswered = new.map(|task| task.problem.clone()).or(self.unanswered.take());
            }
            PlanningEvent::TaskDropped { trigger } => {
                self.go(*trigger)?;
                self.task = None;
                // What is said next is about the last result, and not about a plan that was dropped.
                self.plan = self.run.as_ref().map(|run| Arc::clone(run.plan())).or(self.plan.take());
            }
        }
        Ok(())
    }

    fn task_started(
        &mut self,
        request: RequestId,
        problem: &str,
        kind: PlanKind,
        message: Option<MessageId>,
    ) -> Result<(), IllegalEvent> {
        let displaced = self.waiting_task();
        self.go(Trigger::PlanNew)?;
        self.counters.request = request.number() + 1;
        let asker = self.recent.person(message).cloned();
        let intent = self.recent.intent(message, problem).map(str::to_owned);
        let task = ActiveTask::new(problem.to_owned(), kind, Some(request)).said_in(message);
        self.task = Some(Arc::new(ActiveTask { displaced, asker, intent, ..task }));
        Ok(())
    }

    /// The task at hand waits for what is said next, and keeps why its plan failed.
    fn pause_planning(&mut self, trigger: Trigger) -> Result<(), IllegalEvent> {
        self.go_unless_planning(trigger)?;
        let failure = self.failure_text();
        let task = self.task_at_hand();
        task.request = None;
        task.failure = failure.or(task.failure.take());
        // A plan that got a no is on offer no more, whatever becomes of the next one.
        task.is_offered &= trigger != Trigger::Reject;
        Ok(())
    }

    /// The task at hand is being drafted under `request`, with what was said of it.
    fn is_drafted(
        &mut self,
        request: RequestId,
        change: Option<String>,
        answer: Option<ClarifiedAnswer>,
        message: Option<MessageId>,
    ) {
        self.counters.request = self.counters.request.max(request.number() + 1);
        let failure = self.failure_text();
        let asker = self.recent.person(message).cloned();
        let task = self.task_at_hand();
        task.asker = asker.or(task.asker.take());
        (task.request, task.is_held) = (Some(request), false);
        task.failure = failure.or(task.failure.take());
        task.changes.extend(change);
        task.answers.extend(answer);
        task.asked_in.extend(message);
    }

    /// The first of `requests` is the task from here on; the others wait before whatever waits already.
    fn split(&mut self, next: RequestId, requests: &[PartRequest]) {
        let Some((first, further)) = requests.split_first() else { return };
        self.counters.request = self.counters.request.max(next.number() + 1);
        let latest = MessageId::new(self.counters.message.saturating_sub(1));
        let task = self.task_at_hand();
        (task.problem, task.kind) = (first.problem.clone(), first.kind);
        (task.request, task.clarifications) = (Some(next), 0);
        let message = task.begun_in.unwrap_or(latest);
        let known = self.queue.requests.iter().filter(|waiting| waiting.message == message);
        let after = known.map(|waiting| waiting.number).max().unwrap_or(1);
        let waiting = (after + 1..).zip(further).map(|(number, part)| QueuedRequest {
            message,
            number,
            problem: part.problem.clone(),
            kind: part.kind,
        });
        self.queue.requests.splice(0..0, waiting);
    }

    /// A plan is offered: one for the task, or the one that waited before the task came.
    fn plan_drafted(&mut self, request: RequestId, plan: &Arc<Plan>) -> Result<(), IllegalEvent> {
        self.require_request(request)?;
        self.go(Trigger::PlanReady)?;
        self.unanswered = None;
        let displaced = self.task_at_hand().displaced.take();
        if let Some(before) = displaced.filter(|before| before.base.as_ref() == Some(plan)) {
            self.task = Some(before);
            self.plan = Some(Arc::clone(plan));
            return Ok(());
        }
        let task = self.task_at_hand();
        task.request = None;
        let is_other = |before: &Arc<Plan>| before.version() != plan.version() || before.id() != plan.id();
        let stays = task.is_offered && task.base.as_ref().is_some_and(|base| !is_other(base));
        task.before = task.base.take().filter(is_other).or(task.before.take());
        // What was answered about a change that came to nothing is no part of the plan that stays.
        match stays {
            true => task.answers.truncate(task.answers_held),
            false => task.answers_held = task.answers.len(),
        }
        // The plan holds the changes now; further ones start from it.
        task.changes.clear();
        task.asked_in.clear();
        task.clarifications = 0;
        task.base = Some(Arc::clone(plan));
        task.is_offered = true;
        self.counters.plan = self.counters.plan.max(plan.id().number() + 1);
        self.plan = Some(Arc::clone(plan));
        Ok(())
    }

    /// The task whose plan waits for a decision or whose run has failed, or did when the one came that is
    /// being planned.
    fn waiting_task(&mut self) -> Option<Arc<ActiveTask>> {
        if self.phase() == Phase::Failed {
            let task = ActiveTask { displaced: None, has_failed: true, ..self.task_at_hand().clone() };
            return Some(Arc::new(ActiveTask { request: None, changes: Vec::new(), asked_in: Vec::new(), ..task }));
        }
        let task = self.task.as_ref()?;
        match self.phase() {
            Phase::AwaitingApproval if task.is_offered => {
                Some(Arc::new(ActiveTask { displaced: None, ..(**task).clone() }))
            }
            Phase::Planning => task.displaced.clone(),
            _ => None,
        }
    }

    fn apply_run(&mut self, event: &RunEvent) -> Result<(), IllegalEvent> {
        match event {
            RunEvent::Approved { person, run, plan, kept, trigger, checkpoints, .. } => {
                self.go(*trigger)?;
                self.counters.run = run.number() + 1;
                self.plan = Some(Arc::clone(plan));
                let mut active = self.next_run(*run, plan, kept);
                active.keep_checkpoints(*checkpoints);
                active.keep_approver(person.clone());
                self.run = Some(Arc::new(active));
                self.forget_redone(plan, kept);
            }
            RunEvent::Paced { run, steps, by_hand } => self.run_at_hand(*run)?.pace(*steps, *by_hand),
            RunEvent::StepStarted { run, step, attempt } => {
                self.run_at_hand(*run)?.advance(*step, StepState::Running { attempt: *attempt })?;
                self.touch_needs(*step);
                self.note_ventured(*step, Became::Begun);
            }
            RunEvent::StepCompleted { run, step, facts, answer } => {
                let active = self.run_at_hand(*run)?;
                active.advance(*step, StepState::Done)?;
                active.note_answer(*step, answer.as_ref());
                self.note_ventured(*step, Became::Done);
                let held = Arc::make_mut(&mut self.facts);
                for fact in facts {
                    self.counters.fact = self.counters.fact.max(fact.id.number() + 1);
                    held.insert(Arc::clone(fact), self.sequence);
                }
            }
            RunEvent::StepPostponed { run, step, attempt, error, until } => {
                self.missed(*run, *step, StepState::Backoff { attempt: *attempt, until: *until }, error)?;
                self.note_ventured(*step, Became::Ended);
            }
            RunEvent::StepLost { run, step, attempt, reason } => {
                self.missed(*run, *step, StepState::Unknown { attempt: *attempt }, reason)?;
            }
            RunEvent::StepFailed { run, step, error } => {
                self.missed(*run, *step, StepState::Failed, error)?;
                self.note_ventured(*step, Became::Ended);
            }
            RunEvent::Completed { run } => {
                self.end_run(*run, RunStatus::Completed, Trigger::Complete)?;
                self.result = self.run.as_ref().map(|run| run.plan().draft().result.clone());
                self.task = None;
            }
            RunEvent::Failed { run } => self.end_run(*run, RunStatus::Failed, Trigger::Fail)?,
            RunEvent::Stopped { run, trigger } => {
                self.run_at_hand(*run)?.end(RunStatus::Cancelled);
                // Steering stops the run and goes on to planning with the next event; a plain stop ends the task.
                if *trigger == Trigger::Cancel {
                    self.go(Trigger::Cancel)?;
                    self.task = None;
                }
            }
        }
        Ok(())
    }

    fn apply_aside(&mut self, event: &AsideEvent) {
        match event {
            AsideEvent::QuestionAsked { request, message, text, kind, target } => {
                self.counters.request = request.number() + 1;
                self.questions.push(OpenQuestion {
                    request: *request,
                    message: *message,
                    text: text.clone(),
                    kind: *kind,
                    target: target.clone(),
                });
                for pending in &mut self.pending {
                    pending.digressed = true;
                }
            }
            AsideEvent::HearingBegun { pending, message } => {
                self.hearing = Some(OpenHearing { pending: *pending, message: *message });
            }
            AsideEvent::HearingOver { pending } => {
                self.hearing.take_if(|open| open.pending == *pending);
            }
            AsideEvent::KeepingAsked { .. } => {}
            AsideEvent::QuestionClosed { request } => self.questions.retain(|open| open.request != *request),
            AsideEvent::TaskQueued { message, problem, kind } => {
                self.queue.task = Some(QueuedTask { message: *message, problem: problem.clone(), kind: *kind });
            }
            AsideEvent::ControlQueued { message, control } => self.queue.controls.push((*message, *control)),
            AsideEvent::QueueDropped { message } => {
                self.queue.task.take_if(|task| task.message == *message);
                self.queue.controls.retain(|(queued, _)| queued != message);
            }
            AsideEvent::QueueTaken => {
                self.queue.controls.clear();
                self.queue.task.take_if(|_| self.queue.requests.is_empty());
            }
            AsideEvent::RequestTaken { message, number } | AsideEvent::RequestDropped { message, number } => {
                self.queue.requests.retain(|waiting| (waiting.message, waiting.number) != (*message, *number));
            }
            AsideEvent::RequestEdited { message, number, problem, kind } => {
                let named = |waiting: &&mut QueuedRequest| (waiting.message, waiting.number) == (*message, *number);
                if let Some(waiting) = self.queue.requests.iter_mut().find(named) {
                    (waiting.problem, waiting.kind) = (problem.clone(), *kind);
                }
            }
        }
    }

    fn apply_knowledge(&mut self, event: &KnowledgeEvent) {
        let facts = Arc::make_mut(&mut self.facts);
        match event {
            KnowledgeEvent::Learned { fact } => {
                self.counters.fact = self.counters.fact.max(fact.id.number() + 1);
                facts.insert(Arc::clone(fact), self.sequence);
                // From here on the fact says it, and forgetting the fact forgets the answer.
                if let (Some(task), Some(message)) = (&mut self.task, fact.said_in)
                    && task.answers.iter().any(|answer| answer.said_in == Some(message))
                {
                    let task = Arc::make_mut(task);
                    task.answers.retain(|answer| answer.said_in != Some(message));
                    task.clarifications = task.clarifications.saturating_sub(1);
                }
            }
            KnowledgeEvent::Pinned { name } => facts.pin(name, true),
            KnowledgeEvent::Unpinned { name } => facts.pin(name, false),
            KnowledgeEvent::Forgotten { names } => names.iter().for_each(|name| facts.forget(name)),
        }
    }

    /// A step that begins makes use of what it needs.
    fn touch_needs(&mut self, step: StepId) {
        let needs = self.run.as_ref().and_then(|run| run.plan().step(step)).map_or(&[][..], |step| &step.needs);
        if needs.iter().any(|name| self.facts.contains(name)) {
            let facts = Arc::make_mut(&mut self.facts);
            needs.iter().for_each(|name| facts.touch(name, self.sequence));
        }
    }

    fn go(&mut self, trigger: Trigger) -> Result<(), IllegalTransition> {
        self.phase = transition(self.phase, trigger)?;
        Ok(())
    }

    /// A change or an answer while planning keeps planning; from anywhere else the trigger must be legal.
    fn go_unless_planning(&mut self, trigger: Trigger) -> Result<(), IllegalTransition> {
        if self.phase == Phase::Planning { Ok(()) } else { self.go(trigger) }
    }

    fn require_request(&self, request: RequestId) -> Result<(), IllegalEvent> {
        let open = self.task.as_ref().and_then(|task| task.request);
        if open == Some(request) { Ok(()) } else { Err(IllegalEvent::UnknownRequest(request)) }
    }

    /// A step came to nothing, or nobody knows to what.
    fn missed(&mut self, run: RunId, step: StepId, to: StepState, why: &str) -> Result<(), IllegalEvent> {
        let active = self.run_at_hand(run)?;
        active.advance(step, to)?;
        active.note_error(step, why.to_owned());
        Ok(())
    }

    fn run_at_hand(&mut self, id: RunId) -> Result<&mut Run, IllegalEvent> {
        match self.run.as_mut() {
            Some(run) if run.id() == id => Ok(Arc::make_mut(run)),
            Some(_) | None => Err(IllegalEvent::UnknownRun(id)),
        }
    }

    fn end_run(&mut self, id: RunId, status: RunStatus, trigger: Trigger) -> Result<(), IllegalEvent> {
        self.run_at_hand(id)?.end(status);
        self.go(trigger)?;
        Ok(())
    }

    /// The task at hand; a refinement of a finished plan takes its problem up again.
    fn task_at_hand(&mut self) -> &mut ActiveTask {
        let plan = self.plan.as_ref();
        let task = self.task.get_or_insert_with(|| {
            let (problem, kind) =
                plan.map_or((String::new(), PlanKind::Plain), |plan| (plan.draft().problem.clone(), plan.draft().kind));
            let base = plan.cloned();
            Arc::new(ActiveTask { base, ..ActiveTask::new(problem, kind, None) })
        });
        Arc::make_mut(task)
    }

    /// What went wrong in the last run, as context for the next draft.
    fn failure_text(&self) -> Option<String> {
        let run = self.run.as_ref().filter(|run| run.status() == RunStatus::Failed)?;
        let step = run.failed_step()?;
        run.error(step).map(|error| format!("{step}: {error}"))
    }

    fn reset(&mut self) {
        let fresh = Self::new(self.assistant.clone());
        *self = Self {
            sequence: self.sequence,
            sources: std::mem::take(&mut self.sources),
            counters: self.counters,
            resolved: std::mem::take(&mut self.resolved),
            receipts: std::mem::take(&mut self.receipts),
            mode: Mode::default(),
            models: self.models,
            ..fresh
        };
    }
}

fn trim<T>(recent: &mut std::collections::VecDeque<T>) {
    while recent.len() > limits::RECENT_TURNS_MAX {
        recent.pop_front();
    }
}
