//! Proofs: how a conclusion was found, as the file that `turnwise verify` checks. Made from the log alone, so that what
//! is handed out is what was recorded. Next: `artefacts`.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use turnwise_core::FactName;
use utoipa::ToSchema;

use super::super::App;
use super::super::guard::Caller;
use super::super::host::{Conclusions, ProofForm};
use super::super::problem::{Problem, Refusal};
use super::parameters::Named;
use super::{Asked, Path, conversation};

/// What to prove, and how to write it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    #[serde(default)]
    fact: Option<String>,
    #[serde(default)]
    all: bool,
    #[serde(default)]
    form: FormName,
}

/// How a proof is written.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FormName {
    /// For machines.
    #[default]
    Json,
    /// For reading anywhere.
    Markdown,
    /// One page with the derivation drawn.
    Html,
}

/// The proof of the last conclusion, of one fact, or of everything that was found: each fact with its query, rows,
/// sources and assumptions, linked by hash. `turnwise verify` checks the file.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/proof", tag = "knowledge", operation_id = "prove",
    params(
        Named,
        ("fact" = Option<String>, Query, description = "Prove this fact instead of the last conclusion"),
        ("all" = Option<bool>, Query, description = "Prove everything that was found"),
        ("form" = Option<FormName>, Query, description = "How it is written; `json` if left out")
    ),
    responses(
        (status = 200, content((Object = "application/json"), (String = "text/markdown"), (String = "text/html"))),
        Refusal
    )
)]
pub(super) async fn proof(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Response, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let of = match (wanted.fact, wanted.all) {
        (Some(_), true) => {
            return Err(Problem::bad_request("`fact` and `all` exclude each other", "send one of them"));
        }
        (Some(name), false) => Conclusions::Named(vec![FactName::new(name)]),
        (None, true) => Conclusions::All,
        (None, false) => Conclusions::Last,
    };
    let (form, kind, file) = match wanted.form {
        FormName::Json => (ProofForm::Json, "application/json", "proof.json"),
        FormName::Markdown => (ProofForm::Markdown, "text/markdown; charset=utf-8", "proof.md"),
        FormName::Html => (ProofForm::Html, "text/html; charset=utf-8", "proof.html"),
    };
    let text = app.host.proof(&session, &of, form).await?.ok_or_else(|| Problem::not_found("conclusion to prove"))?;
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}\"")),
        (header::CONTENT_SECURITY_POLICY, super::artefacts::ALONE.to_owned()),
    ];
    Ok((headers, text).into_response())
}
