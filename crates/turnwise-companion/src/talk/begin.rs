//! Beginning a project, setting it up, turning to it, and leaving its setup for later: what changes which question is
//! open. Next: `setup` for how an answer is read.

use super::place::Place;
use super::reader::{ANSWER_SETUP, CREATE_PROJECT, LEAVE_SETUP};
use super::run::{Outcome, focus};
use super::setup;
use super::steps::{self, Arguments};
use crate::store::{Counts, Focus, Operation, Project, ProjectState, Readiness, SeedField, SeedValue, StoreError};
use crate::voice::VOICE;

impl Place<'_> {
    pub(super) fn start(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let name = Some(arguments.text(steps::TEXT)).filter(|name| !name.is_empty()).unwrap_or(UNNAMED);
        let work = Some(arguments.text(steps::WORK)).filter(|work| !work.is_empty());
        let begun = self.begun_before()?;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let project = match &begun {
                Some(begun) if name == UNNAMED => begun.clone(),
                Some(begun) => change.rename_project(&begun.id, name)?,
                None => change.create_project(name)?,
            };
            let ended = |said: String| match &begun {
                None => Outcome::new(said, &project.id, "project_created"),
                Some(_) if name == UNNAMED => Outcome::nothing(said, &project.id),
                Some(_) => Outcome::new(said, &project.id, "project_renamed"),
            };
            if let Some(work) = work {
                let seed = change.set_seed(&project.id, SeedField::Work, &SeedValue::Said(work.to_owned()))?;
                change.set_focus(self.conversation, &focus(&project.id, setup::next(&seed)))?;
                return Ok(ended(format!("{} {}", setup::named(&project), setup::goes_on(&project, &seed))));
            }
            let first = SeedField::ALL[0];
            change.set_focus(self.conversation, &focus(&project.id, Some(first)))?;
            // The first thing said is the first question, unless the name it was given is another one's.
            let is_second = project.given != UNNAMED && project.name != project.given;
            let said = if is_second { format!("{} ", setup::named(&project)) } else { String::new() };
            let asked = match project.given == UNNAMED {
                true => VOICE.ask(first),
                false => VOICE.ask_work_named.with(&[("project", &project.name)]),
            };
            Ok(ended(said + &asked))
        })
    }

    /// The project that was begun here a moment ago and of which nothing was said yet: who begins one now means that.
    fn begun_before(&self) -> Result<Option<Project>, StoreError> {
        let focus = self.focus()?;
        let Some(id) = focus.project.filter(|_| focus.asking == Some(SeedField::Work)) else { return Ok(None) };
        let project = self.store.project(&self.person, &id)?;
        Ok(if self.is_untouched(&project)? { Some(project) } else { None })
    }

    pub(super) fn set_up(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let before = self.store.seed(&self.person, &project.id)?;
        let field = SeedField::of_code(arguments.text(steps::FIELD)).unwrap_or(SeedField::Additional);
        let (text, called) = match arguments.text(steps::TEXT) {
            text if field == SeedField::Work => setup::called_behind(text),
            text => (text, None),
        };
        let value = if text.is_empty() { SeedValue::Skipped } else { SeedValue::Said(text.to_owned()) };
        let takes_name = project.given == UNNAMED || setup::is_called(text);
        let by_work = || setup::name_of(text).filter(|_| field == SeedField::Work && takes_name);
        let renamed = called.or_else(by_work);
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let project: Project = match &renamed {
                Some(name) => change.rename_project(&project.id, name)?,
                None => project.clone(),
            };
            let seed = change.set_seed(&project.id, field, &value)?;
            change.set_focus(self.conversation, &focus(&project.id, setup::next(&seed)))?;
            let mut said = Vec::new();
            said.extend(renamed.is_some().then(|| setup::named(&project)));
            // “No” to whether there is anything else leaves nothing open.
            let leaves_open = value == SeedValue::Skipped && field != SeedField::Additional;
            said.extend(leaves_open.then(|| VOICE.setup_skipped.plain()));
            said.push(match before.open().is_none() {
                true if seed.readiness() == Readiness::Drafting => setup::goes_on(&project, &seed),
                true => VOICE.setup_changed.with(&[("project", &project.name), ("seed", &setup::listed(&seed))]),
                false => setup::goes_on(&project, &seed),
            });
            Ok(Outcome::new(said.join(" "), &project.id, "setup_changed"))
        })
    }

    pub(super) fn complete(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
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
            let field = setup::next(&seed).unwrap_or(SeedField::Work);
            change.set_focus(self.conversation, &focus(&project.id, Some(field)))?;
            let said = VOICE.setup_missing.with(&[name, ("question", &VOICE.ask(field))]);
            Ok(Outcome::nothing(said, &project.id))
        })
    }

    pub(super) fn turn_to(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let contents = self.contents(&project)?;
        let seed = self.store.seed(&self.person, &project.id)?;
        let of_setup = [LEAVE_SETUP, ANSWER_SETUP, CREATE_PROJECT];
        let has_left = self.store.last_intent(&self.person, &project.id, &of_setup)?.as_deref() == Some(LEAVE_SETUP);
        let goes_on = !has_left || arguments.text(steps::SAID).to_lowercase().contains("setup");
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let open = setup::next(&seed).filter(|_| project.state == ProjectState::Drafting);
            // Whoever left the questions wants something else there than to be asked again. And where a page turned to
            // it by its id, nobody reads what is asked: what they say next is no answer to that.
            let by_page = arguments.text(steps::SAID).trim() == project.id.as_str();
            let asking = open.filter(|_| goes_on && !by_page);
            change.set_focus(self.conversation, &focus(&project.id, asking))?;
            let mut said = VOICE.turned_to.with(&[("project", &project.name), ("contents", &contents)]);
            match (asking, open) {
                (Some(field), _) => said.push_str(&format!(" {}", VOICE.ask(field))),
                (None, Some(_)) => said.push_str(&format!(" {}", VOICE.setup_open.plain())),
                (None, None) => {}
            }
            Ok(Outcome::nothing(said, &project.id))
        })
    }

    pub(super) fn rename(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let before = self.project(arguments)?;
        let name = arguments.text(steps::LABEL);
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let project = change.rename_project(&before.id, name)?;
            let values = [("before", before.name.as_str()), ("project", &project.name)];
            Ok(Outcome::new(VOICE.renamed.with(&values), &project.id, "project_renamed"))
        })
    }

    /// Nothing is asked any more. What was said so far stays; a project of which nothing was said goes.
    pub(super) fn leave_setup(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let counts = self.store.counts(&self.person, &project.id, self.now_ms)?;
        let others = self.store.members(&self.person, &project.id)?.len() > 1;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let name = ("project", project.name.as_str());
            let is_empty = change.seed(&project.id)?.values.is_empty() && counts == Counts::default() && !others;
            if is_empty && project.given == UNNAMED {
                change.let_go(&project.id)?;
                change.set_focus(self.conversation, &Focus::default())?;
                let effects = vec![super::run::Effect { kind: "project_dropped".to_owned(), note: None }];
                return Ok(Outcome { said: VOICE.setup_dropped.plain(), project: None, effects });
            }
            change.set_focus(self.conversation, &focus(&project.id, None))?;
            Ok(Outcome::new(VOICE.setup_left.with(&[name]), &project.id, "setup_left"))
        })
    }
}

/// What a project is called until it is known what it is.
pub(super) const UNNAMED: &str = "New project";
