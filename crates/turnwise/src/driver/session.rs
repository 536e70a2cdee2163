//! Sessions: how a surface talks to one conversation. Several surfaces may hold one at the same time; all see the same
//! state and the same events. Next: `cell` for what a turn is.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::watch;
use turnwise_core::{
    Conversation, ConversationId, DecisionRef, Flow, Input, InputBody, InputKey, Origin, Pending, PersonId, RunId,
    Seen, Sequence, Surface, SurfaceName, SurfaceSession, Surroundings, Verdict,
};

use super::cell::Cell;
use super::{DriverError, Reference, Writing};
use crate::store::{Recorded, TurnResult};
use crate::telemetry::SpanContext;
use turnwise_assistant::{Beside, Unknown};

/// A handle on an open conversation. Cheap to clone; the conversation stays in memory while one is held or work runs.
#[derive(Clone)]
pub struct Session {
    cell: Arc<Cell>,
    surface: Option<Surface>,
    around: Surroundings,
    parent: Option<SpanContext>,
}

/// The events of a conversation in order, none left out and none twice, whoever caused them.
pub struct EventFeed {
    cell: Arc<Cell>,
    latest: watch::Receiver<Arc<Conversation>>,
    at: Sequence,
    ready: VecDeque<Arc<Recorded>>,
}

impl Session {
    pub(super) fn new(cell: Arc<Cell>) -> Self {
        Self { cell, surface: None, around: Surroundings::default(), parent: None }
    }

    /// The same, speaking from a surface that people call `name`. Each call is a window of its own: what is decided
    /// through one is told as such in the others.
    #[must_use]
    pub fn on(&self, name: &str) -> Self {
        self.through(window(name))
    }

    /// The same, speaking for a program that may not decide: what it says loosens nothing and approves nothing.
    #[must_use]
    pub fn on_behalf_of_program(&self, name: &str) -> Self {
        self.through(Surface { is_program: true, ..window(name) })
    }

    /// The same, speaking from `surface`, a window that is known already.
    #[must_use]
    pub fn through(&self, surface: Surface) -> Self {
        Self { surface: Some(surface), ..self.clone() }
    }

    /// Whether words are a task of their own, even where a question is open that they could be said to.
    pub fn is_task_of_its_own(&self, words: &str) -> bool {
        self.cell.is_task_of_its_own(words)
    }

    /// The same, before whose person this lies open.
    #[must_use]
    pub fn among(&self, around: Surroundings) -> Self {
        Self { around, ..self.clone() }
    }

    /// The same, whose inputs are part of what `parent` records elsewhere.
    #[must_use]
    pub fn below(&self, parent: Option<SpanContext>) -> Self {
        Self { parent, ..self.clone() }
    }

    /// The surface this handle speaks from, if it said so.
    #[must_use]
    pub fn surface(&self) -> Option<&Surface> {
        self.surface.as_ref()
    }

    /// What a model is writing in it or a program prints, as it comes; none while nothing is. Nothing of it was
    /// checked.
    #[must_use]
    pub fn writing(&self) -> watch::Receiver<Option<Arc<Writing>>> {
        self.cell.board.subscribe()
    }

    /// The conversation's id.
    #[must_use]
    pub fn id(&self) -> &ConversationId {
        self.cell.id()
    }

    /// Takes one input of a person in; durable when this returns. The same `key`, or the same `content_key`, a second
    /// time gets the first result again and changes nothing. For a message the assistant's knowledge of its words is
    /// filled in. Dropping the future does not take the input back.
    ///
    /// # Errors
    /// [`DriverError`]; the input was then not taken in.
    pub async fn submit(
        &self,
        body: InputBody,
        key: InputKey,
        content_key: Option<InputKey>,
    ) -> Result<TurnResult, DriverError> {
        self.take_in(body, key, content_key, None).await
    }

    async fn take_in(
        &self,
        body: InputBody,
        key: InputKey,
        content_key: Option<InputKey>,
        seen: Option<Seen>,
    ) -> Result<TurnResult, DriverError> {
        if matches!(body, InputBody::Report(_)) {
            return Err(DriverError::ReportFromSurface);
        }
        // Refused here, nothing of it is stored, and no surface has to draw it.
        body.words().map_or(Ok(()), DriverError::check_length)?;
        let origin = Origin { surface: self.surface.clone(), seen, around: self.around.clone(), sources: Vec::new() };
        Cell::take_in(&self.cell, Input { key, content_key, origin, body }, self.parent).await
    }

    /// `person` says `text`.
    ///
    /// # Errors
    /// As [`Session::submit`].
    pub async fn say(&self, person: &PersonId, text: &str, key: InputKey) -> Result<TurnResult, DriverError> {
        let body = InputBody::Message { person: person.clone(), text: text.to_owned(), grounding: Vec::new() };
        self.submit(body, key, None).await
    }

    /// `person`, before whom `seen` stood, says `text`. Words that would decide on something else are refused, and its
    /// sender is told what changed.
    ///
    /// # Errors
    /// As [`Session::submit`].
    pub async fn say_about(
        &self,
        person: &PersonId,
        text: &str,
        seen: Seen,
        key: InputKey,
    ) -> Result<TurnResult, DriverError> {
        let body = InputBody::Message { person: person.clone(), text: text.to_owned(), grounding: Vec::new() };
        self.submit_about(body, seen, key).await
    }

    /// Takes in what a person, before whom `seen` stood, did by a control.
    ///
    /// # Errors
    /// As [`Session::submit`].
    pub async fn submit_about(&self, body: InputBody, seen: Seen, key: InputKey) -> Result<TurnResult, DriverError> {
        self.take_in(body, key, None, Some(seen)).await
    }

    /// The same where a message has an id of its own on its surface, `content_key`: sent again under another `key`, it
    /// is still the same message.
    ///
    /// # Errors
    /// As [`Session::submit`].
    pub async fn say_once(
        &self,
        person: &PersonId,
        text: &str,
        seen: Seen,
        key: InputKey,
        content_key: InputKey,
    ) -> Result<TurnResult, DriverError> {
        let body = InputBody::Message { person: person.clone(), text: text.to_owned(), grounding: Vec::new() };
        self.take_in(body, key, Some(content_key), Some(seen)).await
    }

    /// The reference to `pending` as it leaves the program.
    ///
    /// # Errors
    /// When the store has no key for it.
    pub async fn reference(&self, pending: &Pending) -> Result<Reference, DriverError> {
        let key = self.cell.shared.store.signing_key().await?;
        Ok(Reference::sign(&key, self.id(), &self.cell.latest(), pending))
    }

    /// `person` decides by a reference that comes from outside: it counts only if it was issued here for this
    /// conversation. Of what it decided before, or what was changed meanwhile, its sender is told.
    ///
    /// # Errors
    /// [`DriverError::Forged`] for a reference that was not issued for what it names; else as [`Session::submit`].
    pub async fn decide_by(
        &self,
        person: &PersonId,
        reference: &Reference,
        verdict: Verdict,
        key: InputKey,
    ) -> Result<TurnResult, DriverError> {
        let assistant = self.cell.assistant.name();
        reference.verify(self.cell.shared.store.as_ref(), self.id(), assistant).await?;
        self.decide(person, reference.decision(), verdict, key).await
    }

    /// `person` decides on an open question through a control.
    ///
    /// # Errors
    /// As [`Session::submit`].
    pub async fn decide(
        &self,
        person: &PersonId,
        reference: DecisionRef,
        verdict: Verdict,
        key: InputKey,
    ) -> Result<TurnResult, DriverError> {
        self.submit(InputBody::Decide { person: person.clone(), reference, verdict }, key, None).await
    }

    /// `person` presses stop. When this returns, no step of the run starts any more.
    ///
    /// # Errors
    /// As [`Session::submit`].
    pub async fn stop(&self, person: &PersonId, key: InputKey) -> Result<TurnResult, DriverError> {
        self.submit(InputBody::Stop { person: person.clone() }, key, None).await
    }

    /// What its assistant tells `person` beside a reply for which `runs` were made.
    pub async fn beside(&self, person: &PersonId, runs: &[RunId]) -> Beside {
        self.cell.assistant.beside(person, runs).await
    }

    /// Whether there is what a request of `person` names.
    ///
    /// # Errors
    /// The first of it that there is not.
    pub async fn check(&self, person: &PersonId, project: Option<&str>, intent: Option<&str>) -> Result<(), Unknown> {
        self.cell.assistant.check(person, project, intent).await
    }

    /// A key that nobody else uses, for inputs whose surface has no key of its own.
    #[must_use]
    pub fn new_key() -> InputKey {
        InputKey::new(uuid::Uuid::now_v7().to_string())
    }

    /// Whether its runs may be paused.
    #[must_use]
    pub fn may_pause(&self) -> bool {
        self.conversation().flow_over(self.configured_flow()).pause_enabled
    }

    /// How its assistant is configured to go about work.
    #[must_use]
    pub fn configured_flow(&self) -> Flow {
        self.cell.assistant.policy().flow
    }

    /// The conversation as it is now.
    #[must_use]
    pub fn conversation(&self) -> Arc<Conversation> {
        self.cell.latest()
    }

    /// The conversation after each turn; a slow reader sees only the latest.
    #[must_use]
    pub fn state(&self) -> watch::Receiver<Arc<Conversation>> {
        self.cell.subscribe()
    }

    /// All events so far.
    ///
    /// # Errors
    /// Whatever the store says.
    pub async fn history(&self) -> Result<Vec<Recorded>, DriverError> {
        self.cell.events_after(Sequence::new(0)).await
    }

    /// Events after `after`, at most a page of them; ask again after the last one for more.
    ///
    /// # Errors
    /// Whatever the store says.
    pub async fn page(&self, after: Sequence) -> Result<Vec<Recorded>, DriverError> {
        Ok(self.cell.shared.store.events_after(self.id(), after).await?)
    }

    /// The events after `after`, those to come included; after 0 it begins with the whole history.
    #[must_use]
    pub fn events(&self, after: Sequence) -> EventFeed {
        EventFeed { cell: Arc::clone(&self.cell), latest: self.cell.subscribe(), at: after, ready: VecDeque::new() }
    }
}

impl EventFeed {
    /// Waits for the next event. May be dropped and called again at any time without missing one.
    ///
    /// # Errors
    /// [`DriverError::ShutDown`] once the driver is shut down, and whatever the store says.
    pub async fn next(&mut self) -> Result<Recorded, DriverError> {
        loop {
            if let Some(recorded) = self.ready.pop_front() {
                self.at = recorded.sequence;
                return Ok(Arc::unwrap_or_clone(recorded));
            }
            self.read_on().await?;
        }
    }

    /// Waits for the next events, and gives whole turns: what is folded from them is never the middle of one. May be
    /// dropped and called again.
    ///
    /// # Errors
    /// As [`EventFeed::next`].
    pub async fn turns(&mut self) -> Result<Vec<Recorded>, DriverError> {
        Ok(self.shared_turns().await?.into_iter().map(Arc::unwrap_or_clone).collect())
    }

    /// The same, in the form in which many who follow share them.
    ///
    /// # Errors
    /// As [`EventFeed::next`].
    pub async fn shared_turns(&mut self) -> Result<Vec<Arc<Recorded>>, DriverError> {
        while self.ready.is_empty() {
            self.read_on().await?;
        }
        self.at = self.ready.back().map_or(self.at, |last| last.sequence);
        Ok(self.ready.drain(..).collect())
    }

    /// Waits until there is more, and reads it.
    async fn read_on(&mut self) -> Result<(), DriverError> {
        let at = self.at;
        let published = tokio::select! {
            biased;
            grown = self.latest.wait_for(|state| state.sequence() > at) => {
                grown.map_err(|_| DriverError::ShutDown)?.sequence()
            }
            () = self.cell.closed() => return Err(DriverError::ShutDown),
        };
        if let Some(news) = self.cell.tail_after(at, published) {
            self.ready = news;
            return Ok(());
        }
        self.ready = self.cell.events_after(at).await?.into_iter().map(Arc::new).collect();
        // The store may be ahead of the state. Whoever has heard an event must find it in the state: else they
        // would wait for a change that they have heard of already.
        self.ready.retain(|recorded| recorded.sequence <= published);
        Ok(())
    }
}

/// A new window of the surface that people call `name`.
#[must_use]
pub fn window(name: &str) -> Surface {
    let id = uuid::Uuid::now_v7().simple().to_string();
    let session = SurfaceSession::new(&id[id.len() - SESSION_CHARACTERS..]);
    Surface { name: SurfaceName::new(name), session, is_program: false }
}

/// Enough that two windows on one conversation are not the same by chance.
const SESSION_CHARACTERS: usize = 12;
