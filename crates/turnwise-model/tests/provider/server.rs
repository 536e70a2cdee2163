//! A server that answers each request by the next of its replies and keeps what it was sent.

use std::io;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::response::Response;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::sync::Notify;
use turnwise_model::{Keys, Message, Model, ModelName, TaskName, TaskVersion, open};

/// How a request is answered.
pub enum Reply {
    /// A stream of these events, ended well.
    Events(Vec<String>),
    /// The same, but the connection breaks after them, when it is told to: what was written before would else be lost.
    Broken(Vec<String>, Arc<Notify>),
    /// The same, and then nothing more, with the connection open.
    Hanging(Vec<String>),
    /// A status with headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
}

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Sent {
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Value,
}

pub struct Server {
    pub url: String,
    state: Arc<Behind>,
}

struct Behind {
    replies: Mutex<std::vec::IntoIter<Reply>>,
    sent: Mutex<Vec<Sent>>,
}

impl Server {
    pub async fn start(replies: impl IntoIterator<Item = Reply>) -> Self {
        let replies: Vec<Reply> = replies.into_iter().collect();
        let state = Arc::new(Behind { replies: Mutex::new(replies.into_iter()), sent: Mutex::default() });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(state.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, state }
    }

    /// What was sent so far.
    pub fn sent(&self) -> Vec<Sent> {
        self.state.sent.lock().unwrap().clone()
    }

    /// The model of an OpenAI-compatible server at this address.
    pub fn model(&self) -> Arc<dyn Model> {
        open(&ModelName::new(format!("openai-compatible:{}/v1#tiny", self.url)), &Keys::default()).unwrap()
    }
}

impl Sent {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

async fn answer(State(state): State<Arc<Behind>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let headers = head.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let sent = Sent {
        path: head.uri.to_string(),
        headers: headers.collect(),
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    };
    state.sent.lock().unwrap().push(sent);
    let reply = state.replies.lock().unwrap().next();
    let events =
        |events: Vec<String>| stream::iter(events.into_iter().map(|event| Ok::<_, io::Error>(Bytes::from(event))));
    let stream = match reply.unwrap_or(Reply::Status(500, Vec::new(), "no more replies".to_owned())) {
        Reply::Events(all) => Body::from_stream(events(all)),
        Reply::Broken(all, now) => {
            let broken = stream::once(async move {
                now.notified().await;
                Err(io::Error::other("broken"))
            });
            Body::from_stream(events(all).chain(broken))
        }
        Reply::Hanging(all) => Body::from_stream(events(all).chain(stream::pending())),
        Reply::Status(status, headers, body) => {
            let mut response = Response::builder().status(status);
            for (name, value) in headers {
                response = response.header(name, value);
            }
            return response.body(Body::from(body)).unwrap();
        }
    };
    Response::builder().header("content-type", "text/event-stream").body(stream).unwrap()
}

/// The events of OpenAI's protocol that say these parts, without an end.
pub fn said(parts: &[&str]) -> Vec<String> {
    let event = |part: &&str| json!({"choices": [{"index": 0, "delta": {"content": part}, "finish_reason": null}]});
    parts.iter().map(|part| format!("data: {}\n\n", event(part))).collect()
}

/// The events that end an answer, with its tokens.
pub fn ended(finish: &str) -> Vec<String> {
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 21, "completion_tokens": 3, "total_tokens": 24}});
    vec![format!("data: {end}\n\n"), format!("data: {usage}\n\n"), "data: [DONE]\n\n".to_owned()]
}

/// A whole answer.
pub fn whole(parts: &[&str]) -> Reply {
    Reply::Events([said(parts), ended("stop")].concat())
}

/// A request of free text.
pub fn request() -> turnwise_model::Request {
    let messages = vec![Message::system("Answer briefly."), Message::user("What is the capital of France?")];
    turnwise_model::Request::new(TaskName::new("capital"), TaskVersion::new("1"), messages)
}
