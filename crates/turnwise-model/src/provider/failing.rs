//! What each way of failing is called. Providers say the same thing in many forms; who asks needs to know whether to
//! wait, to mend a setting, or to give up. Next: `error` for what the names mean.

use std::error::Error as _;
use std::time::{Duration, SystemTime};

use genai::{Error, webc};
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::key::Key;
use crate::{ModelError, ModelName};

/// The longest that is repeated of what a provider says.
const TOLD_CHARS_MAX: usize = 300;

/// The error that `error` is, after so many bytes of an answer.
pub fn of(model: &ModelName, key: Option<&Key>, error: Error, received: usize) -> ModelError {
    let model = model.clone();
    let clean = |text: String| shortened(&key.map_or(text.clone(), |key| key.scrub(&text)));
    if let Some(status) = error.status().map(|status| status.as_u16()) {
        let after = error.headers().and_then(after);
        let body = match error {
            Error::HttpError { body, .. }
            | Error::WebModelCall { webc_error: webc::Error::ResponseFailedStatus { body, .. }, .. } => body,
            other => other.to_string(),
        };
        return ModelError::of_status(model, status, &clean(said(&body)), after);
    }
    match error {
        Error::WebStream { error, cause, .. } => match error.downcast::<Error>() {
            // An answer with a status comes wrapped once more when it was to be a stream.
            Ok(inner) => of(&model, key, *inner, received),
            Err(error) => of_transport(model, error.downcast_ref::<reqwest::Error>(), clean(cause), received),
        },
        Error::WebModelCall { webc_error: webc::Error::Reqwest(error), .. } => {
            let told = clean(error.to_string());
            of_transport(model, Some(&error), told, received)
        }
        Error::ChatResponse { body, .. } => {
            let told = clean(said(&body.to_string()));
            ModelError::CutOff { model, bytes: received, told }
        }
        Error::StreamParse { serde_error, .. } => {
            ModelError::Unreadable { model, told: clean(serde_error.to_string()) }
        }
        other => ModelError::Unreadable { model, told: clean(other.to_string()) },
    }
}

/// The error of a connection.
fn of_transport(model: ModelName, error: Option<&reqwest::Error>, cause: String, bytes: usize) -> ModelError {
    let Some(error) = error else { return ModelError::Unreadable { model, told: cause } };
    // The last of the chain says what happened; those before it only where.
    let mut told = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        told = inner.to_string();
        source = inner.source();
    }
    let told = shortened(&told);
    match error.is_connect() || error.is_request() {
        true => ModelError::Unreachable { model, told },
        false => ModelError::CutOff { model, bytes, told },
    }
}

/// What a provider says in the body of an error: its message where it has one, the body otherwise.
fn said(body: &str) -> String {
    let json: Option<Value> = serde_json::from_str(body).ok();
    let message = json.as_ref().and_then(|json| {
        let inner = json.get("error").unwrap_or(json);
        inner.get("message").or(Some(inner)).and_then(Value::as_str)
    });
    message.unwrap_or(body).to_owned()
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(TOLD_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None if text.is_empty() => "it said nothing".to_owned(),
        None => text.to_owned(),
    }
}

/// When to come again, as `Retry-After` says it: in seconds or as a date.
fn after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.trim().parse::<u64>().ok()) {
        return Some(Duration::from_millis(milliseconds));
    }
    let text = text("retry-after")?.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}
