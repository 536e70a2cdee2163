//! Projects as a surface sees and changes them: the same store and the same rules as in a conversation, without words
//! in between. Next: `moving` for changes, `turnwise_assistant::projects` for what is promised.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use turnwise_assistant::projects::{
    AllProjects, ArtefactSeen, Beginning, CountsSeen, FileSeen, GroupSeen, InvitationSeen, JobSeen, JobStateSeen, Made,
    NoteSeen, NoteStateSeen, NotesSeen, NotesWanted, OwnModel, ProjectChange, ProjectId, ProjectSeen, Projects,
    Refused, SeedSeen, SpecificationSeen, TurnSeen, Upload, WholeProject,
};
use turnwise_core::PersonId;

use super::companion::now_ms;
use super::model::Speaker;
use super::past::recall;
use super::{files, moving};
use crate::folder;
use crate::store::{
    JobState, Note, NoteState, Operation, Project, ProjectState, Readiness, Role, SeedField, SeedValue, Store,
    StoreError, Wanted,
};
use crate::voice::VOICE;

/// The projects of a store.
pub(super) struct Desk {
    store: Store,
    /// Who asks people's own models, and can say whether there is one.
    speaker: Speaker,
}

impl Desk {
    pub(super) fn new(store: Store, speaker: Speaker) -> Self {
        Self { store, speaker }
    }

    fn seen(&self, person: &PersonId, project: Project) -> Result<ProjectSeen, StoreError> {
        let counts = self.store.counts(person, &project.id, now_ms())?;
        Ok(ProjectSeen {
            id: project.id,
            name: project.name,
            is_ready: project.state == ProjectState::Ready,
            revision: project.revision,
            counts: CountsSeen {
                notes: counts.notes,
                waiting: counts.waiting,
                specifications: counts.specifications,
                artefacts: counts.artefacts,
            },
        })
    }

    fn note(&self, person: &PersonId, id: &ProjectId, note: Note) -> Result<NoteSeen, StoreError> {
        let before = self.store.earlier_texts(person, id, note.number)?;
        let Note { number, text, state, created_ms, expires_ms, group, by, .. } = note;
        Ok(NoteSeen { number, text, state: seen_state(state), group, by, created_ms, expires_ms, before })
    }
}

impl Projects for Desk {
    fn all(&self, person: &PersonId) -> Result<AllProjects, Refused> {
        let projects = self.store.projects(person).map_err(refused)?;
        let projects = projects.into_iter().map(|project| self.seen(person, project)).collect::<Result<_, _>>();
        let invitations = self.store.invitations(person).map_err(refused)?;
        let invitation =
            |one: crate::store::Invitation| InvitationSeen { project: one.project, name: one.name, by: one.by };
        Ok(AllProjects {
            projects: projects.map_err(refused)?,
            invitations: invitations.into_iter().map(invitation).collect(),
        })
    }

    fn project(&self, person: &PersonId, id: &ProjectId) -> Result<WholeProject, Refused> {
        let project = self.store.project(person, id).map_err(refused)?;
        let seed = self.store.seed(person, id).map_err(refused)?;
        let is_setup_complete = seed.readiness() == Readiness::ReadyForReview;
        let field = |field: SeedField| SeedSeen {
            code: field.code().to_owned(),
            label: VOICE.label(field),
            question: VOICE.ask(field),
            said: seed.values.iter().find(|(of, _)| *of == field).map(|(_, value)| match value {
                SeedValue::Said(text) => text.clone(),
                SeedValue::Skipped => String::new(),
            }),
        };
        let groups = self.store.groups(person, id, now_ms()).map_err(refused)?.into_iter().map(|group| GroupSeen {
            label: group.label,
            summary: group.summary,
            rationale: group.rationale,
            notes: group.notes,
        });
        let specifications =
            self.store.specifications(person, id).map_err(refused)?.into_iter().map(|one| SpecificationSeen {
                name: one.name,
                version: one.version,
                content: String::new(),
                changed_ms: one.changed_ms,
            });
        let artefacts = self.store.artefacts(person, id).map_err(refused)?.into_iter().map(|one| ArtefactSeen {
            name: one.name,
            kind: one.kind,
            version: one.version,
            media: one.media,
            bytes: one.bytes,
            by: one.by,
            created_ms: one.created_ms,
        });
        let jobs = self.store.jobs(person, id).map_err(refused)?.into_iter().map(|job| JobSeen {
            number: job.number,
            title: job.title,
            state: match job.state {
                JobState::Active => JobStateSeen::Active,
                JobState::Attention => JobStateSeen::Attention,
                JobState::Finished => JobStateSeen::Finished,
            },
            progress: job.progress.map(|far| (far.done, far.whole)),
            remark: job.remark,
            changed_ms: job.changed_ms,
        });
        Ok(WholeProject {
            project: self.seen(person, project).map_err(refused)?,
            is_setup_complete,
            groups: groups.collect(),
            specifications: specifications.collect(),
            artefacts: artefacts.collect(),
            jobs: jobs.collect(),
            members: self.store.members(person, id).map_err(refused)?,
            invited: self.store.invited(person, id).map_err(refused)?,
            seed: SeedField::ALL.into_iter().map(field).collect(),
        })
    }

    fn notes(&self, person: &PersonId, id: &ProjectId, wanted: &NotesWanted) -> Result<NotesSeen, Refused> {
        let told = |notes: Vec<Note>| {
            let seen = notes.into_iter().map(|note| self.note(person, id, note)).collect::<Result<Vec<_>, _>>();
            seen.map_err(refused)
        };
        let about = wanted.about.as_deref().map(str::trim).filter(|about| !about.is_empty());
        if let Some(about) = about {
            let mut found = recall(&self.store, person, id, about, now_ms()).map_err(refused)?;
            let fits = |note: &Note| {
                wanted.group.as_ref().is_none_or(|group| note.group.as_ref() == Some(group))
                    && wanted.state.is_none_or(|state| seen_state(note.state) == state)
            };
            found.notes.retain(fits);
            return Ok(NotesSeen { notes: told(found.notes)?, is_near: found.is_near, next: None });
        }
        let kept = Wanted { state: wanted.state.map(kept_state), group: wanted.group.clone(), before: wanted.before };
        let mut notes = self.store.notes(person, id, &kept, now_ms(), PAGE_MAX + 1).map_err(refused)?;
        let has_more = notes.len() > PAGE_MAX;
        notes.truncate(PAGE_MAX);
        let next = notes.last().map(|note| note.number).filter(|_| has_more);
        Ok(NotesSeen { notes: told(notes)?, is_near: false, next })
    }

    fn turns(&self, person: &PersonId, id: &ProjectId, before: Option<i64>) -> Result<Vec<TurnSeen>, Refused> {
        self.store.project(person, id).map_err(refused)?;
        let turns = self.store.turns(person, Some(id), before, TURNS_MAX).map_err(refused)?;
        let seen = |turn: crate::store::Turn| TurnSeen {
            at: turn.at,
            is_persons: turn.role == Role::Operator,
            content: turn.content,
            created_ms: turn.created_ms,
        };
        Ok(turns.into_iter().map(seen).collect())
    }

    fn specification(&self, person: &PersonId, id: &ProjectId, name: &str) -> Result<SpecificationSeen, Refused> {
        let all = self.store.specifications(person, id).map_err(refused)?;
        let found = all.into_iter().find(|one| one.name == name).ok_or(Refused::NoSuch("specification"))?;
        let crate::store::Specification { name, content, version, changed_ms } = found;
        Ok(SpecificationSeen { name, version, content, changed_ms })
    }

    fn file(&self, person: &PersonId, id: &ProjectId, name: &str, version: Option<i64>) -> Result<FileSeen, Refused> {
        let document = self.store.document(person, id, name, version).map_err(refused)?;
        let (artefact, content) = (document.artefact, document.content);
        let ending = ending(&artefact.media, &artefact.name);
        let file =
            format!("{}.v{}{ending}", folder::name_for(artefact.name.trim_end_matches(ending)), artefact.version);
        Ok(FileSeen { file, media: artefact.media, content })
    }

    fn packed(&self, person: &PersonId, id: &ProjectId) -> Result<FileSeen, Refused> {
        let project = self.store.project(person, id).map_err(refused)?;
        let whole = files::whole(&self.store, person, &project, now_ms()).map_err(refused)?;
        let name = folder::name_for(&project.name);
        let content = folder::pack(&name, &folder::files_of(&whole));
        let content = content.map_err(|error| Refused::Trouble(error.to_string()))?;
        Ok(FileSeen { file: format!("{name}.zip"), media: "application/zip".to_owned(), content })
    }

    fn begin(&self, person: &PersonId, key: &str, beginning: &Beginning) -> Result<ProjectId, Refused> {
        let (operation, digest) = (Operation::new(key), beginning_digest(beginning));
        if let Some(done) = self.store.outcome::<Done>(person, &operation).map_err(refused)? {
            return done.of(&digest);
        }
        let whole = match beginning {
            Beginning::Named(_) => None,
            Beginning::Packed(packed) => {
                let whole = folder::unpack(packed).and_then(|files| folder::whole_of(&files));
                Some(whole.map_err(|error| Refused::Impossible(error.to_string()))?)
            }
        };
        let begun = self.store.once(person, &operation, now_ms(), |change| {
            let made = match (&whole, beginning) {
                (Some(whole), _) => files::brought(change, whole)?.id,
                (None, Beginning::Named(name)) if !name.trim().is_empty() => change.create_project(name.trim())?.id,
                (None, _) => return Err(StoreError::refused("A project needs a name.")),
            };
            Done::new(&digest, &made)
        });
        self.store.work_out_soon();
        begun.map_err(refused)?.of(&digest)
    }

    fn change(&self, person: &PersonId, key: &str, id: &ProjectId, change: &ProjectChange) -> Result<Made, Refused> {
        let (operation, digest) = (Operation::new(key), change_digest(id, change));
        let done = self.store.once(person, &operation, now_ms(), |under_way| {
            let made = moving::made(under_way, id, change)?;
            Done::new(&digest, &made)
        });
        self.store.work_out_soon();
        done.map_err(refused)?.of(&digest)
    }

    fn own_model(&self, person: &PersonId) -> Result<Option<String>, Refused> {
        Ok(self.store.own_model(person).map_err(refused)?.map(|own| own.name))
    }

    fn set_own_model(&self, person: &PersonId, own: Option<OwnModel>) -> Result<(), Refused> {
        if let Some(own) = &own {
            self.speaker.check_own(own).map_err(Refused::Impossible)?;
        }
        self.store.set_own_model(person, own.as_ref()).map_err(refused)
    }
}

/// What was made under a key, and of what. Of another request with the same key something else was made, so what it is
/// must not be asked before the digests agree.
#[derive(Serialize, Deserialize)]
struct Done {
    digest: String,
    made: Value,
}

impl Done {
    fn new(digest: &str, made: &impl Serialize) -> Result<Self, StoreError> {
        let made = serde_json::to_value(made).map_err(|error| StoreError::refused(error.to_string()))?;
        Ok(Self { digest: digest.to_owned(), made })
    }

    /// What was made, where it was made of this.
    fn of<T: DeserializeOwned>(self, digest: &str) -> Result<T, Refused> {
        if self.digest != digest {
            return Err(Refused::KeyReused);
        }
        serde_json::from_value(self.made).map_err(|error| Refused::Trouble(error.to_string()))
    }
}

fn beginning_digest(beginning: &Beginning) -> String {
    match beginning {
        Beginning::Named(name) => digest(&["named", name], &[]),
        Beginning::Packed(packed) => digest(&["packed"], packed),
    }
}

fn change_digest(id: &ProjectId, change: &ProjectChange) -> String {
    match change {
        ProjectChange::Upload(Upload { name, kind, media, content }) => {
            digest(&[id.as_str(), "upload", name, kind, media], content)
        }
        change => digest(&[id.as_str(), &format!("{change:?}")], &[]),
    }
}

fn digest(parts: &[&str], content: &[u8]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.update(content);
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why something is refused, as surfaces know it.
fn refused(error: StoreError) -> Refused {
    match error {
        StoreError::NotFound => Refused::NotFound,
        StoreError::NoSuch(what) => Refused::NoSuch(what),
        StoreError::Refused(told) => Refused::Impossible(told),
        StoreError::Unnamed
        | StoreError::Newer { .. }
        | StoreError::Folder(_)
        | StoreError::Database(_)
        | StoreError::Damaged { .. } => Refused::Trouble(error.to_string()),
    }
}

fn seen_state(state: NoteState) -> NoteStateSeen {
    match state {
        NoteState::Held => NoteStateSeen::Waiting,
        NoteState::Committed => NoteStateSeen::Saved,
        NoteState::Retracted => NoteStateSeen::TakenBack,
    }
}

pub(super) fn kept_state(state: NoteStateSeen) -> NoteState {
    match state {
        NoteStateSeen::Waiting => NoteState::Held,
        NoteStateSeen::Saved => NoteState::Committed,
        NoteStateSeen::TakenBack => NoteState::Retracted,
    }
}

/// How a file of this type ends.
fn ending(media: &str, name: &str) -> &'static str {
    const ENDINGS: [(&str, &str); 12] = [
        ("text/markdown", ".md"),
        ("text/plain", ".txt"),
        ("text/csv", ".csv"),
        ("text/html", ".html"),
        ("application/json", ".json"),
        ("application/pdf", ".pdf"),
        ("application/zip", ".zip"),
        ("image/png", ".png"),
        ("image/jpeg", ".jpg"),
        ("image/svg+xml", ".svg"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx"),
        ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx"),
    ];
    let plain = media.split(';').next().unwrap_or_default().trim();
    let by_name = || ENDINGS.iter().find(|(_, ending)| name.to_lowercase().ends_with(ending));
    ENDINGS.iter().find(|(of, _)| *of == plain).or_else(by_name).map_or(".bin", |(_, ending)| ending)
}

/// Notes of one page.
const PAGE_MAX: usize = 50;
/// Turns of one page.
const TURNS_MAX: usize = 40;
