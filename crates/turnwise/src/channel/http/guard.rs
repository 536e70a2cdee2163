//! Who may come in: the person behind a request, and which pages may send requests at all. On this machine alone nobody
//! needs a token, and so a page of another origin, or a name that was made to point here, must not get through. Next:
//! `routes`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};
use turnwise_core::PersonId;

use super::problem::Problem;
use super::{App, limits};

/// Who may use the server.
#[derive(Clone, Debug)]
pub enum Access {
    /// Everyone who reaches it is this person; only for a loopback address.
    Local(PersonId),
    /// Whoever brings a token is the person it was given to.
    Tokens(Vec<Token>),
}

/// A person's token, as a digest: the file it is read from does not let anyone in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Whose it is.
    pub person: PersonId,
    /// SHA-256 of the token.
    pub digest: [u8; 32],
}

/// The person a request comes from.
#[derive(Clone, Debug)]
pub(super) struct Caller(pub(super) PersonId);

impl Access {
    /// Whether conversations are shown by who takes part in them: not where there is only one person.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self, Self::Tokens(_))
    }

    /// The person that `headers` speak for.
    fn person(&self, headers: &HeaderMap) -> Option<PersonId> {
        match self {
            Self::Local(person) => Some(person.clone()),
            Self::Tokens(_) => self.whose(presented(headers)?),
        }
    }

    /// The person a token was given to; without tokens nobody.
    pub(super) fn whose(&self, token: &str) -> Option<PersonId> {
        let Self::Tokens(tokens) = self else { return None };
        let digest: [u8; 32] = Sha256::digest(token.as_bytes()).into();
        // Digests are compared, so how long it takes says nothing about a token.
        tokens.iter().find(|token| token.digest == digest).map(|token| token.person.clone())
    }
}

/// Refuses what a page of another origin sends, and names that were made to point here.
pub(super) async fn origin(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !app.access.is_shared() && !is_loopback_name(host) {
        return foreign("host", "this server answers only to localhost; start it with --tokens to serve other names");
    }
    if let Some(origin) = headers.get(header::ORIGIN) {
        let of = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, rest)| rest);
        if of.is_none_or(|of| !of.eq_ignore_ascii_case(host)) {
            return foreign("origin", "requests from pages of another origin are refused");
        }
    }
    let mut response = next.run(request).await;
    for (name, value) in SAFETY_HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Finds out who calls; requests of nobody known are refused, and those that come too fast are sent away for a moment.
pub(super) async fn caller(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let Some(person) = app.access.person(request.headers()) else {
        let mut refused = Problem::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "no valid token was sent",
            "send `Authorization: Bearer TOKEN`; `turnwise token PERSON --tokens FILE` makes one",
        )
        .into_response();
        refused.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return refused;
    };
    if let Err(seconds) = app.pace.admit(&person) {
        return Problem::busy("too many requests at once", seconds).into_response();
    }
    request.extensions_mut().insert(Caller(person));
    next.run(request).await
}

/// How fast each person may send: a bucket that refills.
#[derive(Debug, Default)]
pub(super) struct Pace {
    buckets: Mutex<HashMap<PersonId, (f64, Instant)>>,
}

impl Pace {
    /// Takes one request in, or says after how many seconds to come again. There is one bucket for each person with a
    /// token, so the map is as small as the list of tokens.
    fn admit(&self, person: &PersonId) -> Result<(), u32> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let (left, since) = buckets.entry(person.clone()).or_insert((limits::REQUESTS_BURST, now));
        *left = (*left + now.duration_since(*since).as_secs_f64() * limits::REQUESTS_PER_SECOND)
            .min(limits::REQUESTS_BURST);
        *since = now;
        if *left < 1.0 {
            return Err(1);
        }
        *left -= 1.0;
        Ok(())
    }
}

/// The token a request brings: in its header, or, from the page, in its cookie.
fn presented(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
        return Some(token.trim());
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, token)| token)
}

/// Whether `host`, as it stands in the header, is a name of this very machine.
fn is_loopback_name(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn foreign(what: &'static str, hint: &'static str) -> Response {
    let code = if what == "host" { "foreign_host" } else { "foreign_origin" };
    Problem::new(StatusCode::FORBIDDEN, code, format!("the {what} of this request is not this server"), hint)
        .into_response()
}

/// The cookie in which the page keeps the token.
pub(super) const COOKIE: &str = "turnwise_token";

/// What every response says to browsers: run only our own scripts, show us in no frame, tell nobody where we are.
const SAFETY_HEADERS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
];

#[cfg(test)]
mod tests {
    use super::is_loopback_name;

    #[test]
    fn only_names_of_this_machine_are_loopback() {
        for host in ["localhost", "LOCALHOST:7878", "127.0.0.1:7878", "127.9.9.9", "[::1]:7878", "[::1]"] {
            assert!(is_loopback_name(host), "{host}");
        }
        for host in ["", "example.org", "localhost.example.org", "127.0.0.1.example.org", "10.0.0.1", "[::2]", "::1"] {
            assert!(!is_loopback_name(host), "{host}");
        }
    }
}
