//! The client of both servers: one request after the other on a connection that is kept. Next: `subscribers`.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{Request, header};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// A question whose answer needs a plan.
pub const QUESTION: &str = "how many people are there?";

/// Conversations begun at once.
const BEGUN_AT_ONCE: usize = 32;

/// A server, and how it is called.
#[derive(Clone)]
pub struct Target {
    pub address: String,
    is_plain: bool,
}

/// Where messages are sent and events are followed.
#[derive(Clone)]
pub struct Place {
    messages: String,
    pub events: String,
}

impl Target {
    pub fn turnwise(address: &str) -> Self {
        Self { address: address.to_owned(), is_plain: false }
    }

    pub fn plain(address: &str) -> Self {
        Self { address: address.to_owned(), is_plain: true }
    }

    /// Whether `text` is answered by something that waits for a decision.
    pub fn asks_of(&self, text: &str) -> bool {
        !self.is_plain && text == QUESTION
    }
}

/// A connection.
pub struct Line {
    target: Target,
    sender: SendRequest<Full<Bytes>>,
}

impl Line {
    pub async fn open(target: &Target) -> Self {
        let stream = TcpStream::connect(&target.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        Self { target: target.clone(), sender }
    }

    /// A new conversation; the plain server has one place for all.
    pub async fn begin(&mut self) -> Place {
        if self.target.is_plain {
            return Place { messages: "/rows".to_owned(), events: "/rows".to_owned() };
        }
        let begun = self.post("/v1/conversations", &json!({})).await;
        let begun: Value = serde_json::from_slice(&begun).unwrap();
        let path = format!("/v1/conversations/{}", begun["id"].as_str().unwrap());
        Place { messages: format!("{path}/messages"), events: format!("{path}/events") }
    }

    /// Sends a message under a key of its own and waits for what is answered. To Turnwise it is a command that is
    /// answered at once, or a question.
    pub async fn send(&mut self, place: &Place, text: &str) {
        let is_question = self.target.asks_of(text);
        let text = if self.target.is_plain || is_question { text.to_owned() } else { format!("/status {text}") };
        self.post(&place.messages, &json!({ "text": text })).await;
    }

    async fn post(&mut self, path: &str, body: &Value) -> Bytes {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let request = Request::post(path)
            .header(header::HOST, &self.target.address)
            .header(header::CONTENT_TYPE, "application/json")
            .header("idempotency-key", format!("key-{}", NEXT.fetch_add(1, Ordering::Relaxed)))
            .body(Full::new(Bytes::from(body.to_string())))
            .unwrap();
        self.sender.ready().await.unwrap();
        let answer = self.sender.send_request(request).await.unwrap();
        let status = answer.status();
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert!(status.is_success(), "{path}: {status}: {}", String::from_utf8_lossy(&body));
        body
    }
}

/// So many new conversations.
pub async fn begin_many(target: &Target, count: usize) -> Vec<Place> {
    let mut beginning = JoinSet::new();
    for at in 0..BEGUN_AT_ONCE {
        let target = target.clone();
        beginning.spawn(async move {
            let mut line = Line::open(&target).await;
            let mut places = Vec::new();
            for _ in (at..count).step_by(BEGUN_AT_ONCE) {
                places.push(line.begin().await);
            }
            places
        });
    }
    beginning.join_all().await.into_iter().flatten().collect()
}
