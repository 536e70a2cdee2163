//! What happens, as it happens: server-sent events whose ids are places in the log, so that a client that was away goes
//! on where it stopped; and the same as a long poll for clients without streams. Next: `view::event`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use hyper::body::Bytes;
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, watch};
use turnwise_core::{PersonId, Sequence};
use utoipa::ToSchema;

use super::super::frames::{self, WrittenView};
use super::super::guard::{Caller, Pass, unauthorized};
use super::super::problem::{Problem, Refusal};
use super::super::view::{self, EventView, StateView};
use super::super::{App, limits};
use super::parameters::Named;
use super::{Asked, Path, conversation, is_theirs};
use crate::driver::{EventFeed, Recorded, Session, Writing};

/// From where, and how long to wait.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct After {
    /// Events after this one; the whole history without it.
    #[serde(default)]
    after: u64,
    /// For a poll: seconds to wait for an event when there is none yet.
    #[serde(default)]
    wait_seconds: u64,
}

/// The answer to a poll.
#[derive(Debug, Serialize, ToSchema)]
pub struct News {
    /// What happened, in order.
    pub events: Vec<EventView>,
    /// Where to go on: the `after` of the next poll.
    pub next: u64,
    /// Where the conversation stands now.
    pub state: StateView,
}

/// What happened, and what happens within `wait_seconds`: a long poll. With `Accept: text/event-stream` the same as
/// `stream`.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/events", tag = "events", operation_id = "follow",
    params(
        Named,
        ("after" = Option<u64>, Query, description = "Events after this one; the whole history without it"),
        ("wait_seconds" = Option<u64>, Query, maximum = 55, description = "How long to wait for news")
    ),
    responses((status = 200, body = News), Refusal)
)]
pub(super) async fn events(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(after): Asked<After>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if wants_stream(&headers) {
        return streamed(app, caller, &id, after.after, &headers).await;
    }
    let session = conversation(&app, &caller, &id).await?;
    let from = starting_place(&headers, after.after)?;
    if after.wait_seconds > limits::POLL_SECONDS_MAX {
        let told = format!("a poll waits at most {} seconds", limits::POLL_SECONDS_MAX);
        return Err(Problem::bad_request(told, "poll again after that"));
    }
    let news = poll(&session, from, after.wait_seconds).await?;
    // Who was let in when the waiting began may not be any more, or may have left.
    app.let_in(&caller.3).ok_or_else(unauthorized)?;
    conversation(&app, &caller, &id).await?;
    Ok(Json(news).into_response())
}

/// A frame of the stream.
#[derive(Debug, Serialize, ToSchema)]
#[allow(dead_code, reason = "describes the stream; `frames` writes it once for all who follow")]
pub struct StreamedView {
    /// What it tells: `event`, something happened; `state`, where the conversation stands, whenever that changed;
    /// `writing`, what a model has written so far, or the `program` of a step printed.
    #[schema(example = "state")]
    pub event: Option<String>,
    /// That as JSON: an `EventView`, a `StateView`, or the text so far.
    pub data: String,
    /// The sequence of an `event`, to be sent back in `Last-Event-ID`.
    #[serde(rename = "id")]
    pub sequence: Option<String>,
}

/// Follow a conversation as server-sent events: `event` has an `EventView`, its `id` is its sequence; `state` has a
/// `StateView`, whenever it changed, and no id. Send `Last-Event-ID` to go on after a break.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/stream", tag = "events", operation_id = "stream",
    params(
        Named,
        ("after" = Option<u64>, Query, description = "Events after this one; the whole history without it"),
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that was received")
    ),
    responses((status = 200, body = StreamedView, content_type = "text/event-stream"), Refusal)
)]
pub(super) async fn stream(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(after): Asked<After>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    streamed(app, caller, &id, after.after, &headers).await
}

async fn streamed(
    app: Arc<App>,
    caller: Caller,
    id: &str,
    after: u64,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let session = conversation(&app, &caller, id).await?;
    let from = starting_place(headers, after)?;
    let following = Following {
        feed: session.events(from),
        writing: Written::by(&session),
        session,
        app: Arc::clone(&app),
        person: caller.0,
        pass: caller.3,
        told: None,
        ready: VecDeque::new(),
        _place: place_for_stream(&app)?,
    };
    Ok(following.response())
}

/// Whether a stream is asked for, rather than what there is.
pub(super) fn wants_stream(headers: &HeaderMap) -> bool {
    let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accepts.contains("text/event-stream")
}

/// A place among the streams that are open at once.
pub(super) fn place_for_stream(app: &App) -> Result<OwnedSemaphorePermit, Problem> {
    let place = Arc::clone(&app.streams).try_acquire_owned();
    place.map_err(|_full| Problem::busy("too many event streams are open", limits::KEEP_ALIVE_SECONDS))
}

/// Where a client goes on: after the event it received last, or where it asked for.
pub(super) fn starting_place(headers: &HeaderMap, after: u64) -> Result<Sequence, Problem> {
    if after > PLACE_MAX {
        return Err(Problem::bad_request("`after` is no place in a log", "send the `next` of the last answer"));
    }
    match headers.get("last-event-id").map(|value| value.to_str().ok().and_then(place_of)) {
        None => Ok(Sequence::new(after)),
        Some(Some(last)) => Ok(Sequence::new(last)),
        Some(None) => Err(Problem::bad_request("Last-Event-ID is no number", "send the last `id` received")),
    }
}

/// A place in the log, as a client sends it back.
fn place_of(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|place| *place <= PLACE_MAX)
}

async fn poll(session: &Session, from: Sequence, wait_seconds: u64) -> Result<News, Problem> {
    let wait = Duration::from_secs(wait_seconds);
    let mut feed = session.events(from);
    let mut events = Vec::new();
    let mut next = from.number();
    // The first event may be waited for; what is there already follows at once.
    let mut patience = wait;
    while events.len() < limits::POLL_EVENTS_MAX {
        if patience.is_zero() && next >= session.conversation().sequence().number() {
            break;
        }
        let Ok(recorded) = tokio::time::timeout(patience.max(READ_PATIENCE), feed.next()).await else { break };
        let recorded = recorded?;
        next = recorded.sequence.number();
        events.extend(view::event(&recorded));
        if !events.is_empty() {
            patience = Duration::ZERO;
        }
    }
    Ok(News { events, next, state: StateView::of(session).await? })
}

/// What a stream holds on to.
struct Following {
    session: Session,
    feed: EventFeed,
    app: Arc<App>,
    /// What a model is writing.
    writing: Written,
    /// Who follows.
    person: PersonId,
    /// What let the caller in, and must go on to.
    pass: Pass,
    /// The state that was told last; where the conversation stands is the first thing told.
    told: Option<Sequence>,
    /// What is still to be sent.
    ready: VecDeque<Arc<Recorded>>,
    _place: OwnedSemaphorePermit,
}

/// What a model is writing, and as much of it as was sent.
pub(super) struct Written {
    seen: watch::Receiver<Option<Arc<Writing>>>,
    sent: Option<Arc<Writing>>,
}

impl Written {
    /// What is written in the conversation of `session` from now on.
    pub(super) fn by(session: &Session) -> Self {
        Self { seen: session.writing(), sent: None }
    }

    /// What to send next; may be dropped and called again without missing any.
    pub(super) async fn next(&mut self) -> WrittenView {
        if self.seen.changed().await.is_err() {
            return std::future::pending().await;
        }
        let now = self.seen.borrow_and_update().clone();
        let before = std::mem::replace(&mut self.sent, now.clone());
        WrittenView::new(now.as_deref(), before.as_deref())
    }
}

impl Following {
    fn response(self) -> Response {
        let frames = futures_util::stream::unfold(self, |mut following| async move {
            let frame = following.next().await?;
            Some((Ok::<_, Infallible>(frame), following))
        });
        let headers = [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-cache")];
        (headers, Body::from_stream(frames)).into_response()
    }

    /// The next thing to send; none when the server or the conversation ends, or its caller is let in no more.
    async fn next(&mut self) -> Option<Bytes> {
        let Some(told) = self.told else {
            let view = StateView::of(&self.session).await.ok()?;
            self.told = Some(Sequence::new(view.sequence));
            return Some(frames::state(&view));
        };
        loop {
            if self.ready.is_empty() {
                let patience = Duration::from_secs(limits::KEEP_ALIVE_SECONDS.into());
                self.ready = tokio::select! {
                    biased;
                    () = self.app.closing.cancelled() => return None,
                    waited = tokio::time::timeout(patience, self.feed.shared_turns()) => match waited {
                        Ok(turns) => turns.ok()?.into(),
                        Err(_) => return self.app.let_in(&self.pass).map(|_| frames::alive()),
                    },
                    written = self.writing.next() => {
                        return self.app.let_in(&self.pass).map(|_| frames::writing(&written));
                    }
                };
            }
            self.app.let_in(&self.pass)?;
            if !is_theirs(&self.app, &self.person, &self.session) {
                return None;
            }
            let part: Vec<_> = self.ready.drain(..self.ready.len().min(limits::FRAME_EVENTS_MAX)).collect();
            let (frame, now) = self.app.frames.frame(&self.session, &part, told).await.ok()?;
            self.told = Some(now);
            if !frame.is_empty() {
                return Some(frame);
            }
        }
    }
}

/// The last place a log can have: stores and most clients count in signed numbers.
const PLACE_MAX: u64 = i64::MAX as u64;

/// Reading what is in the log already takes no longer than this; a poll that finds less then answers with what it has.
const READ_PATIENCE: Duration = Duration::from_millis(250);
