//! The mailbox: hands what a person does to the conversation, one after the other in a task of its own, so that typing
//! never waits for a turn to be read and stored. Next: `channel::link`.

use std::sync::Arc;

use tokio::sync::mpsc;

use crate::channel::link::{Act, Link};
use turnwise_assistant::Failure;

pub(super) struct Mailbox {
    out: mpsc::UnboundedSender<Act>,
    returned: mpsc::UnboundedReceiver<Failure>,
}

impl Mailbox {
    /// Begins to deliver.
    pub(super) fn open(link: Arc<dyn Link>) -> Self {
        let (out, mut posted) = mpsc::unbounded_channel();
        let (refuse, returned) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(next) = posted.recv().await {
                if let Err(failure) = link.act(next).await
                    && refuse.send(failure).is_err()
                {
                    return;
                }
            }
        });
        Self { out, returned }
    }

    /// Sends; what becomes of it comes back as events, or through [`Mailbox::returned`].
    pub(super) fn post(&self, act: Act) {
        // The task ends only when this mailbox does.
        let _ = self.out.send(act);
    }

    /// The next input that could not be taken in, and why.
    pub(super) async fn returned(&mut self) -> Failure {
        match self.returned.recv().await {
            Some(failure) => failure,
            None => std::future::pending().await,
        }
    }
}
