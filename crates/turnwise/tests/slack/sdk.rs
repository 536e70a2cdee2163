//! What Slack's own library signs and takes is what we take: `sdk.py` makes the requests and says of each whether its
//! verifier believes it. Next: `peer`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use super::peer::{SIGNING, Slack};

/// A request, and whether slack_sdk takes it.
#[derive(Debug, Deserialize)]
struct Case {
    name: String,
    headers: BTreeMap<String, String>,
    body: String,
    taken: bool,
}

/// The requests; none where there is no Python with slack_sdk.
fn cases() -> Option<Vec<Case>> {
    let python = std::env::var_os("TURNWISE_TEST_PYTHON").unwrap_or_else(|| "python3".into());
    let has_it = Command::new(&python).args(["-c", "import slack_sdk"]).output();
    if !has_it.is_ok_and(|output| output.status.success()) {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "the package slack_sdk is not installed");
        eprintln!("SKIPPED: pip install slack_sdk, and set TURNWISE_TEST_PYTHON to that Python");
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slack/sdk.py");
    let body = r#"{"type": "url_verification", "challenge": "c-1 ü"}"#;
    let made =
        Command::new(python).arg(script).args([SIGNING, body]).env("PYTHONIOENCODING", "utf-8").output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let lines = String::from_utf8(made.stdout).unwrap();
    Some(lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn what_the_verifier_of_slack_sdk_takes_is_taken_and_nothing_else() {
    let Some(cases) = cases() else { return };
    assert_eq!(cases.iter().filter(|case| case.taken).count(), 3, "{cases:#?}");
    let slack = Slack::new();
    for case in &cases {
        let headers: Vec<(&String, &String)> = case.headers.iter().collect();
        let (status, said) = slack.send_with("/slack/events", "application/json", &case.body, &headers);
        assert_eq!(status, if case.taken { 200 } else { 401 }, "{}: {said}", case.name);
    }
    assert!(cases.len() > 15, "{}", cases.len());
}
