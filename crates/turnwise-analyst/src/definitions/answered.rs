//! Meanings that were asked for: what the person answered to “What does “parcel” mean here?”. Until there is a plan
//! they are answers of the task, understood like any statement; with the plan they become facts. Next: `understand`,
//! and `asked` for the question.

use turnwise_core::{ClarifiedAnswer, MessageId, Task, Taught};

use super::said::{self, Said};
use super::understand::{self, Misunderstood};
use super::{fact, text};
use crate::catalogue::Catalogue;
use crate::words;

/// The topic of the question what words mean; the words follow.
const MEANING_OF: &str = "meaning: ";
/// The topic of words that were linked to what is nearest in meaning; the words follow. Nobody said so: it is no fact.
const LINKED: &str = "linked: ";

/// The topic of the question what `term` means.
pub fn topic(term: &str) -> String {
    format!("{MEANING_OF}{term}")
}

/// The topic under which `term` is linked.
pub fn linked(term: &str) -> String {
    format!("{LINKED}{term}")
}

/// The words of which a topic says what they mean.
pub fn meant_of(topic: &str) -> Option<&str> {
    topic.strip_prefix(MEANING_OF).or_else(|| topic.strip_prefix(LINKED))
}

/// An answer, taken apart.
pub struct Answered {
    /// The words that were asked about.
    pub term: String,
    /// What they are to mean.
    pub means: String,
    /// Where it was said.
    pub said_in: Option<MessageId>,
    /// Whether it was linked and nobody said it.
    pub is_linked: bool,
}

/// The last answer to each of the questions.
pub fn of(answers: &[ClarifiedAnswer]) -> Vec<Answered> {
    let mut found: Vec<Answered> = Vec::new();
    for answer in answers {
        let Some(term) = meant_of(&answer.topic) else { continue };
        let is_linked = answer.topic.starts_with(LINKED);
        found.retain(|other| other.term != term);
        let means = if is_linked { answer.answer.clone() } else { meant(term, &answer.answer) };
        found.push(Answered { term: term.to_owned(), means, said_in: answer.said_in, is_linked });
    }
    found
}

/// The first answer that comes to nothing in this data: the words, the answer and why.
pub fn misunderstood(catalogue: &Catalogue, task: &Task) -> Option<(String, Misunderstood)> {
    of(&task.answers).into_iter().filter(|answered| !answered.is_linked).find_map(|answered| {
        let why = understand::understand(catalogue, &answered.term, &answered.means).err()?;
        Some((answered.term, why))
    })
}

/// What the answers state, to be held from here on.
pub fn taught(catalogue: &Catalogue, task: &Task) -> Vec<Taught> {
    let understood = |answered: Answered| {
        understand::understand(catalogue, &answered.term, &answered.means).ok()?;
        let topic = topic(&answered.term);
        let said = Said { term: answered.term, means: answered.means, is_choice: false };
        Some(Taught { topic, statement: fact(&said) })
    };
    of(&task.answers).into_iter().filter(|answered| !answered.is_linked).filter_map(understood).collect()
}

/// Words in which people answer what something means, before they say it.
const LEADS: [&str; 15] = [
    "it means",
    "that means",
    "this means",
    "it is",
    "that is",
    "they are",
    "these are",
    "those are",
    "i mean",
    "we mean",
    "meaning",
    "same as",
    "the same as",
    "another word for",
    "it",
];

/// What an answer says that `term` means, without the words around it.
fn meant(term: &str, answer: &str) -> String {
    let stems = text::stems(term);
    if let Some(said) = said::parse(answer).filter(|said| !said.is_choice && text::stems(&said.term) == stems) {
        return said.means;
    }
    let mut rest = said::bare(answer).unwrap_or_default();
    let plain = |rest: &str| words::fold(rest);
    // "A parcel is a shipment": what is said of it stands behind the verb.
    for verb in [" is ", " are ", " means ", " mean "] {
        if let Some(at) = plain(&rest).find(verb)
            && rest.is_char_boundary(at + verb.len())
            && text::stems(&rest[..at]) == stems
        {
            rest = rest[at + verb.len()..].to_owned();
        }
    }
    for lead in LEADS {
        if let Some(after) = plain(&rest).strip_prefix(lead).filter(|after| after.starts_with(' '))
            && let Some(after) = rest.get(rest.len() - after.len()..)
        {
            rest = after.trim_start().to_owned();
        }
    }
    said::bare(&rest).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn an_answer_says_what_is_meant_in_many_ways() {
        for answer in [
            "shipments",
            "the shipments",
            "it means shipments",
            "It means the shipments.",
            "I mean shipments",
            "parcels are shipments",
            "a parcel means shipments",
            "by parcel I mean shipments",
            "they are the same as shipments",
        ] {
            assert_eq!(meant("parcel", answer), "shipments", "{answer}");
        }
        assert_eq!(meant("parcel", "orders over 2 kg"), "orders over 2 kg");
        assert_eq!(meant("parcel", "is it?"), "is it");
        assert_eq!(meant("parcel", "…"), "");
    }
}
