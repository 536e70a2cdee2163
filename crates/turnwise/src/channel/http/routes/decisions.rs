//! Decisions: what waits for a person, and the person's answer to it. A decision names the question as it was shown;
//! one that came too late is refused with the question as it is now. Next: `runs`.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::{Extension, Json};
use turnwise_core::{DecisionRef, Outcome as Became, PendingId, Resolution, Verdict};

use super::super::App;
use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::view::{PendingView, StateView};
use super::parameters::{Named, Sending};
use super::talk::{Outcome, waited};
use super::waiting::Waiting;
use super::{Asked, Body, Path, conversation};
use crate::channel::wire::{Decision, VerdictView};
use crate::driver::{NoReference, Reference, Session};

/// The open questions, oldest first.
#[utoipa::path(
    get, path = "/v1/conversations/{id}/pending", tag = "talk", operation_id = "list_pending",
    params(Named),
    responses((status = 200, body = Vec<PendingView>), Refusal)
)]
pub(super) async fn pending(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
) -> Result<Json<Vec<PendingView>>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    Ok(Json(StateView::of(&session).await?.pending))
}

/// Decide on an open question. 409 with the current reference when what is asked has changed or was decided already;
/// 410 when the question has expired.
#[utoipa::path(
    post, path = "/v1/conversations/{id}/decisions", tag = "talk", operation_id = "decide", request_body = Decision,
    params(
        Named,
        ("wait_seconds" = Option<u64>, Query, maximum = 55, description = "How long to wait for what comes of it"),
        Sending
    ),
    responses((status = 200, body = Outcome), Refusal)
)]
pub(super) async fn decide(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(waiting): Asked<Waiting>,
    headers: HeaderMap,
    Body(decision): Body<Decision>,
) -> Result<Json<Outcome>, Problem> {
    let waiting = waiting.check()?;
    let session = conversation(&app, &caller, &id).await?;
    let reference: Reference = decision.reference.parse().map_err(|error: NoReference| {
        let hint = "send the `reference` of a pending question as it was given";
        Problem::unprocessable("no_reference", error.to_string(), hint).at("/reference")
    })?;
    let verdict = decision.verdict.read(&session, reference.decision()).await?;
    let claimed = app.under_way.claim(&headers, &caller.0, session.id())?;
    let result = session.decide_by(&caller.0, &reference, verdict, claimed.key()).await?;
    app.counts.input(&result);
    match &result.receipt {
        Some(receipt) if receipt.outcome == Became::Refused => {
            Err(refused(&session, reference.decision(), &receipt.detail).await?)
        }
        _ => {
            drop(claimed);
            waited(&app, &caller, &session, &result, waiting).await
        }
    }
}

/// Why a decision was refused, by what became of its question.
pub(super) async fn refused(session: &Session, reference: DecisionRef, detail: &str) -> Result<Problem, Problem> {
    let state = session.conversation();
    let same = state.pending().iter().find(|open| open.id == reference.pending);
    let problem = match same {
        Some(open) if open.reference() == reference => {
            Problem::unprocessable("not_an_answer", detail, "see what the question asks for, and who may answer it")
        }
        Some(_) => Problem::conflict("stale", detail, "look at the question as it is now, then decide on that"),
        None => {
            let how = state.resolved(reference.pending).map(|resolved| resolved.resolution);
            ended(how, reference.pending, detail)
        }
    };
    let current = match same.or_else(|| state.question()) {
        Some(open) => Some(session.reference(open).await?.to_string()),
        None => None,
    };
    Ok(problem.current(current))
}

fn ended(how: Option<Resolution>, pending: PendingId, detail: &str) -> Problem {
    match how {
        Some(Resolution::Expired) => Problem::new(
            StatusCode::GONE,
            "expired",
            detail,
            format!("question {pending} expired; nothing was approved"),
        ),
        Some(how) => {
            let asks_on = matches!(how, Resolution::Superseded | Resolution::Changed);
            let code = if asks_on { "stale" } else { "already_decided" };
            Problem::conflict(code, detail, format!("question {pending} was {}; nothing was done again", how.word()))
        }
        None => Problem::new(StatusCode::CONFLICT, "no_such_question", detail, "see what is pending now"),
    }
}

impl VerdictView {
    /// The verdict in the engine's own words; an edited text is compared with the plan as it stands.
    async fn read(self, session: &Session, question: DecisionRef) -> Result<Verdict, Problem> {
        Ok(match self {
            Self::Edit { text } => super::revising::edited(session, question, &text).await?,
            Self::Patch { patches } => Verdict::Edit { patches },
            Self::Approve { note: None } => Verdict::Approve,
            Self::Approve { note: Some(note) } => Verdict::ApproveNoting { note },
            Self::Reject { reason: None } => Verdict::Reject,
            Self::Reject { reason: Some(reason) } => Verdict::RejectBecause { reason },
            Self::Change { change } => Verdict::Change { change },
            Self::Cancel => Verdict::Cancel,
            Self::Choose { number } => Verdict::Choose { number },
            Self::Say { text } => Verdict::Say { text },
            Self::Resume => Verdict::Resume,
            Self::Retry => Verdict::Retry,
            Self::Replan => Verdict::Replan,
            Self::Abandon => Verdict::Abandon,
        })
    }
}
