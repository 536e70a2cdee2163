//! Links: a conversation as a surface holds it, wherever it is kept. The terminal and the pipe are written against this
//! trait alone, so that they are the same in front of a store of this machine (`Local`) and of a server (`remote`).
//! Next: `terminal`, `line`.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::{mpsc, watch};
use turnwise_core::{Conversation, ConversationId, DecisionRef, InputKey, PersonId, Seen, Sequence, Surface, Verdict};

use crate::driver::{DriverError, EventFeed, Recorded, Session, Writing};
use turnwise_assistant::Failure;

/// What a person does, as a surface hands it on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Says something, and what stood before them then; absent where nothing was shown yet.
    Say(String, Option<Seen>),
    /// Decides on an open question.
    Decide(DecisionRef, Verdict),
    /// Presses stop.
    Stop,
}

impl Act {
    /// The same, where nothing had been shown yet: what stands `here` now was not seen either.
    pub fn seen_from(self, here: Seen) -> Self {
        match self {
            Self::Say(words, None) => Self::Say(words, Some(here)),
            other => other,
        }
    }
}

/// Which conversation to take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// A new one.
    New,
    /// The latest if it is unfinished, else a new one.
    Unfinished,
    /// The latest.
    Latest,
    /// This one.
    Named(String),
}

/// A conversation as a surface holds it.
#[async_trait]
pub trait Link: Send + Sync {
    /// The same, speaking from a surface that people call `name`; each call is a window of its own.
    fn on(&self, name: &str) -> Arc<dyn Link>;

    /// The conversation's id.
    fn id(&self) -> &ConversationId;

    /// The surface it speaks from, if it said so.
    fn surface(&self) -> Option<&Surface>;

    /// The conversation as it is known here.
    fn conversation(&self) -> Arc<Conversation>;

    /// Whether its assistant lets a run be paused.
    fn may_pause(&self) -> bool;

    /// All events so far.
    async fn history(&self) -> Result<Vec<Recorded>, Failure>;

    /// The events after `after`, those to come included.
    fn events(&self, after: Sequence) -> Box<dyn Follow>;

    /// What a model is writing, where it can be seen from here.
    fn writing(&self) -> Option<watch::Receiver<Option<Arc<Writing>>>> {
        None
    }

    /// Takes one act of the person in. When this returns, [`Link::conversation`] holds what came of it; what was
    /// refused is told by the events. It happens once, however often it has to be sent.
    async fn act(&self, act: Act) -> Result<(), Failure>;

    /// Whether what is done here cannot arrive at the moment.
    fn is_cut(&self) -> bool;
}

/// The events of a conversation in order, none left out and none twice.
#[async_trait]
pub trait Follow: Send {
    /// Waits for the next event. May be dropped and called again at any time without missing one.
    async fn next(&mut self) -> Result<Recorded, Failure>;
}

/// What happens behind the conversation and concerns its people: one sentence or two each.
pub struct Notices(mpsc::UnboundedReceiver<String>);

impl Notices {
    /// A way in and what comes out of it.
    #[must_use]
    pub fn channel() -> (mpsc::UnboundedSender<String>, Self) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (sender, Self(receiver))
    }

    /// Tells `sender` what goes wrong in the background of a driver. Must be called within a runtime.
    pub fn of_driver(sender: mpsc::UnboundedSender<String>, mut trouble: watch::Receiver<Option<Arc<DriverError>>>) {
        tokio::spawn(async move {
            while trouble.changed().await.is_ok() {
                let told = trouble.borrow_and_update().as_ref().map(|error| format!("In the background: {error}."));
                if let Some(told) = told
                    && sender.send(format!("{told} It will be tried again.")).is_err()
                {
                    return;
                }
            }
        });
    }

    /// The next one; may be dropped and called again.
    pub async fn next(&mut self) -> String {
        match self.0.recv().await {
            Some(told) => told,
            None => std::future::pending().await,
        }
    }
}

/// A conversation of a driver in this process.
pub struct Local {
    session: Session,
    person: PersonId,
}

impl Local {
    /// The conversation of `session`, in which `person` speaks.
    #[must_use]
    pub fn new(session: Session, person: PersonId) -> Self {
        Self { session, person }
    }

    fn key() -> InputKey {
        Session::new_key()
    }
}

#[async_trait]
impl Link for Local {
    fn on(&self, name: &str) -> Arc<dyn Link> {
        Arc::new(Self::new(self.session.on(name), self.person.clone()))
    }

    fn id(&self) -> &ConversationId {
        self.session.id()
    }

    fn surface(&self) -> Option<&Surface> {
        self.session.surface()
    }

    fn conversation(&self) -> Arc<Conversation> {
        self.session.conversation()
    }

    fn may_pause(&self) -> bool {
        self.session.may_pause()
    }

    async fn history(&self) -> Result<Vec<Recorded>, Failure> {
        Ok(self.session.history().await?)
    }

    fn events(&self, after: Sequence) -> Box<dyn Follow> {
        Box::new(self.session.events(after))
    }

    fn writing(&self) -> Option<watch::Receiver<Option<Arc<Writing>>>> {
        Some(self.session.writing())
    }

    async fn act(&self, act: Act) -> Result<(), Failure> {
        let (session, person) = (&self.session, &self.person);
        match act {
            Act::Say(text, Some(seen)) => session.say_about(person, &text, seen, Self::key()).await?,
            Act::Say(text, None) => session.say(person, &text, Self::key()).await?,
            Act::Decide(reference, verdict) => session.decide(person, reference, verdict, Self::key()).await?,
            Act::Stop => session.stop(person, Self::key()).await?,
        };
        Ok(())
    }

    fn is_cut(&self) -> bool {
        false
    }
}

#[async_trait]
impl Follow for EventFeed {
    async fn next(&mut self) -> Result<Recorded, Failure> {
        Ok(EventFeed::next(self).await?)
    }
}
