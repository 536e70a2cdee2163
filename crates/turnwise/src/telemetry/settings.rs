//! Whether spans are sent, and where to: the variables OpenTelemetry has for every program, so that whoever runs many
//! sets them once. Next: `export`.

use std::time::Duration;

use axum::http::{HeaderName, HeaderValue};

use super::limits;
use crate::outgoing::Address;

/// Whether what people say stands in spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Never.
    LeftOut,
    /// Asked for (`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true`).
    Recorded,
}

/// Where spans go, and as whose.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The endpoint but for its last part.
    pub(super) address: Address,
    /// The last part.
    pub(super) path: String,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) resource: Vec<(String, String)>,
    pub(super) timeout: Duration,
    pub(super) content: Content,
}

/// A variable with which nothing can be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{variable} {wrong}")]
pub struct WrongSetting {
    variable: String,
    wrong: String,
}

impl Settings {
    /// As the variables say, each of which `look_up` knows; `None` where no endpoint is named, or spans are switched
    /// off. An `endpoint` that is given comes before that of the variables.
    ///
    /// # Errors
    /// [`WrongSetting`] for the first variable that cannot be followed.
    pub fn of(endpoint: Option<&str>, look_up: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, WrongSetting> {
        let set = |name: &str| look_up(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let is = |name: &str, word: &str| set(name).is_some_and(|value| value.eq_ignore_ascii_case(word));
        if is("OTEL_SDK_DISABLED", "true") || is("OTEL_TRACES_EXPORTER", "none") {
            return Ok(None);
        }
        let of_traces = |name: &str| {
            let (own, all) = (format!("OTEL_EXPORTER_OTLP_TRACES_{name}"), format!("OTEL_EXPORTER_OTLP_{name}"));
            set(&own).map(|value| (own, value)).or_else(|| set(&all).map(|value| (all, value)))
        };
        let (variable, url) = match (endpoint, of_traces("ENDPOINT")) {
            (Some(url), _) => ("the OTLP endpoint".to_owned(), below(url)),
            (None, Some((variable, url))) if variable.contains("TRACES") => (variable, url),
            (None, Some((variable, url))) => (variable, below(&url)),
            (None, None) => return Ok(None),
        };
        let wrong = |variable: &str, wrong: String| WrongSetting { variable: variable.to_owned(), wrong };
        let (base, path) = split(&url);
        let address = base.parse().map_err(|error| wrong(&variable, format!("is no address to send to: {error}")))?;
        if let Some((variable, protocol)) = of_traces("PROTOCOL")
            && !protocol.starts_with("http/")
        {
            return Err(wrong(&variable, "asks for another way than OTLP over HTTP (http/json)".to_owned()));
        }
        let headers = match of_traces("HEADERS") {
            Some((variable, text)) => headers(&text).ok_or_else(|| wrong(&variable, "holds no headers".to_owned()))?,
            None => Vec::new(),
        };
        let timeout = match of_traces("TIMEOUT") {
            Some((variable, text)) => {
                text.parse().map_err(|_| wrong(&variable, "is no number of milliseconds".to_owned()))?
            }
            None => limits::REQUEST_MS,
        };
        let resource = resource(set("OTEL_SERVICE_NAME"), set("OTEL_RESOURCE_ATTRIBUTES"));
        let is_wanted = is("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true");
        let content = if is_wanted { Content::Recorded } else { Content::LeftOut };
        let timeout = Duration::from_millis(timeout);
        Ok(Some(Self { address, path: path.to_owned(), headers, resource, timeout, content }))
    }

    /// Where spans go, as a person would write it.
    pub(super) fn shown(&self) -> String {
        format!("{}{}", self.address, self.path.trim_end_matches('/'))
    }
}

/// An endpoint as what comes before the last part of its path, and that part.
fn split(url: &str) -> (&str, &str) {
    let host = url.find("://").map_or(0, |at| at + 3);
    match url[host..].rfind('/') {
        Some(at) => url.split_at(host + at),
        None => (url, "/"),
    }
}

/// Where traces go below an endpoint for everything.
fn below(endpoint: &str) -> String {
    format!("{}/v1/traces", endpoint.trim_end_matches('/'))
}

/// `key=value` pairs after each other, whose values are written as in addresses.
fn pairs(text: &str) -> Option<Vec<(String, String)>> {
    let pair = |pair: &str| pair.split_once('=').map(|(key, value)| (key.trim().to_owned(), decoded(value.trim())));
    text.split(',').filter(|part| !part.trim().is_empty()).map(pair).collect()
}

fn headers(text: &str) -> Option<Vec<(HeaderName, HeaderValue)>> {
    let header = |(name, value): (String, String)| {
        let mut value = HeaderValue::from_str(&value).ok()?;
        value.set_sensitive(true);
        Some((name.parse().ok()?, value))
    };
    pairs(text)?.into_iter().map(header).collect()
}

/// Who recorded the spans. What cannot be read of the attributes is left out, as the standard wants it.
fn resource(service: Option<String>, attributes: Option<String>) -> Vec<(String, String)> {
    let mut resource = attributes.and_then(|text| pairs(&text)).unwrap_or_default();
    let is_named = resource.iter().any(|(key, _)| key == "service.name");
    if let Some(service) = service.or_else(|| (!is_named).then(|| "turnwise".to_owned())) {
        resource.retain(|(key, _)| key != "service.name");
        resource.push(("service.name".to_owned(), service));
    }
    for (key, value) in [
        ("service.version", env!("CARGO_PKG_VERSION")),
        ("telemetry.sdk.name", "turnwise"),
        ("telemetry.sdk.language", "rust"),
        ("telemetry.sdk.version", env!("CARGO_PKG_VERSION")),
    ] {
        if resource.iter().all(|(known, _)| known != key) {
            resource.push((key.to_owned(), value.to_owned()));
        }
    }
    resource
}

/// With `%20` and the like as what they stand for; what stands for nothing stays.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while at < bytes.len() {
        let digits = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::{Content, Settings, WrongSetting};

    fn of(variables: &[(&str, &str)]) -> Result<Option<Settings>, WrongSetting> {
        let look_up = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Settings::of(None, |name| look_up(name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn nothing_is_sent_unless_an_endpoint_is_named() {
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
        assert!(of(&[]).unwrap().is_none());
        assert!(of(&[("OTEL_EXPORTER_OTLP_ENDPOINT", " ")]).unwrap().is_none());
        assert!(of(&[endpoint, ("OTEL_SDK_DISABLED", "True")]).unwrap().is_none());
        assert!(of(&[endpoint, ("OTEL_TRACES_EXPORTER", "none")]).unwrap().is_none());
        let settings = of(&[endpoint]).unwrap().unwrap();
        assert_eq!(settings.shown(), "http://localhost:4318/v1/traces");
        assert_eq!(settings.content, Content::LeftOut);
        assert!(settings.resource.contains(&("service.name".to_owned(), "turnwise".to_owned())));
    }

    #[test]
    fn variables_mean_what_the_standard_says() {
        let settings = of(&[
            ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://all:1"),
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://spans.example.org/here"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20abc, x-team = a%3Db"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "250"),
            ("OTEL_SERVICE_NAME", "shop"),
            ("OTEL_RESOURCE_ATTRIBUTES", "service.name=other,deployment.environment.name=test"),
        ]);
        let settings = settings.unwrap().unwrap();
        assert_eq!(settings.shown(), "https://spans.example.org/here", "traces' own comes as it is");
        let header = |name: &str| settings.headers.iter().find(|(known, _)| known == name).unwrap().1.clone();
        assert_eq!(
            (header("authorization"), header("x-team")),
            ("Bearer abc".parse().unwrap(), "a=b".parse().unwrap())
        );
        assert_eq!(settings.timeout.as_millis(), 250);
        let named = |key: &str| settings.resource.iter().filter(|(known, _)| known == key).collect::<Vec<_>>();
        assert_eq!(named("service.name"), [&("service.name".to_owned(), "shop".to_owned())]);
        assert_eq!(named("deployment.environment.name").len(), 1);
        assert!(!format!("{settings:?}").contains("abc"), "a header may be a secret");
    }

    #[test]
    fn a_variable_that_cannot_be_followed_is_named() {
        let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
        for (variable, value) in [
            ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "localhost:4318"),
            ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "no header"),
            ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon"),
        ] {
            let wrong = of(&[endpoint, (variable, value)]).unwrap_err();
            assert!(wrong.to_string().starts_with(variable), "{wrong}");
        }
    }
}
