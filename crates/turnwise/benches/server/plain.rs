//! The baseline: a plain axum server whose handler writes one row, flushed to disk, and tells those who follow. It has
//! no keys, no persons, no state and no decisions; nothing simpler could be called a durable server. Next: `main`.

use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream::{self, Stream};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

/// Rows a follower may be behind.
const BEHIND_MAX: usize = 1_024;

#[derive(Clone, Deserialize, Serialize)]
struct Row {
    text: String,
}

#[derive(Clone)]
struct Shared {
    rows: Arc<Mutex<rusqlite::Connection>>,
    news: broadcast::Sender<Row>,
}

/// Serves until the process is killed; the rows are in `file`.
pub fn serve(file: &Path) {
    let _ = turnwise::channel::handles::raised();
    let rows = rusqlite::Connection::open(file).unwrap();
    let layout = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE log (body TEXT NOT NULL);";
    rows.execute_batch(layout).unwrap();
    let shared = Shared { rows: Arc::new(Mutex::new(rows)), news: broadcast::Sender::new(BEHIND_MAX) };
    let routes = Router::new().route("/rows", post(insert)).route("/rows", get(follow)).with_state(shared);
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        eprintln!("http://{}", listener.local_addr().unwrap());
        axum::serve(listener, routes).await.unwrap();
    });
}

async fn insert(State(shared): State<Shared>, Json(row): Json<Row>) -> Json<Row> {
    let (rows, text) = (Arc::clone(&shared.rows), row.text.clone());
    let written = tokio::task::spawn_blocking(move || {
        let rows = rows.lock().unwrap();
        rows.prepare_cached("INSERT INTO log (body) VALUES (?1)").unwrap().execute([text]).unwrap();
    });
    written.await.unwrap();
    // Nobody may be following.
    let _ = shared.news.send(row.clone());
    Json(row)
}

async fn follow(State(shared): State<Shared>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let first = stream::once(async { Ok(Event::default().event("state").data("{}")) });
    let rest = stream::unfold(shared.news.subscribe(), |mut news| async move {
        let row = news.recv().await.ok()?;
        Some((Ok(Event::default().event("event").json_data(&row).unwrap()), news))
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(15)).text("alive");
    Sse::new(futures_util::StreamExt::chain(first, rest)).keep_alive(alive)
}
