//! What Slack sends: checked, stored, acknowledged. An input is in the store before Slack hears that it arrived, except
//! where that takes longer than Slack waits; everything that follows from it happens after. Next: `press`, `command`.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use turnwise_core::{InputBody, InputKey, PersonId};

use super::payload::{Delivery, Happening, Interaction};
use super::signature::Unbelieved;
use super::{Place, Slack, command, form, press, signature};

/// The Events API.
pub(super) async fn events(State(slack): State<Arc<Slack>>, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(why) = slack.believed(&headers, &body) {
        return refused(why);
    }
    match serde_json::from_slice(&body) {
        Ok(Delivery::UrlVerification { challenge }) => Json(json!({ "challenge": challenge })).into_response(),
        Ok(Delivery::EventCallback { team_id, event_id, event }) => {
            within(async move { slack.heard(team_id, event_id, *event).await }).await;
            StatusCode::OK.into_response()
        }
        Ok(Delivery::Other) => StatusCode::OK.into_response(),
        Err(error) => unreadable(&error.to_string()),
    }
}

/// Buttons.
pub(super) async fn interactivity(State(slack): State<Arc<Slack>>, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(why) = slack.believed(&headers, &body) {
        return refused(why);
    }
    let payload = form::value(&String::from_utf8_lossy(&body), "payload").unwrap_or_default();
    match serde_json::from_str::<Interaction>(&payload) {
        Ok(interaction) => {
            within(async move { press::pressed(&slack, interaction).await }).await;
            StatusCode::OK.into_response()
        }
        Err(error) => unreadable(&error.to_string()),
    }
}

/// Slash commands.
pub(super) async fn commands(State(slack): State<Arc<Slack>>, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(why) = slack.believed(&headers, &body) {
        return refused(why);
    }
    let Some(command) = command::Command::of(&String::from_utf8_lossy(&body)) else {
        return unreadable("team_id, channel_id, user_id and trigger_id are needed");
    };
    match command.at_once(&slack.settings.bot) {
        Some(told) => Json(json!({ "response_type": "ephemeral", "text": told })).into_response(),
        None => {
            within(async move { command::typed(&slack, command).await }).await;
            StatusCode::OK.into_response()
        }
    }
}

/// Does the work, and waits for it only as long as Slack waits for us. It goes on behind.
async fn within(work: impl Future<Output = ()> + Send + 'static) {
    let work = tokio::spawn(work);
    // Slack may be told that it arrived before it has: it is on its way in this process.
    let _ = tokio::time::timeout(ACKNOWLEDGED_WITHIN, work).await;
}

/// Who sent it is not told why; who runs the server is.
fn refused(why: Unbelieved) -> Response {
    eprintln!("A request to the Slack surface was refused: {why}.");
    (StatusCode::UNAUTHORIZED, "not signed by Slack").into_response()
}

fn unreadable(why: &str) -> Response {
    (StatusCode::BAD_REQUEST, format!("this cannot be read: {why}")).into_response()
}

impl Slack {
    /// Lets in what is signed.
    fn believed(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), Unbelieved> {
        signature::check(&self.settings.signing, headers, body, signature::now())
    }

    /// Something was said: to us, in a channel or directly. Everything else is none of our business.
    async fn heard(self: Arc<Self>, team: String, event_id: String, event: Happening) {
        let is_direct = event.kind == "message" && event.channel_type.as_deref() == Some("im");
        let is_ours = event.bot_id.is_some() || event.subtype.is_some();
        if is_ours || !(is_direct || event.kind == "app_mention") {
            return;
        }
        let (Some(user), Some(text), Some(at), Some(channel)) = (event.user, event.text, event.ts, event.channel)
        else {
            return;
        };
        let thread = event.thread_ts.or_else(|| (!is_direct).then(|| at.clone()));
        let place = Place { team: team.clone(), channel: channel.clone(), thread };
        let key = InputKey::new(format!("slack:{team}:{event_id}"));
        // One message can arrive under several event ids.
        let content = InputKey::new(format!("slack:{team}:{channel}:{at}"));
        self.say(place, &user, &plain(&text), key, Some(content)).await;
    }

    /// `user` says `text` at `place`.
    pub(super) async fn say(
        self: &Arc<Self>,
        place: Place,
        user: &str,
        text: &str,
        key: InputKey,
        content: Option<InputKey>,
    ) {
        self.spoke(user, &place);
        let session = match self.threads.thread(&place.name()).await {
            Ok(session) => session.on(SURFACE),
            Err(error) => return self.failed(&place, user, &error).await,
        };
        let body = InputBody::Message { person: PersonId::new(user), text: text.to_owned(), grounding: Vec::new() };
        match session.submit(body, key, content).await {
            // It was said once, and was answered then.
            Ok(result) if result.duplicate => {}
            Ok(result) => self.follow(session, place, result.first),
            Err(error) => self.failed(&place, user, &error).await,
        }
    }
}

/// What was said, without the mention of whom it was said to, and as it was typed.
fn plain(text: &str) -> String {
    let text = text.trim();
    let behind = text.strip_prefix("<@").and_then(|rest| rest.split_once('>')).map_or(text, |(_, behind)| behind);
    behind.trim().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

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
    }
}
