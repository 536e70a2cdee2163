//! Changes that a surface asks for, each one change in the store. They go by the rules of the conversation, so that it
//! makes no difference where something was done. Next: `desk`.

use turnwise_assistant::projects::{JobMoved, JobStateSeen, Made, NoteStateSeen, ProjectChange, ProjectId};

use super::desk::kept_state;
use crate::store::{
    Change, Group, JobState, Lifetime, NewArtefact, NoteState, Progress, ProjectState, Readiness, SeedField, SeedValue,
    StoreError,
};

/// What `wanted` made of the project `id`.
pub(super) fn made(change: &Change<'_>, id: &ProjectId, wanted: &ProjectChange) -> Result<Made, StoreError> {
    let number = |number: i64| Made { number: Some(number) };
    let nothing = |(): ()| Made::default();
    match wanted {
        ProjectChange::Rename(name) => renamed(change, id, name).map(nothing),
        ProjectChange::Seed(code, said) => seed(change, id, code, said.as_deref()).map(nothing),
        ProjectChange::Finalize => finalized(change, id).map(nothing),
        ProjectChange::Note(text, hours) => {
            let end = |hours: u32| Lifetime::Until(change.now_ms() + i64::from(hours) * MS_OF_AN_HOUR);
            let lifetime = hours.map_or(Lifetime::Lasting, end);
            change.add_note(id, text, lifetime).map(|note| number(note.number))
        }
        ProjectChange::EditNote(of, text) => change.edit_note(id, *of, text).map(|_| number(*of)),
        ProjectChange::MoveNote(of, to) => moved(change, id, *of, *to).map(|()| number(*of)),
        ProjectChange::Group(wanted) => {
            let (label, summary, rationale) = (wanted.label.clone(), wanted.summary.clone(), wanted.rationale.clone());
            let put = change.set_group(id, &Group { label, summary, rationale, notes: 0 }, &wanted.notes)?;
            match put.len() == wanted.notes.len() {
                true => Ok(Made::default()),
                // Nothing of it is kept then: it is one change.
                false => Err(StoreError::NoSuch("note")),
            }
        }
        ProjectChange::DropGroup(label) => change.drop_group(id, label).map(nothing),
        ProjectChange::Ungroup(notes) => change.ungroup(id, notes).map(|_| Made::default()),
        ProjectChange::Specify(name, content) => change.set_specification(id, name, content).map(number),
        ProjectChange::DropSpecification(name) => change.drop_specification(id, name).map(nothing),
        ProjectChange::Upload(file) => {
            let new = NewArtefact { name: &file.name, kind: &file.kind, media: &file.media, content: &file.content };
            change.add_artefact(id, &new).map(number)
        }
        ProjectChange::BeginJob(title) if title.trim().is_empty() => Err(StoreError::refused("A job needs a title.")),
        ProjectChange::BeginJob(title) => change.add_job(id, title.trim(), JobState::Active).map(number),
        ProjectChange::Job(moved) => job(change, id, moved).map(|()| number(moved.number)),
        ProjectChange::Invite(guest) => change.invite(id, guest).map(|_| Made::default()),
        ProjectChange::Withdraw(guest) => match change.withdraw(id, guest)? {
            true => Ok(Made::default()),
            false => Err(StoreError::NoSuch("invitation")),
        },
        ProjectChange::Join => change.join(id).map(nothing),
        ProjectChange::Decline => change.decline(id).map(nothing),
        ProjectChange::Leave => change.leave(id).map(|_| Made::default()),
    }
}

fn renamed(change: &Change<'_>, id: &ProjectId, name: &str) -> Result<(), StoreError> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        change.project(id)?;
        return Err(StoreError::refused("A project needs a name."));
    }
    change.rename_project(id, &name).map(drop)
}

fn seed(change: &Change<'_>, id: &ProjectId, code: &str, said: Option<&str>) -> Result<(), StoreError> {
    change.project(id)?;
    let field = SeedField::of_code(code).ok_or(StoreError::NoSuch("question"))?;
    let value = match said.map(str::trim).filter(|said| !said.is_empty()) {
        Some(said) if said.len() > SAID_BYTES_MAX => {
            return Err(StoreError::refused("That is too long for an answer."));
        }
        Some(said) => SeedValue::Said(said.to_owned()),
        None => SeedValue::Skipped,
    };
    change.set_seed(id, field, &value).map(drop)
}

fn finalized(change: &Change<'_>, id: &ProjectId) -> Result<(), StoreError> {
    if change.finalize(id)?.state == ProjectState::Ready {
        return Ok(());
    }
    debug_assert_eq!(change.seed(id)?.readiness(), Readiness::Drafting);
    Err(StoreError::refused("What the work is has to be said first, and every other question said or skipped."))
}

fn moved(change: &Change<'_>, id: &ProjectId, number: i64, to: NoteStateSeen) -> Result<(), StoreError> {
    let to = kept_state(to);
    let all = [NoteState::Held, NoteState::Committed, NoteState::Retracted];
    let from: Vec<NoteState> = all.into_iter().filter(|state| *state != to).collect();
    let moved = change.move_notes(id, Some(&[number]), &from, to)?;
    // One that stands there already is where it is wanted.
    let is_there = || change.note_state(id, number).map(|state| state == Some(to));
    if !moved.is_empty() || is_there()? { Ok(()) } else { Err(StoreError::NoSuch("note")) }
}

fn job(change: &Change<'_>, id: &ProjectId, moved: &JobMoved) -> Result<(), StoreError> {
    let state = match moved.state {
        JobStateSeen::Active => JobState::Active,
        JobStateSeen::Attention => JobState::Attention,
        JobStateSeen::Finished => JobState::Finished,
    };
    let progress = moved.progress.map(|(done, whole)| Progress { done, whole });
    change.move_job(id, moved.number, state, progress, &moved.remark)
}

const MS_OF_AN_HOUR: i64 = 3_600_000;
/// Bytes of what is said of a project when it begins.
const SAID_BYTES_MAX: usize = 16 * 1024;
