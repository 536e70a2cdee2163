//! Events on the wire: what a transcript shows and what changes a card. The log holds more; what only replay needs is
//! not sent. Next: `state` for where they lead.

use serde::Serialize;
use turnwise_core::selected::{Selected, Source};
use turnwise_core::{
    AsideEvent, Event, Fact, FactName, KnowledgeEvent, MessageId, ModelCall, PlanningEvent, RunEvent, limits,
};
use utoipa::ToSchema;

use super::card::{CardView, ReadingView};
use super::moment;
use super::plan::PlanView;
use super::state::{ReceiptView, mode_word};
use crate::driver::Recorded;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct EventView {
    /// Its place in the log; the `id` of the server-sent event.
    pub sequence: u64,
    /// What.
    #[serde(flatten)]
    pub body: EventBody,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventBody {
    /// A person takes part from now on.
    MemberJoined {
        /// Who.
        person: String,
    },
    /// A person takes part no longer.
    MemberLeft {
        /// Who.
        person: String,
    },
    /// The conversation is called otherwise.
    Titled {
        /// By this person.
        person: String,
        /// What it is called from now on.
        title: String,
    },
    /// A person said or did something.
    Message {
        /// Its number.
        message: u64,
        /// Who.
        person: String,
        /// What was said, or what was done put into words.
        text: String,
        /// When (RFC 3339).
        #[schema(format = DateTime)]
        at: String,
        /// Where, if the surface said so.
        surface: Option<String>,
    },
    /// A message was read.
    Read {
        /// The message.
        message: u64,
        /// Its segments, or the likely readings when it was not clear.
        readings: Vec<ReadingView>,
    },
    /// The person was told something.
    Said {
        /// In words.
        text: String,
        /// And as a card.
        card: Option<Box<CardView>>,
    },
    /// An input ended.
    Receipt {
        /// In this receipt.
        receipt: ReceiptView,
    },
    /// The mode changed.
    Mode {
        /// `proof` or `exploratory`.
        mode: &'static str,
    },
    /// A question was opened.
    Asked {
        /// Its id.
        pending: String,
    },
    /// A question ended.
    Closed {
        /// Its id.
        pending: String,
        /// How, in a word or few.
        how: String,
        /// By whom, if by a person.
        by: Option<String>,
        /// On which surface.
        surface: Option<String>,
        /// When (RFC 3339).
        #[schema(format = DateTime)]
        at: Option<String>,
    },
    /// A plan was approved and runs.
    Approved {
        /// Who approved it.
        person: String,
        /// The run.
        run: String,
        /// What runs: also where nobody had to be asked.
        plan: Box<PlanView>,
    },
    /// A step came to stand somewhere else.
    Step {
        /// The run.
        run: String,
        /// The step.
        step: u32,
        /// `running`, `done`, `backoff`, `unknown` or `failed`.
        state: &'static str,
        /// What happened, where something did.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
        /// What it found, in short.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        found: Vec<FoundView>,
    },
    /// A run ended.
    RunEnded {
        /// The run.
        run: String,
        /// `completed`, `failed` or `cancelled`.
        status: &'static str,
    },
    /// A language model was asked.
    ModelAsked {
        /// The message whose work asked, if it was one's.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<u64>,
        /// What for.
        task: String,
        /// Which version of the task.
        version: String,
        /// Who was asked.
        model: String,
        /// How long it took, in milliseconds.
        elapsed_ms: u64,
        /// Tokens of what was sent.
        input_tokens: u64,
        /// Tokens of what came back.
        output_tokens: u64,
        /// What it cost, in millionths, where a price is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        micros: Option<u64>,
        /// Why it failed, or what is wrong with its answer; empty for an answer that was used.
        problems: Vec<String>,
    },
    /// What waits for what is at hand changed; the state says what waits now.
    Queue {
        /// The words of a task that was added or changed.
        #[serde(skip_serializing_if = "Option::is_none")]
        task: Option<String>,
    },
    /// What is done about a message was selected, before anything is done.
    IntentReceived {
        /// The message.
        message: u64,
        /// `ANSWER`, `CLARIFY`, `QUICK_ACTION`, `PLAN`, `CONTINUE_RUN` or `COMMAND`.
        behavior: &'static str,
        /// What the request rests on.
        context_source: SourceView,
        /// How sure the rules are, from 0 to 1.
        confidence: f32,
        /// One readable sentence.
        reasoning: String,
        /// `trivial`, `small`, `medium` or `large`; absent for questions and runs.
        #[serde(skip_serializing_if = "Option::is_none")]
        detected_scope: Option<&'static str>,
        /// The files it names or refers to.
        referenced_files: Vec<String>,
    },
    /// The mode that follows from what was selected.
    ModeSet {
        /// For this message.
        message: u64,
        /// `ANSWER`, `PLAN` or `MISSION`.
        mode: &'static str,
    },
    /// The drawing of a fact is wanted as a file; it can be fetched with `GET …/facts/{name}/chart`.
    Chart {
        /// The fact.
        fact: String,
        /// The name of the file the person asked for.
        file: String,
    },
    /// What is known changed by a person's word.
    Knowledge {
        /// `learned`, `pinned`, `unpinned` or `forgotten`.
        change: &'static str,
        /// The facts, by name.
        names: Vec<String>,
    },
    /// Plan, facts, questions and queue were forgotten.
    Reset,
}

/// What a request rests on.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SourceView {
    /// On its own words.
    Fresh,
    /// On what was done or proposed before.
    FollowUp {
        /// The files of it.
        files: Vec<String>,
        /// `last_applied_diff` or `last_artifact_proposed`.
        previous_task: &'static str,
    },
    /// On what is pointed at.
    ExplicitReference {
        /// The files pointed at.
        files: Vec<String>,
    },
}

impl SourceView {
    fn new(source: &Source) -> Self {
        match source.clone() {
            Source::Fresh => Self::Fresh,
            Source::FollowUp { files, previous_task } => Self::FollowUp { files, previous_task: previous_task.name() },
            Source::ExplicitReference { files } => Self::ExplicitReference { files },
        }
    }
}

fn selected(message: MessageId, selected: &Selected) -> EventBody {
    EventBody::IntentReceived {
        message: message.number(),
        behavior: selected.behaviour.code(),
        context_source: SourceView::new(&selected.context_source),
        confidence: selected.confidence.value(),
        reasoning: selected.reasoning.clone(),
        detected_scope: selected.detected_scope.map(turnwise_core::selected::Scope::name),
        referenced_files: selected.referenced_files.clone(),
    }
}

/// Something a step found.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FoundView {
    /// The fact.
    pub name: String,
    /// Its value, or how much there is of it.
    pub value: String,
}

impl FoundView {
    fn new(fact: &Fact) -> Self {
        Self { name: fact.name().to_string(), value: fact.in_short(limits::QUOTE_WIDTH) }
    }
}

/// The event for clients; absent for what only replay needs.
#[must_use]
pub fn view(recorded: &Recorded) -> Option<EventView> {
    let body = body(&recorded.event)?;
    Some(EventView { sequence: recorded.sequence.number(), body })
}

fn body(event: &Event) -> Option<EventBody> {
    Some(match event {
        Event::Titled { person, title } => EventBody::Titled { person: person.to_string(), title: title.clone() },
        Event::MemberJoined { person } => EventBody::MemberJoined { person: person.to_string() },
        Event::MemberLeft { person } => EventBody::MemberLeft { person: person.to_string() },
        Event::MessageReceived { message, person, text, at, surface, .. } => EventBody::Message {
            message: message.number(),
            person: person.to_string(),
            text: text.clone(),
            at: moment(*at),
            surface: surface.as_ref().map(|surface| surface.name.to_string()),
        },
        Event::MessageRead { message, reading } => {
            EventBody::Read { message: message.number(), readings: readings(reading) }
        }
        Event::IntentReceived { message, selected: it } => selected(*message, it),
        Event::ModeSet { message, mode } => EventBody::ModeSet { message: message.number(), mode: mode.code() },
        Event::Said { text, card } => {
            EventBody::Said { text: text.clone(), card: card.as_ref().map(|card| Box::new(CardView::new(card))) }
        }
        Event::ReceiptGiven { receipt } => EventBody::Receipt { receipt: ReceiptView::new(receipt) },
        Event::ModeSwitched { mode, .. } => EventBody::Mode { mode: mode_word(*mode) },
        Event::PendingOpened { pending } => EventBody::Asked { pending: pending.id.to_string() },
        Event::PendingClosed { pending, resolution, by } => EventBody::Closed {
            pending: pending.to_string(),
            how: resolution.word().to_owned(),
            by: by.as_ref().map(|by| by.person.to_string()),
            surface: by.as_ref().and_then(|by| by.surface.as_ref()).map(|surface| surface.name.to_string()),
            at: by.as_ref().map(|by| moment(by.at)),
        },
        Event::ModelAsked { call } => model_asked(call),
        Event::ConversationReset => EventBody::Reset,
        Event::Run(event) => return run(event),
        Event::Knowledge(event) => knowledge(event),
        Event::Aside(event) => return aside(event),
        Event::Planning(PlanningEvent::TaskSplit { .. }) => EventBody::Queue { task: None },
        Event::Planning(
            PlanningEvent::TaskStarted { .. }
            | PlanningEvent::DraftRequested { .. }
            | PlanningEvent::ChangeTried { .. }
            | PlanningEvent::ChangeDropped
            | PlanningEvent::FailureKept { .. }
            | PlanningEvent::PlanningPaused { .. }
            | PlanningEvent::DraftUnclear { .. }
            | PlanningEvent::TaskAnswered { .. }
            | PlanningEvent::PlanDrafted { .. }
            | PlanningEvent::PlanningFailed { .. }
            | PlanningEvent::TaskDropped { .. },
        )
        | Event::ConversationOpened { .. }
        | Event::PlanApprovalSet { .. }
        | Event::FlowSettled { .. }
        | Event::ReplyRead { .. }
        | Event::FactsEvicted { .. }
        | Event::PendingShown { .. }
        | Event::PendingQuieted { .. }
        | Event::ReportDropped { .. }
        | Event::PersonLeft => return None,
    })
}

fn model_asked(call: &ModelCall) -> EventBody {
    EventBody::ModelAsked {
        message: call.message.map(MessageId::number),
        task: call.task.clone(),
        version: call.version.clone(),
        model: call.model.clone(),
        elapsed_ms: call.elapsed_ms,
        input_tokens: call.used.input,
        output_tokens: call.used.output,
        micros: call.micros,
        problems: call.problems.clone(),
    }
}

fn aside(event: &AsideEvent) -> Option<EventBody> {
    match event {
        AsideEvent::TaskQueued { problem, .. } | AsideEvent::RequestEdited { problem, .. } => {
            Some(EventBody::Queue { task: Some(problem.clone()) })
        }
        AsideEvent::QueueDropped { .. }
        | AsideEvent::QueueTaken
        | AsideEvent::RequestTaken { .. }
        | AsideEvent::RequestDropped { .. } => Some(EventBody::Queue { task: None }),
        AsideEvent::KeepingAsked { fact, keeping, .. } => {
            Some(EventBody::Chart { fact: fact.to_string(), file: keeping.file.clone() })
        }
        AsideEvent::QuestionAsked { .. }
        | AsideEvent::QuestionClosed { .. }
        | AsideEvent::HearingBegun { .. }
        | AsideEvent::HearingOver { .. }
        | AsideEvent::ControlQueued { .. } => None,
    }
}

fn knowledge(event: &KnowledgeEvent) -> EventBody {
    let (change, names): (_, &[FactName]) = match event {
        KnowledgeEvent::Learned { fact } => ("learned", std::slice::from_ref(fact.name())),
        KnowledgeEvent::Pinned { name } => ("pinned", std::slice::from_ref(name)),
        KnowledgeEvent::Unpinned { name } => ("unpinned", std::slice::from_ref(name)),
        KnowledgeEvent::Forgotten { names } => ("forgotten", names),
    };
    EventBody::Knowledge { change, names: names.iter().map(ToString::to_string).collect() }
}

fn run(event: &RunEvent) -> Option<EventBody> {
    let step = |run: &turnwise_core::RunId, step: &turnwise_core::StepId, state, error: Option<&String>| {
        EventBody::Step { run: run.to_string(), step: step.number(), state, error: error.cloned(), found: Vec::new() }
    };
    let ended = |run: &turnwise_core::RunId, status| EventBody::RunEnded { run: run.to_string(), status };
    Some(match event {
        RunEvent::Approved { person, run, plan, .. } => EventBody::Approved {
            person: person.to_string(),
            run: run.to_string(),
            plan: Box::new(PlanView::new(plan)),
        },
        RunEvent::Paced { .. } => return None,
        RunEvent::StepStarted { run, step: at, .. } => step(run, at, "running", None),
        RunEvent::StepCompleted { run, step: at, facts, .. } => EventBody::Step {
            run: run.to_string(),
            step: at.number(),
            state: "done",
            error: None,
            found: facts.iter().map(|fact| FoundView::new(fact)).collect(),
        },
        RunEvent::StepPostponed { run, step: at, error, .. } => step(run, at, "backoff", Some(error)),
        RunEvent::StepLost { run, step: at, reason, .. } => step(run, at, "unknown", Some(reason)),
        RunEvent::StepFailed { run, step: at, error } => step(run, at, "failed", Some(error)),
        RunEvent::Completed { run } => ended(run, "completed"),
        RunEvent::Failed { run } => ended(run, "failed"),
        RunEvent::Stopped { run, .. } => ended(run, "cancelled"),
    })
}

fn readings(reading: &turnwise_core::MessageReading) -> Vec<ReadingView> {
    use turnwise_core::MessageReading::{Bare, Empty, Understood, UnknownCommand, Unsure};
    match reading {
        Understood { segments, .. } => segments.iter().map(ReadingView::new).collect(),
        Unsure { options } => options.iter().map(ReadingView::new).collect(),
        UnknownCommand { .. } | Bare { .. } | Empty => Vec::new(),
    }
}
