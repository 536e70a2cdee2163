//! Errors as clients get them: problem details (RFC 9457) with a code for programs and a hint for people. Every status
//! the server answers with comes from here. Next: `routes`.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use crate::driver::DriverError;

/// A problem (RFC 9457), served as `application/problem+json`.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// Always `about:blank`: the code says which it is.
    #[serde(rename = "type", serialize_with = "about_blank")]
    #[schema(value_type = String)]
    kind: (),
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    /// Which problem it is; stable, for programs.
    code: &'static str,
    /// What happened, for people.
    #[schema(value_type = String)]
    detail: Box<str>,
    /// What to do about it, for people.
    #[schema(value_type = String)]
    hint: Box<str>,
    /// Which part of what was sent is meant, as a JSON pointer (RFC 6901).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pointer: Option<Box<str>>,
    /// Seconds to wait before trying again.
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_seconds: Option<u32>,
    /// For a decision that came too late: the reference of the question as it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    current: Option<Box<str>>,
}

/// The ways a request can be refused; any route may answer with any of them.
#[derive(IntoResponses)]
#[allow(dead_code, reason = "describes the answers; they are made by `Problem`")]
pub(super) enum Refusal {
    /// The request cannot be read.
    #[response(status = 400, content_type = "application/problem+json")]
    BadRequest(#[to_schema] Problem),
    /// No valid token.
    #[response(status = 401, content_type = "application/problem+json")]
    Unauthorized(#[to_schema] Problem),
    /// From a page of another origin, or under a name of another host.
    #[response(status = 403, content_type = "application/problem+json")]
    Forbidden(#[to_schema] Problem),
    /// Not there, or someone else's.
    #[response(status = 404, content_type = "application/problem+json")]
    NotFound(#[to_schema] Problem),
    /// Took too long to arrive.
    #[response(status = 408, content_type = "application/problem+json")]
    Timeout(#[to_schema] Problem),
    /// Does not fit what is there now.
    #[response(status = 409, content_type = "application/problem+json")]
    Conflict(#[to_schema] Problem),
    /// The question has expired.
    #[response(status = 410, content_type = "application/problem+json")]
    Gone(#[to_schema] Problem),
    /// Too large.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLarge(#[to_schema] Problem),
    /// Not JSON.
    #[response(status = 415, content_type = "application/problem+json")]
    NotJson(#[to_schema] Problem),
    /// Readable, but not possible.
    #[response(status = 422, content_type = "application/problem+json")]
    Unprocessable(#[to_schema] Problem),
    /// Too many requests; come again after `Retry-After` seconds.
    #[response(status = 429, content_type = "application/problem+json")]
    TooMany(#[to_schema] Problem),
    /// The store cannot be reached; nothing was changed.
    #[response(status = 503, content_type = "application/problem+json")]
    Unavailable(#[to_schema] Problem),
}

impl Problem {
    pub(super) fn new(
        status: StatusCode,
        code: &'static str,
        detail: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self {
            kind: (),
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            code,
            detail: detail.into().into(),
            hint: hint.into().into(),
            pointer: None,
            retry_after_seconds: None,
            current: None,
        }
    }

    /// About the part of what was sent that this JSON pointer names.
    pub(super) fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = Some(pointer.into().into());
        self
    }

    /// Its code, what happened and what to do about it, where it is told in another form.
    pub(super) fn told(&self) -> (&'static str, &str, &str) {
        (self.code, &self.detail, &self.hint)
    }

    /// With the reference of the question as it is now.
    pub(super) fn current(mut self, reference: Option<String>) -> Self {
        self.current = reference.map(Into::into);
        self
    }

    /// Something that is not there, or is someone else's: both look the same, so that nobody learns what exists.
    pub(super) fn not_found(what: &str) -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("there is no such {what}"),
            "check the id; a conversation of someone else looks the same",
        )
    }

    pub(super) fn bad_request(detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", detail, hint)
    }

    pub(super) fn unprocessable(code: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, detail, hint)
    }

    pub(super) fn conflict(code: &'static str, detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, detail, hint)
    }

    /// Longer than what is taken in; nothing of it was.
    pub(super) fn too_large(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail, DriverError::SHORTER)
    }

    /// Too much at once; `seconds` is when to come again.
    pub(super) fn busy(detail: impl Into<String>, seconds: u32) -> Self {
        let mut problem =
            Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", detail, "slow down and try again");
        problem.retry_after_seconds = Some(seconds);
        problem
    }
}

/// A problem is passed on at every step, so what is the same for all takes no room in it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "that is how serde calls it")]
fn about_blank<S: serde::Serializer>((): &(), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("about:blank")
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let retry = self.retry_after_seconds;
        let mut response = (status, Json(self)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = retry {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<DriverError> for Problem {
    fn from(error: DriverError) -> Self {
        let detail = error.to_string();
        match error {
            DriverError::KeyReused => Self::unprocessable(
                "idempotency_key_reused",
                detail,
                "use a new Idempotency-Key for each input; the same one only to send the same input again",
            ),
            DriverError::TooLong { .. } => Self::too_large(detail),
            DriverError::ForkAtWork => {
                Self::conflict("fork_at_work", detail, "fork from before the work began, or once it is over")
            }
            DriverError::Contended { .. } => {
                let mut problem = Self::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "contended",
                    detail,
                    "nothing was changed; send it again with the same Idempotency-Key",
                );
                problem.retry_after_seconds = Some(1);
                problem
            }
            DriverError::Store(_) | DriverError::ShutDown => {
                let mut problem = Self::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "unavailable",
                    detail,
                    "nothing was changed; send it again with the same Idempotency-Key once the server is well",
                );
                problem.retry_after_seconds = Some(2);
                problem
            }
            DriverError::Forged => Self::new(
                StatusCode::FORBIDDEN,
                "forged",
                detail,
                "use the reference exactly as it was given; nothing was decided",
            ),
            DriverError::OtherAssistant { .. } | DriverError::Gone => Self::not_found("conversation"),
            DriverError::ReportFromSurface
            | DriverError::TakenOver
            | DriverError::Illegal(_)
            | DriverError::Panicked(_) => Self::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "defect",
                detail,
                "nothing was changed; please report this with the steps that led to it",
            ),
        }
    }
}
