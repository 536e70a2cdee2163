//! A lease as its holder knows it: until when the claim holds, moved on by each renewal. Work watches its own, so
//! that it ends in time even when the store is too slow to be asked or a turn holds the conversation for too long:
//! another process may begin the same work from that moment on. Next: `perform`, which ends with it, and `pulse`,
//! which renews it.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use turnwise_core::Timestamp;

use super::Clock;

/// Until when a claim holds.
pub(super) struct Lease(AtomicI64);

impl Lease {
    pub(super) fn until(until: Timestamp) -> Self {
        Self(AtomicI64::new(until.as_millis()))
    }

    /// It was renewed. A renewal never shortens it.
    pub(super) fn extend(&self, until: Timestamp) {
        self.0.fetch_max(until.as_millis(), Ordering::SeqCst);
    }

    pub(super) fn has_lapsed(&self, now: Timestamp) -> bool {
        now.as_millis() >= self.0.load(Ordering::SeqCst)
    }

    /// Waits until it has run out without a renewal.
    pub(super) async fn lapsed(&self, clock: &dyn Clock) {
        loop {
            let left = self.0.load(Ordering::SeqCst) - clock.now().as_millis();
            let Some(left) = u64::try_from(left).ok().filter(|left| *left > 0) else { return };
            tokio::time::sleep(Duration::from_millis(left)).await;
        }
    }
}
