//! A project written to a folder and read from one, in a conversation: where the folder may be says the conversation's
//! room. Next: `folder`.

use std::path::PathBuf;

use turnwise_assistant::Room;

use super::place::Place;
use super::run::{Outcome, focus};
use super::steps::{self, Arguments};
use super::told::counted;
use crate::folder::{self, Whole};
use crate::store::{Change, JobState, Lifetime, NoteState, Operation, Project, ProjectState, StoreError};
use crate::voice::VOICE;

impl Place<'_> {
    pub(super) fn write_folder(
        &self,
        operation: &Operation,
        arguments: &Arguments<'_>,
        room: &Room,
    ) -> Result<Outcome, StoreError> {
        let project = self.store.project(&self.person, &arguments.project())?;
        let path = placed(room, arguments.text(steps::FOLDER))?;
        let whole = self.whole(&project)?;
        let contents = self.contents(&project)?;
        room.make()?;
        folder::write(&path, &whole)?;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            change.add_job(
                &project.id,
                &format!("Written to {}", arguments.text(steps::FOLDER)),
                JobState::Finished,
            )?;
            let folder = arguments.text(steps::FOLDER);
            let values = [("project", project.name.as_str()), ("folder", folder), ("contents", &contents)];
            Ok(Outcome::new(VOICE.exported.with(&values), &project.id, "project_exported"))
        })
    }

    pub(super) fn read_folder(
        &self,
        operation: &Operation,
        arguments: &Arguments<'_>,
        room: &Room,
    ) -> Result<Outcome, StoreError> {
        let path = placed(room, arguments.text(steps::FOLDER))?;
        let whole = folder::read(&path)?;
        let counts = (whole.notes.len(), whole.specifications.len(), whole.artefacts.len());
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let project = brought(change, &whole)?;
            let open = whole.seed.open().filter(|_| whole.state == ProjectState::Drafting);
            change.set_focus(self.conversation, &focus(&project.id, open))?;
            let mut said = VOICE.imported.with(&[("project", &project.name), ("contents", &counted(counts))]);
            said.push_str(&open.map_or_else(String::new, |field| format!(" {}", VOICE.ask(field))));
            Ok(Outcome::new(said, &project.id, "project_created"))
        })
    }

    fn whole(&self, project: &Project) -> Result<Whole, StoreError> {
        let mut notes = self.store.notes(&self.person, &project.id, self.now_ms, super::told::COUNTED_MAX)?;
        notes.reverse();
        Ok(Whole {
            name: project.name.clone(),
            state: project.state,
            seed: self.store.seed(&self.person, &project.id)?,
            notes: notes.iter().map(folder::kept).collect(),
            specifications: self.store.specifications(&self.person, &project.id)?,
            artefacts: self.store.artefacts(&self.person, &project.id)?,
        })
    }
}

/// Keeps a project that was read.
fn brought(change: &Change<'_>, whole: &Whole) -> Result<Project, StoreError> {
    let project = change.create_project(&whole.name)?;
    for (field, value) in &whole.seed.values {
        change.set_seed(&project.id, *field, value)?;
    }
    for (state, text) in &whole.notes {
        let note = change.add_note(&project.id, text, Lifetime::Lasting)?;
        change.move_notes(&project.id, Some(&[note.number]), &[NoteState::Held], *state)?;
    }
    for one in &whole.specifications {
        change.set_specification(&project.id, &one.name, &one.content)?;
    }
    for one in &whole.artefacts {
        change.add_artefact(&project.id, &one.name, &one.kind, &one.content)?;
    }
    change.add_job(&project.id, "Brought in from a folder", JobState::Finished)?;
    match whole.state {
        ProjectState::Ready => change.finalize(&project.id),
        ProjectState::Drafting => Ok(project),
    }
}

/// The folder that is meant: as the person at this machine wrote it, or one of the conversation's own.
fn placed(room: &Room, named: &str) -> Result<PathBuf, StoreError> {
    if named.is_empty() {
        return Err(StoreError::Unnamed);
    }
    let path = match room {
        Room::Anywhere => std::path::absolute(named)?,
        Room::Folder(_) | Room::Closed => room.place(named).map_err(StoreError::Outside)?,
    };
    Ok(path)
}
