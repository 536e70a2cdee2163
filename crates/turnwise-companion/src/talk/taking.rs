//! Taking back or saving what a message names by what it is about: a note of the project, or something the person told
//! about themselves. One that fits is taken back; of several it is asked which; and never the latest in its place, nor
//! all of them. Next: `draft`.

use std::collections::BTreeSet;

use turnwise_core::{ClarifiedAnswer, text};
use turnwise_intent::behaviour::companion::{AllBut, Does, all_but, numbers_named, taken_topic};

use super::draft::{Drafted, change};
use super::past::{alike, names_more_than_numbers, says_much};
use super::place::{About, Place};
use super::run::{Effect, Outcome};
use super::steps::{self, Arguments};
use super::told::{lines, numbered};
use crate::store::{Note, NoteState, Operation, Project, StoreError, Wanted};
use crate::voice::VOICE;

impl Place<'_> {
    /// What is made of an order to take something back.
    pub(super) fn take_back_said(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        if let Some(order) = all_but(said) {
            return self.all_but_some(said, answers, &order);
        }
        let Some((topic, words)) = topic_and_words(said) else {
            return self.pointed_at(Does::TakesBack, said, answers);
        };
        // What follows a pause may say why, and be no part of what it is about.
        if let Some((before, _)) = said.rsplit_once(", ")
            && topic.contains(", ")
            && !self.speaks_of(said, answers, &words)?
        {
            return self.take_back_said(before, answers);
        }
        let told = self.store.personal(&self.person, self.now_ms)?;
        let own = told.iter().find(|told| has_all(&words, &told.text));
        let project = match self.about(said, answers)? {
            About::Project(project) => Some(project),
            About::Unclear(projects) if own.is_none() => return Ok(Drafted::Which(projects)),
            About::Unclear(_) | About::Nothing => None,
        };
        let found = match &project {
            Some(project) => self.notes_with(project, &words)?,
            None => Vec::new(),
        };
        Ok(match (found.as_slice(), own, &project) {
            ([note], _, Some(project)) => {
                let numbers = (steps::NUMBERS, note.number.to_string());
                change(steps::TAKE_BACK, "Take notes back", vec![(steps::PROJECT, project.id.to_string()), numbers])
            }
            ([], Some(own), _) => {
                change(steps::FORGET, "Forget what you told about yourself", vec![(steps::TEXT, own.text.clone())])
            }
            ([], None, Some(project)) => {
                let values = [("project", project.name.as_str()), ("topic", &topic)];
                Drafted::Said(VOICE.notes_back_unfound.with(&values), Some(project.id.clone()))
            }
            (_, _, Some(project)) => which(project, &topic, &found),
            (_, _, None) => Drafted::Said(VOICE.no_project_to_tell.plain(), None),
        })
    }

    /// Whether a note of the project that is meant, or what the person told of themselves, has all of `words`.
    fn speaks_of(&self, said: &str, answers: &[ClarifiedAnswer], words: &[String]) -> Result<bool, StoreError> {
        if self.store.personal(&self.person, self.now_ms)?.iter().any(|told| has_all(words, &told.text)) {
            return Ok(true);
        }
        let About::Project(project) = self.about(said, answers)? else { return Ok(true) };
        Ok(!self.notes_with(&project, words)?.is_empty())
    }

    /// The notes of a project that have all of `words`.
    fn notes_with(&self, project: &Project, words: &[String]) -> Result<Vec<Note>, StoreError> {
        let mut found = self.store.search(&self.person, &project.id, words, self.now_ms)?;
        found.retain(|note| has_all(words, &note.text));
        Ok(found)
    }

    /// What is made of an order to save notes.
    pub(super) fn save_said(&self, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        if let Some(order) = all_but(said) {
            return self.all_but_some(said, answers, &order);
        }
        let Some((topic, words)) = topic_and_words(said) else {
            return self.pointed_at(Does::Saves, said, answers);
        };
        self.within_project(said, answers, |project| {
            let wanted = Wanted { state: Some(NoteState::Held), ..Wanted::default() };
            let waiting = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, WAITING_MAX)?;
            // One that is saved already is told to be.
            let found = self.notes_with(project, &words)?;
            let meant = waiting.iter().filter(|note| has_all(&words, &note.text)).chain(&found);
            let numbers: Vec<i64> = meant.map(|note| note.number).collect::<BTreeSet<_>>().into_iter().collect();
            if numbers.is_empty() {
                let values = [("project", project.name.as_str()), ("topic", &topic)];
                return Ok(Drafted::Said(VOICE.notes_not_found.with(&values), Some(project.id.clone())));
            }
            let numbers = (steps::NUMBERS, steps::listed(&numbers));
            Ok(change(steps::SAVE, "Save notes", vec![(steps::PROJECT, project.id.to_string()), numbers]))
        })
    }

    /// What is made of an order over all notes but some.
    fn all_but_some(&self, said: &str, answers: &[ClarifiedAnswer], order: &AllBut) -> Result<Drafted, StoreError> {
        self.within_project(said, answers, |project| {
            let Some(kept) = self.left_out(project, &order.kept)? else {
                return Ok(Drafted::Said(VOICE.notes_left_out_unclear.plain(), Some(project.id.clone())));
            };
            let named = numbers_named(&order.of);
            let is_meant = |note: &Note| {
                let is_named = if named.is_empty() { note.by == self.person } else { named.contains(&note.number) };
                is_named && !kept.contains(&note.number)
            };
            let state = (order.does == Does::Saves).then_some(NoteState::Held);
            let wanted = Wanted { state, ..Wanted::default() };
            let mut notes = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, WAITING_MAX)?;
            notes.retain(is_meant);
            let name = ("project", project.name.as_str());
            if notes.is_empty() {
                let none = if state.is_some() { &VOICE.notes_none_waiting } else { &VOICE.notes_none_back };
                return Ok(Drafted::Said(none.with(&[name]), Some(project.id.clone())));
            }
            let numbers: Vec<i64> = notes.iter().rev().map(|note| note.number).collect();
            Ok(moved(order.does, project, &numbers))
        })
    }

    /// The numbers of the notes that are left out: by their numbers, as the last one, or by what they are about; none
    /// where they cannot be told.
    fn left_out(&self, project: &Project, kept: &str) -> Result<Option<Vec<i64>>, StoreError> {
        let numbers = numbers_named(kept);
        let notes = self.store.notes(&self.person, &project.id, &Wanted::default(), self.now_ms, WAITING_MAX)?;
        if !numbers.is_empty() {
            let is_there = |number: &i64| notes.iter().any(|note| note.number == *number);
            return Ok(numbers.iter().all(is_there).then_some(numbers));
        }
        let words = text::words(kept);
        let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
        let topic = taken_topic(&format!("save {kept}")).unwrap_or_else(|| kept.to_owned());
        let about: Vec<String> = saying_much(&topic).into_iter().filter(|word| !word.starts_with("note")).collect();
        if says(&["last", "latest", "newest"]) && !says(&["two", "three", "four", "five", "few"]) {
            return Ok(notes.iter().find(|note| note.by == self.person).map(|note| vec![note.number]));
        }
        let found: Vec<i64> = notes.iter().filter(|note| has_all(&about, &note.text)).map(|note| note.number).collect();
        Ok((!found.is_empty()).then_some(found))
    }

    /// What is made of an order that names notes by their numbers, or only points at them: “it” is what the person told
    /// or changed last, and all of them are all of theirs.
    fn pointed_at(&self, does: Does, said: &str, answers: &[ClarifiedAnswer]) -> Result<Drafted, StoreError> {
        let numbers = numbers_named(said);
        self.with_project_of(said, answers, |project| {
            if !numbers.is_empty() {
                return Ok(moved(does, project, &numbers));
            }
            let wanted = Wanted { state: (does == Does::Saves).then_some(NoteState::Held), ..Wanted::default() };
            let notes = self.store.notes(&self.person, &project.id, &wanted, self.now_ms, WAITING_MAX)?;
            let (own, others): (Vec<Note>, Vec<Note>) = notes.into_iter().partition(|note| note.by == self.person);
            if does == Does::TakesBack || points_at_one(said) {
                return self.the_one_at_hand(does, project, &own);
            }
            let mut own: Vec<i64> = own.iter().map(|note| note.number).collect();
            own.sort_unstable();
            if own.is_empty() {
                let name = ("project", project.name.as_str());
                let mut told = vec![VOICE.notes_none_own_waiting.with(&[name])];
                let mut others: Vec<i64> = others.iter().map(|note| note.number).collect();
                others.sort_unstable();
                told.extend((!others.is_empty()).then(|| VOICE.notes_of_others.with(&[("notes", &numbered(&others))])));
                return Ok(Drafted::Said(told.join(" "), Some(project.id.clone())));
            }
            Ok(moved(does, project, &own))
        })
    }

    /// The note that the person told or changed last, else the latest of their `own`.
    fn the_one_at_hand(&self, does: Does, project: &Project, own: &[Note]) -> Result<Drafted, StoreError> {
        let told = self.store.told_last(&self.person, &project.id)?;
        let wanted = |number: i64| Wanted { before: Some(number.saturating_add(1)), ..Wanted::default() };
        let last = match told {
            Some(number) => self.store.notes(&self.person, &project.id, &wanted(number), self.now_ms, 1)?,
            None => Vec::new(),
        };
        let last = last.into_iter().find(|note| Some(note.number) == told);
        let name = ("project", project.name.as_str());
        let said = |said: String| Ok(Drafted::Said(said, Some(project.id.clone())));
        match (last.as_ref().or(own.first()), does) {
            (Some(note), Does::Saves) if note.state == NoteState::Committed => {
                said(VOICE.notes_saved_before.with(&[name, ("notes", &numbered(&[note.number]))]))
            }
            (Some(note), _) => Ok(moved(does, project, &[note.number])),
            (None, Does::Saves) => said(VOICE.notes_none_own_waiting.with(&[name])),
            (None, Does::TakesBack) => said(VOICE.notes_none_back.with(&[name])),
        }
    }

    /// The numbers of the notes about any of these.
    pub(super) fn numbers_about(&self, project: &Project, topics: &[String]) -> Result<Vec<i64>, StoreError> {
        let mut numbers = BTreeSet::new();
        for topic in topics {
            numbers.extend(self.notes_with(project, &saying_much(topic))?.iter().map(|note| note.number));
        }
        Ok(numbers.into_iter().collect())
    }

    pub(super) fn forget(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let text = arguments.text(steps::TEXT);
        let open = self.with_open_question(String::new())?;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            change.forget_personal(text)?;
            let said = VOICE.personal_back.with(&[("text", text)]) + &open;
            let effects = vec![Effect { kind: "personal_fact_taken_back".to_owned(), note: None }];
            Ok(Outcome { said, project: None, effects })
        })
    }
}

/// Saves notes, or takes them back.
fn moved(does: Does, project: &Project, numbers: &[i64]) -> Drafted {
    let (tool, description) = match does {
        Does::Saves => (steps::SAVE, "Save notes"),
        Does::TakesBack => (steps::TAKE_BACK, "Take notes back"),
    };
    let numbers = (steps::NUMBERS, steps::listed(numbers));
    change(tool, description, vec![(steps::PROJECT, project.id.to_string()), numbers])
}

/// Whether an order points at one thing: “save it”, “keep that one”, “save the last note”.
fn points_at_one(said: &str) -> bool {
    let words = text::words(said);
    let says = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    says(&["it", "that", "this", "last", "latest"]) && !says(&["all", "everything", "both", "notes", "them", "of"])
}

/// What the notes that are to be grouped are about, where they are named by that: “put the frames and the keel bolts
/// together under”.
pub(super) fn grouped_topics(said: &str) -> Vec<String> {
    let lower = said.to_ascii_lowercase();
    let begun = GROUPS.iter().find_map(|verb| lower.find(verb).map(|at| at + verb.len()));
    let end = [" together", " under ", " into ", " in a group", " in the group"]
        .iter()
        .filter_map(|sign| lower.find(sign))
        .min();
    let named = begun.zip(end).filter(|(begun, end)| begun < end).and_then(|(begun, end)| said.get(begun..end));
    let parts = named.unwrap_or_default().split(" and ").flat_map(|part| part.split(", "));
    parts.map(str::trim).filter(|part| names_more_than_numbers(part)).map(str::to_owned).collect()
}

/// What puts notes together.
const GROUPS: [&str; 5] = ["put ", "sort ", "file ", "collect ", "group "];

/// What the notes that a message names are about, and the words of that which say something.
fn topic_and_words(said: &str) -> Option<(String, Vec<String>)> {
    let topic = taken_topic(said).filter(|topic| names_more_than_numbers(topic))?;
    let words = saying_much(&topic);
    Some((topic, words))
}

fn saying_much(topic: &str) -> Vec<String> {
    text::words(topic).into_iter().filter(|word| says_much(word)).collect()
}

fn which(project: &Project, topic: &str, found: &[Note]) -> Drafted {
    let number = found.first().map(|note| note.number.to_string()).unwrap_or_default();
    let list = lines(found);
    let values = [("project", project.name.as_str()), ("topic", topic), ("list", &list), ("number", &number)];
    Drafted::Said(VOICE.notes_back_which.with(&values), Some(project.id.clone()))
}

/// Whether there are `words`, and all of them stand in `told`, in whatever form.
fn has_all(words: &[String], told: &str) -> bool {
    let told = text::words(told);
    !words.is_empty() && words.iter().all(|word| told.iter().any(|other| alike(word, other)))
}

/// Waiting notes that are looked through; whoever has more of them saves them all at once.
const WAITING_MAX: usize = 10_000;
