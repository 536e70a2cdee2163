//! Requests to Jira, each sent once: what is tried again is the step's to say. What its answers mean for whoever asked
//! is decided here: whether nothing was done, or nobody knows. Next: `mod`.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{StatusCode, Url};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};

use crate::tracker::TrackerError;

/// Where Jira is, and who we are there.
#[derive(Clone)]
pub struct Account {
    /// Its address, without a slash at the end.
    pub site: String,
    /// The key of the project.
    pub project: String,
    /// The address of the account.
    pub user: String,
    /// Its token.
    pub token: String,
}

/// A project of Jira.
#[derive(Clone, Debug)]
pub struct Jira {
    pub(super) account: Account,
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

impl fmt::Debug for Account {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Account").field("site", &self.site).field("project", &self.project).finish_non_exhaustive()
    }
}

impl Jira {
    /// The project of `account`. Nothing is sent yet.
    ///
    /// # Errors
    /// When the address is none that a token may be sent to.
    pub fn open(account: Account) -> Result<Self, TrackerError> {
        let wrong = |told: &str| TrackerError::Unusable(format!("{} {told}.", account.site));
        let url: Url = account.site.parse().map_err(|_| wrong("is no address"))?;
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
        Ok(Self { account, client })
    }

    /// Sends one request and reads its answer.
    pub(super) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Result<T, TrackerError> {
        let url = format!("{}{path}", self.account.site);
        let request = match body {
            Some(body) => {
                self.client.post(url).header(reqwest::header::CONTENT_TYPE, "application/json").body(body.to_string())
            }
            None => self.client.get(url),
        };
        let request = request.basic_auth(&self.account.user, Some(&self.account.token));
        let lost = |told: String| match method {
            Method::Look => TrackerError::Busy(told),
            Method::Make => broken(&told),
        };
        let answer = match request.send().await {
            Ok(answer) => answer,
            // Nobody was reached, so nothing was done.
            Err(error) if error.is_connect() => return Err(TrackerError::Busy(told_of("cannot be reached"))),
            Err(error) if error.is_timeout() => return Err(lost(told_of("does not answer"))),
            Err(_) => return Err(lost(told_of("broke off"))),
        };
        let status = answer.status();
        let text = answer.text().await.map_err(|_| lost(told_of("broke off in the middle of its answer")))?;
        if !status.is_success() {
            return Err(refused(status, &text, lost));
        }
        serde_json::from_str(&text).map_err(|error| lost(told_of(&format!("answered what cannot be read ({error})"))))
    }
}

/// What an answer other than a good one means.
fn refused(status: StatusCode, text: &str, lost: impl Fn(String) -> TrackerError) -> TrackerError {
    let said = errors(text);
    match status {
        StatusCode::TOO_MANY_REQUESTS => TrackerError::Busy(told_of("asks for patience")),
        StatusCode::UNAUTHORIZED => {
            TrackerError::Unusable(told_of("does not let us in: user and token are not those of an account"))
        }
        StatusCode::FORBIDDEN => TrackerError::Unusable(told_of(&format!("does not permit that. {said}"))),
        _ if status.is_server_error() => lost(told_of(&format!("answered {status}"))),
        _ => TrackerError::Refused(told_of(&format!("refuses it ({}). {said}", status.as_u16())).trim().to_owned()),
    }
}

/// What Jira says is wrong, by field.
fn errors(text: &str) -> String {
    let Ok(answer) = serde_json::from_str::<Value>(text) else { return String::new() };
    let general = answer["errorMessages"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    let fields = answer["errors"].as_object().into_iter().flatten();
    let fields = fields.filter_map(|(field, told)| Some(format!("{field}: {}", told.as_str()?)));
    general.chain(fields).collect::<Vec<_>>().join(" ")
}

fn told_of(what: &str) -> String {
    format!("Jira {what}{}", if what.ends_with(['.', ' ']) { "" } else { "." })
}

/// Nobody knows whether it was done.
pub(super) fn broken(told: &str) -> TrackerError {
    TrackerError::Lost(told.trim_end_matches('.').to_owned() + ".")
}

/// Longer than Jira takes for anything we ask.
const PATIENCE: Duration = Duration::from_secs(30);
