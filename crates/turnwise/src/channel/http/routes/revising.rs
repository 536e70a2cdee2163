//! A plan as text that a person edits where they sit: the same text, and the same meaning of what was changed, as in an
//! editor of their own. An edit is never an approval. Next: `decisions`, which takes it.

use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use serde::Serialize;
use turnwise_core::{Card, DecisionRef, Event, Plan, Verdict};
use utoipa::ToSchema;

use super::super::App;
use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::{Path, conversation};
use crate::channel::plan_text::{self, Edit};
use crate::channel::revise::editable;
use crate::driver::Session;

/// A plan as text.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanText {
    /// The reference of the question it waits under; the edited text is sent with it.
    pub reference: String,
    /// The text (YAML), with comments on what can be changed.
    pub text: String,
}

/// The plan that waits, as text to be edited. Send it back as the verdict `edit`.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/plan/text", tag = "talk", operation_id = "get_plan_text",
    params(("id" = String, Path, description = "The conversation")),
    responses((status = 200, body = PlanText), Refusal)
)]
pub(super) async fn plan_text(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<PlanText>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    let state = session.conversation();
    let (question, plan) = editable(&state).ok_or_else(|| Problem::not_found("plan that waits"))?;
    let reference = session.reference(question).await?.to_string();
    Ok(Json(PlanText { reference, text: plan_text::render(plan) }))
}

/// What an edited text asks for, compared with the plan as the question showed it: the same request sent again, when a
/// newer version waits, must mean the same again.
///
/// # Errors
/// When the question is about no plan, nothing was changed, or the text is no plan: with its line.
pub(super) async fn edited(session: &Session, question: DecisionRef, text: &str) -> Result<Verdict, Problem> {
    let state = session.conversation();
    let nothing = |told: &str, hint: &str| Problem::unprocessable("not_an_edit", told, hint);
    let Some(plan) = shown(session, question).await? else {
        return Err(nothing("the question is not about a plan, so there is none to edit", "see what is pending now"));
    };
    let known = state.facts().keys().cloned().collect();
    match plan_text::parse(text, &plan, &known) {
        Ok(Edit::Unchanged) => Err(nothing("nothing was changed", "the plan waits as it is")),
        Ok(Edit::Structure(patches)) => Ok(Verdict::Edit { patches }),
        Ok(Edit::Words(change)) => Ok(Verdict::Change { change }),
        Err(error) => Err(nothing(&format!("the text is no plan: {error}"), "the plan is unchanged")),
    }
}

/// The plan that `question` was put with.
async fn shown(session: &Session, question: DecisionRef) -> Result<Option<Arc<Plan>>, Problem> {
    let history = session.history().await?;
    Ok(history.iter().rev().find_map(|recorded| match &recorded.event {
        Event::Said { card: Some(Card::Plan(shown)), .. } if shown.reference == Some(question) => {
            Some(Arc::clone(&shown.plan))
        }
        _ => None,
    }))
}
