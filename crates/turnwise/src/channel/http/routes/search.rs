//! Looking for words in everything that was said: messages, answers, questions, results and plans, the latest
//! conversations first. The logs are read as they are, because there is no second record that could say otherwise; what
//! that may take is bounded, and the answer says when older conversations were left out. Next: `conversations`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::{Extension, Json};
use serde::{Deserialize, Serialize};
use turnwise_core::{Event, PersonId};
use utoipa::ToSchema;

use super::super::guard::Caller;
use super::super::problem::{Problem, Refusal};
use super::super::view::IdView;
use super::super::{App, limits};
use super::Asked;
use crate::driver::{Place, Recorded, Summary};

/// What is looked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    q: String,
}

/// What was found.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Found {
    /// The latest first.
    pub hits: Vec<HitView>,
    /// Whether older conversations were left out, because looking through all of them would have taken too long.
    pub partial: bool,
}

/// A place where the words were said.
#[derive(Debug, Serialize, ToSchema)]
pub struct HitView {
    /// The conversation.
    pub conversation: IdView,
    /// What it is called.
    pub title: Option<String>,
    /// The event.
    pub sequence: u64,
    /// The text before the words, cut short.
    pub before: String,
    /// The words as they stand there.
    pub matched: String,
    /// The text behind them, cut short.
    pub after: String,
}

/// Look for words in everything that was said in your conversations.
#[utoipa::path(
    get, path = "/v1/search", tag = "conversations", operation_id = "search",
    params((
        "q" = String, Query, min_length = 2, max_length = 200,
        description = "The words, as they stand there; capitals do not matter"
    )),
    responses((status = 200, body = Found), Refusal)
)]
pub(super) async fn search(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<Found>, Problem> {
    let words = wanted.q.trim().to_lowercase();
    let length = words.chars().count();
    if !(2..=limits::SEARCH_CHARACTERS_MAX).contains(&length) {
        let told = format!("2 to {} characters are looked for", limits::SEARCH_CHARACTERS_MAX);
        return Err(Problem::bad_request(told, "send the words as `q`"));
    }
    let until = Instant::now() + Duration::from_millis(limits::SEARCH_MILLISECONDS_MAX);
    let member = app.settings.access.is_shared().then_some(&caller.0);
    Ok(Json(through(&app, member, &words, until).await?))
}

/// Goes through the conversations, the latest first, until enough was found or the time is over.
async fn through(app: &App, member: Option<&PersonId>, words: &str, until: Instant) -> Result<Found, Problem> {
    let mut found = Found::default();
    let mut after: Option<Place> = None;
    loop {
        let page = app.host.conversations(member, after.take()).await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = Some(Place { active_at: last.active_at, id: last.id.clone() });
        for summary in page {
            if found.hits.len() >= limits::SEARCH_HITS_MAX || Instant::now() >= until {
                found.partial = true;
                return Ok(found);
            }
            let Some(session) = app.host.open(&summary.id).await? else { continue };
            let history = session.history().await?;
            let room = (limits::SEARCH_HITS_MAX - found.hits.len()).min(limits::SEARCH_HITS_EACH);
            found.hits.extend(history.iter().rev().filter_map(|event| hit(&summary, event, words)).take(room));
        }
    }
}

/// Where the words stand in what was said, if they do.
fn hit(summary: &Summary, recorded: &Recorded, words: &str) -> Option<HitView> {
    let text = match &recorded.event {
        Event::MessageReceived { text, .. } | Event::Said { text, .. } => text,
        _ => return None,
    };
    let (before, matched, after) = around(text, words)?;
    Some(HitView {
        conversation: IdView::of(&summary.id),
        title: summary.title.clone(),
        sequence: recorded.sequence.number(),
        before,
        matched,
        after,
    })
}

/// The text around the first place where `words` stand, whichever their capitals.
fn around(text: &str, words: &str) -> Option<(String, String, String)> {
    let starts = text.char_indices().map(|(at, _)| at);
    let (at, end) = starts.filter_map(|at| Some((at, at + same(&text[at..], words)?))).next()?;
    let head: Vec<char> = text[..at].chars().collect();
    let cut = head.len().saturating_sub(limits::SEARCH_BEFORE);
    let before: String = head[cut..].iter().collect();
    let after: String = text[end..].chars().take(limits::SEARCH_AFTER).collect();
    let one_line = |text: &str| text.replace(['\n', '\r', '\t'], " ");
    let lead = if cut > 0 { "…" } else { "" };
    let tail = if text[end..].chars().count() > limits::SEARCH_AFTER { "…" } else { "" };
    Some((format!("{lead}{}", one_line(&before)), one_line(&text[at..end]), format!("{}{tail}", one_line(&after))))
}

/// How many bytes of `text` are `words`, where it begins with them; `words` is in small letters.
fn same(text: &str, words: &str) -> Option<usize> {
    let mut wanted = words.chars();
    for (at, letter) in text.char_indices() {
        let mut next = wanted.clone();
        if next.next().is_none() {
            return Some(at);
        }
        if letter.is_whitespace() && wanted.clone().next().is_some_and(char::is_whitespace) {
            wanted.next();
            continue;
        }
        for small in letter.to_lowercase() {
            if wanted.next() != Some(small) {
                return None;
            }
        }
    }
    wanted.next().is_none().then_some(text.len())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::around;

    #[test]
    fn words_are_found_whichever_their_capitals_and_over_the_end_of_a_line() {
        let (before, matched, after) = around("The Revenue\nby region of ÜNAL", "revenue by").unwrap();
        assert_eq!((before.as_str(), matched.as_str(), after.as_str()), ("The ", "Revenue by", " region of ÜNAL"));
        assert_eq!(around("of Ünal", "ünal").unwrap().1, "Ünal");
        assert_eq!(around("of Ünal", "ünals"), None);
        assert_eq!(around("İstanbul", "x"), None);
    }

    #[test]
    fn what_stands_around_them_is_cut_short() {
        let text = format!("{}needle{}", "a".repeat(500), "b".repeat(500));
        let (before, matched, after) = around(&text, "needle").unwrap();
        assert!(before.starts_with('…') && before.chars().count() < 100, "{before}");
        assert!(after.ends_with('…') && after.chars().count() < 200, "{after}");
        assert_eq!(matched, "needle");
    }
}
