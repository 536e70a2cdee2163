//! What is sent and what is made of what comes, for each protocol.

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use turnwise_model::{Answer, Finish, Keys, Model, ModelError, ModelName, Request, Schema, Usage, open};

use crate::server::{Reply, Server, ended, request, said, whole};

async fn listen(model: &dyn Model, request: &Request) -> (Result<Answer, ModelError>, Vec<String>) {
    let mut heard = Vec::new();
    let answer = model.stream(request, &mut |part| heard.push(part.to_owned()), &CancellationToken::new()).await;
    (answer, heard)
}

fn schema() -> Schema {
    let json = json!({
        "type": "object",
        "properties": {"town": {"type": "string"}, "also": {"type": "integer"}},
        "required": ["town"],
        "additionalProperties": false
    });
    Schema::new(json).unwrap()
}

#[tokio::test]
async fn an_answer_comes_part_by_part_with_its_tokens() {
    let server = Server::start([whole(&["Par", "is", "."])]).await;
    let (answer, heard) = listen(&*server.model(), &request()).await;
    let answer = answer.unwrap();
    assert_eq!(heard, ["Par", "is", "."]);
    assert_eq!((answer.text.as_str(), answer.finish), ("Paris.", Finish::Complete));
    assert_eq!(answer.usage, Usage { input_tokens: 21, output_tokens: 3, estimated: false });

    let sent = &server.sent()[0];
    assert_eq!(sent.path, "/v1/chat/completions");
    assert_eq!(sent.body["model"], "tiny");
    assert_eq!(sent.body["stream"], true);
    assert_eq!(sent.body["temperature"], 0.0);
    assert_eq!(sent.body["max_tokens"], 512);
    let messages = json!([
        {"role": "system", "content": "Answer briefly."},
        {"role": "user", "content": "What is the capital of France?"}
    ]);
    assert_eq!(sent.body["messages"], messages);
    assert_eq!(sent.body.get("response_format"), None);
}

#[tokio::test]
async fn a_schema_goes_to_a_server_of_ones_own_as_it_is() {
    let server = Server::start([whole(&[r#"{"town": "Paris"}"#])]).await;
    let asked = Request { schema: Some(schema()), stop: vec!["\n\n".to_owned()], ..request() };
    listen(&*server.model(), &asked).await.0.unwrap();
    let body = &server.sent()[0].body;
    assert_eq!(body["response_format"]["json_schema"]["schema"], *schema().as_json());
    assert_eq!(body["stop"], json!(["\n\n"]));
}

#[tokio::test]
async fn an_answer_cut_by_the_limit_says_so_and_missing_counts_are_estimated() {
    let length = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "length"}]});
    let events = [said(&["The capital"]), vec![format!("data: {length}\n\n"), "data: [DONE]\n\n".to_owned()]].concat();
    let server =
        Server::start([Reply::Events(events), Reply::Events([said(&["No"]), ended("content_filter")].concat())]).await;
    let model = server.model();
    let answer = listen(&*model, &request()).await.0.unwrap();
    assert_eq!((answer.finish, answer.usage.estimated, answer.usage.output_tokens), (Finish::Length, true, 3));
    assert_eq!(listen(&*model, &request()).await.0.unwrap().finish, Finish::Refused);
}

#[tokio::test]
async fn openai_is_sent_its_own_dialect_and_its_key() {
    let server = Server::start([whole(&["{}"]), whole(&["{}"])]).await;
    let keys = Keys::from_values([
        ("OPENAI_API_KEY", "sk-secret".to_owned()),
        ("OPENAI_BASE_URL", format!("{}/v1", server.url)),
    ]);
    let asked = Request { schema: Some(schema()), ..request() };
    for name in ["openai:gpt-4o-mini", "openai:gpt-5-mini"] {
        listen(&*open(&ModelName::new(name), &keys).unwrap(), &asked).await.0.unwrap();
    }
    let sent = server.sent();
    assert_eq!(sent[0].header("authorization"), Some("Bearer sk-secret"));
    // Its strict form knows nothing optional.
    assert_eq!(sent[0].body["response_format"]["json_schema"]["schema"]["required"], json!(["town", "also"]));
    assert_eq!((&sent[0].body["temperature"], &sent[0].body["max_tokens"]), (&json!(0.0), &json!(512)));
    // A model that thinks first takes no temperature.
    assert_eq!((sent[1].body.get("temperature"), &sent[1].body["max_completion_tokens"]), (None, &json!(512)));
}

#[tokio::test]
async fn anthropic_is_spoken_to_in_its_protocol() {
    let event = |name: &str, data: Value| format!("event: {name}\ndata: {data}\n\n");
    let usage = json!({"input_tokens": 25, "output_tokens": 1});
    let events = vec![
        event("message_start", json!({"type": "message_start", "message": {"id": "m", "usage": usage}})),
        event(
            "content_block_start",
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        ),
        event(
            "content_block_delta",
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Par"}}),
        ),
        event(
            "content_block_delta",
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "is"}}),
        ),
        event("content_block_stop", json!({"type": "content_block_stop", "index": 0})),
        event(
            "message_delta",
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}}),
        ),
        event("message_stop", json!({"type": "message_stop"})),
    ];
    let server = Server::start([Reply::Events(events)]).await;
    let keys = Keys::from_values([
        ("ANTHROPIC_API_KEY", "sk-ant".to_owned()),
        ("ANTHROPIC_BASE_URL", format!("{}/v1/", server.url)),
    ]);
    let model = open(&ModelName::new("anthropic:claude-haiku"), &keys).unwrap();
    let (answer, heard) = listen(&*model, &request()).await;
    assert_eq!((answer.unwrap().text.as_str(), heard.len()), ("Paris", 2));
    let sent = &server.sent()[0];
    assert_eq!((sent.path.as_str(), sent.header("x-api-key")), ("/v1/messages", Some("sk-ant")));
    assert_eq!((&sent.body["model"], &sent.body["max_tokens"]), (&json!("claude-haiku"), &json!(512)));
    assert_eq!(sent.body["system"], "Answer briefly.");
}

#[tokio::test]
async fn gemini_is_spoken_to_in_its_protocol() {
    let chunk = |text: &str, more: Value| {
        let mut chunk = json!({"candidates": [{"content": {"parts": [{"text": text}], "role": "model"}}]});
        if let Some(reason) = more.get("finishReason") {
            chunk["candidates"][0]["finishReason"] = reason.clone();
            chunk["usageMetadata"] = json!({"promptTokenCount": 9, "candidatesTokenCount": 2, "totalTokenCount": 11});
        }
        format!("data: {chunk}\n\n")
    };
    let events = vec![chunk("Par", json!({})), chunk("is", json!({"finishReason": "STOP"}))];
    let server = Server::start([Reply::Events(events)]).await;
    let keys = Keys::from_values([
        ("GEMINI_API_KEY", "g-key".to_owned()),
        ("GOOGLE_GEMINI_BASE_URL", format!("{}/v1beta", server.url)),
    ]);
    let model = open(&ModelName::new("gemini:gemini-2.5-flash"), &keys).unwrap();
    let answer = listen(&*model, &request()).await.0.unwrap();
    assert_eq!((answer.text.as_str(), answer.usage.input_tokens), ("Paris", 9));
    let sent = &server.sent()[0];
    assert!(sent.path.contains("/models/gemini-2.5-flash:streamGenerateContent"), "{}", sent.path);
    assert_eq!(sent.header("x-goog-api-key"), Some("g-key"));
}

#[tokio::test]
async fn ollama_is_reached_where_it_is_said_to_be() {
    let server = Server::start([whole(&["Paris"])]).await;
    let host = server.url.trim_start_matches("http://").to_owned();
    let model = open(&ModelName::new("ollama:qwen2.5:1.5b"), &Keys::from_values([("OLLAMA_HOST", host)])).unwrap();
    assert_eq!(listen(&*model, &request()).await.0.unwrap().text, "Paris");
    let sent = &server.sent()[0];
    assert_eq!((sent.path.as_str(), &sent.body["model"]), ("/v1/chat/completions", &json!("qwen2.5:1.5b")));
}
