//! The server itself: which assistants there are, whether it is well, what it counts. What watches a server must work
//! without a token, so these routes tell nothing about anyone. Next: `docs`.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use turnwise_core::Outcome;
use utoipa::openapi::RefOr;
use utoipa::openapi::path::Parameter;

use super::super::guard;
use super::super::host::AssistantView;
use super::super::problem::{Problem, Refusal};
use super::super::{App, description, limits};
use super::Body;
use crate::driver::TurnResult;

/// What is counted since the start.
#[derive(Debug, Default)]
pub(in crate::channel::http) struct Counts {
    taken: AtomicU64,
    refused: AtomicU64,
    replayed: AtomicU64,
}

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
}

/// The assistants conversations can be held with.
#[utoipa::path(
    get, path = "/v1/assistants", tag = "server", operation_id = "list_assistants",
    responses((status = 200, body = Vec<AssistantView>), Refusal)
)]
pub(super) async fn assistants(State(app): State<Arc<App>>) -> Json<Vec<AssistantView>> {
    Json(app.host.assistants().to_vec())
}

/// The routes that need no token.
pub(super) fn open() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/session", post(sign_in))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(|| async { Json(description()) }))
        .route("/docs", get(|| async { Html(docs(&description())) }))
}

/// A token to keep in a cookie, for the page.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct SignIn {
    token: String,
}

/// Keeps a token that is valid in a cookie no script can read.
async fn sign_in(State(app): State<Arc<App>>, Body(body): Body<SignIn>) -> Result<Response, Problem> {
    let fits = body.token.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !fits || app.access.whose(&body.token).is_none() {
        return Err(Problem::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "this token is not valid",
            "ask who runs the server",
        ));
    }
    let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000", guard::COOKIE, body.token);
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response())
}

/// Whether requests can be served: the store answers, and nothing is wrong in the background.
async fn ready(State(app): State<Arc<App>>) -> Response {
    let wrong = match app.host.trouble() {
        Some(trouble) => Some(trouble),
        None => app.host.conversations().await.err().map(|error| error.to_string()),
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
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// The API for people: every request with what it takes and answers, from the same description programs read.
fn docs(api: &utoipa::openapi::OpenApi) -> String {
    let mut page = maud::html! {
        (maud::DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                title { "Turnwise API" }
                link rel="stylesheet" href="/assets/docs.css";
            }
            body {
                main {
                    h1 { "Turnwise API" }
                    p { (api.info.description.as_deref().unwrap_or_default()) }
                    p { "For programs: " a href="/openapi.json" { "openapi.json" } " (OpenAPI 3.1)." }
                    @for (path, item) in &api.paths.paths {
                        @for (method, operation) in operations(item) {
                            section {
                                h2 { code { (method) " " (path) } }
                                p { (operation.summary.as_deref().unwrap_or_default()) " "
                                    (operation.description.as_deref().unwrap_or_default()) }
                                @if let Some(parameters) = &operation.parameters {
                                    ul {
                                        @for parameter in parameters.iter().filter_map(inline) {
                                            li { code { (parameter.name) } " " (parameter.description.as_deref().unwrap_or_default()) }
                                        }
                                    }
                                }
                                p.answers { "Answers: "
                                    @for status in operation.responses.responses.keys() { code { (status) } " " }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    .into_string();
    page.push('\n');
    page
}

fn inline(parameter: &RefOr<Parameter>) -> Option<&Parameter> {
    match parameter {
        RefOr::T(parameter) => Some(parameter),
        RefOr::Ref(_) => None,
    }
}

fn operations(item: &utoipa::openapi::PathItem) -> Vec<(&'static str, &utoipa::openapi::path::Operation)> {
    let all = [("GET", &item.get), ("POST", &item.post), ("PUT", &item.put), ("DELETE", &item.delete)];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_ref()?))).collect()
}
