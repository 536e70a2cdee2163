//! Projects: what an assistant at the side of people keeps for them, seen and changed without words in between.
//! Somebody who is no member of a project is told that there is none, on every path. Next: `notes`, `documents`,
//! `people`, `jobs`.

mod documents;
mod jobs;
mod notes;
mod own;
mod people;
mod view;

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_assistant::projects::{Beginning, ProjectChange, ProjectId, Projects, Refused};
use turnwise_core::PersonId;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};
use utoipa_axum::routes;

use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::{App, idempotency, limits};
use super::parameters::Sending;
use super::{Body, Path};
use view::{ProjectsView, WholeView};

use crate::driver::DriverError;

/// The routes of projects.
pub(super) fn routes(router: OpenApiRouter<Arc<App>>) -> OpenApiRouter<Arc<App>> {
    let large = || DefaultBodyLimit::max(limits::UPLOAD_BYTES_MAX);
    router
        .routes(routes!(all, begin))
        .routes(routes!(documents::unpack).layer(large()))
        .routes(routes!(whole, rename))
        .routes(routes!(seed))
        .routes(routes!(finalize))
        .routes(routes!(notes::notes, notes::tell))
        .routes(routes!(notes::change))
        .routes(routes!(notes::group, notes::drop_group))
        .routes(routes!(notes::ungroup))
        .routes(routes!(documents::specification, documents::specify, documents::drop_specification))
        .routes(routes!(documents::file, documents::upload).layer(large()))
        .routes(routes!(documents::archive))
        .routes(routes!(jobs::begin))
        .routes(routes!(jobs::change))
        .routes(routes!(people::invite))
        .routes(routes!(people::withdraw))
        .routes(routes!(people::join))
        .routes(routes!(people::decline))
        .routes(routes!(people::leave))
        .routes(routes!(people::turns))
        .routes(routes!(own::own, own::set, own::forget))
}

/// Which project.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the path; it is read by `Path`")]
pub(super) struct OfProject {
    /// The project
    #[param(pattern = "^[0-9a-z]{1,64}$")]
    id: String,
}

/// A name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProjectNamed {
    /// What the project is called.
    #[schema(min_length = 1, max_length = 100, example = "FarmGuard")]
    pub name: String,
}

/// What is said of something that is asked about a project.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// The answer; left out to pass over the question.
    #[serde(default)]
    #[schema(example = "small farms", max_length = 4000)]
    pub said: Option<String>,
}

/// What a change made.
#[derive(Debug, Serialize, ToSchema)]
pub struct MadeView {
    /// The number of the note or job, or the version of the document, where the change was about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<i64>,
}

/// Your projects, by name, and those you are invited to.
#[utoipa::path(
    get, path = "/v1/projects", tag = "projects", operation_id = "list_projects",
    responses((status = 200, body = ProjectsView), Refusal)
)]
pub(super) async fn all(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<ProjectsView>, Problem> {
    let all = at_desk(&app, &caller, |projects, person| projects.all(person)).await?;
    Ok(Json(ProjectsView::new(all)))
}

/// Begin a project by its name. What it is about can be told in a conversation, or answer by answer with `seed`.
#[utoipa::path(
    post, path = "/v1/projects", tag = "projects", operation_id = "begin_project", request_body = ProjectNamed,
    params(Sending), responses((status = 201, body = WholeView), Refusal)
)]
pub(super) async fn begin(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Body(named): Body<ProjectNamed>,
) -> Result<(StatusCode, Json<WholeView>), Problem> {
    let key = key(&headers)?;
    begun(&app, &caller, key, Beginning::Named(named.name)).await
}

/// All there is to see of a project, beside its notes.
#[utoipa::path(
    get, path = "/v1/projects/{id}", tag = "projects", operation_id = "get_project", params(OfProject),
    responses((status = 200, body = WholeView), Refusal)
)]
pub(super) async fn whole(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<WholeView>, Problem> {
    let id = ProjectId::new(id);
    let whole = at_desk(&app, &caller, move |projects, person| projects.project(person, &id)).await?;
    Ok(Json(WholeView::new(whole)))
}

/// Give a project another name.
#[utoipa::path(
    put, path = "/v1/projects/{id}", tag = "projects", operation_id = "rename_project", request_body = ProjectNamed,
    params(OfProject, Sending), responses((status = 200, body = MadeView), Refusal)
)]
pub(super) async fn rename(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Body(named): Body<ProjectNamed>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::Rename(named.name)).await
}

/// Answer one of the questions that are asked about a project when it begins, or answer it anew.
#[utoipa::path(
    put, path = "/v1/projects/{id}/seed/{code}", tag = "projects", operation_id = "answer_seed",
    request_body = Answered,
    params(OfProject, ("code" = String, Path, description = "The question, as `get_project` names it"), Sending),
    responses((status = 200, body = MadeView), Refusal)
)]
pub(super) async fn seed(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path((id, code)): Path<(String, String)>,
    Body(answered): Body<Answered>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::Seed(code, answered.said)).await
}

/// Complete the setup of a project, once every question is answered or passed over.
#[utoipa::path(
    post, path = "/v1/projects/{id}/finalize", tag = "projects", operation_id = "finalize_project",
    params(OfProject, Sending), responses((status = 200, body = MadeView), Refusal)
)]
pub(super) async fn finalize(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::Finalize).await
}

/// A project that begins, as it is then.
async fn begun(
    app: &App,
    caller: &Caller,
    key: String,
    beginning: Beginning,
) -> Result<(StatusCode, Json<WholeView>), Problem> {
    let whole = at_desk(app, caller, move |projects, person| {
        let id = projects.begin(person, &key, &beginning)?;
        projects.project(person, &id)
    });
    Ok((StatusCode::CREATED, Json(WholeView::new(whole.await?))))
}

/// Makes `change` of the project `id`.
async fn changed(
    app: &App,
    caller: &Caller,
    headers: &HeaderMap,
    id: String,
    change: ProjectChange,
) -> Result<Json<MadeView>, Problem> {
    let (key, id) = (key(headers)?, ProjectId::new(id));
    let made = at_desk(app, caller, move |projects, person| projects.change(person, &key, &id, &change)).await?;
    Ok(Json(MadeView { number: made.number }))
}

/// The key of a change, apart from those of conversations.
fn key(headers: &HeaderMap) -> Result<String, Problem> {
    Ok(format!("http:{}", idempotency::key(headers)?))
}

/// Asks the projects that are kept here, where waiting for a disk is fine.
async fn at_desk<T: Send + 'static>(
    app: &App,
    caller: &Caller,
    ask: impl FnOnce(&dyn Projects, &PersonId) -> Result<T, Refused> + Send + 'static,
) -> Result<T, Problem> {
    let projects = app.host.projects().ok_or_else(|| Problem::not_found("project"))?;
    let person = caller.0.clone();
    let asked = tokio::task::spawn_blocking(move || ask(projects.as_ref(), &person)).await;
    let asked = asked.map_err(|_| {
        let hint = "please report this with the steps that led to it";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "defect", "the projects could not be asked", hint)
    })?;
    asked.map_err(|refused| match refused {
        Refused::NotFound => Problem::not_found("project"),
        Refused::NoSuch(what) => Problem::not_found(what),
        Refused::KeyReused => DriverError::KeyReused.into(),
        Refused::Impossible(told) => {
            Problem::unprocessable("impossible", told, "see /docs for what this request takes")
        }
        Refused::Trouble(told) => {
            let hint = "send it again with the same Idempotency-Key once the server is well";
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", told, hint)
        }
    })
}
