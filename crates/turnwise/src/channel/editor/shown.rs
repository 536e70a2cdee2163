//! Events as an editor is told them: what is said as text, a plan as its entries, each step as a tool call, and what
//! files would become as diffs made of the very text that is approved. Next: `said` for words, `prompt` for
//! permissions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnwise_acp::schema::{
    Content, ContentBlock, Diff, Plan as Entries, PlanEntry, PlanEntryPriority, PlanEntryStatus, SessionUpdate,
    TextContent, ToolCall, ToolCallContent, ToolCallId, ToolCallLocation, ToolCallStatus, ToolCallUpdate,
    ToolCallUpdateFields, ToolKind,
};
use turnwise_core::{
    Card, Decider, EffectClass, Event, FactValue, Outcome, Plan, PlanCard, Resolution, RunEvent, RunId, Step, StepId,
    Surface,
};

use super::said::{by_person, message};
use crate::channel::diff::{self, FileDiff};
use crate::channel::markdown::{self, fenced};
use crate::driver::{Writer, Writing};

/// Whether what is told happens now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Echo {
    /// It happened before, and the editor hears all of it.
    Past,
    /// It happens now: the editor knows what was said in it.
    Live,
}

/// Turns events into updates, in order.
pub(super) struct Shown {
    folder: PathBuf,
    own: Option<Surface>,
    plan: Option<Arc<Plan>>,
    run: Option<RunId>,
    /// Where the steps of the plan stand, in order.
    entries: Vec<PlanEntryStatus>,
    /// Whether something was said since the last message.
    spoken: bool,
}

impl Shown {
    pub(super) fn new(folder: PathBuf, own: Option<Surface>) -> Self {
        Self { folder, own, plan: None, run: None, entries: Vec::new(), spoken: true }
    }

    /// What the editor is told of `event`; most are told by what follows from them.
    pub(super) fn updates(&mut self, event: &Event, echo: Echo) -> Vec<SessionUpdate> {
        match event {
            Event::MessageReceived { text, person, surface, .. } => {
                self.spoken = false;
                let is_elsewhere = self.is_elsewhere(surface.as_ref());
                match (echo, is_elsewhere) {
                    (Echo::Past, _) => vec![by_person(text)],
                    (Echo::Live, true) => vec![by_person(&format!("{person}: {text}"))],
                    (Echo::Live, false) => Vec::new(),
                }
            }
            Event::PendingClosed { resolution, by, .. } => self.closed(*resolution, by.as_ref()),
            Event::Said { text, card } => {
                self.spoken = true;
                self.said(text, card.as_ref())
            }
            Event::ReceiptGiven { receipt } => {
                let silent = matches!(receipt.outcome, Outcome::Merged | Outcome::Queued | Outcome::Refused);
                if silent && !self.spoken { vec![message(&receipt.detail)] } else { Vec::new() }
            }
            Event::Run(event) => self.run(event),
            _ => Vec::new(),
        }
    }

    fn is_elsewhere(&self, surface: Option<&Surface>) -> bool {
        surface.is_some() && surface != self.own.as_ref()
    }

    /// A question ended: the call that stood for the plan goes with a no, and what was decided elsewhere is told.
    fn closed(&self, resolution: Resolution, by: Option<&Decider>) -> Vec<SessionUpdate> {
        let word = match resolution {
            Resolution::Approved => "Approved",
            Resolution::Rejected => "Rejected",
            Resolution::Changed => "Changed",
            Resolution::Answered => "Answered",
            Resolution::Cancelled => "Dropped",
            Resolution::Superseded | Resolution::Expired => return Vec::new(),
        };
        let elsewhere = by.filter(|by| self.is_elsewhere(by.surface.as_ref()));
        let told = elsewhere.map(|by| message(&format!("{word} {}.", by.told(by.at))));
        let is_no = matches!(resolution, Resolution::Rejected | Resolution::Cancelled) && self.run.is_none();
        let call = self
            .plan
            .as_ref()
            .filter(|_| is_no)
            .map(|plan| update(plan_call(plan), ToolCallUpdateFields::new().status(ToolCallStatus::Failed)));
        told.into_iter().chain(call).collect()
    }

    fn said(&mut self, words: &str, shown: Option<&Card>) -> Vec<SessionUpdate> {
        match shown {
            Some(Card::Plan(shown)) => self.planned(shown),
            shown => markdown::said(words, shown).iter().map(|block| message(block)).collect(),
        }
    }

    /// A plan is put before the person: its entries, in words, and as one call that waits.
    fn planned(&mut self, shown: &PlanCard) -> Vec<SessionUpdate> {
        let plan = &shown.plan;
        self.plan = Some(Arc::clone(plan));
        self.run = None;
        self.entries = vec![PlanEntryStatus::Pending; plan.steps().len()];
        let mut updates = vec![message(&markdown::plan(shown)), self.entries()];
        if shown.reference.is_some() {
            let call = ToolCall::new(plan_call(plan), plan.draft().title.clone())
                .kind(kind_of_plan(plan))
                .status(ToolCallStatus::Pending)
                .content(contents(plan.steps(), &self.folder))
                .locations(locations(plan.steps(), &self.folder));
            updates.push(SessionUpdate::ToolCall(call));
        }
        updates
    }

    fn entries(&self) -> SessionUpdate {
        let steps = self.plan.iter().flat_map(|plan| plan.steps());
        let entry = |(step, status): (&Step, &PlanEntryStatus)| {
            PlanEntry::new(step.description.clone(), PlanEntryPriority::Medium, status.clone())
        };
        SessionUpdate::Plan(Entries::new(steps.zip(&self.entries).map(entry).collect()))
    }

    fn stands(&mut self, step: StepId, status: PlanEntryStatus) {
        if let Some(entry) = (step.number() as usize).checked_sub(1).and_then(|at| self.entries.get_mut(at)) {
            *entry = status;
        }
    }

    fn run(&mut self, event: &RunEvent) -> Vec<SessionUpdate> {
        match event {
            RunEvent::Approved { run, plan, kept, .. } => {
                self.plan = Some(Arc::clone(plan));
                self.run = Some(*run);
                self.entries = vec![PlanEntryStatus::Pending; plan.steps().len()];
                kept.iter().for_each(|step| self.stands(*step, PlanEntryStatus::Completed));
                vec![self.entries(), self.whole(ToolCallStatus::InProgress)]
            }
            RunEvent::StepStarted { step, .. } => {
                self.stands(*step, PlanEntryStatus::InProgress);
                let begun = self.plan.as_ref().and_then(|plan| plan.step(*step)).map(|work| self.begun(*step, work));
                std::iter::once(self.entries()).chain(begun).collect()
            }
            RunEvent::StepCompleted { step, facts, .. } => {
                self.stands(*step, PlanEntryStatus::Completed);
                let texts = facts.iter().filter_map(|fact| match &fact.body.value {
                    FactValue::Text(text) => Some(text.as_str()),
                    FactValue::Table(_) => None,
                });
                let told = texts.collect::<Vec<_>>().join("\n");
                vec![self.entries(), self.ended(*step, ToolCallStatus::Completed, &told)]
            }
            RunEvent::StepFailed { step, error, .. } => {
                self.stands(*step, PlanEntryStatus::Pending);
                vec![self.entries(), self.ended(*step, ToolCallStatus::Failed, error)]
            }
            RunEvent::StepPostponed { step, error, .. } => {
                let told = format!("{error}; it will be tried again");
                vec![self.ended(*step, ToolCallStatus::InProgress, &told)]
            }
            RunEvent::StepLost { step, reason, .. } => vec![self.ended(*step, ToolCallStatus::Failed, reason)],
            RunEvent::Completed { .. } => vec![self.whole(ToolCallStatus::Completed)],
            RunEvent::Failed { .. } => vec![self.whole(ToolCallStatus::Failed)],
            RunEvent::Stopped { .. } => {
                let under_way = |(at, status): (usize, &PlanEntryStatus)| {
                    let number = u32::try_from(at + 1).ok().filter(|_| *status == PlanEntryStatus::InProgress)?;
                    Some(self.ended(StepId::new(number), ToolCallStatus::Failed, "Stopped."))
                };
                let ended: Vec<SessionUpdate> = self.entries.iter().enumerate().filter_map(under_way).collect();
                ended.into_iter().chain([self.whole(ToolCallStatus::Failed)]).collect()
            }
            RunEvent::Paced { .. } => Vec::new(),
        }
    }

    /// What the command of the step that runs has printed so far; a list takes the place of the one before.
    pub(super) fn printed(&self, writing: &Writing) -> Option<SessionUpdate> {
        let Writer::Program(_) = writing.by else { return None };
        let at = self.entries.iter().position(|status| *status == PlanEntryStatus::InProgress)?;
        let step = StepId::new(u32::try_from(at + 1).ok()?);
        let told = writing.text.trim_end();
        (!told.is_empty()).then(|| self.ended(step, ToolCallStatus::InProgress, told))
    }

    /// The call that stands for the whole plan.
    fn whole(&self, status: ToolCallStatus) -> SessionUpdate {
        let id = self.plan.as_ref().map_or_else(|| ToolCallId::new("plan"), |plan| plan_call(plan));
        update(id, ToolCallUpdateFields::new().status(status))
    }

    /// A step begins. The one step of a plan is its call; what a plan of several did stands with each.
    fn begun(&self, step: StepId, work: &Step) -> SessionUpdate {
        let is_only = self.plan.as_ref().is_some_and(|plan| plan.steps().len() == 1);
        if is_only {
            return self.whole(ToolCallStatus::InProgress);
        }
        let steps = std::slice::from_ref(work);
        let call = ToolCall::new(self.step_call(step), work.description.clone())
            .kind(kind(work))
            .status(ToolCallStatus::InProgress)
            .content(contents(steps, &self.folder))
            .locations(locations(steps, &self.folder));
        SessionUpdate::ToolCall(call)
    }

    fn ended(&self, step: StepId, status: ToolCallStatus, told: &str) -> SessionUpdate {
        let work = self.plan.as_ref().and_then(|plan| plan.step(step));
        // A list takes the place of the one before, so the diff stays in it.
        let mut content = work.map_or_else(Vec::new, |work| contents(std::slice::from_ref(work), &self.folder));
        if !told.is_empty() {
            content.push(ToolCallContent::Content(Content::new(ContentBlock::Text(TextContent::new(fenced(told))))));
        }
        let is_only = self.plan.as_ref().is_some_and(|plan| plan.steps().len() == 1);
        let id = match &self.plan {
            Some(plan) if is_only => plan_call(plan),
            _ => self.step_call(step),
        };
        update(id, ToolCallUpdateFields::new().status(status).content(content))
    }

    fn step_call(&self, step: StepId) -> ToolCallId {
        let run = self.run.map(|run| run.to_string()).unwrap_or_default();
        ToolCallId::new(format!("{run}-{step}").replace(' ', "-"))
    }
}

/// The call that stands for a version of a plan.
pub(super) fn plan_call(plan: &Plan) -> ToolCallId {
    ToolCallId::new(format!("{}-v{}", plan.id(), plan.version()))
}

fn update(id: ToolCallId, fields: ToolCallUpdateFields) -> SessionUpdate {
    SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(id, fields))
}

/// What a plan's steps would make of files, and which commands they would run.
pub(super) fn contents(steps: &[Step], folder: &Path) -> Vec<ToolCallContent> {
    let files = steps.iter().flat_map(files_of);
    files.flat_map(|file| diffs(&file, folder)).map(ToolCallContent::Diff).collect()
}

fn files_of(step: &Step) -> Vec<FileDiff> {
    step.arguments.get(DIFF).map(|text| diff::files(text)).unwrap_or_default()
}

fn diffs(file: &FileDiff, folder: &Path) -> Vec<Diff> {
    let path = folder.join(&file.path);
    let of = |hunk: &diff::Hunk| {
        let (before, after) = hunk.sides();
        Diff::new(path.clone(), after).old_text((!file.is_new).then_some(before))
    };
    file.hunks.iter().map(of).collect()
}

pub(super) fn locations(steps: &[Step], folder: &Path) -> Vec<ToolCallLocation> {
    let files = steps.iter().flat_map(files_of);
    files.map(|file| ToolCallLocation::new(folder.join(&file.path)).line(file.first_line())).collect()
}

fn kind(step: &Step) -> ToolKind {
    let has = |name: &str| step.arguments.contains_key(name);
    match step.effect {
        _ if has(DIFF) => ToolKind::Edit,
        _ if has(COMMAND) => ToolKind::Execute,
        EffectClass::Pure => ToolKind::Read,
        EffectClass::Idempotent | EffectClass::Reversible | EffectClass::OnceOnly => ToolKind::Other,
    }
}

/// The gravest of its steps.
pub(super) fn kind_of_plan(plan: &Plan) -> ToolKind {
    let kinds: Vec<ToolKind> = plan.steps().iter().map(kind).collect();
    let order = [ToolKind::Execute, ToolKind::Edit, ToolKind::Other];
    order.into_iter().find(|kind| kinds.contains(kind)).unwrap_or(ToolKind::Read)
}

/// The argument that holds what files would become, as a unified diff.
const DIFF: &str = "diff";
/// The argument that holds a command.
const COMMAND: &str = "command";
