//! What our server believes is what Slack's own library for Python (`slack_sdk`) takes for signed, and nothing else.
//! Next: `main`.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::peer::{SIGNATURE, SIGNING, Slack, TIMESTAMP};

/// Reads one case a line (`secret` and `signed` to sign by, `body`, `at` and, to replace the signature, `signature`) and
/// says of each how it is signed and whether it is valid.
const VERIFIER: &str = "
import json, sys
from slack_sdk.signature import SignatureVerifier
for line in sys.stdin:
    case = json.loads(line)
    signer = SignatureVerifier(case['secret'])
    signature = case.get('signature') or signer.generate_signature(timestamp=case['at'], body=case['signed'])
    valid = SignatureVerifier(case['ours']).is_valid(body=case['body'], timestamp=case['at'], signature=signature)
    print(json.dumps({'signature': signature, 'valid': valid}), flush=True)
";

/// The Python with `slack_sdk`, where there is one.
fn python() -> Option<PathBuf> {
    let python = PathBuf::from(std::env::var_os("TURNWISE_TEST_PYTHON").unwrap_or_else(|| "python3".into()));
    let found = Command::new(&python).args(["-c", "import slack_sdk.signature"]).output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "the package slack_sdk is not installed");
    eprintln!("SKIPPED: pip install slack_sdk");
    None
}

/// What the verifier says of the cases.
fn verified(python: &PathBuf, cases: &[Value]) -> Vec<(String, bool)> {
    let mut verifier = Command::new(python)
        .args(["-c", VERIFIER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines: String = cases.iter().map(|case| format!("{case}\n")).collect();
    verifier.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = verifier.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    let case = |line: &str| {
        let said: Value = serde_json::from_str(line).unwrap();
        (said["signature"].as_str().unwrap().to_owned(), said["valid"].as_bool().unwrap())
    };
    said.lines().map(case).collect()
}

#[test]
fn what_slacks_own_library_takes_for_signed_is_believed_and_nothing_else() {
    let Some(python) = python() else { return };
    let slack = Slack::new();
    let body = json!({"type": "url_verification", "challenge": "Zoë’s “c-1”"}).to_string();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let case = |secret: &str, at: String, signed: &str, signature: Option<&str>| {
        json!({"ours": SIGNING, "secret": secret, "at": at, "signed": signed, "body": body, "signature": signature})
    };
    let signed = |at: u64| case(SIGNING, at.to_string(), &body, None);
    let cases = [
        signed(now),
        signed(now - 200),
        signed(now + 200),
        signed(now - 400),
        signed(now + 400),
        case("another secret", now.to_string(), &body, None),
        case(SIGNING, now.to_string(), &body.replace("c-1", "c-2"), None),
        case(SIGNING, now.to_string(), &body, Some("v0=")),
        case(SIGNING, now.to_string(), &body, Some("v1=0000")),
        case(SIGNING, now.to_string(), &body, Some("nothing")),
    ];
    let verified = verified(&python, &cases);
    assert_eq!(verified.iter().filter(|(_, valid)| *valid).count(), 3, "{verified:?}");
    for (case, (signature, valid)) in cases.iter().zip(&verified) {
        let headers = [(TIMESTAMP, case["at"].as_str().unwrap()), (SIGNATURE, signature.as_str())];
        let status = slack.send_claiming("/slack/events", "application/json", &body, &headers).0;
        assert_eq!(status == 200, *valid, "{case} was answered with {status}");
    }
    let (signature, _) = &verified[0];
    let at = now.to_string();
    for headers in [vec![], vec![(TIMESTAMP, at.as_str())], vec![(SIGNATURE, signature.as_str())]] {
        let status = slack.send_claiming("/slack/events", "application/json", &body, &headers).0;
        assert_eq!(status, 401, "{headers:?}");
    }
}
