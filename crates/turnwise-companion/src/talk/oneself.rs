//! What people told of themselves, found by asking for it: “where did I park?”, “what's my name?”. It is looked for
//! where a question asks about whoever asks, and where no project says anything on it. Next: `past`.

use turnwise_core::text;
use turnwise_intent::behaviour::companion::is_of_the_person;

use super::past::{alike, topic_of};
use super::place::Place;
use crate::store::StoreError;
use crate::voice::VOICE;

impl Place<'_> {
    /// What the person told of themselves that a question asks for.
    pub(super) fn of_oneself(&self, said: &str, intent: &str) -> Result<Option<String>, StoreError> {
        if !ASKED_AS.contains(&intent) || !asks(said) {
            return Ok(None);
        }
        let Some(topic) = topic_of(said, "") else { return Ok(None) };
        let wanted = text::words(&topic);
        let words = text::words(said);
        let is_of_oneself = asks_of_oneself(&words);
        let held = |told: &str| {
            let told = text::words(told);
            wanted.iter().filter(|word| told.iter().any(|other| is_like(word, other))).count()
        };
        let told = self.store.personal(&self.person, self.now_ms)?;
        let best = told.iter().map(|told| held(&told.text)).max().unwrap_or_default();
        let is_enough = if is_of_oneself { best > 0 && best * 2 >= wanted.len() } else { best == wanted.len() };
        if is_enough && (is_of_oneself || !self.is_told_anywhere(&wanted)?) {
            let fits = told.iter().filter(|told| held(&told.text) == best).take(FOUND_MAX);
            let list: Vec<String> = fits.map(|told| told.text.clone()).collect();
            return Ok(Some(VOICE.personal_all.with(&[("list", &list.join("\n"))])));
        }
        // “what's my name?” is nothing to guess at.
        let is_known_kind = OWN.iter().any(|own| wanted == [*own]) && words.iter().any(|word| word == "my");
        let is_unknown = is_of_oneself && is_known_kind && !self.is_told_anywhere(&wanted)?;
        Ok(is_unknown.then(|| VOICE.personal_unknown.with(&[("topic", &topic)])))
    }

    /// Whether a note of any project has one of these words.
    fn is_told_anywhere(&self, words: &[String]) -> Result<bool, StoreError> {
        for project in self.store.projects(&self.person)? {
            if !self.store.search(&self.person, &project.id, words, self.now_ms)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether a question asks about whoever asks it: of what is theirs, or what they do; not of what they told.
fn asks_of_oneself(words: &[String]) -> bool {
    let at = |own: &str| words.iter().position(|word| word == own);
    let does = at("i").and_then(|at| words.get(at + 1)).is_some_and(|next| !OF_TELLING.contains(&next.as_str()));
    let is = words.windows(2).any(|pair| pair[0] == "am" && pair[1] == "i");
    let has =
        at("my").and_then(|at| words.get(at + 1)).is_some_and(|next| is_of_the_person(&format!("my {next} is it")));
    does || is || has
}

fn asks(said: &str) -> bool {
    let words = text::words(said);
    let begins = words.first().map(String::as_str).unwrap_or_default();
    let is_question = ["what", "when", "where", "which", "who", "how"].iter().any(|word| begins.starts_with(word));
    said.trim_end().ends_with('?') || is_question || ["tell", "show", "remind"].contains(&begins)
}

/// Whether one word of a question stands for one of what was told: “live” for “home”.
fn is_like(asked: &str, told: &str) -> bool {
    let among = |word: &str, all: &[&str]| all.iter().any(|one| alike(word, one));
    alike(asked, told) || ALIKE.iter().any(|all| among(asked, all) && among(told, all))
}

/// How a question about oneself may be read.
const ASKED_AS: [&str; 5] =
    ["ask_about_past_input", "ask_about_progress", "general_conversation", "request_download", "choose_project"];
/// Words that stand for each other where people speak of themselves.
const ALIKE: [&[&str]; 3] = [&["home", "live", "address"], &["called", "name"], &["car", "park", "parked"]];
/// What people do that tells something, and does nothing else.
const OF_TELLING: [&str; 14] = [
    "tell",
    "told",
    "say",
    "said",
    "mention",
    "mentioned",
    "note",
    "noted",
    "write",
    "wrote",
    "give",
    "gave",
    "save",
    "have",
];
/// What can be asked of oneself in one word.
const OWN: [&str; 5] = ["name", "birthday", "address", "phone", "email"];
/// What is told of it at once.
const FOUND_MAX: usize = 3;
