//! The page of projects: a list, the project at hand with its notes, setup, documents and people, and the talk about it
//! beside. A client of the API like any other. Next: `assets/projects.js`.

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::get;
use maud::{DOCTYPE, Markup, html};

use super::{HTML, SCRIPT, STYLE, asset};

/// The routes of the page.
pub(super) fn pages<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let document: &'static str = Box::leak(document().into_string().into_boxed_str());
    let page = get(move |asked: HeaderMap| async move { asset(HTML, document, &asked) });
    let mut pages = Router::new().route("/projects", page);
    for (path, kind, text) in ASSETS {
        pages = pages.route(path, get(move |asked: HeaderMap| async move { asset(kind, text, &asked) }));
    }
    pages
}

fn document() -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Projects" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/projects.css";
                @for (path, kind, _) in ASSETS {
                    @if kind == SCRIPT { link rel="modulepreload" href=(path); }
                }
                script type="module" src="/assets/projects.js" {}
            }
            body.none-open {
                a.skip href="#project" { "Skip to the project" }
                header.top {
                    button #back .quiet type="button" aria-label="All projects" { "‹" }
                    h1 #title { "Projects" }
                    span.grow {}
                    a href="/" { "Conversations" }
                }
                // The list, and on a phone nothing else at first, is the main thing too.
                main {
                    (list())
                    section #project tabindex="-1" aria-live="off" {
                        p #empty .dim { "Choose a project, or begin one." }
                        div #notices role="alert" {}
                        div #head {}
                        div #tabs role="tablist" aria-label="Parts of the project" {}
                        section #panel role="tabpanel" tabindex="0" {}
                    }
                }
                (talk())
                (dialogs())
                div #announcer .hidden-text role="status" aria-live="polite" {}
            }
        }
    }
}

fn list() -> Markup {
    html! {
        nav #list aria-label="Projects" {
            form #begin {
                label.hidden-text for="begin-name" { "Name of a new project" }
                input #begin-name placeholder="New project" maxlength="100" autocomplete="off" required;
                button.primary { "Begin" }
            }
            div #invitations {}
            ul #projects {}
            p #no-projects .dim hidden { "You have no projects yet." }
            label.file.quiet {
                input #bring type="file" accept=".zip,application/zip";
                span { "Bring a project in" }
            }
        }
    }
}

fn talk() -> Markup {
    html! {
        aside #talk aria-labelledby="talk-title" {
            h2 #talk-title { "Talk" }
            button #earlier .quiet type="button" hidden { "Earlier" }
            div #log role="log" aria-label="What was said" tabindex="0" { ol #turns {} }
            div #suggestions {}
            form #say {
                label.hidden-text for="words" { "Message" }
                textarea #words rows="2" maxlength="4000" placeholder="Tell or ask something" autocomplete="off" {}
                button.primary { "Send" }
            }
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
        dialog #sure aria-labelledby="sure-title" {
            form method="dialog" {
                h2 #sure-title {}
                p #sure-text .dim {}
                div.row {
                    button value="no" { "Cancel" }
                    button #sure-yes .danger value="yes" {}
                }
            }
        }
    }
}

/// Everything the page loads besides its icon.
const ASSETS: [(&str, &str, &str); 7] = [
    ("/assets/projects.js", SCRIPT, include_str!("assets/projects.js")),
    ("/assets/projects-desk.js", SCRIPT, include_str!("assets/projects-desk.js")),
    ("/assets/projects-dom.js", SCRIPT, include_str!("assets/projects-dom.js")),
    ("/assets/projects-notes.js", SCRIPT, include_str!("assets/projects-notes.js")),
    ("/assets/projects-parts.js", SCRIPT, include_str!("assets/projects-parts.js")),
    ("/assets/projects-talk.js", SCRIPT, include_str!("assets/projects-talk.js")),
    ("/assets/projects.css", STYLE, include_str!("assets/projects.css")),
];
