//! Who may come in: the person behind a request, and which pages may send requests at all. On this machine alone nobody
//! needs a token, and so a page of another origin, or a name that was made to point here, must not get through. Next:
//! `routes`.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use turnwise_core::{PersonId, Surface, SurfaceName, SurfaceSession};

use super::App;
use super::names::{HostName, is_own_address};
use super::problem::Problem;
use super::sessions::digest;
use crate::telemetry::SpanContext;

/// Who may use the server.
#[derive(Clone, Debug)]
pub enum Access {
    /// Everyone who reaches it is this person; only for a loopback address.
    Local(PersonId),
    /// Whoever brings a token is the person it was given to.
    Tokens(Arc<dyn Roll>),
}

/// The tokens that let in, as they are at the moment: one that is revoked lets nobody in any more.
pub trait Roll: std::fmt::Debug + Send + Sync {
    /// All of them.
    fn tokens(&self) -> Arc<[Token]>;
}

/// A SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

/// A person's token, as a digest: the file it is read from does not let anyone in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Whose it is.
    pub person: PersonId,
    /// SHA-256 of the token.
    pub digest: Digest,
}

/// The person a request comes from, the window they sit at where the request says so, what the request is part of where
/// whoever sent it records spans, and what let them in.
#[derive(Clone, Debug)]
pub(super) struct Caller(
    pub(super) PersonId,
    pub(super) Option<Surface>,
    pub(super) Option<SpanContext>,
    pub(super) Pass,
);

/// What lets a caller in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Sitting at this machine.
    Here,
    /// The token of this digest.
    Token(Digest),
    /// The session of this digest.
    Session(Digest),
}

impl Access {
    /// Whether conversations are shown by who takes part in them: not where there is only one person.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self, Self::Tokens(_))
    }

    /// The person a request with these headers comes from, where nothing lets in but a token.
    pub(super) fn person(&self, headers: &HeaderMap) -> Option<PersonId> {
        match self {
            Self::Local(person) => Some(person.clone()),
            Self::Tokens(_) => self.whose(&digest(bearer(headers)?)),
        }
    }

    /// The person that the token of this digest was given to; without tokens nobody.
    pub(super) fn whose(&self, token: &Digest) -> Option<PersonId> {
        let Self::Tokens(roll) = self else { return None };
        // Digests are compared, so how long it takes says nothing about a token.
        roll.tokens().iter().find(|known| known.digest == *token).map(|token| token.person.clone())
    }
}

impl App {
    /// Whom `pass` lets in, as things are at the moment.
    pub(super) fn let_in(&self, pass: &Pass) -> Option<PersonId> {
        match (pass, &self.settings.access) {
            (Pass::Here, Access::Local(person)) => Some(person.clone()),
            (Pass::Here, Access::Tokens(_)) => None,
            (Pass::Token(token), access) => access.whose(token),
            (Pass::Session(session), access) => access.whose(&self.sessions.token(session, Instant::now())?),
        }
    }

    /// What a request brings to be let in by: a token in its header, or, from the page, a session in its cookie.
    fn pass(&self, headers: &HeaderMap) -> Option<Pass> {
        if !self.settings.access.is_shared() {
            return Some(Pass::Here);
        }
        match bearer(headers) {
            Some(token) => Some(Pass::Token(digest(token))),
            None => session(headers).map(Pass::Session),
        }
    }

    /// The cookie that keeps the session `name` for `seconds`, for the page that `headers` come from.
    pub(super) fn cookie(&self, headers: &HeaderMap, name: &str, seconds: u64) -> String {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        let is_secure = self.settings.names.iter().any(|name| name.is_secure() && name.fits(host));
        let secure = if is_secure { "; Secure" } else { "" };
        format!("{COOKIE}={name}; Path=/; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}")
    }
}

/// The token in the header of a request.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

/// The digest of the session in the cookie of a request.
pub(super) fn session(headers: &HeaderMap) -> Option<Digest> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE).map(|(_, name)| digest(name))
}

/// Refuses what a page of another origin sends, and names that were made to point here.
pub(super) async fn origin(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let response = match foreign(&app.settings.names, &request) {
        Some((code, hint)) => {
            let told = "the request comes from another page, or for another server, than this one";
            Problem::new(StatusCode::FORBIDDEN, code, told, hint).into_response()
        }
        None => next.run(request).await,
    };
    with_safety(response)
}

/// What of a request is not ours, where the server is called by these `names`, as a code, and what to do about it.
pub(super) fn foreign(names: &[HostName], request: &Request) -> Option<(&'static str, &'static str)> {
    let headers = request.headers();
    let mut hosts = headers.get_all(header::HOST).iter().filter_map(|host| host.to_str().ok());
    let (host, second) = (hosts.next().unwrap_or_default(), hosts.next());
    let reached = request.extensions().get::<Reached>().map(|reached| reached.0);
    let name = names.iter().find(|name| name.fits(host));
    if second.is_some() || (name.is_none() && !is_own_address(host, reached)) {
        return Some(("foreign_host", FOREIGN_HOST));
    }
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let of = origin.map(|origin| origin.split_once("://").unwrap_or_default());
    // A page may link to us; it may not have the browser of a person ask us for data.
    let fetch_site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    let path = request.uri().path();
    let is_api = ["/v1/", "/operator/", "/agui", "/mcp"].iter().any(|part| path.starts_with(part));
    let is_cross = fetch_site == Some("cross-site") && is_api;
    let is_plain = |scheme: &str| name.is_some_and(HostName::is_secure) && scheme != "https";
    if is_cross || of.is_some_and(|(scheme, of)| !of.eq_ignore_ascii_case(host) || is_plain(scheme)) {
        return Some(("foreign_origin", "requests from pages of another origin are refused"));
    }
    None
}

/// The address a connection came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached(pub(super) IpAddr);

const FOREIGN_HOST: &str = "call the server by the address it listens on, or start it with --name HOST for each other \
                            name it is called by";

fn with_safety(mut response: Response) -> Response {
    for (name, value) in SAFETY_HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Finds out who calls; requests of nobody known are refused, and those that come too fast are sent away for a moment.
pub(super) async fn caller(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let pass = app.pass(request.headers());
    let Some((person, pass)) = pass.and_then(|pass| Some((app.let_in(&pass)?, pass))) else {
        if let Err(seconds) = app.strangers.admit(&PersonId::new("")) {
            return Problem::busy("too many requests without a valid token", seconds).into_response();
        }
        return unauthorized().into_response();
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
    request.extensions_mut().insert(Caller(person, surface, traceparent, pass));
    next.run(request).await
}

/// Nothing that lets in was brought.
pub(super) fn unauthorized() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "unauthorized",
        "no valid token was sent",
        "send `Authorization: Bearer TOKEN`; `turnwise token PERSON --tokens FILE` makes one; on the page, sign in again",
    )
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
            Ok(Some(Surface { name: SurfaceName::new(name), session: SurfaceSession::new(mark), is_program: false }))
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

/// The cookie in which the page keeps its session.
const COOKIE: &str = "turnwise_session";

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

    use super::Pace;

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
}
