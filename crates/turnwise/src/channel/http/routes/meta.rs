//! The server itself: which assistants there are, whether it is well, what it counts. What watches a server must work
//! without a token, so these routes tell nothing about anyone. Next: `docs`.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use turnwise_core::{AssistantName, Outcome, PersonId};

use super::super::guard;
use super::super::host::{AssistantView, TableAtHandView};
use super::super::problem::{Problem, Refusal};
use super::super::{App, limits, sessions};
use super::{Body, Path};
use crate::driver::TurnResult;

/// What is counted since the start.
#[derive(Debug, Default)]
pub(in crate::channel::http) struct Counts {
    taken: AtomicU64,
    refused: AtomicU64,
    replayed: AtomicU64,
    /// Requests by the first digit of their status, from 1.
    answered: [AtomicU64; 5],
    /// Requests by how long they took, a bucket each for `TOOK_SECONDS` and one for longer.
    took: [AtomicU64; TOOK_SECONDS.len() + 1],
    took_microseconds: AtomicU64,
}

/// The bounds of the buckets of durations.
const TOOK_SECONDS: [f64; 7] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.5, 10.0];

impl Counts {
    /// Counts an input that was taken in.
    pub(in crate::channel::http) fn input(&self, result: &TurnResult) {
        let refused = result.receipt.as_ref().is_some_and(|receipt| receipt.outcome == Outcome::Refused);
        let counter = match (result.duplicate, refused) {
            (true, _) => &self.replayed,
            (false, true) => &self.refused,
            (false, false) => &self.taken,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a request that was answered.
    pub(in crate::channel::http) fn request(&self, status: StatusCode, took: Duration) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.answered[class].fetch_add(1, Ordering::Relaxed);
        let bucket = TOOK_SECONDS.iter().position(|bound| took.as_secs_f64() <= *bound);
        self.took[bucket.unwrap_or(TOOK_SECONDS.len())].fetch_add(1, Ordering::Relaxed);
        let microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.took_microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// The requests in the text format of Prometheus.
    fn write_requests(&self, text: &mut String) {
        let _ = writeln!(text, "# HELP turnwise_requests_total Requests, by the first digit of their status.");
        let _ = writeln!(text, "# TYPE turnwise_requests_total counter");
        for (class, count) in (1..).zip(&self.answered) {
            let count = count.load(Ordering::Relaxed);
            let _ = writeln!(text, "turnwise_requests_total{{status=\"{class}xx\"}} {count}");
        }
        let _ = writeln!(text, "# HELP turnwise_request_seconds How long requests took until their reply began.");
        let _ = writeln!(text, "# TYPE turnwise_request_seconds histogram");
        let mut so_far = 0;
        let bounds = TOOK_SECONDS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
        for (bound, count) in bounds.zip(&self.took) {
            so_far += count.load(Ordering::Relaxed);
            let _ = writeln!(text, "turnwise_request_seconds_bucket{{le=\"{bound}\"}} {so_far}");
        }
        let seconds = Duration::from_micros(self.took_microseconds.load(Ordering::Relaxed)).as_secs_f64();
        let _ = writeln!(text, "turnwise_request_seconds_sum {seconds}\nturnwise_request_seconds_count {so_far}");
    }
}

/// The assistants conversations can be held with.
#[utoipa::path(
    get, path = "/v1/assistants", tag = "server", operation_id = "list_assistants",
    responses((status = 200, body = Vec<AssistantView>), Refusal)
)]
pub(super) async fn assistants(State(app): State<Arc<App>>) -> Json<Vec<AssistantView>> {
    Json(app.host.assistants().to_vec())
}

/// The tables an assistant can be asked about, each with its first rows; none where it works on something else.
#[utoipa::path(
    get, path = "/v1/assistants/{name}/data", tag = "server", operation_id = "list_data",
    params(("name" = String, Path, description = "The assistant, as `GET /v1/assistants` names it")),
    responses((status = 200, body = Vec<TableAtHandView>), Refusal)
)]
pub(super) async fn data(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<Vec<TableAtHandView>>, Problem> {
    let found = app.host.at_hand(&AssistantName::new(name)).await;
    found.map(Json).ok_or_else(|| Problem::not_found("assistant"))
}

/// Coming in, for the page.
pub(super) fn open() -> Router<Arc<App>> {
    Router::new().route("/v1/session", post(sign_in).delete(sign_out))
}

/// What watches the server.
pub(super) fn health() -> Router<Arc<App>> {
    Router::new()
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

/// A token to come in with, from the page.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    token: String,
}

/// Begins a session for whoever has a token that is valid. The page keeps its name in a cookie no script can read.
async fn sign_in(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Body(body): Body<SignIn>,
) -> Result<Response, Problem> {
    if let Err(seconds) = app.strangers.admit(&PersonId::new("")) {
        return Err(Problem::busy("too many attempts to come in", seconds));
    }
    let token = sessions::digest(&body.token);
    if app.settings.access.whose(&token).is_none() {
        return Err(Problem::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "this token is not valid",
            "ask who runs the server",
        ));
    }
    // Who comes in anew leaves what the browser had before.
    if let Some(before) = guard::session(&headers) {
        app.sessions.end(&before);
    }
    let name = app.sessions.begin(token, Instant::now());
    let cookie = app.cookie(&headers, &name, limits::SESSION_SECONDS_MAX);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// Ends the session of the page, here and in the browser. Where there is none, nothing is left to end.
async fn sign_out(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    if let Some(session) = guard::session(&headers) {
        app.sessions.end(&session);
    }
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, app.cookie(&headers, "", 0))]).into_response()
}

/// Whether requests can be served: the store answers, and nothing is wrong in the background.
async fn ready(State(app): State<Arc<App>>) -> Response {
    let wrong = match app.host.trouble() {
        Some(trouble) => Some(trouble),
        None => app.host.conversations(None, None).await.err().map(|error| error.to_string()),
    };
    match wrong {
        None => "ready\n".into_response(),
        Some(trouble) => {
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", trouble, "see the server's log").into_response()
        }
    }
}

/// The counts in the text format of Prometheus.
async fn metrics(State(app): State<Arc<App>>) -> Response {
    let counts = &app.counts;
    let streams = limits::STREAMS_MAX - app.streams.available_permits();
    let requests = limits::CONCURRENT_MAX - app.requests.available_permits();
    let mut text = String::new();
    let _ = writeln!(text, "# HELP turnwise_inputs_total Inputs of people, by what became of them.");
    let _ = writeln!(text, "# TYPE turnwise_inputs_total counter");
    for (outcome, count) in [("taken", &counts.taken), ("refused", &counts.refused), ("replayed", &counts.replayed)] {
        let _ = writeln!(text, "turnwise_inputs_total{{outcome=\"{outcome}\"}} {}", count.load(Ordering::Relaxed));
    }
    for (name, help, value) in [
        ("turnwise_event_streams", "Event streams that are open.", streams),
        ("turnwise_requests_in_flight", "Requests being handled.", requests),
    ] {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
    }
    if let Some(spans) = app.host.spans() {
        let _ = writeln!(text, "# HELP turnwise_spans_total Spans, by whether the OTLP endpoint took them.");
        let _ = writeln!(text, "# TYPE turnwise_spans_total counter");
        for (outcome, count) in [("sent", spans.sent), ("dropped", spans.dropped)] {
            let _ = writeln!(text, "turnwise_spans_total{{outcome=\"{outcome}\"}} {count}");
        }
    }
    counts.write_requests(&mut text);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}
