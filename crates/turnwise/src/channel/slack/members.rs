//! Members: who is in a channel. A button or an open form may still stand in the window of somebody who left, so
//! whoever decides is looked up each time; where Slack does not say, nothing is decided. Who left a channel takes part
//! in its conversations no longer, and what they had said before does not bring them back. Next: `press`, `modal`.

use turnwise_core::{Conversation, InputBody, InputKey, PersonId};

use super::inbox::NotKept;
use super::payload::Happening;
use super::post::PostError;
use super::{Place, Slack};

impl Slack {
    /// Why `user` decides nothing at `place`, as they are told; none where they are in its channel.
    pub(super) async fn outside(&self, place: &Place, user: &str) -> Option<String> {
        match self.is_member(&place.channel, user).await {
            Ok(true) => None,
            Ok(false) => Some(OUTSIDE.to_owned()),
            Err(error) => {
                eprintln!("Who is in a channel of Slack cannot be seen: {error}.");
                Some(UNSEEN.to_owned())
            }
        }
    }

    /// Whether somebody who left the conversation at `place` says something there that must not let them in again: what
    /// they said before they left may be delivered after it. Whoever came back is in the channel.
    pub(super) async fn is_late(&self, conversation: &Conversation, place: &Place, person: &PersonId) -> bool {
        if conversation.members().contains(person) || !conversation.took_part(person) {
            return false;
        }
        match self.is_member(&place.channel, person.as_str()).await {
            Ok(is_member) => !is_member,
            Err(error) => {
                eprintln!("Who is in a channel of Slack cannot be seen: {error}.");
                self.whisper(place, person.as_str(), UNSEEN).await;
                true
            }
        }
    }

    /// Somebody left a channel: what is talked about there is not theirs to read any more, on any surface.
    pub(super) async fn left(&self, team: &str, event_id: &str, event: Happening) -> Result<(), NotKept> {
        let (Some(user), Some(channel)) = (event.user, event.channel) else { return Ok(()) };
        // What they said before they left would make them take part again.
        let there = format!("slack/{team}/{channel}/");
        self.inbox.settled_where(|name| name.starts_with(&there)).await;
        let person = PersonId::new(user);
        for place in self.threads.of(&person).await?.iter().filter_map(|id| self.place_of(id)) {
            if place.team == team && place.channel == channel {
                let session = self.threads.thread(&place.name()).await?;
                let key = InputKey::new(format!("slack:{team}:{event_id}"));
                session.submit(InputBody::Leave { person: person.clone() }, key, None).await?;
            }
        }
        Ok(())
    }

    async fn is_member(&self, channel: &str, user: &str) -> Result<bool, PostError> {
        let mut cursor = String::new();
        for _ in 0..PAGES_MAX {
            let asked = [("channel", channel), ("limit", PAGE), ("cursor", &cursor)];
            let answer = self.asked("conversations.members", &asked).await?;
            if answer["members"].as_array().into_iter().flatten().any(|member| member == user) {
                return Ok(true);
            }
            let next = answer["response_metadata"]["next_cursor"].as_str().unwrap_or_default();
            if next.is_empty() {
                return Ok(false);
            }
            next.clone_into(&mut cursor);
        }
        Ok(false)
    }
}

const OUTSIDE: &str = "You are not in this channel, so you decide nothing here.";
const UNSEEN: &str = "Slack does not say whether you are in this channel, so nothing was done. Please try again.";
/// Members of one page, which is as many as Slack gives.
const PAGE: &str = "1000";
/// Pages that are looked through: a channel of more people than that is none in which somebody decides by a button.
const PAGES_MAX: usize = 20;
