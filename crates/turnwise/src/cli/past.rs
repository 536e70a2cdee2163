//! What was said in kept conversations, and how it was read then. Readings are recorded with the turn they led to, so
//! they can be looked at long after the profile has changed. Next: `why`.

use std::sync::Arc;

use turnwise_core::{
    ConversationId, Decider, Event, MessageId, MessageReading, ModelCall, PendingId, Reply, Resolution, Sequence,
};

use crate::store::{Listing, Store, Summary};
use turnwise_assistant::{Failure, FailureKind};

/// A message of a conversation.
#[derive(Clone, Debug)]
pub struct Past {
    /// Its number in the conversation.
    pub message: MessageId,
    /// Who said it, where and when.
    pub by: Decider,
    /// What was said.
    pub text: String,
    /// The questions it ended, and how.
    pub ended: Vec<(PendingId, Resolution)>,
    /// How it was read as a message of its own, if it was.
    pub reading: Option<MessageReading>,
    /// How it was read as a reply to an open question, if it was.
    pub reply: Option<Reply>,
    /// The calls of language models that were made for it, in order.
    pub calls: Vec<Arc<ModelCall>>,
}

/// The kept conversation that `wanted` names or begins; the last one when nothing is wanted.
///
/// # Errors
/// When there is none, or several begin so.
pub async fn conversation(store: &dyn Store, wanted: Option<&str>) -> Result<Summary, Failure> {
    let listing = Listing { beginning: wanted.map(str::to_owned), ..Listing::default() };
    let known = store.conversations(&listing).await?;
    // Among many that begin so, the one that is called exactly that may be on a later page.
    let exact = match wanted {
        Some(wanted) => store.conversations(&Listing::of(ConversationId::new(wanted))).await?.pop(),
        None => None,
    };
    let mut fitting = known.iter();
    match (exact.as_ref().or_else(|| fitting.next()), wanted) {
        (None, None) => Err(Failure::new(FailureKind::Usage, "no conversation is kept here")
            .hint("--text \"…\" shows how words are read without one")
            .hint("a conversation kept with --db FILE needs the same --db FILE")),
        (None, Some(wanted)) => Err(Failure::new(FailureKind::Usage, format!("there is no conversation {wanted}"))
            .hint("leave it out for the last one; one kept with --db FILE needs the same --db FILE")),
        (Some(_), Some(wanted)) if exact.is_none() && fitting.next().is_some() => {
            Err(Failure::new(FailureKind::Usage, format!("several conversations begin with {wanted}"))
                .hint("write more of the id"))
        }
        (Some(found), _) => Ok(found.clone()),
    }
}

/// The messages of a conversation in order, each as it was read first: a choice among readings is a message of its own.
///
/// # Errors
/// Whatever the store says.
pub async fn messages(store: &dyn Store, id: &ConversationId) -> Result<Vec<Past>, Failure> {
    let mut messages: Vec<Past> = Vec::new();
    let mut after = Sequence::new(0);
    loop {
        let page = store.events_after(id, after).await?;
        let Some(last) = page.last() else { return Ok(messages) };
        after = last.sequence;
        for recorded in page {
            match recorded.event {
                Event::MessageReceived { message, person, text, surface, at, .. } => {
                    let by = Decider { person, surface, at };
                    messages.push(Past {
                        message,
                        by,
                        text,
                        ended: Vec::new(),
                        reading: None,
                        reply: None,
                        calls: Vec::new(),
                    });
                }
                Event::PendingClosed { pending, resolution, by: Some(_) } => {
                    if let Some(past) = messages.last_mut() {
                        past.ended.push((pending, resolution));
                    }
                }
                Event::MessageRead { message, reading } => {
                    if let Some(past) = messages.iter_mut().find(|past| past.message == message) {
                        past.reading.get_or_insert(reading);
                    }
                }
                Event::ReplyRead { message, reply, .. } => {
                    if let Some(past) = messages.iter_mut().find(|past| past.message == message) {
                        past.reply.get_or_insert(reply);
                    }
                }
                Event::ModelAsked { call } => {
                    if let Some(past) = messages.iter_mut().find(|past| Some(past.message) == call.message) {
                        past.calls.push(call);
                    }
                }
                _ => {}
            }
        }
    }
}
