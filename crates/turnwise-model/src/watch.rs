//! Who looks on while models are asked. Whoever starts a piece of work says who watches it, and every call that is made
//! for it is told to them, as it is written and when it ends: also one that is given up in the middle. So
//! no assistant has to pass a listener through its layers. Next: `ask`, which tells.

use std::future::Future;
use std::sync::Arc;

use crate::{Call, ModelName, TaskName};

/// Somebody who looks on. Told from within the work, so nothing here may wait.
pub trait Watch: Send + Sync + 'static {
    /// A part of an answer came, of a task whose writing may be shown.
    fn part(&self, live: Live<'_>);

    /// A call ended, however it did.
    fn ended(&self, call: Call);
}

/// A part of an answer that is being written: nothing in it was checked.
#[derive(Clone, Copy, Debug)]
pub struct Live<'a> {
    /// What it is written for.
    pub task: &'a TaskName,
    /// Who writes.
    pub model: &'a ModelName,
    /// What came now; empty where the writing begins, ends, or begins anew.
    pub text: &'a str,
    /// Where the call stands with it.
    pub stage: Stage,
}

/// Where an answer that is being written stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It was sent; nothing came so far.
    Asked,
    /// It is written.
    Writing,
    /// Nothing more comes; what came is looked at now.
    Over,
}

tokio::task_local! {
    static WATCH: Arc<dyn Watch>;
}

/// Does `work`, whose calls `watch` is told. What it hands to threads and tasks of its own takes [`Watching`] along.
pub async fn watched<F: Future>(watch: Arc<dyn Watch>, work: F) -> F::Output {
    WATCH.scope(watch, work).await
}

/// Whoever watches the work at hand, to be taken along to another thread or task.
#[derive(Clone)]
pub struct Watching(Option<Arc<dyn Watch>>);

impl Watching {
    /// Whoever watches here.
    #[must_use]
    pub fn here() -> Self {
        Self(here())
    }

    /// Does `work` before the same eyes.
    pub async fn during<F: Future>(self, work: F) -> F::Output {
        match self.0 {
            Some(watch) => watched(watch, work).await,
            None => work.await,
        }
    }
}

/// Who watches the work at hand.
pub(crate) fn here() -> Option<Arc<dyn Watch>> {
    WATCH.try_with(Arc::clone).ok()
}
