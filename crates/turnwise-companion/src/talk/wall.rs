//! The wall of words (CP-10) as a property: over random projects, whatever is asked for and whatever is done, no reply,
//! card, suggestion or title holds a word behind it. Next: `turnwise_intent::behaviour::companion::forbidden`.

use proptest::prelude::*;
use turnwise_assistant::Room;
use turnwise_core::{ConversationId, PersonId, RunId, StepId, StepTask};
use turnwise_intent::behaviour::companion::{INTENTS, forbidden};

use super::draft::Drafted;
use super::place::{Place, which};
use super::steps::{TEXT, is_asked_about};
use crate::store::{JobState, NewArtefact, Operation, Progress, Store, StoreError};
use crate::voice::VOICE;

/// What people say, with places for words and numbers.
const SAID: [&str; 44] = [
    "start a new project",
    "start a new project called {w}",
    "{w}: {w} for {w}",
    "skip",
    "cancel",
    "finalize it",
    "the audience is {w}",
    "Remember that the {w} is {w}.",
    "I parked on level {n}",
    "The {w} needs {w} just for today",
    "save note {n}",
    "save my notes",
    "take back note {n}",
    "undo",
    "change note {n} to the {w} is {w}",
    "replace {w} with {w} in note {n}",
    "group notes {n} and {n} as {w}",
    "take note {n} out of its group",
    "drop the group {w}",
    "show my groups",
    "show me the notes in {w}",
    "add a specification {w}: {w} and {w}",
    "show the files",
    "I need to download the {w}",
    "download version {n} of the {w}",
    "rename the project to {w}",
    "switch to {w}",
    "list my projects",
    "invite ben to the project",
    "withdraw the invitation of ben",
    "join {w}",
    "decline the invitation",
    "who is in the project?",
    "leave the project",
    "How's the project going?",
    "What have I told you about {w}?",
    "show me my notes",
    "what do you know about me?",
    "export the project",
    "import project ./nowhere",
    "hmm",
    "thanks",
    "what do you think about {w}?",
    "Move those notes to the other project.",
];

/// Words of people, none of which is behind the wall.
const WORDS: [&str; 12] =
    ["FarmGuard", "Harbor", "soil", "pump", "budget", "report", "clay", "deadline", "garden", "map", "team", "water"];

struct Talk {
    store: Store,
    nowhere: ConversationId,
    person: PersonId,
    told: Vec<String>,
    runs: u64,
}

impl Talk {
    fn place(&self, is_here: bool) -> Place<'_> {
        let (store, conversation, person) = (&self.store, &self.nowhere, self.person.clone());
        Place {
            store,
            conversation,
            person,
            now_ms: 1_000 + i64::try_from(self.runs).unwrap_or(0),
            is_here,
            reader: None,
        }
    }

    /// Says `said`, read as `intent`, and does what comes of it.
    fn say(&mut self, said: &str, intent: &str, is_here: bool) {
        self.runs += 1;
        let place = self.place(is_here);
        let mut told = match place.draft(said, intent, &[]) {
            Ok(Drafted::Said(said, _)) => vec![said],
            Ok(Drafted::Which(projects)) => {
                let asked = which(&projects);
                std::iter::once(asked.question).chain(asked.choices.into_iter().map(|choice| choice.label)).collect()
            }
            Ok(Drafted::Change(change)) => {
                let plan = change.plan(said, intent);
                let work = plan.steps[0].clone();
                let (is_asked, task_text) = (is_asked_about(&work.tool), work.arguments.get(TEXT).cloned());
                assert!(!is_asked || task_text.is_some(), "what is asked about says what it means: {work:?}");
                let (run, step) = (RunId::new(self.runs), StepId::new(1));
                let by = Some(self.person.clone());
                let task =
                    StepTask { run, step, attempt: 1, work, by, inputs: vec![], behind: vec![], concludes: None };
                let room = Room::Closed;
                let done = match place.done(&task, &room) {
                    Ok(outcome) => outcome.said,
                    Err(StoreError::NotFound) => VOICE.not_found.plain(),
                    Err(error) => VOICE.failed.with(&[("reason", &error.to_string())]),
                };
                let asked = task_text.filter(|_| is_asked);
                std::iter::once(plan.title).chain(asked).chain([done]).collect()
            }
            Err(StoreError::NotFound) => vec![VOICE.not_found.plain()],
            Err(error) => vec![VOICE.failed.with(&[("reason", &error.to_string())])],
        };
        let beside = place.beside(&[RunId::new(self.runs)]);
        let beside = beside.unwrap_or_else(|error| panic!("{error}"));
        told.extend(beside.suggestions.into_iter().flat_map(|next| [next.label, next.message]));
        told.extend(place.context(said, turnwise_model::Sees::Rows));
        self.told.extend(told);
    }
}

fn filled(pattern: &str, words: &[usize], number: i64) -> String {
    let mut words = words.iter().cycle().map(|at| WORDS[at % WORDS.len()]);
    let mut said = pattern.replace("{n}", &number.to_string());
    while said.contains("{w}") {
        said = said.replacen("{w}", words.next().unwrap_or_default(), 1);
    }
    said
}

/// A project that holds something of everything.
fn furnished() -> Talk {
    let store = Store::open(None).unwrap_or_else(|error| panic!("{error}"));
    let (nowhere, person) = (ConversationId::new("talk"), PersonId::new("ada"));
    let made = store.once(&person, &Operation::new("made"), 1, |change| {
        let project = change.create_project("FarmGuard")?;
        let new = NewArtefact { name: "Field report", kind: "report", media: "image/png", content: &[0xff, 0] };
        change.add_artefact(&project.id, &new)?;
        for (title, state) in
            [("Survey", JobState::Active), ("Review", JobState::Attention), ("Sowing", JobState::Finished)]
        {
            let number = change.add_job(&project.id, title, state)?;
            change.move_job(&project.id, number, state, Some(Progress { done: 1, whole: 3 }), "rain")?;
        }
        Ok(())
    });
    made.unwrap_or_else(|error| panic!("{error}"));
    let ben = PersonId::new("ben");
    let invited = store.once(&ben, &Operation::new("invited"), 1, |change| {
        let project = change.create_project("Harbor")?;
        change.invite(&project.id, &PersonId::new("ada"))
    });
    invited.unwrap_or_else(|error| panic!("{error}"));
    Talk { store, nowhere, person, told: Vec::new(), runs: 0 }
}

/// A message with the words in its places, an intent it is taken for, and whether it is said at this machine.
fn step() -> impl Strategy<Value = (usize, usize, Vec<usize>, i64, bool)> {
    let words = prop::collection::vec(0..WORDS.len(), 1..4);
    (0..SAID.len(), 0..=INTENTS.len(), words, 1_i64..6, any::<bool>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_word_behind_the_wall_is_said_of_any_project(steps in prop::collection::vec(step(), 1..25)) {
        let mut talk = furnished();
        for (at, intent, words, number, is_here) in steps {
            let said = filled(SAID[at], &words, number);
            let label = INTENTS.get(intent).map_or("answer_setup", |intent| intent.label);
            talk.say(&said, label, is_here);
        }
        for told in &talk.told {
            prop_assert!(forbidden(told).is_empty(), "{:?} in: {}", forbidden(told), told);
            prop_assert!(!told.contains("{w}") && !told.contains("{project}") && !told.contains("{name}"), "{}", told);
        }
    }
}
