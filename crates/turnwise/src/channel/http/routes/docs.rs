//! The API for people and for programs: a page with every request, what it takes and what it answers, drawn from the
//! same description that programs read, so that neither can go stale. Next: `mod` for where that description comes
//! from.

use std::sync::Arc;

use axum::http::header;
use axum::response::Html;
use axum::routing::get;
use axum::{Json, Router};
use maud::{DOCTYPE, Markup, html};
use serde_json::Value;

use super::super::{App, description};

/// The description and its page.
pub(super) fn open() -> Router<Arc<App>> {
    Router::new()
        .route("/openapi.json", get(|| async { Json(description()) }))
        .route("/docs", get(|| async { ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(reader().into_string())) }))
        .route("/docs/plain", get(|| async { Html(page().into_string()) }))
}

/// The description as Redoc shows it: by groups, with examples and what is sent in full. It writes its own styles into
/// the page, which is what its policy allows besides what all pages may.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

fn reader() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Turnwise API" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/docs.css";
            }
            body {
                div #redoc { main { h1 { "Turnwise API" } p {
                    "The description is being drawn. Without scripts: " a href="/docs/plain" { "on one page" }
                    ", or for programs " a href="/openapi.json" { "openapi.json" } "."
                } } }
                script src="/assets/vendor/redoc.js" {}
                script src="/assets/docs.js" {}
            }
        }
    }
}

fn page() -> Markup {
    // The description as programs get it: what is shown here is what they see.
    let api = serde_json::to_value(description()).unwrap_or_default();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Turnwise API" }
                link rel="stylesheet" href="/assets/docs.css";
            }
            body {
                main {
                    h1 { "Turnwise API" }
                    p { (text(&api["info"]["description"])) }
                    p { "For programs: " a href="/openapi.json" { "openapi.json" } " (OpenAPI 3.1)." }
                    h2 { "Requests" }
                    @for (path, item) in members(&api["paths"]) {
                        @for (method, operation) in members(item) { (request(method, path, operation)) }
                    }
                    h2 { "What is sent and answered" }
                    @for (name, schema) in members(&api["components"]["schemas"]) { (shape(name, schema)) }
                }
            }
        }
    }
}

fn request(method: &str, path: &str, operation: &Value) -> Markup {
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    html! {
        section {
            h3 { code { (method.to_uppercase()) " " (path) } }
            p { strong { (text(&operation["summary"])) "." } " " (text(&operation["description"])) }
            @if let Some(parameters) = operation["parameters"].as_array() {
                ul {
                    @for parameter in parameters {
                        li { code { (text(&parameter["name"])) } " (" (text(&parameter["in"])) ") "
                            (text(&parameter["description"])) }
                    }
                }
            }
            @if !body.is_null() { p { "Body: " (kind(body)) } }
            p.answers {
                "Answers: "
                @for (status, answer) in members(&operation["responses"]) {
                    code { (status) } " "
                    @if status.starts_with('2') {
                        @for (media, content) in members(&answer["content"]) {
                            (kind(&content["schema"])) " as " (media) " "
                        }
                    }
                }
            }
        }
    }
}

fn shape(name: &str, schema: &Value) -> Markup {
    let variants = schema["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    html! {
        section id=(name) {
            h3 { code { (name) } }
            p { (text(&schema["description"])) }
            (fields(schema))
            @for variant in variants {
                p { "or: " (text(&variant["description"])) }
                (fields(variant))
            }
        }
    }
}

fn fields(schema: &Value) -> Markup {
    html! {
        @if schema["properties"].is_object() {
            ul {
                @for (name, field) in members(&schema["properties"]) {
                    li { code { (name) } " " (kind(field)) " " (text(&field["description"])) }
                }
            }
        } @else if let Some(words) = schema["enum"].as_array() {
            p { @for word in words { code { (text(word)) } " " } }
        }
    }
}

/// What kind of value a schema describes, with a link where it has a name.
fn kind(schema: &Value) -> Markup {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return html! { a href={ "#" (name) } { (name) } };
    }
    if schema["type"] == "array" {
        return html! { "list of " (kind(&schema["items"])) };
    }
    match (&schema["type"], schema["oneOf"].as_array()) {
        (Value::String(word), _) => html! { (word) },
        (Value::Array(words), _) => html! { @for word in words { (text(word)) " " } },
        (_, Some(ways)) => html! { @for way in ways { (kind(way)) " " } },
        (_, None) => html! {},
    }
}

fn members(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
