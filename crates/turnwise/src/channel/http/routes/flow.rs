//! How work is gone about in one conversation (FL-11): settled as a whole, so that the same again changes nothing. It
//! is what `/flow` does in words. Next: `runs`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_core::Control;
use utoipa::ToSchema;

use super::super::App;
use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::parameters::{Named, Sending};
use super::runs::{press, pressed};
use super::talk::Outcome;
use super::{Body, Path};

/// How work is gone about in a conversation, in place of what was settled for it before. What is absent is as the
/// preset has it, or as configured without one.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowChoice {
    /// Where the rest starts from: `complex` (plans are shown and approved), `simple` (small tasks run at once) or
    /// `conversational` (a task is talked over before it is planned).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<PresetName>,
    /// How readily it is asked what is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intelligent_routing: Option<RoutingName>,
    /// Where runs wait between their steps; one that is under way keeps to it from its next step on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval_mode: Option<ApprovalModeName>,
    /// Whether plans that run without asking are shown first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enable_planning: Option<bool>,
    /// Whether plans that change nothing are asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan_approval: Option<bool>,
    /// Whether small plans that change nothing, or only what can be taken back, run without asking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub auto_approve_simple: Option<bool>,
    /// Whether it is asked afterwards if such work met the need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub satisfaction: Option<bool>,
    /// Whether runs can be paused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause_enabled: Option<bool>,
    /// Whether a task is talked over before it is planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversational: Option<bool>,
    /// Whether work may begin from such a talk; what is configured to start none starts none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allow_execution_transition: Option<bool>,
}

/// Settings that go together.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PresetName {
    /// Plans are shown and approved before anything runs.
    Complex,
    /// Small tasks run at once.
    Simple,
    /// A task is talked over before it is planned.
    Conversational,
}

/// How readily it is asked what is meant.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoutingName {
    /// At any doubt.
    Aggressive,
    /// As the assistant's thresholds say.
    Balanced,
    /// Seldom.
    Minimal,
}

/// Where a run waits for the person.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalModeName {
    /// Nowhere.
    None,
    /// Before each step.
    BeforeStep,
    /// After each step.
    AfterStep,
    /// Before the first step and after each one.
    Both,
}

/// Settle how work is gone about in this conversation. The choice of whoever takes part holds for all of them; an empty
/// one takes back what was settled. `flow` of the state shows what holds. What may not be loosened here is refused, and
/// the reply says why.
#[utoipa::path(
    put, path = "/v1/conversations/{id}/flow", tag = "talk", operation_id = "set_flow", request_body = FlowChoice,
    params(Named, Sending),
    responses((status = 200, body = Outcome), Refusal)
)]
pub(super) async fn set(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(choice): Body<FlowChoice>,
) -> Result<Json<Outcome>, Problem> {
    let words = in_words(&choice)?;
    press(&app, &caller, &id, &headers, pressed(&caller, Control::Flow, Some(&words))).await
}

/// The choice as the command `/flow` has it.
fn in_words(choice: &FlowChoice) -> Result<String, Problem> {
    let told = serde_json::to_value(choice)
        .map_err(|error| Problem::bad_request(error.to_string(), "Send the keys as they are described."))?;
    let keys = told.as_object().into_iter().flatten();
    let word = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let preset = told.get("preset").map_or_else(|| "configured".to_owned(), word);
    let others = keys.filter(|(key, _)| *key != "preset").map(|(key, value)| format!(" {key} {}", word(value)));
    Ok(preset + &others.collect::<String>())
}
