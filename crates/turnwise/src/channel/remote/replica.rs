//! The conversation as it is known here: the events a server sent, folded by the same core. One task follows the
//! server, comes back when the line breaks and goes on after the last event it has. Next: `mod`, which hands it on.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use http_body_util::BodyExt as _;
use tokio::sync::watch;
use turnwise_core::{AssistantName, Conversation, Sequence};

use super::calls::{Calls, Refused};
use super::line::{Half, Line, dice, pause};
use super::sse::Reader;
use super::wire::{Entry, Page};
use crate::channel::link::Follow;
use crate::driver::Recorded;
use turnwise_assistant::{Failure, FailureKind};

/// What is known of a conversation.
pub(super) struct Replica {
    calls: Calls,
    /// The path of its log.
    path: String,
    pub(super) line: Line,
    state: watch::Sender<Arc<Conversation>>,
    log: Mutex<Vec<Recorded>>,
    /// Why it cannot be followed any more.
    lost: watch::Sender<Option<Arc<Failure>>>,
}

impl Replica {
    /// The conversation at `path` as it is now.
    ///
    /// # Errors
    /// When it cannot be had.
    pub(super) async fn load(calls: Calls, path: String, assistant: String, line: Line) -> Result<Arc<Self>, Failure> {
        let replica = Self {
            calls,
            path,
            line,
            state: watch::Sender::new(Arc::new(Conversation::new(AssistantName::new(assistant)))),
            log: Mutex::default(),
            lost: watch::Sender::new(None),
        };
        loop {
            let after = replica.state.borrow().sequence();
            let page = format!("{}?after={}", replica.path, after.number());
            let page: Page = replica.calls.get(&page).await.map_err(Refused::into_failure)?;
            if page.events.is_empty() {
                return Ok(Arc::new(replica));
            }
            replica.take(page.events)?;
        }
    }

    /// Follows the server for as long as that is possible.
    pub(super) async fn follow(self: Arc<Self>) {
        let mut tries = 0;
        let failure = loop {
            let known = self.state.borrow().sequence();
            let refused = self.listen().await;
            // What came through shows that the line was good: the next pause is a first one again.
            tries = if self.state.borrow().sequence() > known { 0 } else { tries };
            let (told, after) = match refused {
                Refused::Later { told, after } => (told, after),
                other => break other.into_failure(),
            };
            if let Err(failure) = self.line.breaks(Half::Events, &told) {
                break failure;
            }
            tokio::time::sleep(after.max(pause(tries, dice()))).await;
            tries += 1;
        };
        self.lost.send_replace(Some(Arc::new(failure)));
    }

    /// Takes events in until the line breaks; why it did.
    async fn listen(&self) -> Refused {
        match self.listening().await {
            Ok(never) => match never {},
            Err(refused) => refused,
        }
    }

    async fn listening(&self) -> Result<std::convert::Infallible, Refused> {
        // It may be another server by now.
        self.calls.greet().await?;
        let after = self.state.borrow().sequence();
        let mut answer = self.calls.stream(&self.path, after).await?;
        self.line.stands(Half::Events);
        let mut reader = Reader::default();
        let later = |told: String| Refused::Later { told, after: Duration::ZERO };
        loop {
            let address = &self.calls.address;
            let frame = tokio::time::timeout(SILENCE_MAX, answer.body_mut().frame()).await;
            let frame = frame.map_err(|_| later(format!("{address} has fallen silent")))?;
            let frame = frame.ok_or_else(|| later(format!("{address} has ended the connection")))?;
            let frame = frame.map_err(|_| later(format!("the connection to {address} broke")))?;
            let sent = reader.take(frame.data_ref().map(AsRef::as_ref).unwrap_or_default());
            if reader.held() > EVENT_BYTES_MAX {
                return Err(Refused::Failure(self.unreadable("an event is longer than any can be")));
            }
            for turns in sent.iter().filter(|sent| sent.kind == "turns") {
                let page: Result<Page, _> = serde_json::from_str(&turns.data);
                let page = page.map_err(|error| Refused::Failure(self.unreadable(&error.to_string())))?;
                self.take(page.events).map_err(Refused::Failure)?;
            }
        }
    }

    /// Folds what is new. Nobody sees the state before all of it is folded, so none in the middle of a turn.
    fn take(&self, entries: Vec<Entry>) -> Result<(), Failure> {
        let mut state = Conversation::clone(&self.state.borrow());
        let mut news = Vec::new();
        for recorded in entries.into_iter().map(Recorded::from) {
            let next = state.sequence().number() + 1;
            if recorded.sequence.number() < next {
                continue;
            }
            if recorded.sequence.number() > next {
                return Err(self.unreadable(&format!("event {next} is missing")));
            }
            state.apply(&recorded.event).map_err(|error| self.unreadable(&error.to_string()))?;
            news.push(recorded);
        }
        if !news.is_empty() {
            self.log().extend(news);
            self.state.send_replace(Arc::new(state));
        }
        Ok(())
    }

    /// Waits until everything up to `last` is known.
    pub(super) async fn reach(&self, last: Sequence) -> Result<(), Failure> {
        let mut state = self.state.subscribe();
        let reached = async {
            let reached = state.wait_for(|state| state.sequence() >= last).await;
            reached.map(|_| ())
        };
        tokio::select! {
            biased;
            // The sender lives as long as this does.
            _ = reached => Ok(()),
            failure = self.lost() => Err(failure),
        }
    }

    pub(super) fn conversation(&self) -> Arc<Conversation> {
        Arc::clone(&self.state.borrow())
    }

    pub(super) fn history(&self) -> Vec<Recorded> {
        self.log().clone()
    }

    pub(super) fn after(self: &Arc<Self>, after: Sequence) -> Box<dyn Follow> {
        Box::new(Following { replica: Arc::clone(self), state: self.state.subscribe(), at: after })
    }

    /// Why the conversation cannot be followed any more, once that is so.
    async fn lost(&self) -> Failure {
        let mut lost = self.lost.subscribe();
        let found = lost.wait_for(Option::is_some).await.ok().and_then(|found| found.clone());
        match found {
            Some(failure) => again(&failure),
            None => std::future::pending().await,
        }
    }

    fn log(&self) -> std::sync::MutexGuard<'_, Vec<Recorded>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unreadable(&self, why: &str) -> Failure {
        let told = format!("{} sent events that cannot be read ({why})", self.calls.address);
        Failure::new(FailureKind::Peer, told).hint("use the version of turnwise here that the server has")
    }
}

/// A failure told a second time.
fn again(failure: &Failure) -> Failure {
    let told = Failure::new(failure.kind(), failure.message());
    failure.hints().iter().fold(told, |told, hint| told.hint(hint))
}

struct Following {
    replica: Arc<Replica>,
    state: watch::Receiver<Arc<Conversation>>,
    at: Sequence,
}

#[async_trait]
impl Follow for Following {
    async fn next(&mut self) -> Result<Recorded, Failure> {
        let at = self.at;
        let grown = async {
            let grown = self.state.wait_for(|state| state.sequence() > at).await;
            grown.map(|_| ())
        };
        tokio::select! {
            biased;
            _ = grown => {}
            failure = self.replica.lost() => return Err(failure),
        }
        // Events are numbered from 1 without a gap, and the log here begins with the first.
        let place = usize::try_from(at.number()).unwrap_or(usize::MAX);
        let next = self.replica.log().get(place).cloned();
        let next = next.ok_or_else(|| self.replica.unreadable(&format!("event {} is missing", place + 1)))?;
        self.at = next.sequence;
        Ok(next)
    }
}

/// A stream says something at least every few seconds; after this long the line is dead.
const SILENCE_MAX: Duration = Duration::from_secs(45);
/// Far more than any event takes.
const EVENT_BYTES_MAX: usize = 64 << 20;
