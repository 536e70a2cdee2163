//! How spans leave: through a bounded queue to one task, which sends them in batches. What cannot be sent is dropped
//! and counted, and said once. Next: `otlp`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::{Request, StatusCode, header};
use hyper::body::Bytes;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::span::Ended;
use super::{Settings, limits, otlp};
use crate::outgoing::{call, whole};

/// What became of spans since the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Taken by the endpoint.
    pub sent: u64,
    /// Lost: the queue was full, or the endpoint did not take them.
    pub dropped: u64,
}

/// The queue to the task that sends.
pub(super) struct Export {
    queue: mpsc::Sender<Ended>,
    flush: mpsc::Sender<oneshot::Sender<()>>,
    shared: Arc<Shared>,
}

struct Shared {
    sent: AtomicU64,
    dropped: AtomicU64,
    trouble: watch::Sender<Option<String>>,
}

impl Export {
    pub(super) fn start(settings: Settings) -> Self {
        let (queue, waiting) = mpsc::channel(limits::QUEUE_MAX);
        let (flush, asked) = mpsc::channel(1);
        let trouble = watch::Sender::new(None);
        let shared = Arc::new(Shared { sent: AtomicU64::new(0), dropped: AtomicU64::new(0), trouble });
        tokio::spawn(Sending { settings, waiting, asked, shared: Arc::clone(&shared) }.run());
        Self { queue, flush, shared }
    }

    /// Never waits: where the queue is full, the span is lost.
    pub(super) fn queue(&self, span: Ended) {
        if self.queue.try_send(span).is_err() {
            self.shared.lost(1, || "more spans came than could be sent".to_owned());
        }
    }

    pub(super) fn counts(&self) -> Counts {
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        Counts { sent: count(&self.shared.sent), dropped: count(&self.shared.dropped) }
    }

    pub(super) fn trouble(&self) -> watch::Receiver<Option<String>> {
        self.shared.trouble.subscribe()
    }

    pub(super) async fn flush(&self) {
        let flushed = async {
            let (done, flushed) = oneshot::channel();
            if self.flush.send(done).await.is_ok() {
                let _ = flushed.await;
            }
        };
        if tokio::time::timeout(Duration::from_millis(limits::FLUSH_MS), flushed).await.is_err() {
            self.shared.lost(0, || "the endpoint did not take what was left in time".to_owned());
        }
    }
}

impl Shared {
    fn lost(&self, count: usize, told: impl FnOnce() -> String) {
        self.dropped.fetch_add(count as u64, Ordering::Relaxed);
        // Said once: an endpoint that is away for a day is one piece of news.
        self.trouble.send_if_modified(|trouble| {
            let is_first = trouble.is_none();
            trouble.get_or_insert_with(told);
            is_first
        });
    }
}

/// The task that sends.
struct Sending {
    settings: Settings,
    waiting: mpsc::Receiver<Ended>,
    asked: mpsc::Receiver<oneshot::Sender<()>>,
    shared: Arc<Shared>,
}

/// Why a batch goes now.
enum Why {
    /// It is full, or has waited long enough.
    Due,
    /// The queue is to be emptied, and whoever wants it waits.
    Asked(oneshot::Sender<()>),
    /// Nobody records any more.
    Closed,
}

impl Sending {
    async fn run(mut self) {
        let mut batch = Vec::new();
        loop {
            let why = self.gather(&mut batch).await;
            let attempts = if matches!(why, Why::Due) { limits::ATTEMPTS_MAX } else { 1 };
            let interrupted = self.deliver(&mut batch, attempts).await;
            match interrupted.unwrap_or(why) {
                Why::Due => {}
                Why::Asked(done) => {
                    self.empty(&mut batch).await;
                    let _ = done.send(());
                }
                Why::Closed => return,
            }
        }
    }

    /// Fills a batch: with as many as fit in a request, or as come in a while. Whoever asks for the queue to be emptied
    /// is not kept waiting.
    async fn gather(&mut self, batch: &mut Vec<Ended>) -> Why {
        let mut until = None;
        while batch.len() < limits::BATCH_MAX {
            let time_is_up = async {
                match until {
                    Some(until) => tokio::time::sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                asked = self.asked.recv() => return asked.map_or(Why::Closed, Why::Asked),
                span = self.waiting.recv() => match span {
                    Some(span) => batch.push(span),
                    None => return Why::Closed,
                },
                () = time_is_up => return Why::Due,
            }
            let wait = Duration::from_millis(limits::BATCH_MS);
            until.get_or_insert_with(|| Instant::now() + wait);
        }
        Why::Due
    }

    /// Sends everything that had ended by now.
    async fn empty(&mut self, batch: &mut Vec<Ended>) {
        while let Ok(span) = self.waiting.try_recv() {
            batch.push(span);
            if batch.len() >= limits::BATCH_MAX {
                self.deliver(batch, 1).await;
            }
        }
        self.deliver(batch, 1).await;
    }

    /// Sends the batch, again after a pause where that may help. Whoever wants the queue emptied ends the pause, and
    /// there is one more attempt.
    async fn deliver(&mut self, batch: &mut Vec<Ended>, attempts: u32) -> Option<Why> {
        if batch.is_empty() {
            return None;
        }
        let body = Bytes::from(otlp::body(&self.settings.resource, batch).to_string());
        let mut pause = Duration::from_millis(limits::PAUSE_MS);
        let (mut left, mut interrupted) = (attempts, None);
        loop {
            left -= 1;
            match self.send(body.clone()).await {
                Ok(()) => {
                    self.shared.sent.fetch_add(batch.len() as u64, Ordering::Relaxed);
                    break;
                }
                Err(refused) if refused.may_pass && left > 0 => {
                    tokio::select! {
                        asked = self.asked.recv() => {
                            interrupted = Some(asked.map_or(Why::Closed, Why::Asked));
                            left = 1;
                        }
                        () = tokio::time::sleep(pause) => pause *= 2,
                    }
                }
                Err(refused) => {
                    self.shared.lost(batch.len(), || refused.told);
                    break;
                }
            }
        }
        batch.clear();
        interrupted
    }

    async fn send(&self, body: Bytes) -> Result<(), Refused> {
        let mut request = Request::post(&self.settings.path).header(header::CONTENT_TYPE, "application/json");
        for (name, value) in &self.settings.headers {
            request = request.header(name, value);
        }
        let told = |what: String| format!("spans are not taken by {}: {what}", self.settings.shown());
        let request = request.body(body).map_err(|error| Refused { told: told(error.to_string()), may_pass: false })?;
        let calling = async {
            let answer = call(&self.settings.address, request).await?;
            let status = answer.status();
            whole(&self.settings.address, answer, limits::ANSWER_BYTES_MAX).await?;
            Ok(status)
        };
        match tokio::time::timeout(self.settings.timeout, calling).await {
            Ok(Ok(status)) if status.is_success() => Ok(()),
            Ok(Ok(status)) => Err(Refused { told: told(format!("it answers {status}")), may_pass: passes(status) }),
            Ok(Err(error)) => {
                let error: crate::outgoing::CallError = error;
                Err(Refused { told: told(error.to_string()), may_pass: true })
            }
            Err(_) => Err(Refused { told: told("it does not answer".to_owned()), may_pass: true }),
        }
    }
}

/// Why a batch was not taken.
struct Refused {
    told: String,
    may_pass: bool,
}

/// What OTLP names as worth another attempt.
fn passes(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS
            | StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
    )
}
