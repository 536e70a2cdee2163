//! Notes of a project, and their groups. A page of notes at once, however many there are, because a project grows for
//! years. Next: `documents`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use serde::Deserialize;
use turnwise_assistant::projects::{GroupWanted, Made, NotesWanted, ProjectChange, ProjectId};
use utoipa::ToSchema;

use super::super::super::App;
use super::super::super::guard::Caller;
use super::super::super::problem::{Problem, Refusal};
use super::super::parameters::Sending;
use super::super::{Asked, Body, Path};
use super::view::{NoteStateName, NotesView};
use super::{MadeView, OfProject, at_desk, changed, key};

/// Which notes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Which {
    #[serde(default)]
    about: Option<String>,
    #[serde(default)]
    group: Option<String>,
    #[serde(default)]
    state: Option<NoteStateName>,
    #[serde(default)]
    before: Option<i64>,
}

/// A note to be told.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteTold {
    /// What it says.
    #[schema(min_length = 1, max_length = 4000, example = "The deadline is March 15th")]
    pub text: String,
    /// For how many hours it counts; for good if left out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 87600)]
    pub hours: Option<u32>,
}

/// How a note is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NoteChanged {
    /// What it says from now on; as it was if left out.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 4000)]
    pub text: Option<String>,
    /// Where it stands from now on; as it was if left out.
    #[serde(default)]
    pub state: Option<NoteStateName>,
}

/// How a group is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupChanged {
    /// What its notes say; as it was if left out.
    #[serde(default)]
    #[schema(max_length = 600)]
    pub summary: String,
    /// Why they are one group; as it was if left out.
    #[serde(default)]
    #[schema(max_length = 600)]
    pub rationale: String,
    /// Numbers of notes that are in it from now on, beside those that are.
    #[serde(default)]
    #[schema(max_items = 1000)]
    pub notes: Vec<i64>,
}

/// Notes by their numbers.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    /// Their numbers.
    #[schema(max_items = 1000)]
    pub notes: Vec<i64>,
}

/// The notes of a project, newest first, a page of them; or those that speak of something, by its words and, where
/// none has them, by what it means.
#[utoipa::path(
    get, path = "/v1/projects/{id}/notes", tag = "projects", operation_id = "list_notes",
    params(
        OfProject,
        ("about" = Option<String>, Query, description = "What they speak of"),
        ("group" = Option<String>, Query, description = "Only those of the group with this label"),
        ("state" = Option<NoteStateName>, Query, description = "Only those that stand here; those that count if left out"),
        ("before" = Option<i64>, Query, minimum = 1, description = "Only those with a smaller number, as `next` of the page before gives it")
    ),
    responses((status = 200, body = NotesView), Refusal)
)]
pub(in super::super) async fn notes(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(which): Asked<Which>,
) -> Result<Json<NotesView>, Problem> {
    let (id, state) = (ProjectId::new(id), which.state.map(Into::into));
    let wanted = NotesWanted { about: which.about, group: which.group, state, before: which.before };
    let found = at_desk(&app, &caller, move |projects, person| projects.notes(person, &id, &wanted)).await?;
    Ok(Json(NotesView::new(found)))
}

/// Tell a note. It waits to be saved.
#[utoipa::path(
    post, path = "/v1/projects/{id}/notes", tag = "projects", operation_id = "tell_note", request_body = NoteTold,
    params(OfProject, Sending), responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn tell(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Body(told): Body<NoteTold>,
) -> Result<Json<MadeView>, Problem> {
    if told.hours.is_some_and(|hours| !(1..=HOURS_MAX).contains(&hours)) {
        let hint = "leave it out for a note that lasts";
        return Err(Problem::unprocessable("invalid", format!("`hours` is a number from 1 to {HOURS_MAX}"), hint));
    }
    changed(&app, &caller, &headers, id, ProjectChange::Note(told.text, told.hours)).await
}

/// Change what a note says, where it stands, or both. What it said before is kept with it.
#[utoipa::path(
    put, path = "/v1/projects/{id}/notes/{number}", tag = "projects", operation_id = "change_note",
    request_body = NoteChanged,
    params(OfProject, ("number" = i64, Path, minimum = 1, description = "The note's number in the project"), Sending),
    responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn change(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path((id, number)): Path<(String, i64)>,
    Body(wanted): Body<NoteChanged>,
) -> Result<Json<MadeView>, Problem> {
    let (id, key) = (ProjectId::new(id), key(&headers)?);
    if wanted.text.is_none() && wanted.state.is_none() {
        let hint = "send `text`, `state` or both";
        return Err(Problem::unprocessable("empty", "nothing is said of how the note is to be", hint));
    }
    let made = at_desk(&app, &caller, move |projects, person| {
        let mut made = Made::default();
        // Each under a key of its own: what was done of two is not done again when both are sent again.
        if let Some(state) = wanted.state {
            made = projects.change(
                person,
                &format!("{key}:state"),
                &id,
                &ProjectChange::MoveNote(number, state.into()),
            )?;
        }
        if let Some(text) = wanted.text {
            made = projects.change(person, &format!("{key}:text"), &id, &ProjectChange::EditNote(number, text))?;
        }
        Ok(made)
    });
    Ok(Json(MadeView { number: made.await?.number }))
}

/// Make a group of notes, say what its notes have in common, or put notes into it.
#[utoipa::path(
    put, path = "/v1/projects/{id}/groups/{label}", tag = "projects", operation_id = "change_group",
    request_body = GroupChanged,
    params(OfProject, ("label" = String, Path, description = "The group's label"), Sending),
    responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn group(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path((id, label)): Path<(String, String)>,
    Body(wanted): Body<GroupChanged>,
) -> Result<Json<MadeView>, Problem> {
    let GroupChanged { summary, rationale, notes } = wanted;
    let group = GroupWanted { label, summary, rationale, notes };
    changed(&app, &caller, &headers, id, ProjectChange::Group(group)).await
}

/// Give up a group; its notes stay.
#[utoipa::path(
    delete, path = "/v1/projects/{id}/groups/{label}", tag = "projects", operation_id = "drop_group",
    params(OfProject, ("label" = String, Path, description = "The group's label"), Sending),
    responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn drop_group(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path((id, label)): Path<(String, String)>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::DropGroup(label)).await
}

/// Take notes out of their groups.
#[utoipa::path(
    post, path = "/v1/projects/{id}/ungroup", tag = "projects", operation_id = "ungroup_notes", request_body = Numbers,
    params(OfProject, Sending), responses((status = 200, body = MadeView), Refusal)
)]
pub(in super::super) async fn ungroup(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    Path(id): Path<String>,
    Body(numbers): Body<Numbers>,
) -> Result<Json<MadeView>, Problem> {
    changed(&app, &caller, &headers, id, ProjectChange::Ungroup(numbers.notes)).await
}

/// Hours that a note counts: ten years.
const HOURS_MAX: u32 = 87_600;
