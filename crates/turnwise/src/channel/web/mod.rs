//! The page: one document, its style and its scripts, all embedded. It is a client of the API like any other; nothing
//! about a conversation is rendered here. Next: `assets/app.js`.

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use maud::{DOCTYPE, Markup, html};

/// The routes of the page, for any server.
pub fn pages<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let mut pages = Router::new().route("/", get(|| async { Html(document().into_string()) }));
    for (path, kind, text) in ASSETS {
        pages = pages.route(path, get(move || async move { asset(kind, text) }));
    }
    pages
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        // A new version of the program is a new page at once.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (headers, text).into_response()
}

fn document() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Turnwise" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/style.css";
                script type="module" src="/assets/app.js" {}
            }
            body {
                (top())
                nav aria-label="Conversations" {
                    label { "Assistant " select #assistant {} }
                    " " button #new type="button" { "New" }
                    ul #list {}
                }
                (work())
                (side())
                (sign_in())
                div #announcer .hidden-text role="status" aria-live="polite" {}
            }
        }
    }
}

fn top() -> Markup {
    html! {
        header.top {
            button #toggle-list type="button" { "Conversations" }
            h1 { "Turnwise" }
            output #status aria-label="Status" { "[EXPLORE] idle" }
            span.grow {}
            span #detected .dim aria-label="Detected intent" {}
            button #show-why type="button" { "Why" }
            label { span.hidden-text { "Mode" } select #mode {
                option value="exploratory" { "exploratory" }
                option value="proof" { "proof" }
            } }
            button #show-facts type="button" { "Facts" }
            button #fork type="button" { "Fork" }
            button #export type="button" { "Export" }
            button #delete type="button" { "Delete" }
            span #members .dim aria-label="Who takes part" {}
        }
    }
}

fn work() -> Markup {
    html! {
        main {
            div #notices role="alert" {}
            p #line role="status" {}
            div #transcript tabindex="0" role="log" aria-label="Conversation" aria-live="off" {}
            section #greeting aria-label="What can be asked" {}
            section #execution hidden aria-label="Execution" {}
            p #queue hidden {}
            form.composer aria-label="Message" {
                label.hidden-text for="words" { "Message" }
                textarea #words rows="2" placeholder="Ask, answer, or type /help" {}
                button #send .primary type="button" { "Send" }
            }
        }
    }
}

fn side() -> Markup {
    html! {
        aside #panel hidden aria-labelledby="panel-title" {
            button #close-panel type="button" { "Close" }
            h2 #panel-title tabindex="-1" {}
            div #panel-body {}
        }
    }
}

fn sign_in() -> Markup {
    html! {
        dialog #sign-in aria-labelledby="sign-in-title" {
            form #sign-in-form {
                h2 #sign-in-title { "Who are you?" }
                label { "Token " input #token type="password" autocomplete="current-password" required; }
                button.primary { "Come in" }
            }
        }
    }
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// Everything the page loads.
const ASSETS: [(&str, &str, &str); 8] = [
    ("/assets/app.js", SCRIPT, include_str!("assets/app.js")),
    ("/assets/api.js", SCRIPT, include_str!("assets/api.js")),
    ("/assets/cards.js", SCRIPT, include_str!("assets/cards.js")),
    ("/assets/dom.js", SCRIPT, include_str!("assets/dom.js")),
    ("/assets/graph.js", SCRIPT, include_str!("assets/graph.js")),
    ("/assets/style.css", STYLE, include_str!("assets/style.css")),
    ("/assets/docs.css", STYLE, include_str!("assets/docs.css")),
    ("/assets/icon.svg", "image/svg+xml", ICON),
];

/// Two turns of a conversation.
const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\"><rect width=\"16\" height=\"16\" \
    rx=\"4\" fill=\"#0b5cad\"/><path d=\"M3 5h7M6 11h7\" stroke=\"#fff\" stroke-width=\"2\"/></svg>\n";
