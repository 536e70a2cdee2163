//! Following: what happens in a conversation is posted to its thread, in order and each once, whoever caused it. What
//! was decided is shown in place of its buttons, and a preview that is changed stays the message it was. What a process
//! was posting when it ended, the next goes on with; only what it had just posted and not noted yet may come twice.
//! Next: `blocks`, `post`, `places`.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use turnwise_core::{Card, DecisionRef, Event, Outcome, PendingId, PlanCard, PlanVersion, Resolution, Sequence};

use super::places::Held;
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
    /// The message of a preview that is being changed, and what it showed.
    changing: Option<(String, PlanVersion)>,
    /// Whether something was posted for the latest message.
    has_spoken: bool,
}

impl Slack {
    /// Posts what happens from `first` on, unless somebody does already.
    pub(super) fn follow(self: &Arc<Self>, session: Session, place: Place, first: Sequence) {
        let held = self.held(session.id()).unwrap_or_else(|| Held::at(&place));
        let at = Sequence::new(first.number().saturating_sub(1).max(held.posted));
        self.follow_from(session, place, at, held);
    }

    fn follow_from(self: &Arc<Self>, session: Session, place: Place, at: Sequence, held: Held) {
        let mut followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        if !followed.insert(place.name()) {
            return;
        }
        drop(followed);
        // Noted before anything else goes on: the delivery that led here is forgotten after.
        let held = Held { posted: at.number(), is_followed: true, ..held };
        self.is_held_so(session.id(), &held);
        let Held { asked, changing, .. } = held;
        let (slack, followed) = (Arc::clone(self), Following { slack: Arc::clone(self), name: place.name() });
        let mut thread = Thread { session, place, at, asked: BTreeMap::new(), changing, has_spoken: true };
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
            self.follow_from(session, place, Sequence::new(held.posted), held);
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
                let by = by.as_ref().map(|by| format!(" by <@{}>", blocks::escaped(by.person.as_str())));
                let ended = format!("{}{}", how(*resolution), by.unwrap_or_default());
                self.closed(&thread.place, &asked, &ended).await;
                if let (Resolution::Changed, Card::Plan(card)) = (resolution, &asked.card) {
                    thread.changing = Some((asked.at, PlanVersion::of(&card.plan)));
                }
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
        let (short, mut blocks) = self.named(&thread.place, text, card, reference.as_deref());
        if text.contains(&format!("`{}`", self.forget_command())) {
            blocks.push(blocks::forgetting());
        }
        if card.is_none_or(|card| matches!(card, Card::Result { .. })) {
            blocks.extend(blocks::offers(text));
        }
        let changed = match (card, &reference) {
            (Some(Card::Plan(plan)), Some(_)) => {
                // Another order has a preview of its own.
                let changed = thread.changing.take().filter(|(_, before)| before.plan == plan.plan.id());
                changed.map(|changed| (changed, plan))
            }
            _ => None,
        };
        let in_place = match changed {
            Some((changed, plan)) => self.in_its_place(&thread.place, changed, plan, &blocks).await,
            None => None,
        };
        let at = match in_place {
            Some(at) => Some(at),
            None => self.posted(&thread.place, &short, &blocks).await,
        };
        let (Some(at), Some(decides), Some(card), Some(_)) = (at, decides, card, reference) else { return };
        let now = Asked { at, sequence, text: text.to_owned(), card: card.clone() };
        // What is shown again is decided on where it stands last.
        if let Some(before) = thread.asked.insert(decides.pending, now) {
            self.closed(&thread.place, &before, "Shown again below").await;
        }
    }

    /// What is said as it is shown at `place`, with people by their names: in notifications, and as blocks.
    pub(super) fn named(
        &self,
        place: &Place,
        text: &str,
        card: Option<&Card>,
        reference: Option<&str>,
    ) -> (String, Vec<Value>) {
        let is_person = |id: &str| self.seen.was_there(place, id);
        let mut blocks = blocks::said(text, card, reference);
        blocks::name_in(&mut blocks, is_person);
        (blocks::with_names(&blocks::short(text, card), is_person), blocks)
    }

    /// Posts; gives the message, or none where Slack refuses it. What only could not be reached gets it later; nothing
    /// behind it is posted before.
    async fn posted(&self, place: &Place, short: &str, blocks: &[Value]) -> Option<String> {
        loop {
            match self.post(place, short, blocks.to_vec()).await {
                Ok(at) => return Some(at),
                Err(error) => wait_or_tell(&error, "posted").await?,
            }
        }
    }

    /// Shows the next version of a preview in the message that had the one before, and says so beneath; gives the
    /// message, or none where it is there no more.
    async fn in_its_place(
        &self,
        place: &Place,
        (at, before): (String, PlanVersion),
        card: &PlanCard,
        blocks: &[Value],
    ) -> Option<String> {
        let (title, version) = (card.plan.draft().title.as_str(), card.plan.version());
        loop {
            match self.update(place, &at, &blocks::escaped(title), blocks.to_vec()).await {
                Ok(()) => break,
                Err(error) => wait_or_tell(&error, "changed").await?,
            }
        }
        let said = match version == before.version {
            true => "The preview above stands as it was.".to_owned(),
            false => format!("The preview above is now version {version}: {title}."),
        };
        let link = self.permalink(&place.channel, &at).await.ok().filter(|link| !link.is_empty());
        let link = link.map(|link| format!(" <{link}|Show it>")).unwrap_or_default();
        let section = format!("{}{link}", blocks::escaped(&said));
        let section = json!({ "type": "section", "text": { "type": "mrkdwn", "text": section } });
        self.posted(place, &blocks::escaped(&said), &[section]).await;
        Some(at)
    }

    /// The buttons go, and how it ended is told in their place.
    async fn closed(&self, place: &Place, asked: &Asked, ended: &str) {
        let (short, mut blocks) = self.named(place, &asked.text, Some(&asked.card), None);
        blocks::end(&mut blocks, ended);
        if let Err(error) = self.update(place, &asked.at, &short, blocks).await {
            eprintln!("A message in Slack could not be updated: {error}.");
        }
    }
}

/// Waits until Slack may be reached again; none, and told, where waiting does not help.
async fn wait_or_tell(error: &PostError, done: &str) -> Option<()> {
    if !matches!(error, PostError::Call(_) | PostError::Busy | PostError::Later(_)) {
        eprintln!("Something could not be {done} in Slack: {error}.");
        return None;
    }
    eprintln!("Something waits to be {done} in Slack: {error}.");
    tokio::time::sleep(BETWEEN_TRIES).await;
    Some(())
}

impl Thread {
    /// What is kept of it.
    fn kept(&self, is_followed: bool) -> Held {
        let asked = self.asked.iter();
        let asked = asked.map(|(pending, asked)| (*pending, asked.at.clone(), asked.sequence.number())).collect();
        let changing = self.changing.clone();
        Held { posted: self.at.number(), is_followed, asked, changing, ..Held::at(&self.place) }
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
