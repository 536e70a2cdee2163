//! Attention: whether somebody waits for an answer. What is worked out beside people takes a core and the store from
//! them, so it goes on where nobody waited for a moment, and a little at a time where somebody always does. Next:
//! `meaning`.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Store;

/// Who waits.
#[derive(Debug, Default)]
pub(super) struct Attention(Mutex<Attended>);

#[derive(Debug, Default)]
struct Attended {
    waiting: usize,
    /// When the last one was answered.
    answered: Option<Instant>,
}

/// Somebody waits as long as this is there.
#[derive(Debug)]
pub struct Waits<'a>(&'a Attention);

impl Store {
    /// Somebody waits for what is done from here on.
    #[must_use]
    pub fn attended(&self) -> Waits<'_> {
        self.attention.attended().waiting += 1;
        Waits(&self.attention)
    }
}

impl Attention {
    fn attended(&self) -> MutexGuard<'_, Attended> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_busy(&self, now: Instant) -> bool {
        let attended = self.attended();
        let is_fresh = |answered| now.saturating_duration_since(answered) < QUIET;
        attended.waiting > 0 || attended.answered.is_some_and(is_fresh)
    }

    /// Whether work that stepped back at `begun` goes on at `now`.
    fn has_room(&self, begun: Instant, now: Instant) -> bool {
        !self.is_busy(now) || now.saturating_duration_since(begun) >= LEFT_MAX
    }

    /// Comes back once nobody waited for a moment, or after a while.
    pub(super) fn leave_room(&self) {
        let begun = Instant::now();
        while !self.has_room(begun, Instant::now()) {
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        let mut attended = self.0.attended();
        attended.waiting -= 1;
        attended.answered = Some(Instant::now());
    }
}

/// How long nobody has waited before the machine is free: the pieces of one answer follow each other faster.
const QUIET: Duration = Duration::from_millis(40);
/// How long one piece of work steps back at most: where people always wait, ten notes a second are still read.
const LEFT_MAX: Duration = Duration::from_millis(100);
const BETWEEN_LOOKS: Duration = Duration::from_millis(4);

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn work_beside_people_steps_back_while_somebody_waits_and_never_for_ever() {
        let (attention, begun) = (Attention::default(), Instant::now());
        let moment = Duration::from_millis(1);
        assert!(attention.has_room(begun, begun), "nobody waits");
        attention.attended().waiting += 1;
        let waits = Waits(&attention);
        assert!(attention.is_busy(begun + 100 * LEFT_MAX));
        assert!(!attention.has_room(begun, begun + LEFT_MAX - moment));
        assert!(attention.has_room(begun, begun + LEFT_MAX), "it goes on, though somebody waits all the time");
        drop(waits);
        let Some(answered) = attention.attended().answered else { panic!("nobody was answered") };
        assert!(attention.is_busy(answered + QUIET - moment), "another piece of the same answer may follow");
        assert!(!attention.is_busy(answered + QUIET));
        assert!(attention.has_room(answered, answered + QUIET));
    }
}
