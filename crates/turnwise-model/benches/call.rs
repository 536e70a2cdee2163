//! What the layer costs a call: `cargo bench -p turnwise-model`. One and the same server in this process, asked by a
//! bare HTTP client and by a guarded model, in turns; the difference is ours. It fails where that is over the budget.

#![allow(clippy::unwrap_used, reason = "a benchmark stops where something is wrong")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use turnwise_model::{
    Guarded, Guards, Keys, Message, Model, ModelName, Request, Scripted, TaskName, TaskVersion, Turn, open,
};

/// Calls of each kind.
const CALLS: usize = 400;
/// What the layer may add to a call, at the median.
const ADDED_MAX: Duration = Duration::from_millis(1);
/// How long the prompt is, in bytes: a catalogue card with its examples.
const PROMPT_BYTES: usize = 8 * 1024;

#[tokio::main]
async fn main() {
    let url = serve().await;
    let name = ModelName::new(format!("openai-compatible:{url}/v1#tiny"));
    let model = Guarded::new(open(&name, &Keys::default()).unwrap(), Guards::default());
    let messages = vec![Message::system("x".repeat(PROMPT_BYTES)), Message::user("What is the capital of France?")];
    let request = Request::new(TaskName::new("capital"), TaskVersion::new("1"), messages);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let (mut bare, mut layered) = (Vec::new(), Vec::new());
    for _ in 0..CALLS {
        bare.push(timed(direct(&client, &url, &request)).await);
        layered.push(timed(asked(&model, &request)).await);
    }
    let (bare, layered) = (median(bare), median(layered));
    let added = layered.saturating_sub(bare);
    let ratio = layered.as_secs_f64() / bare.as_secs_f64();
    println!("a bare call {bare:?}, through the layer {layered:?}: {added:?} more, {ratio:.2} times");

    let script = Arc::new(Scripted::new(std::iter::repeat_n(Turn::Say("Paris".to_owned()), 2 * CALLS)));
    let guarded = Guarded::new(script.clone(), Guards::default());
    let (mut bare, mut layered) = (Vec::new(), Vec::new());
    for _ in 0..CALLS {
        bare.push(timed(asked(&*script, &request)).await);
        layered.push(timed(asked(&guarded, &request)).await);
    }
    println!("without a network: a call {:?}, with guards {:?}", median(bare), median(layered));
    assert!(added <= ADDED_MAX, "the layer adds {added:?} to a call; it may add {ADDED_MAX:?}");
}

async fn timed(call: impl Future<Output = ()>) -> Duration {
    let begun = Instant::now();
    call.await;
    begun.elapsed()
}

async fn asked(model: &dyn Model, request: &Request) {
    let answer = model.complete(request, &CancellationToken::new()).await.unwrap();
    assert_eq!(answer.text, "Paris");
}

async fn direct(client: &reqwest::Client, url: &str, request: &Request) {
    let body = json!({"model": "tiny", "stream": true, "messages": request.messages}).to_string();
    let sent = client.post(format!("{url}/v1/chat/completions")).header("content-type", "application/json").body(body);
    let text = sent.send().await.unwrap().text().await.unwrap();
    assert!(text.contains("Paris"));
}

/// A server that says “Paris” to everything. Gives its address.
async fn serve() -> String {
    let said = json!({"choices": [{"index": 0, "delta": {"content": "Paris"}, "finish_reason": null}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let body = format!("data: {said}\n\ndata: {end}\n\ndata: [DONE]\n\n");
    let router = Router::new().fallback(move || async move { ([("content-type", "text/event-stream")], body) });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

fn median(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all[all.len() / 2]
}
