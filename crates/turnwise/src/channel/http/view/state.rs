//! Where a conversation stands, on the wire: everything a surface needs to draw itself without having seen an event.
//! Next: `event` for what changed it.

use serde::Serialize;
use turnwise_core::{
    Card, Conversation, Flow, FlowKey, Mode, Pending, PendingKind, Phase, QueuedRequest, Receipt, StepState, status,
};
use utoipa::ToSchema;

use super::card::{self, CardView, ChoiceView, FactView};
use super::plan::{PlanView, RunView};
use super::{IdView, moment};
use crate::driver::{DriverError, Session, Summary};

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ConversationView {
    /// Its id.
    pub id: IdView,
    /// The assistant it is with.
    pub assistant: String,
    /// Its first message, cut short; absent before the first.
    pub title: Option<String>,
    /// `idle`, `planning`, `awaiting_approval`, `executing` or `failed`.
    pub phase: &'static str,
    /// Its last turn (RFC 3339).
    #[schema(format = DateTime)]
    pub active_at: String,
    /// Who takes part.
    pub members: Vec<String>,
}

/// Where a conversation stands.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct StateView {
    /// The conversation.
    pub id: IdView,
    /// The assistant it is with.
    pub assistant: String,
    /// The last event this holds; events after it change it.
    pub sequence: u64,
    /// `proof` or `exploratory`.
    pub mode: &'static str,
    /// `idle`, `planning`, `awaiting_approval`, `executing` or `failed`.
    pub phase: &'static str,
    /// Which plans wait for a yes: `every_plan`, as far as the assistant is configured to ask, or only those with
    /// `effects`, once a person said that the others run without asking here.
    pub asks_about: &'static str,
    /// How work is gone about here, key by key: as configured, or as it was settled for this conversation.
    pub flow: Vec<FlowKeyView>,
    /// What a person called it; the list shows its first message while nobody did.
    pub title: Option<String>,
    /// Where it stands, in parts.
    pub status: StatusView,
    /// The status line of a terminal, whole.
    pub status_line: String,
    /// Whether something is under way.
    pub busy: bool,
    /// Who takes part.
    pub members: Vec<String>,
    /// The open questions, oldest first; words answer the last one.
    pub pending: Vec<PendingView>,
    /// The active or last plan.
    pub plan: Option<PlanView>,
    /// The active or last run.
    pub run: Option<RunView>,
    /// The fact that holds the last result; its `name` is where its chart, rows and proof are.
    pub result: Option<Box<FactView>>,
    /// What waits until the run is over.
    pub queue: QueueView,
}

/// A key of how work is gone about, as `/flow` and the configuration name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FlowKeyView {
    /// Its name.
    pub key: &'static str,
    /// What it is here; switches are `on` or `off`.
    pub value: &'static str,
    /// What it is where a conversation settles nothing.
    pub configured: &'static str,
    /// What it may be.
    pub values: &'static [&'static str],
    /// What it comes to, as a clause.
    pub told: String,
}

/// Where a conversation stands, in parts, for surfaces that draw it their own way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StatusView {
    /// `ready`, `planning`, `asking` (a question is open), `waiting` (a plan waits for approval), `running`, `paused`
    /// or `failed`.
    pub word: &'static str,
    /// What is planned, waits, runs or has failed, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The step that runs, waits or failed, from 1; 0 where none does.
    pub step: u32,
    /// How many steps the plan at hand has; 0 without one.
    pub of: usize,
    /// Why the step failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How many requests and commands wait for what is at hand.
    pub queued: usize,
}

/// An open question.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PendingView {
    /// Its id; survives reloads.
    pub id: IdView,
    /// Counts up whenever what is asked changes.
    pub version: u32,
    /// What a decision on it must carry. The same on every surface; a new one once what is asked has changed.
    pub reference: String,
    /// `approval`, `clarification`, `redirection`, `which_reading`, `failure`, `paused`, `unknown_outcome`,
    /// `confirm_forget`, `talked_over`, `satisfaction` or `confirm_exit`.
    pub asks: &'static str,
    /// The question in words.
    pub question: String,
    /// The question as a card, as any surface shows it.
    pub card: Option<Box<CardView>>,
    /// The choices, where there are any; free text is always possible too.
    pub choices: Vec<ChoiceView>,
    /// For approvals: the version of the plan it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan_version: Option<u32>,
    /// The event that opened it.
    pub opened: u64,
}

/// What waits until what is at hand is over.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct QueueView {
    /// The further requests of a message that asked for several, in the order they are taken up.
    pub requests: Vec<QueuedRequestView>,
    /// The task, in the person's words.
    pub task: Option<String>,
    /// How many commands.
    pub commands: usize,
}

/// A request that waits for the ones before it in its message.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct QueuedRequestView {
    /// What it is called: `m3.2` is the second request of message 3. The messages `/queue drop m3.2` and
    /// `/queue edit m3.2 …` drop and change it.
    pub name: String,
    /// The request, in the person's words.
    pub task: String,
}

/// What became of an input.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ReceiptView {
    /// The number of the message it is for.
    pub message: u64,
    /// `refused`, `answered`, `asked back`, `merged`, `queued` or `applied`.
    pub outcome: &'static str,
    /// One sentence.
    pub detail: String,
}

impl ConversationView {
    pub(in crate::channel::http) fn new(summary: &Summary) -> Self {
        Self {
            id: IdView::of(&summary.id),
            assistant: summary.assistant.to_string(),
            title: summary.title.clone(),
            phase: phase_word(summary.phase),
            active_at: moment(summary.active_at),
            members: summary.members.iter().map(ToString::to_string).collect(),
        }
    }
}

impl StateView {
    /// Where the conversation of `session` stands now, with signed references to what waits in it.
    ///
    /// # Errors
    /// When the store has no key to sign with.
    pub(in crate::channel::http) async fn of(session: &Session) -> Result<Self, DriverError> {
        let state = session.conversation();
        let mut pending = Vec::with_capacity(state.pending().len());
        for open in state.pending() {
            pending.push(PendingView::new(&state, open, session.reference(open).await?.to_string()));
        }
        Ok(Self::new(session, &state, pending))
    }

    fn new(session: &Session, state: &Conversation, pending: Vec<PendingView>) -> Self {
        Self {
            id: IdView::of(session.id()),
            assistant: state.assistant().to_string(),
            sequence: state.sequence().number(),
            mode: mode_word(state.mode()),
            phase: phase_word(state.phase()),
            asks_about: if state.runs_reads_unasked() { "effects" } else { "every_plan" },
            flow: FlowKeyView::all(state, session.configured_flow()),
            title: state.title().map(str::to_owned),
            status: StatusView::new(state),
            status_line: status::line(state).text(0),
            busy: state.is_busy(),
            members: state.members().iter().map(ToString::to_string).collect(),
            pending,
            plan: state.plan().map(|plan| PlanView::new(plan)),
            run: state.run().map(RunView::new),
            result: state.result().map(|fact| Box::new(FactView::new(fact))),
            queue: QueueView {
                requests: state.queue().requests.iter().map(QueuedRequestView::new).collect(),
                task: state.queue().task.as_ref().map(|task| task.problem.clone()),
                commands: state.queue().controls.len(),
            },
        }
    }
}

impl FlowKeyView {
    fn all(state: &Conversation, configured: Flow) -> Vec<Self> {
        let flow = state.flow_over(configured);
        let view = |key: &FlowKey| Self {
            key: key.name(),
            value: key.value(&flow),
            configured: key.value(&configured),
            values: key.values(),
            told: key.told(&flow),
        };
        FlowKey::ALL.iter().map(view).collect()
    }
}

impl StatusView {
    fn new(state: &Conversation) -> Self {
        let run = state.run().filter(|_| matches!(state.phase(), Phase::Executing | Phase::Failed));
        let waits = run.is_some_and(turnwise_core::Run::is_waiting);
        let word = match state.phase() {
            Phase::Executing if waits => "paused",
            Phase::Executing => "running",
            Phase::Failed => "failed",
            Phase::AwaitingApproval => "waiting",
            Phase::Idle | Phase::Planning if state.question().is_some() => "asking",
            Phase::Planning => "planning",
            Phase::Idle => "ready",
        };
        let step = run.and_then(|run| run.failed_step().or_else(|| at_hand(run)));
        let plan = state.plan().filter(|_| !matches!(state.phase(), Phase::Idle | Phase::Planning));
        let doing = step.and_then(|step| run?.plan().step(step)).map(|step| step.description.clone());
        let planned = || state.problem().filter(|_| state.phase() == Phase::Planning).map(str::to_owned);
        Self {
            word,
            subject: doing.or_else(|| plan.map(|plan| plan.draft().title.clone())).or_else(planned),
            step: step.map_or(0, turnwise_core::StepId::number),
            of: run.map(|run| run.plan().steps().len()).or_else(|| plan.map(|plan| plan.steps().len())).unwrap_or(0),
            error: run.and_then(|run| run.error(run.failed_step()?)).map(str::to_owned),
            queued: state.queue().len(),
        }
    }
}

/// The step of a run that is at work, or the next.
fn at_hand(run: &turnwise_core::Run) -> Option<turnwise_core::StepId> {
    let works = |(_, state): &(turnwise_core::StepId, StepState)| {
        matches!(state, StepState::Running { .. } | StepState::Backoff { .. } | StepState::Unknown { .. })
    };
    let current = run.states().find(works).map(|(step, _)| step);
    current
        .or_else(|| run.next_step())
        .or_else(|| run.states().find(|(_, state)| !state.is_finished()).map(|(step, _)| step))
}

impl QueuedRequestView {
    fn new(request: &QueuedRequest) -> Self {
        Self { name: request.name(), task: request.problem.clone() }
    }
}

impl PendingView {
    pub(in crate::channel::http) fn new(state: &Conversation, pending: &Pending, reference: String) -> Self {
        let (question, card) = state.asked(pending).unwrap_or_default();
        let choices = card.as_ref().map(choices).unwrap_or_default();
        Self {
            id: IdView::of(pending.id),
            version: pending.ui_version,
            reference,
            asks: asks(&pending.kind),
            question,
            choices,
            card: card.as_ref().map(|card| Box::new(CardView::new(card))),
            plan_version: match pending.kind {
                PendingKind::Approval { version, .. } => Some(version),
                _ => None,
            },
            opened: pending.opened.number(),
        }
    }
}

impl ReceiptView {
    pub(in crate::channel::http) fn new(receipt: &Receipt) -> Self {
        Self { message: receipt.message.number(), outcome: receipt.outcome.word(), detail: receipt.detail.clone() }
    }
}

/// What can be chosen on a card.
fn choices(card: &Card) -> Vec<ChoiceView> {
    match card {
        Card::Question { choices, .. } | Card::Failure { choices, .. } => card::choices(choices),
        Card::Plan(_)
        | Card::Result { .. }
        | Card::Steps { .. }
        | Card::Facts { .. }
        | Card::Provenance { .. }
        | Card::Help { .. }
        | Card::Why { .. } => Vec::new(),
    }
}

/// The word for what is asked.
fn asks(kind: &PendingKind) -> &'static str {
    match kind {
        PendingKind::Approval { .. } => "approval",
        PendingKind::Clarification { .. } => "clarification",
        PendingKind::Redirection => "redirection",
        PendingKind::WhichReading { .. } => "which_reading",
        PendingKind::Failure { .. } => "failure",
        PendingKind::Paused { .. } => "paused",
        PendingKind::UnknownOutcome { .. } => "unknown_outcome",
        PendingKind::ConfirmForget { .. } => "confirm_forget",
        PendingKind::TalkedOver { .. } => "talked_over",
        PendingKind::Satisfaction { .. } => "satisfaction",
        PendingKind::ConfirmExit => "confirm_exit",
    }
}

pub(super) fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Idle => "idle",
        Phase::Planning => "planning",
        Phase::AwaitingApproval => "awaiting_approval",
        Phase::Executing => "executing",
        Phase::Failed => "failed",
    }
}

pub(super) fn mode_word(mode: Mode) -> &'static str {
    match mode {
        Mode::Proof => "proof",
        Mode::Exploratory => "exploratory",
    }
}
