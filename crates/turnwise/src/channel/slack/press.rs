//! Buttons: each carries our signed reference and nothing else; what it does stands in the name of the action. A button
//! of a question that is over, or of an older version, does nothing, and whoever pressed it is told. Next: `blocks`,
//! which makes them.

use std::sync::Arc;

use serde_json::Value;
use turnwise_core::{Conversation, DecisionRef, InputBody, InputKey, PendingKind, PersonId, Resolution, Verdict};

use super::payload::{Interaction, Pressed};
use super::receive::SURFACE;
use super::{Place, Slack, blocks, is_direct, modal};
use crate::driver::{DriverError, Reference, Session};

/// What an old button is told.
pub(super) const NO_LONGER: &str = "This action is no longer available. The workflow has moved on.";
pub(super) const OUTDATED: &str = "This preview is outdated. Please use the current version.";
pub(super) const ALREADY: &str = "This action was already processed.";

/// Does what was pressed.
pub(super) async fn pressed(slack: &Arc<Slack>, interaction: Interaction) {
    let Interaction { kind, user, team, channel, message, trigger_id, actions, .. } = interaction;
    let (Some(team), Some(channel), Some(message)) = (team, channel, message) else { return };
    if kind != "block_actions" {
        return;
    }
    for action in actions {
        // A direct message without a thread has no other place than its channel.
        let thread = message.thread_ts.clone().or_else(|| (!is_direct(&channel.id)).then(|| message.ts.clone()));
        let place = Place { team: team.id.clone(), channel: channel.id.clone(), thread };
        if let Some(form) = modal::Form::of(&action.action_id) {
            if let Some(told) = modal::open(slack, &place, &user.id, &action, form, trigger_id.as_deref()).await {
                slack.tells(&place, &user.id, &told).await;
            }
            continue;
        }
        let key = format!("slack:{}:{}:{}:{}", team.id, action.action_id, message.ts, user.id);
        if let Some(words) = slack.words_of(&action.action_id) {
            if let Some(told) = spoken(slack, &place, &user.id, words, InputKey::new(key)).await {
                slack.whisper(&place, &user.id, &told).await;
            }
            continue;
        }
        if let Some(told) = decided(slack, &place, &user.id, &action, InputKey::new(key)).await {
            slack.tells(&place, &user.id, &told).await;
        }
    }
}

impl Slack {
    /// What a button says that stands beside no question.
    fn words_of(&self, action: &str) -> Option<String> {
        match action {
            blocks::FORGET => Some(self.forget_command()),
            _ => blocks::offered(action).map(str::to_owned),
        }
    }

    /// Tells whoever pressed what became of it; who pressed on an older preview is shown the current one (TK-05).
    async fn tells(self: &Arc<Self>, place: &Place, user: &str, told: &str) {
        let current = if told == OUTDATED { self.current(place).await } else { Vec::new() };
        self.whisper_with(place, user, told, current).await;
    }

    /// What is asked at `place` now, without its buttons, with the way to them.
    async fn current(self: &Arc<Self>, place: &Place) -> Vec<Value> {
        let Ok(session) = self.threads.thread(&place.name()).await else { return Vec::new() };
        let state = session.conversation();
        let Some(question) = state.question() else { return Vec::new() };
        let Some((text, card)) = state.asked(question) else { return Vec::new() };
        let mut shown = blocks::said(OUTDATED, None, None);
        shown.extend(self.named(place, &text, card.as_ref(), None).1);
        let held = self.held(session.id());
        let at = held.and_then(|held| held.asked.into_iter().find(|(pending, ..)| *pending == question.id));
        if let Some((_, at, _)) = at
            && let Ok(link) = self.permalink(&place.channel, &at).await
            && !link.is_empty()
        {
            blocks::end(&mut shown, &format!("<{link}|Decide on it here>"));
        }
        shown
    }
}

/// Decides; gives what whoever pressed is told alone.
async fn decided(slack: &Arc<Slack>, place: &Place, user: &str, action: &Pressed, key: InputKey) -> Option<String> {
    let (Some(verdict), Ok(reference)) = (verdict(&action.action_id), action.value.parse::<Reference>()) else {
        return Some(NO_LONGER.to_owned());
    };
    if let Some(told) = slack.outside(place, user).await {
        return Some(told);
    }
    slack.spoke(user, place);
    // What was said before the press counts before it.
    slack.inbox.settled(place).await;
    let session = match slack.threads.thread(&place.name()).await {
        Ok(session) => session.on(SURFACE),
        Err(error) => return Some(told(&error)),
    };
    slack.is_held(session.id(), place);
    if let Some(told) = no_longer(&session, &reference) {
        return Some(told.to_owned());
    }
    if !fits(&session.conversation(), reference.decision(), &verdict) {
        return Some(NO_LONGER.to_owned());
    }
    let person = PersonId::new(user);
    match session.decide_by(&person, &reference, verdict, key).await {
        Ok(result) if result.duplicate => Some(ALREADY.to_owned()),
        Ok(result) => {
            slack.follow(session, place.clone(), result.first);
            None
        }
        Err(DriverError::Forged) => Some(NO_LONGER.to_owned()),
        Err(error) => Some(told(&error)),
    }
}

/// Says the words of a button as whoever pressed it would; gives what they are told alone.
async fn spoken(slack: &Arc<Slack>, place: &Place, user: &str, text: String, key: InputKey) -> Option<String> {
    if let Some(told) = slack.outside(place, user).await {
        return Some(told);
    }
    slack.inbox.settled(place).await;
    let session = match slack.threads.thread(&place.name()).await {
        Ok(session) => session.on(SURFACE),
        Err(error) => return Some(told(&error)),
    };
    slack.is_held(session.id(), place);
    let person = PersonId::new(user);
    let body = InputBody::Message { person, text, grounding: Vec::new() };
    match session.submit(body, key, None).await {
        Ok(result) if result.duplicate => Some(ALREADY.to_owned()),
        Ok(result) => {
            slack.follow(session, place.clone(), result.first);
            None
        }
        Err(error) => Some(told(&error)),
    }
}

/// Why a button or form with `reference` does nothing in this conversation, as a person is told.
pub(super) fn no_longer(session: &Session, reference: &Reference) -> Option<&'static str> {
    if !reference.is_of(session.id()) {
        return Some(NO_LONGER);
    }
    stale(&session.conversation(), reference.decision())
}

/// Why `reference` cannot be decided on any more, as a person is told.
fn stale(conversation: &Conversation, reference: DecisionRef) -> Option<&'static str> {
    let open = conversation.pending().iter().find(|open| open.id == reference.pending);
    if let Some(open) = open {
        return (open.ui_version != reference.ui_version).then_some(OUTDATED);
    }
    Some(match conversation.resolved(reference.pending).map(|resolved| resolved.resolution) {
        Some(Resolution::Changed | Resolution::Superseded) if conversation.question().is_some() => OUTDATED,
        Some(Resolution::Approved | Resolution::Rejected | Resolution::Answered) => ALREADY,
        Some(Resolution::Changed | Resolution::Superseded | Resolution::Cancelled | Resolution::Expired) | None => {
            NO_LONGER
        }
    })
}

/// Whether what was pressed is one of the ways on of what is asked (TK-04); a button that we made always is.
fn fits(conversation: &Conversation, reference: DecisionRef, verdict: &Verdict) -> bool {
    let open = conversation.pending().iter().find(|open| open.id == reference.pending);
    let Some(open) = open else { return false };
    match &open.kind {
        PendingKind::Approval { .. } => matches!(verdict, Verdict::Approve | Verdict::Reject | Verdict::Cancel),
        PendingKind::Failure { .. } => match verdict {
            Verdict::Choose { number } => open.is_fixable && *number == FIX,
            other => matches!(other, Verdict::Retry | Verdict::Replan | Verdict::Abandon),
        },
        // These offer their ways on by number.
        PendingKind::Clarification { .. }
        | PendingKind::Redirection
        | PendingKind::WhichReading { .. }
        | PendingKind::Paused { .. }
        | PendingKind::UnknownOutcome { .. }
        | PendingKind::ConfirmForget { .. }
        | PendingKind::TalkedOver { .. }
        | PendingKind::Satisfaction { .. }
        | PendingKind::ConfirmExit => matches!(verdict, Verdict::Choose { .. }),
    }
}

/// The way on of a failure that has a fix, by its number.
const FIX: usize = 4;

/// What an action does: the word in front of its first colon.
fn verdict(action: &str) -> Option<Verdict> {
    let mut parts = action.split(':');
    Some(match parts.next()? {
        "approve" => Verdict::Approve,
        "reject" => Verdict::Reject,
        "retry" => Verdict::Retry,
        "replan" => Verdict::Replan,
        "abandon" => Verdict::Abandon,
        "fix" => Verdict::Choose { number: FIX },
        "resume" => Verdict::Resume,
        "cancel" => Verdict::Cancel,
        "choose" => Verdict::Choose { number: parts.next()?.parse().ok()? },
        _ => return None,
    })
}

pub(super) fn told(error: &DriverError) -> String {
    format!("That could not be done: {error}. Please try again.")
}
