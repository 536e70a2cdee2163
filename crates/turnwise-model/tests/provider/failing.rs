//! What a server does wrong, and what it is called.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use turnwise_model::{Answer, Blame, Guarded, Guards, Keys, Model, ModelError, ModelName, Request, open};

use crate::server::{Reply, Server, request, said, whole};

async fn ask(reply: Reply) -> ModelError {
    let server = Server::start([reply]).await;
    server.model().complete(&request(), &CancellationToken::new()).await.unwrap_err()
}

fn status(status: u16, headers: Vec<(&'static str, String)>, body: &str) -> Reply {
    Reply::Status(status, headers, body.to_owned())
}

async fn guarded(server: &Server, request: Request) -> Result<Answer, ModelError> {
    let guards = Guards { pause_first: Duration::from_millis(1), ..Guards::default() };
    Guarded::new(server.model(), guards).complete(&request, &CancellationToken::new()).await
}

#[tokio::test]
async fn a_busy_provider_says_when_to_come_again() {
    let after = |error: &ModelError| match error {
        ModelError::Limited { after, .. } => *after,
        other => panic!("{other:?}"),
    };
    let body = r#"{"error": {"message": "Rate limit reached", "type": "requests"}}"#;
    let error = ask(status(429, vec![("retry-after", "7".to_owned())], body)).await;
    assert_eq!(after(&error), Some(Duration::from_secs(7)));
    let error = ask(status(429, vec![("retry-after-ms", "250".to_owned())], body)).await;
    assert_eq!(after(&error), Some(Duration::from_millis(250)));
    let past = "Wed, 21 Oct 2015 07:28:00 GMT".to_owned();
    let error = ask(status(429, vec![("retry-after", past)], body)).await;
    assert_eq!(after(&error), Some(Duration::ZERO), "a date that is past is now");
    assert_eq!(after(&ask(status(429, Vec::new(), body)).await), None);
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_and_answers() {
    let busy = || status(429, vec![("retry-after", "0".to_owned())], "");
    let server = Server::start([busy(), status(503, Vec::new(), "overloaded"), whole(&["Paris"])]).await;
    let answer = guarded(&server, request()).await.unwrap();
    assert_eq!((answer.text.as_str(), answer.attempts, server.sent().len()), ("Paris", 3, 3));
}

#[tokio::test]
async fn each_status_says_who_can_do_something() {
    let message = r#"{"error": {"message": "the model is unknown"}}"#;
    let error = ask(status(404, Vec::new(), message)).await;
    assert!(error.to_string().ends_with("is not there: the model is unknown"), "{error}");
    for (code, blame) in [(400, Blame::Us), (401, Blame::Operator), (404, Blame::Operator), (500, Blame::Provider)] {
        assert_eq!(ask(status(code, Vec::new(), message)).await.blame(), blame, "HTTP {code}");
    }
    let moved = status(307, vec![("location", "http://127.0.0.1:9/".to_owned())], "");
    assert!(matches!(ask(moved).await, ModelError::Rejected { status: 307, .. }), "no redirection is followed");
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_no_answer() {
    let heard = Arc::new(Notify::new());
    let server = Server::start([Reply::Broken(said(&["Par"]), heard.clone())]).await;
    let answer = server.model().stream(&request(), &mut |_| heard.notify_one(), &CancellationToken::new()).await;
    let error = answer.unwrap_err();
    assert!(matches!(error, ModelError::CutOff { bytes: 3, .. }), "{error:?}");
    let error = ask(Reply::Events(said(&["Par", "is"]))).await;
    assert!(matches!(error, ModelError::CutOff { bytes: 5, .. }), "an end without its mark is none: {error:?}");
    let inside = [said(&["Par"]), vec!["data: {\"error\": {\"message\": \"overloaded\"}}\n\n".to_owned()]].concat();
    let error = ask(Reply::Events(inside)).await;
    assert!(matches!(&error, ModelError::CutOff { told, .. } if told == "overloaded"), "{error:?}");
}

#[tokio::test]
async fn a_connection_that_breaks_before_the_first_word_is_tried_again() {
    let now = Arc::new(Notify::new());
    now.notify_one();
    let server = Server::start([Reply::Broken(Vec::new(), now), whole(&["Paris"])]).await;
    assert_eq!(guarded(&server, request()).await.unwrap().attempts, 2);
}

#[tokio::test]
async fn what_is_not_the_protocol_is_unreadable() {
    let garbled = [said(&["Par"]), vec!["data: {\"choices\": [\n\n".to_owned()]].concat();
    for reply in [
        Reply::Events(garbled),
        status(200, vec![("content-type", "text/html".to_owned())], "<html>hello</html>"),
        status(200, vec![("content-type", "application/json".to_owned())], "{}"),
    ] {
        let error = ask(reply).await;
        assert!(matches!(error, ModelError::Unreadable { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_server_that_hangs_is_given_up_in_time() {
    for parts in [&[][..], &["Par"]] {
        let server = Server::start([Reply::Hanging(said(parts))]).await;
        let asked = Request { time_max: Duration::from_millis(100), ..request() };
        let error = guarded(&server, asked).await.unwrap_err();
        assert!(matches!(error, ModelError::TimedOut { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn a_call_of_a_server_that_hangs_can_be_cancelled() {
    let server = Server::start([Reply::Hanging(said(&["Par"]))]).await;
    let cancelled = CancellationToken::new();
    let on_first = cancelled.clone();
    let answer = server.model().stream(&request(), &mut |_| on_first.cancel(), &cancelled).await;
    assert!(matches!(answer, Err(ModelError::Cancelled { .. })), "{answer:?}");
}

#[tokio::test]
async fn an_address_at_which_nobody_listens_is_unreachable() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let name = ModelName::new(format!("openai-compatible:http://{}/v1", listener.local_addr().unwrap()));
    drop(listener);
    let model: Arc<dyn Model> = open(&name, &Keys::default()).unwrap();
    let error = model.complete(&request(), &CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, ModelError::Unreachable { .. }), "{error:?}");
    assert_eq!(error.hint(), "check that the server runs and that the address is right");
}
