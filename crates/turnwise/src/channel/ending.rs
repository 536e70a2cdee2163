//! How a command without a person in front of it ends: the exit codes of `ask` and of a chat in a pipe, read from the
//! events and the open question alone. Next: `line`, and `cli::ask`.

use turnwise_core::{
    AsideEvent, Card, Conversation, Event, MessageId, Outcome, PendingKind, PlanningEvent, RunEvent, Trigger,
};

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// What was asked is done or answered.
    Done,
    /// It failed, was refused, or cannot be answered; why was said.
    Failed,
    /// A plan waits for approval, and nothing was executed.
    NeedsApproval,
    /// Something has to be answered first.
    NeedsClarification,
    /// A person stopped it.
    Cancelled,
}

impl Ending {
    /// The exit code; 2 is left to usage errors.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::NeedsApproval => 3,
            Self::NeedsClarification => 4,
            Self::Cancelled => 5,
        }
    }
}

/// Follows the events of a conversation to know how what was asked last ended.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    so_far: Ending,
    /// A question was just closed; an answer has a card, words alone say that there is none.
    awaits_answer: bool,
    /// What was asked last; a receipt for anything earlier says nothing about it.
    message: Option<MessageId>,
    /// Whether an earlier request of the same message failed: the next one does not make that good.
    failed_before: bool,
    /// A further request of the same message was just taken up.
    goes_on: bool,
}

impl Default for Standing {
    fn default() -> Self {
        Self { so_far: Ending::Done, awaits_answer: false, message: None, failed_before: false, goes_on: false }
    }
}

impl Standing {
    /// Takes an event in.
    pub fn note(&mut self, event: &Event) {
        let awaited = std::mem::take(&mut self.awaits_answer);
        match event {
            Event::MessageReceived { message, .. } => {
                self.message = Some(*message);
                self.so_far = Ending::Done;
            }
            Event::ReceiptGiven { receipt }
                if receipt.outcome == Outcome::Refused && self.message.is_none_or(|asked| asked == receipt.message) =>
            {
                self.so_far = Ending::Failed;
            }
            Event::Said { card, .. } if awaited && !matches!(card, Some(Card::Result { .. })) => {
                self.so_far = Ending::Failed;
            }
            Event::Aside(AsideEvent::QuestionClosed { .. }) => self.awaits_answer = true,
            Event::Aside(AsideEvent::RequestTaken { .. }) => {
                self.failed_before |= self.so_far == Ending::Failed;
                self.goes_on = true;
            }
            Event::Planning(PlanningEvent::TaskStarted { .. }) => {
                self.failed_before &= std::mem::take(&mut self.goes_on);
                self.so_far = Ending::Done;
            }
            Event::Planning(PlanningEvent::DraftRequested { .. } | PlanningEvent::ChangeTried { .. })
            | Event::Run(RunEvent::Completed { .. }) => self.so_far = Ending::Done,
            Event::Planning(PlanningEvent::PlanningFailed { .. } | PlanningEvent::FailureKept { .. })
            | Event::Run(RunEvent::Failed { .. }) => {
                self.so_far = Ending::Failed;
            }
            Event::Planning(PlanningEvent::TaskDropped { .. })
            | Event::Run(RunEvent::Stopped { trigger: Trigger::Cancel, .. }) => self.so_far = Ending::Cancelled,
            Event::ConversationOpened { .. }
            | Event::MemberJoined { .. }
            | Event::MemberLeft { .. }
            | Event::Titled { .. }
            | Event::PlanApprovalSet { .. }
            | Event::FlowSettled { .. }
            | Event::MessageRead { .. }
            | Event::IntentReceived { .. }
            | Event::ModeSet { .. }
            | Event::ReplyRead { .. }
            | Event::ModeSwitched { .. }
            | Event::FactsEvicted { .. }
            | Event::PendingOpened { .. }
            | Event::PendingClosed { .. }
            | Event::PendingQuieted { .. }
            | Event::PendingShown { .. }
            | Event::ReportDropped { .. }
            | Event::ModelAsked { .. }
            | Event::ConversationReset
            | Event::Said { .. }
            | Event::ReceiptGiven { .. }
            | Event::PersonLeft
            | Event::Planning(_)
            | Event::Run(_)
            | Event::Aside(_)
            | Event::Knowledge(_) => {}
        }
    }

    /// Something the surface was to do failed.
    pub fn fail(&mut self) {
        self.so_far = Ending::Failed;
    }

    /// How it ended, now that nothing runs: an open question says more than what happened before it.
    #[must_use]
    pub fn ending(self, state: &Conversation) -> Ending {
        match state.question().map(|question| &question.kind) {
            Some(PendingKind::Approval { .. }) => Ending::NeedsApproval,
            Some(
                PendingKind::Clarification { .. }
                | PendingKind::WhichReading { .. }
                | PendingKind::Redirection
                | PendingKind::Paused { .. }
                | PendingKind::ConfirmForget { .. }
                | PendingKind::TalkedOver { .. }
                | PendingKind::ConfirmExit
                | PendingKind::UnknownOutcome { .. },
            ) => Ending::NeedsClarification,
            Some(PendingKind::Failure { .. }) => Ending::Failed,
            // What was asked for is done; whether it pleases can be said or not.
            Some(PendingKind::Satisfaction { .. }) => self.so_far,
            None if self.so_far == Ending::Done && self.failed_before => Ending::Failed,
            None => self.so_far,
        }
    }
}
