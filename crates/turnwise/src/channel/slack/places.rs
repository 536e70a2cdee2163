//! Places: where each conversation is held and how far it was posted, kept so that another process goes on there, and
//! what an assistant may say to everybody there. A post bears its operation as metadata, by which it is found again
//! when its answer was lost. Next: `post`.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use turnwise_assistant::{Around, Outlet, OutletError, Talk};
use turnwise_core::{ConversationId, PendingId, PlanVersion};

use super::post::PostError;
use super::{Place, Slack, blocks};

/// A message with buttons, as it is kept: which question it asks, its id there, and the event it says.
pub(super) type Kept = (PendingId, String, u64);

/// What is kept of a conversation that is held in Slack.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Held {
    pub(super) team: String,
    pub(super) channel: String,
    pub(super) thread: Option<String>,
    /// Up to where it was posted.
    #[serde(default)]
    pub(super) posted: u64,
    /// Whether somebody is posting it; another process goes on with it.
    #[serde(default)]
    pub(super) is_followed: bool,
    /// The messages with buttons.
    #[serde(default)]
    pub(super) asked: Vec<Kept>,
    /// The message of a preview that is being changed, and what it showed: the next version comes in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) changing: Option<(String, PlanVersion)>,
}

impl Held {
    pub(super) fn at(place: &Place) -> Self {
        let Place { team, channel, thread } = place.clone();
        Self { team, channel, thread, posted: 0, is_followed: false, asked: Vec::new(), changing: None }
    }

    pub(super) fn place(&self) -> Place {
        Place { team: self.team.clone(), channel: self.channel.clone(), thread: self.thread.clone() }
    }
}

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
        if self.held(conversation).is_none() {
            self.is_held_so(conversation, &Held::at(place));
        }
    }

    /// Keeps how far a conversation was posted.
    pub(super) fn is_held_so(&self, conversation: &ConversationId, held: &Held) {
        let Some(file) = self.file_of(conversation) else { return };
        // Names and numbers: there is nothing in them that could not be written.
        let kept = serde_json::to_vec(held).unwrap_or_default();
        let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        // Whole or not at all, whenever the process ends.
        let beside = file.with_extension("new");
        let written =
            folder.and_then(|()| std::fs::write(&beside, kept)).and_then(|()| std::fs::rename(&beside, &file));
        if let Err(error) = written {
            eprintln!("Where a conversation of Slack is held cannot be kept in {}: {error}.", file.display());
        }
    }

    /// What is kept of a conversation, if it is held here and that is kept.
    pub(super) fn held(&self, conversation: &ConversationId) -> Option<Held> {
        read(&self.file_of(conversation)?)
    }

    /// What somebody was posting, in this process or one before it.
    pub(super) fn all_followed(&self) -> Vec<Held> {
        let Some(files) = self.settings.places.as_ref().and_then(|folder| std::fs::read_dir(folder).ok()) else {
            return Vec::new();
        };
        let paths = files.flatten().map(|file| file.path());
        let kept = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        kept.filter_map(|path| read(&path)).filter(|held| held.is_followed).collect()
    }

    /// Whether this process alone serves Slack from its folder; so it is until it ends. Two would post all of it twice.
    pub(super) fn sole(&self) -> io::Result<bool> {
        let Some(folder) = self.settings.places.as_ref() else { return Ok(true) };
        std::fs::create_dir_all(folder)?;
        let file = File::options().create(true).append(true).open(folder.join("lock"))?;
        match file.try_lock() {
            Ok(()) => Ok(self.lock.set(file).is_ok()),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn file_of(&self, conversation: &ConversationId) -> Option<PathBuf> {
        let digest = Sha256::digest(conversation.as_str().as_bytes());
        let name = digest.iter().take(NAME_BYTES).fold(String::new(), |name, byte| format!("{name}{byte:02x}"));
        self.settings.places.as_ref().map(|folder| folder.join(format!("{name}.json")))
    }

    /// Where a conversation is held, if it is held here.
    pub(super) fn place_of(&self, conversation: &ConversationId) -> Option<Place> {
        let known = self.places.lock().unwrap_or_else(PoisonError::into_inner).get(conversation).cloned();
        known.or_else(|| self.held(conversation).map(|held| held.place()))
    }

    /// The address of a message.
    pub(super) async fn permalink(&self, channel: &str, at: &str) -> Result<String, PostError> {
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
        let told = if place.is_direct() { "this conversation" } else { "this channel" };
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

    async fn talk(&self, conversation: &ConversationId) -> Result<Option<Talk>, OutletError> {
        match self.place_of(conversation) {
            Some(place) => self.talk_at(&place).await.map_err(|error| error.of_reading()),
            None => Ok(None),
        }
    }
}

fn read(file: &Path) -> Option<Held> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
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
