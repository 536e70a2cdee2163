//! A real model on this machine, where `.ci/local-model` started one: what is sent and read is what such a server takes
//! and gives. Elsewhere it says that it was skipped.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use turnwise_model::{
    Finish, Guarded, Guards, Keys, Message, Model, ModelName, Recorded, Request, Schema, TaskName, TaskVersion, open,
};

#[tokio::test]
async fn a_real_model_keeps_to_a_schema_streams_and_can_be_recorded() {
    let Ok(name) = std::env::var("TURNWISE_TEST_MODEL") else {
        eprintln!("SKIPPED: no real model was asked. Run `.ci/local-model cargo test -p turnwise-model --test local`.");
        return;
    };
    let model = open(&ModelName::new(name), &Keys::default()).unwrap();
    let model = Arc::new(Guarded::new(model, Guards { time_max: Duration::from_secs(300), ..Guards::default() }));
    let schema = json!({
        "type": "object",
        "properties": {
            "country": {"type": "string", "enum": ["France", "Spain"]},
            "town": {"type": "string"},
            "year": {"type": ["integer", "null"]}
        },
        "required": ["country", "town", "year"],
        "additionalProperties": false
    });
    let messages = vec![
        Message::system("Say which town is meant. A year that is not named is null."),
        Message::user("the capital of France"),
    ];
    let request = Request {
        schema: Some(Schema::new(schema).unwrap()),
        tokens_max: 60,
        time_max: Duration::from_secs(300),
        ..Request::new(TaskName::new("town"), TaskVersion::new("1"), messages)
    };
    let folder = tempfile::tempdir().unwrap();
    let recording = Recorded::recording(folder.path(), model.clone());
    let mut heard = Vec::new();
    let mut part = |part: &str| heard.push(part.to_owned());
    let answer = recording.stream(&request, &mut part, &CancellationToken::new()).await.unwrap();

    assert_eq!(answer.finish, Finish::Complete);
    assert!(heard.len() > 3 && heard.concat() == answer.text, "it comes part by part: {heard:?}");
    assert!(!answer.usage.estimated && answer.usage.output_tokens > 3, "the server counts: {:?}", answer.usage);
    let value: Value = serde_json::from_str(&answer.text).unwrap();
    let schema = request.schema.as_ref().unwrap();
    assert!(schema.problems(&value).is_empty() && value["town"] == "Paris", "{value}");
    let replayed = Recorded::replaying(folder.path()).complete(&request, &CancellationToken::new()).await.unwrap();
    assert_eq!(replayed, answer);
    assert_eq!(model.spent().calls, 1);
}
