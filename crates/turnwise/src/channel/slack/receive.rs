//! What Slack sends: checked, kept, acknowledged. What was said is durable before Slack hears that it arrived, and read
//! after. A press or a form is decided before, except where that takes longer than Slack waits. Next: `inbox`, `press`,
//! `command`.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use turnwise_core::InputKey;

use super::inbox::{NotKept, Spoken};
use super::payload::{Delivery, Happening, Interaction};
use super::signature::Unbelieved;
use super::talk::is_said;
use super::{Place, Slack, command, form, is_direct, modal, press, signature};

/// Whatever Slack sends over HTTP: events, presses, forms and slash commands are told apart by what they are, not by
/// where they were sent.
pub(super) async fn all(State(slack): State<Arc<Slack>>, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(why) = slack.believed(&headers, &body) {
        return refused(why);
    }
    let text = String::from_utf8_lossy(&body);
    let delivered = match text.trim_start().starts_with('{') {
        true => serde_json::from_str(&text).map(Delivered::Event).map_err(|error| error.to_string()),
        false => of_form(&text),
    };
    match delivered {
        Ok(delivered) => match taken(&slack, delivered).await {
            Ok(Some(answer)) => Json(answer).into_response(),
            Ok(None) => StatusCode::OK.into_response(),
            Err(why) => not_kept(&why),
        },
        Err(error) => unreadable(&error),
    }
}

/// Something that Slack delivered, whichever way.
#[derive(Debug)]
pub(super) enum Delivered {
    /// Of the Events API.
    Event(Delivery),
    /// A press, or a form that was filled in.
    Interaction(Interaction),
    /// A slash command.
    Command(command::Command),
}

impl Delivered {
    /// The team it comes from, where it says so.
    pub(super) fn team(&self) -> Option<&str> {
        match self {
            Self::Event(Delivery::EventCallback { team_id, .. }) => Some(team_id),
            Self::Event(Delivery::UrlVerification { .. } | Delivery::Other) => None,
            Self::Interaction(interaction) => interaction.team.as_ref().map(|team| team.id.as_str()),
            Self::Command(command) => Some(command.team()),
        }
    }
}

fn of_form(text: &str) -> Result<Delivered, String> {
    if let Some(payload) = form::value(text, "payload") {
        return serde_json::from_str(&payload).map(Delivered::Interaction).map_err(|error| error.to_string());
    }
    let command = command::Command::of(text);
    command.map(Delivered::Command).ok_or_else(|| "team_id, channel_id, user_id and trigger_id are needed".to_owned())
}

/// Takes in what was delivered; gives what is answered at once, where something is. What was not kept must not be
/// acknowledged.
pub(super) async fn taken(slack: &Arc<Slack>, delivered: Delivered) -> Result<Option<Value>, NotKept> {
    match slack.teams.admit(&delivered) {
        // Who typed a command reads what is answered to it.
        Err(why @ NotKept::OtherTeam(..)) if matches!(delivered, Delivered::Command(_)) => {
            eprintln!("A slash command was refused: {why}.");
            return Ok(Some(json!({ "response_type": "ephemeral", "text": OTHER_TEAM })));
        }
        admitted => admitted?,
    }
    Ok(match delivered {
        Delivered::Event(Delivery::UrlVerification { challenge }) => Some(json!({ "challenge": challenge })),
        Delivered::Event(Delivery::EventCallback { team_id, event_id, event }) => {
            if event.kind == "member_left_channel" {
                slack.left(&team_id, &event_id, *event).await?;
            } else if event.kind == "user_change" {
                slack.changed(&team_id, &event_id, *event).await?;
            } else if let Some(spoken) = heard(team_id, &event_id, *event) {
                slack.keep(spoken).await?;
            }
            None
        }
        Delivered::Event(Delivery::Other) => None,
        Delivered::Interaction(interaction) => {
            let slack = Arc::clone(slack);
            within(async move {
                if interaction.kind == "view_submission" {
                    return modal::submitted(&slack, interaction).await;
                }
                press::pressed(&slack, interaction).await;
                None
            })
            .await
        }
        Delivered::Command(command) => match command.at_once(&slack.settings.bot) {
            Some(told) => Some(json!({ "response_type": "ephemeral", "text": told })),
            None => {
                let slack = Arc::clone(slack);
                within(async move { command::typed(&slack, command).await }).await
            }
        },
    })
}

/// Does the work, and waits for it only as long as Slack waits for us. It goes on behind.
async fn within(work: impl Future<Output = Option<Value>> + Send + 'static) -> Option<Value> {
    let work = tokio::spawn(work);
    // Slack may be told that it arrived before it has: it is on its way in this process.
    tokio::time::timeout(ACKNOWLEDGED_WITHIN, work).await.ok().and_then(Result::ok).flatten()
}

/// Who sent it is not told why; who runs the server is.
fn refused(why: Unbelieved) -> Response {
    eprintln!("A request to the Slack surface was refused: {why}.");
    (StatusCode::UNAUTHORIZED, "not signed by Slack").into_response()
}

/// Slack sends again what was not taken, except what is none of ours.
fn not_kept(why: &NotKept) -> Response {
    if matches!(why, NotKept::OtherTeam(..)) {
        eprintln!("Something of Slack was refused: {why}.");
        return (StatusCode::FORBIDDEN, [("x-slack-no-retry", "1")], OTHER_TEAM).into_response();
    }
    eprintln!("Something said in Slack is to come again: {why}.");
    (StatusCode::SERVICE_UNAVAILABLE, "not kept; send it again").into_response()
}

fn unreadable(why: &str) -> Response {
    (StatusCode::BAD_REQUEST, format!("this cannot be read: {why}")).into_response()
}

impl Slack {
    /// Lets in what is signed.
    fn believed(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), Unbelieved> {
        let signing = self.settings.signing.as_ref().ok_or(Unbelieved::NoSecret)?;
        signature::check(signing, headers, body, signature::now())
    }
}

/// What was said: to us, in a channel or directly. Everything else is none of our business.
fn heard(team: String, event_id: &str, event: Happening) -> Option<Spoken> {
    let (user, text, at, channel) = (event.user?.into_id(), event.text?, event.ts?, event.channel?);
    let is_ours = event.bot_id.is_some() || !is_said(event.subtype.as_deref());
    let is_to_us = event.kind == "app_mention" || event.kind == "message" && is_direct(&channel);
    if is_ours || !is_to_us {
        return None;
    }
    let thread = event.thread_ts.or_else(|| (!is_direct(&channel)).then(|| at.clone()));
    let key = InputKey::new(format!("slack:{team}:{event_id}"));
    // One message can arrive under several event ids.
    let content = Some(InputKey::new(format!("slack:{team}:{channel}:{at}")));
    Some(Spoken { place: Place { team, channel, thread }, user, text: plain(&text), key, content })
}

/// What was said, without the mention of whom it was said to, and as it was typed.
pub(super) fn plain(text: &str) -> String {
    let text = text.trim();
    let behind = text.strip_prefix("<@").and_then(|rest| rest.split_once('>')).map_or(text, |(_, behind)| behind);
    let (mut said, mut rest) = (String::new(), behind.trim());
    while let Some((before, (linked, after))) =
        rest.split_once('<').and_then(|(before, begun)| Some((before, begun.split_once('>')?)))
    {
        said.push_str(before);
        said.push_str(&typed(linked));
        rest = after;
    }
    said.push_str(rest);
    said.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// What somebody typed for which Slack sends `<linked>`: an address, a channel, or else what only Slack can resolve.
fn typed(linked: &str) -> String {
    let (target, label) = linked.split_once('|').map_or((linked, None), |(target, label)| (target, Some(label)));
    match (target.chars().next(), label) {
        (Some('#'), Some(name)) => format!("#{name}"),
        (Some('@' | '#' | '!') | None, _) => format!("<{linked}>"),
        (Some(_), Some(label)) if target.starts_with("mailto:") || target.ends_with(&format!("://{label}")) => {
            label.to_owned()
        }
        (Some(_), _) => target.to_owned(),
    }
}

/// What is told to another team.
const OTHER_TEAM: &str = "This server speaks with another Slack workspace, so nothing was done.";
/// How people call this surface.
pub(super) const SURFACE: &str = "Slack";
/// Slack waits three seconds; the way back takes some of it.
const ACKNOWLEDGED_WITHIN: Duration = Duration::from_millis(2_500);

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_is_said_to_the_bot_is_what_stands_behind_its_mention() {
        assert_eq!(plain("<@U0BOT> create a ticket for a &lt; b &amp;amp;"), "create a ticket for a < b &amp;");
        assert_eq!(plain("ask <@U1> about it"), "ask <@U1> about it");
        assert_eq!(
            plain("<@U0BOT> see <https://a.test/x?a=1&amp;b=2>, <http://b.test|b.test>"),
            "see https://a.test/x?a=1&b=2, b.test"
        );
        assert_eq!(plain("<https://a.test/x|the page> in <#C1|general>"), "https://a.test/x in #general");
        assert_eq!(plain("<mailto:a@b.test|a@b.test> and <!here> or a < b"), "a@b.test and <!here> or a < b");
    }
}
