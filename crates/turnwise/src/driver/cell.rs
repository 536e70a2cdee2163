//! One conversation in this process: its state in memory behind one lock, and what a turn is.
//!
//! The lock makes the turns of a conversation follow each other within the process; between processes the version
//! check of the store does. It is held while a turn is decided and stored and for the first poll of a step, never
//! while an assistant works.
//!
//! The barrier of "stop": the turn that stops a run is stored, and the run's work cancelled, under this lock; a step
//! gets its permit and its first poll under the same lock, from the state as it is then. So each step either began
//! before the stop was stored, and is cancelled before the stop is acknowledged, or never begins. Next: `perform`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tokio::sync::{Mutex, OwnedMutexGuard, watch};
use tokio_util::sync::CancellationToken;
use turnwise_core::limits as core_limits;
use turnwise_core::{
    AssistantName, Conversation, ConversationId, Decision, Effect, Event, Input, InputBody, InputKey, Origin,
    ReadContext, Receipt, Report, Sequence, Timestamp, decide,
};

use super::asked::Board;
use super::lease::Lease;
use super::tail::{self, Tail};
use super::traced::{self, Trace, Watched};
use super::{DriverError, Shared, limits, perform};
use crate::store::{Claim, Claimed, Committed, Fence, Recorded, Reported, Turn, TurnResult, limits as store_limits};
use crate::telemetry::SpanContext;
use turnwise_assistant::Assistant;

pub(super) struct Cell {
    id: ConversationId,
    pub(super) assistant: Arc<dyn Assistant>,
    pub(super) shared: Arc<Shared>,
    inside: Arc<Mutex<Inside>>,
    latest: watch::Sender<Arc<Conversation>>,
    /// What those who follow hear next.
    tail: Tail,
    /// What models are writing.
    pub(super) board: Arc<Board>,
    /// The conversation was deleted through this process.
    gone: CancellationToken,
}

/// What the lock protects.
pub(super) struct Inside {
    pub(super) conversation: Arc<Conversation>,
    /// What the conversation waits for, by its state.
    outstanding: BTreeSet<Effect>,
    /// What this process is performing.
    in_flight: BTreeMap<Effect, Work>,
    /// The last event covered by a stored snapshot.
    snapshot_at: Sequence,
}

struct Work {
    fence: Fence,
    cancel: CancellationToken,
    lease: Arc<Lease>,
}

impl Cell {
    /// The conversation `id` from the store, or a new one. One that is with another assistant is not taken in at all:
    /// somebody who opens it rightly at the same time would get it with the wrong one.
    pub(super) async fn load(
        shared: Arc<Shared>,
        id: ConversationId,
        assistant: Arc<dyn Assistant>,
    ) -> Result<Arc<Self>, DriverError> {
        let assistant = assistant.of_conversation(&id).unwrap_or(assistant);
        let loaded = shared.store.load(&id).await?;
        let snapshot_at = loaded.as_ref().and_then(|loaded| Some(loaded.snapshot.as_ref()?.sequence()));
        let conversation = match loaded {
            Some(loaded) => loaded.fold(&id, assistant.name())?,
            None => Conversation::new(assistant.name().clone()),
        };
        require(&id, &conversation, assistant.name())?;
        let conversation = Arc::new(conversation);
        let inside = Inside {
            outstanding: conversation.outstanding().into_iter().collect(),
            conversation: Arc::clone(&conversation),
            in_flight: BTreeMap::new(),
            snapshot_at: snapshot_at.unwrap_or(Sequence::new(0)),
        };
        let latest = watch::Sender::new(conversation);
        let gone = CancellationToken::new();
        let inside = Arc::new(Mutex::new(inside));
        Ok(Arc::new(Self { id, assistant, shared, inside, latest, tail: Tail::default(), board: Arc::default(), gone }))
    }

    pub(super) fn id(&self) -> &ConversationId {
        &self.id
    }

    pub(super) fn latest(&self) -> Arc<Conversation> {
        Arc::clone(&self.latest.borrow())
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<Conversation>> {
        self.latest.subscribe()
    }

    /// Whether the assistant takes words for a task of their own, and not for an answer.
    pub(super) fn is_task_of_its_own(&self, words: &str) -> bool {
        let latest = self.latest();
        let (phase, mode, has_plan) = (latest.phase(), latest.mode(), latest.plan().is_some());
        let context = ReadContext { phase, mode, has_plan, ..ReadContext::default() };
        self.assistant.reader().bearing(words, &context).asks
    }

    /// What comes after `after` up to `upto`, if it came just now.
    pub(super) fn tail_after(&self, after: Sequence, upto: Sequence) -> Option<VecDeque<Arc<Recorded>>> {
        self.tail.after(after, upto)
    }

    pub(super) async fn closed(&self) {
        tokio::select! {
            () = self.shared.closing.cancelled() => {}
            () = self.gone.cancelled() => {}
        }
    }

    /// The conversation was deleted: who follows it is told, and nothing is taken in any more.
    pub(super) fn end(&self) {
        self.gone.cancel();
    }

    pub(super) async fn lock(&self) -> OwnedMutexGuard<Inside> {
        Arc::clone(&self.inside).lock_owned().await
    }

    pub(super) fn require(&self, asked: &AssistantName) -> Result<(), DriverError> {
        require(&self.id, &self.latest.borrow(), asked)
    }

    /// Events after `after` up to now, read in pages.
    pub(super) async fn events_after(&self, after: Sequence) -> Result<Vec<Recorded>, DriverError> {
        let mut events: Vec<Recorded> = Vec::new();
        loop {
            let from = events.last().map_or(after, |last| last.sequence);
            let page = self.shared.store.events_after(&self.id, from).await?;
            let is_last = page.len() < store_limits::EVENTS_PAGE;
            events.extend(page);
            if is_last {
                return Ok(events);
            }
        }
    }

    /// A person's input as a turn. It runs as a task of its own, so that a surface that gives up waiting cannot leave
    /// a turn half done: stored, but not performed.
    pub(super) async fn take_in(
        cell: &Arc<Self>,
        input: Input,
        parent: Option<SpanContext>,
    ) -> Result<TurnResult, DriverError> {
        if cell.shared.closing.is_cancelled() {
            return Err(DriverError::ShutDown);
        }
        if cell.gone.is_cancelled() {
            return Err(DriverError::Gone);
        }
        // Keys of surfaces get names of their own, so that none can pass for a report or for another kind of key.
        let named = |kind: &str, key: InputKey| InputKey::new(format!("{kind}:{key}"));
        let input = Input {
            key: named("input", input.key),
            content_key: input.content_key.map(|key| named("content", key)),
            origin: Origin { sources: cell.sources(), ..input.origin },
            body: input.body,
        };
        let own = Arc::clone(cell);
        let turn = cell.shared.tasks.spawn(async move {
            let trace = traced::input(&own, &input.body, parent);
            let input = own.with_grounding(input);
            let result = own.turn(&input, None, &trace).await;
            traced::taken_in(&trace, &result);
            result
        });
        match turn.await {
            Ok(result) => result,
            Err(ended) => Err(DriverError::Panicked(perform::panic_text(ended))),
        }
    }

    /// What the assistant reads; only a conversation that begins takes note of it.
    fn sources(&self) -> Vec<String> {
        if self.latest.borrow().sequence().number() == 0 { self.assistant.sources() } else { Vec::new() }
    }

    fn with_grounding(&self, mut input: Input) -> Input {
        // A message that will be refused for its length is not looked through first.
        if let InputBody::Message { text, grounding, .. } = &mut input.body
            && text.len() <= core_limits::MESSAGE_BYTES_MAX
        {
            *grounding = self.assistant.recognise(text);
        }
        input
    }

    /// One turn: decide on the state at hand, store, go on from there. Decided again when another process was faster.
    pub(super) async fn turn(
        self: &Arc<Self>,
        input: &Input,
        reported: Option<Reported>,
        trace: &Trace,
    ) -> Result<TurnResult, DriverError> {
        let mut inside = self.lock().await;
        for _ in 0..limits::CONFLICT_RETRIES_MAX {
            let now = self.shared.now();
            let reader = Watched { cell: self, trace };
            let decision = decide(&inside.conversation, input, self.assistant.policy(), &reader, now);
            let turn = self.as_turn(&inside, input, reported, decision);
            if turn.events.is_empty() && matches!(input.body, InputBody::Report(_)) {
                return Ok(turn.result);
            }
            let (result, state, started) = (turn.result.clone(), Arc::clone(&turn.state), turn.started.clone());
            let snapshot_at = if turn.snapshot { turn.last() } else { inside.snapshot_at };
            let until = turn.until;
            // Nobody may be following, and then nothing is kept for them.
            let is_followed = self.latest.receiver_count() > 0;
            let news = is_followed.then(|| tail::recorded(turn.expected, &turn.events));
            match self.shared.store.commit(turn).await? {
                Committed::Stored => {
                    inside.snapshot_at = snapshot_at;
                    self.go_on(&mut inside, state, news);
                    for effect in started {
                        self.begin(&mut inside, Reported { effect, fence: Fence::FIRST }, until, trace);
                    }
                    return Ok(result);
                }
                // It may have been another process's turn: what it changed holds here too before it is acknowledged
                // again, above all a stop.
                Committed::Duplicate(result) => {
                    self.refresh(&mut inside).await?;
                    if result.digest.is_some() && result.digest != digest(&input.body) {
                        return Err(DriverError::KeyReused);
                    }
                    return Ok(result);
                }
                Committed::Fenced => {
                    if let Some(reported) = reported {
                        inside.in_flight.remove(&reported.effect);
                    }
                    return Err(DriverError::TakenOver);
                }
                Committed::Conflict => self.refresh(&mut inside).await?,
            }
        }
        Err(DriverError::Contended { conversation: self.id.clone(), attempts: limits::CONFLICT_RETRIES_MAX })
    }

    fn as_turn(&self, inside: &Inside, input: &Input, reported: Option<Reported>, decision: Decision) -> Turn {
        let Decision { events, effects, state } = decision;
        let after: BTreeSet<Effect> = state.outstanding().into_iter().collect();
        let last = state.sequence();
        let expected = inside.conversation.sequence();
        let result = TurnResult {
            receipt: receipt(&events),
            first: Sequence::new(expected.number() + 1),
            last,
            digest: digest(&input.body),
            duplicate: false,
        };
        // Work that the same turn made superfluous again is not outstanding and does not start. Stopping is not work:
        // what is no longer outstanding is cancelled in `go_on`, whoever's turn it was.
        let started = effects.into_iter().filter(|effect| after.contains(effect)).collect();
        Turn {
            conversation: self.id.clone(),
            expected,
            snapshot: last.number() - inside.snapshot_at.number() >= snapshot_after(&state),
            keys: std::iter::once(input.key.clone()).chain(input.content_key.clone()).collect(),
            result,
            reported,
            finished: inside.outstanding.difference(&after).copied().collect(),
            started,
            owner: self.shared.owner.clone(),
            until: self.shared.until(),
            at: self.shared.now(),
            events,
            state: Arc::new(state),
        }
    }

    /// Goes on from `state`: what it no longer waits for is cancelled, and everyone who watches sees it.
    fn go_on(&self, inside: &mut Inside, state: Arc<Conversation>, news: Option<Vec<Arc<Recorded>>>) {
        inside.outstanding = state.outstanding().into_iter().collect();
        let outstanding = &inside.outstanding;
        inside.in_flight.retain(|effect, work| {
            let goes_on = outstanding.contains(effect);
            if !goes_on {
                work.cancel.cancel();
            }
            goes_on
        });
        inside.conversation = Arc::clone(&state);
        // Before it is announced: whoever hears of it looks here.
        match news {
            Some(news) => self.tail.extend(news),
            None => self.tail.clear(),
        }
        self.latest.send_replace(state);
    }

    /// Reads and folds what other processes stored.
    async fn refresh(&self, inside: &mut Inside) -> Result<(), DriverError> {
        let news = self.events_after(inside.conversation.sequence()).await?;
        if news.is_empty() {
            return Ok(());
        }
        let mut state = Conversation::clone(&inside.conversation);
        for recorded in &news {
            state.apply(&recorded.event)?;
        }
        self.go_on(inside, Arc::new(state), Some(news.into_iter().map(Arc::new).collect()));
        Ok(())
    }

    /// Turns of other processes become visible.
    pub(super) async fn catch_up(&self) -> Result<(), DriverError> {
        let mut inside = self.inside.lock().await;
        self.refresh(&mut inside).await
    }

    /// What a process does first with a conversation that was there before.
    pub(super) async fn recover(self: &Arc<Self>) -> Result<(), DriverError> {
        let known = self.latest.borrow().sequence();
        if known.number() == 0 {
            return Ok(());
        }
        let report = Report::Recovered;
        let key = perform::report_key(&report);
        let key = InputKey::new(format!("{key}:{}:{}", self.shared.owner, known.number()));
        let input = Input { key, content_key: None, origin: Origin::default(), body: InputBody::Report(report) };
        self.turn(&input, None, &Trace::default()).await?;
        self.take_over().await
    }

    /// Claims and begins what the conversation waits for and nobody performs.
    pub(super) async fn take_over(self: &Arc<Self>) -> Result<(), DriverError> {
        let mut inside = self.lock().await;
        for _ in 0..limits::CONFLICT_RETRIES_MAX {
            let effects: Vec<Effect> = inside.unattended().collect();
            if effects.is_empty() {
                return Ok(());
            }
            let claim = Claim {
                conversation: self.id.clone(),
                expected: inside.conversation.sequence(),
                effects,
                owner: self.shared.owner.clone(),
                until: self.shared.until(),
                now: self.shared.now(),
            };
            let until = claim.until;
            match self.shared.store.claim(claim).await? {
                Claimed::Granted(granted) => {
                    for reported in granted {
                        self.begin(&mut inside, reported, until, &Trace::default());
                    }
                    return Ok(());
                }
                Claimed::Conflict => self.refresh(&mut inside).await?,
            }
        }
        Err(DriverError::Contended { conversation: self.id.clone(), attempts: limits::CONFLICT_RETRIES_MAX })
    }

    fn begin(self: &Arc<Self>, inside: &mut Inside, reported: Reported, until: Timestamp, trace: &Trace) {
        let cancel = self.shared.closing.child_token();
        let lease = Arc::new(Lease::until(until));
        let work = Work { fence: reported.fence, cancel: cancel.clone(), lease: Arc::clone(&lease) };
        inside.in_flight.insert(reported.effect, work);
        let trace = traced::belonging(reported.effect, trace);
        self.shared.tasks.spawn(perform::carry_out(Arc::clone(self), reported, cancel, lease, trace));
    }

    /// The claims under which this process performs, with their leases.
    pub(super) async fn claims(&self) -> BTreeMap<(Effect, Fence), Arc<Lease>> {
        let inside = self.inside.lock().await;
        inside.in_flight.iter().map(|(effect, work)| ((*effect, work.fence), Arc::clone(&work.lease))).collect()
    }

    /// Gives up the work under claims that were lost; another process goes on with it.
    pub(super) async fn give_up(&self, lost: &BTreeSet<(Effect, Fence)>) {
        let mut inside = self.inside.lock().await;
        inside.in_flight.retain(|effect, work| {
            let is_lost = lost.contains(&(*effect, work.fence));
            if is_lost {
                work.cancel.cancel();
            }
            !is_lost
        });
    }

    pub(super) async fn has_unattended(&self) -> bool {
        self.inside.lock().await.unattended().next().is_some()
    }
}

impl Inside {
    /// What the conversation waits for and this process does not perform.
    fn unattended(&self) -> impl Iterator<Item = Effect> + '_ {
        self.outstanding.iter().filter(|effect| !self.in_flight.contains_key(effect)).copied()
    }
}

/// Refuses a conversation that is not with the assistant asked for.
fn require(id: &ConversationId, conversation: &Conversation, asked: &AssistantName) -> Result<(), DriverError> {
    let with = conversation.assistant();
    if with == asked {
        return Ok(());
    }
    Err(DriverError::OtherAssistant { conversation: id.clone(), with: with.clone(), asked: asked.clone() })
}

/// A digest of what a person's input says. What the assistant recognised in it is left out: that may change between two
/// deliveries of the same words.
fn digest(body: &InputBody) -> Option<String> {
    let mut body = body.clone();
    match &mut body {
        InputBody::Report(_) => return None,
        InputBody::Message { grounding, .. } => grounding.clear(),
        InputBody::Decide { .. }
        | InputBody::Stop { .. }
        | InputBody::Press { .. }
        | InputBody::SetMode { .. }
        | InputBody::Rename { .. }
        | InputBody::Join { .. }
        | InputBody::Leave { .. } => {}
    }
    let text = serde_json::to_string(&body).ok()?;
    Some(Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Events between two snapshots: a conversation of many steps and facts takes long to write down, so it is written down
/// more seldom, and what is read and written stays in proportion.
fn snapshot_after(state: &Conversation) -> u64 {
    store_limits::SNAPSHOT_EVENTS.max(state.weight() as u64)
}

/// The receipt of the input this turn answers: the one that names the message the turn began with.
fn receipt(events: &[Event]) -> Option<Receipt> {
    let message = events.iter().find_map(|event| match event {
        Event::MessageReceived { message, .. } => Some(*message),
        _ => None,
    })?;
    events.iter().rev().find_map(|event| match event {
        Event::ReceiptGiven { receipt } if receipt.message == message => Some(receipt.clone()),
        _ => None,
    })
}
