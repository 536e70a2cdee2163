//! What people say, and what became of it: the same words sent again must get the same reply, so that a client may
//! repeat what it is not sure of. Next: `decisions` for what they decide.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use serde::Serialize;
use turnwise_core::{DecisionRef, InputBody, Outcome as Became, PendingId, PlanId, PlanVersion, Seen};
use utoipa::ToSchema;

use super::super::App;
use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::view::{ReceiptView, StateView};
use super::parameters::{Named, Sending};
use super::waiting::{SaidView, Waiting};
use super::{Asked, Body, Path, conversation, has_left};
use crate::channel::wire::{Message, SeenView};
use crate::driver::{Reference, Session, TurnResult};

/// What became of an input.
#[derive(Debug, Serialize, ToSchema)]
pub struct Outcome {
    /// The receipt.
    pub receipt: Option<ReceiptView>,
    /// The first event of the turn.
    pub first: u64,
    /// The last event of the turn.
    pub last: u64,
    /// Whether this is the reply to an earlier delivery of the same request, given again.
    pub replayed: bool,
    /// What the assistant said because of it, as far as it was waited for.
    pub said: Vec<SaidView>,
    /// Where the conversation stands now.
    pub state: StateView,
}

/// Say something. The reply says what became of it; what the assistant does about it follows as events. With
/// `wait_seconds` the reply comes once nothing is under way any more or something is asked, and has what was said.
#[utoipa::path(
    post, path = "/v1/conversations/{id}/messages", tag = "talk", operation_id = "say", request_body = Message,
    params(
        Named,
        ("wait_seconds" = Option<u64>, Query, maximum = 55, description = "How long to wait for what comes of it"),
        Sending
    ),
    responses(
        (status = 200, body = Outcome), Refusal
    )
)]
pub(super) async fn say(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    Asked(waiting): Asked<Waiting>,
    headers: HeaderMap,
    Body(message): Body<Message>,
) -> Result<Json<Outcome>, Problem> {
    let waiting = waiting.check()?;
    let session = conversation(&app, &caller, &id).await?;
    let session = message.around.map_or_else(|| session.clone(), |around| session.among(around.into()));
    if message.text.trim().is_empty() {
        return Err(Problem::unprocessable("empty", "the message is empty", "say something in `text`"));
    }
    let seen = message.seen.map(Seen::try_from).transpose()?;
    let claimed = app.under_way.claim(&headers, &caller.0, session.id())?;
    let is_about = seen.is_some();
    let result = match seen {
        Some(seen) => session.say_about(&caller.0, &message.text, seen, claimed.key()).await?,
        None => session.say(&caller.0, &message.text, claimed.key()).await?,
    };
    app.counts.input(&result);
    if is_about && is_refused(&result) {
        let detail = result.receipt.as_ref().map_or("", |receipt| receipt.detail.as_str());
        let current = match session.conversation().question() {
            Some(open) => Some(session.reference(open).await?.to_string()),
            None => None,
        };
        let problem = Problem::conflict("stale", detail, "look at what is there now, then say it about that");
        return Err(problem.current(current));
    }
    drop(claimed);
    waited(&app, &caller, &session, &result, waiting).await
}

/// What became of an input, once it was waited for. Who left meanwhile hears nothing of it.
pub(super) async fn waited(
    app: &App,
    caller: &Caller,
    session: &Session,
    result: &TurnResult,
    waiting: Waiting,
) -> Result<Json<Outcome>, Problem> {
    let outcome = Outcome::of(result, session, waiting).await?;
    if has_left(app, &caller.0, session) {
        return Err(Problem::not_found("conversation"));
    }
    Ok(Json(outcome))
}

/// Takes one input of a person in, under the key the request brings.
pub(super) async fn submit(
    app: &App,
    caller: &Caller,
    session: Session,
    headers: &HeaderMap,
    body: InputBody,
) -> Result<(TurnResult, Session), Problem> {
    let claimed = app.under_way.claim(headers, &caller.0, session.id())?;
    let result = session.submit(body, claimed.key(), None).await?;
    app.counts.input(&result);
    Ok((result, session))
}

impl Outcome {
    /// What became of an input.
    ///
    /// # Errors
    /// When it was refused: the problem says why.
    pub(super) async fn of(result: &TurnResult, session: &Session, waiting: Waiting) -> Result<Self, Problem> {
        if let Some(receipt) = result.receipt.as_ref().filter(|_| is_refused(result)) {
            return Err(Problem::conflict(
                "refused",
                receipt.detail.as_str(),
                "look at where the conversation stands now",
            ));
        }
        Ok(Self {
            receipt: result.receipt.as_ref().map(ReceiptView::new),
            first: result.first.number(),
            last: result.last.number(),
            replayed: result.duplicate,
            said: waiting.wait(session, result).await?,
            state: StateView::of(session).await?,
        })
    }
}

fn is_refused(result: &TurnResult) -> bool {
    result.receipt.as_ref().is_some_and(|receipt| receipt.outcome == Became::Refused)
}

impl TryFrom<SeenView> for Seen {
    type Error = Problem;

    fn try_from(seen: SeenView) -> Result<Self, Problem> {
        let wrong = |what: &str, hint: &str| Problem::unprocessable("invalid", what, hint);
        let reference = seen.reference.as_deref().map(str::parse::<Reference>).transpose();
        let reference =
            reference.map_err(|error| wrong(&error.to_string(), "send the `reference` of a pending question"))?;
        let question = match (seen.question.as_deref(), seen.question_version) {
            (None, None) => reference.map(|reference| reference.decision()),
            (Some(question), Some(ui_version)) if reference.is_none() => {
                let number = question.strip_prefix('q').and_then(|number| number.parse().ok()).map(PendingId::new);
                let wrong = || wrong("this is no id of a question", "send the `id` of the question");
                Some(DecisionRef { pending: number.ok_or_else(wrong)?, ui_version })
            }
            _ => {
                let hint = "send both, or the `reference` alone, or nothing of it";
                return Err(wrong("`question` and `question_version` go together, without a `reference`", hint));
            }
        };
        let number = |plan: &str| plan.strip_prefix("plan-")?.parse().ok().map(PlanId::new);
        let plan = match (seen.plan.as_deref(), seen.plan_version) {
            (None, None) => None,
            (Some(plan), Some(version)) => {
                let plan = number(plan).ok_or_else(|| wrong("this is no id of a plan", "send the `id` of the plan"))?;
                Some(PlanVersion { plan, version })
            }
            _ => return Err(wrong("`plan` and `plan_version` go together", "send both or neither")),
        };
        Ok(Self { question, plan })
    }
}
