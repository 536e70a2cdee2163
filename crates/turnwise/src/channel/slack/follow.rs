//! Following: what happens in a conversation is posted to its thread, in order and each once, whoever caused it. What
//! was decided is shown in place of its buttons. What a process was posting when it ended, the next goes on with; only
//! what it had just posted and not noted yet may come twice. Next: `blocks`, `post`, `places`.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use turnwise_core::{Card, Decider, DecisionRef, Event, Outcome, PendingId, Resolution, Sequence};

use super::places::{Held, Kept};
use super::post::PostError;
use super::receive::SURFACE;
use super::{BETWEEN_TRIES, Place, Slack, blocks};
use crate::driver::{DriverError, Recorded, Session};

/// Takes a thread out of those that are posted, however that ends.
struct Following {
    slack: Arc<Slack>,
    name: String,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.slack.followed.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}

/// A message with buttons.
struct Asked {
    at: String,
    /// The event it says.
    sequence: Sequence,
    text: String,
    card: Card,
}

/// A thread as it is posted.
struct Thread {
    session: Session,
    place: Place,
    /// Up to where it was posted.
    at: Sequence,
    asked: BTreeMap<PendingId, Asked>,
    /// Whether something was posted for the latest message.
    has_spoken: bool,
}

impl Slack {
    /// Posts what happens from `first` on, unless somebody does already.
    pub(super) fn follow(self: &Arc<Self>, session: Session, place: Place, first: Sequence) {
        let held = self.held(session.id()).unwrap_or_else(|| Held::at(&place));
        let at = Sequence::new(first.number().saturating_sub(1).max(held.posted));
        self.follow_from(session, place, at, held.asked);
    }

    fn follow_from(self: &Arc<Self>, session: Session, place: Place, at: Sequence, asked: Vec<Kept>) {
        let mut followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        if !followed.insert(place.name()) {
            return;
        }
        drop(followed);
        // Noted before anything else goes on: the delivery that led here is forgotten after.
        let held = Held { posted: at.number(), is_followed: true, asked: asked.clone(), ..Held::at(&place) };
        self.is_held_so(session.id(), &held);
        let (slack, followed) = (Arc::clone(self), Following { slack: Arc::clone(self), name: place.name() });
        let mut thread = Thread { session, place, at, asked: BTreeMap::new(), has_spoken: true };
        tokio::spawn(async move {
            let mut followed = followed;
            for (pending, at, sequence) in asked {
                thread.asked_before(pending, at, Sequence::new(sequence)).await;
            }
            if slack.post_all(thread).await {
                // By now somebody else may be posting it.
                followed.name.clear();
            }
        });
    }

    /// Posts from `first` on what was not posted yet, where that is known.
    pub(super) fn follow_on(self: &Arc<Self>, session: Session, place: Place, first: Sequence) {
        if self.held(session.id()).is_some() {
            self.follow(session, place, first);
        }
    }

    /// Goes on with what a process was posting when it ended.
    pub(super) async fn follow_again(self: &Arc<Self>) {
        for held in self.all_followed() {
            let place = held.place();
            let session = match self.threads.thread(&place.name()).await {
                Ok(session) => session.on(SURFACE),
                Err(error) => {
                    eprintln!("A thread of Slack cannot be gone on with: {error}.");
                    continue;
                }
            };
            self.is_held(session.id(), &place);
            self.follow_from(session, place, Sequence::new(held.posted), held.asked);
        }
    }

    /// Posts until nothing happens any more for a while; gives whether it has taken the thread out by itself.
    async fn post_all(&self, mut thread: Thread) -> bool {
        let mut feed = thread.session.events(thread.at);
        loop {
            match tokio::time::timeout(IDLE, feed.next()).await {
                Ok(Ok(recorded)) => {
                    let is_posted = self.post_event(&mut thread, &recorded).await;
                    thread.at = recorded.sequence;
                    if is_posted {
                        self.is_held_so(thread.session.id(), &thread.kept(true));
                    }
                }
                // The server ends; the next one goes on here.
                Ok(Err(DriverError::ShutDown | DriverError::Gone)) => return false,
                Ok(Err(error)) => {
                    eprintln!("What happens in a thread of Slack cannot be read: {error}. It is tried again.");
                    tokio::time::sleep(BETWEEN_TRIES).await;
                    feed = thread.session.events(thread.at);
                }
                Err(_) => {
                    let mut followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
                    // Whoever said something meanwhile relies on its being posted here.
                    if thread.session.conversation().sequence() <= thread.at && thread.asked.is_empty() {
                        followed.remove(&thread.place.name());
                        self.is_held_so(thread.session.id(), &thread.kept(false));
                        return true;
                    }
                }
            }
        }
    }

    /// Posts an event, where it says something; gives whether it did.
    async fn post_event(&self, thread: &mut Thread, recorded: &Recorded) -> bool {
        match &recorded.event {
            Event::MessageReceived { .. } => {
                thread.has_spoken = false;
                false
            }
            Event::Said { text, card } => {
                thread.has_spoken = true;
                self.post_said(thread, recorded.sequence, text, card.as_ref()).await;
                true
            }
            Event::ReceiptGiven { receipt } => {
                let is_silent = matches!(receipt.outcome, Outcome::Merged | Outcome::Queued | Outcome::Refused);
                let is_told = is_silent && !thread.has_spoken;
                if is_told {
                    self.post_said(thread, recorded.sequence, &receipt.detail, None).await;
                }
                is_told
            }
            Event::PendingClosed { pending, resolution, by } => {
                let Some(asked) = thread.asked.remove(pending) else { return false };
                self.closed(&thread.place, &asked, *resolution, by.as_ref()).await;
                true
            }
            _ => false,
        }
    }

    async fn post_said(&self, thread: &mut Thread, sequence: Sequence, text: &str, card: Option<&Card>) {
        let decides = card.and_then(decides);
        let reference = match decides {
            Some(decides) => reference(&thread.session, decides).await,
            None => None,
        };
        let blocks = blocks::said(text, card, reference.as_deref());
        let mut posted = self.post(&thread.place, &blocks::short(text, card), blocks.clone()).await;
        // What only could not be reached gets it later; nothing behind it is posted before.
        while let Err(error @ (PostError::Call(_) | PostError::Busy)) = &posted {
            eprintln!("Something waits to be posted to Slack: {error}.");
            tokio::time::sleep(BETWEEN_TRIES).await;
            posted = self.post(&thread.place, &blocks::short(text, card), blocks.clone()).await;
        }
        match posted {
            Ok(at) => {
                if let (Some(decides), Some(card), Some(_)) = (decides, card, reference) {
                    let now = Asked { at, sequence, text: text.to_owned(), card: card.clone() };
                    thread.asked.insert(decides.pending, now);
                }
            }
            Err(error) => eprintln!("Something could not be posted to Slack: {error}."),
        }
    }

    /// The buttons go, and who decided is told in their place.
    async fn closed(&self, place: &Place, asked: &Asked, resolution: Resolution, by: Option<&Decider>) {
        let by = by.map(|by| format!(" by <@{}>", blocks::escaped(by.person.as_str()))).unwrap_or_default();
        let ended = format!("{}{by}", how(resolution));
        let mut blocks = blocks::said(&asked.text, Some(&asked.card), None);
        blocks::end(&mut blocks, &ended);
        if let Err(error) = self.update(place, &asked.at, &blocks::short(&asked.text, Some(&asked.card)), blocks).await
        {
            eprintln!("A message in Slack could not be updated: {error}.");
        }
    }
}

impl Thread {
    /// What is kept of it.
    fn kept(&self, is_followed: bool) -> Held {
        let asked = self.asked.iter();
        let asked = asked.map(|(pending, asked)| (*pending, asked.at.clone(), asked.sequence.number())).collect();
        Held { posted: self.at.number(), is_followed, asked, ..Held::at(&self.place) }
    }

    /// Notes a message with buttons that was posted before the start: what stands in it is in the log.
    async fn asked_before(&mut self, pending: PendingId, at: String, sequence: Sequence) {
        let before = Sequence::new(sequence.number().saturating_sub(1));
        if self.session.conversation().sequence() < sequence {
            return;
        }
        let Ok(recorded) = self.session.events(before).next().await else { return };
        if let Event::Said { text, card: Some(card) } = recorded.event {
            self.asked.insert(pending, Asked { at, sequence, text, card });
        }
    }
}

fn how(resolution: Resolution) -> &'static str {
    match resolution {
        Resolution::Approved => "Approved",
        Resolution::Rejected => "Rejected",
        Resolution::Changed => "Changed",
        Resolution::Answered => "Answered",
        Resolution::Cancelled => "Cancelled",
        Resolution::Superseded => "Replaced",
        Resolution::Expired => "Expired",
    }
}

/// What a card asks to decide on.
fn decides(card: &Card) -> Option<DecisionRef> {
    match card {
        Card::Plan(plan) => plan.reference,
        Card::Question { reference, .. } | Card::Failure { reference, .. } => Some(*reference),
        Card::Result { .. }
        | Card::Steps { .. }
        | Card::Facts { .. }
        | Card::Provenance { .. }
        | Card::Help { .. }
        | Card::Why { .. } => None,
    }
}

/// Our reference to what is asked, as long as it is.
async fn reference(session: &Session, decides: DecisionRef) -> Option<String> {
    let state = session.conversation();
    let open = state.pending().iter().find(|open| open.reference() == decides)?;
    session.reference(open).await.ok().map(|reference| reference.to_string())
}

/// How long a thread in which nothing is asked is followed on.
const IDLE: Duration = Duration::from_secs(10 * 60);
