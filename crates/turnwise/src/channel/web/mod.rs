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
    for (path, kind, text) in ASSETS.into_iter().chain(DOCS) {
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

/// What a browser draws before any script is there: the page in outline, in which one can begin to type.
fn document() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content";
                meta name="color-scheme" content="light dark";
                title { "Turnwise" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/style.css";
                // Settled as soon as it is there; nothing waits for it on a slow line.
                script src="/assets/theme.js" async {}
                // All at once: a script that is only found inside another waits for one more round trip.
                @for (path, kind, _) in ASSETS {
                    @if kind == SCRIPT && path != "/assets/theme.js" { link rel="modulepreload" href=(path); }
                }
                script type="module" src="/assets/app.js" {}
            }
            body.none-open {
                a.skip href="#words" { "Skip to the message box" }
                div #page {
                    nav aria-label="Conversations" { div.brand { b { "Turnwise" } } }
                    main {
                        header.top {
                            h1 { "New conversation" }
                            div #status .pill { span #status-line { "Connecting" } }
                        }
                        div #transcript {}
                        div.below { form.composer { div.box-around {
                            textarea #words rows="1" aria-label="Message" autofocus
                                placeholder="Ask, answer, or type /" {}
                        } } }
                    }
                }
                div #announcer .hidden-text role="status" aria-live="polite" {}
            }
        }
    }
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

/// Everything the page loads.
const ASSETS: [(&str, &str, &str); 38] = [
    ("/assets/acts.js", SCRIPT, include_str!("assets/acts.js")),
    ("/assets/api.js", SCRIPT, include_str!("assets/api.js")),
    ("/assets/app.js", SCRIPT, include_str!("assets/app.js")),
    ("/assets/cards.js", SCRIPT, include_str!("assets/cards.js")),
    ("/assets/chart.js", SCRIPT, include_str!("assets/chart.js")),
    ("/assets/composer.js", SCRIPT, include_str!("assets/composer.js")),
    ("/assets/composing.js", SCRIPT, include_str!("assets/composing.js")),
    ("/assets/dialogs.js", SCRIPT, include_str!("assets/dialogs.js")),
    ("/assets/facts.js", SCRIPT, include_str!("assets/facts.js")),
    ("/assets/format.js", SCRIPT, include_str!("assets/format.js")),
    ("/assets/graph.js", SCRIPT, include_str!("assets/graph.js")),
    ("/assets/keys.js", SCRIPT, include_str!("assets/keys.js")),
    ("/assets/palette.js", SCRIPT, include_str!("assets/palette.js")),
    ("/assets/panel.js", SCRIPT, include_str!("assets/panel.js")),
    ("/assets/parts.js", SCRIPT, include_str!("assets/parts.js")),
    ("/assets/plan.js", SCRIPT, include_str!("assets/plan.js")),
    ("/assets/reading.js", SCRIPT, include_str!("assets/reading.js")),
    ("/assets/result.js", SCRIPT, include_str!("assets/result.js")),
    ("/assets/flow.js", SCRIPT, include_str!("assets/flow.js")),
    ("/assets/running.js", SCRIPT, include_str!("assets/running.js")),
    ("/assets/scroll.js", SCRIPT, include_str!("assets/scroll.js")),
    ("/assets/sheet.js", SCRIPT, include_str!("assets/sheet.js")),
    ("/assets/sidebar.js", SCRIPT, include_str!("assets/sidebar.js")),
    ("/assets/store.js", SCRIPT, include_str!("assets/store.js")),
    ("/assets/top.js", SCRIPT, include_str!("assets/top.js")),
    ("/assets/transcript.js", SCRIPT, include_str!("assets/transcript.js")),
    ("/assets/turns.js", SCRIPT, include_str!("assets/turns.js")),
    ("/assets/ui.js", SCRIPT, include_str!("assets/ui.js")),
    ("/assets/views.js", SCRIPT, include_str!("assets/views.js")),
    ("/assets/welcome.js", SCRIPT, include_str!("assets/welcome.js")),
    ("/assets/vendor/hooks.js", SCRIPT, include_str!("assets/vendor/hooks.js")),
    ("/assets/vendor/htm.js", SCRIPT, include_str!("assets/vendor/htm.js")),
    ("/assets/vendor/preact.js", SCRIPT, include_str!("assets/vendor/preact.js")),
    ("/assets/vendor/signals-core.js", SCRIPT, include_str!("assets/vendor/signals-core.js")),
    ("/assets/vendor/signals.js", SCRIPT, include_str!("assets/vendor/signals.js")),
    ("/assets/theme.js", SCRIPT, include_str!("assets/theme.js")),
    ("/assets/style.css", STYLE, include_str!("assets/style.css")),
    ("/assets/icon.svg", "image/svg+xml", ICON),
];

/// What `/docs` loads besides; the page itself does without.
const DOCS: [(&str, &str, &str); 3] = [
    ("/assets/vendor/redoc.js", SCRIPT, include_str!("assets/vendor/redoc.js")),
    ("/assets/docs.js", SCRIPT, include_str!("assets/docs.js")),
    ("/assets/docs.css", STYLE, include_str!("assets/docs.css")),
];

/// Two turns of a conversation.
const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\"><rect width=\"16\" height=\"16\" \
    rx=\"4\" fill=\"#0b5cad\"/><path d=\"M3 5h7M6 11h7\" stroke=\"#fff\" stroke-width=\"2\"/></svg>\n";
