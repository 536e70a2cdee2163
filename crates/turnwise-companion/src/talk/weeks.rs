//! Two hundred conversations of five people over forty weeks, played on a clock of their own through reading,
//! drafting, doing and answering: nothing is invented, nothing of one person is told to another, numbers stay what they
//! are, and the first reply is of use. Next: `weeks.txt`, which was written before it was first played.

use std::collections::BTreeMap;

use turnwise_assistant::Room;
use turnwise_core::{ClarifiedAnswer, ConversationId, PersonId, ReadContext, RunId, StepId, StepTask};
use turnwise_intent::IntentReader;

use super::draft::Drafted;
use super::place::Place;
use super::reader::CompanionReader;
use crate::store::{ProjectId, Store, StoreError, Wanted};
use crate::voice::VOICE;

/// People, each with a word that nobody else says.
const PEOPLE: [(&str, &str); 5] =
    [("ada", "Verbena"), ("ben", "Quillwort"), ("cy", "Saxifrage"), ("dee", "Marjoram"), ("eli", "Tamarisk")];
const DAYS: [&str; 7] = ["March 15th", "Monday", "May 2nd", "Friday", "the 20th", "June 1st", "Thursday"];
/// Milliseconds between two conversations of all: forty weeks hold them.
const APART_MS: i64 = 40 * 7 * 24 * 3_600_000 / 200;
/// How many of the first replies may be the one that asks what is wanted, in a hundred.
const ASKED_BACK_MAX: usize = 10;

pub(super) struct World {
    pub(super) store: Store,
    reader: CompanionReader,
    pub(super) now_ms: i64,
    /// Whether whoever is asked says yes.
    pub(super) agrees: bool,
    /// Whether whoever is asked which project is meant says one.
    pub(super) chooses: bool,
    runs: u64,
}

impl World {
    pub(super) fn new() -> Self {
        let store = Store::open(None).unwrap_or_else(|error| panic!("{error}"));
        let reader = IntentReader::builtin("companion").unwrap_or_else(|error| panic!("{error}"));
        let reader = CompanionReader::new(reader, store.clone());
        Self { store, reader, now_ms: 1_700_000_000_000, agrees: false, chooses: false, runs: 0 }
    }

    pub(super) fn say(&mut self, conversation: &ConversationId, person: &PersonId, said: &str) -> String {
        self.runs += 1;
        self.now_ms += 20_000;
        let reader = self.reader.of_conversation(conversation);
        let label = reader.classified(said, &ReadContext::default()).intent;
        let (store, person) = (&self.store, person.clone());
        let place = Place { store, conversation, person, now_ms: self.now_ms, is_here: true, reader: Some(&reader) };
        let label = place.meant(said, &label).map(str::to_owned).unwrap_or(label);
        let drafted = match place.draft(said, &label, &[]) {
            Ok(Drafted::Which(projects)) if self.chooses => {
                let answer = projects.first().map(|project| project.id.to_string()).unwrap_or_default();
                let topic = super::place::WHICH_PROJECT.to_owned();
                place.draft(said, &label, &[ClarifiedAnswer { topic, answer, said_in: None, assumed: false }])
            }
            drafted => drafted,
        };
        let done = |drafted: Drafted| match drafted {
            Drafted::Said(said, _) => Ok(said),
            Drafted::Which(_) => Ok(VOICE.which_project.plain()),
            Drafted::Change(change) => {
                let plan = change.plan(said, &label);
                let by = Some(place.person.clone());
                let (run, step, work) = (RunId::new(self.runs), StepId::new(1), plan.steps[0].clone());
                // What is asked about first is done where somebody says yes.
                if super::steps::is_asked_about(&work.tool) && !self.agrees {
                    return Ok(format!("{}. Shall I?", plan.title));
                }
                let task =
                    StepTask { run, step, attempt: 1, work, by, inputs: vec![], behind: vec![], concludes: None };
                place.done(&task, &Room::Closed).map(|outcome| outcome.said)
            }
        };
        match drafted.and_then(done) {
            Ok(said) => said,
            Err(StoreError::NotFound) => VOICE.not_found.plain(),
            Err(error) => VOICE.failed.with(&[("reason", &error.to_string())]),
        }
    }

    /// The notes of a person, by project and number.
    fn notes(&self, person: &PersonId) -> BTreeMap<(ProjectId, i64), String> {
        let mut all = BTreeMap::new();
        for project in self.store.projects(person).unwrap_or_default() {
            let notes = self.store.notes(person, &project.id, &Wanted::default(), self.now_ms, 10_000);
            all.extend(
                notes.unwrap_or_default().into_iter().map(|note| ((project.id.clone(), note.number), note.text)),
            );
        }
        all
    }
}

/// The conversations, each with its messages.
fn corpus() -> Vec<Vec<&'static str>> {
    let text = include_str!("weeks.txt");
    let parts = text.split("\n\n").map(|part| part.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>());
    parts.filter(|lines| !lines.is_empty()).collect()
}

#[test]
fn over_weeks_nothing_is_invented_or_told_to_another_and_numbers_stay() {
    let mut world = World::new();
    let corpus = corpus();
    assert!(corpus.len() >= 40, "{}", corpus.len());
    let (mut played, mut asked_back) = (0, Vec::new());
    let mut said_by: BTreeMap<&str, String> = BTreeMap::new();
    for (at, lines) in corpus.iter().enumerate() {
        for (who, own) in PEOPLE {
            if played == 200 {
                break;
            }
            let person = PersonId::new(who);
            let conversation = ConversationId::new(format!("{who}-{at}"));
            let mut before = world.notes(&person);
            for (line_at, line) in lines.iter().enumerate() {
                let number = (played * 7 + line_at) % 90 + 3;
                let line = line.replace("{own}", own).replace("{day}", DAYS[(played + line_at) % DAYS.len()]);
                let line = line.replace("{number}", &number.to_string());
                let mentioned = said_by.entry(who).or_default();
                mentioned.push_str(&line);
                mentioned.push('\n');
                let told = world.say(&conversation, &person, &line);
                let after = world.notes(&person);
                check(&told, &line, &after, own, mentioned);
                // A note keeps its number and, unless its text was changed in words, its text.
                for (key, text) in &before {
                    let now = after.get(key);
                    let was_edited = ["change", "replace", "undo"].iter().any(|word| line.contains(word));
                    assert!(now.is_none_or(|now| now == text || was_edited), "{key:?} was {text}, is {now:?}: {line}");
                }
                if line_at == 0 && told.starts_with("I am not sure") {
                    asked_back.push(line);
                }
                before = after;
            }
            played += 1;
            world.now_ms += APART_MS;
        }
    }
    assert_eq!(played, 200);
    println!("first replies that asked back: {} of {played}: {asked_back:?}", asked_back.len());
    assert!(asked_back.len() * 100 <= played * ASKED_BACK_MAX, "{asked_back:?}");
}

/// Nothing of others and nothing that was not said.
fn check(told: &str, line: &str, notes: &BTreeMap<(ProjectId, i64), String>, own: &str, mentioned: &str) {
    assert!(!told.trim().is_empty(), "no reply to: {line}");
    assert_eq!(turnwise_intent::behaviour::companion::forbidden(told), Vec::<&str>::new(), "{told}");
    for (_, others) in PEOPLE.iter().filter(|(_, word)| *word != own) {
        assert!(!told.contains(others), "{others} is told to {own}: {line} -> {told}");
    }
    assert!(!told.contains("swordfish"), "{told}");
    for quoted in told.lines().filter_map(|line| line.strip_prefix('#')) {
        let Some((number, text)) = quoted.split_once(": ") else { continue };
        let text = text.trim_end_matches(" (waiting)");
        let number: i64 = number.parse().unwrap_or_default();
        let exists = notes.iter().any(|((_, of), known)| *of == number && known == text);
        assert!(exists, "#{number}: {text} is no note: {line} -> {told}");
        // A note is what somebody said, or what they made of one.
        let words = text.split_whitespace().filter(|word| word.len() > 3);
        for word in words {
            assert!(mentioned.contains(word), "“{word}” was never said: {told}");
        }
    }
}
