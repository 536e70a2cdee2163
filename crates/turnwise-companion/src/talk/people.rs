//! Who belongs to a project, in a conversation: inviting, joining, leaving. Somebody who is invited sees the project
//! once they have said themselves that they join. Next: `store::member`.

use turnwise_core::{PersonId, text};

use super::place::Place;
use super::run::{Effect, Outcome, focus};
use super::steps::{self, Arguments};
use crate::store::{Focus, Invitation, Operation, Project, StoreError};
use crate::voice::VOICE;

impl Place<'_> {
    pub(super) fn invite(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let guest = arguments.text(steps::GUEST);
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let is_new = change.invite(&project.id, &PersonId::new(guest))?;
            let values = [("project", project.name.as_str()), ("person", guest)];
            Ok(match is_new {
                true => Outcome::new(VOICE.invited.with(&values), &project.id, "person_invited"),
                false => Outcome::nothing(VOICE.invited_before.with(&values), &project.id),
            })
        })
    }

    pub(super) fn withdraw(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let guest = arguments.text(steps::GUEST);
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let was_there = change.withdraw(&project.id, &PersonId::new(guest))?;
            let values = [("project", project.name.as_str()), ("person", guest)];
            Ok(match was_there {
                true => Outcome::new(VOICE.withdrawn.with(&values), &project.id, "invitation_withdrawn"),
                false => Outcome::nothing(VOICE.not_invited.with(&values), &project.id),
            })
        })
    }

    pub(super) fn join(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let id = arguments.project();
        self.store.once(&self.person, operation, self.now_ms, |change| {
            change.join(&id)?;
            change.set_focus(self.conversation, &focus(&id, None))?;
            let project = change.project(&id)?;
            let said = VOICE.joined.with(&[("project", &project.name)]);
            Ok(Outcome::new(said, &id, "project_joined"))
        })
    }

    pub(super) fn decline(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let id = arguments.project();
        self.store.once(&self.person, operation, self.now_ms, |change| {
            change.decline(&id)?;
            let said = VOICE.declined.with(&[("project", arguments.text(steps::LABEL))]);
            let effects = vec![Effect { kind: "invitation_declined".to_owned(), note: None }];
            Ok(Outcome { said, project: None, effects })
        })
    }

    pub(super) fn leave(&self, operation: &Operation, arguments: &Arguments<'_>) -> Result<Outcome, StoreError> {
        let project = self.project(arguments)?;
        let now = self.leaving(&project)?.description;
        // What was agreed to is what was shown: where it would be something else by now, it is asked about anew.
        if arguments.text(steps::LABEL) != now {
            let said = VOICE.asked_changed.with(&[("now", &now), ("project", &project.name)]);
            return self.store.once(&self.person, operation, self.now_ms, |_| Ok(Outcome::nothing(said, &project.id)));
        }
        let seen = self.store.members(&self.person, &project.id)?.len();
        self.store.once(&self.person, operation, self.now_ms, |change| {
            // Who came in just now was not in what was agreed to.
            if change.members(&project.id)? != seen {
                return Err(StoreError::refused(VOICE.left_not.with(&[("project", &project.name)])));
            }
            let goes_on = change.leave(&project.id)?;
            change.set_focus(self.conversation, &Focus::default())?;
            let name = [("project", project.name.as_str())];
            let said = if goes_on { VOICE.left.with(&name) } else { VOICE.left_last.with(&name) };
            let kind = if goes_on { "project_left" } else { "project_dropped" };
            Ok(Outcome { said, project: None, effects: vec![Effect { kind: kind.to_owned(), note: None }] })
        })
    }

    /// The invitation that a message speaks of: the one whose project it names, else the only one.
    pub(super) fn invitation(&self, said: &str) -> Result<Asked, StoreError> {
        let all = self.store.invitations(&self.person)?;
        let words = text::words(said);
        let names = |one: &&Invitation| {
            let name = text::words(&one.name);
            !name.is_empty() && (0..words.len()).any(|at| words[at..].starts_with(&name))
        };
        let named: Vec<&Invitation> = all.iter().filter(names).collect();
        Ok(match (named.as_slice(), all.as_slice()) {
            ([one], _) => Asked::To((*one).clone()),
            ([], [only]) => Asked::To(only.clone()),
            ([], []) => Asked::None,
            _ => Asked::Several(text::listed(&all.iter().map(|one| one.name.clone()).collect::<Vec<_>>())),
        })
    }

    /// Who belongs to a project, and who is invited.
    pub(super) fn members_told(&self, project: &Project) -> Result<String, StoreError> {
        let names = |people: Vec<PersonId>| {
            text::listed(&people.iter().map(|person| person.as_str().to_owned()).collect::<Vec<_>>())
        };
        let members = self.store.members(&self.person, &project.id)?;
        let invited = self.store.invited(&self.person, &project.id)?;
        let name = ("project", project.name.as_str());
        let mut said = match members.as_slice() {
            [_] => VOICE.members_you.with(&[name]),
            _ => VOICE.members.with(&[name, ("names", &names(members))]),
        };
        if !invited.is_empty() {
            said = format!("{said} {}", VOICE.members_invited.with(&[("names", &names(invited))]));
        }
        Ok(said)
    }
}

/// Which invitation a message speaks of.
pub(super) enum Asked {
    /// This one.
    To(Invitation),
    /// One of these projects.
    Several(String),
    /// There is none.
    None,
}
