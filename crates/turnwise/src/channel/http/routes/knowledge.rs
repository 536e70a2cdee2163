//! What is known and why: facts, and how messages were or would be read, so that nothing an assistant says has to be
//! taken on trust. Next: `proofs`.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_core::{AssistantName, Event, FactName, MessageReading, Phase};
use utoipa::ToSchema;

use super::super::App;
use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::view::{HeldView, ReadingView};
use super::parameters::Named;
use super::{Asked, Body, Path, conversation};

/// Which message.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// The number of the message; the last one that was read if left out.
    #[serde(default)]
    message: Option<u64>,
}

/// Words to read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// The assistant whose profile reads.
    #[schema(example = "analyst")]
    pub assistant: String,
    /// The words.
    #[schema(example = "stop")]
    pub text: String,
    /// Where a conversation stands in which they are said.
    #[serde(default)]
    pub phase: PhaseName,
}

/// The phases.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// Nothing is planned, waiting or running.
    #[default]
    Idle,
    /// A plan is being drafted.
    Planning,
    /// A plan waits for a decision.
    AwaitingApproval,
    /// An approved plan runs.
    Executing,
    /// A run failed.
    Failed,
}

/// How words were or would be read.
#[derive(Debug, Serialize, ToSchema)]
pub struct Read {
    /// `understood`, `unsure`, `unknown_command` or `empty`.
    pub outcome: &'static str,
    /// What is asked for, in order; or the likely readings when unsure.
    pub readings: Vec<ReadingView>,
}

/// The facts a conversation holds, by name.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/facts", tag = "knowledge", operation_id = "list_facts",
    params(Named),
    responses((status = 200, body = Vec<HeldView>), Refusal)
)]
pub(super) async fn facts(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Vec<HeldView>>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let state = session.conversation();
    Ok(Json(state.facts().values().map(|fact| HeldView::new(state.facts(), fact)).collect()))
}

/// One fact.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/facts/{name}", tag = "knowledge", operation_id = "get_fact",
    params(Named, ("name" = String, Path, description = "The fact")),
    responses((status = 200, body = HeldView), Refusal)
)]
pub(super) async fn fact(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Json<HeldView>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let state = session.conversation();
    let fact = state.facts().get(&FactName::new(name)).ok_or_else(|| Problem::not_found("fact"))?;
    Ok(Json(HeldView::new(state.facts(), fact)))
}

/// How a message was read when it came.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/why", tag = "knowledge", operation_id = "why",
    params(
        Named,
        ("message" = Option<u64>, Query, description = "The number of the message; the last one that was read if left out")
    ),
    responses((status = 200, body = Read), Refusal)
)]
pub(super) async fn why(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(which): Asked<Which>,
) -> Result<Json<Read>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let history = session.history().await?;
    let reading = history.iter().rev().find_map(|recorded| match &recorded.event {
        Event::MessageRead { message, reading } if which.message.is_none_or(|wanted| wanted == message.number()) => {
            Some(reading)
        }
        _ => None,
    });
    reading.map(|reading| Json(Read::new(reading))).ok_or_else(|| Problem::not_found("message that was read"))
}

/// How words would be read, without acting on them.
#[utoipa::path(
    post, path = "/v1/classify", tag = "knowledge", operation_id = "classify", request_body = Words,
    responses((status = 200, body = Read), Refusal)
)]
pub(super) async fn classify(State(app): State<Arc<App>>, Body(words): Body<Words>) -> Result<Json<Read>, Problem> {
    let host = Arc::clone(&app.host);
    // Reading takes milliseconds of one processor; other requests shall not wait for it.
    let read = tokio::task::spawn_blocking(move || {
        host.read(&AssistantName::new(words.assistant), &words.text, words.phase.into())
    });
    let reading = read.await.map_err(|_| {
        Problem::new(
            axum::http::StatusCode::INTERNAL_SERVER_ERROR,
            "defect",
            "reading broke down",
            "please report this",
        )
    })?;
    let known = || app.host.assistants().iter().map(|known| known.name.as_str()).collect::<Vec<_>>().join(", ");
    let reading = reading.ok_or_else(|| {
        Problem::unprocessable("unknown_assistant", "there is no such assistant here", format!("there is {}", known()))
    })?;
    Ok(Json(Read::new(&reading)))
}

impl Read {
    fn new(reading: &MessageReading) -> Self {
        let all = |readings: &[turnwise_core::Reading]| readings.iter().map(ReadingView::new).collect();
        match reading {
            MessageReading::Understood { segments, .. } => Self { outcome: "understood", readings: all(segments) },
            MessageReading::Unsure { options } => Self { outcome: "unsure", readings: all(options) },
            MessageReading::UnknownCommand { .. } => Self { outcome: "unknown_command", readings: Vec::new() },
            MessageReading::Bare { .. } => Self { outcome: "bare_command", readings: Vec::new() },
            MessageReading::Empty => Self { outcome: "empty", readings: Vec::new() },
        }
    }
}

impl From<PhaseName> for Phase {
    fn from(name: PhaseName) -> Self {
        match name {
            PhaseName::Idle => Self::Idle,
            PhaseName::Planning => Self::Planning,
            PhaseName::AwaitingApproval => Self::AwaitingApproval,
            PhaseName::Executing => Self::Executing,
            PhaseName::Failed => Self::Failed,
        }
    }
}
