//! Requests at a fixed rate, whether or not the last ones were answered: a time runs from when a request was due, so
//! that a server that stands still is not asked less. Next: `main`.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::{self, header};
use hmac::{Hmac, KeyInit, Mac};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use serde_json::json;
use sha2::Sha256;
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};

/// What is asked for, so that a preview can follow at once.
const ORDER: &str = "<@U0BOT> create a ticket for login bug. Users get a 500 after SSO. It should log in with SSO.";

/// One request.
pub enum Request {
    Health,
    /// An event of Slack.
    Mention {
        body: String,
        at: u64,
        signature: String,
    },
}

impl Request {
    /// The mention with this number, in a thread of its own.
    pub fn mention(secret: &str, number: u32) -> Self {
        let event =
            json!({"type": "app_mention", "user": "U1", "channel": "C1", "ts": format!("{number}.1"), "text": ORDER});
        let body =
            json!({"type": "event_callback", "team_id": "T1", "event_id": format!("Ev{number}"), "event": event});
        let (body, at) = (body.to_string(), SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs());
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("v0:{at}:{body}").as_bytes());
        let digits = mac.finalize().into_bytes().iter().fold(String::new(), |all, byte| format!("{all}{byte:02x}"));
        Self::Mention { body, at, signature: format!("v0={digits}") }
    }

    fn over(self, address: &str) -> http::Request<Full<Bytes>> {
        let request = http::Request::builder().header(header::HOST, address);
        match self {
            Self::Health => request.uri("/healthz").body(Full::default()),
            Self::Mention { body, at, signature } => request
                .method("POST")
                .uri("/slack/events")
                .header(header::CONTENT_TYPE, "application/json")
                .header("x-slack-request-timestamp", at)
                .header("x-slack-signature", signature)
                .body(Full::new(Bytes::from(body))),
        }
        .unwrap()
    }
}

/// A client with as many connections as have to be open at once.
pub struct Client {
    address: String,
    idle: Arc<Mutex<Vec<SendRequest<Full<Bytes>>>>>,
}

impl Client {
    pub fn of(address: &str) -> Self {
        Self { address: address.to_owned(), idle: Arc::default() }
    }

    /// Sends `count` requests, so many a second; gives how long each took.
    pub async fn at_rate(&self, rate: u32, count: u32, request: impl Fn(u32) -> Request) -> Vec<Duration> {
        let mut ticks = tokio::time::interval(Duration::from_secs(1) / rate);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let mut sending = JoinSet::new();
        for number in 0..count {
            let due = ticks.tick().await;
            let (request, address, idle) = (request(number), self.address.clone(), Arc::clone(&self.idle));
            sending.spawn(async move { answered(request, &address, &idle, due).await });
        }
        sending.join_all().await
    }
}

async fn answered(
    request: Request,
    address: &str,
    idle: &Mutex<Vec<SendRequest<Full<Bytes>>>>,
    due: Instant,
) -> Duration {
    let mut line = open(address, idle).await;
    let answer = line.send_request(request.over(address)).await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.status());
    answer.into_body().collect().await.unwrap();
    let took = due.elapsed();
    idle.lock().await.push(line);
    took
}

/// A connection that nobody uses: the server closes those that were idle for long.
async fn open(address: &str, idle: &Mutex<Vec<SendRequest<Full<Bytes>>>>) -> SendRequest<Full<Bytes>> {
    loop {
        let kept = idle.lock().await.pop();
        let Some(mut line) = kept else { return connected(address).await };
        if line.ready().await.is_ok() {
            return line;
        }
    }
}

async fn connected(address: &str) -> SendRequest<Full<Bytes>> {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender.ready().await.unwrap();
    sender
}
