//! The same server over HTTP, by the protocol's streamable HTTP without sessions: nothing of a client is kept between
//! two requests, so there is nothing to lose or to take over. Who comes in is settled for every request by whatever
//! stands before these routes. Next: `acts`.

use std::sync::Arc;

use axum::Router;
use axum::http::request;
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio_util::sync::CancellationToken;
use turnwise_core::PersonId;

use super::{Caller, Deciding, Host, Server};

/// The routes, which answer until `closing` is cancelled. Each request has to bear the person it comes from as an
/// extension, and to have been looked at for where it comes from.
pub fn routes<H: Host>(host: Arc<H>, deciding: Deciding, closing: &CancellationToken) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_cancellation_token(closing.clone())
        .with_max_request_body_bytes(BODY_BYTES_MAX)
        .disable_allowed_hosts();
    let server = move || Ok(Server { host: Arc::clone(&host), caller: Caller::OfRequest, deciding });
    let service = StreamableHttpService::new(server, Arc::new(NeverSessionManager::default()), config);
    Router::new().route_service(PATH, service)
}

/// The person whom the request of a call was let in as.
pub(super) fn person(context: &RequestContext<RoleServer>) -> Option<PersonId> {
    context.extensions.get::<request::Parts>()?.extensions.get().cloned()
}

/// Where it is reached.
pub const PATH: &str = "/mcp";
/// Bytes of one request: a message, and what JSON makes of it.
const BODY_BYTES_MAX: usize = 512 * 1024;
