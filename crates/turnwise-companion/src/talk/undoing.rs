//! Undoing in a conversation: what was taken back is told, and the talk goes on where it was before. Next:
//! `store::undo`.

use super::place::Place;
use super::run::{Effect, Outcome, focus};
use super::setup;
use super::told::numbered;
use crate::store::{NoteState, Operation, Project, ProjectState, StoreError, Undo, Undone};
use crate::voice::VOICE;

impl Place<'_> {
    pub(super) fn undo(&self, operation: &Operation) -> Result<Outcome, StoreError> {
        let focused = self.focus()?;
        let outcome = self.store.once(&self.person, operation, self.now_ms, |change| {
            let Some(undone) = change.undo()? else {
                return Ok(Outcome { said: VOICE.undo_nothing.plain(), project: None, effects: Vec::new() });
            };
            let (mut said, effects) = told(&undone);
            let project = undone.project.as_ref();
            if let (Some(project), Undo::Seed { field, .. }) = (project, &undone.change)
                && project.state == ProjectState::Drafting
                && focused.project.as_ref() == Some(&project.id)
            {
                // What was answered is asked again, or as it was before.
                let open = change.seed(&project.id)?.open();
                change.set_focus(self.conversation, &focus(&project.id, open))?;
                let asked = open.unwrap_or(*field);
                said = format!("{said} {}", VOICE.ask(asked));
            }
            if let (Some(project), Undo::Finalized) = (project, &undone.change) {
                change.set_focus(self.conversation, &focus(&project.id, None))?;
                let seed = setup::listed(&change.seed(&project.id)?);
                said = VOICE.undone_finalized.with(&[("project", &project.name), ("seed", &seed)]);
            }
            Ok(Outcome { said, project: project.map(|project| project.id.clone()), effects })
        });
        self.store.work_out_soon();
        outcome
    }
}

/// What is said of something that was undone, and what changed by it.
fn told(undone: &Undone) -> (String, Vec<Effect>) {
    let effect = |kind: &str, note: Option<i64>| Effect { kind: kind.to_owned(), note };
    let Some(project) = &undone.project else {
        if let Undo::PersonalAgain { text, .. } = &undone.change {
            return (VOICE.personal_again.with(&[("text", text)]), vec![effect("personal_fact_kept", None)]);
        }
        let text = undone.forgotten.as_deref().unwrap_or_default();
        return (VOICE.personal_back.with(&[("text", text)]), vec![effect("personal_fact_taken_back", None)]);
    };
    let name = ("project", project.name.as_str());
    match &undone.change {
        Undo::TakeBack { number } => {
            let said = VOICE.notes_back.with(&[name, ("notes", &numbered(&[*number]))]);
            (said, vec![effect("note_taken_back", Some(*number))])
        }
        Undo::MoveBack { notes } => moved(project, notes),
        Undo::Text { number, before } => {
            let number_told = number.to_string();
            let said = VOICE.note_edited.with(&[name, ("number", &number_told), ("text", before)]);
            (said, vec![effect("note_edited", Some(*number))])
        }
        Undo::Groups { .. } => (VOICE.undone_groups.with(&[name]), vec![effect("note_grouped", None)]),
        Undo::Seed { field, .. } => {
            (VOICE.undone_setup.with(&[name, ("field", &VOICE.label(*field))]), vec![effect("setup_changed", None)])
        }
        // What it reads is told where the project is at hand.
        Undo::Finalized => (String::new(), vec![effect("project_reopened", None)]),
        Undo::Name { .. } => (VOICE.undone_name.with(&[name]), vec![effect("project_renamed", None)]),
        Undo::Specification { name: of, .. } => {
            (VOICE.undone_specification.with(&[name, ("name", of)]), vec![effect("specification_written", None)])
        }
        Undo::Artefact { name: of, version } => {
            let version = version.to_string();
            let said = VOICE.undone_artefact.with(&[name, ("name", of), ("version", &version)]);
            (said, vec![effect("artefact_taken_back", None)])
        }
        Undo::Personal { .. } | Undo::PersonalAgain { .. } => (VOICE.undo_nothing.plain(), Vec::new()),
    }
}

/// Notes that stand where they stood: most were in one state, and that is told.
fn moved(project: &Project, notes: &[(i64, NoteState)]) -> (String, Vec<Effect>) {
    let mut numbers: Vec<i64> = notes.iter().map(|(number, _)| *number).collect();
    numbers.sort_unstable();
    let waited = notes.iter().all(|(_, state)| *state == NoteState::Held);
    let values = [("project", project.name.as_str()), ("notes", &numbered(&numbers))];
    let said = if waited { VOICE.notes_wait_again.with(&values) } else { VOICE.notes_again.with(&values) };
    let kind = |state: NoteState| match state {
        NoteState::Held => "note_waiting",
        NoteState::Committed => "note_saved",
        NoteState::Retracted => "note_taken_back",
    };
    let effect = |(number, state): &(i64, NoteState)| Effect { kind: kind(*state).to_owned(), note: Some(*number) };
    (said, notes.iter().map(effect).collect())
}
