//! The messages of a past conversation, each with the state of the conversation in which it was read. The log is folded
//! as always; only the words that named known things are not in it for every message, and are read off what was made of
//! them then. Next: `replay`.

use turnwise_core::{
    Conversation, ConversationId, Event, MessageId, MessageReading, PendingKind, ReadContext, Sequence, Tier,
};
use turnwise_intent::Profile;

use crate::store::Store;
use turnwise_assistant::{Failure, FailureKind};

/// A message that was read.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// Its number.
    pub message: MessageId,
    /// What was said.
    pub text: String,
    /// Where the conversation stood.
    pub context: ReadContext,
}

/// The messages of the conversation `id` that were read for what they ask, in order; `None` when it is not with the
/// assistant of `profile`.
///
/// # Errors
/// Whatever the store says, and when the log does not fold.
pub async fn messages(
    store: &dyn Store,
    id: &ConversationId,
    profile: &Profile,
) -> Result<Option<Vec<Replayed>>, Failure> {
    let mut all = Vec::new();
    let mut state: Option<Conversation> = None;
    let mut received: Option<(MessageId, String)> = None;
    let mut after = Sequence::new(0);
    loop {
        let page = store.events_after(id, after).await?;
        let Some(last) = page.last() else { return Ok(Some(all)) };
        after = last.sequence;
        for recorded in page {
            if let Event::ConversationOpened { assistant, .. } = &recorded.event {
                if assistant.as_str() != profile.name {
                    return Ok(None);
                }
                state.get_or_insert_with(|| Conversation::new(assistant.clone()));
            }
            let Some(state) = &mut state else { return Err(no_beginning(id)) };
            take(&mut all, &mut received, state, &recorded.event, profile);
            state.apply(&recorded.event).map_err(|error| {
                let message = format!("conversation {id} cannot be read again: {error}");
                Failure::new(FailureKind::Operator, message)
                    .hint("its log was changed by something else")
                    .caused_by(error)
            })?;
        }
    }
}

fn take(
    all: &mut Vec<Replayed>,
    received: &mut Option<(MessageId, String)>,
    state: &Conversation,
    event: &Event,
    profile: &Profile,
) {
    match event {
        Event::MessageReceived { message, text, .. } => *received = Some((*message, text.clone())),
        Event::MessageRead { message, reading } if !is_choice(reading) => {
            let Some((_, text)) = received.take_if(|(received, _)| received == message) else { return };
            let context = ReadContext {
                phase: state.phase(),
                mode: state.mode(),
                has_plan: state.plan().is_some(),
                has_result: state.result().is_some(),
                grounding: grounding(reading, profile),
                around: state.around().clone(),
                ..ReadContext::default()
            };
            all.push(Replayed { message: *message, text, context });
        }
        // What names known things is kept with a question about the message.
        Event::PendingOpened { pending } => {
            if let (PendingKind::WhichReading { text, grounding, .. }, Some(last)) = (&pending.kind, all.last_mut())
                && *text == last.text
            {
                last.context.grounding.clone_from(grounding);
            }
        }
        _ => {}
    }
}

/// Whether a person chose among readings; what the message says by itself is "2".
fn is_choice(reading: &MessageReading) -> bool {
    let by_person = |one: &turnwise_core::Reading| one.tier == Tier::Person;
    matches!(reading, MessageReading::Understood { requests, .. } if requests.iter().any(by_person))
}

/// A rule that wants known things to be named spoke only because they were: then that is how it is read again.
fn grounding(reading: &MessageReading, profile: &Profile) -> Vec<String> {
    let MessageReading::Understood { segments, .. } = reading else { return Vec::new() };
    let is_grounded = |reason: &str| {
        let name = reason.strip_prefix("rule ").and_then(|rest| rest.split_once(':')).map(|(name, _)| name);
        profile.rules.iter().any(|rule| Some(rule.name.as_str()) == name && rule.grounded)
    };
    let named = segments.iter().filter(|one| one.tier == Tier::Rule && is_grounded(&one.reason));
    named.map(|one| one.segment.clone()).collect()
}

fn no_beginning(id: &ConversationId) -> Failure {
    Failure::new(FailureKind::Operator, format!("the log of conversation {id} has no beginning"))
        .hint("its log was changed by something else")
}
