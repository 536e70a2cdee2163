//! Spans on the wire: OTLP's JSON form (ids in hexadecimal digits, times in nanoseconds as text, names in camel case),
//! as <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding> has it. Next: `export`.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value as Json, json};

use super::span::{Ended, Value};

/// The body of a request with `spans`, which `resource` recorded.
pub(super) fn body(resource: &[(String, String)], spans: &[Ended]) -> Json {
    let resource: Vec<Json> = resource.iter().map(|(key, text)| attribute(key, &Value::Text(text.clone()))).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": resource},
        "scopeSpans": [{
            "scope": {"name": "turnwise", "version": env!("CARGO_PKG_VERSION")},
            "spans": spans.iter().map(span).collect::<Vec<_>>(),
        }],
    }]})
}

fn span(ended: &Ended) -> Json {
    let fault = ended.fault.map(|fault| ("error.type", Value::Text(fault.to_string())));
    let told = ended.attributes.iter().chain(&fault);
    let mut span = json!({
        "traceId": digits(&ended.context.trace),
        "spanId": digits(&ended.context.span),
        "flags": 1,
        "name": ended.name,
        "kind": INTERNAL,
        "startTimeUnixNano": nanoseconds(ended.begun),
        "endTimeUnixNano": nanoseconds(ended.ended),
        "attributes": told.map(|(key, value)| attribute(key, value)).collect::<Vec<_>>(),
        "status": if ended.fault.is_some() { json!({"code": ERROR}) } else { json!({}) },
    });
    if let Some(parent) = &ended.parent {
        span["parentSpanId"] = digits(parent).into();
    }
    span
}

fn attribute(key: &str, value: &Value) -> Json {
    let value = match value {
        Value::Text(text) => json!({"stringValue": text}),
        Value::Number(number) => json!({"intValue": number.to_string()}),
        Value::Share(share) => json!({"doubleValue": share}),
        Value::Flag(is_so) => json!({"boolValue": is_so}),
    };
    json!({"key": key, "value": value})
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn nanoseconds(at: SystemTime) -> String {
    at.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}

/// `SPAN_KIND_INTERNAL`: work inside this process.
const INTERNAL: u8 = 1;
/// `STATUS_CODE_ERROR`.
const ERROR: u8 = 2;
