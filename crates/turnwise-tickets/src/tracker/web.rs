//! Requests to trackers on the web, each sent once: what is tried again is the step's to say. What an answer means for
//! whoever asked is decided here: whether nothing was done, or nobody knows. Next: `jira`, `github`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{StatusCode, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

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
    client: reqwest::Client,
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
    pub(super) fn open(name: &'static str, site: &str, login: Login) -> Result<Self, TrackerError> {
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
            .timeout(PATIENCE)
            .tls_backend_preconfigured(tls);
        let client = if is_here { client.no_proxy() } else { client };
        let client = client.build().map_err(|_| wrong("cannot be reached: no client can be made"))?;
        Ok(Self { name, site: site.to_owned(), login, client })
    }

    /// Its address.
    pub(super) fn site(&self) -> &str {
        &self.site
    }

    /// Sends one request and reads its answer.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, TrackerError> {
        let url = format!("{}{path}", self.site);
        let request = match body {
            Some(body) => {
                self.client.post(url).header(reqwest::header::CONTENT_TYPE, "application/json").body(body.to_string())
            }
            None => self.client.get(url),
        };
        let request = match &self.login {
            Login::Account { user, token } => request.basic_auth(user, Some(token)),
            // GitHub refuses who does not say what they are.
            Login::Token(token) => request.bearer_auth(token).header(reqwest::header::USER_AGENT, "turnwise"),
        };
        let lost = |told: String| match method {
            Method::Look => TrackerError::Busy(told),
            Method::Make => broken(&told),
        };
        let answer = match request.send().await {
            Ok(answer) => answer,
            // Nobody was reached, so nothing was done.
            Err(error) if error.is_connect() => return Err(TrackerError::Busy(self.told_of("cannot be reached"))),
            Err(error) if error.is_timeout() => return Err(lost(self.told_of("does not answer"))),
            Err(_) => return Err(lost(self.told_of("broke off"))),
        };
        let status = answer.status();
        let text = answer.text().await.map_err(|_| lost(self.told_of("broke off in the middle of its answer")))?;
        if !status.is_success() {
            return Err(self.refused(status, &text, lost));
        }
        let text = if text.is_empty() { "null" } else { text.as_str() };
        serde_json::from_str(text)
            .map_err(|error| lost(self.told_of(&format!("answered what cannot be read ({error})"))))
    }

    /// What an answer other than a good one means.
    fn refused(&self, status: StatusCode, text: &str, lost: impl Fn(String) -> TrackerError) -> TrackerError {
        let said = errors(text);
        match status {
            StatusCode::TOO_MANY_REQUESTS => TrackerError::Busy(self.told_of("asks for patience")),
            // GitHub says so with 403 where too much was asked for.
            StatusCode::FORBIDDEN if said.to_lowercase().contains("rate limit") => {
                TrackerError::Busy(self.told_of("asks for patience"))
            }
            StatusCode::UNAUTHORIZED => {
                TrackerError::Unusable(self.told_of("does not let us in: user and token are not those of an account"))
            }
            StatusCode::FORBIDDEN => TrackerError::Unusable(self.told_of(&format!("does not permit that. {said}"))),
            _ if status.is_server_error() => lost(self.told_of(&format!("answered {status}"))),
            _ => TrackerError::Refused(
                self.told_of(&format!("refuses it ({}). {said}", status.as_u16())).trim().to_owned(),
            ),
        }
    }

    fn told_of(&self, what: &str) -> String {
        format!("{} {what}{}", self.name, if what.ends_with(['.', ' ']) { "" } else { "." })
    }
}

/// What a tracker says is wrong, by field where it does.
fn errors(text: &str) -> String {
    let Ok(answer) = serde_json::from_str::<Value>(text) else { return String::new() };
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

/// Longer than a tracker takes for anything we ask.
const PATIENCE: Duration = Duration::from_secs(30);
