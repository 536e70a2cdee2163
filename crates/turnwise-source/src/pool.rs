//! Connections that wait for the next query, the same for every engine: making one is slow, and more than can work at
//! once are of no use. Next: `engine`, `server`.

use std::sync::{Mutex, PoisonError};

use super::limits::IDLE_CONNECTIONS_MAX;

/// Connections in good order that nobody uses just now.
#[derive(Debug)]
pub struct Pool<C>(Mutex<Vec<C>>);

impl<C> Pool<C> {
    /// None yet.
    pub fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// One that still is as `good` wants it; those that are not are dropped.
    pub fn take(&self, good: impl Fn(&C) -> bool) -> Option<C> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(good);
        idle.pop()
    }

    /// Keeps a connection whose query ended as it should; more than can be used at once are closed.
    pub fn give_back(&self, connection: C) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < IDLE_CONNECTIONS_MAX {
            idle.push(connection);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_broke_is_not_handed_out_and_no_more_are_kept_than_can_be_used() {
        let pool = Pool::new();
        for connection in 0..IDLE_CONNECTIONS_MAX + 3 {
            pool.give_back(connection);
        }
        assert_eq!(pool.take(|connection| *connection == 1), Some(1));
        assert_eq!(pool.take(|_| true), None, "what was not good went with the first look");
    }
}
