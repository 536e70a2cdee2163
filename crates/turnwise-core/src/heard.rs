//! What was said lately and by whom, kept with a conversation so that work knows who asked for it, how that was read
//! and what the talk was about. Next: `conversation`, which hands it on with tasks and questions.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Card, MessageId, MessageReading, PersonId, Routing, Surroundings, limits};

/// Who asked for something, how it was read, and what had been said before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    /// The message that asked; absent where nobody spoke, and in older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
    /// Who; absent where nobody spoke, or so long ago that it is not kept.
    pub person: Option<PersonId>,
    /// The profile's label of the request; absent where it was not read as one.
    pub intent: Option<String>,
    /// The latest that was said, oldest first, the request itself among it; at most `limits::UTTERANCES_MAX`.
    pub recent: Vec<Utterance>,
    /// What lay open before whoever spoke last and could tell.
    #[serde(default, skip_serializing_if = "Surroundings::is_empty")]
    pub around: Surroundings,
    /// How readily it is asked what is meant, where the conversation settled that for itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<Routing>,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utterance {
    /// Who said it; absent for the assistant.
    pub by: Option<PersonId>,
    /// What was said, cut to `limits::UTTERANCE_WIDTH`.
    pub text: Arc<str>,
}

/// The latest messages and what was said to them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recent {
    said: VecDeque<Utterance>,
    /// By whom the latest messages are and what they were read as.
    messages: VecDeque<Received>,
    /// What lay open when somebody said so last: it is taken to lie open still.
    #[serde(default, skip_serializing_if = "Surroundings::is_empty")]
    around: Surroundings,
    /// Whether what was said last offers what can be done with the run, by number.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    offers_ways: bool,
}

/// Whose a message is and what was read in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Received {
    message: MessageId,
    person: PersonId,
    /// The words of each request with its label.
    requests: Vec<(String, String)>,
}

impl Recent {
    pub(crate) fn received(&mut self, message: MessageId, person: &PersonId, words: &str) {
        push(
            &mut self.messages,
            Received { message, person: person.clone(), requests: Vec::new() },
            limits::RECENT_TURNS_MAX,
        );
        self.say(Some(person.clone()), words);
    }

    pub(crate) fn read(&mut self, message: MessageId, reading: &MessageReading) {
        let MessageReading::Understood { requests, .. } = reading else { return };
        if let Some(heard) = self.messages.iter_mut().rev().find(|heard| heard.message == message) {
            heard.requests = requests.iter().map(|read| (read.segment.clone(), read.intent.clone())).collect();
        }
    }

    pub(crate) fn say(&mut self, by: Option<PersonId>, words: &str) {
        if !words.trim().is_empty() {
            let text = cut(words).into();
            push(&mut self.said, Utterance { by, text }, limits::UTTERANCES_MAX);
        }
    }

    /// What was said to a person, with its card.
    pub(crate) fn told(&mut self, words: &str, card: Option<&Card>) {
        self.say(None, words);
        self.offers_ways = card.is_some_and(Card::offers_ways);
    }

    pub(crate) fn offers_ways(&self) -> bool {
        self.offers_ways
    }

    /// Who gave `message`, while that is kept.
    pub(crate) fn person(&self, message: Option<MessageId>) -> Option<&PersonId> {
        self.heard(message).map(|heard| &heard.person)
    }

    /// What `words` of `message` were read as, while that is kept.
    pub(crate) fn intent(&self, message: Option<MessageId>, words: &str) -> Option<&str> {
        let requests = &self.heard(message)?.requests;
        let named = requests.iter().find(|(segment, _)| segment == words);
        named.or_else(|| requests.first()).map(|(_, intent)| intent.as_str())
    }

    /// What lies open now; who cannot tell changes nothing.
    pub(crate) fn lay_open(&mut self, around: &Surroundings) {
        if !around.is_empty() {
            self.around = around.clone();
        }
    }

    pub(crate) fn around(&self) -> &Surroundings {
        &self.around
    }

    pub(crate) fn utterances(&self) -> Vec<Utterance> {
        self.said.iter().cloned().collect()
    }

    fn heard(&self, message: Option<MessageId>) -> Option<&Received> {
        let message = message?;
        self.messages.iter().rev().find(|heard| heard.message == message)
    }
}

fn push<T>(into: &mut VecDeque<T>, item: T, most: usize) {
    into.push_back(item);
    while into.len() > most {
        into.pop_front();
    }
}

/// The words, without what goes beyond the width that is kept.
fn cut(words: &str) -> String {
    let words = words.trim();
    match words.char_indices().nth(limits::UTTERANCE_WIDTH) {
        Some((at, _)) => format!("{}…", words.get(..at).unwrap_or_default()),
        None => words.to_owned(),
    }
}
