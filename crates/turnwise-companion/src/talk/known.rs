//! What is known to a question that does not say that it was told: by the words of notes, of the setup or of a
//! document, else by what comes closest. And which notes wait. Next: `past`.

use turnwise_core::text;

use super::past::{Anywhere, LISTED_MAX, NEAR_MAX, alike, line_of_setup, recall, topic_of};
use super::place::Place;
use super::setup;
use super::told::lines;
use crate::store::{Note, NoteState, Project, SeedField, StoreError, Wanted};
use crate::voice::VOICE;

impl Place<'_> {
    /// The notes that wait to be saved.
    pub(super) fn waiting(&self, project: &Project) -> Result<String, StoreError> {
        let name = ("project", project.name.as_str());
        let wanted = Wanted { state: Some(NoteState::Held), ..Wanted::default() };
        let notes = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, LISTED_MAX)?;
        Ok(match notes.is_empty() {
            true => VOICE.notes_none_waiting.with(&[name]),
            false => VOICE.notes_waiting.with(&[name, ("list", &lines(&notes))]),
        })
    }

    /// The part of the setup that a question asks for.
    pub(super) fn of_setup(&self, project: &Project, said: &str) -> Result<Option<String>, StoreError> {
        let Some(field) = setup::asked(said) else { return Ok(None) };
        let seed = self.store.seed(&self.person, &project.id)?;
        Ok(seed.said(field).map(|kept| line_of_setup((field, kept))))
    }

    /// What any of the `projects` says to such a question; none where none does.
    pub(super) fn known_anywhere(&self, projects: &[Project], said: &str) -> Result<Option<Anywhere>, StoreError> {
        let mut found = Vec::new();
        for project in projects {
            found.extend(self.known(project, said)?.map(|told| (project.id.clone(), told)));
        }
        let only = if let [(only, _)] = found.as_slice() { Some(only.clone()) } else { None };
        let told: Vec<String> = found.into_iter().map(|(_, told)| told).collect();
        Ok((!told.is_empty()).then(|| Anywhere { told: told.join("\n"), only }))
    }

    /// What the notes, or what else is kept, say to a question that asks for something told without saying so: “when
    /// does the plumber come?”. Where they do not hold at least half of what it asks about, what comes closest; none
    /// where nothing does, and for a question that asks what to think.
    pub(super) fn known(&self, project: &Project, said: &str) -> Result<Option<String>, StoreError> {
        let words = text::words(said);
        let begins = words.first().map(String::as_str).unwrap_or_default();
        let asks = said.trim_end().ends_with('?') || QUESTION_WORDS.iter().any(|word| begins.starts_with(word));
        if !asks {
            return Ok(None);
        }
        if words.iter().any(|word| OF_OPINION.contains(&word.as_str())) {
            return if setup::asked(said) == Some(SeedField::Voice) { self.of_setup(project, said) } else { Ok(None) };
        }
        let Some(topic) = topic_of(said, &project.name) else { return self.of_setup(project, said) };
        let wanted = text::words(&topic);
        let held = |told: &str| {
            let told = text::words(told);
            wanted.iter().filter(|word| told.iter().any(|other| alike(word, other))).count()
        };
        let is_enough = |held: usize| held > 0 && held * 2 >= wanted.len();
        let found = self.store.search(&self.person, &project.id, &wanted, self.now_ms)?;
        let best = found.iter().map(|note| held(&note.text)).max().unwrap_or_default();
        let values = [("project", project.name.as_str()), ("topic", topic.as_str())];
        if is_enough(best) {
            let mut notes: Vec<Note> = found.into_iter().filter(|note| held(&note.text) == best).collect();
            // What was told last is what holds.
            notes.sort_by_key(|note| std::cmp::Reverse(note.number));
            notes.truncate(NEAR_MAX);
            let list = lines(&notes);
            return Ok(Some(VOICE.notes_found.with(&[&values[..], &[("list", &list)]].concat())));
        }
        let elsewhere = self.elsewhere(project, &wanted)?;
        let elsewhere: Vec<String> = elsewhere.into_iter().filter(|line| is_enough(held(line))).collect();
        if !elsewhere.is_empty() {
            let told = std::iter::once(VOICE.found_elsewhere.with(&values)).chain(elsewhere);
            return Ok(Some(told.collect::<Vec<_>>().join("\n")));
        }
        if let Some(told) = self.of_setup(project, said)? {
            return Ok(Some(told));
        }
        // Notes that have some of its words, or come close to what it means: better than to say nothing of them.
        let near =
            if best > 0 { found } else { recall(self.store, &self.person, &project.id, &topic, self.now_ms)?.notes };
        let near: Vec<Note> =
            near.into_iter().filter(|note| best == 0 || held(&note.text) == best).take(NEAR_MAX).collect();
        let list = lines(&near);
        Ok((!near.is_empty()).then(|| VOICE.known_near.with(&[values[0], ("list", &list)])))
    }
}

/// Whether a message asks which notes wait to be saved.
pub(super) fn asks_what_waits(said: &str) -> bool {
    let words = text::words(said);
    let says = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    let is_unsaved = says(&["waiting", "waits", "unsaved"]) || says(&["saved"]) && says(&["not", "aren't", "isn't"]);
    is_unsaved && (said.trim_end().ends_with('?') || says(&["note", "notes"]))
}

/// What a question begins with, with whatever hangs on it: “what's”.
const QUESTION_WORDS: [&str; 8] = ["what", "when", "where", "which", "who", "whose", "why", "how"];
/// Words of asking what somebody thinks or would do.
const OF_OPINION: [&str; 6] = ["think", "should", "recommend", "suggest", "opinion", "advise"];
