//! Signatures: what comes from Slack is signed over its time and its bytes (version 0: HMAC-SHA256). What is older than
//! five minutes is refused, so that nobody can send again what they once saw. Next: `receive`.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::http::HeaderMap;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::secret::Secret;

/// Why a request is not believed. Who sent it is told nothing of this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unbelieved {
    #[error("there is no signing secret, and Slack sends over a socket here")]
    NoSecret,
    #[error("it has no signature")]
    Unsigned,
    #[error("it is too old, or from the future")]
    OutOfTime,
    #[error("its signature is another one")]
    Wrong,
}

/// Whether `body` was signed with `secret` within the last five minutes.
pub(super) fn check(secret: &Secret, headers: &HeaderMap, body: &[u8], now: u64) -> Result<(), Unbelieved> {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let (Some(at), Some(signature)) = (header("x-slack-request-timestamp"), header("x-slack-signature")) else {
        return Err(Unbelieved::Unsigned);
    };
    let seconds: u64 = at.parse().map_err(|_| Unbelieved::OutOfTime)?;
    if now.abs_diff(seconds) > WINDOW_SECONDS {
        return Err(Unbelieved::OutOfTime);
    }
    let hexadecimal = signature.strip_prefix("v0=").ok_or(Unbelieved::Wrong)?;
    let signature = bytes(hexadecimal).ok_or(Unbelieved::Wrong)?;
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.reveal().as_bytes()).expect("BUG: HMAC refuses a key");
    mac.update(format!("v0:{at}:").as_bytes());
    mac.update(body);
    mac.verify_slice(&signature).map_err(|_| Unbelieved::Wrong)
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn bytes(hexadecimal: &str) -> Option<Vec<u8>> {
    // Slack writes small letters alone, and its own verifier compares the text: one signature has one spelling.
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if !hexadecimal.bytes().all(is_digit) || !hexadecimal.len().is_multiple_of(2) {
        return None;
    }
    (0..hexadecimal.len()).step_by(2).map(|at| u8::from_str_radix(&hexadecimal[at..at + 2], 16).ok()).collect()
}

/// How old a request may be, as Slack recommends.
const WINDOW_SECONDS: u64 = 5 * 60;

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    /// The example of Slack's own documentation.
    const BODY: &str = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&\
                        channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&\
                        response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgc\
                        ZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    const SIGNED: &str = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
    const AT: u64 = 1_531_420_618;

    fn checked(at: &str, signature: &str, body: &str, now: u64) -> Result<(), Unbelieved> {
        let mut headers = HeaderMap::new();
        headers.insert("x-slack-request-timestamp", at.parse().unwrap());
        headers.insert("x-slack-signature", signature.parse().unwrap());
        check(&Secret::new("8f742231b10e8888abcd99yyyzzz85a5\n"), &headers, body.as_bytes(), now)
    }

    #[test]
    fn the_documented_example_is_believed_for_five_minutes_and_nothing_else_is() {
        let at = AT.to_string();
        assert_eq!(checked(&at, SIGNED, BODY, AT + 300), Ok(()));
        assert_eq!(checked(&at, SIGNED, BODY, AT + 301), Err(Unbelieved::OutOfTime));
        assert_eq!(checked(&at, SIGNED, &BODY.replace("text=", "text=x"), AT), Err(Unbelieved::Wrong));
        assert_eq!(checked(&at, &SIGNED.replace("v0=", "v1="), BODY, AT), Err(Unbelieved::Wrong));
        let later = (AT + 1).to_string();
        assert_eq!(checked(&later, SIGNED, BODY, AT), Err(Unbelieved::Wrong));
        let unsigned = check(&Secret::new("x"), &HeaderMap::new(), b"", AT);
        assert_eq!(unsigned, Err(Unbelieved::Unsigned));
    }
}
