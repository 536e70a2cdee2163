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
use turnwise_core::{PersonId, Surface, SurfaceName, SurfaceSession};

use super::App;
use super::problem::Problem;
use crate::telemetry::SpanContext;

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

/// The person a request comes from, the window they sit at where the request says so, and what the request is part of
/// where whoever sent it records spans.
#[derive(Clone, Debug)]
pub(super) struct Caller(pub(super) PersonId, pub(super) Option<Surface>, pub(super) Option<SpanContext>);

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
    let response = match foreign_part(&app, &request) {
        Some((code, hint)) => {
            let told = "the request comes from another page, or for another server, than this one";
            Problem::new(StatusCode::FORBIDDEN, code, told, hint).into_response()
        }
        None => next.run(request).await,
    };
    with_safety(response)
}

/// What of a request is not ours, as a code, and what to do about it.
fn foreign_part(app: &App, request: &Request) -> Option<(&'static str, &'static str)> {
    let headers = request.headers();
    let mut hosts = headers.get_all(header::HOST).iter().filter_map(|host| host.to_str().ok());
    let (host, second) = (hosts.next().unwrap_or_default(), hosts.next());
    if second.is_some() || !is_ours(app, host) {
        return Some(("foreign_host", "call the server by localhost, or by a name it was started with (--name)"));
    }
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let of = origin.map(|origin| origin.split_once("://").map_or("", |(_, rest)| rest));
    // A page may link to us; it may not have the browser of a person ask us for data.
    let fetch_site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    let is_cross = fetch_site == Some("cross-site") && request.uri().path().starts_with("/v1/");
    if is_cross || of.is_some_and(|of| !of.eq_ignore_ascii_case(host)) {
        return Some(("foreign_origin", "requests from pages of another origin are refused"));
    }
    None
}

/// Whether the server answers to `host`, as it stands in the header.
fn is_ours(app: &App, host: &str) -> bool {
    let settings = &app.settings;
    let is_named = settings.names.iter().any(|name| name.eq_ignore_ascii_case(name_of(host)));
    is_named || is_loopback_name(host) || (settings.access.is_shared() && settings.names.is_empty() && !host.is_empty())
}

fn with_safety(mut response: Response) -> Response {
    for (name, value) in SAFETY_HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Finds out who calls; requests of nobody known are refused, and those that come too fast are sent away for a moment.
pub(super) async fn caller(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let Some(person) = app.settings.access.person(request.headers()) else {
        if let Err(seconds) = app.strangers.admit(&PersonId::new("")) {
            return Problem::busy("too many requests without a valid token", seconds).into_response();
        }
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
    let surface = match surface(request.headers()) {
        Ok(surface) => surface,
        Err(problem) => return problem.into_response(),
    };
    // One that is malformed is none, as the standard has it: the request begins a trace of its own.
    let traceparent = request.headers().get(TRACEPARENT).and_then(|value| value.to_str().ok()?.parse().ok());
    request.extensions_mut().insert(Caller(person, surface, traceparent));
    next.run(request).await
}

/// How fast each person may send: a bucket that refills.
#[derive(Debug)]
pub(super) struct Pace {
    burst: f64,
    per_second: f64,
    buckets: Mutex<HashMap<PersonId, (f64, Instant)>>,
}

impl Pace {
    pub(super) fn new(burst: f64, per_second: f64) -> Self {
        Self { burst, per_second, buckets: Mutex::default() }
    }

    /// Takes one request in, or says after how many seconds to come again. There is one bucket for each person with a
    /// token, so the map is as small as the list of tokens.
    pub(super) fn admit(&self, person: &PersonId) -> Result<(), u32> {
        self.admit_at(person, Instant::now())
    }

    fn admit_at(&self, person: &PersonId, now: Instant) -> Result<(), u32> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let (left, since) = buckets.entry(person.clone()).or_insert((self.burst, now));
        *left = (*left + now.duration_since(*since).as_secs_f64() * self.per_second).min(self.burst);
        *since = now;
        if *left < 1.0 {
            return Err(1);
        }
        *left -= 1.0;
        Ok(())
    }
}

/// The window a request comes from.
fn surface(headers: &HeaderMap) -> Result<Option<Surface>, Problem> {
    let Some(value) = headers.get(SURFACE) else { return Ok(None) };
    let parts = value.to_str().ok().and_then(|text| text.split_once(' '));
    let fits = |text: &str, most: usize, allowed: fn(u8) -> bool| {
        (1..=most).contains(&text.len()) && text.bytes().all(allowed)
    };
    let is_mark = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    match parts {
        Some((name, mark)) if fits(name, 20, |letter| letter.is_ascii_lowercase()) && fits(mark, 32, is_mark) => {
            Ok(Some(Surface { name: SurfaceName::new(name), session: SurfaceSession::new(mark) }))
        }
        Some(_) | None => Err(Problem::bad_request(
            "the Turnwise-Surface header is no name and mark",
            "send a name in small letters, a space, and a mark of small letters and digits; or leave it out",
        )),
    }
}

/// The header in which a program says what people call it, and which of its windows speaks.
const SURFACE: &str = "turnwise-surface";

/// The header in which a program says what its request is part of (W3C Trace Context).
const TRACEPARENT: &str = "traceparent";

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

/// The name in a `Host` header, without its port.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

/// Whether `host`, as it stands in the header, is a name of this very machine.
fn is_loopback_name(host: &str) -> bool {
    let name = name_of(host);
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The cookie in which the page keeps the token.
pub(super) const COOKIE: &str = "turnwise_token";

/// What every response says to browsers: run only our own scripts, show us in no frame, tell nobody where we are.
const SAFETY_HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use turnwise_core::PersonId;

    use super::{Pace, is_loopback_name};

    #[test]
    fn a_bucket_is_emptied_and_fills_again_for_each_person() {
        let (pace, now) = (Pace::new(3.0, 2.0), Instant::now());
        let (ada, ben) = (PersonId::new("ada"), PersonId::new("ben"));
        let admitted = |person, now| (0..10).filter(|_| pace.admit_at(person, now).is_ok()).count();
        assert_eq!(admitted(&ada, now), 3);
        assert_eq!(admitted(&ben, now), 3, "each has their own");
        assert_eq!(admitted(&ada, now + Duration::from_secs(1)), 2);
        assert_eq!(admitted(&ada, now + Duration::from_secs(60)), 3, "no more than the burst");
    }

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
