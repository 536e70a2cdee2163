//! Waiting for a server from code that blocks: a small runtime of its own, because queries are asked for on threads
//! where blocking is fine and the driver of a connection has to go on meanwhile. Next: `postgres`.

use std::future::Future;
use std::io;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Handle, Runtime};

use super::given_up::{GivenUp, STOP_CHECKED_EVERY};

/// A runtime that may be dropped anywhere.
#[derive(Debug)]
pub struct Waiting {
    handle: Handle,
    /// There until the drop.
    runtime: Option<Runtime>,
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

/// Tells the server by `tell` to give up `work`, until that has ended: a server that is told between two parts of a
/// query forgets it. The connection cannot be kept afterwards: what state it is in is not ours to guess.
pub async fn call_off<T, Told: Future>(work: &mut (impl Future<Output = T> + Unpin), tell: impl Fn() -> Told) {
    for _ in 0..CANCELS_MAX {
        let _ = tokio::time::timeout(ANSWER_WAIT, tell()).await;
        if tokio::time::timeout(CANCEL_WAIT, &mut *work).await.is_ok() {
            break;
        }
    }
}

/// The words of the error that began it: the outer ones only say at which step of the protocol it was.
pub fn innermost(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        words = source.to_string();
        next = source.source();
    }
    words
}

/// How long a server that was told to stop, or is over its time, is waited for.
pub const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// How long a query that was cancelled may take to end before the server is told again.
const CANCEL_WAIT: Duration = Duration::from_millis(200);

/// How often a server is told that a query is no longer wanted; then the connection is given up with it.
const CANCELS_MAX: usize = 10;
