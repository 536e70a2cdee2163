//! Calling Slack: messages are posted, updated and whispered. Where Slack asks for patience it gets it, as often as is
//! reasonable. Next: `follow`.

use std::sync::PoisonError;
use std::time::Duration;

use axum::http::{Request, Response, StatusCode, header};
use hyper::body::{Bytes, Incoming};
use serde_json::{Value, json};

use turnwise_assistant::OutletError;

use super::secret::Secret;
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
    #[error("Slack asks to wait for {} s", .0.as_secs())]
    Later(Duration),
}

/// What Slack answers to something that was posted.
#[derive(Debug)]
struct Answer {
    ts: String,
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

    /// Calls a method that posts; gives the id of what was posted.
    pub(super) async fn said(&self, method: &'static str, message: &Value) -> Result<String, PostError> {
        Ok(self.method(method, message).await?.ts)
    }

    /// Opens a form for whoever just pressed something.
    pub(super) async fn open_view(&self, trigger: &str, view: &Value) -> Result<(), PostError> {
        self.method("views.open", &json!({ "trigger_id": trigger, "view": view })).await.map(drop)
    }

    /// Who we are there, and the scopes of our token where Slack says them.
    pub(super) async fn who(&self) -> Result<(Value, Option<String>), PostError> {
        let token = &self.settings.token;
        let answer = call(&self.settings.api, request("auth.test", "/auth.test", token, &json!({}))?).await?;
        let scopes = answer.headers().get("x-oauth-scopes").and_then(|value| value.to_str().ok()).map(str::to_owned);
        Ok((self.read("auth.test", answer).await?, scopes))
    }

    /// The address of a socket; empty where we have no token for one.
    pub(super) async fn opened_socket(&self) -> Result<String, PostError> {
        let Some(token) = &self.settings.app_token else { return Ok(String::new()) };
        let (method, path) = ("apps.connections.open", "/apps.connections.open");
        let answer = call(&self.settings.api, request(method, path, token, &json!({}))?).await?;
        let answer = self.read(method, answer).await?;
        Ok(answer["url"].as_str().unwrap_or_default().to_owned())
    }

    /// Asks something that changes nothing.
    pub(super) async fn asked(&self, method: &'static str, asked: &[(&str, &str)]) -> Result<Value, PostError> {
        self.asked_within(method, asked, Duration::MAX).await
    }

    /// The same for whoever does without, rather than wait for longer than `most` at once.
    pub(super) async fn asked_within(
        &self,
        method: &'static str,
        asked: &[(&str, &str)],
        most: Duration,
    ) -> Result<Value, PostError> {
        let pairs: Vec<String> = asked.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let path = format!("/{method}?{}", pairs.join("&"));
        for _ in 0..ATTEMPTS_MAX {
            let answer = call(&self.settings.api, look(method, &path, &self.settings.token)?).await?;
            if answer.status() == StatusCode::TOO_MANY_REQUESTS {
                let wanted = patience(&answer);
                if wanted > most {
                    return Err(PostError::Later(wanted));
                }
                tokio::time::sleep(wanted).await;
                continue;
            }
            return self.read(method, answer).await;
        }
        Err(PostError::Busy)
    }

    /// An answer that says yes.
    async fn read(&self, method: &'static str, answer: Response<Incoming>) -> Result<Value, PostError> {
        let status = answer.status();
        let body = whole(&self.settings.api, answer, ANSWER_BYTES_MAX).await?;
        match serde_json::from_slice::<Value>(&body) {
            Ok(answer) if answer["ok"] == true => Ok(answer),
            Ok(answer) => Err(PostError::Refused(method, answer["error"].as_str().unwrap_or_default().to_owned())),
            Err(_) => Err(PostError::Refused(method, status.to_string())),
        }
    }

    /// Tells `user` alone.
    pub(super) async fn whisper(&self, place: &Place, user: &str, text: &str) {
        self.whisper_with(place, user, text, Vec::new()).await;
    }

    /// The same, shown as these blocks where there are any.
    pub(super) async fn whisper_with(&self, place: &Place, user: &str, text: &str, blocks: Vec<Value>) {
        let mut message = json!({ "channel": place.channel, "user": user, "text": text });
        if !blocks.is_empty() {
            message["blocks"] = Value::Array(blocks);
        }
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
        latest.insert((place.team.clone(), place.channel.clone(), user.to_owned()), place.clone());
    }

    /// Where `user` spoke last in `channel` of `team`; two teams may have channels and people of one id.
    pub(super) fn latest_of(&self, team: &str, channel: &str, user: &str) -> Option<Place> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.get(&(team.to_owned(), channel.to_owned(), user.to_owned())).cloned()
    }

    async fn method(&self, method: &'static str, message: &Value) -> Result<Answer, PostError> {
        for _ in 0..ATTEMPTS_MAX {
            let answer =
                call(&self.settings.api, request(method, &format!("/{method}"), &self.settings.token, message)?)
                    .await?;
            if answer.status() == StatusCode::TOO_MANY_REQUESTS {
                tokio::time::sleep(patience(&answer)).await;
                continue;
            }
            let answer = self.read(method, answer).await?;
            return Ok(Answer { ts: answer["ts"].as_str().unwrap_or_default().to_owned() });
        }
        Err(PostError::Busy)
    }
}

impl PostError {
    /// What it means for something that was to be posted once.
    pub(super) fn of_posting(&self) -> OutletError {
        let told = format!("It was not posted: {self}.");
        match self {
            Self::Busy | Self::Later(_) | Self::Call(CallError::Unreachable(..)) => OutletError::Busy(told),
            Self::Refused(..) | Self::Call(CallError::Untrusted(..)) => OutletError::Refused(told),
            Self::Call(CallError::Broken(..) | CallError::Silent(_) | CallError::TooLong(_)) => {
                OutletError::Lost(format!("Slack did not say whether it was posted: {self}."))
            }
        }
    }
}

fn request(method: &'static str, path: &str, token: &Secret, message: &Value) -> Result<Request<Bytes>, PostError> {
    Request::post(path)
        .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
        .header(header::AUTHORIZATION, format!("Bearer {}", token.reveal()))
        .body(Bytes::from(message.to_string()))
        // What is wrong with a header may hold the token: it is not told.
        .map_err(|_| PostError::Refused(method, NO_TOKEN.to_owned()))
}

fn look(method: &'static str, path: &str, token: &Secret) -> Result<Request<Bytes>, PostError> {
    Request::get(path)
        .header(header::AUTHORIZATION, format!("Bearer {}", token.reveal()))
        .body(Bytes::new())
        .map_err(|_| PostError::Refused(method, NO_TOKEN.to_owned()))
}

/// `value` as it stands in an address.
fn encoded(value: &str) -> String {
    value.bytes().fold(String::new(), |all, byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' | b'~' => format!("{all}{}", char::from(byte)),
        byte => format!("{all}%{byte:02X}"),
    })
}

/// How long Slack wants to be left alone.
fn patience(answer: &Response<Incoming>) -> Duration {
    let said = answer.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
    let seconds = said.and_then(|said| said.trim().parse().ok()).unwrap_or(PATIENCE_SECONDS);
    Duration::from_secs(u64::min(seconds, PATIENCE_SECONDS_MAX))
}

/// Why a token cannot be sent at all.
const NO_TOKEN: &str = "nothing: the token has characters that no token has";
/// How often one message is tried where Slack asks for patience.
const ATTEMPTS_MAX: u32 = 4;
/// Seconds of patience where Slack does not say how many.
const PATIENCE_SECONDS: u64 = 1;
/// More patience than this helps nobody who waits for an answer.
const PATIENCE_SECONDS_MAX: u64 = 60;
/// Slack repeats a message in its answer, and gives up to 200 messages of a thread at once.
const ANSWER_BYTES_MAX: usize = 8 * 1024 * 1024;
/// People whose latest thread is remembered.
const LATEST_MAX: usize = 10_000;
