//! A stand-in for Slack's methods, which says yes to everything and counts the previews that are posted. Next: `main`.

use std::time::Duration;

use axum::extract::{Path, State};
use axum::routing::any;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Slack, as far as the server calls it.
pub struct StandIn {
    pub address: String,
    previews: watch::Receiver<u32>,
}

impl StandIn {
    pub async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (count, previews) = watch::channel(0);
        let routes = Router::new().route("/{method}", any(answer)).with_state(count);
        tokio::spawn(async move { axum::serve(listener, routes).await.unwrap() });
        Self { address, previews }
    }

    /// Whether so many previews were posted before patience is over.
    pub async fn previews(&self, count: u32, patience: Duration) -> bool {
        let mut previews = self.previews.clone();
        let all = previews.wait_for(|posted| *posted >= count);
        tokio::time::timeout(patience, all).await.is_ok_and(|posted| posted.is_ok())
    }
}

async fn answer(State(previews): State<watch::Sender<u32>>, Path(method): Path<String>, body: String) -> Json<Value> {
    if method == "chat.postMessage" && body.contains("Login bug") && body.contains("Approve") {
        previews.send_modify(|count| *count += 1);
    }
    Json(json!({"ok": true, "ts": "1.000", "team_id": "T1"}))
}
