//! The server itself: layers around the routes, connections with time-outs, and an end that lets open requests finish.
//! Next: `routes`.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::guard;
use super::host::Host;
use super::problem::Problem;
use super::{App, Settings, limits, routes};
use crate::channel::handles;

/// Serves the API and `pages` until `closing` is cancelled; then takes no more requests, ends the event streams, and
/// gives requests that are under way time to end.
pub async fn serve(
    listener: TcpListener,
    host: Arc<dyn Host>,
    settings: Settings,
    pages: Router,
    closing: CancellationToken,
) {
    let app = Arc::new(App::new(host, settings, closing.clone()));
    answer(listener, router(app, pages), closing).await;
}

/// Answers connections by `routes` until `closing` is cancelled, and gives requests that are under way time to end.
pub async fn answer(listener: TcpListener, routes: Router, closing: CancellationToken) {
    let service = TowerToHyperService::new(routes);
    let connections = TaskTracker::new();
    let places = Arc::new(Semaphore::new(connections_max()));
    loop {
        let accepted = tokio::select! {
            () = closing.cancelled() => break,
            accepted = accept(&listener, &places) => accepted,
        };
        let (stream, place) = match accepted {
            Ok(accepted) => accepted,
            // A connection that ended before it began, or too many open files: the next may do better.
            Err(_) => {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let (service, reached) = (service.clone(), stream.local_addr().ok());
        let service = service_fn(move |mut request| {
            if let Some(address) = reached {
                hyper::Request::extensions_mut(&mut request).insert(guard::Reached(address.ip()));
            }
            service.call(request)
        });
        let closing = closing.clone();
        connections.spawn(async move {
            let _place = place;
            let mut builder = Builder::new(TokioExecutor::new());
            let timeout = Duration::from_secs(limits::HEAD_SECONDS_MAX);
            let mut http = builder.http1();
            http.timer(TokioTimer::new()).header_read_timeout(timeout).max_buf_size(limits::HEAD_BYTES_MAX);
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            let mut connection = std::pin::pin!(connection);
            // What a connection ends with is its client's to see.
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
}

/// Connections that may be open at once: as many as the server is made for, or as the system has open files for.
#[must_use]
pub fn connections_max() -> usize {
    let handles = handles::raised().saturating_sub(limits::HANDLES_KEPT);
    usize::try_from(handles).unwrap_or(usize::MAX).clamp(1, limits::CONNECTIONS_MAX)
}

/// The next connection, once there is room for it.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, Option<OwnedSemaphorePermit>)> {
    // The semaphore is never closed, so there is always a place to come.
    let place = Arc::clone(places).acquire_owned().await.ok();
    let (stream, _) = listener.accept().await?;
    // Events are small and wanted at once.
    stream.set_nodelay(true)?;
    Ok((stream, place))
}

/// All routes with what stands around them.
pub(super) fn router(app: Arc<App>, pages: Router) -> Router {
    let (api, _) = routes::api();
    let api = api
        .layer(middleware::from_fn_with_state(Arc::clone(&app), patience))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::caller))
        .layer(DefaultBodyLimit::max(limits::BODY_BYTES_MAX));
    let open = routes::open().layer(middleware::from_fn_with_state(Arc::clone(&app), patience));
    api.merge(open)
        .merge(routes::health())
        .fallback(|| async { Problem::not_found("page; see /docs") })
        .method_not_allowed_fallback(|| async {
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "this cannot be done here", "see /docs")
        })
        .with_state(Arc::clone(&app))
        .merge(pages)
        .layer(middleware::from_fn(super::compressed::compressed))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::origin))
        .layer(middleware::from_fn_with_state(app, noted))
}

/// Counts each request and notes it in the journal.
async fn noted(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map(|route| route.as_str().to_owned());
    let response = next.run(request).await;
    let took = begun.elapsed();
    app.counts.request(response.status(), took);
    app.settings.journal.note(&method, route.as_deref(), response.status(), took);
    response
}

/// Bounds how many requests are handled at once, and how long each may take.
async fn patience(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let Ok(_place) = app.requests.try_acquire() else {
        return Problem::busy("the server is handling as many requests as it can", 1).into_response();
    };
    let limit = Duration::from_secs(limits::REQUEST_SECONDS_MAX);
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
