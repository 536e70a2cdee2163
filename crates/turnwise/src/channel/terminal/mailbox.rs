//! The mailbox: hands what a person sends to the session, one after the other in a task of its own, so that typing
//! never waits for a turn to be read and stored. Next: `driver::Session`.

use tokio::sync::mpsc;
use turnwise_core::{DecisionRef, PersonId, Seen, Verdict};

use crate::driver::Session;
use crate::failure::Failure;

/// What a person sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Posted {
    /// Words, and what stood on the screen when they were sent.
    Message(String, Option<Seen>),
    /// A decision on an open question.
    Decision(DecisionRef, Verdict),
    /// Ctrl+C.
    Stop,
}

pub(super) struct Mailbox {
    out: mpsc::UnboundedSender<Posted>,
    returned: mpsc::UnboundedReceiver<Failure>,
}

impl Mailbox {
    /// Begins to deliver.
    pub(super) fn open(session: Session, person: PersonId) -> Self {
        let (out, mut posted) = mpsc::unbounded_channel();
        let (refuse, returned) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(next) = posted.recv().await {
                let taken = match next {
                    Posted::Message(text, Some(seen)) => {
                        session.say_about(&person, &text, seen, Session::new_key()).await
                    }
                    Posted::Message(text, None) => session.say(&person, &text, Session::new_key()).await,
                    Posted::Decision(reference, verdict) => {
                        session.decide(&person, reference, verdict, Session::new_key()).await
                    }
                    Posted::Stop => session.stop(&person, Session::new_key()).await,
                };
                if let Err(error) = taken
                    && refuse.send(error.into()).is_err()
                {
                    return;
                }
            }
        });
        Self { out, returned }
    }

    /// Sends; what becomes of it comes back as events, or through [`Mailbox::returned`].
    pub(super) fn post(&self, posted: Posted) {
        // The task ends only when this mailbox does.
        let _ = self.out.send(posted);
    }

    /// The next input that could not be taken in, and why.
    pub(super) async fn returned(&mut self) -> Failure {
        match self.returned.recv().await {
            Some(failure) => failure,
            None => std::future::pending().await,
        }
    }
}
