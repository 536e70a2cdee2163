//! An open conversation on the terminal: what it reports, and what that adds to the transcript. It is one value, so
//! that going over to another conversation leaves nothing of the one before behind. Next: `mod`.

use std::sync::Arc;

use tokio::sync::watch;
use turnwise_core::{Event, Sequence};

use super::mailbox::Mailbox;
use super::{dim, failure_lines};
use crate::channel::draw::{Line, Look};
use crate::channel::feed::Feed;
use crate::channel::link::Follow;
use crate::channel::{Opened, keeping};
use crate::driver::{Recorded, Writing};
use turnwise_assistant::Failure;

/// An open conversation on this terminal.
pub(super) struct Talk {
    pub(super) opened: Opened,
    pub(super) events: Box<dyn Follow>,
    pub(super) feed: Feed,
    pub(super) mailbox: Mailbox,
    /// The last event that is on the screen.
    pub(super) shown: Sequence,
    /// What a model is writing, where it can be seen from here.
    pub(super) writing: Option<watch::Receiver<Option<Arc<Writing>>>>,
}

/// What an open conversation reports.
pub(super) enum Happened {
    Event(Recorded),
    /// A message could not be taken in.
    Failed(Failure),
    /// Something goes on in the background.
    Told(String),
    /// A model wrote on: it is drawn anew with everything else.
    Written,
}

/// The next thing to happen; may be dropped and called again without missing any.
pub(super) async fn happening(talk: &mut Option<Talk>) -> Result<Happened, Failure> {
    let Some(talk) = talk else { return std::future::pending().await };
    tokio::select! {
        biased;
        recorded = talk.events.next() => Ok(Happened::Event(recorded?)),
        failure = talk.mailbox.returned() => Ok(Happened::Failed(failure)),
        told = talk.opened.notices.next() => Ok(Happened::Told(told)),
        () = written(&mut talk.writing) => Ok(Happened::Written),
    }
}

/// Waits until a model wrote on.
async fn written(writing: &mut Option<watch::Receiver<Option<Arc<Writing>>>>) {
    let goes_on = match writing {
        Some(seen) => seen.changed().await.is_ok(),
        None => false,
    };
    if !goes_on {
        std::future::pending::<()>().await;
    }
}

/// What an event adds to the transcript; a drawing to be kept is kept on the way.
pub(super) fn told(talk: &mut Talk, event: &Event, look: Look) -> Vec<Line> {
    let mut lines = talk.feed.lines(event, look);
    match keeping::keep(event, &talk.opened.link.conversation()) {
        Some(Ok(kept)) => lines.extend(dim(&kept, look)),
        Some(Err(failure)) => lines.extend(failure_lines(&failure, look)),
        None => {}
    }
    lines
}
