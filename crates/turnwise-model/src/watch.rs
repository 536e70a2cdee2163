//! Who looks on while models are asked. Whoever starts a piece of work says who watches it, and every call that is made
//! for it is told to them, as it is written and when it ends: also one that is given up in the middle. So
//! no assistant has to pass a listener through its layers. What a program prints that such work runs is told the same
//! way. Next: `ask`, which tells.

use std::future::Future;
use std::sync::Arc;

use crate::{Call, ModelName, TaskName};

/// Somebody who looks on. Told from within the work, so nothing here may wait.
pub trait Watch: Send + Sync + 'static {
    /// A part came of what may be shown while it is written.
    fn part(&self, live: Live<'_>);

    /// A call ended, however it did.
    fn ended(&self, call: Call);
}

/// A part of what is being written: nothing in it was checked.
#[derive(Clone, Copy, Debug)]
pub struct Live<'a> {
    /// Who writes.
    pub by: By<'a>,
    /// What came now; empty where the writing begins, ends, or begins anew.
    pub text: &'a str,
    /// Where it stands.
    pub stage: Stage,
}

/// Who writes something.
#[derive(Clone, Copy, Debug)]
pub enum By<'a> {
    /// A model, for a task.
    Model {
        /// What it is written for.
        task: &'a TaskName,
        /// The model.
        name: &'a ModelName,
    },
    /// A program that a step runs, as one would type it.
    Program(&'a str),
}

/// Where what is being written stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It began; nothing came so far.
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
    /// Tells a part of what is written, if somebody watches.
    pub fn tell(&self, live: Live<'_>) {
        if let Some(watch) = &self.0 {
            watch.part(live);
        }
    }

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
