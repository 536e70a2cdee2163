//! Specifications and artefacts of a project, and the whole of it as an archive. What is handed out is a file to keep,
//! never a page to open: nothing that somebody brought runs here. Next: `jobs`.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_assistant::projects::{Beginning, FileSeen, ProjectChange, ProjectId, Upload};
use utoipa::ToSchema;

use super::super::super::guard::Caller;
use super::super::super::problem::{Problem, Refusal};
use super::super::super::{App, limits};
use super::super::parameters::Sending;
use super::super::{Asked, Body, Path};
use super::view::WholeView;
use super::{MadeView, OfProject, at_desk, begun, changed, key};

/// A specification.
#[derive(Debug, Serialize, ToSchema)]
pub struct SpecificationView {
    /// What it is called.
    pub name: String,
    /// Counts its texts, from 1.
    pub version: i64,
    /// Its text.
    pub content: String,
    /// When it was written, in milliseconds since 1970.
    pub changed_at: i64,
}

/// The text of a specification.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SpecificationWritten {
    /// Its text.
    #[schema(example = "Three soil types: sandy, clay, loam.")]
    pub content: String,
}

/// A file as it is sent.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[allow(dead_code, reason = "describes the body; it is read by `Sent`")]
pub struct FileSent(Vec<u8>);

/// Which version.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Version {
    #[serde(default)]
    version: Option<i64>,
}

/// What sort of document it is.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Sort {
    #[serde(default)]
    kind: Option<String>,
}

/// The bytes of a body, however many a route takes.
pub(in super::super) struct Sent(Vec<u8>);

impl<S: Send + Sync> FromRequest<S> for Sent {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let patience = Duration::from_secs(limits::UPLOAD_SECONDS_MAX);
        let read = tokio::time::timeout(patience, Bytes::from_request(request, state)).await.map_err(|_| {
            let hint = "send it again with the same Idempotency-Key";
            Problem::new(StatusCode::REQUEST_TIMEOUT, "timeout", "the file took too long to arrive", hint)
        })?;
        let told = || format!("that is more than the {} MB that are taken at once", limits::UPLOAD_BYTES_MAX >> 20);
        read.map(|bytes| Self(bytes.to_vec())).map_err(|_| Problem::too_large(told()))
    }
}

/// A specification with its text.
#[utoipa::path(
    get, path = "/v1/projects/{id}/specifications/{name}", tag = "projects", operation_id = "get_specification",
    params(OfProject, ("name" = String, Path, description = "What it is called")),
    responses((status = 200, body = SpecificationView), Refusal)
)]
pub(in super::super) async fn specification(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Json<SpecificationView>, Problem> {
    let id = ProjectId::new(id);
    let found = at_desk(&app, &caller, move |projects, person| projects.specification(person, &id, &name)).await?;
    let (name, version, content) = (found.name, found.version, found.content);
    Ok(Json(SpecificationView { name, version, content, changed_at: found.changed_ms }))
}

/// Write a specification; what it said before can be undone to in the conversation.
#[utoipa::path(
    put, path = "/v1/projects/{id}/specifications/{name}", tag = "projects", operation_id = "write_specification",
    request_body = SpecificationWritten,
    params(OfProject, ("name" = String, Path, description = "What it is called"), Sending),
    responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn specify(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path((id, name)): Path<(String, String)>,
    Body(written): Body<SpecificationWritten>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::Specify(name, written.content)).await
}

/// Give up a specification.
#[utoipa::path(
    delete, path = "/v1/projects/{id}/specifications/{name}", tag = "projects", operation_id = "drop_specification",
    params(OfProject, ("name" = String, Path, description = "What it is called"), Sending),
    responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn drop_specification(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path((id, name)): Path<(String, String)>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::DropSpecification(name)).await
}

/// An artefact as a file, in the version that is wanted.
#[utoipa::path(
    get, path = "/v1/projects/{id}/artefacts/{name}", tag = "projects", operation_id = "get_project_artefact",
    params(
        OfProject,
        ("name" = String, Path, description = "What it is called"),
        ("version" = Option<i64>, Query, minimum = 1, description = "Which version; the latest if left out")
    ),
    responses((status = 200, content_type = "application/octet-stream", body = FileSent), Refusal)
)]
pub(in super::super) async fn file(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path((id, name)): Path<(String, String)>,
    Asked(which): Asked<Version>,
) -> Result<Response, Problem> {
    let id = ProjectId::new(id);
    let found = at_desk(&app, &caller, move |projects, person| projects.file(person, &id, &name, which.version));
    Ok(attached(found.await?, "application/octet-stream"))
}

/// Keep a file as an artefact, as a new version where there is one of that name with something else in it. The
/// `Content-Type` says what it is.
#[utoipa::path(
    put, path = "/v1/projects/{id}/artefacts/{name}", tag = "projects", operation_id = "upload_artefact",
    request_body(content = FileSent, content_type = "application/octet-stream"),
    params(
        OfProject,
        ("name" = String, Path, description = "What it is called"),
        ("kind" = Option<String>, Query, max_length = 40, description = "What sort of document it is, as in `report`"),
        Sending
    ),
    responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn upload(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path((id, name)): Path<(String, String)>,
    Asked(sort): Asked<Sort>,
    Sent(content): Sent,
) -> Result<Json<MadeView>, Problem> {
    let media = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media = media.filter(|media| media.len() <= MEDIA_BYTES_MAX).unwrap_or("application/octet-stream").to_owned();
    let upload = Upload { name, kind: sort.kind.unwrap_or_default(), media, content };
    changed(&app, &caller, &headers, id, ProjectChange::Upload(upload)).await
}

/// The whole of a project as a folder of Markdown, packed as a ZIP archive.
#[utoipa::path(
    get, path = "/v1/projects/{id}/archive", tag = "projects", operation_id = "pack_project", params(OfProject),
    responses((status = 200, content_type = "application/zip", body = FileSent), Refusal)
)]
pub(in super::super) async fn archive(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let id = ProjectId::new(id);
    let packed = at_desk(&app, &caller, move |projects, person| projects.packed(person, &id)).await?;
    Ok(attached(packed, "application/zip"))
}

/// Bring a project in from an archive as `pack_project` makes it. It is a project of its own.
#[utoipa::path(
    post, path = "/v1/projects/archive", tag = "projects", operation_id = "unpack_project",
    request_body(content = FileSent, content_type = "application/zip"),
    params(Sending), responses((status = 201, body = WholeView), Refusal)
)]
pub(in super::super) async fn unpack(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Sent(content): Sent,
) -> Result<(StatusCode, Json<WholeView>), Problem> {
    let key = key(&headers)?;
    begun(&app, &caller, key, Beginning::Packed(content)).await
}

/// A file to keep. It is sent as bytes and nothing else, whatever it calls itself: a browser saves it and runs nothing.
fn attached(file: FileSeen, media: &'static str) -> Response {
    let disposition = format!("attachment; filename=\"{}\"", ascii(&file.file));
    ([(header::CONTENT_TYPE, media.to_owned()), (header::CONTENT_DISPOSITION, disposition)], file.content)
        .into_response()
}

/// A name that a header can hold.
fn ascii(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
    name.chars().map(|letter| if plain(letter) { letter } else { '-' }).collect()
}

/// Bytes of a media type.
const MEDIA_BYTES_MAX: usize = 200;
