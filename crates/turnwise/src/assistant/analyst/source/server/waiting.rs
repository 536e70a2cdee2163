//! Waiting for a server from code that blocks: a small runtime of its own, because queries are asked for on threads
//! where blocking is fine and the driver of a connection has to go on meanwhile. Next: `postgres`.

use std::future::Future;
use std::io;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};

/// A runtime that may be dropped anywhere.
#[derive(Debug)]
pub struct Waiting {
    handle: Handle,
    /// There until the drop.
    runtime: Option<Runtime>,
}

/// Why a query is no longer waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivenUp {
    /// The stop signal said so.
    Stopped,
    /// The deadline passed.
    TimedOut,
}

impl Waiting {
    /// A runtime with one thread, which drives connections.
    pub fn new() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("databases").enable_all().build()?;
        Ok(Self { handle: runtime.handle().clone(), runtime: Some(runtime) })
    }

    /// Waits for `work`. Must not be called on a thread that drives a runtime.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.handle.block_on(work)
    }
}

impl Drop for Waiting {
    /// A runtime dropped where blocking is not allowed would panic; its connections are closed either way.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Ends when `stop` says so or at the deadline.
pub async fn given_up(stop: impl Fn() -> bool, deadline: Option<Instant>) -> GivenUp {
    loop {
        if stop() {
            return GivenUp::Stopped;
        }
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return GivenUp::TimedOut;
        }
        tokio::time::sleep(STOP_CHECKED_EVERY).await;
    }
}

/// How soon a stop is noticed: well within the 50 ms in which it is acknowledged.
const STOP_CHECKED_EVERY: Duration = Duration::from_millis(10);
