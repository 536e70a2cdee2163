//! The server itself: layers around the routes, connections with time-outs, and an end that lets open requests finish.
//! Next: `routes`.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::guard::{self, Access};
use super::host::Host;
use super::problem::Problem;
use super::{App, limits, routes};

/// Serves the API and `pages` until `closing` is cancelled; then takes no more requests, ends the event streams, and
/// gives requests that are under way time to end.
///
/// # Errors
/// When the listener breaks.
pub async fn serve(
    listener: TcpListener,
    host: Arc<dyn Host>,
    access: Access,
    pages: Router,
    closing: CancellationToken,
) -> io::Result<()> {
    let app = Arc::new(App::new(host, access, closing.clone()));
    let service = TowerToHyperService::new(router(app, pages));
    let connections = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = closing.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            // A connection that ended before it began, or too many open files: the next may do better.
            Err(_) => {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let service = service.clone();
        let closing = closing.clone();
        connections.spawn(async move {
            let mut builder = Builder::new(TokioExecutor::new());
            builder.http1().timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(limits::HEAD_SECONDS_MAX));
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            let mut connection = std::pin::pin!(connection);
            tokio::select! {
                _ = connection.as_mut() => {}
                () = closing.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    let _ = connection.await;
                }
            }
        });
    }
    connections.close();
    let _ = tokio::time::timeout(Duration::from_secs(limits::DRAIN_SECONDS_MAX), connections.wait()).await;
    Ok(())
}

/// All routes with what stands around them.
pub(super) fn router(app: Arc<App>, pages: Router) -> Router {
    let (api, _) = routes::api();
    let api = api
        .layer(middleware::from_fn_with_state(Arc::clone(&app), patience))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::caller))
        .layer(DefaultBodyLimit::max(limits::BODY_BYTES_MAX));
    api.merge(routes::open())
        .fallback(|| async { Problem::not_found("page; see /docs") })
        .method_not_allowed_fallback(|| async {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this cannot be done here", "see /docs")
        })
        .with_state(Arc::clone(&app))
        .merge(pages)
        .layer(middleware::from_fn_with_state(app, guard::origin))
}

/// Bounds how many requests are handled at once, and how long each may take.
async fn patience(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let Ok(_place) = app.requests.try_acquire() else {
        return Problem::busy("the server is handling as many requests as it can", 1).into_response();
    };
    let limit = Duration::from_secs(limits::REQUEST_SECONDS_MAX.max(limits::POLL_SECONDS_MAX + 5));
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "timeout",
            "the request took too long",
            "send it again with the same Idempotency-Key: if it was taken in, the reply is the first one",
        )
        .into_response(),
    }
}

/// A moment in which a machine that is out of file handles may recover.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
