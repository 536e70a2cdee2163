//! The log itself, and what this server is: for programs that hold a conversation as this one does, such as
//! `turnwise chat --server`. They fold the same events with the same core, so what they draw cannot differ from what a
//! terminal beside the store draws. Next: `events` for what other clients follow.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedSemaphorePermit;
use turnwise_core::{Event, PersonId, Sequence};
use utoipa::ToSchema;

use super::super::guard::{Caller, Pass};
use super::super::host::{KnownAssistant, TakesFiles};
use super::super::problem::{Problem, Refusal};
use super::super::{App, limits};
use super::events::{place_for_stream, starting_place, wants_stream};
use super::parameters::Named;
use super::{Asked, Path, conversation, is_theirs};
use crate::driver::{LOG_FORMAT, Recorded, Session};

/// What this server is.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServerView {
    /// Always `turnwise`.
    pub product: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Counts up when programs of before can no longer read the log.
    pub log: u32,
    /// Who you are here.
    pub person: String,
    /// All assistants the program has; `GET /v1/assistants` lists those that are served here.
    pub assistants: Vec<KnownAssistant>,
    /// What can be brought to ask about, where an assistant here reads files: `POST /v1/uploads`.
    pub uploads: Option<TakesFiles>,
    /// Whether you came in on the page, and can sign out: `DELETE /v1/session`.
    pub can_sign_out: bool,
}

/// Events of the log.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogPage {
    /// In order.
    pub events: Vec<EntryView>,
    /// Where to go on: the `after` of the next page; the last one is empty.
    pub next: u64,
}

/// An event as it is kept.
#[derive(Debug, Serialize, ToSchema)]
pub struct EntryView {
    /// Its place in the log.
    pub sequence: u64,
    /// As it is kept; its form is that of the version this server has.
    #[schema(value_type = Object)]
    pub event: Event,
}

/// From where.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Events after this one; from the first without it.
    #[serde(default)]
    after: u64,
}

/// What this server is, and who you are here.
#[utoipa::path(
    get, path = "/v1/server", tag = "server", operation_id = "get_server",
    responses((status = 200, body = ServerView), Refusal)
)]
pub(super) async fn server(State(app): State<Arc<App>>, Extension(caller): Extension<Caller>) -> Json<ServerView> {
    Json(ServerView {
        product: "turnwise",
        version: env!("CARGO_PKG_VERSION"),
        log: LOG_FORMAT,
        person: caller.0.to_string(),
        assistants: app.host.known(),
        uploads: app.host.takes_files(),
        can_sign_out: matches!(caller.3, Pass::Session(_)),
    })
}

/// The log as it is kept, for programs of the same version that hold a conversation themselves; others follow `events`.
/// With `Accept: text/event-stream` a stream of server-sent events `turns`: each is a page that ends with a turn, and
/// its `id` is its `next`; send `Last-Event-ID` to go on after a break. Otherwise one page.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/log", tag = "events", operation_id = "read_log",
    params(
        Named,
        ("after" = Option<u64>, Query, description = "Events after this one; from the first without it")
    ),
    responses((status = 200, body = LogPage), Refusal)
)]
pub(super) async fn log(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(place): Asked<Place>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let from = starting_place(&headers, place.after)?;
    if !wants_stream(&headers) {
        return Ok(Json(LogPage::of(session.page(from).await?, from)).into_response());
    }
    let stream = follow(session, from, place_for_stream(&app)?, Arc::clone(&app), (caller.0, caller.3));
    let alive = KeepAlive::new().interval(Duration::from_secs(limits::KEEP_ALIVE_SECONDS.into())).text("alive");
    Ok(Sse::new(stream).keep_alive(alive).into_response())
}

fn follow(
    session: Session,
    from: Sequence,
    place: OwnedSemaphorePermit,
    app: Arc<App>,
    (person, pass): (PersonId, Pass),
) -> impl Stream<Item = Result<Sent, Infallible>> {
    let feed = session.events(from);
    stream::unfold((feed, session, person, place, app), move |(mut feed, session, person, place, app)| async move {
        let turns = tokio::select! {
            biased;
            () = app.closing.cancelled() => return None,
            turns = feed.turns() => turns.ok()?,
        };
        // Whoever signed out or whose token was revoked meanwhile hears nothing any more.
        app.let_in(&pass)?;
        // Nor does who left.
        if !is_theirs(&app, &person, &session) {
            return None;
        }
        let page = LogPage::of(turns, Sequence::new(0));
        let sent = Sent::default().event("turns").id(page.next.to_string()).json_data(&page).ok()?;
        Some((Ok(sent), (feed, session, person, place, app)))
    })
}

/// Where on its machine a server finds the data is for programs beside it, which read the store.
fn without_places(event: Event) -> Event {
    match event {
        Event::ConversationOpened { assistant, at, .. } => {
            Event::ConversationOpened { assistant, sources: Vec::new(), at }
        }
        other => other,
    }
}

impl LogPage {
    /// The events that come after `after`.
    fn of(recorded: Vec<Recorded>, after: Sequence) -> Self {
        let next = recorded.last().map_or(after, |last| last.sequence).number();
        let entry = |recorded: Recorded| EntryView {
            sequence: recorded.sequence.number(),
            event: without_places(recorded.event),
        };
        Self { events: recorded.into_iter().map(entry).collect(), next }
    }
}
