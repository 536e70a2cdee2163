//! Sessions: how a surface talks to one conversation. Several surfaces may hold one at the same time; all see the same
//! state and the same events. Next: `cell` for what a turn is.

use std::collections::VecDeque;
use std::sync::Arc;

use tokio::sync::watch;
use turnwise_core::{
    Conversation, ConversationId, DecisionRef, Input, InputBody, InputKey, PersonId, Sequence, Verdict,
};

use super::DriverError;
use super::cell::Cell;
use crate::store::{Recorded, TurnResult};

/// A handle on an open conversation. Cheap to clone; the conversation stays in memory while one is held or work runs.
#[derive(Clone)]
pub struct Session {
    cell: Arc<Cell>,
}

/// The events of a conversation in order, none left out and none twice, whoever caused them.
pub struct EventFeed {
    cell: Arc<Cell>,
    latest: watch::Receiver<Arc<Conversation>>,
    at: Sequence,
    ready: VecDeque<Recorded>,
}

impl Session {
    pub(super) fn new(cell: Arc<Cell>) -> Self {
        Self { cell }
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
        if matches!(body, InputBody::Report(_)) {
            return Err(DriverError::ReportFromSurface);
        }
        Cell::take_in(&self.cell, Input { key, content_key, body }).await
    }

    /// `person` says `text`.
    ///
    /// # Errors
    /// As [`Session::submit`].
    pub async fn say(&self, person: &PersonId, text: &str, key: InputKey) -> Result<TurnResult, DriverError> {
        let body = InputBody::Message { person: person.clone(), text: text.to_owned(), grounding: Vec::new() };
        self.submit(body, key, None).await
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

    /// A key that nobody else uses, for inputs whose surface has no key of its own.
    #[must_use]
    pub fn new_key() -> InputKey {
        InputKey::new(uuid::Uuid::now_v7().to_string())
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
                return Ok(recorded);
            }
            let at = self.at;
            tokio::select! {
                biased;
                grown = self.latest.wait_for(|state| state.sequence() > at) => {
                    grown.map_err(|_| DriverError::ShutDown)?;
                }
                () = self.cell.closed() => return Err(DriverError::ShutDown),
            }
            self.ready = self.cell.events_after(at).await?.into();
        }
    }
}
