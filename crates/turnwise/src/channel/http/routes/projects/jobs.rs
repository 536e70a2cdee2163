//! Jobs of a project: work that programs do for it. They say here how far they are, and people hear it where they ask.
//! Next: `people`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use serde::Deserialize;
use turnwise_assistant::projects::{JobMoved, ProjectChange};
use utoipa::ToSchema;

use super::super::super::App;
use super::super::super::guard::Caller;
use super::super::super::problem::{Problem, Refusal};
use super::super::parameters::Sending;
use super::super::{Body, Path};
use super::view::JobStateName;
use super::{MadeView, OfProject, changed};

/// A job that begins.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobBegun {
    /// What it does, in a few words.
    #[schema(min_length = 1, max_length = 200, example = "Field survey")]
    pub title: String,
}

/// Where a job stands now.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JobChanged {
    /// Whether it runs, waits for a person, or is done.
    pub state: JobStateName,
    /// How much of it is done; as it was if left out.
    #[serde(default)]
    #[schema(minimum = 0)]
    pub done: Option<i64>,
    /// How much there is; as it was if left out.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub whole: Option<i64>,
    /// What is to be known about it.
    #[serde(default)]
    #[schema(max_length = 500)]
    pub remark: String,
}

/// Begin a job: from now on it is told where people ask how the project is going.
#[utoipa::path(
    post, path = "/v1/projects/{id}/jobs", tag = "projects", operation_id = "begin_job", request_body = JobBegun,
    params(OfProject, Sending), responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn begin(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Body(job): Body<JobBegun>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::BeginJob(job.title)).await
}

/// Say where a job stands now.
#[utoipa::path(
    put, path = "/v1/projects/{id}/jobs/{number}", tag = "projects", operation_id = "change_job",
    request_body = JobChanged,
    params(OfProject, ("number" = i64, Path, minimum = 1, description = "The job's number in the project"), Sending),
    responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn change(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path((id, number)): Path<(String, i64)>,
    Body(job): Body<JobChanged>,
) -> Result<Json<MadeView>, Problem> {
    if job.done.is_some() != job.whole.is_some() {
        let told = "`done` and `whole` are said together";
        return Err(Problem::unprocessable("invalid", told, "send both, or leave both out"));
    }
    let (state, progress) = (job.state.into(), job.done.zip(job.whole));
    changed(&app, &caller, &headers, id, ProjectChange::Job(JobMoved { number, state, progress, remark: job.remark }))
        .await
}
