//! Who belongs to a project, and what was said about it. Members share a project, and what each said stays theirs.
//! Next: `own`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_assistant::projects::{ProjectChange, ProjectId};
use turnwise_core::PersonId;
use utoipa::ToSchema;

use super::super::super::App;
use super::super::super::guard::Caller;
use super::super::super::problem::{Problem, Refusal};
use super::super::parameters::Sending;
use super::super::{Asked, Body, Path};
use super::{MadeView, OfProject, at_desk, changed};

/// A person to be invited.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Guest {
    /// The person, as tokens name them.
    #[schema(example = "ben", min_length = 1, max_length = 100)]
    pub person: String,
}

/// Something that was said.
#[derive(Debug, Serialize, ToSchema)]
pub struct TurnView {
    /// What `before` is for those before it.
    pub at: i64,
    /// Who said it.
    pub role: RoleName,
    /// What was said.
    pub content: String,
    /// When, in milliseconds since 1970.
    pub created_at: i64,
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoleName {
    /// The person.
    Operator,
    /// The assistant at their side.
    Companion,
}

/// Where a page of turns begins.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Before {
    #[serde(default)]
    before: Option<i64>,
}

/// Invite a person. They belong to the project once they have said that they join; until then they see its name and
/// who invited them, and nothing else.
#[utoipa::path(
    post, path = "/v1/projects/{id}/invitations", tag = "projects", operation_id = "invite_person",
    request_body = Guest, params(OfProject, Sending), responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn invite(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Body(guest): Body<Guest>,
) -> Result<Json<MadeView>, Problem> {
    let name = guest.person.trim();
    if name.is_empty() || name.chars().count() > PERSON_CHARACTERS_MAX {
        let told = format!("`person` has from 1 to {PERSON_CHARACTERS_MAX} letters");
        return Err(Problem::unprocessable("invalid", told, "name them as their token does"));
    }
    changed(&app, &caller, &headers, id, ProjectChange::Invite(PersonId::new(name))).await
}

/// Take an invitation back.
#[utoipa::path(
    delete, path = "/v1/projects/{id}/invitations/{person}", tag = "projects", operation_id = "withdraw_invitation",
    params(OfProject, ("person" = String, Path, description = "Who was invited"), Sending),
    responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn withdraw(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path((id, person)): Path<(String, String)>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::Withdraw(PersonId::new(person))).await
}

/// Join a project you are invited to.
#[utoipa::path(
    post, path = "/v1/projects/{id}/join", tag = "projects", operation_id = "join_project",
    params(OfProject, Sending), responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn join(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::Join).await
}

/// Turn an invitation down.
#[utoipa::path(
    post, path = "/v1/projects/{id}/decline", tag = "projects", operation_id = "decline_invitation",
    params(OfProject, Sending), responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn decline(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::Decline).await
}

/// Leave a project. The last one to leave deletes it, with all that is in it.
#[utoipa::path(
    post, path = "/v1/projects/{id}/leave", tag = "projects", operation_id = "leave_project",
    params(OfProject, Sending), responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn leave(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::Leave).await
}

/// What you and the assistant said about a project, newest first, a page of it. Nobody else sees it.
#[utoipa::path(
    get, path = "/v1/projects/{id}/turns", tag = "projects", operation_id = "list_turns",
    params(
        OfProject,
        ("before" = Option<i64>, Query, minimum = 1, description = "Only what was said before this one, by its `at`")
    ),
    responses((status = 200, body = Vec<TurnView>), Refusal)
)]
pub(in super::super) async fn turns(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(page): Asked<Before>,
) -> Result<Json<Vec<TurnView>>, Problem> {
    let id = ProjectId::new(id);
    let turns = at_desk(&app, &caller, move |projects, person| projects.turns(person, &id, page.before)).await?;
    let view = |turn: turnwise_assistant::projects::TurnSeen| TurnView {
        at: turn.at,
        role: if turn.is_persons { RoleName::Operator } else { RoleName::Companion },
        content: turn.content,
        created_at: turn.created_ms,
    };
    Ok(Json(turns.into_iter().map(view).collect()))
}

/// Letters of a person's name.
const PERSON_CHARACTERS_MAX: usize = 100;
