//! Turnwise as a server of tools by the Model Context Protocol, over standard input and output or over HTTP: another
//! program can ask, see what waits, and read facts and proofs. Deciding is for people. Unless the operator allowed it,
//! nothing that comes this way approves anything, neither by a reference nor by words that would answer an open
//! question. Next: `acts` for what each tool does, `forms` for how they are described, `web` for HTTP.

mod acts;
mod forms;
mod web;

use std::sync::Arc;

use async_trait::async_trait;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use serde_json::Value;
use turnwise_assistant::{Failure, FailureKind};
use turnwise_core::PersonId;

use crate::driver::Session;

pub use web::{PATH, routes};

/// What the process around it answers: channels know no assistants and no store.
#[async_trait]
pub trait Host: Send + Sync + 'static {
    /// The conversation of this id, or a new one where none is named. One that `person` takes no part in cannot be told
    /// from one that is not there; so it is with all of these.
    async fn session(&self, conversation: Option<&str>, person: &PersonId) -> Result<Session, Failure>;

    /// The conversation that a signed reference belongs to; none for one that is not signed here.
    async fn referred(&self, reference: &str, person: &PersonId) -> Result<Session, Failure>;

    /// The conversations of `person` in which something waits.
    async fn waiting(&self, person: &PersonId) -> Result<Vec<Session>, Failure>;

    /// The proof of the last conclusion of a conversation, as Markdown or as JSON.
    async fn proof(&self, session: &Session, as_json: bool) -> Result<String, Failure>;
}

/// Whether decisions may come this way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deciding {
    /// No: people decide elsewhere.
    ByPeople,
    /// Yes, because the operator said so.
    Allowed,
}

/// The server.
struct Server<H> {
    host: Arc<H>,
    caller: Caller,
    deciding: Deciding,
}

/// Who calls its tools.
#[derive(Clone, Debug)]
enum Caller {
    /// Whoever started it.
    One(PersonId),
    /// Whoever let themselves in with a request.
    OfRequest,
}

impl Caller {
    /// The person behind a call.
    fn of(&self, context: &RequestContext<RoleServer>) -> Option<PersonId> {
        match self {
            Self::One(person) => Some(person.clone()),
            Self::OfRequest => web::person(context),
        }
    }
}

/// Serves until the other side closes standard input.
///
/// # Errors
/// When the other side does not speak the protocol.
pub async fn serve<H: Host>(host: Arc<H>, person: PersonId, deciding: Deciding) -> Result<(), Failure> {
    let server = Server { host, caller: Caller::One(person), deciding };
    let broken = |told: String| {
        Failure::new(FailureKind::Peer, format!("the other side does not speak the Model Context Protocol ({told})"))
            .hint("turnwise mcp is started by a program; for people there is turnwise chat")
    };
    match rmcp::serve_server(server, rmcp::transport::stdio()).await {
        Ok(running) => running.waiting().await.map(drop).map_err(|error| broken(error.to_string())),
        // Who closes it before saying anything wanted nothing.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(broken(error.to_string())),
    }
}

impl<H: Host> ServerHandler for Server<H> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let ours = Implementation::new("turnwise", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(ours).with_instructions(forms::INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(forms::tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(person) = self.caller.of(&context) else {
            return Err(ErrorData::invalid_request("nobody is known behind this call", None));
        };
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        let called = self.call(&person, &request.name, arguments).await;
        let result = match called {
            Ok(told) => CallToolResult::success(vec![ContentBlock::text(told)]),
            Err(failure) => CallToolResult::error(vec![ContentBlock::text(failure.to_string())]),
        };
        Ok(result.into())
    }
}
