//! Keys: where they come from, where they never go.

use tokio_util::sync::CancellationToken;
use turnwise_model::{Keys, ModelError, ModelName, open};

use crate::server::{Reply, Server, request, whole};

fn keys(values: &[(&str, &str)]) -> Keys {
    Keys::from_values(values.iter().map(|(name, value)| (*name, (*value).to_owned())))
}

fn refused(name: &str, keys: &Keys) -> ModelError {
    open(&ModelName::new(name), keys).err().unwrap()
}

#[test]
fn a_missing_key_names_its_variable() {
    let error = refused("openai:gpt-4o-mini", &Keys::default());
    assert_eq!(error.to_string(), "openai:gpt-4o-mini needs a key, and OPENAI_API_KEY is not set");
    assert_eq!(error.hint(), "set OPENAI_API_KEY, or name a file that holds the key in OPENAI_API_KEY_FILE");
    assert!(refused("openai:x", &keys(&[("OPENAI_API_KEY", " ")])).to_string().contains("is not set"));
}

#[tokio::test]
async fn a_key_may_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    std::fs::write(&file, "file-key\n").unwrap();
    let server = Server::start([whole(&["Paris"])]).await;
    let name = format!("openai-compatible:{}/v1#tiny", server.url);
    let of_file = keys(&[("OPENAI_COMPATIBLE_API_KEY_FILE", file.to_str().unwrap())]);
    let model = open(&ModelName::new(name), &of_file).unwrap();
    model.complete(&request(), &CancellationToken::new()).await.unwrap();
    assert_eq!(server.sent()[0].header("authorization"), Some("Bearer file-key"));

    for (text, told) in [("", "it is empty"), ("two keys", "it holds more than a key")] {
        std::fs::write(&file, text).unwrap();
        assert!(refused("openai-compatible:http://127.0.0.1:1/v1", &of_file).to_string().ends_with(told), "{text}");
    }
}

#[tokio::test]
async fn a_key_of_openai_goes_to_nobody_else() {
    let server = Server::start([whole(&["Paris"])]).await;
    let name = ModelName::new(format!("openai-compatible:{}/v1", server.url));
    let model = open(&name, &keys(&[("OPENAI_API_KEY", "sk-secret")])).unwrap();
    model.complete(&request(), &CancellationToken::new()).await.unwrap();
    assert!(!format!("{:?}", server.sent()).contains("sk-secret"));
}

#[test]
fn a_key_never_goes_unprotected_over_the_network() {
    let set = keys(&[("OPENAI_COMPATIBLE_API_KEY", "sk-secret")]);
    let error = refused("openai-compatible:http://models.example:8080/v1", &set);
    assert_eq!(
        error.to_string(),
        "the key of openai-compatible:http://models.example:8080/v1 would go unprotected over http to models.example"
    );
    assert!(open(&ModelName::new("openai-compatible:http://models.example/v1"), &Keys::default()).is_ok());
    assert!(open(&ModelName::new("openai-compatible:http://[::1]:8080/v1"), &set).is_ok());
}

#[tokio::test]
async fn a_key_is_shown_nowhere() {
    let set = keys(&[("OPENAI_COMPATIBLE_API_KEY", "sk-secret"), ("OPENAI_API_KEY", "sk-other")]);
    assert_eq!(format!("{set:?}"), r#"{"OPENAI_API_KEY", "OPENAI_COMPATIBLE_API_KEY"}"#);
    let key = set.key("OPENAI_API_KEY").unwrap();
    assert_eq!(format!("{key:?}"), "Some(Key(…))");

    // A server that repeats the key in what it says.
    for status in [400, 401, 500] {
        let body = r#"{"error": {"message": "wrong key sk-secret"}}"#.to_owned();
        let server = Server::start([Reply::Status(status, Vec::new(), body)]).await;
        let name = ModelName::new(format!("openai-compatible:{}/v1", server.url));
        let model = open(&name, &set).unwrap();
        let error = model.complete(&request(), &CancellationToken::new()).await.unwrap_err();
        let shown = format!("{error:?} {error} {}", error.hint());
        assert!(!shown.contains("sk-secret"), "HTTP {status}: {shown}");
    }
}
