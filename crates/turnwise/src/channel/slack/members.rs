//! Members: who is in a channel. A button or an open form may still stand in the window of somebody who left, so
//! whoever decides is looked up each time; where Slack does not say, nothing is decided. Who left a channel takes part
//! in its conversations no longer, and what they had said before does not bring them back; so whoever says something is
//! looked up before it is taken in, once for all that waits by then. Next: `press`, `modal`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use turnwise_core::{InputBody, InputKey, PersonId};

use super::inbox::NotKept;
use super::payload::{Happening, Who};
use super::post::PostError;
use super::{Place, Slack};

/// Who was in each channel when it was last looked, with the number from which on what was said came after that look.
#[derive(Debug, Default)]
pub(super) struct Seen(Mutex<BTreeMap<String, (u64, BTreeSet<String>)>>);

impl Seen {
    /// Whether `user` was in `channel` at a look that came after what has this number; none where there was no such
    /// look.
    fn is_in(&self, channel: &str, user: &str, number: u64) -> Option<bool> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (behind, members) = seen.get(channel)?;
        (number < *behind).then(|| members.contains(user))
    }

    fn keep(&self, channel: &str, behind: u64, members: BTreeSet<String>) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= CHANNELS_MAX {
            seen.clear();
        }
        seen.insert(channel.to_owned(), (behind, members));
    }
}

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

    /// Whether what has `number` must not be taken in because who said it is not in the channel any more: it may be
    /// delivered after they left, and that they left may never have been. Whoever came back is in the channel. In a
    /// conversation of two nobody is but the two.
    pub(super) async fn is_late(&self, place: &Place, person: &PersonId, number: u64) -> bool {
        if place.channel.starts_with('D') {
            return false;
        }
        if let Some(is_in) = self.seen.is_in(&place.channel, person.as_str(), number) {
            return !is_in;
        }
        let behind = self.inbox.said_so_far();
        match self.members_of(&place.channel).await {
            Ok(members) => {
                let is_in = members.contains(person.as_str());
                self.seen.keep(&place.channel, behind, members);
                !is_in
            }
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
        self.gone(team, event_id, &user.into_id(), &format!("slack/{team}/{channel}/")).await
    }

    /// Something about a person changed. Who is of the workspace no longer is in none of its channels, though Slack
    /// says so of no channel.
    pub(super) async fn changed(&self, team: &str, event_id: &str, event: Happening) -> Result<(), NotKept> {
        let Some(Who::Person { id, deleted: true }) = event.user else { return Ok(()) };
        self.gone(team, event_id, &id, &format!("slack/{team}/")).await
    }

    /// `user` takes part no longer in the conversations whose places begin with `there`.
    async fn gone(&self, team: &str, event_id: &str, user: &str, there: &str) -> Result<(), NotKept> {
        // What they said before they left would make them take part again.
        self.inbox.settled_where(|name| name.starts_with(there)).await;
        let person = PersonId::new(user);
        for place in self.threads.of(&person).await?.iter().filter_map(|id| self.place_of(id)) {
            if place.name().starts_with(there) {
                let session = self.threads.thread(&place.name()).await?;
                let key = InputKey::new(format!("slack:{team}:{event_id}"));
                session.submit(InputBody::Leave { person: person.clone() }, key, None).await?;
            }
        }
        Ok(())
    }

    /// All members of a channel, as far as pages are looked through.
    async fn members_of(&self, channel: &str) -> Result<BTreeSet<String>, PostError> {
        let (mut cursor, mut all) = (String::new(), BTreeSet::new());
        for _ in 0..PAGES_MAX {
            let asked = [("channel", channel), ("limit", PAGE), ("cursor", &cursor)];
            let answer = self.asked("conversations.members", &asked).await?;
            let members = answer["members"].as_array().into_iter().flatten();
            all.extend(members.filter_map(|member| member.as_str()).map(str::to_owned));
            let next = answer["response_metadata"]["next_cursor"].as_str().unwrap_or_default();
            if next.is_empty() {
                break;
            }
            next.clone_into(&mut cursor);
        }
        Ok(all)
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
/// Channels whose members are kept; beyond it they are looked up anew.
const CHANNELS_MAX: usize = 1_000;
