//! Threads: one session of an editor. Whatever happens in its conversation is told the editor as it happens, whether a
//! message of the editor caused it, a decision elsewhere, or a run that goes on. Next: `prompt`.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio_util::sync::CancellationToken;
use turnwise_acp::Peer;
use turnwise_acp::schema::{CLIENT_METHOD_NAMES, SessionId, SessionNotification, SessionUpdate};
use turnwise_core::{Command, Sequence};

use super::shown::{Echo, Shown};
use crate::driver::{EventFeed, Session};
use turnwise_assistant::Failure;

/// One session of an editor.
pub(super) struct Thread {
    pub(super) id: SessionId,
    pub(super) session: Session,
    pub(super) folder: PathBuf,
    pub(super) commands: Vec<Command>,
    pub(super) peer: Peer,
    /// The command that goes before what is said, where the person chose a mode.
    pub(super) mode: Mutex<Option<String>>,
    /// The last event that the editor was told.
    pub(super) told: watch::Sender<Sequence>,
    /// Prompts under way: the request of each and what ends it.
    prompts: Mutex<Vec<(Value, CancellationToken)>>,
    /// Held by the prompt that asks for a permission: a question is asked once.
    pub(super) asking: tokio::sync::Mutex<()>,
    follower: Mutex<Option<AbortHandle>>,
}

/// A prompt that is under way.
pub(super) struct UnderWay {
    thread: Arc<Thread>,
    id: Value,
    pub(super) cancelled: CancellationToken,
}

impl Thread {
    pub(super) fn new(session: Session, folder: PathBuf, commands: Vec<Command>, peer: Peer) -> Self {
        Self {
            id: SessionId::new(session.id().as_str()),
            session,
            folder,
            commands,
            peer,
            mode: Mutex::default(),
            told: watch::Sender::new(Sequence::new(0)),
            prompts: Mutex::default(),
            asking: tokio::sync::Mutex::default(),
            follower: Mutex::default(),
        }
    }

    /// Tells the editor all that happened so far where `echo` says so, and from then on what happens.
    ///
    /// # Errors
    /// Whatever the store says.
    pub(super) async fn follow(self: &Arc<Self>, echo: Echo) -> Result<(), Failure> {
        let mut shown = Shown::new(self.folder.clone(), self.session.surface().cloned());
        let mut last = Sequence::new(0);
        for recorded in self.session.history().await? {
            last = recorded.sequence;
            let updates = shown.updates(&recorded.event, Echo::Past);
            if echo == Echo::Past {
                updates.into_iter().for_each(|update| self.update(update));
            }
        }
        self.told.send_replace(last);
        let following = tokio::spawn(Arc::clone(self).keep_telling(self.session.events(last), shown));
        *lock(&self.follower) = Some(following.abort_handle());
        Ok(())
    }

    async fn keep_telling(self: Arc<Self>, mut events: EventFeed, mut shown: Shown) {
        let mut writing = self.session.writing();
        loop {
            let happened = tokio::select! {
                biased;
                happened = events.next() => happened,
                Ok(()) = writing.changed() => {
                    let now = writing.borrow_and_update().clone();
                    let printed = now.and_then(|now| shown.printed(&now));
                    printed.into_iter().for_each(|update| self.update(update));
                    continue;
                }
            };
            match happened {
                Ok(recorded) => {
                    let updates = shown.updates(&recorded.event, Echo::Live);
                    updates.into_iter().for_each(|update| self.update(update));
                    self.told.send_replace(recorded.sequence);
                }
                Err(error) => {
                    self.update(super::said::message(&format!("This session ended: {error}.")));
                    self.cancel();
                    return;
                }
            }
        }
    }

    /// Tells the editor something.
    pub(super) fn update(&self, update: SessionUpdate) {
        let told = SessionNotification::new(self.id.clone(), update);
        self.peer.notify(CLIENT_METHOD_NAMES.session_update, &told);
    }

    /// Notes a prompt under the id of its request, before anything else that the editor says is looked at: a cancel
    /// that comes right behind it must find it.
    pub(super) fn begin(self: &Arc<Self>, id: Value) -> UnderWay {
        let cancelled = CancellationToken::new();
        lock(&self.prompts).push((id.clone(), cancelled.clone()));
        UnderWay { thread: Arc::clone(self), id, cancelled }
    }

    /// Ends the prompts under way; false when there is none.
    pub(super) fn cancel(&self) -> bool {
        let prompts = lock(&self.prompts);
        prompts.iter().for_each(|(_, token)| token.cancel());
        !prompts.is_empty()
    }

    /// Ends the prompt of this request, if it is one of this session.
    pub(super) fn cancel_request(&self, id: &Value) {
        lock(&self.prompts).iter().filter(|(known, _)| known == id).for_each(|(_, token)| token.cancel());
    }

    /// Tells the editor no more.
    pub(super) fn close(&self) {
        self.cancel();
        if let Some(follower) = lock(&self.follower).take() {
            follower.abort();
        }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        lock(&self.thread.prompts).retain(|(id, _)| *id != self.id);
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
