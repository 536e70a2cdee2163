//! Requests to trackers on the web. What changes something is sent once: what is tried again is the step's to say.
//! What an answer means for whoever asked is decided here: whether nothing was done, or nobody knows, and when to come
//! again. Next: `patience` for waiting until then, `jira`, `github`.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER, USER_AGENT};
use reqwest::{StatusCode, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};
use turnwise_core::text;

use super::TrackerError;

/// Who we are there.
#[derive(Clone)]
pub(super) enum Login {
    /// An account and its token.
    Account {
        /// The address of the account.
        user: String,
        /// Its token.
        token: String,
    },
    /// A token alone.
    Token(String),
}

/// A tracker on the web.
#[derive(Clone, Debug)]
pub(super) struct Web {
    /// As people call it.
    name: &'static str,
    site: String,
    login: Login,
    /// How long an answer is waited for, and at most until a tracker wants to be asked again.
    patience: Duration,
    client: reqwest::Client,
}

/// What came back.
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

/// Whether a request changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// It looks.
    Look,
    /// It makes something: where its answer is lost, nobody knows whether it did.
    Make,
}

/// A token is not printed.
impl fmt::Debug for Login {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Account { user, .. } => out.debug_struct("Account").field("user", user).finish_non_exhaustive(),
            Self::Token(_) => out.write_str("Token(…)"),
        }
    }
}

impl Web {
    /// The tracker at `site`, an address without a slash at its end. Nothing is sent yet.
    pub(super) fn open(name: &'static str, site: &str, login: Login, patience: Duration) -> Result<Self, TrackerError> {
        let wrong = |told: &str| TrackerError::Unusable(format!("{} {told}.", site));
        let url: Url = site.parse().map_err(|_| wrong("is no address"))?;
        let is_here = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
        if url.scheme() != "https" && !is_here {
            return Err(wrong("would be sent the token where others read along; use https://"));
        }
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|_| wrong("cannot be reached: TLS cannot be set up"))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = reqwest::Client::builder()
            // A redirection could carry the token elsewhere.
            .redirect(reqwest::redirect::Policy::none())
            .timeout(patience)
            .tls_backend_preconfigured(tls);
        let client = if is_here { client.no_proxy() } else { client };
        let client = client.build().map_err(|_| wrong("cannot be reached: no client can be made"))?;
        Ok(Self { name, site: site.to_owned(), login, patience, client })
    }

    /// Its address.
    pub(super) fn site(&self) -> &str {
        &self.site
    }

    /// Sends a request and reads its answer.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, TrackerError> {
        let answer = self.answered(method, path, body).await?;
        if !answer.status.is_success() {
            return Err(self.refused(method, &answer));
        }
        self.read(method, &answer)
    }

    /// Makes several things by one request. Where none of them can be made, the answer is a 400 that tells of each all
    /// the same.
    pub(super) async fn call_for_each<T: DeserializeOwned>(&self, path: &str, body: &Value) -> Result<T, TrackerError> {
        let answer = self.answered(Method::Make, path, Some(body)).await?;
        if answer.status == StatusCode::BAD_REQUEST
            && let Ok(each) = serde_json::from_str(&answer.text)
        {
            return Ok(each);
        }
        if !answer.status.is_success() {
            return Err(self.refused(Method::Make, &answer));
        }
        self.read(Method::Make, &answer)
    }

    async fn answered(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Answer, TrackerError> {
        let mut answer = self.send(path, body).await;
        // To look twice harms nobody.
        if method == Method::Look && answer.as_ref().is_err_and(reqwest::Error::is_timeout) {
            answer = self.send(path, body).await;
        }
        answer.map_err(|error| self.unanswered(method, &error))
    }

    fn read<T: DeserializeOwned>(&self, method: Method, answer: &Answer) -> Result<T, TrackerError> {
        let text = if answer.text.is_empty() { "null" } else { answer.text.as_str() };
        serde_json::from_str(text)
            .map_err(|error| self.lost(method, &format!("answered what cannot be read ({error})")))
    }

    async fn send(&self, path: &str, body: Option<&Value>) -> Result<Answer, reqwest::Error> {
        let url = format!("{}{path}", self.site);
        let request = match body {
            Some(body) => self.client.post(url).header(CONTENT_TYPE, "application/json").body(body.to_string()),
            None => self.client.get(url),
        };
        let request = match &self.login {
            Login::Account { user, token } => request.basic_auth(user, Some(token)),
            // GitHub refuses who does not say what they are.
            Login::Token(token) => request.bearer_auth(token).header(USER_AGENT, "turnwise"),
        };
        let answer = request.send().await?;
        let (status, headers) = (answer.status(), answer.headers().clone());
        Ok(Answer { status, headers, text: answer.text().await? })
    }

    /// What it means that there was no whole answer.
    fn unanswered(&self, method: Method, error: &reqwest::Error) -> TrackerError {
        match error {
            // Nobody was reached, so nothing was done.
            error if error.is_connect() => TrackerError::Busy(self.told_of("cannot be reached")),
            error if error.is_timeout() => self.lost(method, "does not answer"),
            error if error.is_body() || error.is_decode() => self.lost(method, "broke off in the middle of its answer"),
            _ => self.lost(method, "broke off"),
        }
    }

    /// What an answer other than a good one means.
    fn refused(&self, method: Method, answer: &Answer) -> TrackerError {
        let said = serde_json::from_str(&answer.text).map_or_else(|_| String::new(), |told| errors(&told));
        match answer.status {
            StatusCode::TOO_MANY_REQUESTS => self.busy(answer),
            // GitHub says so with 403 where too much was asked for.
            StatusCode::FORBIDDEN if said.to_lowercase().contains("rate limit") => self.busy(answer),
            // Of what was to be made nobody knows whether it was, so it is not sent again however long one waits.
            StatusCode::SERVICE_UNAVAILABLE if method == Method::Look && answer.headers.contains_key(RETRY_AFTER) => {
                self.busy(answer)
            }
            StatusCode::UNAUTHORIZED => {
                TrackerError::Unusable(self.told_of("does not let us in: user and token are not those of an account"))
            }
            StatusCode::FORBIDDEN => TrackerError::Unusable(self.told_of(&format!("does not permit that. {said}"))),
            status if status.is_server_error() => self.lost(method, &format!("answered {status}")),
            status => TrackerError::Refused(
                self.told_of(&format!("refuses it ({}). {said}", status.as_u16())).trim().to_owned(),
            ),
        }
    }

    /// Too much was asked for, and nothing was done.
    fn busy(&self, answer: &Answer) -> TrackerError {
        let told = self.told_of("asks for patience");
        match after(&answer.headers) {
            None => TrackerError::Busy(told),
            Some(wait) if wait <= self.patience => TrackerError::Wait { told, wait },
            Some(wait) => TrackerError::Later(self.told_of(&format!(
                "asks for patience: it may be asked again in {}, and that is not waited for",
                text::count(usize::try_from(wait.as_secs()).unwrap_or(usize::MAX), "second")
            ))),
        }
    }

    /// The answer to a look is only missing; of what was to be made nobody knows whether it was.
    fn lost(&self, method: Method, what: &str) -> TrackerError {
        match method {
            Method::Look => TrackerError::Busy(self.told_of(what)),
            Method::Make => broken(&self.told_of(what)),
        }
    }

    fn told_of(&self, what: &str) -> String {
        format!("{} {what}{}", self.name, if what.ends_with(['.', ' ']) { "" } else { "." })
    }
}

/// What a tracker says is wrong, by field where it does.
pub(super) fn errors(answer: &Value) -> String {
    let general = answer["errorMessages"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    let fields = answer["errors"].as_object().into_iter().flatten();
    let fields = fields.filter_map(|(field, told)| Some(format!("{field}: {}", told.as_str()?)));
    // GitHub has one message, and a list of what is wrong with which field.
    let message = answer["message"].as_str().map(str::to_owned);
    let listed = answer["errors"].as_array().into_iter().flatten();
    let listed = listed.filter_map(|error| Some(format!("{}: {}", error["field"].as_str()?, error["code"].as_str()?)));
    message.into_iter().chain(listed).chain(general).chain(fields).collect::<Vec<_>>().join(" ")
}

/// Nobody knows whether it was done.
pub(super) fn broken(told: &str) -> TrackerError {
    TrackerError::Lost(told.trim_end_matches('.').to_owned() + ".")
}

/// When to come again, as `Retry-After` says it: in seconds or as a date; or as GitHub says it where nothing is left.
fn after(headers: &HeaderMap) -> Option<Duration> {
    let said = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let Some(told) = said(RETRY_AFTER.as_str()) else {
        let reset: u64 =
            said("x-ratelimit-reset").filter(|_| said("x-ratelimit-remaining") == Some("0"))?.parse().ok()?;
        let reset = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(reset))?;
        return Some(reset.duration_since(SystemTime::now()).unwrap_or_default());
    };
    if let Ok(seconds) = told.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(told).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

/// Longer than a tracker takes for anything we ask.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn when_to_come_again_is_read_however_it_is_said() {
        let wait = |said: &[(&'static str, String)]| {
            let header = |(name, value): &(&'static str, String)| {
                Some((HeaderName::from_static(name), HeaderValue::from_str(value).ok()?))
            };
            after(&said.iter().filter_map(header).collect())
        };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        let reset = ("x-ratelimit-reset", (now + 60).to_string());
        assert_eq!(wait(&[("retry-after", "7".to_owned()), reset.clone()]), Some(Duration::from_secs(7)));
        let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(90));
        assert!(wait(&[("retry-after", date)]).is_some_and(|wait| wait > Duration::from_secs(80)));
        assert_eq!(wait(&[reset.clone(), ("x-ratelimit-remaining", "3".to_owned())]), None);
        let left = wait(&[reset, ("x-ratelimit-remaining", "0".to_owned())]);
        assert!(left.is_some_and(|wait| (50..=60).contains(&wait.as_secs())), "{left:?}");
        assert_eq!(wait(&[("x-ratelimit-reset", "soon".to_owned()), ("x-ratelimit-remaining", "0".to_owned())]), None);
    }
}
