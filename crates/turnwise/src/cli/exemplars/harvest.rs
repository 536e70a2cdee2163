//! What one conversation teaches, read from its log and nothing else: a reading that a person chose, an unclear message
//! that was said again in clear words, a reading that was corrected, and what a model read. Next: `proposals`, which
//! gathers this over all conversations.

use std::collections::VecDeque;

use turnwise_core::{Event, MessageId, MessageReading, Outcome, PendingKind, Reading, Reply, Tier, Timestamp};
use turnwise_intent::Label;
use turnwise_intent::limits::EMBED_BYTES_MAX;

use super::correction::meant_instead;

/// A message that should be read as a label.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The words.
    pub text: String,
    /// What they mean.
    pub label: Label,
    /// How that is known.
    pub reason: Reason,
    /// The message.
    pub message: MessageId,
    /// When it became known.
    pub at: Timestamp,
}

/// How it is known what a message meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was unclear, and the person chose this reading.
    Chosen,
    /// It was unclear, and the person said it again in these words.
    Reworded {
        /// The clear words.
        words: String,
    },
    /// It was read otherwise, and the person corrected that.
    Corrected {
        /// The words of the correction.
        words: String,
        /// How it was read.
        was: Label,
    },
    /// Rules and exemplars were unsure, and a model read it so.
    Model,
}

/// What is known about words beside the log.
pub trait Judge {
    /// What `words` mean by themselves today, when that is sure and one thing.
    fn meaning(&self, words: &str) -> Option<Label>;

    /// Whether two messages are about the same.
    fn are_alike(&self, one: &str, other: &str) -> bool;
}

/// Reads one conversation's log, event by event.
pub struct Harvest<'j> {
    judge: &'j dyn Judge,
    /// The latest messages, the newest last.
    heard: VecDeque<Heard>,
    /// The unclear message that the person is being asked about.
    asked: Option<Heard>,
    found: Vec<Finding>,
}

#[derive(Clone, Debug)]
struct Heard {
    message: MessageId,
    text: String,
    at: Timestamp,
    reading: Option<MessageReading>,
    /// Whether it dropped what was open.
    cancels: bool,
    /// Whether it was a choice among readings, and so no message of its own.
    chooses: bool,
    /// Whether it was asked about or refused, and not taken as the answer to a question that was open.
    is_unclear: bool,
}

impl<'j> Harvest<'j> {
    /// Before the first event.
    pub fn new(judge: &'j dyn Judge) -> Self {
        Self { judge, heard: VecDeque::new(), asked: None, found: Vec::new() }
    }

    /// Takes the next event in.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::MessageReceived { message, text, at, .. } => {
                self.settle();
                self.heard.push_back(Heard {
                    message: *message,
                    text: text.trim().to_owned(),
                    at: *at,
                    reading: None,
                    cancels: false,
                    chooses: false,
                    is_unclear: false,
                });
                if self.heard.len() > HEARD_MAX {
                    self.heard.pop_front();
                }
            }
            Event::MessageRead { message, reading } => self.read(*message, reading),
            Event::ReplyRead { message, reply, .. } => {
                if let Some(now) = self.heard.back_mut().filter(|now| now.message == *message) {
                    now.cancels |= matches!(reply, Reply::Cancel | Reply::Reject);
                }
            }
            Event::ReceiptGiven { receipt } => {
                if let Some(now) = self.heard.back_mut().filter(|now| now.message == receipt.message) {
                    now.is_unclear = matches!(receipt.outcome, Outcome::Asked | Outcome::Refused);
                }
            }
            Event::PendingOpened { pending } if matches!(pending.kind, PendingKind::WhichReading { .. }) => {
                self.asked = self.heard.back().cloned();
            }
            _ => {}
        }
    }

    /// What was found.
    pub fn finish(mut self) -> Vec<Finding> {
        self.settle();
        self.found
    }

    fn read(&mut self, message: MessageId, reading: &MessageReading) {
        let Some(now) = self.heard.back_mut().filter(|now| now.message == message) else { return };
        match only(reading).filter(|one| one.tier == Tier::Person) {
            None => {
                now.reading.get_or_insert_with(|| reading.clone());
            }
            Some(chosen) => {
                now.chooses = true;
                let at = now.at;
                if let Some(asked) = self.asked.take() {
                    self.found.extend(finding(&chosen.segment, label(chosen), Reason::Chosen, &asked, at));
                }
            }
        }
    }

    /// The latest message is whole: what does it say about those before it?
    fn settle(&mut self) {
        let Some(now) = self.heard.back().filter(|now| !now.chooses) else { return };
        let mut earlier = self.heard.iter().rev().skip(1);
        let (before, first) = (earlier.next(), earlier.next());
        let by_model = now.only().filter(|one| one.tier == Tier::Model);
        let by_model = by_model.and_then(|one| finding(&one.segment, label(one), Reason::Model, now, now.at));
        let found = before.and_then(|before| self.reworded(before, now).or_else(|| self.corrected(before, now)));
        let restated = || self.restated(first?, before?, now);
        let learned: Vec<Finding> = by_model.into_iter().chain(found.or_else(restated)).collect();
        self.found.extend(learned);
    }

    /// An unclear message, and then "no, I meant …", or a clear one that is about the same or was the reader's guess.
    fn reworded(&self, before: &Heard, now: &Heard) -> Option<Finding> {
        let Some(MessageReading::Unsure { options }) = before.reading.as_ref().filter(|_| before.is_unclear) else {
            return None;
        };
        let guess = options.first();
        let text = guess.map_or(before.text.as_str(), |guess| guess.segment.as_str());
        let means = match meant_instead(&now.text).filter(|meant| !meant.is_empty()) {
            Some(meant) => self.judge.meaning(meant)?,
            None => {
                let clear = label(now.only()?);
                let was_guessed = guess
                    .map(label)
                    .is_some_and(|guess| guess == clear || guess.sub.is_none() && guess.primary == clear.primary);
                (was_guessed || self.judge.are_alike(text, &now.text)).then_some(clear)?
            }
        };
        finding(text, means, Reason::Reworded { words: now.text.clone() }, before, now.at)
    }

    /// "No, I meant …".
    fn corrected(&self, before: &Heard, now: &Heard) -> Option<Finding> {
        let meant = meant_instead(&now.text).filter(|meant| !meant.is_empty())?;
        let was = before.understood()?;
        let now_means = self.judge.meaning(meant).filter(|means| *means != label(was))?;
        finding(&was.segment, now_means, reason(was, &now.text), before, now.at)
    }

    /// "That's not what I meant", or a cancel, and then the same in other words that are read otherwise.
    fn restated(&self, first: &Heard, between: &Heard, now: &Heard) -> Option<Finding> {
        let takes_back = between.cancels
            || meant_instead(&between.text) == Some("")
            || between.only().is_some_and(|one| one.act == turnwise_core::Act::Control(turnwise_core::Control::Cancel));
        let (was, is) = (first.understood()?, now.only()?);
        let changed = takes_back && label(was) != label(is) && self.judge.are_alike(&was.segment, &is.segment);
        changed.then(|| finding(&was.segment, label(is), reason(was, &now.text), first, now.at))?
    }
}

impl Heard {
    fn only(&self) -> Option<&Reading> {
        only(self.reading.as_ref()?)
    }

    /// What it was understood as, where the reader judged for itself: commands mean what they say.
    fn understood(&self) -> Option<&Reading> {
        self.only().filter(|one| matches!(one.tier, Tier::Rule | Tier::Exemplar | Tier::Model))
    }
}

/// The one request of a message, when there is exactly one.
fn only(reading: &MessageReading) -> Option<&Reading> {
    match reading {
        MessageReading::Understood { requests, .. } => match requests.as_slice() {
            [one] => Some(one),
            _ => None,
        },
        MessageReading::Unsure { .. }
        | MessageReading::UnknownCommand { .. }
        | MessageReading::Bare { .. }
        | MessageReading::Empty => None,
    }
}

fn label(reading: &Reading) -> Label {
    Label { primary: reading.intent.clone(), sub: reading.sub.clone() }
}

fn reason(was: &Reading, words: &str) -> Reason {
    Reason::Corrected { words: words.to_owned(), was: label(was) }
}

/// Words that the embedding would see only in part make no exemplar.
fn finding(text: &str, label: Label, reason: Reason, about: &Heard, at: Timestamp) -> Option<Finding> {
    let text = text.trim();
    let fits = !text.is_empty() && text.len() <= EMBED_BYTES_MAX;
    fits.then(|| Finding { text: text.to_owned(), label, reason, message: about.message, at })
}

/// A correction looks back two messages.
const HEARD_MAX: usize = 3;
