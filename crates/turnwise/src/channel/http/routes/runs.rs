//! Controls of a run and of the conversation: stop, pause, go on, mode, queue. Each is what the words would do. Next:
//! `events`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use serde::Deserialize;
use turnwise_core::{Control, InputBody, Mode, Seen};
use utoipa::ToSchema;

use super::super::App;
use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::view::{QueueView, StateView};
use super::parameters::{Named, Sending};
use super::talk::{Outcome, submit};
use super::waiting::Waiting;
use super::{Body, Path, conversation};
use crate::channel::wire::SeenView;

/// A mode to switch to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ModeChoice {
    /// `proof` or `exploratory`.
    pub mode: ModeName,
}

/// Which plans wait for a yes in a conversation from now on.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanApproval {
    /// `every_plan`, or only those with `effects`.
    pub asks_about: AsksAbout,
    /// What stood before the person when they said `effects`: a plan that waits and changes nothing is approved with it
    /// where it is the one they saw; another one is still asked about.
    #[serde(default)]
    pub seen: Option<SeenView>,
}

/// The plans that wait for a yes.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AsksAbout {
    /// All of them, as far as the assistant is configured to ask.
    EveryPlan,
    /// Those that change something; the others run without asking.
    Effects,
}

/// A task for later.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QueuedTask {
    /// In the person's words.
    #[schema(example = "revenue by product", min_length = 1)]
    pub task: String,
}

/// The modes.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModeName {
    /// Self-contained plans, every conclusion with its chain.
    Proof,
    /// Plans may use earlier facts.
    Exploratory,
}

pub(super) async fn press(
    app: &App,
    caller: &Caller,
    id: &str,
    headers: &HeaderMap,
    body: InputBody,
) -> Result<Json<Outcome>, Problem> {
    let session = conversation(app, caller, id).await?;
    let (result, session) = submit(app, caller, session, headers, body).await?;
    Ok(Json(Outcome::of(&result, &session, Waiting::default()).await?))
}

pub(super) fn pressed(caller: &Caller, control: Control, words: Option<&str>) -> InputBody {
    InputBody::Press { person: caller.0.clone(), control, words: words.map(str::to_owned) }
}

/// Stop what runs, is planned or waits. When the reply comes, no further step starts.
#[utoipa::path(
    post, path = "/v1/conversations/{id}/stop", tag = "talk", operation_id = "stop",
    params(Named, Sending),
    responses((status = 200, body = Outcome), Refusal)
)]
pub(super) async fn stop(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Outcome>, Problem> {
    let body = InputBody::Stop { person: caller.0.clone() };
    press(&app, &caller, &id, &headers, body).await
}

/// Wait at the next step boundary.
#[utoipa::path(
    post, path = "/v1/conversations/{id}/pause", tag = "talk", operation_id = "pause",
    params(Named, Sending),
    responses((status = 200, body = Outcome), Refusal)
)]
pub(super) async fn pause(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Outcome>, Problem> {
    let body = pressed(&caller, Control::Pause, None);
    press(&app, &caller, &id, &headers, body).await
}

/// Go on after a pause.
#[utoipa::path(
    post, path = "/v1/conversations/{id}/resume", tag = "talk", operation_id = "resume",
    params(Named, Sending),
    responses((status = 200, body = Outcome), Refusal)
)]
pub(super) async fn resume(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Outcome>, Problem> {
    let body = pressed(&caller, Control::Resume, None);
    press(&app, &caller, &id, &headers, body).await
}

/// Switch the mode.
#[utoipa::path(
    post, path = "/v1/conversations/{id}/mode", tag = "talk", operation_id = "set_mode", request_body = ModeChoice,
    params(Named, Sending),
    responses((status = 200, body = Outcome), Refusal)
)]
pub(super) async fn mode(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(choice): Body<ModeChoice>,
) -> Result<Json<Outcome>, Problem> {
    let mode = match choice.mode {
        ModeName::Proof => Mode::Proof,
        ModeName::Exploratory => Mode::Exploratory,
    };
    press(&app, &caller, &id, &headers, InputBody::SetMode { person: caller.0.clone(), mode }).await
}

/// Say once that plans which change nothing run without asking in this conversation, or have every plan asked about
/// again. The choice of whoever takes part holds for all of them, and `asks_about` of the state shows it.
#[utoipa::path(
    put, path = "/v1/conversations/{id}/plan-approval", tag = "talk", operation_id = "set_plan_approval",
    request_body = PlanApproval,
    params(Named, Sending),
    responses((status = 200, body = Outcome), Refusal)
)]
pub(super) async fn plan_approval(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(choice): Body<PlanApproval>,
) -> Result<Json<Outcome>, Problem> {
    let control = match choice.asks_about {
        AsksAbout::EveryPlan => Control::AskFirst,
        AsksAbout::Effects => Control::RunReads,
    };
    let seen = choice.seen.map(Seen::try_from).transpose()?.unwrap_or_default();
    let session = conversation(&app, &caller, &id).await?;
    let claimed = app.under_way.claim(&headers, &caller.0, session.id())?;
    let result = session.submit_about(pressed(&caller, control, None), seen, claimed.key()).await?;
    app.counts.input(&result);
    Ok(Json(Outcome::of(&result, &session, Waiting::default()).await?))
}

/// What waits until the run is over.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/queue", tag = "talk", operation_id = "get_queue",
    params(Named),
    responses((status = 200, body = QueueView), Refusal)
)]
pub(super) async fn queue(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<QueueView>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    Ok(Json(StateView::of(&session).await?.queue))
}

/// Put another task in place of the one that waits until the run is over.
#[utoipa::path(
    put, path = "/v1/conversations/{id}/queue", tag = "talk", operation_id = "edit_queue", request_body = QueuedTask,
    params(Named, Sending),
    responses((status = 200, body = Outcome), Refusal)
)]
pub(super) async fn edit_queue(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(queued): Body<QueuedTask>,
) -> Result<Json<Outcome>, Problem> {
    let task = queued.task.trim();
    if task.is_empty() {
        return Err(Problem::unprocessable("empty", "the task is empty", "DELETE drops what waits"));
    }
    let session = conversation(&app, &caller, &id).await?;
    let waiting = session.conversation().queue().task.as_ref().map(|waiting| waiting.message);
    // Named, because requests of a message may wait beside it.
    let words = match waiting {
        Some(message) => format!("edit {message} {task}"),
        None => format!("edit {task}"),
    };
    press(&app, &caller, &id, &headers, pressed(&caller, Control::Queue, Some(&words))).await
}

/// Drop everything that waits until the run is over.
#[utoipa::path(
    delete, path = "/v1/conversations/{id}/queue", tag = "talk", operation_id = "drop_queue",
    params(Named, Sending),
    responses((status = 200, body = Outcome), Refusal)
)]
pub(super) async fn drop_queue(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Json<Outcome>, Problem> {
    press(&app, &caller, &id, &headers, pressed(&caller, Control::Queue, Some("drop"))).await
}
