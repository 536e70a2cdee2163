//! Events: what we hold to be true from now on. They are appended to a conversation's log and never changed; state is
//! their fold (`apply`), and replay uses nothing else. Next: `apply`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::selected::{DerivedMode, Selected};
use crate::{
    ApprovalMode, AssistantName, Card, ClarifiedAnswer, Decider, Fact, FactName, FlowSettings, Keeping, MessageId,
    MessageReading, Mode, ModelCall, Pending, PendingId, PersonId, Plan, PlanKind, Presentation, QueryKind, Receipt,
    Reply, RequestId, Resolution, RunEvent, Surface, Surroundings, Timestamp, Trigger,
};

/// One thing that is true from now on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The conversation began.
    ConversationOpened {
        /// With this assistant.
        assistant: AssistantName,
        /// What the assistant reads, in its own words; empty where it did not say.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sources: Vec<String>,
        /// When.
        at: Timestamp,
    },
    /// A person takes part: may read the conversation and speak in it. Whoever speaks takes part without this event.
    MemberJoined {
        /// Who.
        person: PersonId,
    },
    /// A person takes part no longer: may not read the conversation any more. What they did in it stays.
    MemberLeft {
        /// Who.
        person: PersonId,
    },
    /// The conversation is called otherwise from now on.
    Titled {
        /// By this person.
        person: PersonId,
        /// What it is called.
        title: String,
    },
    /// Whether plans that change nothing are asked about in this conversation was settled. Older logs have it;
    /// `FlowSettled` says it now.
    PlanApprovalSet {
        /// By this person.
        person: PersonId,
        /// Whether they are asked about from now on.
        asks: bool,
    },
    /// How work is gone about in this conversation was settled, in place of what was settled before; what is absent is
    /// as configured (FL-11).
    FlowSettled {
        /// By this person.
        person: PersonId,
        /// What was settled.
        settings: FlowSettings,
        /// Where the run at hand waits from now on; absent where that is as it was.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        checkpoints: Option<ApprovalMode>,
    },
    /// A person said or did something.
    MessageReceived {
        /// Its number.
        message: MessageId,
        /// Who.
        person: PersonId,
        /// What was said, or what was done put into words.
        text: String,
        /// Where; absent where the surface did not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        surface: Option<Surface>,
        /// What lay open before them, where the surface could tell.
        #[serde(default, skip_serializing_if = "Surroundings::is_empty")]
        around: Surroundings,
        /// When.
        at: Timestamp,
    },
    /// A message was read.
    MessageRead {
        /// The message.
        message: MessageId,
        /// How it was read.
        reading: MessageReading,
    },
    /// What is done about a message was selected, before anything is done.
    IntentReceived {
        /// The message.
        message: MessageId,
        /// What.
        #[serde(flatten)]
        selected: Selected,
    },
    /// The mode that follows from what was selected.
    ModeSet {
        /// For this message.
        message: MessageId,
        /// The mode.
        mode: DerivedMode,
    },
    /// A message was read as a reply to the open question.
    ReplyRead {
        /// The message.
        message: MessageId,
        /// The question.
        pending: PendingId,
        /// How it was read.
        reply: Reply,
    },
    /// The mode changed.
    ModeSwitched {
        /// To this one.
        mode: Mode,
        /// Whether the person asked for it, which makes it stick.
        explicit: bool,
    },
    /// Facts were dropped because of a limit, or because their time was over.
    FactsEvicted {
        /// Their names.
        names: Vec<FactName>,
        /// Why just these; older logs do not say.
        #[serde(default)]
        reason: String,
    },
    /// A question to a person was opened.
    PendingOpened {
        /// The question.
        pending: Pending,
    },
    /// A question to a person ended.
    PendingClosed {
        /// The question.
        pending: PendingId,
        /// How.
        resolution: Resolution,
        /// Through whom; absent where nobody decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Decider>,
    },
    /// An open question was shown once more.
    PendingShown {
        /// The question.
        pending: PendingId,
    },
    /// A question stays open without being shown again.
    PendingQuieted {
        /// The question.
        pending: PendingId,
    },
    /// A language model was asked.
    ModelAsked {
        /// The call.
        call: Arc<ModelCall>,
    },
    /// A report came too late or twice, and was dropped.
    ReportDropped {
        /// Why, for the log.
        reason: String,
    },
    /// Plan, facts, questions and queue were forgotten.
    ConversationReset,
    /// The person was told something.
    Said {
        /// In words.
        text: String,
        /// And as a card.
        card: Option<Card>,
    },
    /// An input ended in a receipt.
    ReceiptGiven {
        /// The receipt.
        receipt: Receipt,
    },
    /// The person left; coming back continues.
    PersonLeft,
    /// Something happened to the task while it is planned and decided on.
    Planning(PlanningEvent),
    /// Something happened to a run.
    Run(RunEvent),
    /// Something happened beside the task: a question answered in parallel, or work queued.
    Aside(AsideEvent),
    /// Something happened to what is known, by the person's word.
    Knowledge(KnowledgeEvent),
}

/// What a person's word does to what is known. What work finds out is in `RunEvent::StepCompleted`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum KnowledgeEvent {
    /// The person stated something. It supersedes what is held under its name.
    Learned {
        /// What was stated.
        fact: Arc<Fact>,
    },
    /// A fact stays whatever the limits say.
    Pinned {
        /// The fact.
        name: FactName,
    },
    /// A fact may go again.
    Unpinned {
        /// The fact.
        name: FactName,
    },
    /// Facts were taken back.
    Forgotten {
        /// Their names.
        names: Vec<FactName>,
    },
}

/// What happens to a task from its first word to a plan that waits for a decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum PlanningEvent {
    /// A task began; it is being planned.
    TaskStarted {
        /// The drafting request.
        request: RequestId,
        /// The task in the person's words.
        problem: String,
        /// How the plan should be shaped.
        kind: PlanKind,
        /// The message that asked for it; older logs do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<MessageId>,
    },
    /// The task is to be planned again, with a change, a failure or an answer as context.
    DraftRequested {
        /// The drafting request; any earlier one is superseded.
        request: RequestId,
        /// What moved the conversation back to planning.
        trigger: Trigger,
        /// The change asked for, if there was one.
        change: Option<String>,
        /// The answer to a clarification, if there was one.
        answer: Option<ClarifiedAnswer>,
        /// The message that asked for it; older logs do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<MessageId>,
    },
    /// A change of a run that is paused or has failed is to be planned; the run stays as it is until there is a plan.
    ChangeTried {
        /// The drafting request; any earlier one is superseded.
        request: RequestId,
        /// The change asked for; absent with the answer to a clarification.
        change: Option<String>,
        /// The answer to a clarification, if there was one.
        answer: Option<ClarifiedAnswer>,
        /// The message that asked for it.
        message: Option<MessageId>,
        /// Whether it is to be planned only when what must not run twice, and runs, is over.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        held: bool,
    },
    /// A change that was tried is not made: it could not be planned, or the run went on without it.
    ChangeDropped,
    /// The plan was given up for now: the person is asked what should be different.
    PlanningPaused {
        /// What moved the conversation back to planning.
        trigger: Trigger,
    },
    /// There was nothing to plan: the request was answered, and the task is over.
    TaskAnswered {
        /// The drafting request, which ends with this.
        request: RequestId,
    },
    /// The task is several requests: the first is the task from here on, the others wait behind it in this order.
    TaskSplit {
        /// The drafting request, which ends with this.
        request: RequestId,
        /// The drafting request of the first.
        next: RequestId,
        /// All of them, in order.
        requests: Vec<PartRequest>,
    },
    /// The draft needs an answer first.
    DraftUnclear {
        /// The drafting request, which ends with this.
        request: RequestId,
    },
    /// A plan is ready to be decided on.
    PlanDrafted {
        /// The drafting request, which ends with this.
        request: RequestId,
        /// The plan.
        plan: Arc<Plan>,
    },
    /// The task could not be planned, and the failed run it was to take the place of is at hand again.
    FailureKept {
        /// The drafting request, which ends with this.
        request: RequestId,
    },
    /// The task could not be planned.
    PlanningFailed {
        /// The drafting request, which ends with this.
        request: RequestId,
        /// Why.
        explanation: String,
    },
    /// The plan, a failed run or the drafting was dropped.
    TaskDropped {
        /// What dropped it: `cancel`, `abandon` or `expire`.
        trigger: Trigger,
    },
}

/// One request of a message that asks for several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRequest {
    /// The request in the person's words.
    pub problem: String,
    /// How its plan should be shaped.
    pub kind: PlanKind,
}

/// What happens beside the task at hand (CF-26).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum AsideEvent {
    /// A question of a person is being answered in parallel.
    QuestionAsked {
        /// The request.
        request: RequestId,
        /// The message it came in; older logs do not say.
        #[serde(default)]
        message: Option<MessageId>,
        /// The question.
        text: String,
        /// How it wants to be answered.
        kind: QueryKind,
        /// What it is about.
        target: Option<String>,
    },
    /// A model is asked which reading is meant, beside the person.
    HearingBegun {
        /// The question to the person.
        pending: PendingId,
        /// The message that is heard.
        message: Option<MessageId>,
    },
    /// A model was asked which reading is meant, whatever came of it.
    HearingOver {
        /// The question to the person.
        pending: PendingId,
    },
    /// A drawing of a fact is to be kept by the surface the person sits at.
    KeepingAsked {
        /// The fact that is drawn.
        fact: FactName,
        /// How it is drawn.
        presentation: Presentation,
        /// Where it is kept.
        keeping: Keeping,
    },
    /// A question of a person was answered, or given up.
    QuestionClosed {
        /// The request.
        request: RequestId,
    },
    /// A new task waits until the run is over; there is at most one (CF-26).
    TaskQueued {
        /// The message it came in.
        message: MessageId,
        /// The task.
        problem: String,
        /// How the plan should be shaped.
        kind: PlanKind,
    },
    /// A command waits until the run is over.
    ControlQueued {
        /// The message it came in.
        message: MessageId,
        /// The command.
        control: crate::Control,
    },
    /// What was queued was dropped: the task, or the command of this message.
    QueueDropped {
        /// The message it came in.
        message: MessageId,
    },
    /// The queued commands and then the queued task were taken up; a task behind requests that wait waits on.
    QueueTaken,
    /// The first of the requests that wait was taken up.
    RequestTaken {
        /// The message it came in.
        message: MessageId,
        /// Which of the message it is.
        number: u32,
    },
    /// A request that waits was dropped.
    RequestDropped {
        /// The message it came in.
        message: MessageId,
        /// Which of the message it is.
        number: u32,
    },
    /// A request that waits has other words now.
    RequestEdited {
        /// The message it came in.
        message: MessageId,
        /// Which of the message it is.
        number: u32,
        /// The new words.
        problem: String,
        /// How the plan should be shaped.
        kind: PlanKind,
    },
}
