//! Running steps: each is one change in the store, made once however often it is attempted, and what is said of it is
//! part of its outcome. Each asks for a permit that covers this very step. Next: `store`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use turnwise_assistant::Room;
use turnwise_core::{FactValue, NewFact, Permit, SourceKind, StepOutcome, StepTask};

use super::draft::plain;
use super::place::Place;
use super::setup;
use super::steps::{self, Arguments};
use super::told::numbered;
use crate::store::{
    Focus, Lifetime, NoteState, Operation, Project, ProjectId, ProjectState, SeedField, SeedValue, StoreError,
};
use crate::voice::VOICE;

/// What came of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// What is said.
    pub(super) said: String,
    /// The project it was about.
    pub(super) project: Option<ProjectId>,
    /// What changed, by a code: `note_created`.
    pub(super) effects: Vec<Effect>,
}

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Effect {
    pub(super) kind: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) note: Option<i64>,
}

impl Outcome {
    pub(super) fn new(said: String, project: &ProjectId, kind: &str) -> Self {
        let effects = vec![Effect { kind: kind.to_owned(), note: None }];
        Self { said, project: Some(project.clone()), effects }
    }

    fn nothing(said: String, project: &ProjectId) -> Self {
        Self { said, project: Some(project.clone()), effects: Vec::new() }
    }

    fn notes(said: String, project: &ProjectId, kind: &str, numbers: &[i64]) -> Self {
        let effect = |number: &i64| Effect { kind: kind.to_owned(), note: Some(*number) };
        Self { said, project: Some(project.clone()), effects: numbers.iter().map(effect).collect() }
    }
}

impl Place<'_> {
    /// Runs `task`.
    pub(super) fn run(&self, task: &StepTask, permit: &Permit, room: &Room) -> StepOutcome {
        if !permit.covers(task) {
            return StepOutcome::Failed { error: "This is not what was asked for, so nothing was done.".to_owned() };
        }
        match self.done(task, room) {
            Ok(outcome) => done(task, &outcome.said),
            Err(StoreError::NotFound) => done(task, &VOICE.not_found.plain()),
            // The person can say it otherwise; there is nothing to try again as it was.
            Err(error @ (StoreError::Unnamed | StoreError::Outside(_) | StoreError::Folder(_))) => {
                done(task, &VOICE.failed.with(&[("reason", &error.to_string())]))
            }
            Err(error) => StepOutcome::Failed { error: VOICE.failed.with(&[("reason", &error.to_string())]) },
        }
    }

    /// Makes the change of `task`; its outcome is kept with it.
    pub(super) fn done(&self, task: &StepTask, room: &Room) -> Result<Outcome, StoreError> {
        let operation = self.operation(task);
        if let Some(outcome) = self.store.outcome(&self.person, &operation)? {
            return Ok(outcome);
        }
        let arguments = Arguments(&task.work.arguments);
        match task.work.tool.as_str() {
            steps::START => self.start(&operation, &arguments),
            steps::SET_UP => self.set_up(&operation, &arguments),
            steps::FINALIZE => self.complete(&operation, &arguments),
            steps::ADD => self.add_note(&operation, &arguments),
            steps::KEEP => self.keep(&operation, &arguments),
            steps::SAVE => self.save(&operation, &arguments),
            steps::TAKE_BACK => self.take_back(&operation, &arguments),
            steps::TURN_TO => self.turn_to(&operation, &arguments),
            steps::EXPORT => self.write_folder(&operation, &arguments, room),
            steps::IMPORT => self.read_folder(&operation, &arguments, room),
            _ => Err(StoreError::NotFound),
        }
    }

    /// The same for every attempt at one step of one conversation.
    pub(super) fn operation(&self, task: &StepTask) -> Operation {
        Operation::new(format!("{}/{}/{}", self.conversation, task.run, task.step))
    }

    fn start(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let name = Some(arguments.text(steps::TEXT)).filter(|name| !name.is_empty()).unwrap_or(UNNAMED);
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let project = change.create_project(name)?;
            let first = SeedField::ALL[0];
            change.set_focus(self.conversation, &focus(&project.id, Some(first)))?;
            Ok(Outcome::new(VOICE.ask(first), &project.id, "project_created"))
        })
    }

    fn set_up(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let before = self.store.seed(&self.person, &project.id)?;
        let field = SeedField::of_code(arguments.text(steps::FIELD)).unwrap_or(SeedField::Additional);
        let text = arguments.text(steps::TEXT);
        let value = if text.is_empty() { SeedValue::Skipped } else { SeedValue::Said(text.to_owned()) };
        let renamed = setup::name_of(text).filter(|_| field == SeedField::Work && project.name == UNNAMED);
        self.store.once(&self.person, operation, self.now_ms, |change| {
            if let Some(name) = &renamed {
                change.rename_project(&project.id, name)?;
            }
            let name = renamed.clone().unwrap_or_else(|| project.name.clone());
            let project = Project { name, ..project.clone() };
            let seed = change.set_seed(&project.id, field, &value)?;
            change.set_focus(self.conversation, &focus(&project.id, seed.open()))?;
            let mut said = Vec::new();
            said.extend(renamed.as_ref().map(|name| VOICE.setup_named.with(&[("project", name)])));
            said.extend((value == SeedValue::Skipped).then(|| VOICE.setup_skipped.plain()));
            said.push(match before.open().is_none() {
                true => VOICE.setup_changed.with(&[("project", &project.name), ("seed", &setup::listed(&seed))]),
                false => setup::goes_on(&project, &seed),
            });
            Ok(Outcome::new(said.join(" "), &project.id, "setup_changed"))
        })
    }

    fn complete(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let before = self.project(arguments)?;
        let seed = self.store.seed(&self.person, &before.id)?;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let project = change.finalize(&before.id)?;
            let name = ("project", project.name.as_str());
            if project.state == ProjectState::Ready {
                change.set_focus(self.conversation, &focus(&project.id, None))?;
                let was_ready = before.state == ProjectState::Ready;
                return Ok(match was_ready {
                    true => Outcome::nothing(VOICE.setup_done_before.with(&[name]), &project.id),
                    false => Outcome::new(VOICE.setup_done.with(&[name]), &project.id, "project_finalized"),
                });
            }
            // What the work is has to be said; a project that skipped it is asked again.
            let field = seed.open().unwrap_or(SeedField::Work);
            change.set_focus(self.conversation, &focus(&project.id, Some(field)))?;
            let said = VOICE.setup_missing.with(&[name, ("question", &VOICE.ask(field))]);
            Ok(Outcome::nothing(said, &project.id))
        })
    }

    fn add_note(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let asking = self.focus()?.asking;
        let lifetime = self.lifetime(arguments);
        let open = self.with_open_question(String::new())?;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let note = change.add_note(&project.id, arguments.text(steps::TEXT), lifetime)?;
            change.set_focus(self.conversation, &focus(&project.id, asking))?;
            let number = note.number.to_string();
            let values = [("number", number.as_str()), ("project", &project.name), ("text", &note.text)];
            let said = [VOICE.note_added.with(&values), told_until(lifetime), arguments.text(steps::REMARK).to_owned()];
            let mut said = joined(&said);
            said.push_str(&open);
            Ok(Outcome::notes(said, &project.id, "note_created", &[note.number]))
        })
    }

    fn keep(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let lifetime = self.lifetime(arguments);
        let text = arguments.text(steps::TEXT);
        let open = self.with_open_question(String::new())?;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            change.add_personal(text, lifetime)?;
            let mut said = joined(&[VOICE.personal_added.with(&[("text", text)]), told_until(lifetime)]);
            said.push_str(&open);
            let effects = vec![Effect { kind: "personal_fact_kept".to_owned(), note: None }];
            Ok(Outcome { said, project: None, effects })
        })
    }

    fn save(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let numbers = arguments.numbers();
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let from = [NoteState::Held];
            let saved = change.move_notes(&project.id, numbers.as_deref(), &from, NoteState::Committed)?;
            let name = ("project", project.name.as_str());
            let said = match (saved.is_empty(), &numbers) {
                (false, _) => VOICE.notes_saved.with(&[name, ("notes", &numbered(&saved))]),
                (true, None) => VOICE.notes_none_waiting.with(&[name]),
                (true, Some(_)) => VOICE.notes_not_waiting.with(&[name]),
            };
            Ok(Outcome::notes(said, &project.id, "note_saved", &saved))
        })
    }

    fn take_back(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let named = arguments.numbers();
        let latest = self.store.notes(&self.person, &project.id, self.now_ms, 1)?;
        let since = latest.first().map_or(0, |note| note.created_ms);
        let was_saved = latest.first().is_some_and(|note| note.state == NoteState::Committed);
        let latest: Vec<i64> = latest.iter().map(|note| note.number).collect();
        self.store.once(&self.person, operation, self.now_ms, |change| {
            // Without a number the latest that was kept is meant, which may be about the person.
            let personal = if named.is_none() { change.take_back_personal(since)? } else { None };
            if let Some(text) = personal {
                let effects = vec![Effect { kind: "personal_fact_taken_back".to_owned(), note: None }];
                return Ok(Outcome { said: VOICE.personal_back.with(&[("text", &text)]), project: None, effects });
            }
            // What was saved waits again first: only a note that waits goes by a bare “undo”.
            if named.is_none() && was_saved {
                let again = change.move_notes(&project.id, Some(&latest), &[NoteState::Committed], NoteState::Held)?;
                let values = [("project", project.name.as_str()), ("notes", &numbered(&again))];
                let said = VOICE.notes_wait_again.with(&values);
                return Ok(Outcome::notes(said, &project.id, "note_waiting", &again));
            }
            let from = [NoteState::Held, NoteState::Committed];
            let numbers = named.as_ref().unwrap_or(&latest);
            let back = change.move_notes(&project.id, Some(numbers), &from, NoteState::Retracted)?;
            let name = ("project", project.name.as_str());
            let said = match (back.is_empty(), &named) {
                (false, _) => VOICE.notes_back.with(&[name, ("notes", &numbered(&back))]),
                (true, None) => VOICE.notes_none_back.with(&[name]),
                (true, Some(_)) => VOICE.notes_not_there.with(&[name]),
            };
            Ok(Outcome::notes(said, &project.id, "note_taken_back", &back))
        })
    }

    fn turn_to(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let contents = self.contents(&project)?;
        let seed = self.store.seed(&self.person, &project.id)?;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let asking = seed.open().filter(|_| project.state == ProjectState::Drafting);
            change.set_focus(self.conversation, &focus(&project.id, asking))?;
            let mut said = VOICE.turned_to.with(&[("project", &project.name), ("contents", &contents)]);
            if let Some(field) = asking {
                said.push_str(&format!(" {}", VOICE.ask(field)));
            }
            Ok(Outcome::nothing(said, &project.id))
        })
    }

    fn project(&self, arguments: &Arguments<'_>) -> Result<Project, StoreError> {
        self.store.project(&self.person, &arguments.project())
    }

    fn lifetime(&self, arguments: &Arguments<'_>) -> Lifetime {
        match arguments.text(steps::HOURS).parse::<i64>() {
            Ok(hours) => Lifetime::Until(self.now_ms + hours * MS_OF_AN_HOUR),
            Err(_) => Lifetime::Lasting,
        }
    }
}

pub(super) fn focus(project: &ProjectId, asking: Option<SeedField>) -> Focus {
    Focus { project: Some(project.clone()), asking }
}

fn joined(said: &[String]) -> String {
    said.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" ")
}

fn told_until(lifetime: Lifetime) -> String {
    let end = lifetime.end().and_then(|end| Timestamp::from_millisecond(end).ok());
    end.map_or_else(String::new, |end| {
        let until = end.strftime("%-d %B, %H:%M UTC").to_string();
        VOICE.note_until.with(&[("until", &until)])
    })
}

/// The outcome of a step that did what it should: one fact in words, and the answer.
fn done(task: &StepTask, said: &str) -> StepOutcome {
    let fact = |name: &turnwise_core::FactName| {
        NewFact::new(name.clone(), FactValue::Text(said.to_owned()), SourceKind::Document)
    };
    let answer = task.concludes.as_ref().map(|_| plain(said.to_owned()));
    StepOutcome::Done { facts: task.work.produces.iter().map(fact).collect(), answer }
}

/// What a project is called until it is known what it is.
pub(super) const UNNAMED: &str = "New project";
const MS_OF_AN_HOUR: i64 = 3_600_000;
