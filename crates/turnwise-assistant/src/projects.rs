//! Projects as a surface sees and changes them: what an assistant at the side of people keeps for them, as values. Each
//! question names who asks, and what somebody is no member of is not there for them (CP-13). All of it waits for a
//! disk, so a surface asks from where waiting is fine. Next: [`Projects`].

use std::fmt;

use serde::{Deserialize, Serialize};
use turnwise_core::PersonId;
use turnwise_model::Key;

/// A project, as surfaces name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProjectId(String);

impl ProjectId {
    /// Wraps the text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Projects as they are kept somewhere.
pub trait Projects: Send + Sync {
    /// The person's projects, by name, and those they are invited to.
    ///
    /// # Errors
    /// When they cannot be read.
    fn all(&self, person: &PersonId) -> Result<AllProjects, Refused>;

    /// All there is to see of one project beside its notes.
    ///
    /// # Errors
    /// [`Refused::NotFound`] where there is none or the person is no member.
    fn project(&self, person: &PersonId, id: &ProjectId) -> Result<WholeProject, Refused>;

    /// A page of a project's notes.
    ///
    /// # Errors
    /// As for [`Projects::project`].
    fn notes(&self, person: &PersonId, id: &ProjectId, wanted: &NotesWanted) -> Result<NotesSeen, Refused>;

    /// What the person and the assistant said about a project, newest first.
    ///
    /// # Errors
    /// As for [`Projects::project`].
    fn turns(&self, person: &PersonId, id: &ProjectId, before: Option<i64>) -> Result<Vec<TurnSeen>, Refused>;

    /// A specification.
    ///
    /// # Errors
    /// As for [`Projects::project`]; [`Refused::NoSuch`] where there is none of that name.
    fn specification(&self, person: &PersonId, id: &ProjectId, name: &str) -> Result<SpecificationSeen, Refused>;

    /// A version of an artefact, the latest without a number.
    ///
    /// # Errors
    /// As for [`Projects::specification`].
    fn file(&self, person: &PersonId, id: &ProjectId, name: &str, version: Option<i64>) -> Result<FileSeen, Refused>;

    /// A project as a folder of Markdown, packed as a ZIP archive.
    ///
    /// # Errors
    /// As for [`Projects::project`].
    fn packed(&self, person: &PersonId, id: &ProjectId) -> Result<FileSeen, Refused>;

    /// Begins a project: a fresh one by its name, or one that was packed. Done once for each `key` of a person.
    ///
    /// # Errors
    /// When what was packed cannot be read.
    fn begin(&self, person: &PersonId, key: &str, beginning: &Beginning) -> Result<ProjectId, Refused>;

    /// Changes something of a project. Done once for each `key` of a person.
    ///
    /// # Errors
    /// As for [`Projects::project`], and where what is asked for cannot be.
    fn change(&self, person: &PersonId, key: &str, id: &ProjectId, change: &ProjectChange) -> Result<Made, Refused>;

    /// The model that the person's own key is for; none where they have none. The key itself is never told again.
    ///
    /// # Errors
    /// When that cannot be read.
    fn own_model(&self, person: &PersonId) -> Result<Option<String>, Refused>;

    /// Keeps the person's own model and its key, or forgets both.
    ///
    /// # Errors
    /// When no such model can be asked.
    fn set_own_model(&self, person: &PersonId, own: Option<OwnModel>) -> Result<(), Refused>;
}

/// Why something of a project cannot be seen or done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// There is no such project, or the person is no member of it: they cannot tell which.
    NotFound,
    /// The project has none of these: `note`, `specification`.
    NoSuch(&'static str),
    /// The key was used before, for something else.
    KeyReused,
    /// It cannot be, and why.
    Impossible(String),
    /// It cannot be read or kept at the moment, and why.
    Trouble(String),
}

/// The projects of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllProjects {
    /// Those they are a member of.
    pub projects: Vec<ProjectSeen>,
    /// Those they are invited to.
    pub invitations: Vec<InvitationSeen>,
}

/// A project in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectSeen {
    /// Its id.
    pub id: ProjectId,
    /// What it is called; of two of one name, the later has a number behind it.
    pub name: String,
    /// Whether it is set up.
    pub is_ready: bool,
    /// Counts up with every change.
    pub revision: i64,
    /// How much is in it.
    pub counts: CountsSeen,
}

/// How much is in a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountsSeen {
    /// Notes that count.
    pub notes: i64,
    /// Those of them that wait to be saved.
    pub waiting: i64,
    /// Specifications.
    pub specifications: i64,
    /// Artefacts.
    pub artefacts: i64,
}

/// An invitation to a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationSeen {
    /// To which project.
    pub project: ProjectId,
    /// What it is called.
    pub name: String,
    /// Who invited.
    pub by: PersonId,
}

/// All there is to see of a project beside its notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeProject {
    /// As in a list.
    pub project: ProjectSeen,
    /// What is asked about it when it begins, in order.
    pub seed: Vec<SeedSeen>,
    /// Whether what had to be said was said, so that the setup can be completed.
    pub is_setup_complete: bool,
    /// Its groups of notes, by label.
    pub groups: Vec<GroupSeen>,
    /// Its specifications, by name, without their texts.
    pub specifications: Vec<SpecificationSeen>,
    /// Its artefacts in all versions, by name, latest first, without what is in them.
    pub artefacts: Vec<ArtefactSeen>,
    /// Its jobs, those that changed last first.
    pub jobs: Vec<JobSeen>,
    /// Who belongs to it.
    pub members: Vec<PersonId>,
    /// Who is invited to it.
    pub invited: Vec<PersonId>,
}

/// Something that is asked about a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedSeen {
    /// Its code: `audience`.
    pub code: String,
    /// What people read.
    pub label: String,
    /// The question.
    pub question: String,
    /// What was said; empty where it was skipped, none where it is open.
    pub said: Option<String>,
}

/// A group of notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupSeen {
    /// What they are called.
    pub label: String,
    /// What they say.
    pub summary: String,
    /// Why they are one group.
    pub rationale: String,
    /// How many there are.
    pub notes: i64,
}

/// A specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecificationSeen {
    /// What it is called.
    pub name: String,
    /// Counts its texts, from 1.
    pub version: i64,
    /// Its text; empty in a list.
    pub content: String,
    /// When it was written, in milliseconds.
    pub changed_ms: i64,
}

/// A version of an artefact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArtefactSeen {
    /// What it is called.
    pub name: String,
    /// What sort of document it is: `report`.
    pub kind: String,
    /// From 1.
    pub version: i64,
    /// Its media type.
    pub media: String,
    /// Its length in bytes.
    pub bytes: i64,
    /// Who brought it.
    pub by: PersonId,
    /// When, in milliseconds.
    pub created_ms: i64,
}

/// Something that can be taken along as a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileSeen {
    /// What the file is called.
    pub file: String,
    /// Its media type.
    pub media: String,
    /// What is in it.
    pub content: Vec<u8>,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobSeen {
    /// Its number in the project, from 1.
    pub number: i64,
    /// What it does, in a few words.
    pub title: String,
    /// Where it stands.
    pub state: JobStateSeen,
    /// How much of it is done, and of how much, where that is known.
    pub progress: Option<(i64, i64)>,
    /// What is to be known about it.
    pub remark: String,
    /// When that was, in milliseconds.
    pub changed_ms: i64,
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobStateSeen {
    /// It runs.
    Active,
    /// It waits for a person.
    Attention,
    /// It is done.
    Finished,
}

/// Which notes are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotesWanted {
    /// What they are about; all without it.
    pub about: Option<String>,
    /// Only those of the group with this label.
    pub group: Option<String>,
    /// Only those that stand here.
    pub state: Option<NoteStateSeen>,
    /// Only those with a smaller number.
    pub before: Option<i64>,
}

/// Notes that were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesSeen {
    /// The notes, newest first; best first where something was searched for.
    pub notes: Vec<NoteSeen>,
    /// Whether none has the words that were searched for, and these are close to what they mean.
    pub is_near: bool,
    /// The number that the next page goes on before.
    pub next: Option<i64>,
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSeen {
    /// Its number in the project, from 1.
    pub number: i64,
    /// What was told.
    pub text: String,
    /// Where it stands.
    pub state: NoteStateSeen,
    /// The label of its group.
    pub group: Option<String>,
    /// Who told it.
    pub by: PersonId,
    /// When, in milliseconds.
    pub created_ms: i64,
    /// From when on it does not count any more.
    pub expires_ms: Option<i64>,
    /// The texts it had before, oldest first.
    pub before: Vec<String>,
}

/// Where a note stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteStateSeen {
    /// It waits to be saved.
    Waiting,
    /// The person stands by it.
    Saved,
    /// It was taken back.
    TakenBack,
}

/// Something that was said about a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnSeen {
    /// Its place among all, for the next page.
    pub at: i64,
    /// Whether the person said it.
    pub is_persons: bool,
    /// What was said.
    pub content: String,
    /// When, in milliseconds.
    pub created_ms: i64,
}

/// How a project begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// Under this name, with everything to be said yet.
    Named(String),
    /// As a ZIP archive has it.
    Packed(Vec<u8>),
}

/// A change of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProjectChange {
    /// It is called this.
    Rename(String),
    /// This is said of a field of its seed; nothing where it is skipped.
    Seed(String, Option<String>),
    /// Its setup is completed.
    Finalize,
    /// A note is told, for so many hours where it does not last.
    Note(String, Option<u32>),
    /// A note says this.
    EditNote(i64, String),
    /// A note stands here.
    MoveNote(i64, NoteStateSeen),
    /// A group is called this, says this, for this reason; these notes are in it from now on.
    Group(GroupWanted),
    /// A group is no more; its notes are.
    DropGroup(String),
    /// Notes are in no group any more.
    Ungroup(Vec<i64>),
    /// A specification says this.
    Specify(String, String),
    /// A specification is no more.
    DropSpecification(String),
    /// A file is kept as a version of an artefact.
    Upload(Upload),
    /// A job begins.
    BeginJob(String),
    /// A job stands here.
    Job(JobMoved),
    /// A person is invited.
    Invite(PersonId),
    /// An invitation is withdrawn.
    Withdraw(PersonId),
    /// The person joins, who was invited.
    Join,
    /// The person turns the invitation down.
    Decline,
    /// The person leaves.
    Leave,
}

/// A group as it is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupWanted {
    /// What it is called.
    pub label: String,
    /// What its notes say.
    pub summary: String,
    /// Why they are one group.
    pub rationale: String,
    /// Notes that are in it from now on.
    pub notes: Vec<i64>,
}

/// A file that is brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// What the artefact is called.
    pub name: String,
    /// What sort of document it is.
    pub kind: String,
    /// Its media type.
    pub media: String,
    /// What is in it.
    pub content: Vec<u8>,
}

/// Where a job stands now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobMoved {
    /// Its number.
    pub number: i64,
    /// Where it stands.
    pub state: JobStateSeen,
    /// How much of it is done, and of how much.
    pub progress: Option<(i64, i64)>,
    /// What is to be known about it.
    pub remark: String,
}

/// What a change made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The number of a note or a job, or the version of an artefact or a specification, where there is one.
    pub number: Option<i64>,
}

/// A model of a person's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnModel {
    /// Its name: `openai:gpt-4.1-mini`.
    pub name: String,
    /// The key it is asked with.
    pub key: Key,
}
