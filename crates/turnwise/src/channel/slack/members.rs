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
/// Two teams may have channels of one id.
#[derive(Debug, Default)]
pub(super) struct Seen(Mutex<BTreeMap<(String, String), (u64, Members)>>);

/// Who is in a channel, as far as it was looked.
#[derive(Debug, Default)]
struct Members {
    known: BTreeSet<String>,
    /// Whether these are all.
    is_whole: bool,
}

/// Whether somebody is in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    Inside,
    Outside,
    /// There are more people in it than are looked through.
    Unknown,
}

impl Members {
    fn presence(&self, user: &str) -> Presence {
        match (self.known.contains(user), self.is_whole) {
            (true, _) => Presence::Inside,
            (false, true) => Presence::Outside,
            (false, false) => Presence::Unknown,
        }
    }
}

impl Seen {
    /// Where `user` was at a look at the channel of `place` that came after what has this number; none where there was
    /// no such look.
    fn presence(&self, place: &Place, user: &str, number: u64) -> Option<Presence> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (behind, members) = seen.get(&(place.team.clone(), place.channel.clone()))?;
        (number < *behind).then(|| members.presence(user))
    }

    /// Whether `user` was in the channel of `place` when it was looked last.
    pub(super) fn was_there(&self, place: &Place, user: &str) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let there = seen.get(&(place.team.clone(), place.channel.clone()));
        there.is_some_and(|(_, members)| members.known.contains(user))
    }

    fn keep(&self, place: &Place, behind: u64, members: Members) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= CHANNELS_MAX {
            seen.clear();
        }
        seen.insert((place.team.clone(), place.channel.clone()), (behind, members));
    }
}

impl Slack {
    /// Why `user` decides nothing at `place`, as they are told; none where they are in its channel. In a conversation
    /// of two nobody is but the two.
    pub(super) async fn outside(&self, place: &Place, user: &str) -> Option<String> {
        if place.is_direct() {
            return None;
        }
        match self.members_of(&place.channel, |known| known.contains(user)).await {
            Ok(members) => match members.presence(user) {
                Presence::Inside => None,
                Presence::Outside => Some(OUTSIDE.to_owned()),
                Presence::Unknown => Some(CROWDED.to_owned()),
            },
            Err(error) => {
                eprintln!("Who is in a channel of Slack cannot be seen: {error}.");
                Some(UNSEEN.to_owned())
            }
        }
    }

    /// Whether what has `number` must not be taken in because who said it is not in the channel any more: it may be
    /// delivered after they left, and that they left may never have been. Whoever came back is in the channel. Whoever
    /// cannot be seen there is told that.
    pub(super) async fn is_outside(&self, place: &Place, person: &PersonId, number: u64) -> bool {
        if place.is_direct() {
            return false;
        }
        let presence = match self.seen.presence(place, person.as_str(), number) {
            Some(presence) => Ok(presence),
            None => self.looked_up(place, person).await,
        };
        let told = match presence {
            Ok(Presence::Inside) => return false,
            Ok(Presence::Outside) => return true,
            Ok(Presence::Unknown) => CROWDED,
            Err(error) => {
                eprintln!("Who is in a channel of Slack cannot be seen: {error}.");
                UNSEEN
            }
        };
        self.whisper(place, person.as_str(), told).await;
        true
    }

    /// Looks who is in the channel of `place`, for all that waits by then.
    async fn looked_up(&self, place: &Place, person: &PersonId) -> Result<Presence, PostError> {
        let behind = self.inbox.said_so_far();
        let members = self.members_of(&place.channel, |_| false).await?;
        if !members.is_whole {
            let people = members.known.len();
            eprintln!(
                "A channel of Slack has more people than {people}, so whoever is not among them says nothing there."
            );
        }
        let presence = members.presence(person.as_str());
        self.seen.keep(place, behind, members);
        Ok(presence)
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

    /// The members of a channel, until those that are known are enough, as far as pages are looked through.
    async fn members_of(
        &self,
        channel: &str,
        is_enough: impl Fn(&BTreeSet<String>) -> bool,
    ) -> Result<Members, PostError> {
        let (mut cursor, mut members) = (String::new(), Members::default());
        for _ in 0..PAGES_MAX {
            let asked = [("channel", channel), ("limit", PAGE), ("cursor", &cursor)];
            let answer = self.asked("conversations.members", &asked).await?;
            let page = answer["members"].as_array().into_iter().flatten();
            members.known.extend(page.filter_map(|member| member.as_str()).map(str::to_owned));
            let next = answer["response_metadata"]["next_cursor"].as_str().unwrap_or_default();
            members.is_whole = next.is_empty();
            if members.is_whole || is_enough(&members.known) {
                break;
            }
            next.clone_into(&mut cursor);
        }
        Ok(members)
    }
}

const OUTSIDE: &str = "You are not in this channel, so you decide nothing here.";
const UNSEEN: &str = "Slack does not say whether you are in this channel, so nothing was done. Please try again.";
const CROWDED: &str = "This channel has more people than I can look through, and you are not among the first 20,000, so \
                       nothing was done. Write to me directly, or in a smaller channel.";
/// Members of one page, which is as many as Slack gives.
const PAGE: &str = "1000";
/// Pages that are looked through: beyond them nobody can be seen to be in a channel, and they are told so.
const PAGES_MAX: usize = 20;
/// Channels whose members are kept; beyond it they are looked up anew.
const CHANNELS_MAX: usize = 1_000;
