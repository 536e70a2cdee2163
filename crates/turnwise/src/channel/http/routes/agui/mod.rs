//! AG-UI, the Agent User Interaction protocol (1.0): one request is one run, answered as a stream of its events until
//! nothing is under way any more or a person is asked. What is asked is an interrupt that carries our signed reference;
//! the run that resumes answers exactly that. What a run begins goes on without whoever began it. Next: `input` for
//! what is sent, `taken` for what becomes of it, `stream` for what is answered.

mod answer;
mod event;
mod ids;
mod input;
mod interrupt;
mod steps;
mod stream;
mod taken;
mod thread;

use std::sync::Arc;

use axum::Extension;
use axum::extract::{DefaultBodyLimit, State};
use axum::response::Response;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};
use utoipa_axum::routes;

use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::{App, limits};
use super::Path;
use super::events::place_for_stream;
use event::AgentEventFrame;
use input::RunAgentInput;

/// The routes of AG-UI.
pub(super) fn routes(router: OpenApiRouter<Arc<App>>) -> OpenApiRouter<Arc<App>> {
    let whole_talk = || DefaultBodyLimit::max(limits::RUN_INPUT_BYTES_MAX);
    router.routes(routes!(run).layer(whole_talk())).routes(routes!(run_with).layer(whole_talk()))
}

/// Run the assistant that is served first, as an AG-UI agent: `threadId` is a conversation of yours, `runId` a key that
/// does the same thing once. The last message of the person is what is new; `resume` answers what the run before asked.
#[utoipa::path(
    post, path = "/agui", tag = "agui", operation_id = "run_agent", request_body = RunAgentInput,
    responses((status = 200, body = AgentEventFrame, content_type = "text/event-stream"), Refusal)
)]
async fn run(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    input: RunAgentInput,
) -> Result<Response, Problem> {
    answered(app, &caller, None, input).await
}

/// The same with the assistant of this name.
#[utoipa::path(
    post, path = "/agui/{assistant}", tag = "agui", operation_id = "run_agent_named", request_body = RunAgentInput,
    params(("assistant" = String, Path, description = "The assistant, as `GET /v1/assistants` names it")),
    responses((status = 200, body = AgentEventFrame, content_type = "text/event-stream"), Refusal)
)]
async fn run_with(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path(assistant): Path<String>,
    input: RunAgentInput,
) -> Result<Response, Problem> {
    answered(app, &caller, Some(&assistant), input).await
}

async fn answered(
    app: Arc<App>,
    caller: &Caller,
    assistant: Option<&str>,
    input: RunAgentInput,
) -> Result<Response, Problem> {
    input.check()?;
    let session = thread::session(&app, caller, assistant, &input.thread_id).await?;
    // Nothing is taken in that could not be answered.
    let place = place_for_stream(&app)?;
    let taken = taken::take(&app, caller, &session, &input).await?;
    stream::response(app, caller, session, input, taken, place).await
}

/// What people call this surface where the caller does not say.
const SURFACE: &str = "AG-UI";
