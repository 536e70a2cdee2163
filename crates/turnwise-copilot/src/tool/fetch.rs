//! Fetching: one HTTP GET, whose answer is kept as text. It follows a redirection only where it stays with the server
//! that was approved. Next: `mcp::connect`, which shares the client.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use reqwest::{Client, Url, redirect};
use serde_json::json;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};
use turnwise_core::EffectClass;

use super::{About, Call, Givens, OUTPUT_BYTES_MAX, Output, Tool, Trouble, form, literal, text};

/// The tool that fetches.
pub(crate) const FETCH: &str = "fetch";

/// Fetches.
pub(super) struct Fetch {
    about: About,
}

impl Fetch {
    pub(super) fn new() -> Self {
        let schema = form(json!({
            "type": "object",
            "properties": {"url": {"type": "string", "minLength": 1, "description": "an http or https address"}},
            "required": ["url"],
            "additionalProperties": false,
        }));
        let (name, told) = (FETCH.to_owned(), "fetches an address with HTTP GET".to_owned());
        Self {
            about: About { name, told, schema, effect: EffectClass::Pure, seconds: SECONDS_MAX, mark: String::new() },
        }
    }
}

#[async_trait]
impl Tool for Fetch {
    fn about(&self) -> &About {
        &self.about
    }

    fn line(&self, givens: &Givens) -> String {
        format!("Fetch {}", literal(givens, "url").unwrap_or_default())
    }

    fn takes_results(&self, _: &str) -> bool {
        false
    }

    async fn call(&self, call: Call) -> Result<Output, Trouble> {
        let url = address(text(&call.arguments, "url")).map_err(Trouble::Failed)?;
        tokio::select! {
            biased;
            () = call.stop.cancelled() => Err(Trouble::Stopped),
            fetched = fetch(&url) => fetched,
        }
    }
}

/// An address that can be fetched.
///
/// # Errors
/// Why it is none, as a sentence.
pub(crate) fn address(written: &str) -> Result<Url, String> {
    let wrong = || format!("“{written}” is no address that can be fetched; write it as https://example.org/page.");
    let url = Url::parse(written).map_err(|_| wrong())?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.host_str().is_some();
    if is_web { Ok(url) } else { Err(wrong()) }
}

async fn fetch(url: &Url) -> Result<Output, Trouble> {
    let client = client(Some(SECONDS_MAX)).map_err(Trouble::Failed)?;
    let told = |error: &reqwest::Error| reason(error);
    let answer = client.get(url.clone()).send().await.map_err(|error| match error.is_redirect() {
        true => Trouble::Failed(format!("{url} leads on to another server, which was not approved. Fetch that one.")),
        false => Trouble::Passing(format!("{url} cannot be fetched: {}.", told(&error))),
    })?;
    let status = answer.status();
    if status.is_redirection() {
        let onward = answer.headers().get("location").and_then(|to| to.to_str().ok()).unwrap_or("another place");
        let told = format!("{url} leads on to {onward}, which was not approved. Fetch that address instead.");
        return Err(Trouble::Failed(told));
    }
    if !status.is_success() {
        let told = format!("{url} answered {status}.");
        return Err(if status.is_server_error() { Trouble::Passing(told) } else { Trouble::Failed(told) });
    }
    let mut bytes = Vec::new();
    let mut parts = answer.bytes_stream();
    let mut is_cut = false;
    while let Some(part) = parts.next().await {
        let part = part.map_err(|error| Trouble::Passing(format!("{url} broke off: {}.", told(&error))))?;
        let room = OUTPUT_BYTES_MAX - bytes.len();
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        if part.len() > room {
            is_cut = true;
            break;
        }
    }
    let note = is_cut.then(|| format!("Only its first {OUTPUT_BYTES_MAX} bytes were kept."));
    Ok(Output { text: String::from_utf8_lossy(&bytes).into_owned(), is_whole: !is_cut, note })
}

/// A client that checks certificates by what the system trusts. It goes on to another address of the same server only.
///
/// # Errors
/// Why there can be none, as a sentence.
pub(crate) fn client(seconds_max: Option<u32>) -> Result<Client, String> {
    let mut roots = RootCertStore::empty();
    let _ = roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("No connection can be encrypted: {error}."))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let same_server = redirect::Policy::custom(|attempt| {
        let first = attempt.previous().first();
        let stays = first.is_some_and(|first| first.origin() == attempt.url().origin());
        if stays && attempt.previous().len() <= REDIRECTIONS_MAX { attempt.follow() } else { attempt.stop() }
    });
    let builder = Client::builder().redirect(same_server).tls_backend_preconfigured(tls);
    let builder = match seconds_max {
        Some(seconds) => builder.timeout(Duration::from_secs(u64::from(seconds))),
        None => builder,
    };
    builder.build().map_err(|error| format!("No connection can be made: {error}."))
}

/// What is at the bottom of an error: the layers above it only say that something failed.
fn reason(error: &reqwest::Error) -> String {
    let mut source: &dyn std::error::Error = error;
    while let Some(deeper) = source.source() {
        source = deeper;
    }
    source.to_string()
}

/// How long an address may take.
const SECONDS_MAX: u32 = 60;
/// Redirections that are followed.
const REDIRECTIONS_MAX: usize = 5;
