//! The observer: knows the log as the store holds it and what really happened in the world outside, and checks after
//! every turn and at every effect that both agree. It stands outside of what is tested: it reads the bare store
//! beneath all faults, and the ledger is written by the tools themselves. Next: `violation` for the rules, `ledger`
//! for what was done.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;
use turnwise::store::{MemoryStore, Recorded, Store, TurnResult};
use turnwise_core::{
    AsideEvent, AssistantName, Control, Conversation, ConversationId, EffectClass, Event, InputKey, MessageId, Plan,
    Policy, Receipt, RunEvent, RunId, Sequence, Step, StepId, Trigger,
};

use crate::{Violation, describe, legal};

/// Milliseconds in which a stop given in one process must have reached the others: the process that works renews its
/// claims, hears that it holds none any more, and gives up; when it cannot reach the store at all, its claims run out.
pub const STOP_ELSEWHERE_MS: u64 = 6_000;

/// The observer of one history.
pub struct Watch {
    store: Arc<MemoryStore>,
    id: ConversationId,
    policy: Policy,
    begun: Instant,
    seen: Mutex<Seen>,
}

pub(crate) struct Seen {
    pub(crate) state: Conversation,
    pub(crate) log: Vec<Recorded>,
    /// The message whose turn is being read, with its words.
    speaking: Option<(MessageId, String)>,
    /// Whether a queue with the command to run again in it was just taken up.
    redo_taken: bool,
    messages: usize,
    pub(crate) runs: BTreeMap<RunId, SeenRun>,
    pub(crate) started: BTreeSet<(RunId, StepId, u32)>,
    /// How often a person said of a once-only step that it did not happen.
    pub(crate) denials: BTreeMap<(RunId, StepId), usize>,
    pub(crate) ledger: Vec<crate::ledger::Deed>,
    pub(crate) stops: Vec<Acknowledged>,
    results: BTreeMap<InputKey, TurnResult>,
    violation: Option<Violation>,
    transcript: Option<Vec<String>>,
    pub(crate) faults: usize,
}

pub(crate) struct SeenRun {
    /// The run this one tries again, or itself: finished steps of a run count for those that try it again.
    pub(crate) root: RunId,
    pub(crate) plan: Arc<Plan>,
    pub(crate) approved: Sequence,
    stopped: bool,
}

/// A stop that a process acknowledged.
pub(crate) struct Acknowledged {
    pub(crate) process: usize,
    pub(crate) run: RunId,
    pub(crate) at_ms: u64,
}

/// What a history came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Messages and decisions of people.
    pub messages: usize,
    /// Events in the log.
    pub events: usize,
    /// Steps that began and effects that happened, in the world.
    pub deeds: usize,
    /// Faults that were injected.
    pub faults: usize,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.messages += other.messages;
        self.events += other.events;
        self.deeds += other.deeds;
        self.faults += other.faults;
    }
}

impl Watch {
    pub(crate) fn new(store: Arc<MemoryStore>, id: ConversationId, name: AssistantName, policy: Policy) -> Self {
        let seen = Seen {
            state: Conversation::new(name),
            log: Vec::new(),
            speaking: None,
            redo_taken: false,
            messages: 0,
            runs: BTreeMap::new(),
            started: BTreeSet::new(),
            denials: BTreeMap::new(),
            ledger: Vec::new(),
            stops: Vec::new(),
            results: BTreeMap::new(),
            violation: None,
            transcript: None,
            faults: 0,
        };
        Self { store, id, policy, begun: Instant::now(), seen: Mutex::new(seen) }
    }

    /// From now on everything is written down.
    pub(crate) fn record(&self) {
        self.seen().transcript = Some(Vec::new());
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Milliseconds of virtual time since the history began.
    pub(crate) fn now_ms(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Writes a line of the transcript.
    pub(crate) fn note(&self, line: impl FnOnce() -> String) {
        let now = self.now_ms();
        if let Some(transcript) = &mut self.seen().transcript {
            transcript.push(format!("{:>4}.{:03}  {}", now / 1_000, now % 1_000, line()));
        }
    }

    /// Notes a fault.
    pub(crate) fn fault(&self, line: impl FnOnce() -> String) {
        self.seen().faults += 1;
        self.note(|| format!("      ~ {}", line()));
    }

    /// An invariant does not hold; the first one counts.
    pub(crate) fn broken(&self, violation: Violation) {
        self.note(|| format!("!!! {violation}"));
        self.seen().violation.get_or_insert(violation);
    }

    pub(crate) fn violation(&self) -> Option<Violation> {
        self.seen().violation.clone()
    }

    pub(crate) fn take_transcript(&self) -> Vec<String> {
        self.seen().transcript.take().unwrap_or_default()
    }

    pub(crate) fn state(&self) -> Conversation {
        self.seen().state.clone()
    }

    pub(crate) fn tally(&self) -> Tally {
        let seen = self.seen();
        Tally { messages: seen.messages, events: seen.log.len(), deeds: seen.ledger.len(), faults: seen.faults }
    }

    /// Reads what is new in the log and checks it, turn by turn. Never waits: the bare store answers at once.
    pub(crate) async fn look(&self) {
        loop {
            let after = self.seen().state.sequence();
            let Ok(news) = self.store.events_after(&self.id, after).await else { return };
            if news.is_empty() {
                return;
            }
            for recorded in news {
                let violation = self.seen().take_in(&recorded, &self.policy);
                self.note(|| {
                    format!("      {:<5} {}", recorded.sequence.to_string(), describe::event(&recorded.event))
                });
                if let Some(violation) = violation {
                    self.broken(violation);
                }
            }
            let after = self.seen().after_turns();
            if let Some(violation) = after {
                self.broken(violation);
            }
        }
    }

    /// A process acknowledged an input, the first time or again; `shown` is the plan whose approval was clicked.
    pub(crate) async fn acknowledged(
        &self,
        process: usize,
        said: &crate::people::Said,
        result: TurnResult,
        known: Sequence,
    ) {
        self.look().await;
        self.note(|| format!("    ✓ “{}” acknowledged by {process} as {}–{}", said.words, result.first, result.last));
        let at_ms = self.now_ms();
        let violations = self.seen().acknowledge(process, said, result, known, at_ms);
        for violation in violations {
            self.broken(violation);
        }
    }

    /// At the end there are as many messages as different inputs, and the log read anew is the state.
    pub(crate) fn close(&self, said: usize) {
        let violations = self.seen().at_the_end(said);
        for violation in violations {
            self.broken(violation);
        }
    }
}

impl Seen {
    fn take_in(&mut self, recorded: &Recorded, policy: &Policy) -> Option<Violation> {
        let at = recorded.sequence;
        let violation = match &recorded.event {
            Event::MessageReceived { message, text, .. } => self.message_received(*message, text, at),
            Event::ReceiptGiven { receipt } => self.receipt_given(receipt, at),
            Event::Run(event) => self.run_event(event, at, policy),
            Event::Aside(AsideEvent::QueueTaken) => {
                let queued = &self.state.queue().controls;
                self.redo_taken = queued.iter().any(|(_, control)| *control == Control::Redo);
                None
            }
            _ => None,
        };
        self.log.push(recorded.clone());
        let unreplayable = self.state.apply(&recorded.event).err();
        let unreplayable = unreplayable.map(|error| Violation::Unreplayable { at, reason: error.to_string() });
        violation.or(unreplayable)
    }

    /// One receipt for what was said; and a further one, in its place, for what became of what waited.
    fn receipt_given(&mut self, receipt: &Receipt, at: Sequence) -> Option<Violation> {
        let spoken = self.speaking.as_ref().map(|(message, _)| *message);
        if spoken != Some(receipt.message) {
            let is_first = |event: &Event| match event {
                Event::ReceiptGiven { receipt: first } => first.message == receipt.message,
                _ => false,
            };
            let is_further = self.log.iter().any(|recorded| is_first(&recorded.event));
            return (!is_further).then_some(Violation::Receipt { message: receipt.message, at });
        }
        match self.speaking.take() {
            Some((message, _)) if message == receipt.message => None,
            Some(_) | None => Some(Violation::Receipt { message: receipt.message, at }),
        }
    }

    fn message_received(&mut self, message: MessageId, text: &str, at: Sequence) -> Option<Violation> {
        self.messages += 1;
        let without_receipt = self.speaking.replace((message, text.to_owned()));
        // Messages are counted up; one that came twice would have the number of another.
        let is_next = message.number() == self.messages as u64;
        match without_receipt {
            Some((message, _)) => Some(Violation::Receipt { message, at }),
            None => (!is_next).then_some(Violation::Receipt { message, at }),
        }
    }

    fn run_event(&mut self, event: &RunEvent, at: Sequence, policy: &Policy) -> Option<Violation> {
        match event {
            RunEvent::Approved { run, plan, trigger, .. } => {
                let retried = self.state.run().map(|run| self.runs.get(&run.id()).map_or(run.id(), |seen| seen.root));
                let root = retried.filter(|_| *trigger == Trigger::Retry).unwrap_or(*run);
                self.runs.insert(*run, SeenRun { root, plan: Arc::clone(plan), approved: at, stopped: false });
                self.is_no_yes(plan, *trigger, policy).then(|| {
                    let by = self.speaking.as_ref().map_or("nobody", |(_, words)| words).to_owned();
                    Violation::NotAYes { run: *run, at, by }
                })
            }
            RunEvent::StepStarted { run, step, attempt } => {
                self.started.insert((*run, *step, *attempt));
                let seen = self.runs.get(run);
                if let Some((root, true)) = seen.map(|seen| (seen.root, is_told(self, seen, *run, *step))) {
                    *self.denials.entry((root, *step)).or_default() += 1;
                }
                let is_running = self.runs.get(run).is_some_and(|seen| !seen.stopped);
                (!is_running).then_some(Violation::StartWithoutRun { run: *run, step: *step, at })
            }
            RunEvent::Stopped { run, .. } => {
                if let Some(seen) = self.runs.get_mut(run) {
                    seen.stopped = true;
                }
                None
            }
            RunEvent::Paced { .. }
            | RunEvent::StepCompleted { .. }
            | RunEvent::StepPostponed { .. }
            | RunEvent::StepLost { .. }
            | RunEvent::StepFailed { .. }
            | RunEvent::Completed { .. }
            | RunEvent::Failed { .. } => None,
        }
    }

    /// Whether an approval rests on something else than a yes, a configuration for small plans without effects, or the
    /// command to run again.
    fn is_no_yes(&self, plan: &Plan, trigger: Trigger, policy: &Policy) -> bool {
        let is_pure = plan.steps().iter().all(|step| step.effect == EffectClass::Pure);
        let can_be_undone = |step: &Step| matches!(step.effect, EffectClass::Pure | EffectClass::Reversible);
        let at_once = policy.flow.does_at_once() && plan.steps().len() <= 2 && plan.steps().iter().all(can_be_undone);
        let by_configuration = if is_pure { plan.steps().len() <= policy.flow.unasked_steps_max() } else { at_once };
        let said = |list: &[&str]| self.speaking.as_ref().is_some_and(|(_, words)| list.contains(&words.as_str()));
        let is_yes = match trigger {
            Trigger::Approve => by_configuration || said(&crate::people::YES),
            Trigger::Retry => said(&crate::people::RETRY),
            // Queued behind a run it is taken up by the turn that ends the run.
            Trigger::Redo => is_pure && (said(&["/redo", "again"]) || self.redo_taken),
            _ => false,
        };
        !is_yes
    }

    fn after_turns(&mut self) -> Option<Violation> {
        self.redo_taken = false;
        let at = self.state.sequence();
        if let Some((message, _)) = &self.speaking {
            return Some(Violation::Receipt { message: *message, at });
        }
        legal::check(&self.state).err().map(|reason| Violation::IllegalState { at, reason })
    }

    fn acknowledge(
        &mut self,
        process: usize,
        said: &crate::people::Said,
        mut result: TurnResult,
        known: Sequence,
        at_ms: u64,
    ) -> Vec<Violation> {
        let mut found = Vec::new();
        result.duplicate = false;
        let (first, last) = (result.first, result.last);
        if known < last {
            found.push(Violation::Unseen { last, known });
        }
        let turn = self.turn(first, last).map(<[Recorded]>::to_vec).unwrap_or_default();
        if !holds(&turn, &said.words) {
            found.push(Violation::Lost { words: said.words.clone(), first, last });
        }
        for recorded in &turn {
            match &recorded.event {
                Event::Run(RunEvent::Stopped { run, .. }) => {
                    self.stops.push(Acknowledged { process, run: *run, at_ms });
                }
                Event::Run(RunEvent::Approved { run, plan, .. })
                    if said.shown.as_ref().is_some_and(|it| it != plan) =>
                {
                    found.push(Violation::OtherPlanThanShown { run: *run });
                }
                _ => {}
            }
        }
        let before = self.results.entry(said.key.clone()).or_insert_with(|| result.clone());
        if *before != result {
            let (words, second) = (said.words.clone(), result.first);
            found.push(Violation::OtherResult { words, first: before.first, second });
        }
        found
    }

    fn turn(&self, first: Sequence, last: Sequence) -> Option<&[Recorded]> {
        let from = usize::try_from(first.number().checked_sub(1)?).ok()?;
        self.log.get(from..usize::try_from(last.number()).ok()?)
    }

    fn at_the_end(&self, said: usize) -> Vec<Violation> {
        let mut found = Vec::new();
        if self.messages != said || self.results.len() != said {
            found.push(Violation::Count { said, logged: self.messages });
        }
        let mut replayed = Conversation::new(self.state.assistant().clone());
        for recorded in &self.log {
            let at = recorded.sequence;
            let error = match reread(&recorded.event) {
                Ok(event) => replayed.apply(&event).err().map(|error| error.to_string()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(reason) = error {
                found.push(Violation::Unreplayable { at, reason });
                return found;
            }
        }
        if replayed != self.state {
            let reason = "the log read anew comes to another state".to_owned();
            found.push(Violation::Unreplayable { at: self.state.sequence(), reason });
        }
        found
    }
}

/// An event as it comes back from a store that keeps text.
fn reread(event: &Event) -> Result<Event, serde_json::Error> {
    serde_json::from_str(&serde_json::to_string(event)?)
}

/// Whether a turn is the one of these words.
fn holds(turn: &[Recorded], words: &str) -> bool {
    turn.iter().any(|it| matches!(&it.event, Event::MessageReceived { text, .. } if text == words))
}

/// Whether a step starts again because a person said that it did not happen.
fn is_told(seen: &Seen, run: &SeenRun, id: RunId, step: StepId) -> bool {
    let is_once_only = run.plan.step(step).is_some_and(|step| step.effect == EffectClass::OnceOnly);
    let state = seen.state.run().filter(|run| run.id() == id).and_then(|run| run.state(step));
    let is_unknown = matches!(state, Some(turnwise_core::StepState::Unknown { .. }));
    is_once_only && is_unknown && seen.speaking.is_some()
}
