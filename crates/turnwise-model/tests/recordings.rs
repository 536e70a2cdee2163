//! Recording and replaying: what was answered once is answered again from its file, and what never was is an error that
//! names the file.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use turnwise_model::{
    Message, Model, ModelError, Recorded, Request, RequestDigest, Schema, Scripted, TaskName, TaskVersion, Turn,
};

fn request(message: &str) -> Request {
    let messages = vec![Message::system("Answer in JSON."), Message::user(message)];
    let schema = Schema::parse(r#"{"type": "object", "properties": {"town": {"type": "string"}}}"#).unwrap();
    let request = Request::new(TaskName::new("town"), TaskVersion::new("2"), messages);
    Request { schema: Some(schema), ..request }
}

#[tokio::test]
async fn what_was_recorded_is_answered_again() {
    let folder = tempfile::tempdir().unwrap();
    let source = Arc::new(Scripted::new([Turn::Say(r#"{"town": "Paris"}"#.to_owned())]));
    let cancelled = CancellationToken::new();
    let recording = Recorded::recording(folder.path(), source);
    let first = recording.complete(&request("France"), &cancelled).await.unwrap();

    let replaying = Recorded::replaying(folder.path());
    let mut heard = String::new();
    let again = replaying.stream(&request("France"), &mut |part| heard.push_str(part), &cancelled).await.unwrap();
    assert_eq!((&again, &heard), (&first, &first.text));

    let text = std::fs::read_to_string(replaying.file(&request("France"))).unwrap();
    assert!(text.contains("Answer in JSON.") && text.ends_with("}\n"), "a person can read it: {text}");
}

#[tokio::test]
async fn what_was_never_recorded_names_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let model = Recorded::replaying(folder.path());
    let error = model.complete(&request("Spain"), &CancellationToken::new()).await.unwrap_err();
    let ModelError::NotRecorded { task, file } = &error else { panic!("{error:?}") };
    assert_eq!((task.as_str(), file), ("town", &model.file(&request("Spain"))));
    assert_eq!(error.hint(), "record it: run again with UPDATE=1 and a real model");
}

#[tokio::test]
async fn a_broken_recording_is_an_error_and_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let model = Recorded::replaying(folder.path());
    std::fs::write(model.file(&request("Italy")), "{").unwrap();
    let error = model.complete(&request("Italy"), &CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, ModelError::File { .. }), "{error:?}");
}

#[test]
fn a_request_has_the_same_digest_on_every_machine() {
    let digest = RequestDigest::of(&request("France"));
    assert_eq!(digest.as_str(), DIGEST);
    assert_eq!(
        RequestDigest::of(&Request { time_max: std::time::Duration::ZERO, ..request("France") }),
        digest,
        "how long it may take decides no answer"
    );
    assert_ne!(RequestDigest::of(&Request { temperature: 0.5, ..request("France") }), digest);
}

/// Of the request above. It changes only with the form of what is digested, and then all recordings are made anew.
const DIGEST: &str = "1fcba527f8723d3ac6591a3645109ebabbf2d458c538a51434473b6e95a71bd4";
