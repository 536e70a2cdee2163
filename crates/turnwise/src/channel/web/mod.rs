//! The page: one document, its style and its scripts, all embedded. It is a client of the API like any other; nothing
//! about a conversation is rendered here. Next: `assets/app.js`.

mod projects;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{DOCTYPE, Markup, html};

/// The routes of the page, for any server.
pub fn pages<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let document: &'static str = Box::leak(document().into_string().into_boxed_str());
    let mut pages = Router::new().route("/", get(move |asked: HeaderMap| async move { asset(HTML, document, &asked) }));
    for (path, kind, text) in ASSETS {
        pages = pages.route(path, get(move |asked: HeaderMap| async move { asset(kind, text, &asked) }));
    }
    pages.merge(projects::pages())
}

/// A part of the page. A new version of the program is a new page at once, so browsers ask every time; what they have
/// already is not sent again, which is what a slow line needs.
fn asset(kind: &'static str, text: &'static str, asked: &HeaderMap) -> Response {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let tag = format!("\"{:016x}\"", hasher.finish());
    let known = asked.get(header::IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    let is_known = known.is_some_and(|known| known.split(',').any(|known| known.trim() == tag));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("\"\""))),
    ];
    if is_known { (StatusCode::NOT_MODIFIED, headers).into_response() } else { (headers, text).into_response() }
}

fn document() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Turnwise" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/style.css";
                // All at once: a script that is only found inside another waits for one more round trip.
                @for (path, kind, _) in ASSETS {
                    @if kind == SCRIPT { link rel="modulepreload" href=(path); }
                }
                script type="module" src="/assets/app.js" {}
            }
            body.none-open {
                a.skip href="#words" { "Skip to the message box" }
                (top())
                (conversations())
                (work())
                (side())
                (dialogs())
                div #announcer .hidden-text role="status" aria-live="polite" {}
            }
        }
    }
}

fn top() -> Markup {
    html! {
        header.top {
            button #toggle-list type="button" aria-expanded="false" aria-controls="conversations" {
                span aria-hidden="true" { "☰" } span.hidden-text { "Conversations" }
            }
            h1 { "Turnwise" }
            div #status role="group" aria-label="Status" {
                span #status-line aria-hidden="true" { "connecting" }
                span #status-said .hidden-text {}
            }
            span.grow {}
            button #show-why .quiet type="button" title="Why the last message was read so" {
                span #detected { "Why" } span.hidden-text { ": why the last message was read so" }
            }
            label.mode { span.hidden-text { "Mode" } select #mode {
                option value="exploratory" { "exploratory" }
                option value="proof" { "proof" }
            } }
            button #show-facts type="button" { "Facts" }
            details #menu .menu {
                summary { "More" }
                div.items {
                    button #show-people type="button" { "People" }
                    button #show-files type="button" { "Files" }
                    button #fork type="button" { "Fork" }
                    button #export type="button" { "Export" }
                    button #show-keys type="button" { "Keyboard" }
                    a href="/projects" { "Projects" }
                    a href="/docs" target="_blank" rel="noopener" { "API" }
                    button #sign-out type="button" hidden { "Sign out" }
                    button #delete .danger type="button" { "Delete" }
                }
            }
        }
    }
}

fn conversations() -> Markup {
    html! {
        nav #conversations aria-label="Conversations" {
            div.row {
                label.hidden-text for="assistant" { "Assistant" }
                select #assistant {}
                button #new .primary type="button" { "New" }
            }
            label.hidden-text for="find" { "Find a conversation" }
            input #find type="search" placeholder="Find a conversation" autocomplete="off";
            ul #list {}
            button #more type="button" hidden { "Show more" }
            p #list-note .dim role="status" {}
        }
    }
}

fn work() -> Markup {
    html! {
        main {
            div #notices role="alert" {}
            p #line role="status" hidden {}
            div #transcript tabindex="0" role="log" aria-label="Conversation" aria-live="off" {
                section #greeting aria-label="What can be asked" {}
            }
            button #newer type="button" hidden { "↓ New below" }
            p #writing hidden {}
            section #execution hidden aria-label="Execution" {}
            section #queue hidden aria-label="Queue" {}
            form.composer aria-label="Message" {
                label.hidden-text for="words" { "Message" }
                textarea #words rows="1" placeholder="Ask, answer, or type /help" autocomplete="off"
                    autofocus aria-describedby="words-hint" {}
                span #words-hint .hidden-text { "Enter sends, Shift and Enter begins a new line." }
                button #send .primary type="button" { "Send" }
            }
        }
    }
}

fn side() -> Markup {
    html! {
        aside #panel hidden aria-labelledby="panel-title" {
            div.row.between {
                h2 #panel-title tabindex="-1" {}
                button #close-panel .quiet type="button" { "Close" }
            }
            div #panel-body {}
        }
    }
}

fn dialogs() -> Markup {
    html! {
        dialog #sign-in aria-labelledby="sign-in-title" {
            form #sign-in-form {
                h2 #sign-in-title { "Who are you?" }
                label.field { span { "Token" } input #token type="password" autocomplete="current-password" required; }
                p #sign-in-problem .problem role="alert" {}
                div.row { button.primary { "Come in" } }
            }
        }
        dialog #confirm aria-labelledby="confirm-title" {
            form method="dialog" {
                h2 #confirm-title {}
                p #confirm-text .dim {}
                div.row {
                    button value="no" { "Keep it" }
                    button #confirm-yes .danger value="yes" { "Delete" }
                }
            }
        }
        dialog #keys aria-labelledby="keys-title" {
            form method="dialog" {
                h2 #keys-title { "Keyboard" }
                dl #keys-list .help {}
                label { input #keys-on type="checkbox" checked; " Single keys work outside of text fields" }
                div.row { button.primary { "Close" } }
            }
        }
    }
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// Everything the page loads.
const ASSETS: [(&str, &str, &str); 19] = [
    ("/assets/app.js", SCRIPT, include_str!("assets/app.js")),
    ("/assets/api.js", SCRIPT, include_str!("assets/api.js")),
    ("/assets/cards.js", SCRIPT, include_str!("assets/cards.js")),
    ("/assets/composer.js", SCRIPT, include_str!("assets/composer.js")),
    ("/assets/dom.js", SCRIPT, include_str!("assets/dom.js")),
    ("/assets/execution.js", SCRIPT, include_str!("assets/execution.js")),
    ("/assets/facts.js", SCRIPT, include_str!("assets/facts.js")),
    ("/assets/diff.js", SCRIPT, include_str!("assets/diff.js")),
    ("/assets/graph.js", SCRIPT, include_str!("assets/graph.js")),
    ("/assets/keys.js", SCRIPT, include_str!("assets/keys.js")),
    ("/assets/list.js", SCRIPT, include_str!("assets/list.js")),
    ("/assets/panel.js", SCRIPT, include_str!("assets/panel.js")),
    ("/assets/plan.js", SCRIPT, include_str!("assets/plan.js")),
    ("/assets/session.js", SCRIPT, include_str!("assets/session.js")),
    ("/assets/sheet.js", SCRIPT, include_str!("assets/sheet.js")),
    ("/assets/transcript.js", SCRIPT, include_str!("assets/transcript.js")),
    ("/assets/style.css", STYLE, include_str!("assets/style.css")),
    ("/assets/docs.css", STYLE, include_str!("assets/docs.css")),
    ("/assets/icon.svg", "image/svg+xml", ICON),
];

/// Two turns of a conversation.
const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\"><rect width=\"16\" height=\"16\" \
    rx=\"4\" fill=\"#0b5cad\"/><path d=\"M3 5h7M6 11h7\" stroke=\"#fff\" stroke-width=\"2\"/></svg>\n";
