//! Projects as they are answered. They are described here and nowhere else, so that the words people read (“waiting”,
//! “saved”) are not those of the store. Next: `mod`.

use serde::Serialize;
use turnwise_assistant::projects::{
    AllProjects, CountsSeen, JobSeen, JobStateSeen, NoteSeen, NoteStateSeen, NotesSeen, ProjectId, ProjectSeen,
    WholeProject,
};
use utoipa::ToSchema;

/// The projects of a person.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectsView {
    /// Those they belong to, by name.
    pub projects: Vec<ProjectView>,
    /// Those they are invited to.
    pub invitations: Vec<InvitationView>,
}

/// A project in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectView {
    /// Its id.
    #[schema(value_type = String)]
    pub id: ProjectId,
    /// What it is called; of two of one name, the later has a number behind it.
    pub name: String,
    /// Whether it is set up.
    pub is_ready: bool,
    /// Counts up with every change.
    pub revision: i64,
    /// How many notes there are.
    pub notes: i64,
    /// How many of them wait to be saved.
    pub waiting: i64,
    /// How many specifications there are.
    pub specifications: i64,
    /// How many artefacts there are.
    pub artefacts: i64,
}

/// An invitation to a project.
#[derive(Debug, Serialize, ToSchema)]
pub struct InvitationView {
    /// The project.
    #[serde(rename = "project_id")]
    #[schema(value_type = String)]
    pub project: ProjectId,
    /// What it is called.
    pub name: String,
    /// Who invited.
    pub by: String,
}

/// All there is to see of a project, beside its notes.
#[derive(Debug, Serialize, ToSchema)]
pub struct WholeView {
    /// As in a list.
    pub project: ProjectView,
    /// What is asked about it when it begins, in order.
    pub seed: Vec<SeedView>,
    /// Whether its setup can be completed, or is.
    pub is_setup_complete: bool,
    /// Its groups of notes, by label.
    pub groups: Vec<GroupView>,
    /// Its specifications, by name.
    pub specifications: Vec<SpecificationListed>,
    /// Its artefacts in all versions, by name, the latest first.
    pub artefacts: Vec<ArtefactListed>,
    /// Its jobs, those that changed last first.
    pub jobs: Vec<JobView>,
    /// Who belongs to it.
    pub members: Vec<String>,
    /// Who is invited to it.
    pub invited: Vec<String>,
}

/// Something that is asked about a project.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeedView {
    /// Its code.
    pub code: String,
    /// What people read.
    pub label: String,
    /// The question.
    pub question: String,
    /// What was said; empty where it was passed over, left out where it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
}

/// A group of notes.
#[derive(Debug, Serialize, ToSchema)]
pub struct GroupView {
    /// What they are called.
    pub label: String,
    /// What they say.
    pub summary: String,
    /// Why they are one group.
    pub rationale: String,
    /// How many there are.
    pub notes: i64,
}

/// A specification in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct SpecificationListed {
    /// What it is called.
    pub name: String,
    /// Counts its texts, from 1.
    pub version: i64,
    /// When it was written, in milliseconds since 1970.
    pub changed_at: i64,
}

/// A version of an artefact.
#[derive(Debug, Serialize, ToSchema)]
pub struct ArtefactListed {
    /// What it is called.
    pub name: String,
    /// What sort of document it is.
    pub kind: String,
    /// From 1.
    pub version: i64,
    /// Its media type.
    pub media: String,
    /// Its length in bytes.
    pub bytes: i64,
    /// Who brought it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub created_at: i64,
}

/// A job.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobView {
    /// Its number in the project.
    pub number: i64,
    /// What it does.
    pub title: String,
    /// Where it stands.
    pub state: JobStateName,
    /// How much of it is done, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<i64>,
    /// How much there is, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole: Option<i64>,
    /// What is to be known about it.
    pub remark: String,
    /// When that was, in milliseconds since 1970.
    pub changed_at: i64,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStateName {
    /// It runs.
    Active,
    /// It waits for a person.
    Attention,
    /// It is done.
    Finished,
}

/// Notes that were found.
#[derive(Debug, Serialize, ToSchema)]
pub struct NotesView {
    /// The notes, newest first; best first where something was searched for.
    pub notes: Vec<NoteView>,
    /// Whether none has the words that were searched for, and these are close to what they mean.
    pub is_near: bool,
    /// What `before` is for the next page, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<i64>,
}

/// A note.
#[derive(Debug, Serialize, ToSchema)]
pub struct NoteView {
    /// Its number in the project, from 1.
    pub number: i64,
    /// What was told.
    pub text: String,
    /// Where it stands.
    pub state: NoteStateName,
    /// The label of its group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Who told it.
    pub by: String,
    /// When, in milliseconds since 1970.
    pub created_at: i64,
    /// From when on it does not count any more, where it does not last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<i64>,
    /// The texts it had before, oldest first.
    pub before: Vec<String>,
}

/// Where a note stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteStateName {
    /// It waits to be saved.
    Waiting,
    /// The person stands by it.
    Saved,
    /// It was taken back.
    TakenBack,
}

impl ProjectsView {
    pub(super) fn new(all: AllProjects) -> Self {
        let invitation = |one: turnwise_assistant::projects::InvitationSeen| InvitationView {
            project: one.project,
            name: one.name,
            by: one.by.to_string(),
        };
        Self {
            projects: all.projects.into_iter().map(ProjectView::new).collect(),
            invitations: all.invitations.into_iter().map(invitation).collect(),
        }
    }
}

impl ProjectView {
    fn new(seen: ProjectSeen) -> Self {
        let CountsSeen { notes, waiting, specifications, artefacts } = seen.counts;
        let (id, name, is_ready, revision) = (seen.id, seen.name, seen.is_ready, seen.revision);
        Self { id, name, is_ready, revision, notes, waiting, specifications, artefacts }
    }
}

impl WholeView {
    pub(super) fn new(whole: WholeProject) -> Self {
        let seed = whole.seed.into_iter().map(|one| SeedView {
            code: one.code,
            label: one.label,
            question: one.question,
            said: one.said,
        });
        let groups = whole.groups.into_iter().map(|one| GroupView {
            label: one.label,
            summary: one.summary,
            rationale: one.rationale,
            notes: one.notes,
        });
        let specifications = whole.specifications.into_iter().map(|one| SpecificationListed {
            name: one.name,
            version: one.version,
            changed_at: one.changed_ms,
        });
        let artefacts = whole.artefacts.into_iter().map(|one| ArtefactListed {
            name: one.name,
            kind: one.kind,
            version: one.version,
            media: one.media,
            bytes: one.bytes,
            by: one.by.to_string(),
            created_at: one.created_ms,
        });
        Self {
            project: ProjectView::new(whole.project),
            seed: seed.collect(),
            is_setup_complete: whole.is_setup_complete,
            groups: groups.collect(),
            specifications: specifications.collect(),
            artefacts: artefacts.collect(),
            jobs: whole.jobs.into_iter().map(JobView::new).collect(),
            members: whole.members.iter().map(ToString::to_string).collect(),
            invited: whole.invited.iter().map(ToString::to_string).collect(),
        }
    }
}

impl JobView {
    fn new(job: JobSeen) -> Self {
        Self {
            number: job.number,
            title: job.title,
            state: match job.state {
                JobStateSeen::Active => JobStateName::Active,
                JobStateSeen::Attention => JobStateName::Attention,
                JobStateSeen::Finished => JobStateName::Finished,
            },
            done: job.progress.map(|(done, _)| done),
            whole: job.progress.map(|(_, whole)| whole),
            remark: job.remark,
            changed_at: job.changed_ms,
        }
    }
}

impl NotesView {
    pub(super) fn new(found: NotesSeen) -> Self {
        let notes = found.notes.into_iter().map(NoteView::new).collect();
        Self { notes, is_near: found.is_near, next: found.next }
    }
}

impl NoteView {
    fn new(note: NoteSeen) -> Self {
        Self {
            number: note.number,
            text: note.text,
            state: match note.state {
                NoteStateSeen::Waiting => NoteStateName::Waiting,
                NoteStateSeen::Saved => NoteStateName::Saved,
                NoteStateSeen::TakenBack => NoteStateName::TakenBack,
            },
            group: note.group,
            by: note.by.to_string(),
            created_at: note.created_ms,
            expires_at: note.expires_ms,
            before: note.before,
        }
    }
}

impl From<NoteStateName> for NoteStateSeen {
    fn from(name: NoteStateName) -> Self {
        match name {
            NoteStateName::Waiting => Self::Waiting,
            NoteStateName::Saved => Self::Saved,
            NoteStateName::TakenBack => Self::TakenBack,
        }
    }
}

impl From<JobStateName> for JobStateSeen {
    fn from(name: JobStateName) -> Self {
        match name {
            JobStateName::Active => Self::Active,
            JobStateName::Attention => Self::Attention,
            JobStateName::Finished => Self::Finished,
        }
    }
}
