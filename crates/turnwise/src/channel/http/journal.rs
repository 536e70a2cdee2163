//! The journal: one line for each request, so that whoever runs the server sees what it does. Queries, headers and
//! bodies are never written, because tokens and what people say stand in them. Next: `guard`.

use std::io::Write as _;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::json;

/// What is written to standard error for each request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Journal {
    /// Nothing.
    #[default]
    Off,
    /// A line for people.
    Text,
    /// A JSON object on a line.
    Json,
}

impl Journal {
    /// Notes a request that was answered.
    pub(super) fn note(self, method: &Method, path: &str, status: StatusCode, took: Duration) {
        let milliseconds = took.as_millis();
        // What cannot be written because nobody reads it any more must not end the server.
        let _ = match self {
            Self::Off => Ok(()),
            Self::Text => {
                // A path is the client's: its control characters must not act on a terminal.
                let path = path.escape_debug();
                writeln!(std::io::stderr(), "{method} {path} {} {milliseconds} ms", status.as_u16())
            }
            Self::Json => {
                let at = jiff::Timestamp::now().to_string();
                let line = json!({
                    "at": at, "method": method.as_str(), "path": path, "status": status.as_u16(),
                    "milliseconds": u64::try_from(milliseconds).unwrap_or(u64::MAX),
                });
                writeln!(std::io::stderr(), "{line}")
            }
        };
    }
}
