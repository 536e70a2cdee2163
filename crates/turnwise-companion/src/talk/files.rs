//! A project written to a folder and read from one, in a conversation: where the folder may be says the conversation's
//! room. Next: `folder`.

use std::path::PathBuf;

use turnwise_assistant::Room;

use super::place::Place;
use super::run::{Outcome, focus};
use super::steps::{self, Arguments};
use super::told::counted;
use crate::folder::{self, KeptArtefact, KeptNote, Whole};
use crate::store::{
    Brought, Change, Counts, Did, JobState, NewArtefact, Operation, Project, ProjectId, ProjectState, Store, StoreError,
};
use crate::voice::VOICE;
use turnwise_core::PersonId;

impl Place<'_> {
    pub(super) fn write_folder(
        &self,
        operation: &Operation,
        arguments: &Arguments<'_>,
        room: &Room,
    ) -> Result<Outcome, StoreError> {
        let project = self.store.project(&self.person, &arguments.project())?;
        let path = placed(room, arguments.text(steps::FOLDER))?;
        let whole = whole(self.store, &self.person, &project, self.now_ms)?;
        let contents = self.contents(&project)?;
        folder::write(&path, &whole)?;
        self.store.once(&self.person, operation, self.now_ms, |change| {
            let folder = arguments.text(steps::FOLDER);
            change.add_job(&project.id, &format!("Written to {folder}"), JobState::Finished)?;
            change.never_undone(Did::Wrote, &project.name)?;
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
        let outcome = self.store.once(&self.person, operation, self.now_ms, |change| {
            let project = brought(change, &whole)?;
            let open = whole.seed.open().filter(|_| whole.state == ProjectState::Drafting);
            change.set_focus(self.conversation, &focus(&project.id, open))?;
            let contents = counted(&counts(&whole));
            let mut said = VOICE.imported.with(&[("project", &project.name), ("contents", &contents)]);
            said.push_str(&open.map_or_else(String::new, |field| format!(" {}", VOICE.ask(field))));
            Ok(Outcome::new(said, &project.id, "project_created"))
        });
        self.store.work_out_soon();
        outcome
    }
}

/// All of a project.
pub(super) fn whole(store: &Store, person: &PersonId, project: &Project, now_ms: i64) -> Result<Whole, StoreError> {
    let id = &project.id;
    let mut notes = store.notes(person, id, &crate::store::Wanted::default(), now_ms, usize::MAX)?;
    notes.reverse();
    let kept = |note: crate::store::Note| KeptNote {
        number: Some(note.number),
        state: note.state,
        text: note.text,
        group: note.group,
        created_ms: Some(note.created_ms),
        expires_ms: note.expires_ms,
        by: Some(note.by.to_string()),
    };
    let mut artefacts = Vec::new();
    for one in store.artefacts(person, id)? {
        let content = store.document(person, id, &one.name, Some(one.version))?.content;
        artefacts.push(KeptArtefact {
            name: one.name,
            kind: one.kind,
            version: one.version,
            media: one.media,
            content,
        });
    }
    artefacts.sort_by(|a, b| (&a.name, a.version).cmp(&(&b.name, b.version)));
    let specifications = store.specifications(person, id)?;
    Ok(Whole {
        id: Some(id.clone()),
        name: project.given.clone(),
        state: project.state,
        seed: store.seed(person, id)?,
        notes: notes.into_iter().map(kept).collect(),
        groups: store.groups(person, id, now_ms)?,
        specifications: specifications.into_iter().map(|one| (one.name, one.content)).collect(),
        artefacts,
    })
}

/// How much is in a project that was read.
fn counts(whole: &Whole) -> Counts {
    let names: std::collections::BTreeSet<&str> = whole.artefacts.iter().map(|one| one.name.as_str()).collect();
    let count = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let (notes, specifications) = (count(whole.notes.len()), count(whole.specifications.len()));
    Counts { notes, specifications, artefacts: count(names.len()), ..Counts::default() }
}

/// Keeps a project that was read.
pub(super) fn brought(change: &Change<'_>, whole: &Whole) -> Result<Project, StoreError> {
    let project = change.create_project(&whole.name)?;
    let id: &ProjectId = &project.id;
    for (field, value) in &whole.seed.values {
        change.set_seed(id, *field, value)?;
    }
    for group in &whole.groups {
        change.set_group(id, group, &[])?;
    }
    for note in &whole.notes {
        let KeptNote { number, state, ref text, created_ms, expires_ms, .. } = *note;
        let number = change.bring_note(id, &Brought { number, text, state, created_ms, expires_ms })?;
        if let Some(label) = &note.group {
            change.put_with(id, label, number)?;
        }
    }
    for (name, content) in &whole.specifications {
        change.set_specification(id, name, content)?;
    }
    for one in &whole.artefacts {
        let new = NewArtefact { name: &one.name, kind: &one.kind, media: &one.media, content: &one.content };
        change.add_artefact(id, &new)?;
    }
    change.add_job(id, "Brought in from a folder", JobState::Finished)?;
    // What was brought in is begun with; nothing of it is undone piece by piece.
    change.brought(id)?;
    match whole.state {
        ProjectState::Ready => change.finalize(id),
        ProjectState::Drafting => Ok(project),
    }
}

/// The folder that is meant: as the person at this machine wrote it. Nobody else writes to a disk here.
fn placed(room: &Room, named: &str) -> Result<PathBuf, StoreError> {
    if named.is_empty() {
        return Err(StoreError::Unnamed);
    }
    match room {
        Room::Anywhere => Ok(std::path::absolute(named)?),
        Room::Folder(_) | Room::Closed => Err(StoreError::refused(VOICE.export_elsewhere.plain())),
    }
}
