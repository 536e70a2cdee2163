//! Requests to a server, and what its answers mean to whoever sent them: taken in, refused, to be sent again, or a
//! failure that somebody has to do something about. Next: `line` for sending again, `wire` for what is sent.

use std::time::Duration;

use axum::http::{HeaderValue, Method, Request, Response, StatusCode, header};
use hyper::body::{Bytes, Incoming};
use serde::Serialize;
use serde::de::DeserializeOwned;
use turnwise_core::{InputKey, Sequence, Surface};

use super::wire::{Problem, Server};
use crate::driver::LOG_FORMAT;
use crate::outgoing::{Address, CallError, call, whole};
use turnwise_assistant::{Failure, FailureKind};

/// Why a request had no success.
#[derive(Debug)]
pub(super) enum Refused {
    /// It may be sent again, under the same key, not before this has passed.
    Later {
        told: String,
        after: Duration,
    },
    /// What was wanted does not fit what is there; the events tell, too.
    Unfitting(Problem),
    Failure(Failure),
}

/// Who is called, by whom.
#[derive(Clone)]
pub(super) struct Calls {
    pub(super) address: Address,
    token: Option<HeaderValue>,
    surface: Option<HeaderValue>,
}

impl Calls {
    /// # Errors
    /// When the token holds what no token has.
    pub(super) fn new(address: Address, token: Option<&str>) -> Result<Self, Failure> {
        let bearer = |token: &str| {
            let mut value = HeaderValue::from_str(&format!("Bearer {token}")).ok()?;
            value.set_sensitive(true);
            token.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(value)
        };
        let token = match token {
            None => None,
            Some(token) => Some(bearer(token).ok_or_else(|| {
                Failure::new(FailureKind::Usage, "the token is none: it consists of letters and digits alone")
                    .hint("`turnwise token PERSON --tokens FILE` prints one on the server")
            })?),
        };
        Ok(Self { address, token, surface: None })
    }

    pub(super) fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// The same, from a window of its own.
    pub(super) fn from(&self, surface: &Surface) -> Self {
        let said = HeaderValue::from_str(&format!("{} {}", surface.name, surface.session)).ok();
        Self { surface: said, ..self.clone() }
    }

    /// What is at `path`.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Refused> {
        let request = self.request(Method::GET, path).header(header::ACCEPT, "application/json");
        self.answered(request.body(Bytes::new())).await
    }

    /// Sends `body` under `key`.
    pub(super) async fn send<T: DeserializeOwned>(
        &self,
        path: &str,
        key: &InputKey,
        body: &impl Serialize,
    ) -> Result<T, Refused> {
        let body = serde_json::to_vec(body).map_err(|error| {
            Refused::Failure(Failure::new(FailureKind::Defect, "this cannot be written as JSON").caused_by(error))
        })?;
        let request = self
            .request(Method::POST, path)
            .header("idempotency-key", key.as_str())
            .header(header::CONTENT_TYPE, "application/json");
        self.answered(request.body(Bytes::from(body))).await
    }

    /// The stream of events at `path` after `after`.
    pub(super) async fn stream(&self, path: &str, after: Sequence) -> Result<Response<Incoming>, Refused> {
        let request = self
            .request(Method::GET, path)
            .header(header::ACCEPT, "text/event-stream")
            .header("last-event-id", after.number());
        let answer =
            call(&self.address, unwritten(request.body(Bytes::new()))?).await.map_err(|error| later(&error))?;
        let kind = answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if answer.status() == StatusCode::OK && kind.starts_with("text/event-stream") {
            return Ok(answer);
        }
        Err(self.refused(answer).await)
    }

    /// Finds out whether a server is there that this program can talk to.
    pub(super) async fn greet(&self) -> Result<Server, Refused> {
        let server: Server = self.get("/v1/server").await?;
        if server.product != "turnwise" {
            return Err(Refused::Failure(self.stranger()));
        }
        if server.log != LOG_FORMAT {
            let (theirs, ours) = (&server.version, env!("CARGO_PKG_VERSION"));
            let told = format!("{} is Turnwise {theirs}, whose conversations {ours} cannot hold", self.address);
            let failure =
                Failure::new(FailureKind::Usage, told).hint(format!("use turnwise {theirs} here, or its page"));
            return Err(Refused::Failure(failure));
        }
        Ok(server)
    }

    fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, token);
        }
        if let Some(surface) = &self.surface {
            request = request.header("turnwise-surface", surface);
        }
        request
    }

    async fn answered<T: DeserializeOwned>(
        &self,
        request: Result<Request<Bytes>, axum::http::Error>,
    ) -> Result<T, Refused> {
        let answer = call(&self.address, unwritten(request)?).await.map_err(|error| later(&error))?;
        if !answer.status().is_success() {
            return Err(self.refused(answer).await);
        }
        let body = whole(&self.address, answer, ANSWER_BYTES_MAX).await.map_err(|error| later(&error))?;
        serde_json::from_slice(&body).map_err(|error| Refused::Failure(self.stranger().caused_by(error)))
    }

    /// What an answer means that is no success.
    async fn refused(&self, answer: Response<Incoming>) -> Refused {
        let status = answer.status();
        let body = match whole(&self.address, answer, ANSWER_BYTES_MAX).await {
            Ok(body) => body,
            Err(error) => return later(&error),
        };
        let problem: Option<Problem> = serde_json::from_slice(&body).ok();
        let problem = problem.filter(|problem| !problem.code.is_empty());
        let after = Duration::from_secs(problem.as_ref().and_then(|problem| problem.retry_after_seconds).unwrap_or(0));
        match (status, problem) {
            // A proxy answers these in the place of a server that is away.
            (StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT | StatusCode::SERVICE_UNAVAILABLE, problem) => {
                let told = problem.map_or_else(|| format!("{} is not there", self.address), |problem| problem.detail);
                Refused::Later { told, after }
            }
            (StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT, Some(problem)) => {
                Refused::Later { told: problem.detail, after }
            }
            (StatusCode::CONFLICT, Some(problem)) if problem.code == "idempotency_key_in_use" => {
                Refused::Later { told: problem.detail, after }
            }
            (StatusCode::UNAUTHORIZED, Some(_)) => Refused::Failure(self.unknown()),
            (StatusCode::CONFLICT | StatusCode::GONE, Some(problem)) => Refused::Unfitting(problem),
            (_, Some(problem)) => {
                let told = format!("{} refuses it: {}", self.address, problem.detail);
                let kind = if status.is_server_error() { FailureKind::Peer } else { FailureKind::Usage };
                Refused::Failure(Failure::new(kind, told).hint(problem.hint))
            }
            (_, None) => Refused::Failure(self.stranger()),
        }
    }

    fn stranger(&self) -> Failure {
        Failure::new(FailureKind::Usage, format!("{} is no Turnwise server that this program knows", self.address))
            .hint("`turnwise serve` says on which address it serves; an older server has to be updated")
    }

    fn unknown(&self) -> Failure {
        let (told, hint) = if self.has_token() {
            ("does not accept this token", "ask who runs the server for a token of your own")
        } else {
            ("wants a token, and none was given", "--token-file FILE or TURNWISE_TOKEN gives it")
        };
        Failure::new(FailureKind::Usage, format!("{} {told}", self.address))
            .hint(hint)
            .hint("`turnwise token PERSON --tokens FILE` makes one where the server runs")
    }
}

fn unwritten<T>(request: Result<T, axum::http::Error>) -> Result<T, Refused> {
    let told = "this cannot be asked for over HTTP";
    request.map_err(|error| Refused::Failure(Failure::new(FailureKind::Defect, told).caused_by(error)))
}

fn later(error: &CallError) -> Refused {
    match error {
        // Who is not trusted now will not be in a moment either, and must not get what waits to be sent.
        CallError::Untrusted(_, distrust) => {
            Refused::Failure(Failure::new(FailureKind::Peer, error.to_string()).hint(distrust.hint()))
        }
        CallError::Unreachable(..) | CallError::Broken(..) | CallError::Silent(_) | CallError::TooLong(_) => {
            Refused::Later { told: error.to_string(), after: Duration::ZERO }
        }
    }
}

impl Refused {
    /// As the end of what was begun: for whoever does not try again.
    pub(super) fn into_failure(self) -> Failure {
        match self {
            Self::Later { told, .. } => {
                Failure::new(FailureKind::Peer, told).hint("see that the server runs, and that its address is right")
            }
            Self::Unfitting(problem) => Failure::new(FailureKind::Usage, problem.detail).hint(problem.hint),
            Self::Failure(failure) => failure,
        }
    }
}

/// Far more than a page of the log takes.
const ANSWER_BYTES_MAX: usize = 64 << 20;
