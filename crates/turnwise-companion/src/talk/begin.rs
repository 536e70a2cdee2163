//! Beginning a project, setting it up, turning to it, and leaving its setup for later: what changes which question is
//! open. Next: `brief` for how an answer is read.

use turnwise_intent::behaviour::companion::begun_plainly;

use super::brief;
use super::draft::{Drafted, asked_about, change};
use super::place::Place;
use super::reader::{ANSWER_SETUP, CREATE_PROJECT, LEAVE_SETUP};
use super::run::{Outcome, focus};
use super::setup;
use super::steps::{self, Arguments};
use crate::store::{
    Change, Counts, Focus, Operation, Project, ProjectState, Readiness, Seed, SeedField, SeedValue, StoreError,
};
use crate::voice::VOICE;

impl Place<'_> {
    pub(super) fn answer_setup(&self, said: &str) -> Result<Drafted, StoreError> {
        let focus = self.focus()?;
        let Some(project) = focus.project else {
            return Ok(Drafted::Said(VOICE.setup_nothing.plain(), None));
        };
        // Whoever is no member any more, or never was asked, has nothing to answer here.
        let project = self.store.project(&self.person, &project)?;
        let seed = self.store.seed(&self.person, &project.id)?;
        let Some(told) = brief::answered(said, focus.asking, &seed) else {
            return Ok(Drafted::Said(VOICE.setup_nothing.plain(), None));
        };
        let mut arguments = of_project(told);
        arguments.push((steps::PROJECT, project.id.to_string()));
        Ok(change(steps::SET_UP, "Keep the answer", arguments))
    }

    /// Begins a project where a message was sent to do that, whatever its words.
    pub(super) fn begin_as_given(&self, said: &str) -> Drafted {
        let told = brief::begun(said);
        let is_empty = told == brief::Told::default();
        let by_words = || brief::answered(said, Some(SeedField::Work), &Seed::default());
        let told = if is_empty { by_words().unwrap_or_default() } else { told };
        let name = told.name.clone().or_else(|| told.of(SeedField::Work).and_then(setup::name_of));
        change(steps::START, "Begin a project", of_project(brief::Told { name, ..told }))
    }

    /// Begins a project. Who has one already and does not say plainly that another is to begin is asked first.
    pub(super) fn begin(&self, said: &str) -> Result<Drafted, StoreError> {
        let told = brief::begun(said);
        let is_doubtful = begun_plainly(said).is_none() && !self.store.projects(&self.person)?.is_empty();
        if !is_doubtful || self.focus()?.asking == Some(SeedField::Work) {
            return Ok(change(steps::START, "Begin a project", of_project(told)));
        }
        let name = told.name.clone().map_or_else(String::new, |name| format!(", “{name}”"));
        let warning = VOICE.asked_begin.with(&[("said", said.trim())]);
        Ok(asked_about(steps::OFFER, format!("Begin a new project{name}"), warning, of_project(told)))
    }

    pub(super) fn start(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let name = Some(arguments.text(steps::LABEL)).filter(|name| !name.is_empty()).unwrap_or(UNNAMED);
        let fields = steps::fields(arguments);
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
            let seed = set_fields(change, &project, &fields)?;
            let asked = setup::next(&seed);
            change.set_focus(self.conversation, &focus(&project.id, asked))?;
            if !fields.is_empty() && asked != Some(SeedField::Work) {
                let mut said = vec![setup::named(&project)];
                // What is more than the work is told, so that a misunderstanding shows at once.
                said.extend((fields.len() > 1).then(|| taken(&seed)));
                said.push(setup::goes_on(&project, &seed));
                return Ok(ended(in_one(&said)));
            }
            // The first thing said is the first question, unless the name it was given is another one's.
            let is_second = project.given != UNNAMED && project.name != project.given;
            let mut said = Vec::new();
            said.extend(is_second.then(|| setup::named(&project)));
            said.extend((!fields.is_empty()).then(|| taken(&seed)));
            said.push(match project.given == UNNAMED {
                true => VOICE.ask(SeedField::Work),
                false => VOICE.ask_work_named.with(&[("project", &project.name)]),
            });
            Ok(ended(in_one(&said)))
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
        let fields = steps::fields(arguments);
        let work = fields.iter().find(|(field, text)| *field == SeedField::Work && !text.is_empty());
        let by_work = || work.filter(|_| project.given == UNNAMED).and_then(|(_, text)| setup::name_of(text));
        let given = Some(arguments.text(steps::LABEL).to_owned()).filter(|name| !name.is_empty());
        let renamed = given.or_else(by_work);
        let asked = self.focus()?.asking;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let project: Project = match &renamed {
                Some(name) => change.rename_project(&project.id, name)?,
                None => project.clone(),
            };
            let seed = set_fields(change, &project, &fields)?;
            change.set_focus(self.conversation, &focus(&project.id, setup::next(&seed)))?;
            let mut said = Vec::new();
            said.extend(renamed.is_some().then(|| setup::named(&project)));
            // “No” to whether there is anything else leaves nothing open.
            let is_skipped = |(field, text): &(SeedField, String)| text.is_empty() && *field != SeedField::Additional;
            said.extend(fields.iter().any(is_skipped).then(|| VOICE.setup_skipped.plain()));
            let is_more =
                before.open().is_some() && fields.iter().any(|(field, text)| !text.is_empty() && Some(*field) != asked);
            let is_summed_up = seed.readiness() == Readiness::ReadyForReview;
            said.extend((is_more && !is_summed_up).then(|| taken(&seed)));
            let values = [("project", project.name.as_str()), ("seed", &setup::listed(&seed))];
            said.push(match (project.state, before.open()) {
                (ProjectState::Ready, _) => VOICE.setup_is.with(&values),
                (ProjectState::Drafting, None) if is_summed_up => VOICE.setup_changed.with(&values),
                (ProjectState::Drafting, _) => setup::goes_on(&project, &seed),
            });
            Ok(Outcome::new(in_one(&said), &project.id, "setup_changed"))
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

/// What was said of a project, as arguments of a step.
pub(super) fn of_project(told: brief::Told) -> Vec<(&'static str, String)> {
    let fields = told.fields.into_iter().map(|(field, text)| (field.code(), text));
    told.name.into_iter().map(|name| (steps::LABEL, name)).chain(fields).collect()
}

/// What was put down so far, as lines of their own before what is asked next.
fn taken(seed: &Seed) -> String {
    format!("{}\n", VOICE.setup_taken.with(&[("seed", &setup::listed(seed))]))
}

/// Pieces of a reply in one: a blank between them, where no line ends.
fn in_one(said: &[String]) -> String {
    said.join(" ").replace("\n ", "\n")
}

/// Keeps what is said of a project, and gives all that is.
fn set_fields(change: &Change<'_>, project: &Project, fields: &[(SeedField, String)]) -> Result<Seed, StoreError> {
    for (field, text) in fields {
        let value = if text.is_empty() { SeedValue::Skipped } else { SeedValue::Said(text.clone()) };
        change.set_seed(&project.id, *field, &value)?;
    }
    change.seed(&project.id)
}

/// What a project is called until it is known what it is.
pub(super) const UNNAMED: &str = "New project";
