//! The driver: load, decide, store, perform. The only place where effects happen.
//!
//! A [`Driver`] keeps the conversations that are open in this process, each behind one lock (`cell`). A turn decides
//! on the state in memory, stores the outcome in one transaction that fails if another process was faster, and only
//! then performs what was decided (`perform`). The results of that work come back as inputs. A background task
//! renews the leases of work, takes over the work of processes that died, and notices turns of other processes
//! (`pulse`).
//!
//! What survives a crash is the log and the outbox: whoever opens the conversation next goes on from there.
//! Next: `session` for how surfaces use it.

mod asked;
mod cell;
mod cells;
pub mod clock;
mod error;
mod fork;
mod lease;
pub mod limits;
mod perform;
mod pulse;
pub mod reference;
mod session;
mod tail;
#[cfg(test)]
mod tests;
mod traced;
mod unattended;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use turnwise_core::{ConversationId, ModelCall, PersonId, Sequence, Timestamp};

use crate::store::{Owner, Store};
use crate::telemetry::Telemetry;
pub use asked::{Writer, Writing};
use cell::Cell;
use cells::Cells;
pub use clock::{Clock, ManualClock, SystemClock};
pub use error::DriverError;
pub use reference::{NoReference, Reference};
pub use session::{EventFeed, Session, window};
use turnwise_assistant::Assistant;
pub use unattended::{Assistants, Begun};

/// What surfaces see of the store: events as sessions hand them out, results of inputs, conversations in a list, and
/// what was delivered to them.
pub use crate::store::{
    Deleted, Delivery, Listing, Over, Place, Questions, Recorded, Summary, TakenUp, TurnResult, limits::LISTED_MAX,
};

/// The form of the events that are kept: counts up when programs of before can no longer read them.
pub const LOG_FORMAT: u32 = 1;

/// Drives the conversations of one process over one store. Dropping it ends its work without reporting, so that the
/// work is taken up again at the next start; [`Driver::shutdown`] does the same and waits.
pub struct Driver {
    shared: Arc<Shared>,
}

/// What all conversations of a driver share.
struct Shared {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    owner: Owner,
    cells: Cells,
    tasks: TaskTracker,
    closing: CancellationToken,
    trouble: watch::Sender<Option<Arc<DriverError>>>,
    telemetry: Telemetry,
    /// Whether what is sent to models is printed, where it is kept.
    prints_prompts: AtomicBool,
}

impl Driver {
    /// A driver over `store`. Must be called within a tokio runtime, because it starts its background task.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        Self::recorded(store, clock, Telemetry::default())
    }

    /// The same, whose turns and work are recorded as spans.
    #[must_use]
    pub fn recorded(store: Arc<dyn Store>, clock: Arc<dyn Clock>, telemetry: Telemetry) -> Self {
        let shared = Arc::new(Shared {
            store,
            clock,
            owner: Owner::new(uuid::Uuid::now_v7().to_string()),
            cells: Cells::default(),
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
            trouble: watch::Sender::new(None),
            telemetry,
            prints_prompts: AtomicBool::new(false),
        });
        tokio::spawn(pulse::beat(Arc::clone(&shared)));
        tokio::spawn(pulse::poll(Arc::clone(&shared)));
        Self { shared }
    }

    /// An id for a new conversation. Ids sort by the time they were made.
    #[must_use]
    pub fn new_conversation_id() -> ConversationId {
        ConversationId::new(uuid::Uuid::now_v7().to_string())
    }

    /// Opens the conversation `id` with `assistant`, or begins it: it is kept from its first input on. What was going
    /// on when its last process ended goes on, unless another process still holds that work.
    ///
    /// # Errors
    /// [`DriverError::OtherAssistant`] when it belongs to another assistant, [`DriverError::ShutDown`] after shutdown,
    /// and whatever the store says.
    pub async fn open(&self, id: ConversationId, assistant: Arc<dyn Assistant>) -> Result<Session, DriverError> {
        Ok(Session::new(self.shared.open(&id, assistant).await?))
    }

    /// Takes up the work of conversations that nobody has open, at once and with every beat, until shutdown. For
    /// processes that stay: what a short one takes up it would only leave again. Must be called within a runtime.
    pub fn look_after(&self, assistants: Arc<dyn Assistants>) {
        tokio::spawn(unattended::watch(Arc::clone(&self.shared), assistants));
    }

    /// The conversations that are wanted, latest activity first, at most [`crate::store::limits::LISTED_MAX`]; ask
    /// again after the place of the last one for more.
    ///
    /// # Errors
    /// Whatever the store says.
    pub async fn conversations(&self, wanted: &Listing) -> Result<Vec<Summary>, DriverError> {
        Ok(self.shared.store.conversations(wanted).await?)
    }

    /// How the conversation `id` was begun; `None` when there is none of that id.
    ///
    /// # Errors
    /// Whatever the store says.
    pub async fn begun(&self, id: &ConversationId) -> Result<Option<Begun>, DriverError> {
        unattended::begun(&self.shared, id).await
    }

    /// The conversation `id` with `assistant`; `None` when there is none of that id.
    ///
    /// # Errors
    /// As [`Driver::open`].
    pub async fn find(
        &self,
        id: &ConversationId,
        assistant: Arc<dyn Assistant>,
    ) -> Result<Option<Session>, DriverError> {
        let session = self.open(id.clone(), assistant).await?;
        Ok((session.conversation().sequence().number() > 0).then_some(session))
    }

    /// Forgets the conversation `id` for good, its log included. Refused while work of it is under way.
    ///
    /// # Errors
    /// Whatever the store says.
    pub async fn delete(&self, id: &ConversationId) -> Result<Deleted, DriverError> {
        let deleted = self.shared.store.delete(id, self.shared.now()).await?;
        if deleted == Deleted::Gone
            && let Some(cell) = self.shared.cells.remove(id)
        {
            cell.end();
        }
        Ok(deleted)
    }

    /// Copies the log of `from` up to and with `upto` into a new conversation `to`, which goes on by itself from
    /// there; all of it without `upto`. What was being worked on at that point is not copied: the fork would do it a
    /// second time. Where `to` is a fork of the same already, nothing happens.
    ///
    /// # Errors
    /// [`DriverError::ForkAtWork`] when work was under way at that point, and whatever the store says.
    pub async fn fork(
        &self,
        from: &Session,
        upto: Option<Sequence>,
        to: ConversationId,
        person: &PersonId,
    ) -> Result<(), DriverError> {
        fork::fork(&self.shared, from, upto, to, person).await
    }

    /// The store it drives, for listing conversations.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.shared.store
    }

    /// The last thing that went wrong in the background: a report that cannot be stored (it is tried again), a store
    /// that cannot be read. `None` again once it works.
    #[must_use]
    pub fn trouble(&self) -> watch::Receiver<Option<Arc<DriverError>>> {
        self.shared.trouble.subscribe()
    }

    /// What is sent to models is printed on standard error as it is recorded, where it is kept at all: for processes
    /// that draw no conversation themselves.
    pub fn print_prompts(&self) {
        self.shared.prints_prompts.store(true, Ordering::Relaxed);
    }

    /// Where its spans go.
    #[must_use]
    pub fn telemetry(&self) -> &Telemetry {
        &self.shared.telemetry
    }

    /// Takes no more inputs, ends work without reporting it, waits for it, and gives the leases back, so that the next
    /// start goes on at once.
    ///
    /// # Errors
    /// Whatever the store says when the leases are given back; they then run out by themselves.
    pub async fn shutdown(&self) -> Result<(), DriverError> {
        self.shared.closing.cancel();
        self.shared.tasks.close();
        let patience = Duration::from_millis(limits::SHUTDOWN_MS);
        // Work that does not end in time is left behind: its lease is given back all the same, and a report it might
        // still bring is refused by the fence.
        let _ = tokio::time::timeout(patience, self.shared.tasks.wait()).await;
        let released = self.shared.store.release(&self.shared.owner).await;
        // Last, because the spans of work end with it.
        self.shared.telemetry.flush().await;
        Ok(released?)
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.shared.closing.cancel();
    }
}

impl Shared {
    /// The conversation `id` with `assistant`, and what was going on in it goes on.
    async fn open(
        self: &Arc<Self>,
        id: &ConversationId,
        assistant: Arc<dyn Assistant>,
    ) -> Result<Arc<Cell>, DriverError> {
        if self.closing.is_cancelled() {
            return Err(DriverError::ShutDown);
        }
        let load = || Cell::load(Arc::clone(self), id.clone(), Arc::clone(&assistant));
        let cell = self.cells.open(id, load).await?;
        cell.require(assistant.name())?;
        cell.recover().await?;
        Ok(cell)
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Until when a claim made now holds.
    fn until(&self) -> Timestamp {
        Timestamp::from_millis(self.now().as_millis() + limits::LEASE_MS)
    }

    /// Prints what was sent, where that is wanted.
    fn print(&self, call: &ModelCall) {
        if self.prints_prompts.load(Ordering::Relaxed) && call.kept.is_some() {
            eprintln!("{}", call.exchange_told());
        }
    }

    fn note_trouble(&self, error: DriverError) {
        self.trouble.send_replace(Some(Arc::new(error)));
    }

    fn clear_trouble(&self) {
        self.trouble.send_if_modified(|trouble| trouble.take().is_some());
    }
}
