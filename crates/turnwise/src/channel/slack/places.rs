//! Places: where each conversation is held, kept so that another process knows it too, and what an assistant may say to
//! everybody there. A post bears its operation as metadata, by which it is found again when its answer was lost. Next:
//! `post`.

use std::path::PathBuf;
use std::sync::PoisonError;

use async_trait::async_trait;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use turnwise_assistant::{Around, Outlet, OutletError};
use turnwise_core::ConversationId;

use super::post::PostError;
use super::{Place, Slack, blocks};

impl Slack {
    /// Notes where a conversation is held.
    pub(super) fn is_held(&self, conversation: &ConversationId, place: &Place) {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        if places.get(conversation) == Some(place) {
            return;
        }
        if places.len() >= PLACES_MAX {
            places.clear();
        }
        places.insert(conversation.clone(), place.clone());
        drop(places);
        let Some(file) = self.file_of(conversation) else { return };
        // Two names and a time: there is nothing in them that could not be written.
        let kept = serde_json::to_vec(place).unwrap_or_default();
        let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        if let Err(error) = folder.and_then(|()| std::fs::write(&file, kept)) {
            eprintln!("Where a conversation of Slack is held cannot be kept in {}: {error}.", file.display());
        }
    }

    fn file_of(&self, conversation: &ConversationId) -> Option<PathBuf> {
        let digest = Sha256::digest(conversation.as_str().as_bytes());
        let name = digest.iter().take(NAME_BYTES).fold(String::new(), |name, byte| format!("{name}{byte:02x}"));
        self.settings.places.as_ref().map(|folder| folder.join(format!("{name}.json")))
    }

    /// Where a conversation is held, if it is held here.
    fn place_of(&self, conversation: &ConversationId) -> Option<Place> {
        let known = self.places.lock().unwrap_or_else(PoisonError::into_inner).get(conversation).cloned();
        known.or_else(|| serde_json::from_slice(&std::fs::read(self.file_of(conversation)?).ok()?).ok())
    }

    /// The address of a message.
    async fn permalink(&self, channel: &str, at: &str) -> Result<String, PostError> {
        let asked = [("channel", channel), ("message_ts", at)];
        let answer = self.asked("chat.getPermalink", &asked).await?;
        Ok(answer["permalink"].as_str().unwrap_or_default().to_owned())
    }
}

#[async_trait]
impl Outlet for Slack {
    async fn around(&self, conversation: &ConversationId) -> Option<Around> {
        let place = self.place_of(conversation)?;
        let link = match &place.thread {
            Some(thread) => self.permalink(&place.channel, thread).await.inspect_err(tell).ok(),
            None => None,
        };
        let told = if place.channel.starts_with('D') { "this conversation" } else { "this channel" };
        let channel = format!("slack/{}/{}", place.team, place.channel);
        Some(Around { channel, told: told.to_owned(), link: link.filter(|link| !link.is_empty()) })
    }

    async fn publish(&self, conversation: &ConversationId, text: &str, operation: &str) -> Result<String, OutletError> {
        let place = self.place_of(conversation).ok_or_else(nowhere)?;
        let metadata = json!({ "event_type": POSTED, "event_payload": { "operation": operation } });
        let message = json!({ "channel": place.channel, "text": blocks::escaped(text), "unfurl_links": false,
            "metadata": metadata });
        let at = self.said("chat.postMessage", &message).await.map_err(|error| error.of_posting())?;
        Ok(self.permalink(&place.channel, &at).await.inspect_err(tell).unwrap_or_else(|_| format!("message {at}")))
    }

    async fn published(&self, conversation: &ConversationId, operation: &str) -> Result<Option<String>, OutletError> {
        let place = self.place_of(conversation).ok_or_else(nowhere)?;
        let asked = [("channel", place.channel.as_str()), ("limit", "200"), ("include_all_metadata", "true")];
        let lost = |error: PostError| OutletError::Lost(format!("Whether it was posted cannot be looked up: {error}."));
        let history = self.asked("conversations.history", &asked).await.map_err(lost)?;
        let is_it = |message: &&Value| message["metadata"]["event_payload"]["operation"] == operation;
        let Some(found) = history["messages"].as_array().into_iter().flatten().find(is_it) else { return Ok(None) };
        let at = found["ts"].as_str().unwrap_or_default();
        Ok(Some(self.permalink(&place.channel, at).await.map_err(lost)?))
    }
}

/// A link is left out where Slack gives none; who runs the server is told.
fn tell(error: &PostError) {
    eprintln!("Slack gave no address of a message: {error}.");
}

fn nowhere() -> OutletError {
    OutletError::Refused("This conversation is not held in Slack.".to_owned())
}

/// The kind of metadata of what is posted to a channel.
const POSTED: &str = "turnwise_posted";
/// Conversations whose place is held in memory; others are read again.
const PLACES_MAX: usize = 10_000;
/// Bytes of a digest that name a conversation.
const NAME_BYTES: usize = 16;
