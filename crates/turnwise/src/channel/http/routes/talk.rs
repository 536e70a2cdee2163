//! What people say. Next: `decisions` for what they decide.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_core::InputBody;
use utoipa::ToSchema;

use super::super::App;
use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::view::{ReceiptView, StateView};
use super::{Body, Path, conversation};
use crate::driver::{Session, TurnResult};

/// A message of a person.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// The words, or a slash command.
    #[schema(example = "revenue by region", min_length = 1)]
    pub text: String,
}

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
    /// Where the conversation stands now.
    pub state: StateView,
}

/// Say something. The reply says what became of it; what the assistant does about it follows as events.
#[utoipa::path(
    post, path = "/v1/conversations/{id}/messages", tag = "talk", operation_id = "say", request_body = Message,
    params(
        ("id" = String, Path, description = "The conversation"),
        ("Idempotency-Key" = String, Header, description = "A new one for each new input")
    ),
    responses(
        (status = 200, body = Outcome), Refusal
    )
)]
pub(super) async fn say(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Body(message): Body<Message>,
) -> Result<Json<Outcome>, Problem> {
    let session = conversation(&app, &caller, &id).await?;
    if message.text.trim().is_empty() {
        return Err(Problem::unprocessable("empty", "the message is empty", "say something in `text`"));
    }
    let body = InputBody::Message { person: caller.0.clone(), text: message.text, grounding: Vec::new() };
    let (result, session) = submit(&app, &caller, session, &headers, body).await?;
    Ok(Json(Outcome::new(&result, &session)))
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
    pub(super) fn new(result: &TurnResult, session: &Session) -> Self {
        Self {
            receipt: result.receipt.as_ref().map(ReceiptView::new),
            first: result.first.number(),
            last: result.last.number(),
            replayed: result.duplicate,
            state: StateView::new(session.id(), &session.conversation()),
        }
    }
}
