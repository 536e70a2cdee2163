//! Calling Slack: messages are posted, updated and whispered. Where Slack asks for patience it gets it, as often as is
//! reasonable. Next: `follow`.

use std::sync::PoisonError;
use std::time::Duration;

use axum::http::{Request, Response, StatusCode, header};
use hyper::body::{Bytes, Incoming};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Place, Slack};
use crate::driver::DriverError;
use crate::outgoing::{CallError, call, whole};

/// Why Slack did not do it.
#[derive(Debug, thiserror::Error)]
pub(super) enum PostError {
    #[error(transparent)]
    Call(#[from] CallError),
    #[error("{0} answers {1}")]
    Refused(&'static str, String),
    #[error("Slack still asks for patience after {ATTEMPTS_MAX} attempts")]
    Busy,
}

/// What Slack answers.
#[derive(Debug, Deserialize)]
struct Answer {
    ok: bool,
    #[serde(default)]
    ts: String,
    #[serde(default)]
    error: String,
}

impl Slack {
    /// Posts to `place`; gives when, which is the message's id there.
    pub(super) async fn post(&self, place: &Place, text: &str, blocks: Vec<Value>) -> Result<String, PostError> {
        let mut message = json!({ "channel": place.channel, "text": text, "unfurl_links": false });
        if let Some(thread) = &place.thread {
            message["thread_ts"] = json!(thread);
        }
        if !blocks.is_empty() {
            message["blocks"] = Value::Array(blocks);
        }
        Ok(self.method("chat.postMessage", &message).await?.ts)
    }

    /// Shows another text in place of a message.
    pub(super) async fn update(
        &self,
        place: &Place,
        at: &str,
        text: &str,
        blocks: Vec<Value>,
    ) -> Result<(), PostError> {
        let message = json!({ "channel": place.channel, "ts": at, "text": text, "blocks": blocks });
        self.method("chat.update", &message).await.map(drop)
    }

    /// Tells `user` alone.
    pub(super) async fn whisper(&self, place: &Place, user: &str, text: &str) {
        let mut message = json!({ "channel": place.channel, "user": user, "text": text });
        if let Some(thread) = &place.thread {
            message["thread_ts"] = json!(thread);
        }
        if let Err(error) = self.method("chat.postEphemeral", &message).await {
            eprintln!("Somebody in Slack could not be told “{text}”: {error}.");
        }
    }

    /// Tells `user` that what they said was not taken in.
    pub(super) async fn failed(&self, place: &Place, user: &str, error: &DriverError) {
        let told = format!("That could not be taken in: {error}. Please say it again.");
        self.whisper(place, user, &told).await;
    }

    /// Remembers where `user` spoke last.
    pub(super) fn spoke(&self, user: &str, place: &Place) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.len() >= LATEST_MAX {
            latest.clear();
        }
        latest.insert((user.to_owned(), place.channel.clone()), place.clone());
    }

    /// Where `user` spoke last in `channel`.
    pub(super) fn latest_of(&self, user: &str, channel: &str) -> Option<Place> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.get(&(user.to_owned(), channel.to_owned())).cloned()
    }

    async fn method(&self, method: &'static str, message: &Value) -> Result<Answer, PostError> {
        for _ in 0..ATTEMPTS_MAX {
            let answer = call(&self.settings.api, self.request(method, message)?).await?;
            if answer.status() == StatusCode::TOO_MANY_REQUESTS {
                tokio::time::sleep(patience(&answer)).await;
                continue;
            }
            let status = answer.status();
            let body = whole(&self.settings.api, answer, ANSWER_BYTES_MAX).await?;
            return match serde_json::from_slice::<Answer>(&body) {
                Ok(answer) if answer.ok => Ok(answer),
                Ok(answer) => Err(PostError::Refused(method, answer.error)),
                Err(_) => Err(PostError::Refused(method, status.to_string())),
            };
        }
        Err(PostError::Busy)
    }

    fn request(&self, method: &'static str, message: &Value) -> Result<Request<Bytes>, PostError> {
        Request::post(format!("/{method}"))
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.settings.token.reveal()))
            .body(Bytes::from(message.to_string()))
            // What is wrong with a header may hold the token: it is not told.
            .map_err(|_| PostError::Refused(method, "nothing: the token has characters that no token has".to_owned()))
    }
}

/// How long Slack wants to be left alone.
fn patience(answer: &Response<Incoming>) -> Duration {
    let said = answer.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
    let seconds = said.and_then(|said| said.trim().parse().ok()).unwrap_or(PATIENCE_SECONDS);
    Duration::from_secs(u64::min(seconds, PATIENCE_SECONDS_MAX))
}

/// How often one message is tried where Slack asks for patience.
const ATTEMPTS_MAX: u32 = 4;
/// Seconds of patience where Slack does not say how many.
const PATIENCE_SECONDS: u64 = 1;
/// More patience than this helps nobody who waits for an answer.
const PATIENCE_SECONDS_MAX: u64 = 60;
/// Slack repeats a message in its answer.
const ANSWER_BYTES_MAX: usize = 512 * 1024;
/// People whose latest thread is remembered.
const LATEST_MAX: usize = 10_000;
