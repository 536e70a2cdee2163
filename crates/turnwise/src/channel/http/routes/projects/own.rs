//! A person's own model. Its key is taken in, and told to nobody again: no answer, no log and no error holds it. Next:
//! `mod`.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_assistant::projects::OwnModel;
use turnwise_model::Key;
use utoipa::ToSchema;

use super::super::super::App;
use super::super::super::guard::Caller;
use super::super::super::problem::{Problem, Refusal};
use super::super::Body;
use super::at_desk;

/// Characters of a key.
const KEY_MAX: usize = 500;
/// Characters of a model's name.
const MODEL_MAX: usize = 200;

/// A model of your own. Never printed: there is a key in it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OwnModelSent {
    /// Its name.
    #[schema(example = "openai:gpt-4.1-mini", min_length = 1, max_length = 200)]
    pub model: String,
    /// The key it is asked with.
    #[schema(min_length = 1, max_length = 500, write_only)]
    pub key: String,
}

/// Which model of your own there is.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnModelView {
    /// Its name; left out where there is none, and the server's is asked where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// The model of your own that the assistant at your side asks, if there is one. Its key is not told.
#[utoipa::path(
    get, path = "/v1/own-model", tag = "projects", operation_id = "get_own_model",
    responses((status = 200, body = OwnModelView), Refusal)
)]
pub(in super::super) async fn own(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<OwnModelView>, Problem> {
    let model = at_desk(&app, &caller, |projects, person| projects.own_model(person)).await?;
    Ok(Json(OwnModelView { model }))
}

/// Have the assistant at your side ask a model with your own key, in place of the server's. Nothing is sent to it
/// before you say something.
#[utoipa::path(
    put, path = "/v1/own-model", tag = "projects", operation_id = "set_own_model", request_body = OwnModelSent,
    responses((status = 200, body = OwnModelView), Refusal)
)]
pub(in super::super) async fn set(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Body(sent): Body<OwnModelSent>,
) -> Result<Json<OwnModelView>, Problem> {
    if sent.key.chars().count() > KEY_MAX || sent.model.chars().count() > MODEL_MAX {
        let told = format!("`key` is longer than {KEY_MAX} characters, or `model` than {MODEL_MAX}");
        return Err(Problem::unprocessable("invalid", told, "send the key alone, and the model's name"));
    }
    let key = Key::given(&sent.key)
        .ok_or_else(|| Problem::unprocessable("invalid", "`key` is no key", "send the key alone, without spaces"))?;
    let model = sent.model.trim().to_owned();
    let own = OwnModel { name: model.clone(), key };
    at_desk(&app, &caller, move |projects, person| projects.set_own_model(person, Some(own))).await?;
    Ok(Json(OwnModelView { model: Some(model) }))
}

/// Forget the model of your own and its key.
#[utoipa::path(
    delete, path = "/v1/own-model", tag = "projects", operation_id = "forget_own_model",
    responses((status = 200, body = OwnModelView), Refusal)
)]
pub(in super::super) async fn forget(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
) -> Result<Json<OwnModelView>, Problem> {
    at_desk(&app, &caller, |projects, person| projects.set_own_model(person, None)).await?;
    Ok(Json(OwnModelView { model: None }))
}
