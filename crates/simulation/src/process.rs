//! A process: one driver from its start to its death, the thread of the store that leads to it, and its tools. When it
//! dies nothing of it gets through any more: neither to the store nor to the world. Next: `faults`.

use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;
use turnwise::driver::{Clock, Driver, DriverError, Session};
use turnwise_core::{ConversationId, Timestamp};

use crate::faults::Line;
use crate::tools::Tools;
use crate::world::World;

/// One life of one driver.
pub(crate) struct Process {
    pub(crate) number: usize,
    dead: CancellationToken,
    session: Mutex<Option<Session>>,
}

/// Virtual time as a clock: the timers of the driver and the times it stores are the same time.
struct VirtualClock {
    begun: tokio::time::Instant,
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        let since = i64::try_from(self.begun.elapsed().as_millis()).unwrap_or(i64::MAX / 2);
        Timestamp::from_millis(BEGINNING_MS + since)
    }
}

/// The virtual date at which every history begins: 2025-01-01.
const BEGINNING_MS: i64 = 1_735_689_600_000;

impl Process {
    pub(crate) fn new(number: usize) -> Arc<Self> {
        Arc::new(Self { number, dead: CancellationToken::new(), session: Mutex::default() })
    }

    /// Ends at once, in the middle of whatever it does.
    pub(crate) fn die(&self) {
        self.dead.cancel();
        self.session.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    pub(crate) async fn died(&self) {
        self.dead.cancelled().await;
    }

    /// Goes on if the process lives; what is dead stays here.
    pub(crate) async fn alive(&self) {
        if self.dead.is_cancelled() {
            std::future::pending::<()>().await;
        }
    }

    pub(crate) fn session(&self) -> Option<Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Starts a driver and opens the conversation in it. The driver lives until it is dropped.
    pub(crate) async fn start(self: &Arc<Self>, world: &Arc<World>) -> Result<Driver, DriverError> {
        let clock = Arc::new(VirtualClock { begun: world.begun });
        let line = Arc::new(Line::new(Arc::clone(self), Arc::clone(world)));
        let driver = Driver::new(line, clock);
        let tools = Arc::new(Tools::new(Arc::clone(self), Arc::clone(world)));
        let session = driver.open(ConversationId::new(crate::world::CONVERSATION), tools).await?;
        if !self.dead.is_cancelled() {
            *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
        }
        Ok(driver)
    }
}
