//! Running steps: each is one change in the store, made once however often it is attempted, and what is said of it is
//! part of its outcome. Each asks for a permit that covers this very step. Next: `begin` for setups, `people` for who
//! belongs to a project, `undoing`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use turnwise_assistant::Room;
use turnwise_core::{FactValue, NewFact, Permit, SourceKind, StepOutcome, StepTask};

use super::draft::plain;
use super::place::Place;
use super::steps::{self, Arguments};
use super::told::numbered;
use crate::store::{Focus, Group, Lifetime, NoteState, Operation, Project, ProjectId, SeedField, StoreError};
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

    pub(super) fn nothing(said: String, project: &ProjectId) -> Self {
        Self { said, project: Some(project.clone()), effects: Vec::new() }
    }

    pub(super) fn notes(said: String, project: &ProjectId, kind: &str, numbers: &[i64]) -> Self {
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
            Err(StoreError::Refused(told)) => done(task, &told),
            Err(error @ (StoreError::Unnamed | StoreError::NoSuch(_) | StoreError::Folder(_))) => {
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
            steps::START | steps::OFFER => self.start(&operation, &arguments),
            steps::SET_UP => self.set_up(&operation, &arguments),
            steps::FINALIZE => self.complete(&operation, &arguments),
            steps::ADD => self.add_note(&operation, &arguments),
            steps::KEEP => self.keep(&operation, &arguments),
            steps::FORGET => self.forget(&operation, &arguments),
            steps::SAVE => self.save(&operation, &arguments),
            steps::TAKE_BACK => self.take_back(&operation, &arguments),
            steps::UNDO => self.undo(&operation),
            steps::EDIT => self.edit(&operation, &arguments),
            steps::GROUP => self.group(&operation, &arguments),
            steps::UNGROUP => self.ungroup(&operation, &arguments),
            steps::SPECIFY => self.specify(&operation, &arguments),
            steps::RENAME => self.rename(&operation, &arguments),
            steps::TURN_TO => self.turn_to(&operation, &arguments),
            steps::LEAVE_SETUP => self.leave_setup(&operation, &arguments),
            steps::INVITE => self.invite(&operation, &arguments),
            steps::WITHDRAW => self.withdraw(&operation, &arguments),
            steps::JOIN => self.join(&operation, &arguments),
            steps::DECLINE => self.decline(&operation, &arguments),
            steps::LEAVE => self.leave(&operation, &arguments),
            steps::EXPORT => self.write_folder(&operation, &arguments, room),
            steps::SEVERAL => self.each(&operation, task, room),
            steps::IMPORT => self.read_folder(&operation, &arguments, room),
            _ => Err(StoreError::NotFound),
        }
    }

    /// The same for every attempt at one step of one conversation.
    pub(super) fn operation(&self, task: &StepTask) -> Operation {
        Operation::new(format!("{}/{}/{}", self.conversation, task.run, task.step))
    }

    fn add_note(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let asking = self.focus()?.asking;
        let lifetime = self.lifetime(arguments);
        let open = self.with_open_question(String::new())?;
        let outcome = self.store.once(&self.person, operation, self.now_ms, |change| {
            let note = change.add_note(&project.id, arguments.text(steps::TEXT), lifetime)?;
            change.set_focus(self.conversation, &focus(&project.id, asking))?;
            let number = note.number.to_string();
            let values = [("number", number.as_str()), ("project", &project.name), ("text", &note.text)];
            let said = [VOICE.note_added.with(&values), told_until(lifetime), arguments.text(steps::REMARK).to_owned()];
            let mut said = joined(&said);
            said.push_str(&open);
            Ok(Outcome::notes(said, &project.id, "note_created", &[note.number]))
        });
        self.store.work_out_soon();
        outcome
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
        let numbers = arguments.numbers().unwrap_or_default();
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let from = [NoteState::Held];
            let saved = change.move_notes(&project.id, Some(&numbers), &from, NoteState::Committed)?;
            let name = ("project", project.name.as_str());
            let said = match saved.is_empty() {
                false => VOICE.notes_saved.with(&[name, ("notes", &numbered(&saved))]),
                true => VOICE.notes_not_waiting.with(&[name]),
            };
            Ok(Outcome::notes(said, &project.id, "note_saved", &saved))
        })
    }

    fn take_back(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let numbers = arguments.numbers().unwrap_or_default();
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let from = [NoteState::Held, NoteState::Committed];
            let back = change.move_notes(&project.id, Some(&numbers), &from, NoteState::Retracted)?;
            let name = ("project", project.name.as_str());
            let said = match back.is_empty() {
                false => VOICE.notes_back.with(&[name, ("notes", &numbered(&back))]),
                true => VOICE.notes_not_there.with(&[name]),
            };
            Ok(Outcome::notes(said, &project.id, "note_taken_back", &back))
        })
    }

    fn edit(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let number = arguments.numbers().and_then(|numbers| numbers.first().copied()).unwrap_or_default();
        let text = arguments.text(steps::TEXT);
        let outcome = self.store.once(&self.person, operation, self.now_ms, |change| {
            let name = ("project", project.name.as_str());
            let before = match change.edit_note(&project.id, number, text) {
                Err(StoreError::NoSuch(_)) => {
                    return Ok(Outcome::nothing(VOICE.notes_not_there.with(&[name]), &project.id));
                }
                before => before?,
            };
            let (number_told, text) = (number.to_string(), text.trim());
            let values = [name, ("number", number_told.as_str()), ("text", text)];
            Ok(match before == text {
                true => Outcome::nothing(VOICE.note_same.with(&values), &project.id),
                false => Outcome::notes(VOICE.note_edited.with(&values), &project.id, "note_edited", &[number]),
            })
        });
        self.store.work_out_soon();
        outcome
    }

    fn group(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let (numbers, label) = (arguments.numbers().unwrap_or_default(), arguments.text(steps::LABEL).to_owned());
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let name = ("project", project.name.as_str());
            let group = Group { label: label.clone(), summary: String::new(), rationale: String::new(), notes: 0 };
            let put = change.set_group(&project.id, &group, &numbers)?;
            if put.is_empty() && !numbers.is_empty() {
                // A group of nothing was not asked for.
                return Err(StoreError::refused(VOICE.notes_not_there.with(&[name])));
            }
            let said = match put.is_empty() {
                true => VOICE.group_made.with(&[name, ("label", &label)]),
                false => VOICE.notes_grouped.with(&[name, ("label", &label), ("notes", &numbered(&put))]),
            };
            Ok(Outcome::notes(said, &project.id, "note_grouped", &put))
        })
    }

    fn ungroup(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let (numbers, label) = (arguments.numbers().unwrap_or_default(), arguments.text(steps::LABEL));
        let groups = self.store.groups(&self.person, &project.id, self.now_ms)?;
        let known = groups.iter().find(|group| group.label.to_lowercase() == label.to_lowercase());
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let name = ("project", project.name.as_str());
            if !numbers.is_empty() {
                let out = change.ungroup(&project.id, &numbers)?;
                let said = match out.is_empty() {
                    true => VOICE.notes_in_no_group.with(&[name]),
                    false => VOICE.notes_ungrouped.with(&[name, ("notes", &numbered(&out))]),
                };
                return Ok(Outcome::notes(said, &project.id, "note_grouped", &out));
            }
            let Some(group) = known else {
                return Ok(Outcome::nothing(VOICE.group_none.with(&[name, ("label", label)]), &project.id));
            };
            change.drop_group(&project.id, &group.label)?;
            let said = VOICE.group_dropped.with(&[name, ("label", &group.label)]);
            Ok(Outcome::new(said, &project.id, "group_dropped"))
        })
    }

    fn specify(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let (label, text) = (arguments.text(steps::LABEL), arguments.text(steps::TEXT));
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let version = change.set_specification(&project.id, label, text)?.to_string();
            let values = [("project", project.name.as_str()), ("name", label), ("version", &version)];
            Ok(Outcome::new(VOICE.specification_written.with(&values), &project.id, "specification_written"))
        })
    }

    pub(super) fn project(&self, arguments: &Arguments<'_>) -> Result<Project, StoreError> {
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

const MS_OF_AN_HOUR: i64 = 3_600_000;
