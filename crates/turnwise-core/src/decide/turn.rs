//! A turn in the making: the events and effects so far, and the conversation as it will be after them. Looking ahead on
//! a copy is what lets a message with several requests be decided in order. Next: `message`.

use crate::selected::Behaviour;
use crate::{
    Asked, Card, Conversation, Decider, Decision, Effect, EffectClass, Event, Flow, MessageId, Origin, Outcome,
    Pending, PendingId, PendingKind, PersonId, Policy, ReadContext, Reader, Receipt, RequestId, Resolution, Seen,
    Stakes, Timestamp,
};

pub(super) struct Turn<'a> {
    pub(super) policy: &'a Policy,
    pub(super) reader: &'a dyn Reader,
    pub(super) now: Timestamp,
    ahead: Conversation,
    events: Vec<Event>,
    effects: Vec<Effect>,
    person: Option<PersonId>,
    origin: &'a Origin,
    message: Option<MessageId>,
    receipt: Option<(Outcome, String)>,
    /// Whether a control gave the input, and not plain words.
    is_by_control: bool,
}

impl<'a> Turn<'a> {
    pub(super) fn new(
        conversation: &Conversation,
        origin: &'a Origin,
        policy: &'a Policy,
        reader: &'a dyn Reader,
        now: Timestamp,
    ) -> Self {
        Self {
            origin,
            policy,
            reader,
            now,
            ahead: conversation.clone(),
            events: Vec::new(),
            effects: Vec::new(),
            person: None,
            message: None,
            receipt: None,
            is_by_control: false,
        }
    }

    /// The conversation as it will be after what was decided so far.
    pub(super) fn state(&self) -> &Conversation {
        &self.ahead
    }

    #[expect(clippy::expect_used, reason = "decide checks before it emits; a property test throws random inputs at it")]
    pub(super) fn emit(&mut self, event: Event) {
        self.ahead.apply(&event).expect("BUG: decide emitted an event that does not fit the state");
        self.events.push(event);
    }

    /// Whether something was selected for the message in this turn.
    pub(super) fn has_selected(&self) -> bool {
        self.events.iter().any(|event| matches!(event, Event::IntentReceived { .. }))
    }

    /// Whether the assistant has a command of this name.
    pub(super) fn has_command(&self, name: &str) -> bool {
        self.policy.commands.iter().any(|command| command.name == name)
    }

    /// Whether the message is a command.
    pub(super) fn is_command(&self) -> bool {
        self.events
            .iter()
            .any(|event| matches!(event, Event::MessageReceived { text, .. } if text.trim_start().starts_with('/')))
    }

    /// Whether it was selected to go on with a run (BH-10).
    pub(super) fn goes_on_with_run(&self) -> bool {
        self.events.iter().any(|event| {
            matches!(event, Event::IntentReceived { selected, .. } if selected.behaviour == Behaviour::ContinueRun)
        })
    }

    pub(super) fn perform(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// A person takes part; who does already, or one too many, changes nothing.
    pub(super) fn join(&mut self, person: &PersonId) {
        self.open();
        if !self.ahead.members().contains(person) && self.ahead.members().len() < crate::limits::MEMBERS_MAX {
            self.emit(Event::MemberJoined { person: person.clone() });
        }
    }

    /// A person takes part no longer; who does not, changes nothing.
    pub(super) fn leave(&mut self, person: &PersonId) {
        if self.ahead.members().contains(person) {
            self.emit(Event::MemberLeft { person: person.clone() });
        }
    }

    /// A person calls the conversation otherwise; the same again changes nothing.
    pub(super) fn rename(&mut self, person: &PersonId, title: &str) {
        self.join(person);
        let title =
            crate::text::clip(&title.split_whitespace().collect::<Vec<_>>().join(" "), crate::limits::TITLE_GIVEN);
        if !title.is_empty() && self.ahead.title() != Some(title.as_str()) {
            self.emit(Event::Titled { person: person.clone(), title });
        }
    }

    /// The first input opens the conversation.
    fn open(&mut self) {
        if self.ahead.sequence().number() == 0 {
            let assistant = self.ahead.assistant().clone();
            self.emit(Event::ConversationOpened { assistant, sources: self.origin.sources.clone(), at: self.now });
        }
    }

    /// A person's input begins the turn.
    pub(super) fn receive(&mut self, person: &PersonId, text: &str) {
        self.open();
        let message = MessageId::new(self.ahead.counters.message);
        let text = crate::text::within(text, crate::limits::MESSAGE_BYTES_MAX).to_owned();
        let surface = self.origin.surface.clone();
        let around = self.origin.around.within_limits();
        self.emit(Event::MessageReceived { message, person: person.clone(), text, surface, around, at: self.now });
        self.message = Some(message);
        self.person = Some(person.clone());
    }

    /// How work is gone about here: as configured, with what this conversation settled for itself.
    pub(super) fn flow(&self) -> Flow {
        self.state().flow_over(self.policy.flow)
    }

    /// The most steps a plan without effects may have to run without being asked about. None where only some may
    /// approve.
    pub(super) fn unasked_steps_max(&self) -> usize {
        if self.policy.approvers.is_empty() { self.flow().unasked_steps_max() } else { 0 }
    }

    /// Whether a program speaks that may not decide.
    pub(super) fn is_by_program(&self) -> bool {
        self.origin.surface.as_ref().is_some_and(|surface| surface.is_program)
    }

    /// The input this turn answers; absent for reports.
    pub(super) fn message(&self) -> Option<MessageId> {
        self.message
    }

    /// The input was given through a control of a question.
    pub(super) fn by_control(&mut self) {
        self.is_by_control = true;
    }

    /// Whether a control gave the input, and not plain words.
    pub(super) fn is_by_control(&self) -> bool {
        self.is_by_control
    }

    /// The turn goes on with an earlier input: what comes of it now is that input's.
    pub(super) fn answers(&mut self, message: MessageId) {
        self.message = Some(message);
    }

    /// Who speaks; the conversation's own work speaks as the assistant.
    pub(super) fn person(&self) -> PersonId {
        self.person.clone().unwrap_or_else(|| PersonId::new(self.ahead.assistant().as_str()))
    }

    /// What stood before the person when they sent their words; absent where their surface cannot know.
    pub(super) fn seen(&self) -> Option<Seen> {
        self.origin.seen
    }

    /// Through whom questions end in this turn; absent when it is our own work that reports.
    fn decider(&self) -> Option<Decider> {
        let person = self.person.clone()?;
        Some(Decider { person, surface: self.origin.surface.clone(), at: self.now })
    }

    /// Notes what became of the input. Of several requests in one message the most consequential counts.
    pub(super) fn note(&mut self, outcome: Outcome, detail: impl Into<String>) {
        let is_greater = self.receipt.as_ref().is_none_or(|(noted, _)| outcome > *noted);
        if is_greater {
            self.receipt = Some((outcome, detail.into()));
        }
    }

    /// The same where nothing was noted yet.
    pub(super) fn note_unless_noted(&mut self, outcome: Outcome, detail: String) {
        if self.receipt.is_none() {
            self.receipt = Some((outcome, detail));
        }
    }

    /// Notes what became of the input, in place of what was noted before.
    pub(super) fn note_instead(&mut self, outcome: Outcome, detail: String) {
        self.receipt = Some((outcome, detail));
    }

    /// What came of `part`, apart from what came of the input this turn answers: it belongs to another one.
    pub(super) fn apart(&mut self, part: impl FnOnce(&mut Self)) -> (Outcome, String) {
        let own = self.receipt.take();
        part(self);
        let of_part = self.receipt.take();
        self.receipt = own;
        of_part.unwrap_or((Outcome::Applied, "Done after the run.".to_owned()))
    }

    /// A further receipt for an earlier input: what became of it after all.
    pub(super) fn receipt_for(&mut self, message: MessageId, outcome: Outcome, detail: String) {
        // Whoever replaced it is named in the detail; whose input it was stands on its first receipt.
        self.emit(Event::ReceiptGiven { receipt: Receipt { message, outcome, detail, by: None } });
    }

    /// Refuses the input, saying why.
    pub(super) fn refuse(&mut self, why: impl Into<String>) {
        let why = why.into();
        self.say(why.clone(), None);
        self.note(Outcome::Refused, why);
    }

    pub(super) fn say(&mut self, text: impl Into<String>, card: Option<Card>) {
        self.emit(Event::Said { text: text.into(), card });
    }

    pub(super) fn next_request(&self) -> RequestId {
        RequestId::new(self.ahead.counters.request)
    }

    pub(super) fn ask(&mut self, kind: PendingKind) -> Pending {
        let is_approval = matches!(kind, PendingKind::Approval { .. });
        let seconds = self.policy.approval_seconds_max.filter(|_| is_approval);
        let pending = Pending {
            since: Some(self.now),
            approvers: if is_approval { self.policy.approvers.clone() } else { Vec::new() },
            expires: seconds.map(|seconds| Timestamp::from_millis(self.now.as_millis() + i64::from(seconds) * 1_000)),
            id: PendingId::new(self.ahead.counters.pending),
            ui_version: self.ahead.counters.ui_version,
            opened: crate::Sequence::new(self.ahead.sequence().number() + 1),
            quiet: false,
            digressed: false,
            checkpoints: is_approval.then_some(self.flow().approval_mode),
            is_fixable: self.policy.proposes_fixes && matches!(kind, PendingKind::Failure { .. }),
            kind,
        };
        self.emit(Event::PendingOpened { pending: pending.clone() });
        self.effects.extend(pending.expiry());
        pending
    }

    pub(super) fn close(&mut self, pending: PendingId, resolution: Resolution) {
        let by = self.decider();
        self.emit(Event::PendingClosed { pending, resolution, by });
    }

    /// Closes every open question, because what they were about is gone.
    pub(super) fn close_all(&mut self, resolution: Resolution) {
        let open: Vec<PendingId> = self.ahead.pending().iter().map(|pending| pending.id).collect();
        for pending in open {
            self.close(pending, resolution);
        }
    }

    pub(super) fn read_context(&self, grounding: &[String]) -> ReadContext {
        ReadContext {
            phase: self.ahead.phase(),
            mode: self.ahead.mode(),
            has_plan: self.ahead.plan().is_some(),
            has_result: self.ahead.result().is_some(),
            grounding: grounding.to_vec(),
            asked: self.asked(),
            around: self.ahead.around().clone(),
            routing: self.ahead.own_routing(),
        }
    }

    /// What a yes would set going: of the waiting plan what it may do to the world and, where it is one step, its
    /// words.
    fn asked(&self) -> Asked {
        let is_approval =
            self.ahead.question().is_some_and(|question| matches!(question.kind, PendingKind::Approval { .. }));
        let Some(plan) = self.ahead.plan().filter(|_| is_approval) else { return Asked::default() };
        let only_looks = plan.steps().iter().all(|step| step.effect == EffectClass::Pure);
        let words = if let [only] = plan.steps() { only.description.clone() } else { String::new() };
        Asked { stakes: if only_looks { Stakes::Looks } else { Stakes::Acts }, words }
    }

    pub(super) fn finish(mut self) -> Decision {
        if let Some(message) = self.message {
            let (outcome, detail) = self.receipt.take().unwrap_or((Outcome::Answered, "Answered.".to_owned()));
            let by = self.decider();
            self.emit(Event::ReceiptGiven { receipt: Receipt { message, outcome, detail, by } });
        }
        Decision { events: self.events, effects: self.effects, state: self.ahead }
    }
}
