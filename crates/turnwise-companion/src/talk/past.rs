//! What was told before: found by words, else by closeness of meaning, with the numbers of the notes; and where nothing
//! is found, that is said. Next: `answer`.

use turnwise_core::text;
use turnwise_intent::{Embedder as _, MiniLm};

use super::place::Place;
use super::told::lines;
use crate::store::{Note, NoteState, Project, StoreError};
use crate::voice::VOICE;

impl Place<'_> {
    /// The notes of `project` that a message asks for.
    pub(super) fn past(&self, project: &Project, said: &str) -> Result<String, StoreError> {
        let name = ("project", project.name.as_str());
        let mut notes = self.store.notes(&self.person, &project.id, self.now_ms, super::told::COUNTED_MAX)?;
        if notes.is_empty() {
            return Ok(VOICE.notes_none.with(&[name]));
        }
        let Some(topic) = topic_of(said, &project.name) else {
            // What the person stands by comes first.
            notes.sort_by_key(|note| (note.state != NoteState::Committed, -note.number));
            notes.truncate(LISTED_MAX);
            return Ok(VOICE.notes_all.with(&[name, ("list", &lines(&notes))]));
        };
        let words: Vec<String> = text::words(&topic);
        let topic = ("topic", topic.as_str());
        let found = self.store.search(&self.person, &project.id, &words, self.now_ms)?;
        if !found.is_empty() {
            return Ok(VOICE.notes_found.with(&[name, topic, ("list", &lines(&found))]));
        }
        match near(topic.1, &notes) {
            near if near.is_empty() => Ok(VOICE.notes_not_found.with(&[name, topic])),
            near => Ok(VOICE.notes_near.with(&[name, topic, ("list", &lines(&near))])),
        }
    }

    /// What the person told about themselves.
    pub(super) fn about_person(&self) -> Result<String, StoreError> {
        let told = self.store.personal(&self.person, self.now_ms)?;
        if told.is_empty() {
            return Ok(VOICE.personal_none.plain());
        }
        let list: Vec<String> = told.iter().take(LISTED_MAX).map(|told| told.text.clone()).collect();
        Ok(VOICE.personal_all.with(&[("list", &list.join("\n"))]))
    }
}

/// The notes closest in meaning, closest first; none that is not close.
fn near(topic: &str, notes: &[Note]) -> Vec<Note> {
    let Ok(wanted) = MiniLm.embed(topic) else { return Vec::new() };
    let closeness = |note: &Note| MiniLm.embed(&note.text).map_or(0.0, |of| of.cosine(&wanted));
    let mut close: Vec<(f32, &Note)> =
        notes.iter().take(COMPARED_MAX).map(|note| (closeness(note), note)).filter(|(near, _)| *near >= NEAR).collect();
    close.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    close.into_iter().take(NEAR_MAX).map(|(_, note)| note.clone()).collect()
}

/// What a message asks about: the words behind “about” and its like, else those that say more than that it asks.
fn topic_of(said: &str, project: &str) -> Option<String> {
    let lower = said.to_lowercase();
    let behind = BEFORE_A_TOPIC.iter().filter_map(|sign| lower.find(sign).map(|at| at + sign.len())).min();
    let rest = behind.and_then(|at| said.get(at..)).unwrap_or(said);
    let named = text::words(project);
    let says = |word: &&str| {
        let plain: Vec<String> = text::words(word);
        plain.iter().any(|word| !ASKING.contains(&word.as_str()) && !named.contains(word))
    };
    let words: Vec<&str> = rest.split_whitespace().filter(says).collect();
    let topic = words.join(" ");
    let topic = topic.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned();
    (!topic.is_empty()).then_some(topic)
}

/// What stands before a topic.
const BEFORE_A_TOPIC: [&str; 5] = [" about ", " regarding ", " concerning ", " on the topic of ", " related to "];

/// Words of asking, which are in no topic.
const ASKING: [&str; 91] = [
    "a",
    "all",
    "am",
    "an",
    "and",
    "any",
    "anything",
    "are",
    "back",
    "can",
    "could",
    "did",
    "display",
    "do",
    "does",
    "everything",
    "find",
    "far",
    "for",
    "from",
    "gave",
    "get",
    "give",
    "given",
    "go",
    "had",
    "has",
    "have",
    "how",
    "i",
    "in",
    "input",
    "is",
    "it",
    "keep",
    "kept",
    "know",
    "list",
    "look",
    "me",
    "mention",
    "mentioned",
    "my",
    "note",
    "noted",
    "notes",
    "of",
    "on",
    "open",
    "our",
    "over",
    "please",
    "project",
    "pull",
    "read",
    "recap",
    "remember",
    "remind",
    "said",
    "save",
    "saved",
    "say",
    "search",
    "see",
    "should",
    "show",
    "so",
    "still",
    "tell",
    "that",
    "the",
    "them",
    "there",
    "these",
    "this",
    "through",
    "to",
    "told",
    "up",
    "us",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "write",
    "wrote",
    "you",
];

/// Notes that a list shows.
const LISTED_MAX: usize = 30;
/// Notes that are compared by meaning: about a second of work.
const COMPARED_MAX: usize = 200;
/// Notes shown as close.
const NEAR_MAX: usize = 3;
/// From here on two texts are taken to be about the same thing. Set by hand, not fitted: what is shown by it is named
/// as close and with its number, so that a wrong one is seen at once.
const NEAR: f32 = 0.45;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_topic_is_what_is_asked_about() {
        for (said, topic) in [
            ("What have I told you about the pricing model?", Some("pricing model")),
            ("Can you show me my notes?", None),
            ("what did I say about FarmGuard?", None),
            ("remind me when the deadline is", Some("deadline")),
            ("/notes", None),
        ] {
            assert_eq!(topic_of(said, "FarmGuard").as_deref(), topic, "{said}");
        }
    }
}
