//! Waiting for what comes of an input: a client that wants one request for one answer says how long it has time. Next:
//! `talk`, `decisions`.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;
use turnwise_core::Event;
use utoipa::ToSchema;

use super::super::limits;
use super::super::problem::Problem;
use super::super::view::CardView;
use crate::driver::{Session, TurnResult};

/// How long a request may wait for what comes of it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Waiting {
    #[serde(default)]
    wait_seconds: u64,
}

/// Something the assistant said because of an input.
#[derive(Debug, Serialize, ToSchema)]
pub struct SaidView {
    /// The event.
    pub sequence: u64,
    /// In words.
    pub text: String,
    /// And as a card.
    pub card: Option<Box<CardView>>,
}

impl Waiting {
    /// Refuses to wait longer than a request may take.
    pub(super) fn check(self) -> Result<Self, Problem> {
        if self.wait_seconds > limits::POLL_SECONDS_MAX {
            let told = format!("a request waits at most {} seconds", limits::POLL_SECONDS_MAX);
            return Err(Problem::bad_request(told, "wait less, and follow `events` for the rest").at("/wait_seconds"));
        }
        Ok(self)
    }

    /// Waits until nothing is under way any more, or something is asked, or the time is over. Says what was said since
    /// the input; without waiting that is what the turn itself said.
    pub(super) async fn wait(self, session: &Session, result: &TurnResult) -> Result<Vec<SaidView>, Problem> {
        let until = Instant::now() + Duration::from_secs(self.wait_seconds);
        let mut feed = session.events(before(result));
        let mut said = Vec::new();
        loop {
            let state = session.conversation();
            let rests = !state.is_busy() || state.question().is_some();
            // What is in the log already is read however little time there is.
            let patience = if rests { READ_PATIENCE } else { until.saturating_duration_since(Instant::now()) };
            let Ok(recorded) = tokio::time::timeout(patience.max(READ_PATIENCE), feed.next()).await else {
                return Ok(said);
            };
            let recorded = recorded?;
            if let Event::Said { text, card } = &recorded.event
                && said.len() < limits::SAID_MAX
            {
                let card = card.as_ref().map(|card| Box::new(CardView::new(card)));
                said.push(SaidView { sequence: recorded.sequence.number(), text: text.clone(), card });
            }
            let state = session.conversation();
            let is_read = recorded.sequence >= state.sequence();
            let rests = !state.is_busy() || state.question().is_some();
            if is_read && (rests || Instant::now() >= until) {
                return Ok(said);
            }
        }
    }
}

/// The event before a turn.
fn before(result: &TurnResult) -> turnwise_core::Sequence {
    turnwise_core::Sequence::new(result.first.number().saturating_sub(1))
}

/// Reading what is in the log takes no longer.
const READ_PATIENCE: Duration = Duration::from_millis(100);
