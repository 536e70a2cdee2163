//! The name of a request by what is in it: a SHA-256 over JSON whose keys are in order, so that it is the same on every
//! machine and with every build of the JSON library. Next: `recorded`, whose files are named by it.

use std::fmt;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::Request;

/// The digest of a request, in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestDigest(String);

impl RequestDigest {
    /// Of all of `request` that decides its answer.
    #[must_use]
    pub fn of(request: &Request) -> Self {
        let mut text = String::new();
        write(&described(request), &mut text);
        Self(hexadecimal(text.as_bytes()))
    }

    /// In hexadecimal, 64 digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The first 16 digits, for names of files.
    #[must_use]
    pub fn short(&self) -> &str {
        &self.0[..16]
    }
}

impl fmt::Display for RequestDigest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// What of a request decides its answer, as JSON.
pub fn described(request: &Request) -> Value {
    json!({
        "task": request.task,
        "version": request.version,
        "messages": request.messages,
        "schema": request.schema.as_ref().map(crate::Schema::as_json),
        "tokens_max": request.tokens_max,
        "temperature": request.temperature,
        "stop": request.stop,
    })
}

/// SHA-256 in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    use fmt::Write as _;
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// JSON without spaces, keys in the order of their bytes.
fn write(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| *name);
            out.push('{');
            for (at, (name, value)) in fields.into_iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write(&Value::String(name.clone()), out);
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
        Value::Array(values) => {
            out.push('[');
            for (at, value) in values.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write(value, out);
            }
            out.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => out.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
    use super::*;

    #[test]
    fn keys_are_in_order_whatever_the_library_keeps() {
        let mut text = String::new();
        write(&json!({"b": [1, {"d": null, "c": "\""}], "a": 0.5}), &mut text);
        assert_eq!(text, r#"{"a":0.5,"b":[1,{"c":"\"","d":null}]}"#);
    }
}
