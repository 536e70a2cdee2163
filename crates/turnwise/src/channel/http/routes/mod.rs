//! What can be asked of the server. Each route is declared once, with its schema: the router and the description of the
//! API come from the same place. Next: `talk` for what people do, `conversations` for the list, `events` for what
//! happens.

mod agui;
mod artefacts;
mod conversations;
mod decisions;
mod docs;
mod events;
mod exact;
mod flow;
mod knowledge;
mod log;
mod meta;
mod operator;
mod parameters;
mod projects;
mod proofs;
mod revising;
mod rows;
mod runs;
mod search;
mod talk;
mod uploads;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use turnwise_core::{ConversationId, PersonId};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::guard::Caller;
use super::problem::Problem;
use super::{App, limits};
use crate::driver::Session;

pub(super) use meta::Counts;
pub(super) use operator::Alongside;

/// The whole API, under the person it is called by.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Turnwise",
        description = "Conversations with assistants that act: what is meant, asked, approved, run and proved.\n\n\
            Send an `Idempotency-Key` with everything a person does: the same request sent again gets the first reply \
            again. Follow `events` to see what comes of it. Errors are problem details (RFC 9457). A server with tokens \
            wants `Authorization: Bearer TOKEN` with every request under `/v1`, `/operator` and `/agui`."
    ),
    // Named by others only in ways that the macros do not follow.
    components(schemas(
        super::view::ProvenanceView, proofs::FormName, artefacts::FormatName, artefacts::ThemeName
    )),
    tags(
        (name = "conversations", description = "Begin, list, fork, export and delete conversations"),
        (name = "talk", description = "What people say and decide"),
        (name = "events", description = "What happens, as it happens"),
        (name = "agui", description = "The same for front ends that speak AG-UI, the Agent User Interaction protocol"),
        (name = "projects", description = "What the assistant at your side keeps: projects, notes, documents, members"),
        (name = "knowledge", description = "Facts, proofs and readings"),
        (name = "server", description = "How the server is")
    )
)]
struct Description;

/// The routes for callers that are known, and their description together with that of the open ones.
pub(super) fn api() -> (Router<Arc<App>>, utoipa::openapi::OpenApi) {
    let (router, described) = agui::routes(projects::routes(OpenApiRouter::with_openapi(Description::openapi())))
        .routes(routes!(meta::assistants))
        .routes(routes!(meta::data))
        .routes(routes!(search::search))
        .routes(routes!(uploads::upload))
        .routes(routes!(log::server))
        .routes(routes!(conversations::list, conversations::begin))
        .routes(routes!(conversations::state, conversations::delete))
        .routes(routes!(conversations::fork))
        .routes(routes!(conversations::export))
        .routes(routes!(conversations::rename))
        .routes(routes!(conversations::data))
        .routes(routes!(conversations::admit))
        .routes(routes!(conversations::leave))
        .routes(routes!(talk::say))
        .routes(routes!(operator::converse))
        .routes(routes!(decisions::pending))
        .routes(routes!(decisions::decide))
        .routes(routes!(revising::plan_text))
        .routes(routes!(runs::stop))
        .routes(routes!(runs::pause))
        .routes(routes!(runs::resume))
        .routes(routes!(runs::mode))
        .routes(routes!(runs::plan_approval))
        .routes(routes!(flow::set))
        .routes(routes!(runs::queue, runs::edit_queue, runs::drop_queue))
        .routes(routes!(events::events))
        .routes(routes!(events::stream))
        .routes(routes!(log::log))
        .routes(routes!(knowledge::facts))
        .routes(routes!(knowledge::fact))
        .routes(routes!(artefacts::chart))
        .routes(routes!(rows::rows))
        .routes(routes!(artefacts::artefacts))
        .routes(routes!(artefacts::artefact))
        .routes(routes!(proofs::proof))
        .routes(routes!(knowledge::why))
        .routes(routes!(knowledge::classify))
        .split_for_parts();
    (router, exact::exact(described))
}

/// The routes anybody may call: coming in, and what the server can do.
pub(super) fn open() -> Router<Arc<App>> {
    meta::open().merge(docs::open())
}

/// How the server is: answered however busy it is.
pub(super) fn health() -> Router<Arc<App>> {
    meta::health()
}

/// A JSON body; what is wrong with one is told as a problem.
pub(super) struct Body<T>(pub(super) T);

impl<S: Send + Sync, T: serde::de::DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, Problem> {
        body(request, state, limits::BODY_BYTES_MAX).await.map(Self)
    }
}

/// Reads a JSON body of at most `bytes_max`, which is the limit that stands around the route.
async fn body<T, S>(request: axum::extract::Request, state: &S, bytes_max: usize) -> Result<T, Problem>
where
    T: serde::de::DeserializeOwned,
    S: Send + Sync,
{
    let patience = Duration::from_secs(limits::BODY_SECONDS_MAX);
    let reading = axum::Json::<T>::from_request(request, state);
    let read = tokio::time::timeout(patience, reading).await.map_err(|_| {
        Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "timeout",
            "the body of the request took too long to arrive",
            "send it again with the same Idempotency-Key",
        )
    })?;
    read.map(|axum::Json(value)| value).map_err(|rejection| unreadable(&rejection, bytes_max))
}

/// Parts of the path.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Problem))]
pub(super) struct Path<T>(pub(super) T);

/// The query of the address.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Problem))]
pub(super) struct Asked<T>(pub(super) T);

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Self {
        Self::bad_request(rejection.body_text(), "see /docs for the paths there are")
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Self {
        Self::bad_request(rejection.body_text(), "see /docs for what may stand behind the question mark")
    }
}

/// The conversation `id` for `caller`; someone else's looks like none.
pub(super) async fn conversation(app: &App, caller: &Caller, id: &str) -> Result<Session, Problem> {
    let session = app.host.open(&ConversationId::new(id)).await?;
    let is_theirs = |session: &Session| is_theirs(app, &caller.0, session);
    let spoken = |session: Session| match &caller.1 {
        Some(surface) => session.through(surface.clone()),
        None => session.on(SURFACE),
    };
    let session = session.filter(is_theirs).map(spoken).map(|session| session.below(caller.2));
    session.ok_or_else(|| Problem::not_found("conversation"))
}

/// Whether `person` takes part in a conversation; where all who come are one, it is everybody's.
pub(super) fn is_theirs(app: &App, person: &PersonId, session: &Session) -> bool {
    !app.settings.access.is_shared() || session.conversation().members().contains(person)
}

/// Whether `person`, whose conversation it was, takes part in it no longer.
pub(super) fn has_left(app: &App, person: &PersonId, session: &Session) -> bool {
    session.conversation().sequence().number() > 0 && !is_theirs(app, person, session)
}

/// What people call this surface where the caller does not say.
const SURFACE: &str = "web";

fn unreadable(rejection: &JsonRejection, bytes_max: usize) -> Problem {
    let told = rejection.body_text();
    match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(format!(
            "that request is more than {} kB long; at most {} kB of a message are read",
            bytes_max / 1024,
            turnwise_core::limits::MESSAGE_BYTES_MAX / 1024
        )),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "not_json",
            told,
            "send JSON with `Content-Type: application/json`",
        ),
        StatusCode::UNPROCESSABLE_ENTITY => {
            let (detail, pointer) = worded(&told);
            Problem::unprocessable("invalid", detail, "see /docs for what this request takes").at(pointer)
        }
        _ => Problem::bad_request("the body of the request is no whole JSON", "send one JSON object"),
    }
}

/// What a body has wrong, in our own words, and where: the reader says “path: what at line L column C”.
fn worded(told: &str) -> (String, String) {
    let told = told.strip_prefix(READER_SAYS).unwrap_or(told);
    let told = told.rsplit_once(" at line ").map_or(told, |(told, _)| told);
    let (path, told) = match told.split_once(": ") {
        Some((path, rest)) if !path.contains(' ') => (path, rest),
        _ => ("", told),
    };
    let inside: String = path.split('.').filter(|part| !part.is_empty()).map(|part| format!("/{part}")).collect();
    let name = |text: &str| text.split('`').nth(1).unwrap_or_default().to_owned();
    let known = told.split_once("expected ").map_or("", |(_, known)| known);
    if told.starts_with("missing field") {
        let field = name(told);
        return (format!("`{field}` is missing"), format!("{inside}/{field}"));
    }
    if told.starts_with("unknown field") {
        let field = name(told);
        let known = if known.is_empty() { String::new() } else { format!("; there is {known}") };
        return (format!("there is no `{field}` here{known}"), inside);
    }
    if told.starts_with("unknown variant") {
        return (format!("`{}` is none of {}", name(told), known.trim_start_matches("one of ")), inside);
    }
    (told.to_owned(), inside)
}

/// How the reader of bodies begins.
const READER_SAYS: &str = "Failed to deserialize the JSON body into the target type: ";

#[cfg(test)]
mod tests {
    use super::{READER_SAYS, worded};

    #[test]
    fn what_a_body_has_wrong_is_said_in_our_own_words_and_where() {
        for (reader, detail, pointer) in [
            ("missing field `text` at line 1 column 2", "`text` is missing", "/text"),
            ("verdict: missing field `is` at line 1 column 30", "`is` is missing", "/verdict/is"),
            (
                "txt: unknown field `txt`, expected `text` or `seen` at line 1 column 6",
                "there is no `txt` here; there is `text` or `seen`",
                "/txt",
            ),
            (
                "verdict.is: unknown variant `aprove`, expected one of `approve`, `reject` at line 1 column 9",
                "`aprove` is none of `approve`, `reject`",
                "/verdict/is",
            ),
            (
                "text: invalid type: integer `5`, expected a string at line 1 column 10",
                "invalid type: integer `5`, expected a string",
                "/text",
            ),
        ] {
            assert_eq!(worded(&format!("{READER_SAYS}{reader}")), (detail.to_owned(), pointer.to_owned()));
        }
    }
}
