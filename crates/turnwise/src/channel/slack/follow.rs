//! Following: what happens in a conversation is posted to its thread, in order and each once, whoever caused it. What
//! was decided is shown in place of its buttons. Next: `blocks`, `post`.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use turnwise_core::{Card, Decider, DecisionRef, Event, Outcome, PendingId, Resolution, Sequence};

use super::{Place, Slack, blocks};
use crate::driver::Session;

/// That the events of a thread are posted.
#[derive(Debug)]
pub(super) struct Followed;

/// A message with buttons.
struct Asked {
    at: String,
    text: String,
    card: Card,
}

impl Slack {
    /// Posts what happens from `first` on, unless somebody does already.
    pub(super) fn follow(self: &Arc<Self>, session: Session, place: Place, first: Sequence) {
        let mut followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        if followed.insert(place.name(), Followed).is_some() {
            return;
        }
        drop(followed);
        let (slack, after) = (Arc::clone(self), Sequence::new(first.number().saturating_sub(1)));
        tokio::spawn(async move { slack.post_all(session, place, after).await });
    }

    /// Posts until nothing happens any more for a while.
    async fn post_all(self: Arc<Self>, session: Session, place: Place, after: Sequence) {
        let mut feed = session.events(after);
        let (mut at, mut spoken) = (after, true);
        let mut asked: BTreeMap<PendingId, Asked> = BTreeMap::new();
        loop {
            match tokio::time::timeout(IDLE, feed.next()).await {
                Ok(Ok(recorded)) => {
                    at = recorded.sequence;
                    self.post_event(&session, &place, &recorded.event, &mut asked, &mut spoken).await;
                }
                // The server ends; the next one goes on from what is said then.
                Ok(Err(_)) => return,
                Err(_) => {
                    let mut followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
                    // Whoever said something meanwhile relies on its being posted here.
                    if session.conversation().sequence() <= at && asked.is_empty() {
                        followed.remove(&place.name());
                        return;
                    }
                }
            }
        }
    }

    async fn post_event(
        &self,
        session: &Session,
        place: &Place,
        event: &Event,
        asked: &mut BTreeMap<PendingId, Asked>,
        spoken: &mut bool,
    ) {
        match event {
            Event::MessageReceived { .. } => *spoken = false,
            Event::Said { text, card } => {
                *spoken = true;
                self.post_said(session, place, text, card.as_ref(), asked).await;
            }
            Event::ReceiptGiven { receipt } => {
                let is_silent = matches!(receipt.outcome, Outcome::Merged | Outcome::Queued | Outcome::Refused);
                if is_silent && !*spoken {
                    self.post_said(session, place, &receipt.detail, None, asked).await;
                }
            }
            Event::PendingClosed { pending, resolution, by } => {
                if let Some(asked) = asked.remove(pending) {
                    self.closed(place, &asked, *resolution, by.as_ref()).await;
                }
            }
            _ => {}
        }
    }

    async fn post_said(
        &self,
        session: &Session,
        place: &Place,
        text: &str,
        card: Option<&Card>,
        asked: &mut BTreeMap<PendingId, Asked>,
    ) {
        let decides = card.and_then(decides);
        let reference = match decides {
            Some(decides) => reference(session, decides).await,
            None => None,
        };
        let blocks = blocks::said(text, card, reference.as_deref());
        match self.post(place, &blocks::short(text, card), blocks).await {
            Ok(at) => {
                if let (Some(decides), Some(card), Some(_)) = (decides, card, reference) {
                    let now = Asked { at, text: text.to_owned(), card: card.clone() };
                    asked.insert(decides.pending, now);
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
