//! All that past conversations propose for a profile, in the order in which it became known. The logs are the only
//! source: a proposal is worked out anew each time, and is gone once its words are an exemplar or were rejected. Its
//! number is its place among everything ever found, so that numbers stay while proposals come and go. Next: `review`.

use std::collections::BTreeMap;

use turnwise_core::{ConversationId, Event, MessageId, ReadContext, Reader as _, Sequence, Tier};
use turnwise_intent::evaluate::Answer;
use turnwise_intent::{Cached, Embedder, IntentReader, Label, MiniLm, Profile, levelled};

use super::harvest::{Finding, Harvest, Judge, Reason};
use super::rejected::Rejected;
use crate::store::{Position, Store};
use turnwise_assistant::Failure;

/// What could be learned: these words, for this label.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// From 1; see the head of this file.
    pub number: usize,
    /// The words, as they would be stored.
    pub text: String,
    /// What they would stand under.
    pub label: Label,
    /// Where it was seen, earliest first.
    pub seen: Vec<Seen>,
    /// How it is read today.
    pub today: Answer,
    /// Why it cannot be accepted as it is.
    pub obstacle: Option<Obstacle>,
}

/// One occasion.
#[derive(Clone, Debug)]
pub struct Seen {
    /// In this conversation.
    pub conversation: ConversationId,
    /// At this message.
    pub message: MessageId,
    /// How it is known what was meant.
    pub reason: Reason,
}

/// Why accepting would change nothing, or cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A rule on words reads it otherwise, and rules come first.
    Rule(String),
    /// The words are an exemplar of another label.
    ExemplarOf(Label),
}

/// What was found in a store.
#[derive(Clone, Debug, Default)]
pub struct Proposals {
    /// Those that are open, in order of number.
    pub open: Vec<Proposal>,
    /// Conversations that were looked through.
    pub conversations: usize,
    /// Messages in them.
    pub messages: usize,
}

/// Looks through all conversations with the assistant of `reader`.
///
/// # Errors
/// Whatever the store says.
pub async fn collect(store: &dyn Store, reader: &IntentReader, rejected: &Rejected) -> Result<Proposals, Failure> {
    let judge = Today { reader, embeddings: Cached::new(MiniLm) };
    let mut found = Vec::new();
    let mut all = Proposals::default();
    for id in conversations(store).await? {
        let Some((messages, findings)) = of_conversation(store, &id, &judge).await? else { continue };
        all.conversations += 1;
        all.messages += messages;
        found.extend(findings.into_iter().map(|finding| (id.clone(), finding)));
    }
    found.sort_by(|(a_id, a), (b_id, b)| (a.at, a_id, a.message).cmp(&(b.at, b_id, b.message)));
    all.open = merged(found, reader.profile())
        .into_iter()
        .filter(|one| !is_exemplar(reader.profile(), one) && !rejected.has(&one.text, &one.label))
        .map(|one| judged(one, reader))
        .collect();
    Ok(all)
}

/// Every conversation of a store, oldest first: their ids begin with the time.
///
/// # Errors
/// Whatever the store says.
pub async fn conversations(store: &dyn Store) -> Result<Vec<ConversationId>, Failure> {
    let mut ids: Vec<ConversationId> =
        store.changes(Position::default()).await?.grown.into_iter().map(|(id, _)| id).collect();
    ids.sort();
    Ok(ids)
}

/// The messages and findings of one conversation; `None` when it is with another assistant.
async fn of_conversation(
    store: &dyn Store,
    id: &ConversationId,
    judge: &Today<'_>,
) -> Result<Option<(usize, Vec<Finding>)>, Failure> {
    let mut harvest = Harvest::new(judge);
    let (mut messages, mut after) = (0, Sequence::new(0));
    loop {
        let page = store.events_after(id, after).await?;
        let Some(last) = page.last() else { return Ok(Some((messages, harvest.finish()))) };
        after = last.sequence;
        for recorded in &page {
            match &recorded.event {
                Event::ConversationOpened { assistant, .. } if assistant.as_str() != judge.reader.profile().name => {
                    return Ok(None);
                }
                Event::MessageReceived { .. } => messages += 1,
                _ => {}
            }
            harvest.take(&recorded.event);
        }
    }
}

/// Findings that say the same become one proposal.
fn merged(found: Vec<(ConversationId, Finding)>, profile: &Profile) -> Vec<Proposal> {
    let mut places: BTreeMap<(String, Label), usize> = BTreeMap::new();
    let mut proposals: Vec<Proposal> = Vec::new();
    for (conversation, Finding { text, label, reason, message, .. }) in found {
        let Some(label) = of_today(label, profile) else { continue };
        let seen = Seen { conversation, message, reason };
        let place = *places.entry((levelled(&text), label.clone())).or_insert(proposals.len());
        match proposals.get_mut(place) {
            Some(same) => same.seen.push(seen),
            None => {
                let today = Answer { label: None, confidence: 0.0, acted_on: false };
                let number = proposals.len() + 1;
                proposals.push(Proposal { number, text, label, seen: vec![seen], today, obstacle: None });
            }
        }
    }
    proposals
}

/// The label as the profile has it today. Logs outlive profiles: one that is gone, and one that needs a finer label and
/// has none, can have no exemplars.
fn of_today(label: Label, profile: &Profile) -> Option<Label> {
    let label = match profile.older_labels.get(&label.to_string()) {
        Some(renamed) if !profile.labels.contains_key(&label) => renamed.clone(),
        _ => label,
    };
    let is_whole = label.sub.is_some() || !profile.needs_sub(&label.primary);
    (profile.labels.contains_key(&label) && is_whole).then_some(label)
}

fn is_exemplar(profile: &Profile, proposal: &Proposal) -> bool {
    let words = levelled(&proposal.text);
    profile.exemplars.iter().any(|exemplar| exemplar.label == proposal.label && levelled(&exemplar.text) == words)
}

fn judged(mut proposal: Proposal, reader: &IntentReader) -> Proposal {
    let reading = reader.read(&proposal.text, &ReadContext::default());
    proposal.today = Answer::of(&reading);
    let words = levelled(&proposal.text);
    let other = reader.profile().exemplars.iter().find(|exemplar| levelled(&exemplar.text) == words);
    let ruled = match &reading {
        turnwise_core::MessageReading::Understood { segments, .. } => {
            segments.iter().find(|segment| segment.tier == Tier::Rule)
        }
        _ => None,
    };
    let reads_otherwise = proposal.today.label.as_ref() != Some(&proposal.label);
    proposal.obstacle = match (other, ruled) {
        (Some(other), _) => Some(Obstacle::ExemplarOf(other.label.clone())),
        (None, Some(rule)) if reads_otherwise => Some(Obstacle::Rule(rule.reason.clone())),
        (None, _) => None,
    };
    proposal
}

/// What words mean by the profile as it is.
struct Today<'r> {
    reader: &'r IntentReader,
    embeddings: Cached<MiniLm>,
}

impl Judge for Today<'_> {
    fn meaning(&self, words: &str) -> Option<Label> {
        let answer = Answer::of(&self.reader.read(words, &ReadContext::default()));
        answer.label.filter(|_| answer.acted_on)
    }

    fn are_alike(&self, one: &str, other: &str) -> bool {
        let (Ok(one), Ok(other)) = (self.embeddings.embed(one), self.embeddings.embed(other)) else { return false };
        let cosine: f32 = one.values().iter().zip(other.values()).map(|(a, b)| a * b).sum();
        cosine >= ALIKE_MIN
    }
}

/// Two messages about the same lie at least this near: rewordings in the analyst's exemplars mostly lie above it,
/// messages about different things below. A proposal that should not have been made costs a glance, no more.
const ALIKE_MIN: f32 = 0.5;

#[cfg(test)]
#[expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]
mod tests {
    use turnwise_core::{Act, MessageReading, Outcome, PersonId, PlanKind, Reading, Receipt, Surroundings, Timestamp};

    use super::*;

    /// What is learned from an unclear message that ended so, followed by a clear one about the same.
    fn learned(outcome: Outcome) -> Vec<Finding> {
        let reader = IntentReader::builtin("analyst").unwrap();
        let judge = Today { reader: &reader, embeddings: Cached::new(MiniLm) };
        let mut harvest = Harvest::new(&judge);
        let clear = "show the revenue by region";
        let understood = MessageReading::Understood { requests: vec![task(clear)], segments: vec![task(clear)] };
        let unclear = MessageReading::Unsure { options: Vec::new() };
        let said = [(1_u64, "the revenue by region", unclear, outcome), (2, clear, understood, Outcome::Applied)];
        for (number, text, reading, outcome) in said {
            let message = MessageId::new(number);
            let person = PersonId::new("p");
            let at = Timestamp::from_millis(number.cast_signed());
            let (text, surface, around) = (text.to_owned(), None, Surroundings::default());
            harvest.take(&Event::MessageReceived { message, person, text, surface, around, at });
            harvest.take(&Event::MessageRead { message, reading });
            harvest
                .take(&Event::ReceiptGiven { receipt: Receipt { message, outcome, detail: String::new(), by: None } });
        }
        harvest.finish()
    }

    fn task(text: &str) -> Reading {
        Reading::certain(text, "plan_new", Act::PlanNew(PlanKind::Plain), Tier::Exemplar, "")
    }

    #[test]
    fn words_that_answered_an_open_question_are_no_unclear_message() {
        assert_eq!(learned(Outcome::Merged), []);
        let found = learned(Outcome::Asked);
        let [one] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((one.text.as_str(), one.label.to_string().as_str()), ("the revenue by region", "plan_new"));
        assert_eq!(one.reason, Reason::Reworded { words: "show the revenue by region".to_owned() });
    }
}
