//! Telemetry: what a conversation spent its time on, as OpenTelemetry spans by the conventions for generative AI, sent
//! to whoever the environment names (OTLP over HTTP, as JSON). Off unless an endpoint is named. Sending goes on in the
//! background from a bounded queue: an endpoint that is slow or away costs spans, never work.
//!
//! Our own, because of OpenTelemetry's crates only the type of a span would have been left: their batches neither count
//! what they drop nor live on our runtime, and their OTLP brings a second set of macros and a random generator for
//! what is four screens here. Next: `span` for what is recorded, `export` for how it leaves, `settings` for whether.

mod export;
pub mod limits;
mod otlp;
mod settings;
mod span;

use std::sync::Arc;

use tokio::sync::watch;

pub use export::Counts;
pub use settings::{Content, Settings, WrongSetting};
pub use span::{Fault, Span, SpanContext};

use export::Export;

/// Where spans go; nowhere by default. Cheap to clone.
#[derive(Clone, Default)]
pub struct Telemetry(Option<Arc<Recorder>>);

/// What all spans of a process share.
struct Recorder {
    export: Export,
    content: Content,
}

impl Telemetry {
    /// Sends spans as `settings` say. Must be called within a tokio runtime, because it starts its background task.
    #[must_use]
    pub fn start(settings: Settings) -> Self {
        let content = settings.content;
        Self(Some(Arc::new(Recorder { export: Export::start(settings), content })))
    }

    /// Begins a span called `name`: below `parent`, or a trace of its own. `None` where nothing is recorded: spans go
    /// nowhere, or whoever called us records none of this.
    #[must_use]
    pub fn span(&self, name: String, parent: Option<SpanContext>) -> Option<Span> {
        let recorder = self.0.as_ref()?;
        if parent.is_some_and(|parent| !parent.is_sampled()) {
            return None;
        }
        Span::begin(Arc::clone(recorder), name, parent)
    }

    /// How many spans were sent and lost; `None` where they go nowhere.
    #[must_use]
    pub fn counts(&self) -> Option<Counts> {
        self.0.as_ref().map(|recorder| recorder.export.counts())
    }

    /// The first thing that went wrong with sending, once something has.
    #[must_use]
    pub fn trouble(&self) -> Option<watch::Receiver<Option<String>>> {
        self.0.as_ref().map(|recorder| recorder.export.trouble())
    }

    /// Sends what is still there, for a short while at most.
    pub async fn flush(&self) {
        if let Some(recorder) = &self.0 {
            recorder.export.flush().await;
        }
    }
}
