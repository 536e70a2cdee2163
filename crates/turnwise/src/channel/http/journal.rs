//! The journal: one line for each request, so that whoever runs the server sees what it does. Of the address only the
//! route is written, as `/docs` names it: in paths stand names of facts, which are made of what was asked, and in
//! queries, headers and bodies tokens and what people say. Next: `guard`.

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
    pub(super) fn note(self, method: &Method, route: Option<&str>, status: StatusCode, took: Duration) {
        let milliseconds = took.as_millis();
        // A method nobody knows is a client's own words, too.
        let method = if KNOWN.contains(method) { method.as_str() } else { "OTHER" };
        let route = route.unwrap_or(NO_ROUTE);
        // What cannot be written because nobody reads it any more must not end the server.
        let _ = match self {
            Self::Off => Ok(()),
            Self::Text => {
                writeln!(std::io::stderr(), "{method} {route} {} {milliseconds} ms", status.as_u16())
            }
            Self::Json => {
                let at = jiff::Timestamp::now().to_string();
                let line = json!({
                    "at": at, "method": method, "route": route, "status": status.as_u16(),
                    "milliseconds": u64::try_from(milliseconds).unwrap_or(u64::MAX),
                });
                writeln!(std::io::stderr(), "{line}")
            }
        };
    }
}

/// What stands in the place of an address that is no route.
const NO_ROUTE: &str = "(no such route)";

const KNOWN: [Method; 7] =
    [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::HEAD, Method::OPTIONS, Method::PATCH];
